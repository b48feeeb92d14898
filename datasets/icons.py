"""Drawings of the six action icons, several of each, with free proportions.

What an icon shows follows the words of the German review of the game (prohibition sign,
U-turn arrows, plus, hand of cards with an arrow, hand of cards with arrows, question mark);
how it looks is invented anew for every edition.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.fonts import text_mask

Mask = NDArray[np.uint8]
"""Coverage 0...255, shape (height, width)."""

_SIZE = 256  # icons are drawn at this size and reduced afterwards


class _Pen:
    """Draws strokes and shapes into a square mask, in units of its half side (-1...1)."""

    def __init__(self, stroke: float) -> None:
        self.mask: Mask = np.zeros((_SIZE, _SIZE), np.uint8)
        self.stroke = stroke

    def _px(self, points: list[tuple[float, float]]) -> NDArray[np.int32]:
        return np.round((np.array(points) + 1) * (_SIZE / 2)).astype(np.int32)

    def _width(self, factor: float = 1.0) -> int:
        return max(2, int(self.stroke * factor * _SIZE / 2))

    def line(self, points: list[tuple[float, float]], value: int = 255, factor: float = 1) -> None:
        width = self._width(factor)
        cv2.polylines(self.mask, [self._px(points)], False, value, width, cv2.LINE_AA)

    def fill(self, points: list[tuple[float, float]], value: int = 255) -> None:
        cv2.fillPoly(self.mask, [self._px(points)], value, cv2.LINE_AA)

    def outline(self, points: list[tuple[float, float]], factor: float = 1.0) -> None:
        width = self._width(factor)
        cv2.polylines(self.mask, [self._px(points)], True, 255, width, cv2.LINE_AA)

    def arc(
        self, radius: float, start_deg: float, end_deg: float,
        centre: tuple[float, float] = (0, 0), squash: float = 1.0,
    ) -> list[tuple[float, float]]:  # fmt: skip
        angles = np.radians(np.linspace(start_deg, end_deg, 40))
        points = [
            (centre[0] + radius * float(np.cos(a)), centre[1] + squash * radius * float(np.sin(a)))
            for a in angles
        ]
        self.line(points)
        return points

    def head(self, tip: tuple[float, float], direction: tuple[float, float], size: float) -> None:
        """A filled arrow head whose point lies a little beyond ``tip``."""
        d = np.array(direction) / max(1e-6, float(np.hypot(*direction)))
        n = np.array([-d[1], d[0]])
        t = np.array(tip)
        corners = [t + d * size, t - n * size * 0.85, t + n * size * 0.85]
        self.fill([(float(c[0]), float(c[1])) for c in corners])

    def arrow(self, points: list[tuple[float, float]], size: float, both: bool = False) -> None:
        self.line(points)
        (ax, ay), (bx, by) = points[-2], points[-1]
        self.head(points[-1], (bx - ax, by - ay), size)
        if both:
            (ax, ay), (bx, by) = points[1], points[0]
            self.head(points[0], (bx - ax, by - ay), size)


def _card(
    centre: tuple[float, float], half_height: float, tilt_deg: float, round_share: float = 0.0
) -> list[tuple[float, float]]:
    a = np.radians(tilt_deg)
    rotation = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    half_width = half_height * 0.66
    corners = [
        (-half_width, -half_height), (half_width, -half_height),
        (half_width, half_height), (-half_width, half_height),
    ]  # fmt: skip
    if round_share:
        corners = _with_round_corners(corners, round_share * half_width)
    turned = np.array(corners) @ rotation.T + centre
    return [(float(x), float(y)) for x, y in turned]


def _with_round_corners(
    corners: list[tuple[float, float]], radius: float
) -> list[tuple[float, float]]:
    """A rectangle's corners, each replaced by a quarter of a circle."""
    rounded: list[tuple[float, float]] = []
    for (x, y), start_deg in zip(corners, (180, 270, 0, 90), strict=True):
        centre = (x - np.sign(x) * radius, y - np.sign(y) * radius)
        rounded.extend(
            (float(centre[0] + radius * np.cos(a)), float(centre[1] + radius * np.sin(a)))
            for a in np.radians(np.linspace(start_deg, start_deg + 90, 6))
        )
    return rounded


def _fan(pen: _Pen, rng: np.random.Generator, centre: tuple[float, float], size: float) -> None:
    """A hand of cards: two or three cards fanned out, filled or in outline."""
    count = int(rng.integers(1, 4))
    filled = rng.random() < 0.55
    spread = float(rng.uniform(12, 28))
    soft = float(rng.choice([0, 0.3, 0.6]))
    for i in range(count):
        tilt = (i - (count - 1) / 2) * spread
        middle = (centre[0] + size * 0.45 * (i - (count - 1) / 2), centre[1])
        card = _card(middle, size, tilt, soft)
        if filled:
            if i:  # a gap parts it from the card below
                gap = pen._width(0.8)
                cv2.polylines(pen.mask, [pen._px(card)], True, 0, gap, cv2.LINE_AA)
            pen.fill(card)
        else:
            pen.fill(card, 0)
            pen.outline(card, 0.7)


def _palm(pen: _Pen, rng: np.random.Generator, centre: tuple[float, float], size: float) -> None:
    """A hand proper: a palm with four fingers and a thumb."""
    x, y = centre
    palm = [
        (x - 0.5 * size, y), (x + 0.5 * size, y),
        (x + 0.42 * size, y + 0.9 * size), (x - 0.42 * size, y + 0.9 * size),
    ]  # fmt: skip
    pen.fill(palm)
    for i in range(4):
        base = x + (i - 1.5) * 0.3 * size
        lift = (0.75, 0.95, 0.9, 0.65)[i] * float(rng.uniform(0.9, 1.1))
        finger = [(base, y + 0.1), (base + (i - 1.5) * 0.05 * size, y - lift * size)]
        cv2.polylines(
            pen.mask, [pen._px(finger)], False, 255, int(0.21 * size * _SIZE / 2), cv2.LINE_AA
        )
    thumb = [(x - 0.4 * size, y + 0.5 * size), (x - 0.85 * size, y + 0.05 * size)]
    cv2.polylines(pen.mask, [pen._px(thumb)], False, 255, int(0.24 * size * _SIZE / 2), cv2.LINE_AA)


def _hand(pen: _Pen, rng: np.random.Generator, centre: tuple[float, float], size: float) -> None:
    if rng.random() < 0.75:
        _fan(pen, rng, centre, size)
    else:
        _palm(pen, rng, centre, size * 0.9)


def _skip(pen: _Pen, rng: np.random.Generator, _font: str) -> None:
    radius = float(rng.uniform(0.7, 0.85))
    pen.arc(radius, 0, 360)
    kind = rng.random()
    angle = np.radians(float(rng.choice([45.0, -45.0, 35.0, 55.0])))
    reach = radius * 0.98
    bar = [
        (-reach * float(np.cos(angle)), -reach * float(np.sin(angle))),
        (reach * float(np.cos(angle)), reach * float(np.sin(angle))),
    ]
    if kind < 0.72:
        pen.line(bar)
    elif kind < 0.86:  # a no-entry sign: a filled disc with a level bar left free
        cv2.circle(pen.mask, (_SIZE // 2, _SIZE // 2), int(radius * _SIZE / 2), 255, -1)
        pen.line([(-0.42, 0), (0.42, 0)], 0, 1.3)
    else:  # a crossed-out circle
        pen.line(bar)
        pen.line([(x, -y) for x, y in bar])


def _direction(pen: _Pen, rng: np.random.Generator, _font: str) -> None:
    kind = rng.random()
    size = float(rng.uniform(0.24, 0.36))
    if kind < 0.35:  # a U-turn
        x = float(rng.uniform(0.3, 0.45))
        top = float(rng.uniform(-0.5, -0.25))
        pen.arc(x, 180, 360, (0, top))
        pen.line([(-x, top), (-x, float(rng.uniform(0.5, 0.75)))])
        pen.arrow([(x, top), (x, float(rng.uniform(0.15, 0.4)))], size)
        if rng.random() < 0.5:
            pen.mask = np.ascontiguousarray(pen.mask[:, ::-1])
    elif kind < 0.6:  # two arrows side by side, up and down
        gap = float(rng.uniform(0.28, 0.42))
        pen.arrow([(-gap, 0.65), (-gap, -0.4)], size)
        pen.arrow([(gap, -0.65), (gap, 0.4)], size)
    elif kind < 0.85:  # two bent arrows that chase each other
        radius = float(rng.uniform(0.55, 0.68))
        gap_deg = float(rng.uniform(25, 45))
        flip = rng.random() < 0.5
        for turn in (0, 180):
            points = pen.arc(radius, turn + gap_deg, turn + 180 - gap_deg * 0.2)
            (ax, ay), (bx, by) = points[-3], points[-1]
            pen.head((bx, by), (bx - ax, by - ay), size)
        if flip:
            pen.mask = np.ascontiguousarray(pen.mask[:, ::-1])
    else:  # two hooks, each bent back
        gap = float(rng.uniform(0.2, 0.32))
        pen.arrow([(0.6, -gap - 0.3), (0.6, -gap), (-0.35, -gap)], size)
        pen.arrow([(-0.6, gap + 0.3), (-0.6, gap), (0.35, gap)], size)
    if rng.random() < 0.4:
        _turn(pen, float(rng.choice([45.0, -45.0, 90.0])))


def _draw(pen: _Pen, rng: np.random.Generator, font: str) -> None:
    kind = rng.random()
    if kind < 0.38:
        _text(pen, "+1", font, float(rng.uniform(1.0, 1.3)))
    elif kind < 0.6:
        arm = float(rng.uniform(0.5, 0.72))
        pen.line([(-arm, 0), (arm, 0)], factor=1.5)
        pen.line([(0, -arm), (0, arm)], factor=1.5)
    elif kind < 0.9:  # a card that bears a plus
        card = _card((0, 0), float(rng.uniform(0.75, 0.92)), float(rng.choice([0, 0, 8, -12])),
                     float(rng.uniform(0, 0.7)))  # fmt: skip
        value = 0 if rng.random() < 0.6 else 255
        if value:
            pen.outline(card, 0.8)
        else:
            pen.fill(card)
        arm = float(rng.uniform(0.22, 0.4))
        pen.line([(-arm, 0), (arm, 0)], value)
        pen.line([(0, -arm), (0, arm)], value)
    else:  # a plus beside a card
        pen.fill(_card((0.4, 0.05), 0.6, float(rng.uniform(0, 15)), float(rng.uniform(0, 0.5))))
        pen.line([(-0.85, 0), (-0.2, 0)])
        pen.line([(-0.52, -0.33), (-0.52, 0.33)])


def _swap(pen: _Pen, rng: np.random.Generator, _font: str) -> None:
    kind = rng.random()
    size = float(rng.uniform(0.16, 0.26))
    if kind < 0.32:  # a hand above or below a double arrow
        side = float(rng.choice([-1.0, 1.0]))
        _hand(pen, rng, (0, side * 0.32), float(rng.uniform(0.36, 0.46)))
        pen.arrow([(-0.5, -side * 0.6), (0.5, -side * 0.6)], size, both=True)
    elif kind < 0.54:  # two hands with a double arrow between or below
        y = float(rng.choice([0.0, -0.25]))
        for side in (-1, 1):
            _held(pen, rng, (side * 0.55, y), float(rng.uniform(0.38, 0.5)), side * 10)
        level = 0.62 if y else 0.0
        reach = 0.5 if y else 0.16
        pen.arrow([(-reach, level), (reach, level)], size * (1 if y else 0.7), both=True)
    elif kind < 0.8:  # two hands aslant, an arrow each way
        slant = float(rng.choice([-1.0, 1.0]))
        drop = float(rng.uniform(0.05, 0.2))
        for sign in (-1, 1):
            centre = (sign * 0.45, slant * sign * 0.42)
            _held(pen, rng, centre, float(rng.uniform(0.28, 0.4)), 15)
            tail, tip = (-sign * 0.05, slant * sign * 0.5), (-sign * 0.65, slant * sign * 0.5)
            pen.arrow([tail, (tip[0], tip[1] - slant * sign * drop)], size)
    else:  # two hands side by side, bent arrows above and below
        height = float(rng.uniform(0.24, 0.34))
        for side in (-1, 1):
            _held(pen, rng, (side * 0.58, 0), height, side * float(rng.uniform(0, 14)))
        for turn, y in ((0, -0.22), (180, 0.22)):
            points = pen.arc(0.48, turn + 205, turn + 325, (0, y), squash=1.1)
            (ax, ay), (bx, by) = points[-3], points[-1]
            pen.head((bx, by), (bx - ax, by - ay), size)


def _held(
    pen: _Pen, rng: np.random.Generator, centre: tuple[float, float], size: float, tilt_deg: float
) -> None:
    """One player's hand of cards in small: a card, filled or in outline, or a fan of them."""
    kind = rng.random()
    if kind < 0.3:
        _fan(pen, rng, centre, size * 0.9)
    elif kind < 0.72:
        pen.fill(_card(centre, size, tilt_deg, float(rng.uniform(0, 0.5))))
    else:
        pen.outline(_card(centre, size, tilt_deg, float(rng.uniform(0, 0.5))), 0.7)


def _pass(pen: _Pen, rng: np.random.Generator, _font: str) -> None:
    radius = float(rng.uniform(0.7, 0.82))
    count = int(rng.choice([2, 3, 3, 4]))
    size = float(rng.uniform(0.17, 0.26))
    start = float(rng.uniform(0, 360))
    step = 360 / count
    thin, pen.stroke = pen.stroke, pen.stroke * float(rng.uniform(0.6, 0.95))
    for i in range(count):
        begin = start + i * step
        points = pen.arc(radius, begin, begin + step * 0.72)
        (ax, ay), (bx, by) = points[-3], points[-1]
        pen.head((bx, by), (bx - ax, by - ay), size)
    pen.stroke = thin
    if rng.random() < 0.5:
        pen.mask = np.ascontiguousarray(pen.mask[:, ::-1])
    _hand(pen, rng, (0, 0.02), float(rng.uniform(0.24, 0.42)))


def _call(pen: _Pen, rng: np.random.Generator, font: str) -> None:
    kind = rng.random()
    if kind < 0.55:
        _text(pen, "?", font, float(rng.uniform(1.3, 1.7)))
    elif kind < 0.75:  # in a card
        card = _card((0, 0), 0.88, float(rng.uniform(-12, 12)))
        if rng.random() < 0.5:
            pen.fill(card)
            _text(pen, "?", font, float(rng.uniform(0.8, 1.0)), 0)
        else:
            pen.outline(card, 0.8)
            _text(pen, "?", font, float(rng.uniform(0.8, 1.0)))
    else:  # in a speech bubble
        filled = rng.random() < 0.6
        centre, axes = (_SIZE // 2, int(_SIZE * 0.43)), (int(_SIZE * 0.4), int(_SIZE * 0.34))
        thickness = -1 if filled else pen._width(0.8)
        cv2.ellipse(pen.mask, centre, axes, 0, 0, 360, 255, thickness, cv2.LINE_AA)
        pen.fill([(-0.3, 0.42), (0.05, 0.5), (-0.4, 0.85)])
        _text(pen, "?", font, float(rng.uniform(0.75, 0.95)), 0 if filled else 255, -0.14)


def _text(
    pen: _Pen, text: str, font: str, height: float, value: int = 255, shift_y: float = 0.0
) -> None:
    ink = text_mask(text, font, int(height * _SIZE / 2))
    limit = int(_SIZE * 0.96)
    if ink.shape[1] > limit:
        scale = limit / ink.shape[1]
        ink = cv2.resize(ink, (limit, max(2, int(ink.shape[0] * scale)))).astype(np.uint8)
    y = int((_SIZE - ink.shape[0]) / 2 + shift_y * _SIZE / 2)
    x = (_SIZE - ink.shape[1]) // 2
    y = min(max(0, y), _SIZE - ink.shape[0])
    patch = pen.mask[y : y + ink.shape[0], x : x + ink.shape[1]].astype(np.float32)
    cover = ink.astype(np.float32) / 255
    blended = patch * (1 - cover) + value * cover
    pen.mask[y : y + ink.shape[0], x : x + ink.shape[1]] = blended.astype(np.uint8)


def _turn(pen: _Pen, angle_deg: float) -> None:
    rotation = cv2.getRotationMatrix2D((_SIZE / 2, _SIZE / 2), angle_deg, 0.92)
    pen.mask = cv2.warpAffine(pen.mask, rotation, (_SIZE, _SIZE)).astype(np.uint8)


_DRAWINGS: dict[str, Callable[[_Pen, np.random.Generator, str], None]] = {
    "S": _skip,
    "R": _direction,
    "D": _draw,
    "X": _swap,
    "P": _pass,
    "C": _call,
}


def icon_mask(face: str, rng: np.random.Generator, font: str) -> Mask:
    """A drawing of the action ``face`` (one of S R D X P C), 256 x 256, coverage 0...255.

    ``font`` sets the type of a plus one or a question mark.
    """
    stroke = float(rng.uniform(0.1, 0.24))
    if stroke < 0.13:  # some editions are drawn in thin lines
        stroke = 0.055 + (stroke - 0.1) * 2.5
    pen = _Pen(stroke)
    _DRAWINGS[face](pen, rng, font)
    return pen.mask
