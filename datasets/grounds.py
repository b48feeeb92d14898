"""Grounds of a half card: what lies under the digit, and the colour the digit then has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM

Colour = tuple[float, float, float]
"""Blue, green, red, 0...255."""

TEXTURE_PX_PER_MM = 4
HALF_PX = (round(CARD_MM[1] / 2 * TEXTURE_PX_PER_MM), round(CARD_MM[0] * TEXTURE_PX_PER_MM))
"""Height and width of a half's texture."""


@dataclass(frozen=True, slots=True)
class Paint:
    """What an edition prints a half of one colour with."""

    ink: Colour
    pale: Colour
    """A second shade of the ink, for split and shaded grounds."""
    white: Colour
    glyph_white: bool
    """Whether the digit is light, where the ground leaves the choice."""
    seed: int
    """The edition's; sets what the ground leaves open."""


def rounded(
    mask: NDArray[np.uint8], x0: int, y0: int, x1: int, y1: int, radius: int, value: int
) -> None:
    """Fills a rectangle with rounded corners."""
    radius = max(0, min(radius, (x1 - x0) // 2, (y1 - y0) // 2))
    cv2.rectangle(mask, (x0 + radius, y0), (x1 - radius, y1), value, -1)
    cv2.rectangle(mask, (x0, y0 + radius), (x1, y1 - radius), value, -1)
    for cx in (x0 + radius, x1 - radius):
        for cy in (y0 + radius, y1 - radius):
            cv2.circle(mask, (cx, cy), radius, value, -1)


def blend(picture: NDArray[np.float32], cover: NDArray[np.floating], colour: Colour) -> None:
    picture += cover[..., None] * (np.array(colour, np.float32) - picture)


def _flat(colour: Colour) -> NDArray[np.float32]:
    return np.broadcast_to(np.array(colour, np.float32), (*HALF_PX, 3)).copy()


def _full(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    return _flat(p.ink), p.white if p.glyph_white else (28.0, 24.0, 24.0)


def _paper(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    return _flat(p.white), p.ink


def _framed(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    picture = _flat(p.white)
    height, width = HALF_PX
    inset, thick = int(height * 0.06), max(3, int(height * (0.03 + 0.05 * (p.seed % 7) / 6)))
    mask = np.zeros(HALF_PX, np.uint8)
    rounded(mask, inset, inset, width - inset, height - inset, height // 8, 255)
    inner = inset + thick
    rounded(mask, inner, inner, width - inner, height - inner, height // 10, 0)
    blend(picture, mask.astype(np.float32) / 255, p.ink)
    return picture, p.ink


def _oval(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    picture = _flat(p.ink)
    height, width = HALF_PX
    mask = np.zeros(HALF_PX, np.uint8)
    tilt = (p.seed % 5 - 2) * 14.0
    axes = (int(width * (0.3 + 0.03 * (p.seed % 4))), int(height * 0.42))
    cv2.ellipse(mask, (width // 2, height // 2), axes, tilt, 0, 360, 255, -1, cv2.LINE_AA)
    if p.seed % 3 == 0:  # a ring, the glyph on the p.ink
        inner = (int(axes[0] * 0.9), int(axes[1] * 0.9))
        cv2.ellipse(mask, (width // 2, height // 2), inner, tilt, 0, 360, 0, -1, cv2.LINE_AA)
        blend(picture, mask.astype(np.float32) / 255, p.white)
        return picture, p.white
    blend(picture, mask.astype(np.float32) / 255, p.white)
    return picture, p.ink if p.seed % 4 else (30.0, 26.0, 26.0)


def _panel(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    picture = _flat(p.ink)
    height, width = HALF_PX
    mask = np.zeros(HALF_PX, np.uint8)
    inset = int(height * (0.08 + 0.03 * (p.seed % 4)))
    side = inset if p.seed % 2 else width // 2 - height // 2 + inset
    rounded(mask, side, inset, width - side, height - inset, height // 6, 255)
    blend(picture, mask.astype(np.float32) / 255, p.white if p.seed % 3 else p.pale)
    return picture, p.ink if p.seed % 3 else p.white


def _split(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    picture = _flat(p.ink)
    height, width = HALF_PX
    mask = np.zeros(HALF_PX, np.uint8)
    lean = int(width * 0.1 * (p.seed % 5 - 2))
    corners = np.array(
        [[width // 2 + lean, 0], [width, 0], [width, height], [width // 2 - lean, height]]
    )
    cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    blend(picture, mask.astype(np.float32) / 255, p.pale)
    return picture, p.white if p.glyph_white else (28.0, 24.0, 24.0)


def _shaded(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    picture = _flat(p.ink)
    height, width = HALF_PX
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    if p.seed % 2:
        cover = np.clip(np.hypot(x / width - 0.5, y / height - 0.5) * 1.6, 0, 1)
    else:
        cover = y / height
    blend(picture, cover.astype(np.float32), p.pale)
    return picture, p.white if p.glyph_white else (28.0, 24.0, 24.0)


def _band(p: Paint) -> tuple[NDArray[np.float32], Colour]:
    picture = _flat(p.white)
    width = HALF_PX[1]
    thick = int(width * (0.12 + 0.03 * (p.seed % 4)))
    picture[:, :thick] = p.ink
    if p.seed % 2:
        picture[:, width - thick :] = p.ink
    return picture, p.ink


GROUNDS: dict[str, Callable[[Paint], tuple[NDArray[np.float32], Colour]]] = {
    "full": _full,
    "framed": _framed,
    "oval": _oval,
    "panel": _panel,
    "split": _split,
    "shaded": _shaded,
    "band": _band,
    "paper": _paper,
}
"""Each draws a half's ground and tells in which colour the face goes on it."""
