"""Which changed parts of the table are ready to be read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.stage import PLANE
from vision.activity import Look, Part
from vision.grid import Grid, Mask
from vision.settled import parts

GRID = Grid(PLANE)
AT_S = 10.0
NOTHING = np.zeros(GRID.shape, np.uint8)


def box(x_mm: float, y_mm: float, wide_mm: float, high_mm: float) -> Mask:
    """The cells of an upright rectangle."""
    return GRID.inside((x_mm, y_mm), (wide_mm, high_mm)).astype(np.uint8) * 255


CARD = box(0.0, 0.0, 45.0, 59.0)
BESIDE = box(0.0, 60.0, 200.0, 50.0)
"""Six millimetres from the card."""


def look(still_s: float) -> Look:
    """A card has come to lie, still for so long."""
    picture = np.zeros((*GRID.shape, 3), np.uint8)
    x, y, wide, high = cv2.boundingRect(CARD)
    part = Part(CARD > 0, (x, y, wide, high), int(np.count_nonzero(CARD)))
    still_since_s = np.full(GRID.shape, AT_S - still_s, np.float32)
    return Look(AT_S, picture, picture, CARD, (part,), still_since_s, False)


@pytest.mark.parametrize(
    ("still_s", "arms", "at_rest", "ready"),
    [
        (0.1, NOTHING, NOTHING, False),
        (0.3, NOTHING, NOTHING, True),
        # Fingers may hold it still.
        (0.3, BESIDE, NOTHING, False),
        (3.0, BESIDE, NOTHING, False),
        # An elbow beside it may move it, but not what has not moved for long.
        (0.3, NOTHING, BESIDE, False),
        (1.2, NOTHING, BESIDE, True),
        (1.2, BESIDE, BESIDE, False),
    ],
)
def test_what_lies_still_and_free_is_ready(
    still_s: float, arms: Mask, at_rest: Mask, ready: bool
) -> None:
    found = parts(GRID, look(still_s), arms, at_rest)
    assert bool(cv2.countNonZero(found.ready)) is ready
    assert found.waiting is not ready
