"""How wide the cards are in the picture: their long sides, 59 mm apart, as edges.

Where the halves lie tells the scale along the cards but hardly across them, and hands lay
cards a few millimetres off. The two long sides of a card are exact; its print has further
edges within them, and what lies beside it too, so that all cards are asked together.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import Evidence
from vision.facts import CARD_MM, Half, Image
from vision.plane import TablePlane

Floats = NDArray[np.float64]

PX_PER_MM = 2.0
REACH_MM = 46.0
"""How far from the middle of a card its sides are looked for."""
ALONG_MM = 13.0
"""Half the length of side that is looked at: short of the neighbours' edges."""
WIDTHS_MM = np.arange(44.0, 78.0, 0.5)
SHIFTS_MM = np.arange(-4.0, 4.5, 0.5)
"""How far the middle of a half may be off."""
ENOUGH = 0.6
"""Of the strongest pair of edges: how strong the outermost must be to be the card's sides."""
SPREAD_MM = 1.0


def card_sides(image: Image, plane: TablePlane, halves: Sequence[Half]) -> Evidence:
    """A distance of 59 mm for each half whose two sides are found.

    ``plane`` may be off by some 15 %; ``halves`` are places in it.
    """
    found: list[tuple[Floats, Floats]] = []
    angle = np.array([h.axis_deg for h in halves])
    # What leans away is narrower in one direction: each direction has a width of its own.
    for group in (np.abs(angle - 90.0) < 45.0, np.abs(angle - 90.0) >= 45.0):
        members = [h for h, belongs in zip(halves, group, strict=True) if belongs]
        if members:
            found += _sides(image, plane, members)
    starts = np.array([a for a, _ in found]).reshape(-1, 2)
    stops = np.array([b for _, b in found]).reshape(-1, 2)
    nothing = np.zeros((0, 2, 2))
    return Evidence(
        plane.to_px(starts) if len(starts) else starts,
        plane.to_px(stops) if len(stops) else stops,
        np.full(len(found), CARD_MM[0]),
        np.full(len(found), SPREAD_MM),
        nothing,
        nothing,
    )


def _sides(image: Image, plane: TablePlane, halves: list[Half]) -> list[tuple[Floats, Floats]]:
    """Points on both long sides of each half, in millimetres."""
    profiles = [_profile(image, plane, half) for half in halves]
    pairs = np.array([_pairs(profile) for profile in profiles])  # halves x widths x shifts
    together = pairs.max(axis=2).mean(axis=0)
    peaks = [
        i
        for i in range(1, len(WIDTHS_MM) - 1)
        if together[i] >= max(together[i - 1], together[i + 1])
        and together[i] >= ENOUGH * together.max()
    ]
    if not peaks:
        return []
    width = peaks[-1]
    near = slice(max(0, width - 6), width + 7)  # 3 mm to either side
    sides: list[tuple[Floats, Floats]] = []
    for half, pair in zip(halves, pairs, strict=True):
        part = pair[near]
        best = np.unravel_index(int(part.argmax()), part.shape)
        if part[best] < 0.5 * together[width]:
            continue
        reach = float(WIDTHS_MM[near][best[0]]) / 2
        shift = float(SHIFTS_MM[best[1]])
        centre = np.array([half.x_mm, half.y_mm])
        across = _across(half)
        sides.append((centre + across * (shift - reach), centre + across * (shift + reach)))
    return sides


def _across(half: Half) -> Floats:
    angle = np.radians(half.axis_deg)
    return np.array([-np.sin(angle), np.cos(angle)])


def _profile(image: Image, plane: TablePlane, half: Half) -> Floats:
    """Strength of edges along the card, across it from -REACH_MM to REACH_MM."""
    across = _across(half)
    along = np.array([across[1], -across[0]])
    t = np.arange(-REACH_MM, REACH_MM + 0.25, 1 / PX_PER_MM)
    u = np.arange(-ALONG_MM, ALONG_MM + 0.25, 1 / PX_PER_MM)
    points = np.array([half.x_mm, half.y_mm]) + u[:, None, None] * along + t[None, :, None] * across
    pixels = plane.to_px(points.reshape(-1, 2)).reshape(len(u), len(t), 2).astype(np.float32)
    strip = cv2.remap(
        image, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mean = strip.astype(np.float64).mean(axis=0)
    mean = cv2.GaussianBlur(mean[None], (5, 1), 0.8)[0]
    edge = np.zeros(len(t))
    edge[1:-1] = np.abs(mean[2:] - mean[:-2]).sum(axis=1)
    # A print's strong edges must not outshout the sides of the card.
    return np.asarray(np.sqrt(edge / 6.0), dtype=np.float64)


def _pairs(profile: Floats) -> Floats:
    """Strength of two edges each width apart and each shift off, the weaker one of the two."""
    t = np.arange(len(profile)) / PX_PER_MM - REACH_MM
    left = SHIFTS_MM[None, :] - WIDTHS_MM[:, None] / 2
    right = SHIFTS_MM[None, :] + WIDTHS_MM[:, None] / 2
    return np.asarray(
        np.minimum(np.interp(left, t, profile), np.interp(right, t, profile)), dtype=np.float64
    )
