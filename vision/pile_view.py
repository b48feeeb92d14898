"""How the pile looked before and how it looks now, compared piece by piece.

Both views are cut from the camera's picture at a fixed scale around one point of the table; the
light of the one is evened out to that of the other, so that a lamp or the camera's exposure
does not count as a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM, Half, Image
from vision.plane import TablePlane
from vision.rectify import cut_view

_PX_PER_MM: Final = 1.0
_SIDE_PX: Final = 300
_RIM_MM: Final = 2.0
"""Outlines are known this well: what is nearer to one may belong to either side."""
_LEAST_MM2: Final = 60.0
"""Smaller pieces tell nothing."""
_EDGE: Final = 14.0
"""Steepness, in grey levels a pixel, from which a pixel belongs to an edge or a drawing: plain
ground tells nothing, for the next card's may be of the same colour."""
_LEAST_STEP: Final = 18.0
"""Grey levels from which a pixel has changed, noise and codec aside."""
_NOISE_FACTOR: Final = 5.0

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PileView:
    """The surroundings of a point of the table, 300 x 300 mm."""

    centre_mm: tuple[float, float]
    picture: Image

    @staticmethod
    def cut(image: Image, plane: TablePlane, centre_mm: tuple[float, float]) -> PileView:
        """The view in a camera picture."""
        view = cut_view(image, plane, centre_mm, 0.0, (_SIDE_PX, _SIDE_PX), _PX_PER_MM)
        return PileView(centre_mm, np.asarray(cv2.GaussianBlur(view, (0, 0), 1.0), np.uint8))

    def since(self, before: PileView) -> Comparison:
        """What has changed; both views must be of the same point."""
        if self.centre_mm != before.centre_mm:
            raise ValueError(
                f"expected a view of {before.centre_mm}, found one of {self.centre_mm}"
            )
        changed = _changed(before.picture, self.picture)
        return Comparison(self.centre_mm, changed, _drawn(before.picture))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Which pixels of a view have changed."""

    centre_mm: tuple[float, float]
    changed: Mask
    drawn: Mask
    """Which pixels had edges or drawings before."""

    def rest(self, old: Half, new: Half) -> float | None:
        """Of the card at the first place, its edges included, the part that the second leaves
        free: the share of what was drawn there that looks as before. None where that part is
        too small or out of view."""
        free = self._outline(old, _RIM_MM) & ~self._outline(new, _RIM_MM)
        return self._share(free & self.drawn)

    def untouched(self, card: Half) -> float | None:
        """The share of a whole card's place that looks as before; None where out of view."""
        return self._share(self._outline(card, -_RIM_MM))

    def redrawn(self, card: Half) -> float:
        """Of what was drawn in a card's place, its edges included, the share that looks
        otherwise; 0 where that is too little to tell."""
        alike = self._share(self._outline(card, _RIM_MM) & self.drawn)
        return 0.0 if alike is None else 1.0 - alike

    def _share(self, part: Mask) -> float | None:
        count = int(np.count_nonzero(part))
        if count < _LEAST_MM2 * _PX_PER_MM**2:
            return None
        return 1.0 - float(np.count_nonzero(self.changed & part)) / count

    def _outline(self, card: Half, grow_mm: float) -> Mask:
        a = np.radians(card.axis_deg)
        along = np.array([np.cos(a), np.sin(a)]) * (CARD_MM[1] / 2 + grow_mm)
        across = np.array([-np.sin(a), np.cos(a)]) * (CARD_MM[0] / 2 + grow_mm)
        middle = np.array([card.x_mm, card.y_mm]) - self.centre_mm
        corners = np.array([middle - along - across, middle + along - across,
                            middle + along + across, middle - along + across])  # fmt: skip
        pixels = np.round(corners * _PX_PER_MM + (_SIDE_PX - 1) / 2).astype(np.int32)
        mask = np.zeros(self.changed.shape, np.uint8)
        cv2.fillConvexPoly(mask, pixels, 1)
        return np.asarray(mask > 0)


def _drawn(picture: Image) -> Mask:
    steep = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(steep.max(axis=2) > _EDGE)


def _changed(before: Image, now: Image) -> Mask:
    seen = (before.max(axis=2) > 0) & (now.max(axis=2) > 0)
    if not seen.any():
        return np.zeros(before.shape[:2], np.bool_)
    ratio = (before[seen].astype(np.float32) + 4) / (now[seen].astype(np.float32) + 4)
    gain = np.clip(np.median(ratio, axis=0), 0.6, 1.6)
    apart = np.abs(now.astype(np.float32) * gain - before).max(axis=2)
    step = max(_LEAST_STEP, _NOISE_FACTOR * float(np.median(apart[seen])))
    return np.asarray((apart > step) & seen)
