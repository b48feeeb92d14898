"""Finds where the sides of a card run, to a fraction of a millimetre: a third small network.

Where a card ends is not where the picture changes most: prints have frames, shadows lie beside
cards, and light that is brighter than white spreads over their edges. The network looks at strips
around two opposite sides at once, since prints have equal margins and another card seldom peeps out
at both, and tells where the card ends at either, and how sure that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.facts import Image
from vision.plane import TablePlane
from vision.rectify import cut_view
from vision.weights import load_network

SIDES_FILE = "sides.onnx"
STRIP_PX_PER_MM = 2.0
STRIP_SIZE_PX = (64, 80)
"""Width and height of a strip: from within the card to beside it, along the side."""
ALONG_MM = 14.0
"""How far from a side's middle, to both ends, its place is told."""
_PAIRS_AT_ONCE = 32

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Side:
    """Where a side of a card is thought to be."""

    middle_mm: tuple[float, float]
    outwards_deg: float
    """Direction away from the card, square to the side, clockwise from +x."""


SidePair = tuple[Side, Side]
"""Two opposite sides of a card."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundSides:
    """Where n pairs of opposite sides are, each side told at two places."""

    points_mm: Floats
    """Shape (n, 2, 2, 2): pair, side, place, coordinate. The places are `ALONG_MM` to the left of
    the middle, for somebody in the card who looks outwards, and as far to the right."""
    unsure_mm: Floats
    """By how much each point is off square to its side, the mean to be expected, (n, 2, 2)."""


class SideFinder:
    """The network that tells where cards end. Deterministic; not for several threads."""

    def __init__(self, session: ort.InferenceSession) -> None:
        self._session = session

    @classmethod
    def load(cls, folder: Path, threads: int = 1) -> SideFinder:
        """The weights of a folder; raises `WeightsError` where they are missing or broken."""
        return cls(load_network(folder / SIDES_FILE, threads))

    def find(self, image: Image, plane: TablePlane, pairs: Sequence[SidePair]) -> FoundSides:
        """Where each side is, if it lies within some 8 mm of where it is thought to be."""
        if not pairs:
            return FoundSides(np.zeros((0, 2, 2, 2)), np.zeros((0, 2, 2)))
        sides = [side for pair in pairs for side in pair]
        strips = np.stack(
            [
                cut_view(
                    image, plane, side.middle_mm, side.outwards_deg, STRIP_SIZE_PX, STRIP_PX_PER_MM
                )
                for side in sides
            ]
        )
        at_once = 2 * _PAIRS_AT_ONCE
        told = [
            self._session.run(None, {"strips": strips[i : i + at_once]})
            for i in range(0, len(strips), at_once)
        ]
        offsets, unsure = (
            np.concatenate(part).astype(np.float64) for part in zip(*told, strict=True)
        )
        angle = np.radians([side.outwards_deg for side in sides])
        outwards = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        along = np.stack([-outwards[:, 1], outwards[:, 0]], axis=1)
        middle = np.array([side.middle_mm for side in sides])
        places = np.array([-ALONG_MM, ALONG_MM])
        points = (
            middle[:, None]
            + offsets[:, :, None] * outwards[:, None]
            + places[None, :, None] * along[:, None]
        )
        return FoundSides(points.reshape(-1, 2, 2, 2), unsure.reshape(-1, 2, 2))
