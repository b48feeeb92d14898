"""What lay free for a moment before the next card covered it.

Two players who are quick lay two cards before either has lain still and free long enough to be
read. The later reading shows that a card lies below, not what it shows; but there may have been
a picture, or a few, in which no arm was over it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2

from vision.facts import Half
from vision.frames import Frame
from vision.moments import Moments
from vision.same_half import CONTRADICTS, agreement

_HALF_MM: Final = 24.0
"""No arm may be nearer to the middle of the half than this."""
_SAME_PLACE_MM: Final = 12.0
_LEAST: Final = 0.5
"""A reading of one picture less sure than this is no better than none."""
_MOST_READINGS: Final = 6


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A half that was seen before it was covered."""

    half: Half
    since_s: float
    """Since when it lay there free."""
    arm: int | None
    """The number of the arm that was over it last before that."""


class LookBack(Moments):
    """Reads halves in the last pictures with arms over the table."""

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
