"""What watchers of either game have in common: when something was done, by whom, how far it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.activity import Activity, Look
from vision.facts import Half
from vision.grid import Grid, Mask
from vision.hands import Arm, Hands
from vision.plane import TablePlane

Stamp = tuple[float, float, Arm | None]
"""`Fact.at_s`, `Fact.reported_s` and `Fact.arm`."""

SURE: Final = 0.9
"""A reading this sure is told at once; others are read again."""
SAME_CARD_MM: Final = 30.0
"""Cards nearer to each other than this lie in the same place."""
AROUND_MM: Final = 75.0
"""What is read around a change: enough for the cards that it touches."""
SHIFT_MM: Final = 3.7
"""Each try to read a change cuts the table this much farther off, so that its errors are others."""
FIRST_S: Final = 0.3
CHECK_S: Final = 0.6
"""All is read once more when it has been quiet for this long after something happened; at first,
for `FIRST_S`."""
_ARM_MEMORY_S: Final = 4.0
_ARM_NEAR_MM: Final = 120.0
"""A quick arm may be seen beside what it did, though never over it."""
_LATE_S: Final = 15.0
_LIES_SHARE: Final = 0.6
_RIM_SHARE: Final = 0.08


class Phase(StrEnum):
    """What a watcher is doing, for people."""

    QUIET = "quiet"
    HANDS = "hands"
    CHECKING = "checking"
    OUT_OF_SYNC = "out of sync"


@dataclass(slots=True)
class Attempt:
    """A change that is being read."""

    since_s: float
    mask: Mask
    next_s: float
    readings: list[list[Half]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Witness:
    """Tells from the looks and arms so far when something was done, and by whom."""

    grid: Grid
    activity: Activity
    hands: Hands

    def stamp(self, x_mm: float, y_mm: float, look: Look, changed: Mask) -> Stamp:
        """When what changed near a place came to lie, and whose arm was there last."""
        spot = self.grid.near(x_mm, y_mm, SAME_CARD_MM) & changed
        if not cv2.countNonZero(spot):
            spot = changed
        since_s, arm = self._laid(spot, look)
        if arm is None:
            newest_s = look.at_s - _ARM_MEMORY_S
            around = self.grid.near(x_mm, y_mm, _ARM_NEAR_MM)
            arm = self.hands.who(spot, newest_s) or self.hands.who(around, newest_s)
        return since_s, look.at_s, arm

    def _laid(self, spot: Mask, look: Look) -> tuple[float, Arm | None]:
        """Since when a spot has looked as it does now, and the arm that was over it last before.

        Arms that have passed over it since then have done nothing there.
        """
        since_s, arm = look.at_s, None
        for at_s, alike in self.activity.as_now(spot, look, _LIES_SHARE):
            over = self.hands.over(spot, at_s)
            if over is not None and not alike:
                arm = arm or over
            elif alike:
                since_s, arm = at_s, None
            else:
                break
        return since_s, arm

    def late_stamp(self, x_mm: float, y_mm: float, look: Look) -> Stamp:
        """The same for what was noticed only later, when all was quiet."""
        spot = self.grid.near(x_mm, y_mm, SAME_CARD_MM)
        arm = self.hands.who(spot, look.at_s - _LATE_S)
        return look.at_s if arm is None else arm.left_s or arm.seen_s, look.at_s, arm


def is_off_the_rim(half: Half, plane: TablePlane) -> bool:
    """Whether a half lies clear of the picture's border, where players hold their cards: there
    nobody begins a line or a pile."""
    size = np.array(plane.image_size_px)
    at = plane.to_px(np.array([[half.x_mm, half.y_mm]]))[0] / size
    return bool((at > _RIM_SHARE).all() and (at < 1 - _RIM_SHARE).all())
