"""What of a changed part is an arm's, and which arm's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.grid import Mask, window_of

_FINGER: Final = np.ones((3, 3), np.uint8)
"""What is narrower than this, in cells, is no part of an arm."""


def without_strips(part: Mask) -> Mask:
    """A part without what is only one or two cells wide: where the camera has swayed, the edges
    of all things differ from the settled table, and hang on the arms that cross them."""
    window = window_of(part)
    opened = np.zeros_like(part)
    opened[window] = cv2.morphologyEx(
        part[window], cv2.MORPH_OPEN, _FINGER, borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    return opened


def nearest_share(part: Mask, before: Sequence[Mask]) -> list[Mask]:
    """Where arms run into each other, each cell goes to the arm that was nearest ``before``."""
    if len(before) == 1:
        return [part]
    away = np.stack([cv2.distanceTransform(cv2.bitwise_not(m), cv2.DIST_L2, 3) for m in before])
    nearest = away.argmin(axis=0)
    return [np.where(nearest == i, part, 0).astype(np.uint8) for i in range(len(before))]
