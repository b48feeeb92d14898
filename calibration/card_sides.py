"""How large the cards are in the picture: their long and short sides, as edges.

Where the halves lie tells the scale along the cards but hardly across them, and hands lay
cards a few millimetres off. The sides of a card are exact, 59 and 91 mm apart. But its print
has further edges within them, and what lies below and beside it too; so all cards are asked
together how wide they are, before each is measured.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import Evidence
from vision.facts import CARD_MM, Half, Image
from vision.line import LooseCard
from vision.plane import TablePlane

Floats = NDArray[np.float64]

STEP_MM = 0.5
WIDTHS_MM = np.arange(44.0, 78.0, STEP_MM)
LENGTHS_MM = np.arange(76.0, 99.0, STEP_MM)
SHIFTS_MM = np.arange(-4.0, 4.5, STEP_MM)
"""How far the middle of a half may be off."""
BESIDE_JOINT_MM = 13.0
"""How far from a half's middle its long sides are looked at: short of the neighbours' edges."""
ACROSS_MM = 20.0
"""The same for the short sides of a whole card."""
ENOUGH = 0.75
"""Of the strongest pair of edges: how strong the outermost must be to be the cards' sides."""
STRONG = 0.6
"""Of the strongest pair of edges of one card: how strong its own sides must be."""
FLANK = 4
"""From half the height of the flank to the peak, in steps of `WIDTHS_MM`."""
SPREAD_MM = 1.0
LEAST_INSET_MM = 5.0
"""Cards that look shorter than 91 mm by this are seen by a frame printed within their sides."""


def card_widths(image: Image, plane: TablePlane, halves: Sequence[Half]) -> Evidence:
    """A distance of 59 mm for each half whose two sides are found.

    ``plane`` may be off by some 15 %; ``halves`` are places in it.
    """
    found: list[tuple[Floats, Floats]] = []
    angle = np.array([h.axis_deg for h in halves])
    # What leans away is narrower in one direction: each direction has a width of its own.
    for group in (np.abs(angle - 90.0) < 45.0, np.abs(angle - 90.0) >= 45.0):
        members = [h for h, belongs in zip(halves, group, strict=True) if belongs]
        if members:
            found += _widths(image, plane, members)
    return _distances(plane, found, CARD_MM[0])


def card_lengths(image: Image, plane: TablePlane, cards: Sequence[LooseCard]) -> Evidence:
    """A distance of 91 mm for each whole card whose two short sides are found.

    ``plane`` may be off by some 5 %.
    """
    found: list[tuple[Floats, Floats]] = []
    for card in cards:
        first, second = (np.array([h.x_mm, h.y_mm]) for h in card.halves)
        centre, axis = (first + second) / 2, second - first
        axis = axis / np.hypot(*axis)
        pairs = _pairs(_profile(image, plane, centre, axis, 55.0, ACROSS_MM), LENGTHS_MM)
        strength = pairs.max(axis=1)
        peaks = _peaks(strength, STRONG * float(strength.max()))
        if peaks:
            best = max(peaks, key=lambda i: float(strength[i]))
            found.append(_ends(centre, axis, LENGTHS_MM[best], pairs[best]))
    return _distances(plane, found, CARD_MM[1])


def printed_inset_mm(plane: TablePlane, lengths: Evidence, links: Evidence) -> float:
    """By how much what was taken for the cards' sides is smaller than the cards.

    Pale cards on a pale table show the frame of their print rather than their sides. The frame
    runs as far from the long sides as from the short ones, and how long the cards should look
    the distances of neighbours (``links``) tell; so it shows in their length.
    """
    if len(lengths.length_mm) < 2:
        return 0.0
    scale = np.median(_lengths(plane, links)) / np.median(links.length_mm)
    insets = CARD_MM[1] - _lengths(plane, lengths) / scale
    inset = float(np.median(insets))
    agreeing = int((np.abs(insets - inset) < 3.0).sum())
    return inset if inset > LEAST_INSET_MM and agreeing >= 2 else 0.0


def _lengths(plane: TablePlane, evidence: Evidence) -> Floats:
    step = plane.to_mm(evidence.to_px) - plane.to_mm(evidence.from_px)
    return np.asarray(np.hypot(step[:, 0], step[:, 1]), dtype=np.float64)


def _distances(plane: TablePlane, found: list[tuple[Floats, Floats]], length_mm: float) -> Evidence:
    starts = np.array([a for a, _ in found]).reshape(-1, 2)
    stops = np.array([b for _, b in found]).reshape(-1, 2)
    nothing = np.zeros((0, 2, 2))
    return Evidence(
        plane.to_px(starts) if found else starts,
        plane.to_px(stops) if found else stops,
        np.full(len(found), length_mm),
        np.full(len(found), SPREAD_MM),
        nothing,
        nothing,
    )


def _widths(image: Image, plane: TablePlane, halves: list[Half]) -> list[tuple[Floats, Floats]]:
    """Points on both long sides of each half, in millimetres."""
    pairs = np.array(
        [
            _pairs(_profile(image, plane, _centre(h), _across(h), 46.0, BESIDE_JOINT_MM), WIDTHS_MM)
            for h in halves
        ]
    )  # halves x widths x shifts
    strength = pairs.max(axis=2)
    together = strength.mean(axis=0)
    width = _common_width(together)
    near = slice(max(0, width - 7), width + 8)  # 3.5 mm to either side
    sides: list[tuple[Floats, Floats]] = []
    for half, pair, alone in zip(halves, pairs[:, near], strength[:, near], strict=True):
        # Cards below peep out beyond the sides of the upper one, never within them.
        peaks = _peaks(alone, STRONG * float(alone.max()))
        if peaks and alone[peaks[0]] >= 0.4 * together[width]:
            wide = WIDTHS_MM[near][peaks[0]]
            sides.append(_ends(_centre(half), _across(half), wide, pair[peaks[0]]))
    return sides


def _common_width(together: Floats) -> int:
    """Index of the width of cards that most profiles agree on."""
    peaks = _peaks(together, ENOUGH * float(together.max()))
    outermost = peaks[-1] if peaks else int(together.argmax())
    # The peak is drawn outwards by what peeps out from below; its inner flank is not.
    level = (float(together[outermost]) + float(np.median(together))) / 2
    flank = outermost
    while flank > 0 and together[flank] > level:
        flank -= 1
    return min(flank + FLANK, outermost)


def _peaks(strength: Floats, least: float) -> list[int]:
    return [
        i
        for i in range(1, len(strength) - 1)
        if strength[i] >= max(strength[i - 1], strength[i + 1]) and strength[i] >= least
    ]


def _centre(half: Half) -> Floats:
    return np.array([half.x_mm, half.y_mm])


def _across(half: Half) -> Floats:
    angle = np.radians(half.axis_deg)
    return np.array([-np.sin(angle), np.cos(angle)])


def _ends(
    centre: Floats, direction: Floats, length_mm: float, by_shift: Floats
) -> tuple[Floats, Floats]:
    shift = float(SHIFTS_MM[int(by_shift.argmax())])
    return (
        centre + direction * (shift - length_mm / 2),
        centre + direction * (shift + length_mm / 2),
    )


def _profile(
    image: Image,
    plane: TablePlane,
    centre: Floats,
    direction: Floats,
    reach_mm: float,
    breadth_mm: float,
) -> Floats:
    """Strength of edges at right angles to a direction, from -reach to reach along it."""
    beside = np.array([direction[1], -direction[0]])
    t = np.arange(-reach_mm, reach_mm + STEP_MM / 2, STEP_MM)
    u = np.arange(-breadth_mm, breadth_mm + STEP_MM / 2, STEP_MM)
    points = centre + u[:, None, None] * beside + t[None, :, None] * direction
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


def _pairs(profile: Floats, lengths_mm: Floats) -> Floats:
    """Strength of two edges each length apart and each shift off: of the weaker one of them."""
    t = (np.arange(len(profile)) - (len(profile) - 1) / 2) * STEP_MM
    left = SHIFTS_MM[None, :] - lengths_mm[:, None] / 2
    right = SHIFTS_MM[None, :] + lengths_mm[:, None] / 2
    return np.asarray(
        np.minimum(np.interp(left, t, profile), np.interp(right, t, profile)), dtype=np.float64
    )
