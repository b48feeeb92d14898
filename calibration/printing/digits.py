"""Digits as strokes: clear from either side of the table, 6 and 9 with a bar below."""

from __future__ import annotations

from typing import Final

from calibration.printing.shapes import Drawing, Path, Shape, arc, bend

INK: Final = "#ffffff"
STROKE: Final = 0.185
"""Width of the strokes, of a digit whose middle line is 1 high."""
_BAR: Final = 0.1

_LOOP: Path = (*arc(0, -0.2, 0.3, 180, 360), *arc(0, 0.2, 0.3, 0, 180), (-0.3, -0.2))
_SIX: Path = (*bend((0.17, -0.5), (-0.3, -0.32), (-0.3, 0.2)), *arc(0, 0.2, 0.3, 180, 540))

_PATHS: Final[dict[str, tuple[Path, ...]]] = {
    "0": (_LOOP,),
    "1": (((-0.22, -0.28), (0.04, -0.5), (0.04, 0.5)), ((-0.2, 0.5), (0.28, 0.5))),
    "2": ((*arc(0, -0.2, 0.3, 190, 390), (-0.3, 0.5), (0.31, 0.5)),),
    "3": ((*arc(0, -0.25, 0.25, 200, 450), *arc(0, 0.24, 0.26, -90, 160)),),
    "4": (((0.14, 0.5), (0.14, -0.5), (-0.33, 0.2), (0.34, 0.2)),),
    "5": (((0.27, -0.5), (-0.22, -0.5), (-0.25, -0.03), *arc(0, 0.2, 0.3, 236, 508)),),
    "6": (_SIX,),
    "7": (((-0.3, -0.5), (0.31, -0.5), (-0.06, 0.5)),),
    "8": (arc(0, -0.26, 0.235, 90, 450), arc(0, 0.235, 0.26, -90, 270)),
    "9": (tuple((-x, -y) for x, y in _SIX),),
    "?": ((*arc(0, -0.24, 0.26, 185, 405), (0.0, 0.08), (0.0, 0.16)), ((0.0, 0.47), (0.0, 0.48))),
    "+": (((-0.3, 0.0), (0.3, 0.0)), ((0.0, -0.3), (0.0, 0.3))),
}


def sign(text: str, *, bar: bool = True) -> Drawing:
    """One of the ten digits, ``?`` or ``+``, its middle line 1 high around the origin.

    ``bar`` draws the line below 6 and 9.
    """
    drawn = [Shape(path, INK, STROKE) for path in _PATHS[text]]
    if bar and text in "69":
        drawn.append(Shape(((-0.26, 0.78), (0.26, 0.78)), INK, _BAR))
    return tuple(drawn)


def height(text: str) -> float:
    """How high a sign is, strokes and bar included."""
    return (0.5 + 0.78 + (STROKE + _BAR) / 2) if text in "69" else 1.0 + STROKE
