"""Icons of the actions, drawn anew after the words of the rules.

Skip is a prohibition sign, change of direction a U-turn, draw a card with a plus, swap two cards
and a double arrow, pass around a hand of cards in a ring of arrows, call a question mark; wild
is a square of four colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin
from typing import Final

from calibration.printing.digits import INK, sign
from calibration.printing.shapes import (
    Drawing,
    Path,
    Shape,
    arc,
    arrow_head,
    box,
    coloured,
    heading_deg,
    moved,
    widened,
)

DARK: Final = "#1d1f26"
_STROKE: Final = 0.15
INKS: Final[Mapping[str, str]] = {
    "r": "#d7263d",
    "y": "#f6b90e",
    "g": "#159a55",
    "b": "#1c63c8",
    "k": "#22242b",
    "n": "#80848c",
}
"""The decks' inks: red, yellow, green and blue that differ in lightness as well, black, grey."""


def icon(face: str, *, game: str = "solomino") -> Drawing:
    """An action's drawing, about 1.2 high around the origin, white with dark gaps."""
    drawn = _DRAWN[face]
    if game == "solo" and face == "D":
        return _plus("2")
    return drawn


def _arrow(path: Path, size: float, *, both: bool = False, width: float = _STROKE) -> Drawing:
    """A stroke with a head whose point lies beyond its end."""
    drawn = [Shape(path, INK, width)]
    ends = [(path[-1], heading_deg(path))]
    if both:
        ends.append((path[0], heading_deg(path[::-1])))
    for (x, y), deg in ends:
        tip = (x + 0.8 * size * cos(radians(deg)), y + 0.8 * size * sin(radians(deg)))
        drawn.append(Shape(arrow_head(tip, deg, size), INK))
    return tuple(drawn)


def _card(x: float, y: float, turn_deg: float, tall: float) -> Drawing:
    """A card in white with a dark rim, so that it parts from what lies below."""
    wide = tall * 0.65
    face = (Shape(box(-wide / 2, -tall / 2, wide / 2, tall / 2, 0.09 * tall), INK),)
    return moved((*widened(face, 0.03, DARK), *face), x, y, turn_deg=turn_deg)


def _skip() -> Drawing:
    reach = 0.5 * 0.72
    return (
        Shape(arc(0, 0, 0.5, 0, 360), INK, _STROKE, closed=True),
        Shape(((-reach, -reach), (reach, reach)), INK, _STROKE),
    )


def _direction() -> Drawing:
    path: Path = ((-0.3, 0.55), (-0.3, -0.18), *arc(0, -0.2, 0.3, 180, 360), (0.3, 0.18))
    return _arrow(path, 0.34, width=0.17)


def _draw() -> Drawing:
    card = (Shape(box(-0.41, -0.6, 0.41, 0.6, 0.1), INK),)
    return (*card, *coloured(moved(sign("+"), 0, 0, scale=0.85), DARK))


def _swap() -> Drawing:
    return (
        *_card(-0.3, -0.16, -9, 0.76),
        *_card(0.3, -0.16, 9, 0.76),
        *_arrow(((-0.26, 0.48), (0.26, 0.48)), 0.24, both=True, width=0.12),
    )


def _pass() -> Drawing:
    ring: list[Shape] = []
    for start in (-75.0, 45.0, 165.0):
        ring += _arrow(arc(0, 0, 0.57, start, start + 76), 0.2, width=0.1)
    hand = [shape for turn in (-20, 0, 20) for shape in _fan_card(turn)]
    return (*ring, *hand)


def _fan_card(turn_deg: float) -> Drawing:
    lean = radians(turn_deg)
    return _card(0.42 * sin(lean), 0.22 - 0.3 * cos(lean), turn_deg, 0.5)


def _plus(number: str) -> Drawing:
    return (*moved(sign("+"), -0.36, 0.03, scale=0.66), *moved(sign(number), 0.25, 0, scale=0.84))


def _quarters(side: float) -> Drawing:
    """A square of the four colours with a white rim."""
    half = side / 2
    corners = {"r": (-half, -half), "y": (0, -half), "g": (-half, 0), "b": (0, 0)}
    rim = 0.05
    parts = [Shape(box(-half - rim, -half - rim, half + rim, half + rim, 0.12), INK)]
    for i, (colour, (x, y)) in enumerate(corners.items()):
        radii = [0.0] * 4
        radii[(0, 1, 3, 2)[i]] = 0.08
        parts.append(Shape(box(x, y, x + half, y + half, radii), INKS[colour]))
    return tuple(parts)


def _wild_four() -> Drawing:
    return (*moved(_quarters(0.56), 0, -0.34), *moved(_plus("4"), 0.02, 0.34, scale=0.62))


_DRAWN: Final[dict[str, Drawing]] = {
    "S": _skip(),
    "R": _direction(),
    "D": _draw(),
    "X": _swap(),
    "P": _pass(),
    "C": moved(sign("?"), 0, 0, scale=1.1),
    "W": _quarters(1.0),
    "F": _wild_four(),
}


def badge(colour: str) -> Drawing:
    """The shape that stands for a colour, so that it can be told without seeing colours.

    A triangle is red, a star yellow, a square green, a disc blue: no two differ by a turn only.
    """
    shapes: dict[str, Path] = {
        "r": tuple((0.56 * cos(radians(a)), 0.1 + 0.56 * sin(radians(a))) for a in (-90, 30, 150)),
        "y": tuple(
            ((0.58, 0.25)[i % 2] * cos(radians(-90 + 36 * i)),
             0.04 + (0.58, 0.25)[i % 2] * sin(radians(-90 + 36 * i)))
            for i in range(10)
        ),
        "g": box(-0.42, -0.42, 0.42, 0.42, 0.04),
        "b": arc(0, 0, 0.47, 0, 360),
    }  # fmt: skip
    return (Shape(shapes[colour], INK),) if colour in shapes else ()
