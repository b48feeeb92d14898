"""Whether an outline is a card's or that of the coloured ground within its white rim.

Edges are traced where they are strongest. On a white table that is where the ground ends, not
the card, which is larger by a seventh. Outside of a ground runs the rim: as white as what is
printed in white on the card, and beyond it lies something else.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM, Image

_PX_PER_MM: Final = 2.0
_AROUND_MM: Final = 19.0
_RIM_MM: Final = (1.2, 3.3)
"""Where outside of the outline the rim is looked at, of some 4 mm that it is wide."""
_BEYOND_MM: Final = (6.0, 8.5)
_MIDDLE_PART: Final = 0.6
"""Share of a side that is looked at: corners are round."""
_AS_WHITE: Final = 0.75
"""Least brightness of the rim's darkest colour, of that of what is printed in white."""
_PRINTED_WHITE: Final = 95.0
"""Percentile of the ground's darkest colour that its print in white reaches."""
_EDGE: Final = 6.0
"""Difference in colour across the rim's outer edge, of 255, on most sides; on white paper it is
little more than the card's shadow."""
_EDGE_AT_LEAST: Final = 4.0


def has_rim_outside(image: Image, outline_px: NDArray[np.float64]) -> bool:
    """Whether a white rim runs around an outline, (4, 2), clockwise, a short side first."""
    width, height = (round(side * _PX_PER_MM) for side in CARD_MM)
    around = round(_AROUND_MM * _PX_PER_MM)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + around
    to_view = cv2.getPerspectiveTransform(outline_px.astype(np.float32), corners)
    size = (width + 2 * around, height + 2 * around)
    view = np.asarray(
        cv2.warpPerspective(image, to_view, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    ground = view[around : around + height, around : around + width].min(axis=2)
    white = float(np.percentile(ground, _PRINTED_WHITE))
    rim, beyond = _strips(view, around, _RIM_MM), _strips(view, around, _BEYOND_MM)
    edges = np.linalg.norm(rim - beyond, axis=1)
    return bool(
        rim.min() >= _AS_WHITE * white
        and edges.min() >= _EDGE_AT_LEAST
        and float(np.median(edges)) >= _EDGE
    )


def _strips(view: Image, around: int, range_mm: tuple[float, float]) -> NDArray[np.float64]:
    """The usual colour of a strip along each side, at these distances outside, (4, 3)."""
    near, far = (round(mm * _PX_PER_MM) for mm in range_mm)
    strips = []
    for turned in (np.rot90(view, k) for k in range(4)):  # each side in turn on top
        inside = turned.shape[1] - 2 * around
        skipped = around + round(inside * (1 - _MIDDLE_PART) / 2)
        strip = turned[around - far : around - near, skipped : turned.shape[1] - skipped]
        strips.append(np.median(strip.reshape(-1, 3), axis=0))
    return np.array(strips, np.float64)
