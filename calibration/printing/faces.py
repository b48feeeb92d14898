"""Cards of our own decks: 59 x 91 mm, white with inked panels, the halves' tops outward."""

from __future__ import annotations

from functools import cache
from math import hypot
from typing import Final

from calibration.printing.digits import height, sign
from calibration.printing.icons import DARK, INKS, badge, icon
from calibration.printing.shapes import Drawing, Shape, arc, box, coloured, moved, widened
from vision.facts import CARD_MM

PAPER: Final = "#ffffff"
RADIUS_MM: Final = 4.0
MARGIN_MM: Final = 3.2
"""White around the ink: a cut that is a millimetre off shows nowhere."""
_HALF_MM: Final = CARD_MM[1] / 2
_GLYPH_MM: Final = 25.0
_ICON_MM: Final = 24.0
_SMALL_MM: Final = 5.4
_OUTLINE_MM: Final = 0.75
_BACK_INK: Final = "#3b3f7a"
_BACK_PALE: Final = "#6c70b4"


@cache
def half(label: str) -> Drawing:
    """A half card such as ``r2``, 59 x 45.5 mm, its outer edge on top."""
    colour, face = label[0], label[1]
    wide = CARD_MM[0]
    panel = box(MARGIN_MM, MARGIN_MM, wide - MARGIN_MM, _HALF_MM - 0.6, (3.2, 3.2, 1.0, 1.0))
    middle = (wide / 2, (MARGIN_MM + _HALF_MM - 0.6) / 2)
    return (
        Shape(panel, INKS[colour]),
        *_outlined(moved(_glyph(face, "solomino"), *middle, scale=1.0)),
        *_corners(colour, face, "solomino", _HALF_MM - 0.6 + MARGIN_MM),
    )


@cache
def card(text: str) -> Drawing:
    """A card such as ``r2/b8``, or ``r5`` of one face, on white paper."""
    paper = Shape(box(0, 0, *CARD_MM), PAPER)
    if "/" not in text:
        return (paper, *_one_face(text))
    first, second = text.split("/")
    turned = moved(half(second), *CARD_MM, turn_deg=180)
    return (paper, *half(first), *turned)


def _one_face(label: str) -> Drawing:
    """A card with a single face, large in its middle."""
    colour, face = label[0], label[1]
    wide, tall = CARD_MM
    panel = box(MARGIN_MM, MARGIN_MM, wide - MARGIN_MM, tall - MARGIN_MM, 3.6)
    glyph = moved(_glyph(face, "solo"), wide / 2, tall / 2, scale=1.35)
    return (
        Shape(panel, INKS[colour]),
        *_outlined(glyph),
        *_corners(colour, face, "solo", tall),
    )


def _glyph(face: str, game: str) -> Drawing:
    """A face around the origin, in millimetres."""
    if not face.isdigit():
        return moved(icon(face, game=game), 0, 0, scale=_ICON_MM)
    # The bar belongs to the digit: both together are centred and as high as the others.
    tall = height(face)
    scale = _GLYPH_MM * (1.0 if tall < 1.25 else 0.9)
    lift = -(tall - 1.185) / 2 * scale
    return moved(sign(face), 0, lift, scale=scale)


def _outlined(drawing: Drawing) -> Drawing:
    return (*widened(drawing, _OUTLINE_MM, DARK), *drawing)


def _corners(colour: str, face: str, game: str, tall: float) -> Drawing:
    """The face small in two corners, the colour's shape in the two others."""
    edge = MARGIN_MM + 4.6
    small = moved(_small(face, game), edge, edge + 0.4)
    shape = moved(badge(colour), CARD_MM[0] - edge, edge, scale=_SMALL_MM)
    corners = (*small, *shape)
    return (*corners, *moved(corners, CARD_MM[0], tall, turn_deg=180))


def _small(face: str, game: str) -> Drawing:
    if face.isdigit():
        return moved(sign(face), 0, 0, scale=_SMALL_MM * 0.95)
    return moved(icon(face, game=game), 0, 0, scale=_SMALL_MM)


@cache
def back() -> Drawing:
    """The back of every card; turned on its head it looks the same."""
    wide, tall = CARD_MM
    inset = 5.0
    parts = [
        Shape(box(0, 0, wide, tall), PAPER),
        Shape(box(inset, inset, wide - inset, tall - inset, 3.0), _BACK_INK),
    ]
    step = (wide - 2 * inset) / 7
    columns, rows = 7, 11
    for i in range(columns):
        for j in range(rows):
            x = wide / 2 + (i - (columns - 1) / 2) * step
            y = tall / 2 + (j - (rows - 1) / 2) * (tall - 2 * inset) / rows
            if hypot(x - wide / 2, (y - tall / 2) * 0.62) > 15.5:
                parts.append(Shape(arc(x, y, 0.55 + 0.05 * abs(j - rows // 2), 0, 360), _BACK_PALE))
    emblem = _emblem()
    parts += moved(emblem, wide / 2, tall / 2)
    return tuple(parts)


def _emblem() -> Drawing:
    """The four colours with their shapes, and once more on their heads."""
    parts: list[Shape] = []
    for turn in (0.0, 180.0):
        for i, colour in enumerate("rygb"):
            x, y = -5.2 + 10.4 * (i % 2), -15.6 + 10.4 * (i // 2)
            tile = (
                Shape(box(-4.8, -4.8, 4.8, 4.8, 1.5), PAPER),
                Shape(box(-4.0, -4.0, 4.0, 4.0, 1.0), INKS[colour]),
                *moved(coloured(badge(colour), PAPER), 0, 0, scale=4.6),
            )
            parts += moved(moved(tile, x, y), 0, 0, turn_deg=turn)
    return tuple(parts)
