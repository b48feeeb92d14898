"""What an arm looks like: the colours of its skin and sleeve, by which arms are told apart.

Colours are counted, not named: bins of the CIE L*a*b* space, a little blurred, so that the same
sleeve under a slightly other light still falls into much the same bins. Cells are compared after
the light has been evened out (`vision.activity`), and the hand's front is left out: it may hold
a card.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.float32]
"""Shares of an arm's cells by `SHAPE`, adding up to 1: lightness, green to red, blue to yellow."""

SHAPE: Final = (8, 12, 12)
FRONT_MM: Final = 90.0
"""So far behind the farthest cell of an arm there may be a card in its hand."""
_LEAST_CELLS: Final = 120
"""Fewer tell no colours."""
_MOST_CELLS: Final = 800
"""So many, spread over the arm, tell as much as all."""
_HUE_BIN: Final = np.clip((np.arange(256) - 68) // 10, 0, SHAPE[1] - 1)
"""The bin of each value of the two hues, in OpenCV's 8-bit L*a*b*; what is more colourful than
print or cloth falls into the bins at the rim."""
_BLUR: Final = np.array([0.25, 0.5, 0.25], np.float32)


def arm_colours(cells: NDArray[np.uint8]) -> Colours | None:
    """The colours of an arm's cells, shape (n, 3), blue-green-red; None where there are too few."""
    if len(cells) < _LEAST_CELLS:
        return None
    cells = np.ascontiguousarray(cells[:: 1 + len(cells) // _MOST_CELLS])
    lab = cv2.cvtColor(cells[None], cv2.COLOR_BGR2LAB)[0]
    light, red, yellow = lab[:, 0] // (256 // SHAPE[0]), _HUE_BIN[lab[:, 1]], _HUE_BIN[lab[:, 2]]
    bins = (light.astype(np.intp) * SHAPE[1] + red) * SHAPE[2] + yellow
    counts = np.bincount(bins, minlength=int(np.prod(SHAPE))).reshape(SHAPE).astype(np.float32)
    for axis in range(counts.ndim):
        counts = _blurred(counts, axis)
    return np.asarray(counts / counts.sum(), np.float32)


def _blurred(counts: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """Counts spread to the neighbours along an axis; what would leave at the rim stays there."""
    rows = np.moveaxis(counts, axis, 0)
    before, after = np.concatenate([rows[:1], rows[:-1]]), np.concatenate([rows[1:], rows[-1:]])
    spread = _BLUR[0] * before + _BLUR[1] * rows + _BLUR[2] * after
    return np.asarray(np.moveaxis(spread, 0, axis), np.float32)
