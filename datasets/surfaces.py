"""Table tops and floors, drawn from a seed at a fixed number of pixels per millimetre."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.editions import Picture

Field = NDArray[np.float32]

SURFACE_PX_PER_MM = 1.0

_FIGURES = ("daisy", "leaf", "rosette", "wheel", "star")
_FOUR_INKS = np.array([[45, 45, 205], [45, 175, 235], [70, 140, 45], [175, 95, 45]], np.float32)
"""About the cards' red, yellow, green and blue, blue-green-red."""


def smooth_noise(
    rng: np.random.Generator, height: int, width: int, grain_x: float, grain_y: float
) -> Field:
    """Noise of mean 0 and deviation about 1 whose features measure grain_x by grain_y pixels."""
    small = rng.normal(0, 1, (max(2, int(height / grain_y) + 2), max(2, int(width / grain_x) + 2)))
    grown = cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(grown, np.float32)


def _tint(
    rng: np.random.Generator, dark: float, light: float, spread: float
) -> NDArray[np.float32]:
    value = float(rng.uniform(dark, light))
    return np.clip(value + rng.uniform(-spread, spread, 3), 5, 250).astype(np.float32)


def _wood(rng: np.random.Generator, height: int, width: int) -> Field:
    y = np.arange(height, dtype=np.float32)[:, None]
    warp = smooth_noise(rng, height, width, 500, 60) * float(rng.uniform(4, 18))
    rings = np.sin((y + warp) * float(rng.uniform(0.06, 0.35)))
    fibre = smooth_noise(rng, height, width, 90, 2.2)
    base = np.array(
        [float(rng.uniform(25, 130)), float(rng.uniform(50, 170)), float(rng.uniform(80, 215))]
    )
    if rng.random() < 0.25:  # stained dark or limed
        base = np.full(3, float(rng.choice([40, 200]))) + rng.normal(0, 12, 3)
    shade = rings * float(rng.uniform(3, 14)) + fibre * float(rng.uniform(2, 10))
    return np.asarray(base.astype(np.float32) + shade[..., None], np.float32)


def _plain(rng: np.random.Generator, height: int, width: int) -> Field:
    base = _tint(rng, 15, 240, float(rng.choice([3, 40, 90])))
    cloud = smooth_noise(rng, height, width, 200, 200) * float(rng.uniform(0, 6))
    return np.asarray(base + cloud[..., None], np.float32)


def _felt(rng: np.random.Generator, height: int, width: int) -> Field:
    base = np.array([float(rng.uniform(20, 110)), float(rng.uniform(30, 130)),
                     float(rng.uniform(15, 120))], np.float32)  # fmt: skip
    fuzz = smooth_noise(rng, height, width, 2, 2) * float(rng.uniform(4, 12))
    cloud = smooth_noise(rng, height, width, 160, 160) * float(rng.uniform(2, 8))
    return np.asarray(base + (fuzz + cloud)[..., None], np.float32)


def _checks(rng: np.random.Generator, height: int, width: int) -> Field:
    step = float(rng.uniform(10, 70))
    across = ((np.arange(width) // step) % 2).astype(np.float32)[None, :]
    down = ((np.arange(height) // step) % 2).astype(np.float32)[:, None]
    ground, stripe = _tint(rng, 190, 245, 12), _tint(rng, 20, 200, 90)
    cover = (across + down) / 2 if rng.random() < 0.7 else np.abs(across - down)
    cloth = ground + cover[..., None] * (stripe - ground)
    weave = smooth_noise(rng, height, width, 2, 2) * 4
    return np.asarray(cloth + weave[..., None], np.float32)


def _stripes(rng: np.random.Generator, height: int, width: int) -> Field:
    y = np.arange(height, dtype=np.float32)
    a, b = _tint(rng, 30, 240, 60), _tint(rng, 30, 240, 60)
    wave = np.sin(y * float(rng.uniform(0.05, 0.4))) > float(rng.uniform(-0.6, 0.6))
    rows = np.where(wave[:, None], a, b)
    return np.asarray(np.broadcast_to(rows[:, None, :], (height, width, 3)), np.float32).copy()


def _printed(rng: np.random.Generator, height: int, width: int) -> Field:
    """Cloth with strewn figures in strong colours: flowers, dots, squares, daisies, stars."""
    if rng.random() < 0.4:
        return _flowered(rng, height, width)
    cloth = _plain(rng, height, width)
    palette = [tuple(float(v) for v in rng.uniform(10, 250, 3)) for _ in range(4)]
    shape = int(rng.integers(4))
    size = float(rng.uniform(5, 22))
    for _ in range(int(height * width / (size * size) * float(rng.uniform(0.01, 0.06)))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        ink = palette[int(rng.integers(4))]
        r = int(size * float(rng.uniform(0.5, 1)))
        if shape == 0:
            cv2.circle(cloth, (x, y), r // 2 + 1, ink, -1, cv2.LINE_AA)
        elif shape == 1:
            turn = float(rng.uniform(0, 6.3))
            for k in range(5):
                a = turn + k * 1.2566
                petal = (int(x + r * 0.5 * np.cos(a)), int(y + r * 0.5 * np.sin(a)))
                cv2.circle(cloth, petal, max(1, r // 3), ink, -1, cv2.LINE_AA)
            cv2.circle(cloth, (x, y), max(1, r // 4), (240, 240, 240), -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints(((x, y), (r, r * 1.3), float(rng.uniform(0, 90))))
            filled = -1 if shape == 2 else 1
            if filled < 0:
                cv2.fillPoly(cloth, [box.astype(np.int32)], ink, cv2.LINE_AA)
            else:
                cv2.polylines(cloth, [box.astype(np.int32)], True, ink, 2, cv2.LINE_AA)
    return cloth


def _flowered(rng: np.random.Generator, height: int, width: int) -> Field:
    """A pale cloth with figures as large as what is printed on cards, in the cards' four colours:
    daisies with long petals, stars, leaves, wheels, rosettes."""
    cloth = _tint(rng, 175, 245, 10) + smooth_noise(rng, height, width, 2, 2)[..., None] * 3
    inks = [_FOUR_INKS[i] * float(rng.uniform(0.7, 1.1)) for i in range(4)]
    heart = rng.uniform(20, 250, 3)
    petals, slim = int(rng.integers(3, 9)), float(rng.uniform(0.16, 0.4))
    figure, mean_mm = _FIGURES[int(rng.integers(5))], float(rng.uniform(9, 24))
    for _ in range(int(height * width / mean_mm**2 * float(rng.uniform(0.02, 0.14)))):
        at = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        reach = mean_mm * float(rng.uniform(0.5, 1.1))
        ink = tuple(float(v) for v in np.clip(inks[int(rng.integers(4))], 0, 255))
        turn = float(rng.uniform(0, 2 * np.pi))
        for k in range(petals if figure != "leaf" else 1):
            a = turn + 2 * np.pi * k / petals
            way = np.array([np.cos(a), np.sin(a)])
            if figure == "wheel":  # its spokes
                ends = np.round(np.stack([at, at + reach * way])).astype(int)
                cv2.line(cloth, ends[0], ends[1], ink, max(1, int(reach * slim / 2)), cv2.LINE_AA)
                continue
            middle = np.round(at + way * reach * 0.55).astype(int).tolist()
            long = max(1, int(reach * (0.45 if figure != "rosette" else 0.3)))
            axes = (long, max(1, int(reach * slim)))
            cv2.ellipse(cloth, middle, axes, np.degrees(a), 0, 360, ink, -1, cv2.LINE_AA)
        centre = np.round(at).astype(int).tolist()
        if figure == "wheel":
            cv2.circle(cloth, centre, int(reach), ink, max(1, int(reach * slim / 2)), cv2.LINE_AA)
        elif figure == "star":
            _star(cloth, at, reach, turn, ink)
        if rng.random() < 0.7 and figure != "leaf":
            shade = tuple(float(v) for v in heart)
            cv2.circle(cloth, centre, max(1, int(reach * 0.2)), shade, -1, cv2.LINE_AA)
    return np.asarray(cloth, np.float32)


def _star(
    cloth: Field, at: NDArray[np.float64], reach: float, turn: float, ink: tuple[float, ...]
) -> None:
    angles = turn + np.arange(10) * np.pi / 5
    away = reach * np.where(np.arange(10) % 2 == 0, 1.0, 0.42)
    corners = at + np.stack([np.cos(angles), np.sin(angles)], axis=1) * away[:, None]
    cv2.fillPoly(cloth, [np.round(corners).astype(np.int32)], ink, cv2.LINE_AA)


def _stone(rng: np.random.Generator, height: int, width: int) -> Field:
    base = _tint(rng, 60, 230, 12)
    veins = np.abs(smooth_noise(rng, height, width, 150, 60))
    specks = smooth_noise(rng, height, width, 3, 3) * float(rng.uniform(2, 14))
    return np.asarray(base + (specks - 25 * np.exp(-veins * 12))[..., None], np.float32)


def _planks(rng: np.random.Generator, height: int, width: int) -> Field:
    boards = _wood(rng, height, width)
    step = int(rng.uniform(60, 160))
    for y in range(int(rng.integers(step)), height, step):
        boards[y : y + 2] *= 0.45
        boards[y : y + step] += float(rng.normal(0, 9))
    return boards


_KINDS: tuple[Callable[[np.random.Generator, int, int], Field], ...] = (
    _wood, _plain, _felt, _checks, _stripes, _printed, _stone, _planks,
)  # fmt: skip
_WEIGHTS = (0.22, 0.2, 0.12, 0.12, 0.06, 0.12, 0.08, 0.08)


def draw_surface(
    rng: np.random.Generator, width_mm: float, height_mm: float, *, figured: bool = False
) -> Picture:
    """A table top, `SURFACE_PX_PER_MM` pixels per millimetre, blue-green-red; with ``figured`` a
    cloth with printed figures."""
    width, height = int(width_mm * SURFACE_PX_PER_MM), int(height_mm * SURFACE_PX_PER_MM)
    kind = _KINDS[int(rng.choice(len(_KINDS), p=_WEIGHTS))]
    if figured:
        kind = _printed
    if rng.random() < 0.5:
        return np.clip(kind(rng, height, width), 0, 255).astype(np.uint8)
    turned = np.clip(kind(rng, width, height), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(turned.transpose(1, 0, 2))
