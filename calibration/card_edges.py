"""The sides of an outline, moved to where the picture changes most.

Edges are traced around what stands out, and so a little outside of it: the softer the picture,
the farther. Along a side's whole length the change is sharp enough to be found exactly.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image

Floats = NDArray[np.float64]

_GAMMA: Final = 2.2
"""Grey levels to the light itself: there a blurred edge is steepest where it is, while in grey
levels white spreads."""
_MIDDLE_PART: Final = 0.64
"""Share of a side that is looked at: corners are round."""
_SAMPLES: Final = 24
_INWARDS: Final = 0.1
_OUTWARDS: Final = 0.03
"""How far a side may lie off its trace, in lengths of the short side."""
_STEPS: Final = 66
_SMOOTH_STEPS: Final = 2.0
_AS_STRONG: Final = 0.5
"""The outermost edge counts that is at least so strong as the strongest: within a rim the ground
begins, and shadows beside a card are soft."""


def on_edges(image: Image, outline_px: Floats) -> Floats:
    """An outline, (4, 2), clockwise, with each side where it is clearest, inside of it mostly."""
    short = float(min(np.hypot(*(outline_px[(i + 1) % 4] - outline_px[i])) for i in range(4)))
    offsets = np.linspace(-_INWARDS * short, _OUTWARDS * short, _STEPS)
    moved: list[tuple[Floats, Floats]] = []
    for i in range(4):
        start, step = outline_px[i], outline_px[(i + 1) % 4] - outline_px[i]
        along = step / np.hypot(*step)
        outwards = np.array([along[1], -along[0]])
        shift = offsets[_outermost(_strength(image, start, step, outwards, offsets))]
        moved.append((start + shift * outwards, along))
    corners = [meet(moved[i - 1], moved[i]) for i in range(4)]
    return np.array(corners, np.float64)


def _strength(
    image: Image, start: Floats, step: Floats, outwards: Floats, offsets: Floats
) -> Floats:
    """How much the light changes at each offset, on average along a side, (offsets,)."""
    rim = (1 - _MIDDLE_PART) / 2
    at = np.linspace(rim, 1 - rim, _SAMPLES)
    points = start + at[:, None, None] * step + offsets[None, :, None] * outwards
    pixels = points.astype(np.float32)
    strip = cv2.remap(
        image, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    profile = ((strip / 255.0) ** _GAMMA).mean(axis=0)
    profile = cv2.GaussianBlur(
        profile[None], (0, 0), _SMOOTH_STEPS, borderType=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.abs(np.gradient(profile[0], axis=0)).sum(axis=1), np.float64)


def _outermost(strength: Floats) -> int:
    """The place of the outermost clear edge."""
    inner = strength[1:-1]
    peaks = 1 + np.flatnonzero((inner >= strength[:-2]) & (inner >= strength[2:]))
    strong = peaks[strength[peaks] >= _AS_STRONG * strength.max()] if len(peaks) else peaks
    return int(strong[-1] if len(strong) else strength.argmax())


def meet(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Where two lines, a point and a direction each, cross; they must not be parallel."""
    (p, d), (q, e) = one, other
    t = np.linalg.solve(np.column_stack([d, -e]), q - p)[0]
    return np.asarray(p + t * d, np.float64)
