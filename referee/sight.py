"""How each game is seen: its watcher and its placements as one, for `referee.session`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from calibration.table import Table
from referee.overlay.source import Mark
from referee.placements import Observation, Placements
from referee.placements_solo import SoloPlacements, written
from referee.rules.header import Header
from referee.rules.state import State
from referee.seats import Seats
from vision.facts import CARD_MM, Half, Reader, outline_mm
from vision.frames import Frame
from vision.line import HALF_MM, Line
from vision.pile_watch import PileWatcher
from vision.plane import TablePlane
from vision.watch import Watcher
from vision.witness import Phase

Corners = tuple[tuple[float, float], ...]
"""Two opposite corners of an upright rectangle on the table, or nothing; millimetres."""


class Sight(Protocol):
    """Watches one table and says what is done there, in the contract's observations."""

    @property
    def phase(self) -> Phase:
        """What the watcher is doing."""
        ...

    def see(self, frame: Frame) -> Iterator[Observation]:
        """Take in the next frame; yields what was done, each to be judged before the next."""
        ...

    def provisional(self) -> Observation | None:
        """What is being read right now, as far as it has been read: nobody has ruled on it."""
        ...

    def marks(self, legal: bool | None, last_mm: Corners) -> tuple[Mark, ...]:
        """What to draw into the picture. ``legal`` is the verdict on the last move, ``last_mm``
        where its card lies."""
        ...

    def ends(self) -> tuple[str, ...] | None:
        """What lies at the ends of the line (SOLO: on top) by the newest reading; None where
        nothing does."""
        ...

    def resume(self, ends: Sequence[str]) -> None:
        """Go on with a game that had these ends (SOLO: this top card) when last looked at."""
        ...

    def restate(self, before: Sequence[str], now: Sequence[str]) -> None:
        """The ends (SOLO: the top card) are others since an operator corrected the log."""
        ...


def sight_of(table: Table, header: Header, reader: Reader, state: Callable[[], State]) -> Sight:
    """How the header's game is seen at a table; ``state`` tells how the game stands."""
    seats = Seats([player.seat_mm for player in table.players])
    if header.game == "solo":
        return PileSight(table, reader, seats, header, state)
    return LineSight(table, reader, seats)


class LineSight:
    """SOLOmino: a line of half cards."""

    def __init__(self, table: Table, reader: Reader, seats: Seats) -> None:
        self._watcher = Watcher(reader, table.plane, table.zones)
        self._placements = Placements(seats)
        self.resume = self._placements.resume
        self.restate = self._placements.restate

    @property
    def phase(self) -> Phase:
        """See `Sight.phase`."""
        return self._watcher.phase

    def see(self, frame: Frame) -> Iterator[Observation]:
        """See `Sight.see`."""
        for fact in self._watcher.see(frame):
            yield from self._placements.observe(fact)

    def provisional(self) -> Observation | None:
        """See `Sight.provisional`."""
        laid, arms = self._watcher.tentative, self._watcher.arms
        if laid is None:
            return None
        # The hand that laid it is often still on its way out.
        return self._placements.preview(laid, arms[0] if len(arms) == 1 else None)

    def marks(self, legal: bool | None, last_mm: Corners) -> tuple[Mark, ...]:
        """See `Sight.marks`."""
        line = self._watcher.line
        return () if line is None else line_marks(line, self._watcher.plane, legal, last_mm)

    def ends(self) -> tuple[str, ...] | None:
        """See `Sight.ends`."""
        line = self._watcher.line
        return None if line is None else (line.places[0].label, line.places[-1].label)


class PileSight:
    """SOLO: a discard pile of one-faced cards."""

    def __init__(
        self,
        table: Table,
        reader: Reader,
        seats: Seats,
        header: Header,
        state: Callable[[], State],
    ) -> None:
        self._labels = tuple(header.setup().deck or ())
        self._watcher = PileWatcher(reader, table.plane, table.zones)
        self._placements = SoloPlacements(seats, state, self._labels)

    @property
    def phase(self) -> Phase:
        """See `Sight.phase`."""
        return self._watcher.phase

    def see(self, frame: Frame) -> Iterator[Observation]:
        """See `Sight.see`."""
        for fact in self._watcher.see(frame):
            yield from self._placements.observe(fact)

    def provisional(self) -> Observation | None:
        """See `Sight.provisional`."""
        laid, arms = self._watcher.tentative, self._watcher.arms
        if laid is None:
            return None
        return self._placements.preview(laid, arms[0] if len(arms) == 1 else None)

    def marks(self, legal: bool | None, last_mm: Corners) -> tuple[Mark, ...]:
        """See `Sight.marks`."""
        pile = self._watcher.pile
        if pile is None or pile.lifted:
            return ()
        outline = outline_px(pile.top, self._watcher.plane, CARD_MM[1])
        label = Mark(outline, "end", written(pile.top, self._labels))
        if legal is True or not within(pile.top, last_mm):
            return (label,)
        return (Mark(outline, "illegal" if legal is False else "unsure"), label)

    def ends(self) -> tuple[str, ...] | None:
        """See `Sight.ends`."""
        pile = self._watcher.pile
        return None if pile is None or pile.lifted else (written(pile.top, self._labels),)

    def resume(self, ends: Sequence[str]) -> None:
        """See `Sight.resume`."""
        self._placements.resume(ends[0])

    def restate(self, before: Sequence[str], now: Sequence[str]) -> None:
        """See `Sight.restate`; what lies on top is told by name alone, so only the name counts."""
        del before
        if len(now) == 1 and "?" not in now[0]:
            self._placements.resume(now[0])


def line_marks(
    line: Line,
    plane: TablePlane,
    legal: bool | None = True,
    last_mm: Corners = (),
) -> tuple[Mark, ...]:
    """What to draw into the picture: the line, its ends, the cards beside it, and the last card
    where it is at fault.

    ``legal`` is the verdict on the last move, ``last_mm`` two corners of the rectangle in which
    its card lies.
    """
    marks: list[Mark] = []
    last = len(line.places) - 1
    for i, place in enumerate(line.places):
        outline = outline_px(place.half, plane, HALF_MM)
        at_fault = legal is not True and within(place.half, last_mm)
        if at_fault:
            text = "" if i in (0, last) else place.label
            marks.append(Mark(outline, "illegal" if legal is False else "unsure", text))
        if i in (0, last):
            marks.append(Mark(outline, "end", place.label))
        elif not at_fault:
            marks.append(Mark(outline, "line", place.label))
    marks += [
        Mark(outline_px(half, plane, HALF_MM), "line", half.label)
        for card in line.loose
        for half in card.halves
    ]
    return tuple(marks)


def outline_px(half: Half, plane: TablePlane, length_mm: float) -> Corners:
    """The four corners of a half, so long along its axis, in the camera's picture."""
    corners = np.array(outline_mm(half.x_mm, half.y_mm, half.axis_deg, length_mm))
    return tuple((float(x), float(y)) for x, y in plane.to_px(corners))


def within(half: Half, corners_mm: Corners) -> bool:
    """Whether a half's middle lies in a rectangle."""
    if not corners_mm:
        return False
    (x0, y0), (x1, y1) = corners_mm
    return x0 <= half.x_mm <= x1 and y0 <= half.y_mm <= y1
