"""Parts of the picture that nobody may see: black before anything is shown, stored or read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.facts import Image

Outline = Sequence[tuple[float, float]]
"""Corners in pixels, three or more."""


def black_out(image: Image, outlines_px: Sequence[Outline]) -> None:
    """Make everything within the outlines black, their border included, in the picture itself.

    The picture is not copied: what was there must not be left anywhere.
    """
    for outline in outlines_px:
        corners = np.round(np.array(outline, dtype=np.float64)).astype(np.int32)
        cv2.fillPoly(image, [corners], (0, 0, 0))
        # A border drawn thick: compressed pictures smear what lies right beside it.
        cv2.polylines(image, [corners], True, (0, 0, 0), 3)
