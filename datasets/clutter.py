"""What else lies or moves on a table: things, foreign cards, hands and sleeves.

Every thing is a flat picture with coverage on a rectangle of the table; height is hinted at
by its shadow only. Foreign cards and printed matter carry digits and colours on purpose:
they must not be read as cards of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.editions import Picture
from datasets.fonts import font_names, text_mask

Cover = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A flat picture that lies on the table."""

    picture: Picture
    cover: Cover
    """0...255, the picture's size."""
    corners_mm: NDArray[np.float64]
    """Where the picture's corners lie: top left, top right, bottom right, bottom left."""
    lift_mm: float
    """How far it stands off the table, for its shadow."""


def rectangle_mm(
    centre: tuple[float, float], size_mm: tuple[float, float], angle_deg: float
) -> NDArray[np.float64]:
    """Corners of a turned rectangle, clockwise from its top left, shape (4, 2)."""
    a = np.radians(angle_deg)
    right, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    w, h = size_mm[0] / 2, size_mm[1] / 2
    return np.array([np.array(centre) + sx * w * right + sy * h * down
                     for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])  # fmt: skip


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    b, g, r = rng.uniform(5, 250, 3)
    return float(b), float(g), float(r)


def _write(
    rng: np.random.Generator, picture: Picture, text: str, height: int, at: tuple[int, int],
    ink: tuple[float, float, float],
) -> None:  # fmt: skip
    names = font_names()
    mask = text_mask(text, names[int(rng.integers(len(names)))], height)
    x, y = at
    h, w = min(mask.shape[0], picture.shape[0] - y), min(mask.shape[1], picture.shape[1] - x)
    if h <= 0 or w <= 0:
        return
    cover = mask[:h, :w, None].astype(np.float32) / 255
    patch = picture[y : y + h, x : x + w].astype(np.float32)
    blend = patch + cover * (np.array(ink, np.float32) - patch)
    picture[y : y + h, x : x + w] = blend.astype(np.uint8)


def _sheet(width: int, height: int, colour: tuple[float, float, float]) -> Picture:
    return np.broadcast_to(np.array(colour), (height, width, 3)).astype(np.uint8).copy()


def _book(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    """A book, box, magazine or flyer: blocks of colour, some words and numbers."""
    w_mm, h_mm = float(rng.uniform(90, 220)), float(rng.uniform(90, 280))
    picture = _sheet(int(w_mm), int(h_mm), _colour(rng))
    for _ in range(int(rng.integers(0, 7))):
        x, y = int(rng.integers(int(w_mm))), int(rng.integers(int(h_mm)))
        size = int(rng.integers(12, 80))
        if rng.random() < 0.5:
            cv2.rectangle(picture, (x, y), (x + size, y + int(size * rng.uniform(0.4, 2))),
                          _colour(rng), -1)  # fmt: skip
        else:
            cv2.circle(picture, (x, y), size // 2, _colour(rng), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        letters = "".join(
            rng.choice(list("AEIORSTLNKMabdeosr0123456789?+"), int(rng.integers(1, 8)))
        )
        at = (int(rng.uniform(0, w_mm * 0.7)), int(rng.uniform(0, h_mm * 0.9)))
        _write(rng, picture, str(letters), int(rng.integers(8, 40)), at, _colour(rng))
    return picture, (w_mm, h_mm), float(rng.uniform(1, 30))


def _note(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    """A coloured note or coaster about as large as a half card or a card, plain or scribbled."""
    side = float(rng.uniform(40, 95))
    size = (side, side * float(rng.choice([1.0, rng.uniform(0.6, 1.5)])))
    picture = _sheet(int(size[0] * 2), int(size[1] * 2), _colour(rng))
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 6))):
            points = rng.uniform(0.1, 0.9, (int(rng.integers(2, 9)), 2)) * picture.shape[1::-1]
            cv2.polylines(picture, [points.astype(np.int32)], False, (40, 40, 40), 2, cv2.LINE_AA)
    return picture, size, 0.5


def _playing_card(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    """A card of another game: white with pips and ranks, or a picture with a frame."""
    size = (float(rng.uniform(54, 66)), float(rng.uniform(84, 95)))
    w, h = int(size[0] * 3), int(size[1] * 3)
    picture = _sheet(w, h, (238, 242, 244))
    ink = (30, 30, 200) if rng.random() < 0.5 else (25, 25, 25)
    kind = rng.random()
    if kind < 0.6:
        rank = str(rng.choice(list("23456789AKQJ")))
        _write(rng, picture, rank, 26, (8, 8), ink)
        corner = np.ascontiguousarray(picture[:60, :40][::-1, ::-1])
        picture[-60:, -40:] = corner
        for _ in range(int(rng.integers(1, 11))):
            x, y = int(rng.uniform(0.25, 0.75) * w), int(rng.uniform(0.15, 0.85) * h)
            r = int(rng.uniform(8, 14))
            if rng.random() < 0.5:
                cv2.circle(picture, (x, y), r, ink, -1, cv2.LINE_AA)
            else:
                diamond = np.array([[x, y - r], [x + r, y], [x, y + r], [x - r, y]])
                cv2.fillPoly(picture, [diamond.astype(np.int32)], ink, cv2.LINE_AA)
    elif kind < 0.8:
        inset = int(rng.integers(6, 18))
        cv2.rectangle(picture, (inset, inset), (w - inset, h - inset), _colour(rng), -1)
        for _ in range(6):
            points = (rng.uniform(0.1, 0.9, (4, 2)) * (w, h)).astype(np.int32)
            cv2.fillPoly(picture, [points], _colour(rng), cv2.LINE_AA)
    else:  # one big face over the whole card: a sister game
        picture[:] = np.array(_colour(rng))
        cv2.ellipse(picture, (w // 2, h // 2), (w // 3, int(h * 0.42)), 25, 0, 360,
                    (240, 240, 240), -1, cv2.LINE_AA)  # fmt: skip
        letter = str(rng.choice(list("0123456789ABXZ")))
        _write(rng, picture, letter, h // 2, (w // 4, h // 4), _colour(rng))
    return picture, size, 0.5


def _domino(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    size = (float(rng.uniform(22, 34)), float(rng.uniform(44, 66)))
    w, h = int(size[0] * 3), int(size[1] * 3)
    ground, pip = (
        ((235, 240, 240), (20, 20, 20)) if rng.random() < 0.6 else ((25, 25, 25), (235,) * 3)
    )
    picture = _sheet(w, h, ground)
    cv2.line(picture, (6, h // 2), (w - 6, h // 2), pip, 2)
    for top in (0, h // 2):
        for _ in range(int(rng.integers(0, 7))):
            x, y = int(rng.uniform(0.2, 0.8) * w), top + int(rng.uniform(0.2, 0.8) * h / 2)
            cv2.circle(picture, (x, y), w // 14, pip, -1, cv2.LINE_AA)
    return picture, size, 6.0


def _chessboard(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    """A board in squares: for chess, or to measure a lens with; some squares have marks in them."""
    columns, rows, square = (*rng.integers(4, 13, 2), float(rng.uniform(12, 45)))
    px = 24
    dark = (25.0, 25.0, 25.0) if rng.random() < 0.6 else _colour(rng)
    light = (240.0, 240.0, 240.0) if rng.random() < 0.7 else _colour(rng)
    picture = _sheet(int(columns) * px, int(rows) * px, light)
    marked = rng.random() < 0.4
    for y in range(rows):
        for x in range(columns):
            cell = picture[y * px : (y + 1) * px, x * px : (x + 1) * px]
            if (x + y) % 2:
                cell[:] = np.array(dark, np.uint8)
            elif marked:  # such marks as lens boards carry
                bits = (rng.random((5, 5)) < 0.5).astype(np.uint8)
                cell[3:-3, 3:-3] = np.array(dark, np.uint8)
                cell[6:-6, 6:-6] = cv2.resize(bits, (12, 12), interpolation=0)[..., None] * 235
    return picture, (float(columns) * square, float(rows) * square), float(rng.uniform(0.5, 15))


def _phone(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    size = (float(rng.uniform(66, 80)), float(rng.uniform(135, 165)))
    picture = _sheet(int(size[0]), int(size[1]), (22, 22, 24))
    if rng.random() < 0.3:
        picture[8:-8, 4:-4] = np.array(_colour(rng), np.uint8)
    return picture, size, 7.0


def _round_thing(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    """A mug, bowl, glass, coaster, lid, plate or coin seen from above."""
    diameter = float(rng.choice([rng.uniform(16, 28), rng.uniform(65, 110), rng.uniform(110, 220)]))
    n = max(24, int(diameter * 1.5))
    picture = _sheet(n, n, _colour(rng))
    centre = (n // 2, n // 2)
    for _ in range(int(rng.integers(0, 4))):
        cv2.circle(
            picture, centre, int(n / 2 * rng.uniform(0.2, 0.95)), _colour(rng), -1, cv2.LINE_AA
        )
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(5, 40))):
            r, a = n / 2 * np.sqrt(rng.uniform(0, 0.6)), rng.uniform(0, 6.28)
            at = (int(n / 2 + r * np.cos(a)), int(n / 2 + r * np.sin(a)))
            cv2.circle(picture, at, max(2, n // 18), _colour(rng), -1, cv2.LINE_AA)
    return picture, (diameter, diameter), float(rng.uniform(2, 40))


def _pen_thing(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    size = (float(rng.uniform(110, 160)), float(rng.uniform(6, 12)))
    picture = _sheet(int(size[0]), max(6, int(size[1])), _colour(rng))
    picture[:, : int(size[0] * 0.15)] = np.array(_colour(rng), np.uint8)
    picture[-2:] //= 2
    return picture, size, 5.0


def _die(rng: np.random.Generator) -> tuple[Picture, tuple[float, float], float]:
    side = float(rng.uniform(12, 20))
    picture = _sheet(48, 48, (235, 238, 238) if rng.random() < 0.6 else _colour(rng))
    for _ in range(int(rng.integers(1, 7))):
        at = (int(rng.integers(10, 38)), int(rng.integers(10, 38)))
        cv2.circle(picture, at, 4, (20, 20, 20), -1, cv2.LINE_AA)
    return picture, (side, side), 12.0


_THINGS: tuple[Callable[[np.random.Generator], tuple[Picture, tuple[float, float], float]], ...] = (
    _book, _note, _playing_card, _domino, _phone, _round_thing, _pen_thing, _die, _chessboard,
)  # fmt: skip
_ROUND = {_round_thing}


def draw_thing(rng: np.random.Generator, centre_mm: tuple[float, float]) -> Thing:
    """A random thing at a place of the table."""
    maker = _THINGS[
        int(rng.choice(len(_THINGS), p=[0.18, 0.16, 0.16, 0.08, 0.08, 0.14, 0.06, 0.06, 0.08]))
    ]
    picture, size_mm, lift_mm = maker(rng)
    cover = np.full(picture.shape[:2], 255, np.uint8)
    if maker in _ROUND:
        cover[:] = 0
        n = picture.shape[0]
        cv2.circle(cover, (n // 2, n // 2), n // 2 - 1, 255, -1, cv2.LINE_AA)
    corners = rectangle_mm(centre_mm, size_mm, float(rng.uniform(0, 360)))
    return Thing(picture, cover, corners, lift_mm)


_HAND_PX_PER_MM = 1.2
_SKIN = (
    (118, 150, 205),
    (140, 172, 226),
    (86, 120, 178),
    (60, 86, 132),
    (40, 58, 92),
    (158, 186, 232),
)


def _limb(
    cover: Cover, points: list[tuple[float, float]], widths: list[float], scale: float
) -> None:
    """A tapering limb through points (mm), drawn into the coverage."""
    for (ax, ay), (bx, by), wa, wb in zip(points, points[1:], widths, widths[1:], strict=False):
        # Close enough for an outline without bulges.
        for t in np.linspace(0, 1, max(14, int(np.hypot(bx - ax, by - ay) / 8))):
            at = (int((ax + (bx - ax) * t) * scale), int((ay + (by - ay) * t) * scale))
            radius = max(1, int((wa + (wb - wa) * t) / 2 * scale))
            cv2.circle(cover, at, radius, 255, -1, cv2.LINE_AA)


def draw_hand(rng: np.random.Generator, tip_mm: tuple[float, float], from_deg: float) -> Thing:
    """A hand with its arm: fingers at ``tip_mm``, the arm coming from ``from_deg``.

    ``from_deg`` is the direction from the tip towards the shoulder, clockwise from +x.
    """
    s = _HAND_PX_PER_MM
    length_mm, width_mm = 1500.0, 190.0  # it reaches across a table
    height, width = int(width_mm * s), int(length_mm * s)
    skin = np.zeros((height, width), np.uint8)
    middle = width_mm / 2
    # The hand points to the left; x grows towards the shoulder.
    palm_x = float(rng.uniform(88, 105))
    _limb(skin, [(palm_x, middle), (palm_x + 55, middle), (palm_x + 120, middle + 4)],
          [80, 72, 56], s)  # fmt: skip
    spread, curl = float(rng.uniform(0.0, 0.45)), float(rng.uniform(0.45, 1.0))
    for i, reach in enumerate((74, 88, 82, 64)):
        base_y = middle + (i - 1.5) * 21
        angle = (i - 1.5) * spread * 0.5 + float(rng.normal(0, 0.06))
        tip = (palm_x - 18 - reach * curl * np.cos(angle), base_y + reach * curl * np.sin(angle))
        joint = ((palm_x - 18 + tip[0]) / 2, (base_y + tip[1]) / 2 + float(rng.normal(0, 2)))
        _limb(skin, [(palm_x - 8, base_y), joint, tip], [22, 19, 14], s)
    out = float(rng.uniform(0.2, 0.9))
    _limb(skin, [(palm_x + 35, middle - 30), (palm_x + 2, middle - 40 - 22 * out),
                 (palm_x - 28, middle - 38 - 38 * out * float(rng.uniform(0.4, 1)))],
          [30, 24, 16], s)  # fmt: skip
    sleeve = np.zeros_like(skin)
    cuff = palm_x + float(rng.uniform(70, 200))
    bare = rng.random() < 0.2
    arm = skin if bare else sleeve
    _limb(arm, [(palm_x + 110 if bare else cuff, middle), (length_mm + 20, middle + float(rng.uniform(-10, 10)))],
          [58 if bare else float(rng.uniform(72, 105)), float(rng.uniform(90, 150))], s)  # fmt: skip
    picture = np.zeros((height, width, 3), np.float32)
    tone = np.array(_SKIN[int(rng.integers(len(_SKIN)))], np.float32) * float(rng.uniform(0.8, 1.1))
    for mask, colour in ((skin, tone), (sleeve, np.array(_colour(rng), np.float32))):
        depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
        round_ = np.sqrt(np.clip(depth / (14 * s if mask is skin else 40 * s), 0, 1))
        shade = 0.55 + 0.5 * round_
        if mask is sleeve and rng.random() < 0.6:
            x = np.arange(width, dtype=np.float32)
            shade = shade * (1 + 0.08 * np.sin(x * float(rng.uniform(0.05, 0.5))))
        layer = np.clip(colour * shade[..., None], 0, 255)
        cover = mask[..., None].astype(np.float32) / 255
        picture += cover * (layer - picture)
    both = np.maximum(skin, sleeve)
    if rng.random() < 0.5:
        picture, both = picture[::-1], np.ascontiguousarray(both[::-1])
    a = np.radians(from_deg)
    direction = np.array([np.cos(a), np.sin(a)])
    centre = np.array(tip_mm) + direction * (length_mm / 2 - 10)
    corners = rectangle_mm((float(centre[0]), float(centre[1])), (length_mm, width_mm), from_deg)
    return Thing(np.ascontiguousarray(picture.astype(np.uint8)), both, corners,
                 float(rng.uniform(5, 60)))  # fmt: skip
