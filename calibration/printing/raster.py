"""Drawings as pictures, for the reader's sake and for people who want to look first."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.printing.shapes import Drawing
from vision.facts import Image

_FINER: Final = 4
"""Each pixel is the mean of as many by as many: smooth edges."""
_SHIFT: Final = 4


def picture(drawing: Drawing, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """A drawing on white, ``size_mm`` wide and high."""
    scale = px_per_mm * _FINER
    width, height = (max(1, round(side * px_per_mm)) for side in size_mm)
    fine = np.full((height * _FINER, width * _FINER, 3), 255, np.uint8)
    for shape in drawing:
        points = (np.array(shape.path) * scale - 0.5) * 2**_SHIFT
        path = [np.round(points).astype(np.int32)]
        colour = _bgr(shape.colour)
        if shape.width_mm:
            thick = max(1, round(shape.width_mm * scale))
            cv2.polylines(fine, path, shape.closed, colour, thick, cv2.LINE_8, _SHIFT)
        else:
            cv2.fillPoly(fine, path, colour, cv2.LINE_8, _SHIFT)
    reduced = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.uint8)


def _bgr(colour: str) -> tuple[int, int, int]:
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)
