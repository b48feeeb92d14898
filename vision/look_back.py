"""What lay free for a moment before the next card covered it.

Two players who are quick lay two cards before either has lain still and free long enough to be
read. The later reading shows that a card lies below, not what it shows; but there may have been
a picture, or a few, in which no arm was over it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2

from vision.facts import Half, Reader
from vision.frames import Frame
from vision.grid import Grid, Mask
from vision.plane import TablePlane
from vision.same_half import CONTRADICTS, agreement

_EVERY_S: Final = 0.11
_REMEMBER_S: Final = 2.5
_MOST_BYTES: Final = 70e6
_HALF_MM: Final = 24.0
"""No arm may be nearer to the middle of the half than this."""
_SAME_PLACE_MM: Final = 12.0
_LEAST: Final = 0.5
"""A reading of one picture less sure than this is no better than none."""
_MOST_READINGS: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    frame: Frame
    arms: Mapping[int, Mask]
    """Where each arm was, by its number."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A half that was seen before it was covered."""

    half: Half
    since_s: float
    """Since when it lay there free."""
    arm: int | None
    """The number of the arm that was over it last before that."""


class LookBack:
    """The last pictures with arms over the table, as long as the camera stands still."""

    def __init__(self, reader: Reader, plane: TablePlane, grid: Grid) -> None:
        self._reader = reader
        self.plane = plane
        self._grid = grid
        self._moments: deque[_Moment] = deque()

    def keep(self, frame: Frame, arms: Mapping[int, Mask]) -> None:
        """Take in the next frame. Without arms nothing can come to be covered."""
        moments = self._moments
        while moments and (
            frame.at_s - moments[0].frame.at_s > _REMEMBER_S
            or len(moments) * frame.image.nbytes > _MOST_BYTES
        ):
            moments.popleft()
        if arms and (not moments or frame.at_s - moments[-1].frame.at_s >= _EVERY_S):
            moments.append(_Moment(frame, dict(arms)))

    def before(self, covering: Half | None, place: Half) -> Glimpse | None:
        """What lay at a place before the half that covers it now, or (None) the arm that is over
        it; None where nobody saw it."""
        spot = self._grid.near(place.x_mm, place.y_mm, _HALF_MM)
        seen: Half | None = None
        since_s = 0.0
        readings = 0
        for moment in reversed(self._moments):
            over = next((n for n, arm in moment.arms.items() if cv2.countNonZero(arm & spot)), None)
            if over is not None:
                if seen is not None:
                    return Glimpse(seen, since_s, over)
                continue
            if seen is None:
                if readings == _MOST_READINGS:
                    return None
                readings += 1
                seen = self._read(moment.frame, covering, place)
            if seen is not None:
                since_s = moment.frame.at_s
        return None if seen is None else Glimpse(seen, since_s, None)

    def _read(self, frame: Frame, covering: Half | None, place: Half) -> Half | None:
        around = _SAME_PLACE_MM
        region = (place.x_mm - around, place.y_mm - around,
                  place.x_mm + around, place.y_mm + around)  # fmt: skip
        found = [half for half in self._reader.read(frame.image, self.plane, region)
                 if half.confidence >= _LEAST
                 and (covering is None or _differs(half, covering))]  # fmt: skip
        return max(found, key=lambda half: half.confidence, default=None)


def _differs(one: Half, other: Half) -> bool:
    return bool(agreement([one], [other])[0, 0] <= CONTRADICTS)
