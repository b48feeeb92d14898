"""Which card a hand brought to the pile, or took away with it.

A card that is laid exactly onto one like it leaves the pile looking as if somebody had only
touched it. But on its way there, in the hand, both were to be seen.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import cv2

from vision.facts import Half
from vision.moments import Moment, Moments
from vision.same_half import AGREES, agreement

_OVER_MM: Final = 24.0
"""An arm so near to the top card's middle may be laying or taking."""
_APART_MM: Final = 20.0
"""A card nearer to the top card's middle may be the top card."""
_MOST_READINGS: Final = 5


class Carried(StrEnum):
    """What the last hand at the pile held."""

    NOBODY = "nobody"
    """No hand was there."""
    THERE = "there"
    """A card like the one on top, on its way to the pile and not on its way back."""
    AWAY = "away"
    """Such a card on its way back and not before."""
    UNSEEN = "unseen"
    """No such card was seen, or it was seen both times."""


class CarriedCards(Moments):
    """Looks back at what hands held before and after they were at the pile."""

    def like(self, top: Half) -> Carried:
        """What the last hand over ``top`` did with a card that reads like it."""
        spot = self._grid.near(top.x_mm, top.y_mm, _OVER_MM)
        moments = list(self._moments)
        over = [
            (i, number)
            for i, moment in enumerate(moments)
            for number, arm in moment.arms.items()
            if cv2.countNonZero(arm & spot)
        ]
        if not over:
            return Carried.NOBODY
        last, number = over[-1]
        first = min(i for i, arm in over if arm == number)
        # The newest moments of the way there, the oldest of the way back: near the pile a hand is
        # slow and all of its card is in the picture.
        came, went = moments[:first][: -_MOST_READINGS - 1 : -1], moments[last + 1 :]
        there = any(self._holds(moment, number, top) for moment in came)
        away = any(self._holds(moment, number, top) for moment in went[:_MOST_READINGS])
        if there == away:
            return Carried.UNSEEN
        return Carried.THERE if there else Carried.AWAY

    def _holds(self, moment: Moment, number: int, top: Half) -> bool:
        arm = moment.arms.get(number)
        if arm is None or not cv2.countNonZero(arm):
            return False
        found = self._reader.read(moment.frame.image, self.plane, self._grid.bounds_mm(arm))
        return any(
            (half.x_mm - top.x_mm) ** 2 + (half.y_mm - top.y_mm) ** 2 > _APART_MM**2
            and cv2.countNonZero(arm & self._grid.near(half.x_mm, half.y_mm, _OVER_MM))
            and float(agreement([top], [half])[0, 0]) >= AGREES
            for half in found
        )
