"""Which changed parts of the table lie still and free, ready to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.activity import Look, Part
from vision.grid import Grid, Mask

SETTLE_S: Final = 0.2
"""What has not moved for this long lies still."""
WAIT_FOR_REST_S: Final = 0.5
"""How long a part that lies still waits for others that do not yet."""
CLEAR_MM: Final = 12.0
"""An arm nearer than this may still hold the card."""
SPECK_MM2: Final = 120.0
"""Smaller changes are no cards; a card moved by 3 mm changes more."""
BESIDE_REST_S: Final = 1.0
"""What an elbow moves moves with it; what lies still beside it for so long lies by itself."""
SHALLOW_S: Final = 1.5
RESTING_S: Final = 8.0
"""Something that comes in over the border and lies still for this long (1.5 s if it hardly
reaches in) is furniture until it moves: an elbow, a chair."""
SHALLOW_MM: Final = 120.0
UNCOVERED_S: Final = 0.5
_HOLE_RATIO: Final = 1.5
_NEARLY_ALL: Final = 0.98


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The changed parts of one look that are no arms."""

    ready: Mask
    """Still and free."""
    waiting: bool
    """Some part is not ready yet."""
    specks: Mask
    """Too small to be of interest; still."""
    resting: Mask
    """Parts at the border that have become furniture."""
    uncovered: Mask
    """Parts at the border where something has gone that was taken for the table."""


def parts(grid: Grid, look: Look, arms: Mask, at_rest: Mask) -> Parts:
    """Sort the changed parts of a look; ``arms`` is where hands are (`Hands.mask`), ``at_rest``
    where something rests on the table (`Activity.resting`)."""
    ready = np.zeros(grid.shape, np.uint8)
    specks = np.zeros(grid.shape, np.uint8)
    resting = np.zeros(grid.shape, np.uint8)
    uncovered = np.zeros(grid.shape, np.uint8)
    waiting = False
    if not look.parts:
        return Parts(ready, waiting, specks, resting, uncovered)
    size = 2 * grid.cells(CLEAR_MM) + 1
    around = np.ones((size, size), np.uint8)
    near_arms, near_rest = cv2.dilate(arms, around), cv2.dilate(at_rest, around)
    hidden = arms | at_rest
    rows, columns = grid.shape
    for part in look.parts:
        left, top, wide, high = part.box
        inside, area = part.inside, part.area
        still_s = _still_s(part, look)
        if left <= 1 or top <= 1 or left + wide >= columns - 1 or top + high >= rows - 1:
            reach_mm = _reach_mm(grid, left, top, wide, high)
            if still_s >= UNCOVERED_S and _is_hole(inside, look):
                uncovered[inside] = 255
            elif still_s >= (SHALLOW_S if reach_mm < SHALLOW_MM else RESTING_S):
                resting[inside] = 255
            continue
        if area * grid.mm_per_cell**2 < SPECK_MM2:
            if still_s >= SETTLE_S:
                specks[inside] = 255
        elif (
            still_s >= SETTLE_S
            and not part.of(near_arms).any()
            and (still_s >= BESIDE_REST_S or not part.of(near_rest).any())
        ):
            ready[inside] = 255
        elif not part.of(hidden).all():
            waiting = True
    return Parts(ready, waiting, specks, resting, uncovered)


def _still_s(part: Part, look: Look) -> float:
    """For how long nearly all of a part has not moved."""
    since_s = part.of(look.still_since_s)
    nearly_all = int(_NEARLY_ALL * (len(since_s) - 1))
    return look.at_s - float(np.partition(since_s, nearly_all)[nearly_all])


def _reach_mm(grid: Grid, left: int, top: int, wide: int, high: int) -> float:
    """How far a part at the border reaches into the picture."""
    rows, columns = grid.shape
    depths = [
        depth
        for touches, depth in (
            (left <= 1, left + wide),
            (top <= 1, top + high),
            (left + wide >= columns - 1, columns - left),
            (top + high >= rows - 1, rows - top),
        )
        if touches
    ]
    return min(depths) * grid.mm_per_cell


def _is_hole(inside: NDArray[np.bool_], look: Look) -> bool:
    """Whether a part's outline is an edge in the settled table rather than in the frame: an
    arm that lay there when the recording began has gone."""
    part = inside.astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    rim = cv2.dilate(part, kernel) - cv2.erode(part, kernel)
    rim[[0, -1]] = 0
    rim[:, [0, -1]] = 0
    edges = []
    for image in (look.table, look.small):
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        steepness = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, kernel)
        edges.append(float(cv2.mean(steepness, rim)[0]) + 1.0)
    return edges[0] > _HOLE_RATIO * edges[1]


def same_part(one: Mask, other: Mask) -> bool:
    """Whether two masks are about the same part of the table."""
    both = cv2.countNonZero(cv2.bitwise_and(one, other))
    return both > 0.7 * max(cv2.countNonZero(one), cv2.countNonZero(other))


def grown(mask: Mask) -> Mask:
    """The mask and a rim around it."""
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), dtype=np.uint8)
