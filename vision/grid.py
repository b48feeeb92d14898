"""The small picture in which every frame is looked at, and where its cells lie on the table."""

from __future__ import annotations

from copy import copy
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image
from vision.plane import TablePlane

Mask = NDArray[np.uint8]
"""A small picture of 0 and 255."""

_MM_PER_CELL: Final = 3.0
_CELLS_WIDE: Final = (240, 640)


class Grid:
    """The small picture's cells and where they lie on the table."""

    def __init__(self, plane: TablePlane) -> None:
        wide_px, high_px = plane.image_size_px
        centre = plane.to_mm(np.array([[wide_px / 2, high_px / 2]]))[0]
        wide = wide_px / plane.px_per_mm((float(centre[0]), float(centre[1]))) / _MM_PER_CELL
        wide = min(max(round(wide), _CELLS_WIDE[0]), _CELLS_WIDE[1], wide_px)
        self.shape = (max(1, round(wide * high_px / wide_px)), wide)
        """Rows and columns."""
        self.px_per_cell = wide_px / wide
        """Picture pixels in a cell, each way."""
        self._plane = plane
        self.mm = _cell_positions(plane, self.shape, self.px_per_cell)
        """Table position of each cell, shape (rows, columns, 2), millimetres."""
        step = np.linalg.norm(self.mm[:, 1:] - self.mm[:, :-1], axis=2)
        self.mm_per_cell = float(np.median(step))
        """Width of a cell on the table."""

    def shrink(self, image: Image) -> Image:
        """The small copy of a picture."""
        # Four pixels stand for the cell: averaging all of them would cost ten times as much.
        size = (self.shape[1], self.shape[0])
        small = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(small, dtype=np.uint8)

    def cells(self, mm: float) -> int:
        """A length on the table in whole cells, at least 1."""
        return max(1, round(mm / self.mm_per_cell))

    def area_mm2(self, mask: Mask) -> float:
        """Area of a mask on the table."""
        return float(cv2.countNonZero(mask)) * self.mm_per_cell**2

    def moved(self, plane: TablePlane) -> Grid:
        """The same cells over a table that the camera now sees elsewhere."""
        other = copy(self)
        other._plane = plane
        other.mm = _cell_positions(plane, self.shape, self.px_per_cell)
        return other

    def around(self, points_mm: NDArray[np.float64], radius_mm: float) -> Mask:
        """The cells within about a distance of any of some points, shape (n, 2)."""
        mask = np.zeros(self.shape, np.uint8)
        if not len(points_mm):
            return mask
        radius = self.cells(radius_mm)
        for x, y in self._plane.to_px(points_mm) / self.px_per_cell - 0.5:
            cv2.circle(mask, (round(float(x)), round(float(y))), radius, 255, -1)
        return mask

    def outlines_mm(self, mask: Mask) -> list[NDArray[np.float64]]:
        """Outlines of a mask's parts on the table, each of shape (n, 2)."""
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [self.mm[o[:, 0, 1], o[:, 0, 0]].astype(np.float64) for o in outlines if len(o) > 2]

    def near(self, x_mm: float, y_mm: float, radius_mm: float) -> Mask:
        """The cells within a distance of a point."""
        across, down = self.mm[..., 0] - np.float32(x_mm), self.mm[..., 1] - np.float32(y_mm)
        within = across * across + down * down <= np.float32(radius_mm**2)
        return within.view(np.uint8) * np.uint8(255)

    def inside(
        self, centre_mm: tuple[float, float], size_mm: tuple[float, float]
    ) -> NDArray[np.bool_]:
        """The cells within an upright rectangle on the table."""
        wide, high = (np.float32(side / 2) for side in size_mm)
        across, down = (np.abs(self.mm[..., k] - np.float32(centre_mm[k])) for k in (0, 1))
        return np.asarray((across <= wide) & (down <= high), np.bool_)

    def bounds_mm(self, mask: Mask) -> tuple[float, float, float, float]:
        """Smallest upright rectangle (x0, y0, x1, y1) on the table around a mask's cells."""
        at = self.mm[mask > 0]
        low, high = at.min(axis=0), at.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _cell_positions(
    plane: TablePlane, shape: tuple[int, int], px_per_cell: float
) -> NDArray[np.float32]:
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    centres_px = (np.column_stack([columns.ravel(), rows.ravel()]) + 0.5) * px_per_cell
    return plane.to_mm(centres_px).astype(np.float32).reshape(*shape, 2)


def window_of(mask: Mask) -> tuple[slice, slice]:
    """The rows and columns in which a mask has cells: mostly a small share of the picture."""
    left, top, wide, high = cv2.boundingRect(mask)
    return slice(top, top + high), slice(left, left + wide)
