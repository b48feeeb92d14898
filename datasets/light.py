"""Lamps, lenses and sensors: what happens to a scene before it is a file."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.editions import Picture

Field = NDArray[np.float32]

_LINEAR: Field = np.square(np.arange(256, dtype=np.float32) / np.float32(255))
"""Light of each byte value, close to what sRGB means by it."""
_TONE_TOP = 1.6
_TONE_STEPS = 4096


def _illumination(rng: np.random.Generator, height: int, width: int, tags: list[str]) -> Field:
    """Relative light over the picture, small scale, mean about 1, shape (h, w, 3)."""
    h, w = 36, max(8, round(36 * width / height))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = x / w, y / h
    field = np.ones((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cx, cy = rng.uniform(-0.4, 1.4, 2)
        size = float(rng.uniform(0.3, 1.2))
        distance = (x - cx) ** 2 + ((y - cy) * height / width) ** 2
        field += float(rng.uniform(0.1, 1.0)) * np.exp(-distance / (2 * size * size))
    if rng.random() < 0.25:  # a lamp close by: bright middle, dark rims
        cx, cy = rng.uniform(0.2, 0.8, 2)
        distance = (x - cx) ** 2 + ((y - cy) * height / width) ** 2
        field *= 0.3 + np.exp(-distance / (2 * float(rng.uniform(0.15, 0.4)) ** 2))
        tags.append("hard_light")
    field /= field.mean()
    for _ in range(int(rng.choice([0, 0, 1, 2]))):  # shadows of heads, arms and lamps
        shadow = np.zeros((h * 4, w * 4), np.float32)
        points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (w * 4, h * 4)
        hull = cv2.convexHull(points.astype(np.float32)).astype(np.int32)
        cv2.fillPoly(shadow, [hull], 1.0)
        soft = float(rng.uniform(0.8, 14))
        blurred = cv2.resize(cv2.GaussianBlur(shadow, (0, 0), soft), (w, h))
        field *= 1 - float(rng.uniform(0.1, 0.5)) * blurred
    radius = np.hypot(x - 0.5, (y - 0.5) * height / width)
    field *= 1 - float(rng.choice([0, rng.uniform(0.1, 0.9)])) * radius**2
    tint = rng.normal(0, 0.03, 3).astype(np.float32) * x[..., None]
    return np.asarray(field[..., None] + tint, np.float32)


def _white_balance(rng: np.random.Generator, tags: list[str]) -> NDArray[np.float32]:
    kind = rng.random()
    if kind < 0.4:
        gains = rng.normal(1, 0.03, 3)
    elif kind < 0.65:
        warm = float(rng.uniform(0.05, 0.35))
        gains = np.array([1 - warm, 1 - warm * 0.35, 1 + warm * 0.3])
        tags.append("warm")
    elif kind < 0.85:
        cold = float(rng.uniform(0.05, 0.3))
        gains = np.array([1 + cold * 0.5, 1, 1 - cold * 0.8])
        tags.append("cold")
    else:
        gains = rng.uniform(0.75, 1.25, 3)
        tags.append("wrong_balance")
    return np.asarray(gains, np.float32)


def _glare(rng: np.random.Generator, height: int, width: int) -> Field:
    """White veil of a reflected lamp, small scale, 0...1, shape (h, w)."""
    h, w = 54, max(8, round(54 * width / height))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    cx, cy = float(rng.uniform(0, w)), float(rng.uniform(0, h))
    a, b = float(rng.uniform(2, 10)), float(rng.uniform(2, 16))
    turn = float(rng.uniform(0, np.pi))
    u = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
    v = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
    return np.asarray(
        np.exp(-(((u / a) ** 2 + (v / b) ** 2) ** float(rng.uniform(0.5, 1.2)))), np.float32
    )


@functools.cache
def _noise_bank() -> tuple[Field, Field]:
    """Fine and coarse sensor noise of deviation 1, larger than any picture that is rendered."""
    fine = np.random.default_rng(5).standard_normal((1300, 2200, 3), np.float32)
    coarse = cv2.GaussianBlur(fine, (0, 0), 0.8) * 2.0
    return fine, np.asarray(coarse, np.float32)


def _grain(rng: np.random.Generator, height: int, width: int) -> Field:
    bank = _noise_bank()[int(rng.random() < 0.4)]
    y = int(rng.integers(max(1, bank.shape[0] - height)))
    x = int(rng.integers(max(1, bank.shape[1] - width)))
    grain = bank[y : y + height, x : x + width]
    return grain[..., :1] if rng.random() < 0.3 else grain


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """One camera under one light: what it does to every picture it takes.

    In the order of nature: light, glare, lens, white balance and exposure, the camera's tone
    curve, noise. `draw_light` invents one.
    """

    light: Field
    """Relative light, shape (height, width, 3)."""
    veil: Field | None
    """White of a reflected lamp that is added, shape (height, width, 1)."""
    stray: float
    blur_px: float
    smear: Field | None
    """Kernel of a shaken camera."""
    gains: Field
    """White balance times exposure, blue-green-red."""
    curve: Field
    """Brightness of `_TONE_STEPS` steps of light."""
    saturation: float | None
    contrast: float | None
    noise: float
    tags: tuple[str, ...]

    def take(self, rng: np.random.Generator, scene: Picture, gain: float = 1.0) -> Picture:
        """A picture of ``scene``, not yet compressed; ``gain`` is the exposure's flicker."""
        linear = _LINEAR[scene]
        linear *= self.light
        if self.veil is not None:
            linear += self.veil
        if self.stray:
            linear += self.stray
        if self.blur_px:
            linear = _blurred(linear, self.blur_px)
        if self.smear is not None:
            linear = np.asarray(cv2.filter2D(linear, -1, self.smear), np.float32)
        linear *= self.gains * np.float32(gain)
        np.clip(linear, 0, _TONE_TOP, out=linear)
        linear *= (_TONE_STEPS - 1) / _TONE_TOP
        tone = self.curve[linear.astype(np.uint16)]
        if self.saturation is not None and self.contrast is not None:
            grey = tone.mean(axis=2, keepdims=True)
            tone = grey + (tone - grey) * self.saturation
            tone = 0.5 + (tone - 0.5) * self.contrast
        tone *= 255
        tone += _grain(rng, *scene.shape[:2]) * (self.noise * 255)
        return np.clip(tone, 0, 255).astype(np.uint8)


def draw_light(rng: np.random.Generator, height: int, width: int) -> Camera:
    """A camera under random light, for pictures of a size."""
    tags: list[str] = []
    light = cv2.resize(_illumination(rng, height, width, tags), (width, height))
    veil, stray, blur_px, smear = None, 0.0, 0.0, None
    if rng.random() < 0.3:
        spot = cv2.resize(_glare(rng, height, width), (width, height))
        veil = np.asarray(spot[..., None] * float(rng.uniform(0.08, 0.9)), np.float32)
        tags.append("glare")
    if rng.random() < 0.15:
        stray = float(rng.uniform(0.005, 0.05))
        tags.append("haze")
    blur = rng.random()
    if blur < 0.35:
        blur_px = float(rng.uniform(0.4, 1.1))
    elif blur < 0.45:
        blur_px = float(rng.uniform(1.1, 2.0)) * width / 1280
        tags.append("defocus")
    elif blur < 0.5:
        length = int(rng.integers(3, 7))
        smear = np.zeros((length, length), np.float32)
        if rng.random() < 0.5:
            smear[length // 2] = 1 / length
        else:
            np.fill_diagonal(smear, 1 / length)
        tags.append("motion")
    balance = _white_balance(rng, tags)
    exposure = float(rng.choice([rng.uniform(0.75, 1.35), rng.uniform(0.2, 0.75)], p=[0.75, 0.25]))
    if exposure < 0.45:
        tags.append("dim")
    steps = np.arange(_TONE_STEPS, dtype=np.float32) / (_TONE_STEPS - 1) * _TONE_TOP
    curve = steps ** (1 / float(rng.uniform(1.8, 2.4)))
    saturation = contrast = None
    if rng.random() < 0.5:  # the sensor's own taste
        saturation, contrast = float(rng.uniform(0.7, 1.35)), float(rng.uniform(0.85, 1.15))
    noise = float(rng.choice([rng.uniform(0.002, 0.01), rng.uniform(0.01, 0.06)], p=[0.65, 0.35]))
    if noise > 0.025:
        tags.append("noise")
    return Camera(
        light=np.clip(light, 0.04, 4).astype(np.float32),
        veil=veil,
        stray=stray,
        blur_px=blur_px,
        smear=smear,
        gains=np.asarray(balance * np.float32(exposure), np.float32),
        curve=curve.astype(np.float32),
        saturation=saturation,
        contrast=contrast,
        noise=noise,
        tags=tuple(tags),
    )


def expose(rng: np.random.Generator, scene: Picture) -> tuple[Picture, tuple[str, ...]]:
    """The compressed picture of ``scene`` under random light, and what it went through."""
    camera = draw_light(rng, *scene.shape[:2])
    return compress(rng, camera.take(rng, scene)), camera.tags


def _blurred(picture: Field, sigma_px: float) -> Field:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.float32)


def compress(rng: np.random.Generator, picture: Picture) -> Picture:
    """JPEG as stills have it, or the coarser blocks of a video stream."""
    quality = int(rng.integers(*((28, 70) if rng.random() < 0.35 else (70, 97))))
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
