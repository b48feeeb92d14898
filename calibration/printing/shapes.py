"""What drawings are made of: fills and strokes, in millimetres, y to the bottom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, pi, radians, sin
from typing import Final

Point = tuple[float, float]
Path = tuple[Point, ...]

_STEP_DEG: Final = 6.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled outline, or a stroke with round ends and corners where it has a width."""

    path: Path
    colour: str
    """``#rrggbb``"""
    width_mm: float = 0.0
    closed: bool = False
    """Whether a stroke ends where it began; fills always do."""


Drawing = tuple[Shape, ...]


def moved(
    drawing: Iterable[Shape], x_mm: float, y_mm: float, *, scale: float = 1.0, turn_deg: float = 0.0
) -> Drawing:
    """A drawing scaled and turned (clockwise) about the origin, then moved."""
    c, s = scale * cos(radians(turn_deg)), scale * sin(radians(turn_deg))
    return tuple(
        replace(
            shape,
            path=tuple((x_mm + c * x - s * y, y_mm + s * x + c * y) for x, y in shape.path),
            width_mm=shape.width_mm * scale,
        )
        for shape in drawing
    )


def coloured(drawing: Iterable[Shape], colour: str) -> Drawing:
    """A drawing all in one colour."""
    return tuple(replace(shape, colour=colour) for shape in drawing)


def widened(drawing: Iterable[Shape], by_mm: float, colour: str) -> Drawing:
    """What a drawing covers and ``by_mm`` around it: laid below, it is an outline."""
    return tuple(
        Shape(
            shape.path,
            colour,
            shape.width_mm + 2 * by_mm,
            closed=shape.closed or not shape.width_mm,
        )
        for shape in drawing
    ) + coloured((shape for shape in drawing if not shape.width_mm), colour)


def arc(x: float, y: float, radius: float, start_deg: float, stop_deg: float) -> Path:
    """A part of a circle; 0 degrees is to the right, 90 to the bottom."""
    steps = max(2, round(abs(stop_deg - start_deg) / _STEP_DEG))
    angles = (radians(start_deg + (stop_deg - start_deg) * i / steps) for i in range(steps + 1))
    return tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles)


def bend(start: Point, control: Point, stop: Point) -> Path:
    """A quadratic curve."""
    points = []
    for i in range(17):
        t = i / 16
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append(
            (
                a * start[0] + b * control[0] + c * stop[0],
                a * start[1] + b * control[1] + c * stop[1],
            )
        )
    return tuple(points)


def box(x0: float, y0: float, x1: float, y1: float, radii: float | Sequence[float] = 0.0) -> Path:
    """A rectangle with round corners; ``radii`` of all, or of each, clockwise from top left."""
    r = (float(radii),) * 4 if isinstance(radii, int | float) else tuple(radii)
    return (
        *arc(x0 + r[0], y0 + r[0], r[0], 180, 270),
        *arc(x1 - r[1], y0 + r[1], r[1], 270, 360),
        *arc(x1 - r[2], y1 - r[2], r[2], 0, 90),
        *arc(x0 + r[3], y1 - r[3], r[3], 90, 180),
    )


def arrow_head(tip: Point, towards_deg: float, size: float) -> Path:
    """A triangle whose point lies at ``tip``."""
    points = []
    for turn, far in ((0.0, 0.0), (152.0, 1.13), (-152.0, 1.13)):
        a = radians(towards_deg + turn)
        points.append((tip[0] + far * size * cos(a), tip[1] + far * size * sin(a)))
    return tuple(points)


def heading_deg(path: Path) -> float:
    """The direction in which a path ends."""
    (ax, ay), (bx, by) = path[-2], path[-1]
    return atan2(by - ay, bx - ax) * 180 / pi
