"""A cheap look at every frame: what differs from the settled table, and for how long.

Everything here happens on a small copy of the picture, a few millimetres of table a pixel.
The settled table is kept as a picture of its own, follows slow changes of light, and is
replaced only where the caller says that something new lies still (`Activity.settle`).
Thresholds follow the noise of the recording itself; waiting times are seconds.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image
from vision.frames import Frame
from vision.plane import TablePlane

Mask = NDArray[np.uint8]
"""A small picture of 0 and 255."""

_MM_PER_CELL: Final = 3.0
_CELLS_WIDE: Final = (240, 640)
_REMEMBER_S: Final = 6.0
_MOTION_S: Final = 0.1
"""Movement is the difference to the picture of this long ago, whatever the frame rate."""
_NOISE_FACTOR: Final = 5.0
_LEAST_STEP: Final = 10.0
"""Grey levels. Video codecs move still areas by a few levels, however low the noise."""
_MOST_STEP: Final = 40.0
_NOISE_S: Final = 1.0
_LIGHT_S: Final = 3.0
"""How fast the settled table follows the light."""
_GONE_S: Final = 0.5
_SAMPLES: Final = 1200
_BURNT_OUT: Final = 245
_LEAST_GAIN: Final = 0.015
_RELIGHT_SHARE: Final = 0.6
_RELIGHT_S: Final = 1.0


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
        offset = self.mm - np.array([x_mm, y_mm], np.float32)
        within = np.hypot(offset[..., 0], offset[..., 1]) <= radius_mm
        return np.where(within, 255, 0).astype(np.uint8)

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


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A connected part of what has changed."""

    inside: NDArray[np.bool_]
    """Its cells, in the shape of the grid."""
    box: tuple[int, int, int, int]
    """First column and row, columns, rows."""
    area: int
    """Cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one frame shows at a glance."""

    at_s: float
    small: Image
    """The small picture, light evened out to that of the settled table."""
    table: Image
    """The settled table that the frame was compared with."""
    changed: Mask
    """Where the picture differs from the settled table: hands, shadows, what was laid."""
    parts: tuple[Part, ...]
    """The connected parts of ``changed``, hairline gaps closed."""
    still_since_s: NDArray[np.float32]
    """For each cell the time of the recording since when nothing moved there."""
    relit: bool
    """The whole picture changed for good (lamp, camera) and was taken as the new table."""


class Activity:
    """Compares each frame with the settled table."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._table: NDArray[np.float32] | None = None
        """The settled table, blue-green-red."""
        self._under: NDArray[np.float32] | None = None
        """What the table was where something only rests on it (see `rest`)."""
        self._resting: Mask = np.zeros(grid.shape, np.uint8)
        self._past: deque[tuple[float, Image]] = deque()
        self._still_since_s: NDArray[np.float32] = np.zeros(grid.shape, np.float32)
        self._step = _LEAST_STEP
        cells = grid.shape[0] * grid.shape[1]
        self._samples = np.arange(0, cells, max(1, cells // _SAMPLES) | 1)
        self._relit_since_s: float | None = None

    def look(self, frame: Frame) -> Look:
        """Take in the next frame."""
        small = cv2.blur(self.grid.shrink(frame.image), (3, 3))
        at_s = frame.at_s
        if self._table is None:
            self._begin(small, at_s)  # type: ignore[arg-type]
        assert self._table is not None
        small = self._even_out(small)  # type: ignore[arg-type]
        table = _as_image(self._table)
        difference = _difference(small, table)
        if self._under is not None:
            difference = self._with_under(small, difference, at_s)
        changed = (difference > self._step).astype(np.uint8) * 255
        moving = _difference(small, self._reference(at_s)) > self._step
        self._still_since_s[moving] = at_s
        relit = self._is_relit(changed, moving, at_s)
        if relit:
            self._begin(small, at_s)
            changed = np.zeros(self.grid.shape, np.uint8)
        dt_s = at_s - self._past[-1][0] if self._past else 0.0
        self._learn(small, difference, changed, dt_s)
        self._past.append((at_s, small))
        while self._past[0][0] < at_s - _REMEMBER_S:
            self._past.popleft()
        return Look(at_s, small, table, changed, _parts(changed), self._still_since_s, relit)

    @property
    def resting(self) -> Mask:
        """Where something rests on the table (see `rest`) and hides it."""
        return self._resting

    def settle(self, mask: Mask, look: Look) -> None:
        """What the frame shows under the mask belongs to the table from now on."""
        assert self._table is not None
        self._table[mask > 0] = look.small[mask > 0]
        self._resting[mask > 0] = 0

    def rest(self, mask: Mask, look: Look) -> None:
        """Something rests under the mask (an elbow): no change as long as it stays, nor once
        it has gone and the table is as before."""
        assert self._table is not None
        if self._under is None:
            self._under = self._table.copy()
        fresh = (mask > 0) & (self._resting == 0)
        self._under[fresh] = self._table[fresh]
        self._table[mask > 0] = look.small[mask > 0]
        self._resting[mask > 0] = 255

    def camera_moved(self, grid: Grid, motion: NDArray[np.float64], look: Look) -> None:
        """The settled table lies elsewhere in the picture now; ``motion`` leads there, in cells.

        What has come into the picture belongs to the table as the frame shows it.
        """
        assert self._table is not None
        self.grid = grid
        rows, columns = grid.shape
        inside = np.full(grid.shape, 255, np.uint8)
        known = cv2.warpPerspective(inside, motion, (columns, rows), flags=cv2.INTER_NEAREST) > 0
        for table in (self._table, self._under):
            if table is not None:
                moved = cv2.warpPerspective(table, motion, (columns, rows))
                table[:] = np.where(known[..., None], moved, look.small)
        self._resting = np.asarray(
            cv2.warpPerspective(self._resting, motion, (columns, rows), flags=cv2.INTER_NEAREST),
            dtype=np.uint8,
        )
        self._past.clear()
        self._relit_since_s = None

    def lies_since_s(self, mask: Mask, look: Look, share: float) -> float:
        """Since when at least ``share`` of the masked cells have looked as in ``look``."""
        inside = mask > 0
        now = look.small[inside].astype(np.int16)
        since_s = look.at_s
        for at_s, small in reversed(self._past):
            apart = np.abs(small[inside].astype(np.int16) - now).max(axis=1)
            if np.count_nonzero(apart <= self._step) < share * len(apart):
                break
            since_s = at_s
        return since_s

    def _with_under(self, small: Image, difference: Image, at_s: float) -> Image:
        """The difference where things rest: the table with and without them both are known."""
        assert self._table is not None and self._under is not None
        below = _difference(small, _as_image(self._under))
        still = self._still_since_s < at_s - _GONE_S
        gone = (self._resting > 0) & (below <= self._step) & (difference > self._step) & still
        self._table[gone] = self._under[gone]
        self._resting[gone] = 0
        both = np.minimum(difference, below)
        return np.where((self._resting > 0) | gone, both, difference)

    def _begin(self, small: Image, at_s: float) -> None:
        self._table = small.astype(np.float32)
        self._under = None
        self._resting[:] = 0
        self._still_since_s[:] = at_s
        self._relit_since_s = None

    def _even_out(self, small: Image) -> Image:
        """Undo a change of exposure or white balance: scale each channel to the table's."""
        assert self._table is not None
        seen = small.reshape(-1, 3)[self._samples].astype(np.float32)
        wanted = self._table.reshape(-1, 3)[self._samples]
        # Bright cells tell the light best; the median passes over those under a hand.
        bright = wanted.min(axis=1) >= np.median(wanted.min(axis=1))
        gain = np.median((wanted[bright] + 1) / (seen[bright] + 1), axis=0)
        if np.abs(gain - 1).max() < _LEAST_GAIN:
            return small
        curves = [np.clip(np.arange(256) * g, 0, 255) for g in np.clip(gain, 0.5, 2.0)]
        even = cv2.LUT(small, np.stack(curves, axis=1).astype(np.uint8)[None])
        # What is burnt out may have been brighter than it looks, as bright as it was before.
        brighter = np.maximum(even, _as_image(self._table))
        return np.where(small >= _BURNT_OUT, brighter, even).astype(np.uint8)

    def _reference(self, at_s: float) -> Image:
        """The picture of about `_MOTION_S` ago."""
        for then_s, small in reversed(self._past):
            if then_s <= at_s - _MOTION_S:
                return small
        assert self._table is not None
        return self._past[0][1] if self._past else _as_image(self._table)

    def _is_relit(self, changed: Mask, moving: NDArray[np.bool_], at_s: float) -> bool:
        if cv2.countNonZero(changed) < _RELIGHT_SHARE * changed.size or moving.mean() > 0.1:
            self._relit_since_s = None
            return False
        if self._relit_since_s is None:
            self._relit_since_s = at_s
        return at_s - self._relit_since_s >= _RELIGHT_S

    def _learn(self, small: Image, difference: Image, changed: Mask, dt_s: float) -> None:
        """Follow the light and the noise where nothing changed."""
        assert self._table is not None
        unchanged = cv2.bitwise_not(cv2.dilate(changed, np.ones((5, 5), np.uint8)))
        counts = cv2.calcHist([difference], [0], unchanged, [64], [0, 64]).ravel()
        total = counts.sum()
        if total < 100:
            return
        nine_of_ten = float(np.searchsorted(np.cumsum(counts), 0.9 * total))
        wanted = min(max(_NOISE_FACTOR * nine_of_ten, _LEAST_STEP), _MOST_STEP)
        self._step += (wanted - self._step) * min(1.0, dt_s / _NOISE_S)
        weight = min(1.0, dt_s / _LIGHT_S)
        cv2.accumulateWeighted(small, self._table, weight, unchanged)


def _parts(changed: Mask) -> tuple[Part, ...]:
    if not cv2.countNonZero(changed):
        return ()  # most looks: nothing is cheaper than not to ask
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    parts: list[Part] = []
    for label in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[label])
        parts.append(Part(labels == label, (left, top, wide, high), area))
    return tuple(parts)


def _difference(one: Image, other: Image) -> Image:
    """Largest difference of the three channels, cell by cell."""
    apart = cv2.absdiff(one, other)
    blue, green, red = cv2.split(apart)
    return cv2.max(cv2.max(blue, green), red)  # type: ignore[return-value]


def _as_image(values: NDArray[np.float32]) -> Image:
    return cv2.convertScaleAbs(values)  # type: ignore[return-value]
