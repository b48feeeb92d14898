"""Which end of the line lies at the left: the overlay's ends stand as the camera sees them.

The rules know the ends as a pair without a place. Where each card came to lie stands beside it
in the record (`evidence.region_mm`), and x grows to the right of the picture, so the record
itself tells which end is which, for a live game and for one that is played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist

from referee.store import Record

Spot = tuple[float, float]
"""A place on the table in millimetres."""


def is_mirrored(log: Iterable[Record]) -> bool:
    """Whether the first of the newest ruling's two ends is the one at the right.

    Of a line that runs upwards, the upper end counts as the left one. False where the record
    does not say where cards lie.
    """
    line = _Ends()
    done: Record | None = None
    for record in log:
        match record.get("type"):
            case "ruling" if done is not None:
                line.follow(done, record.get("ends") or ())
                done = None
            case "ruling":
                pass  # a further ruling on the same observation: the ends are as they were
            case "deal":
                line, done = _Ends(), None
            case "start" | "place" | "take_back":
                done = record
    return line.is_mirrored()


class _Ends:
    """Where the card at each end lies, and those below it."""

    def __init__(self) -> None:
        self._labels: Sequence[str] = ()
        self._spots: tuple[list[Spot], list[Spot]] = ([], [])

    def follow(self, done: Record, labels: Sequence[str]) -> None:
        """Take in an observation and the ends that its ruling names."""
        before, self._labels = self._labels, labels
        if len(labels) != 2:
            return
        corners = (done.get("evidence") or {}).get("region_mm")
        if done["type"] == "start":
            self._spots = ([], []) if corners is None else _start(*corners)
        elif len(before) == 2:
            changed = [i for i in (0, 1) if before[i] != labels[i]]
            if done["type"] == "take_back":
                for i in changed:
                    if len(self._spots[i]) > 1:
                        self._spots[i].pop()
            elif corners is not None:
                x0, y0, x1, y1 = corners
                self._lay(done, before, changed, ((x0 + x1) / 2, (y0 + y1) / 2))

    def _lay(self, done: Record, before: Sequence[str], changed: list[int], spot: Spot) -> None:
        onto = [i for i in (0, 1) if before[i] == done.get("onto")]
        end = (changed or onto or [0])[0]
        # Two ends that read alike have one name: which of them was covered, the place tells.
        if before[0] == before[1] and all(self._spots):
            apart = [dist(self._spots[i][-1], spot) for i in (0, 1)]
            if apart[1 - end] < apart[end]:
                self._spots = (self._spots[1], self._spots[0])
        self._spots[end].append(spot)

    def is_mirrored(self) -> bool:
        first, last = self._spots
        if not first or not last:
            return False
        (x0, y0), (x1, y1) = first[-1], last[-1]
        return x0 > x1 if abs(x1 - x0) >= abs(y1 - y0) else y0 > y1


def _start(x0: float, y0: float, x1: float, y1: float) -> tuple[list[Spot], list[Spot]]:
    """The ends of a first card, which the record writes as one reads: left or upper half first."""
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    if x1 - x0 >= y1 - y0:
        return [(x0, y)], [(x1, y)]
    return [(x, y0)], [(x, y1)]
