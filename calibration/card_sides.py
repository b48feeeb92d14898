"""The sides of cards in the picture, to a fraction of a pixel: pairs of edges that may be them.

The sides of a card are exact, 59 and 91 mm apart. But its print has further edges within them,
and what lies below and beside it too. So every half is given a few pairs of parallel edges, and
which of them are its sides is left to be decided by all cards together (`card_evidence`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM, Half, Image
from vision.line import LooseCard
from vision.plane import TablePlane

Floats = NDArray[np.float64]

STEP_MM = 0.25
SLOPES = np.tan(np.radians(np.arange(-6.0, 6.1, 0.5)))
"""How an edge may be turned against what the reader says of its card."""
SMOOTH_MM = 0.5
GAMMA = 2.2
"""Grey levels to the light itself: there a blurred edge is steepest where it is, while in grey levels
white spreads."""
ALONG_MM = np.arange(-16.0, 16.1, 2.0)
"""Where along a half its long sides are looked at: short of the neighbours' edges."""
ACROSS_MM = np.arange(-20.0, 20.1, 2.0)
"""The same for the short sides of a whole card."""
KEPT = 4
"""Edges that are kept at each side, the strongest."""
PARALLEL_DEG = 2.6
WITHIN_MM = (1.2, 9.0)
"""A pair is a print's, not a card's, where another one lies so much farther out around it."""
CENTRED_MM = 0.8
"""How far from a half's middle the middle of its sides is found, about."""


@dataclass(frozen=True, slots=True, eq=False)
class SidePairs:
    """n pairs of edges that may be opposite sides of a card."""

    points_px: Floats
    """For each pair two points on one edge, two on the other, side by side, and the middle of
    what they may be sides of, shape (n, 5, 2)."""
    length_mm: Floats
    """How far apart they are if they are the card's sides: 59 or 91, shape (n,)."""
    likely: Floats
    """How clear they are and how far out, 0...1, shape (n,)."""
    owner: NDArray[np.intp]
    """Which pairs are of the same half or card: at most one of them is right, shape (n,)."""
    owners: int

    def joined(self, other: SidePairs) -> SidePairs:
        """Both together."""
        return SidePairs(
            np.concatenate([self.points_px, other.points_px]),
            np.concatenate([self.length_mm, other.length_mm]),
            np.concatenate([self.likely, other.likely]),
            np.concatenate([self.owner, other.owner + self.owners]),
            self.owners + other.owners,
        )


NO_PAIRS = SidePairs(np.zeros((0, 5, 2)), np.zeros(0), np.zeros(0), np.zeros(0, np.intp), 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Thing:
    """Something with two parallel sides."""

    middle: Floats
    axis: Floats
    """Unit vector along the sides."""
    along_mm: Floats
    """Where along the sides to look."""
    apart_mm: float


def side_pairs(
    image: Image,
    plane: TablePlane,
    halves: Sequence[Half],
    cards: Sequence[LooseCard],
    reach_mm: float,
) -> SidePairs:
    """Pairs of edges near both long sides of each half and both short sides of each whole card.

    ``halves`` and ``cards`` lie where ``plane`` has them; sides are looked for up to
    ``reach_mm`` from where they should be by it.
    """
    things = [_long_sides(half) for half in halves] + [_short_sides(card) for card in cards]
    found = NO_PAIRS
    for thing in things:
        found = found.joined(_pairs(image, plane, thing, reach_mm))
    return found


def _long_sides(half: Half) -> _Thing:
    angle = np.radians(half.axis_deg)
    axis = np.array([np.cos(angle), np.sin(angle)])
    return _Thing(np.array([half.x_mm, half.y_mm]), axis, ALONG_MM, CARD_MM[0])


def _short_sides(card: LooseCard) -> _Thing:
    first, second = (np.array([h.x_mm, h.y_mm]) for h in card.halves)
    along = (second - first) / np.hypot(*(second - first))
    axis = np.array([-along[1], along[0]])
    return _Thing((first + second) / 2, axis, ACROSS_MM, CARD_MM[1])


def _pairs(image: Image, plane: TablePlane, thing: _Thing, reach_mm: float) -> SidePairs:
    beside = np.array([-thing.axis[1], thing.axis[0]])
    left, right = (_edges(image, plane, thing, sign, reach_mm) for sign in (-1.0, 1.0))
    strongest = max((strength for _, _, strength in left + right), default=1.0)
    points, likely, apart, off = [], [], [], []
    ends = thing.along_mm[[0, -1]]
    for one in left:
        for other in right:
            turn = np.degrees(np.arctan(other[1]) - np.arctan(one[1]))
            if abs(turn) > PARALLEL_DEG:
                continue
            at = [
                thing.middle + s * thing.axis + (offset + slope * s) * beside
                for offset, slope, _ in (one, other)
                for s in ends
            ]
            points.append([*at, thing.middle])
            likely.append(np.sqrt(min(one[2], other[2]) / max(strongest, 1e-9)))
            apart.append(other[0] - one[0])
            off.append((other[0] + one[0]) / 2)
    if not points:
        return replace(NO_PAIRS, owners=1)
    flat = np.array(points).reshape(-1, 2)
    return SidePairs(
        plane.to_px(flat).reshape(-1, 5, 2),
        np.full(len(points), thing.apart_mm),
        _outermost(np.array(likely), np.array(apart), np.array(off)),
        np.zeros(len(points), np.intp),
        1,
    )


def _outermost(likely: Floats, apart_mm: Floats, off_mm: Floats) -> Floats:
    """Frames printed on a card lie within its sides, as far from one as from the other: a pair
    that has a clear and centred one around it is hardly the card's. What peeps out from below
    a card does so at one side, and is not centred."""
    wider = apart_mm[None, :] - apart_mm[:, None]
    around = (wider > WITHIN_MM[0]) & (wider < WITHIN_MM[1])
    clear = np.minimum(likely[None, :] / np.maximum(likely[:, None], 1e-9), 1.0)
    centred = np.exp(-((off_mm / CENTRED_MM) ** 2) / 2)[None, :]
    hidden = np.where(around, clear * centred, 0.0).max(axis=1)
    return np.asarray(likely * (1.0 - 0.9 * hidden), np.float64)


def _edges(
    image: Image, plane: TablePlane, thing: _Thing, sign: float, reach_mm: float
) -> list[tuple[float, float, float]]:
    """Edges at one side: how far from the middle, their slope against the axis, strength."""
    sway = float(np.abs(thing.along_mm).max() * np.abs(SLOPES).max())
    rim = sway + 1.5
    t = np.arange(-reach_mm - rim, reach_mm + rim + STEP_MM / 2, STEP_MM)
    beside = np.array([-thing.axis[1], thing.axis[0]])
    at = sign * thing.apart_mm / 2 + t
    points = thing.middle + (
        thing.along_mm[:, None, None] * thing.axis + at[None, :, None] * beside
    )
    pixels = plane.to_px(points.reshape(-1, 2)).reshape(*points.shape).astype(np.float32)
    strip = cv2.remap(
        image, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    strip = 255.0 * (strip / 255.0) ** GAMMA
    smooth = cv2.getGaussianKernel(9, SMOOTH_MM / STEP_MM)
    strip = np.asarray(cv2.sepFilter2D(strip, -1, smooth, np.ones((1, 1))), np.float32)
    rise = np.zeros_like(strip)
    rise[:, 1:-1] = (strip[:, 2:] - strip[:, :-2]) / (2 * STEP_MM)
    first, count = round(rim / STEP_MM), round(2 * reach_mm / STEP_MM) + 1
    strength = np.empty((len(SLOPES), count))
    for i, slope in enumerate(SLOPES):
        shifts = np.round(thing.along_mm * slope / STEP_MM).astype(int) + first
        # With their signs: what rises here and falls there is a pattern, no edge.
        mean = np.mean([row[s : s + count] for row, s in zip(rise, shifts, strict=True)], axis=0)
        strength[i] = np.abs(mean).sum(axis=1)
    top, best = strength.max(axis=0), strength.argmax(axis=0)
    found = []
    for i in range(1, count - 1):
        before, here, after = top[i - 1 : i + 2]
        if here >= before and here > after:
            part = (before - after) / (2 * (before - 2 * here + after) - 1e-9)
            offset = sign * thing.apart_mm / 2 + (i + part) * STEP_MM - reach_mm
            found.append((float(offset), float(SLOPES[best[i]]), float(here)))
    return sorted(found, key=lambda edge: -edge[2])[:KEPT]
