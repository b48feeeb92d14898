"""What is printed on a half, freed of the light: a small ink map and the ink's contrast.

A half is printed in two tones, more or less: an ink and what stands out on it. In the logarithm
of its colours the lamp, its tint and the camera's exposure only add a constant, so the
direction from one tone to the other (the *contrast*) tells the ink under any lamp, and every
pixel's place along that direction (the *ink map*) tells the drawing in any colour. Maps are
compared by correlation, up to sign: white on red and black on red are one drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Half, Image
from vision.plane import TablePlane
from vision.rectify import cut_view

Floats = NDArray[np.float32]

MAP_PX: Final = (38, 29)
"""Width and height of an ink map: across the card and along it."""
MAP_PX_PER_MM: Final = 0.75
SHIFTS_PX: Final = 2
"""How far a half may be found off its place, in pixels of the map."""
TURNS_DEG: Final = (-3.0, 0.0, 3.0)
"""By how much its axis may be found wrong."""

_FINER: Final = 2
_RIM_PX: Final = SHIFTS_PX + 2
_WIDE_PX: Final = (MAP_PX[0] + 2 * _RIM_PX, MAP_PX[1] + 2 * _RIM_PX)
_STRAY_LIGHT: Final = 12.0
"""Brightness, of 255, that darkness has in a picture: without it the logarithm is all noise."""
_LOG: Final = np.log(np.arange(256, dtype=np.float32) + np.float32(_STRAY_LIGHT))


CROP_PX_PER_MM: Final = MAP_PX_PER_MM * _FINER
"""Scale of the crops that `print_of` takes."""


def wide_mm() -> tuple[float, float]:
    """Width and height of such a crop on the card, rim included."""
    return _WIDE_PX[0] / MAP_PX_PER_MM, _WIDE_PX[1] / MAP_PX_PER_MM


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """One half as one picture shows it."""

    ink: Floats
    """The ink map with a rim around it, shape (height, width)."""
    contrast: Floats
    """Direction from the darker tone to the lighter one, blue-green-red, of length 1."""

    def straight(self) -> Floats:
        """The map cut where the half was found, of mean 0 and length 1, shape (pixels,)."""
        return unit_map(self.ink[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX])

    def beside(self) -> Floats:
        """The maps that may be meant, cut a little beside and askew, shape (n, pixels)."""
        return _beside(self.ink)


def look_at(image: Image, plane: TablePlane, half: Half, *, towards_deg: float) -> Print:
    """The print of a half, the direction ``towards_deg`` (the axis or its opposite) on top."""
    fine = (_WIDE_PX[0] * _FINER, _WIDE_PX[1] * _FINER)
    centre = (half.x_mm, half.y_mm)
    crop = cut_view(image, plane, centre, towards_deg + 90, fine, CROP_PX_PER_MM)
    return print_of(crop)


def print_of(crop: Image) -> Print:
    """The print in an upright crop of `wide_mm` at `CROP_PX_PER_MM`."""
    wide = np.asarray(cv2.resize(crop, _WIDE_PX, interpolation=cv2.INTER_AREA), np.uint8)
    logs = _LOG[wide]
    rim = _RIM_PX
    core = logs[rim:-rim, rim:-rim].reshape(-1, 3)
    middle = core.mean(axis=0)
    around = core - middle
    _, directions = np.linalg.eigh(around.T @ around)
    contrast = directions[:, -1]
    if contrast.sum() < 0:
        contrast = -contrast
    ink = np.asarray((logs - middle) @ contrast, np.float32)
    return Print(ink, contrast.astype(np.float32))


def _beside(ink: Floats) -> Floats:
    """All maps that may be meant: shifted and turned, each of mean 0 and length 1."""
    width, height = MAP_PX
    middle = ((_WIDE_PX[0] - 1) / 2, (_WIDE_PX[1] - 1) / 2)
    low, side = _RIM_PX - SHIFTS_PX, 2 * SHIFTS_PX + 1
    found = []
    for turn in TURNS_DEG:
        turned = ink
        if turn:
            rotation = cv2.getRotationMatrix2D(middle, turn, 1.0)
            turned = np.asarray(
                cv2.warpAffine(ink, rotation, _WIDE_PX, borderMode=cv2.BORDER_REPLICATE), np.float32
            )
        used = turned[low : low + height + side - 1, low : low + width + side - 1]
        windows = np.lib.stride_tricks.sliding_window_view(used, (height, width))
        found.append(windows.reshape(side * side, height * width))
    maps = np.concatenate(found)
    maps -= maps.mean(axis=1, keepdims=True)
    maps /= np.maximum(np.linalg.norm(maps, axis=1, keepdims=True), 1e-6)
    return np.asarray(maps, np.float32)


def on_its_head(ink_map: Floats) -> Floats:
    """The map of the same print seen from the other side of the table, shape (..., pixels)."""
    return np.asarray(ink_map[..., ::-1], np.float32)


def likeness(one: Print, ink_maps: Floats) -> Floats:
    """How well each of some maps (n, pixels) fits a print, 0...1, wherever it fits best."""
    return np.asarray(np.abs(one.beside() @ ink_maps.T).max(axis=0), np.float32)


def aligned(one: Print, ink_map: Floats) -> tuple[Floats, bool, float]:
    """A print laid over a map as well as may be: its map, turned and of the same sign; whether
    it had to be turned on its head; how well it fits, 0...1."""
    maps = one.beside()
    fits = maps @ np.stack([ink_map, on_its_head(ink_map)], axis=1)
    at, turned = np.unravel_index(int(np.abs(fits).argmax()), fits.shape)
    fit = float(fits[at, turned])
    laid = maps[at] * np.float32(np.sign(fit))
    return (on_its_head(laid) if turned else laid), bool(turned), abs(fit)


def unit_map(pixels: Floats) -> Floats:
    """Any map with mean 0 and length 1, shape (pixels,)."""
    centred = pixels.ravel() - pixels.mean()
    return np.asarray(centred / max(float(np.linalg.norm(centred)), 1e-6), np.float32)
