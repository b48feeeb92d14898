"""A game that is being watched: frames in, record and overlay out, live and in review alike.

Every move is written to the record before anybody is told of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from calibration.table import Table
from referee.game import Game
from referee.notation import header_to_dict, parse_header
from referee.overlay.source import Light, Mark, Picture, View
from referee.placements import Observation, Placements
from referee.resume import Resumed
from referee.rules.header import Header
from referee.seats import Seats
from referee.store import PatientStore, Store
from vision.facts import CARD_MM, Half, Reader
from vision.frames import Frame, FrameSource
from vision.line import HALF_MM, Line
from vision.plane import TablePlane
from vision.watch import Phase, Watcher

DECK_CARDS: Final = {"solomino": 120}
"""How many cards a deck has, where that is known."""
HAND_CARDS: Final = 8

_LIGHTS: Final[dict[Phase, Light]] = {
    Phase.QUIET: "watching",
    Phase.HANDS: "hand",
    Phase.CHECKING: "checking",
    Phase.OUT_OF_SYNC: "out_of_sync",
}


def header_for(
    table: Table | None,
    players: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
) -> Header:
    """The header of a game at a table, dealt by the book.

    ``players`` are other names than the table's, clockwise; ``options`` the game's options by
    name. A camera hears no shout, so ``shouts`` is ``ignored`` unless asked for. Without a
    table the game is SOLOmino with the usual deck. Raises `OptionError` for an option that
    does not exist and ValueError for a wrong number of players.
    """
    seated = [player.name for player in table.players] if table else []
    names = list(players) if players else seated
    if seated and len(names) != len(seated):
        raise ValueError(f"expected {len(seated)} players as in table.json, found {len(names)}")
    if table is not None and table.game != "solomino":
        raise ValueError(f"expected a table of solomino, found one of {table.game!r}")
    cards = DECK_CARDS.get(table.deck if table else "solomino")
    header = Header(
        game="solomino",
        players=tuple(names),
        given_options={"shouts": "ignored", **(options or {})},
        hands=(HAND_CARDS,) * len(names),
        draw_pile=None if cards is None else cards - HAND_CARDS * len(names) - 1,
    )
    header.setup()
    # Refuse now what a reader of the record would refuse later, such as a single player.
    return parse_header(header_to_dict(header))


class Session:
    """Watches one game. `run` it in one thread; `view`, `picture`, `subscribe` from any."""

    def __init__(
        self,
        table: Table,
        header: Header,
        reader: Reader,
        store: Store | PatientStore,
        before: Resumed | None = None,
    ) -> None:
        """A game that begins, or with ``before`` one that goes on; ``store`` holds its record.

        With a `PatientStore` the game goes on where the disk does not: what is not on disk is
        not shown, and the view says so.
        """
        self._plane = table.plane
        self._watcher = Watcher(reader, table.plane, table.zones)
        self._placements = Placements(Seats([player.seat_mm for player in table.players]))
        self._store = store
        self.game = Game(header) if before is None else before.game
        """The log so far."""
        self._since_s = 0.0 if before is None else before.since_s
        self._unshown: list[Mapping[str, Any]] = []
        """Lines that the disk has not taken yet."""
        self._lock = threading.Lock()
        self._subscribers: list[Callable[[], None]] = []
        self._frame: Frame | None = None
        self._arrived_s = 0.0
        self._marks: tuple[Mark, ...] = ()
        first, *lines = self.game.record()
        self._view = View(header=first, log=tuple(lines))
        if before is None:
            store.append([first])
        else:
            store.append(before.missing)
        if before is not None and self.game.state.ends:
            self._placements.resume([str(end) for end in self.game.state.ends])

    def run(self, source: FrameSource, each: Callable[[Frame], None] | None = None) -> None:
        """Watch a source to its end; ``each`` is called after every frame.

        Raises `vision.frames.SourceError` where the source breaks off, `StoreError` where the
        record cannot be written; what was seen until then is in the record.
        """
        try:
            for frame in source:
                self.see(frame)
                if each is not None:
                    each(frame)
        finally:
            self._show("no_camera" if source.live else "watching", [])

    def see(self, frame: Frame) -> list[dict[str, Any]]:
        """Take in one frame; returns the lines that it added to the record."""
        if self._since_s:
            frame = replace(frame, at_s=frame.at_s + self._since_s)
        # Viewers get the picture before it is looked at: a reading takes several frames' time.
        with self._lock:
            self._frame, self._arrived_s = frame, time.monotonic()
        facts = self._watcher.see(frame)
        lines: list[dict[str, Any]] = []
        for fact in facts:
            for observation in self._placements.observe(fact):
                lines += self._enter(observation)
        light = _LIGHTS[self._watcher.phase]
        provisional = self._provisional()
        caught_up = self._store.retry()
        shown = self._view
        if lines or caught_up or light != shown.light or provisional != shown.provisional:
            self._show(light, lines, provisional)
        return lines

    def view(self) -> View:
        """The game as it stands."""
        return self._view

    def picture(self) -> Picture | None:
        """The newest frame, with the line, its ends and a card at fault marked."""
        with self._lock:
            frame, marks, arrived_s = self._frame, self._marks, self._arrived_s
        if frame is None:
            return None
        return Picture(frame.image, frame.index, frame.at_s, marks, arrived_s)

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called after each change of `view`; returns what ends it."""
        with self._lock:
            self._subscribers.append(changed)

        def end() -> None:
            with self._lock:
                if changed in self._subscribers:
                    self._subscribers.remove(changed)

        return end

    def _enter(self, observation: Observation) -> list[dict[str, Any]]:
        self.game.append_entry(observation)
        of = len(self.game.moves) - 1
        lines = [self.game.moves[of].as_dict(), *self.game.answer(of)]
        self._store.append(lines)
        return lines

    def _provisional(self) -> dict[str, Any] | None:
        """What is being read right now, as far as it has been read: nobody has ruled on it."""
        laid, arms = self._watcher.tentative, self._watcher.arms
        if laid is None:
            return None
        # The hand that laid it is often still on its way out.
        return self._placements.preview(laid, arms[0] if len(arms) == 1 else None)

    def _show(
        self,
        light: Light,
        lines: Sequence[dict[str, Any]],
        provisional: dict[str, Any] | None = None,
    ) -> None:
        line = self._watcher.line
        verdict = self.game.rulings(len(self.game.moves) - 1) if self.game.moves else ()
        doubt = verdict[-1].legal if verdict else True
        marks = () if line is None else line_marks(line, self._plane, doubt, self._last_halves())
        self._unshown += lines
        trouble = self._store.trouble
        log = self._view.log
        if trouble is None:
            log = (*log, *self._unshown)
            self._unshown.clear()
        with self._lock:
            self._view = View(
                header=self._view.header,
                log=log,
                light=light,
                safe_mode=trouble is not None,
                trouble=trouble or "",
                provisional=provisional,
                clock_s=self._frame.at_s if self._frame else None,
            )
            self._marks = marks
            subscribers = list(self._subscribers)
        for changed in subscribers:
            changed()

    def _last_halves(self) -> tuple[tuple[float, float], ...]:
        """Where the halves of the last placement lay, if the last move was one."""
        if not self.game.moves:
            return ()
        region = self.game.moves[-1].fields.get("evidence", {}).get("region_mm")
        return () if region is None else ((region[0], region[1]), (region[2], region[3]))


def line_marks(
    line: Line,
    plane: TablePlane,
    legal: bool | None = True,
    last_mm: tuple[tuple[float, float], ...] = (),
) -> tuple[Mark, ...]:
    """What to draw into the picture: the line, its ends, and the last card where it is at fault.

    ``legal`` is the verdict on the last move, ``last_mm`` two corners of the rectangle in which
    its card lies.
    """
    marks: list[Mark] = []
    last = len(line.places) - 1
    for i, place in enumerate(line.places):
        outline = half_outline_px(place.half, plane)
        at_fault = legal is not True and _within(place.half, last_mm)
        if at_fault:
            marks.append(Mark(outline, "illegal" if legal is False else "unsure"))
        if i in (0, last):
            marks.append(Mark(outline, "end", place.label))
        elif not at_fault:
            marks.append(Mark(outline, "line"))
    return tuple(marks)


def half_outline_px(half: Half, plane: TablePlane) -> tuple[tuple[float, float], ...]:
    """The four corners of a half in the camera's picture."""
    turn = np.radians(half.axis_deg)
    along = np.array([np.cos(turn), np.sin(turn)]) * HALF_MM / 2
    across = np.array([-np.sin(turn), np.cos(turn)]) * CARD_MM[0] / 2
    centre = np.array([half.x_mm, half.y_mm])
    corners = np.array(
        [
            centre - along - across,
            centre + along - across,
            centre + along + across,
            centre - along + across,
        ]
    )
    return tuple((float(x), float(y)) for x, y in plane.to_px(corners))


def _within(half: Half, corners_mm: tuple[tuple[float, float], ...]) -> bool:
    if not corners_mm:
        return False
    (x0, y0), (x1, y1) = corners_mm
    return x0 <= half.x_mm <= x1 and y0 <= half.y_mm <= y1
