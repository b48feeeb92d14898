"""The sides of the cards in a picture: pairs of them that are exactly 59 or 91 mm apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM, Half, Image
from vision.line import LooseCard
from vision.plane import TablePlane
from vision.sides import Side, SideFinder, SidePair

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SidePairs:
    """n pairs of opposite sides of cards."""

    points_px: Floats
    """For each pair two points on one side and two on the other, side by side, shape (n, 2, 2, 2):
    pair, side, place, coordinate."""
    length_mm: Floats
    """How far apart the sides are, 59 or 91, shape (n,)."""
    unsure_mm: Floats
    """By how much their distance at each of the two places is off, about, shape (n, 2)."""

    def joined(self, other: SidePairs) -> SidePairs:
        """Both together."""
        return SidePairs(
            np.concatenate([self.points_px, other.points_px]),
            np.concatenate([self.length_mm, other.length_mm]),
            np.concatenate([self.unsure_mm, other.unsure_mm]),
        )


_Thing = tuple[SidePair, float]
"""Two opposite sides, and how far they are apart in millimetres."""
NO_PAIRS = SidePairs(np.zeros((0, 2, 2, 2)), np.zeros(0), np.zeros((0, 2)))


def side_pairs(
    image: Image,
    plane: TablePlane,
    finder: SideFinder,
    halves: Sequence[Half],
    cards: Sequence[LooseCard],
) -> SidePairs:
    """Both long sides of each half, both short sides of each whole card.

    ``halves`` and ``cards`` lie where ``plane`` has them.
    """
    things = [_long_sides(half) for half in halves] + [_short_sides(card) for card in cards]
    return _found(image, plane, finder, things)


def whole_card_pairs(
    image: Image, plane: TablePlane, finder: SideFinder, faces: Sequence[Half]
) -> SidePairs:
    """All sides of one-faced cards, whose ``faces`` lie in their middle as ``plane`` has them."""
    things: list[_Thing] = []
    for face in faces:
        middle = np.array([face.x_mm, face.y_mm])
        things.append(_pair(middle, face.axis_deg + 90.0, CARD_MM[0]))
        things.append(_pair(middle, face.axis_deg, CARD_MM[1]))
    return _found(image, plane, finder, things)


def _found(
    image: Image, plane: TablePlane, finder: SideFinder, things: Sequence[_Thing]
) -> SidePairs:
    if not things:
        return NO_PAIRS
    found = finder.find(image, plane, [pair for pair, _ in things])
    points, unsure = found.points_mm.copy(), found.unsure_mm.copy()
    # Each side is told as seen from within the card: turned round, places lie side by side.
    points[:, 1] = points[:, 1, ::-1]
    unsure[:, 1] = unsure[:, 1, ::-1]
    return SidePairs(
        plane.to_px(points.reshape(-1, 2)).reshape(points.shape),
        np.array([length for _, length in things]),
        np.hypot(unsure[:, 0], unsure[:, 1]),
    )


def _long_sides(half: Half) -> _Thing:
    return _pair(np.array([half.x_mm, half.y_mm]), half.axis_deg + 90.0, CARD_MM[0])


def _short_sides(card: LooseCard) -> _Thing:
    first, second = (np.array([h.x_mm, h.y_mm]) for h in card.halves)
    step = second - first
    return _pair((first + second) / 2, float(np.degrees(np.arctan2(step[1], step[0]))), CARD_MM[1])


def _pair(middle: Floats, across_deg: float, length: float) -> _Thing:
    angle = np.radians(across_deg)
    out = length / 2 * np.array([np.cos(angle), np.sin(angle)])
    one, other = middle + out, middle - out
    return (
        Side((float(one[0]), float(one[1])), across_deg),
        Side((float(other[0]), float(other[1])), across_deg + 180.0),
    ), length
