"""A game that is being watched: frames in, record and overlay out, live and in review alike.

Every move is written to the record before anybody is told of it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from calibration.table import Table
from referee.attention import Attention
from referee.desk.book import Book
from referee.desk.crops import When, crop
from referee.desk.desk import Desk, Look
from referee.desk.table import Outline
from referee.game import Game
from referee.meter import RULINGS, timed
from referee.notation import header_to_dict, parse_header
from referee.overlay.source import Corrected, Light, Mark, Picture, View
from referee.placements import Observation
from referee.resume import Resumed
from referee.rules.header import Header
from referee.rules.options import GameName
from referee.sight import Sight, sight_of
from referee.store import PatientStore, Record, Store
from vision.facts import Reader
from vision.frames import Frame, FrameSource
from vision.mask import black_out
from vision.witness import Phase

DECK_CARDS: Final = {"solomino": 120, "solo": 112, "classic": 112}
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
    game: GameName | None = None,
) -> Header:
    """The header of a game at a table, dealt by the book.

    ``players`` are other names than the table's, clockwise; ``options`` the game's options by
    name, before those of the table; ``game`` is another one than the table's. A camera hears no shout, so ``shouts`` is
    ``ignored`` unless asked for. Without a table the game is SOLOmino unless asked for, with
    the usual deck. Raises `OptionError` for an option that does not exist and ValueError for a
    wrong number of players.
    """
    seated = [player.name for player in table.players] if table else []
    names = list(players) if players else seated
    if seated and len(names) != len(seated):
        raise ValueError(f"expected {len(seated)} players as in table.json, found {len(names)}")
    played = game or game_of(table)
    deck = table.deck if table is not None and table.game == played else played
    at_table = table.options if table is not None and table.game == played else {}
    cards = DECK_CARDS.get(deck)
    header = Header(
        game=played,
        players=tuple(names),
        given_options={"shouts": "ignored", **at_table, **(options or {})},
        hands=(HAND_CARDS,) * len(names),
        draw_pile=None if cards is None else cards - HAND_CARDS * len(names) - 1,
        seats_assumed=table is not None and table.seats_assumed,
    )
    header.setup()
    # Refuse now what a reader of the record would refuse later, such as a single player.
    return parse_header(header_to_dict(header))


def game_of(table: Table | None) -> GameName:
    """The game that is played at a table; raises ValueError where it is none of the two."""
    match table.game if table is not None else "solomino":
        case "solomino":
            return "solomino"
        case "solo":
            return "solo"
        case other:
            raise ValueError(f"expected a table of solomino or solo, found one of {other!r}")


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
        self._store = store
        self.game = Game(header) if before is None else before.game
        """The log so far; others hold `book`'s lock while they read it."""
        self.book = Book(self.game, store)
        """Who writes in the log: the camera by way of this session, and operators."""
        self.desk = Desk(self.book, self)
        """Where operators sit."""
        self._plane = table.plane
        self._masks_px = table.masks_px

        def begin_sight() -> Sight:
            return sight_of(table, header, reader, lambda: self.game.state)

        self._begin_sight = begin_sight
        self._sight = begin_sight()
        self._stated: deque[_Stated] = deque()
        """Changes of the log by hand that the sight has not been told of."""
        self.since_s = 0.0 if before is None else before.since_s
        """Where the game's clock stands at the time 0 of the frames."""
        self._attention = Attention(blind=before is not None)
        self._unshown: list[Mapping[str, Any]] = []
        """Lines that viewers have not been shown yet."""
        self._rewritten = False
        """Whether what viewers were shown was corrected since."""
        self._corrected: Corrected | None = None
        self._lock = threading.Lock()
        self._subscribers: list[Callable[[], None]] = []
        self._frame: Frame | None = None
        self._quiet_frame: Frame | None = None
        """The newest one without hands or unread changes: how the table lay before a move."""
        self._arrived_s = 0.0
        self._marks: tuple[Mark, ...] = ()
        first, *lines = self.game.record()
        if table.assumed:
            first = {**first, "assumed": dict(table.assumed)}
        self._view = View(first, tuple(lines), self.game.ids, paused=self.game.paused)
        if before is None:
            store.append([first])
        else:
            store.append(before.missing)
        if before is not None and self.game.state.ends:
            self._sight.resume([str(end) for end in self.game.state.ends])

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
            self._show("no_camera" if source.live else "watching")

    def see(self, frame: Frame) -> list[dict[str, Any]]:
        """Take in one frame; returns the lines that it added to the record."""
        black_out(frame.image, self._masks_px)
        if self.since_s:
            frame = replace(frame, at_s=frame.at_s + self.since_s)
        # Viewers get the picture before it is looked at: a reading takes several frames' time.
        with self._lock:
            self._frame, self._arrived_s = frame, time.monotonic()
        self._take_in_what_was_stated()
        lines: list[dict[str, Any]] = []
        blind = self._attention.look(frame.at_s)
        with timed("look"):
            for observation in self._sight.see(frame):
                known = {**observation, "blind_before": True} if blind else observation
                lines += self._enter(known)
        if lines:
            self._attention.told()
        light = _LIGHTS[self._sight.phase]
        provisional = self._sight.provisional()
        caught_up = self._store.retry()
        if light == "watching" and provisional is None and not lines:
            self._quiet_frame = frame
        shown = self._view
        if lines or caught_up or light != shown.light or provisional != shown.provisional:
            self._show(light, provisional)
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

    # -- what the desk asks

    def look(self) -> Look:
        """What is seen now, for the desk."""
        with self._lock:
            frame, marks, view = self._frame, self._marks, self._view
        if frame is None:
            return Look(view.light, None, None, None, trouble=view.trouble)
        height, width = frame.image.shape[:2]
        return Look(
            light=view.light,
            ends=self._sight.ends(),
            clock_s=frame.at_s,
            picture_px=(width, height),
            outlines=tuple(
                Outline([(x / width, y / height) for x, y in m.polygon_px], m.kind, m.text)
                for m in marks
            ),
            trouble=view.trouble,
        )

    def corrected(
        self, before: Sequence[str], now: Sequence[str], changed: Sequence[int], *, afresh: bool
    ) -> None:
        """The log was changed by hand: show it, and lay the next card to what it says now."""
        # The sight belongs to the thread that watches: it is told before the next frame.
        self._stated.append(_Stated(tuple(before), tuple(now), afresh))
        with self.book.lock:
            self._rewritten = True
            self._corrected = Corrected(self.book.revision, tuple(changed))
        self._show(self._view.light, self._view.provisional)

    def _take_in_what_was_stated(self) -> None:
        while self._stated:
            stated = self._stated.popleft()
            if stated.afresh:
                self._sight = self._begin_sight()
            else:
                self._sight.restate(stated.before, stated.now)

    def _enter(self, observation: Observation) -> list[dict[str, Any]]:
        with self.book.lock:
            with timed("judge"):
                lines = self.book.observe(observation)
            if not lines:
                return []
            number = self.game.ids[-1]
            self._unshown += lines
            if self.game.undoable is not None and lines[0]["type"] == "take_back":
                # What comes to light below may have been corrected since it was told.
                ends = tuple(str(end) for end in self.game.state.ends)
                self._stated.append(_Stated(ends, ends, False))
        t, told = lines[0].get("t"), lines[0].get("t_reported")
        if t is not None and told is not None:
            RULINGS.observe(max(0.0, told - t))
        self._photograph(number, lines[0])
        return lines

    def _photograph(self, number: int, line: Mapping[str, Any]) -> None:
        """Keep a picture of a move, as the table lay before it and as it lies now."""
        region = line.get("evidence", {}).get("region_mm")
        if region is None:
            return
        pictures: dict[When, bytes] = {}
        views: tuple[tuple[When, Frame | None], ...] = (
            ("before", self._quiet_frame),
            ("after", self._frame),
        )
        for when, frame in views:
            jpeg = None if frame is None else crop(frame.image, self._plane, region)
            if jpeg is not None:
                pictures[when] = jpeg
        if "after" in pictures:
            self.desk.crops.keep(number, pictures)

    def _show(self, light: Light, provisional: Record | None = None) -> None:
        with self.book.lock:
            verdict = self.game.rulings(len(self.game.moves) - 1) if self.game.moves else ()
            doubt = verdict[-1].legal if verdict else True
            marks = self._sight.marks(doubt, self._last_halves())
            trouble = self._store.trouble
            log, ids = self._view.log, self._view.ids
            if trouble is None:
                if self._rewritten:
                    _, *lines = self.game.record()
                    log = tuple(lines)
                else:
                    log = (*log, *self._unshown)
                ids = self.game.ids
                self._unshown.clear()
                self._rewritten = False
            with self._lock:
                self._view = View(
                    header=self._view.header,
                    log=log,
                    ids=ids,
                    light=light,
                    paused=self.game.paused,
                    safe_mode=trouble is not None,
                    trouble=trouble or "",
                    provisional=provisional,
                    corrected=self._corrected,
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


@dataclass(frozen=True, slots=True)
class _Stated:
    """A change of the log by hand: its ends before and after."""

    before: tuple[str, ...]
    now: tuple[str, ...]
    afresh: bool
    """Whether the next cards begin a new line."""
