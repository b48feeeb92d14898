"""Cuts upright, evenly scaled views of the table out of a camera picture."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image
from vision.plane import TablePlane

Floats = NDArray[np.float64]

_MAP_STEP_PX: Final = 16
_SMOOTH_FROM: Final = 1.4
"""Where a pixel of the view spans more of the picture than this, the picture is smoothed first."""


def cut_view(
    image: Image,
    plane: TablePlane,
    centre_mm: tuple[float, float],
    right_deg: float,
    size_px: tuple[int, int],
    px_per_mm: float,
) -> Image:
    """A view of the table around ``centre_mm``, ``size_px`` (width, height) large.

    The view's x axis runs in the table's direction ``right_deg`` (clockwise from +x). Lens
    distortion is taken out; what lies outside the picture is black. Where the camera sees
    much finer than ``px_per_mm``, the picture is reduced first, so that nothing flickers.
    """
    width, height = size_px
    to_mm = _view_to_mm(centre_mm, right_deg, size_px, px_per_mm)
    # Without a lens four corners tell all; with one the map is curved.
    straight = plane.camera_matrix_px is None or plane.distortion is None
    step = max(size_px) if straight else _MAP_STEP_PX
    nx, ny = max(2, width // step + 1), max(2, height // step + 1)
    gx, gy = np.meshgrid(np.linspace(0, width - 1, nx), np.linspace(0, height - 1, ny))
    on_table = np.column_stack([gx.ravel(), gy.ravel()]) @ to_mm[:2, :2].T + to_mm[:2, 2]
    source = plane.to_px(on_table).reshape(ny, nx, 2)

    fine = _steps_per_pixel(source, width, height)
    whole = max(1, int(fine))
    rows, columns = image.shape[:2]
    x0, y0 = np.floor(source.reshape(-1, 2).min(axis=0) - 4 * fine).astype(int)
    x1, y1 = np.ceil(source.reshape(-1, 2).max(axis=0) + 4 * fine).astype(int)
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(columns, int(x1)), min(rows, int(y1))
    part = image[y0 : y1 - (y1 - y0) % whole, x0 : x1 - (x1 - x0) % whole]
    if min(part.shape[:2]) < 2 * whole:
        return np.zeros((height, width, 3), np.uint8)
    part = _reduced(part, max(1.0, fine))
    # Pixel centres lie half a pixel in from the border, whatever the size.
    at = (0.5 - np.array([x0, y0])) / whole - 0.5
    if straight:
        shift = np.array([[1 / whole, 0.0, at[0]], [0.0, 1 / whole, at[1]], [0.0, 0.0, 1.0]])
        view = cv2.warpPerspective(
            part,
            shift @ plane.mm_to_px @ to_mm,
            size_px,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
        )
    else:
        maps = _grow_map((source / whole + at).astype(np.float32), width, height)
        across, down = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
        view = cv2.remap(part, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(view, np.uint8)


def _view_to_mm(
    centre_mm: tuple[float, float], right_deg: float, size_px: tuple[int, int], px_per_mm: float
) -> Floats:
    """From the view's pixels to the table, 3x3."""
    turn = np.radians(right_deg)
    cos, sin = np.cos(turn) / px_per_mm, np.sin(turn) / px_per_mm
    u, v = (size_px[0] - 1) / 2, (size_px[1] - 1) / 2
    return np.array(
        [
            [cos, -sin, centre_mm[0] - u * cos + v * sin],
            [sin, cos, centre_mm[1] - u * sin - v * cos],
            [0.0, 0.0, 1.0],
        ]
    )


def _reduced(part: Image, fine: float) -> Image:
    """A picture reduced by the whole part of a number, and smoothed as by all of it.

    To reduce by a fraction would cost fifteen times as much.
    """
    whole = int(fine)
    if whole > 1:
        size = (part.shape[1] // whole, part.shape[0] // whole)
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    if fine > _SMOOTH_FROM:
        # What a mean over n pixels spreads, and a bilinear cut out of such means.
        spread = np.sqrt((fine / whole) ** 2 / 4 - 1 / 12)
        part = np.asarray(cv2.GaussianBlur(part, (5, 5), spread), np.uint8)
    return part


def _steps_per_pixel(source: Floats, width: int, height: int) -> float:
    """How many picture pixels one pixel of the view spans, mean over the view."""
    across = np.hypot(*(source[:, 1:] - source[:, :-1]).reshape(-1, 2).T).mean()
    down = np.hypot(*(source[1:] - source[:-1]).reshape(-1, 2).T).mean()
    across, down = across * (source.shape[1] - 1), down * (source.shape[0] - 1)
    return float((across / max(1, width - 1) + down / max(1, height - 1)) / 2)


def _grow_map(grid: NDArray[np.float32], width: int, height: int) -> NDArray[np.float32]:
    """Interpolates a coarse map whose first and last points are the view's corner pixels."""
    ny, nx = grid.shape[:2]
    gx = np.arange(width, dtype=np.float32) * ((nx - 1) / max(1, width - 1))
    gy = np.arange(height, dtype=np.float32) * ((ny - 1) / max(1, height - 1))
    px, py = np.meshgrid(gx, gy)
    return np.asarray(
        cv2.remap(grid, px, py, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
