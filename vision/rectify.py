"""Cuts upright, evenly scaled views of the table out of a camera picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image
from vision.plane import TablePlane

_MAP_STEP_PX = 16


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
    nx, ny = max(2, width // _MAP_STEP_PX + 1), max(2, height // _MAP_STEP_PX + 1)
    gx, gy = np.meshgrid(np.linspace(0, width - 1, nx), np.linspace(0, height - 1, ny))
    turn = np.radians(right_deg)
    u, v = (gx - (width - 1) / 2) / px_per_mm, (gy - (height - 1) / 2) / px_per_mm
    x = centre_mm[0] + u * np.cos(turn) - v * np.sin(turn)
    y = centre_mm[1] + u * np.sin(turn) + v * np.cos(turn)
    source = plane.to_px(np.column_stack([x.ravel(), y.ravel()])).reshape(ny, nx, 2)

    fine = _steps_per_pixel(source, width, height)
    rows, columns = image.shape[:2]
    x0, y0 = np.floor(source.reshape(-1, 2).min(axis=0) - 4 * fine).astype(int)
    x1, y1 = np.ceil(source.reshape(-1, 2).max(axis=0) + 4 * fine).astype(int)
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(columns, int(x1)), min(rows, int(y1))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros((height, width, 3), np.uint8)
    part = image[y0:y1, x0:x1]
    source = source - np.array([x0, y0])
    if fine > 1.4:
        scale = 1 / fine
        size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
        shrink = np.array([size[0] / part.shape[1], size[1] / part.shape[0]])
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        source = (source + 0.5) * shrink - 0.5
    maps = _grow_map(source.astype(np.float32), width, height)
    across, down = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
    view = cv2.remap(part, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(view, np.uint8)


def _steps_per_pixel(source: NDArray[np.float64], width: int, height: int) -> float:
    """How many picture pixels one pixel of the view spans, mean over the view."""
    across = np.linalg.norm(np.diff(source, axis=1), axis=2).mean() * (source.shape[1] - 1)
    down = np.linalg.norm(np.diff(source, axis=0), axis=2).mean() * (source.shape[0] - 1)
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
