"""A cheap look at every frame: what differs from the settled table, and for how long.

Everything here happens on a small copy of the picture, a few millimetres of table a pixel.
The settled table is kept as a picture of its own, follows slow changes of light, and is
replaced only where the caller says that something new lies still (`Activity.settle`).
Thresholds follow the noise of the recording itself; waiting times are seconds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image
from vision.frames import Frame
from vision.grid import Grid, Mask, window_of

REMEMBER_S: Final = 6.0
_MOTION_S: Final = 0.1
"""Movement is the difference to the picture of this long ago, whatever the frame rate."""
_NOISE_FACTOR: Final = 5.0
_LEAST_STEP: Final = 10.0
"""Grey levels. Video codecs move still areas by a few levels, however low the noise."""
_MOST_STEP: Final = 40.0
_NOISE_S: Final = 1.0
_LIGHT_S: Final = 3.0
"""How fast the settled table follows the light."""
_LEARN_EVERY_S: Final = 0.19
"""Light and noise change slowly enough to be followed five times a second."""
_SINKS_S: Final = 0.8
"""A camera that is followed for the first time has sunk for about so long."""
_SWAYS_S: Final = 3.0
"""For so long after the camera has moved it may be moving still, by less than can be told."""
_GONE_S: Final = 0.5
_CELL: Final = np.ones((3, 3), np.uint8)
_SAMPLES: Final = 1200
_BURNT_OUT: Final = 245
_LEAST_GAIN: Final = 0.015
_RELIGHT_SHARE: Final = 0.6
_RELIGHT_S: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A connected part of what has changed."""

    inside: NDArray[np.bool_]
    """Its cells, in the shape of the grid."""
    box: tuple[int, int, int, int]
    """First column and row, columns, rows."""
    area: int
    """Cells."""

    def of(self, cells: NDArray[Any]) -> NDArray[Any]:
        """Its cells of an array in the shape of the grid."""
        left, top, wide, high = self.box
        window = slice(top, top + high), slice(left, left + wide)
        return cells[window][self.inside[window]]


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
        self._shown: _Shown | None = None
        """The same as a picture; None once it has changed."""
        self._under: NDArray[np.float32] | None = None
        """What the table was where something only rests on it (see `rest`)."""
        self._resting: Mask = np.zeros(grid.shape, np.uint8)
        self._past: deque[tuple[float, Image]] = deque()
        self._still_since_s: NDArray[np.float32] = np.zeros(grid.shape, np.float32)
        self._step = _LEAST_STEP
        self._learnt_s = 0.0
        cells = grid.shape[0] * grid.shape[1]
        self._samples = np.arange(0, cells, max(1, cells // _SAMPLES) | 1)
        self._relit_since_s: float | None = None
        self._swayed_s = float("-inf")
        """When the camera was last found to have moved."""

    def look(self, frame: Frame) -> Look:
        """Take in the next frame."""
        small = np.asarray(cv2.blur(self.grid.shrink(frame.image), (3, 3)), np.uint8)
        at_s = frame.at_s
        if self._table is None:
            self._begin(small, at_s)
        table = self._picture()
        small = self._even_out(small, table)
        sways = at_s - self._swayed_s < _SWAYS_S
        difference = _beyond(small, *table.around) if sways else _difference(small, table.image)
        if self._under is not None and cv2.countNonZero(self._resting):
            difference = self._with_under(small, difference, at_s)
        # Whole numbers: compared with a fraction, numpy would widen every cell first.
        step = int(self._step)
        changed = _as_mask(difference > step)
        moving = _difference(small, self._reference(at_s)) > step
        self._still_since_s[moving] = at_s
        relit = self._is_relit(changed, moving, at_s)
        if relit:
            self._begin(small, at_s)
            changed = np.zeros(self.grid.shape, np.uint8)
        elif at_s - self._learnt_s >= _LEARN_EVERY_S:
            self._learn(small, difference, changed, at_s)
        self._past.append((at_s, small))
        while self._past[0][0] < at_s - REMEMBER_S:
            self._past.popleft()
        parts = _parts(changed)
        return Look(at_s, small, table.image, changed, parts, self._still_since_s, relit)

    @property
    def resting(self) -> Mask:
        """Where something rests on the table (see `rest`) and hides it."""
        return self._resting

    def settle(self, mask: Mask, look: Look) -> None:
        """What the frame shows under the mask belongs to the table from now on."""
        self._put(mask, look.small)
        self._resting[mask > 0] = 0

    def rest(self, mask: Mask, look: Look) -> None:
        """Something rests under the mask (an elbow): no change as long as it stays, nor once
        it has gone and the table is as before."""
        assert self._table is not None
        if self._under is None:
            self._under = self._table.copy()
        fresh = (mask > 0) & (self._resting == 0)
        self._under[fresh] = self._table[fresh]
        self._put(mask, look.small)
        self._resting[mask > 0] = 255

    def camera_moved(
        self, grid: Grid, motion: NDArray[np.float64], look: Look, *, sank: bool
    ) -> None:
        """The settled table lies elsewhere in the picture now; ``motion`` leads there, in cells.

        What has come into the picture belongs to the table as the frame shows it. A camera that
        only ``sank`` a little leaves the last looks as good as they were, each moved along.
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
        self._shown = None
        began_s = max(self._swayed_s, look.at_s - _SINKS_S)
        past = list(self._past) if sank else []
        self._past.clear()
        for at_s, small in past:
            # It sank evenly: the newest look was taken where the camera is now.
            share = min(1.0, (look.at_s - at_s) / (look.at_s - began_s))
            way = np.eye(3) + share * (motion - np.eye(3))
            moved = cv2.warpPerspective(
                small, way, (columns, rows), borderMode=cv2.BORDER_REPLICATE
            )
            self._past.append((at_s, np.asarray(moved, np.uint8)))
        self._relit_since_s = None
        self._swayed_s = look.at_s

    def as_now(self, mask: Mask, look: Look, share: float) -> Iterator[tuple[float, bool]]:
        """For each look before, the newest first: its time, and whether at least ``share`` of the
        masked cells looked then as in ``look``."""
        window = window_of(mask)
        within, now = mask[window], look.small[window]
        enough = share * cv2.countNonZero(within)
        for at_s, small in reversed(self._past):
            alike = _as_mask(_difference(small[window], now) <= int(self._step))
            yield at_s, cv2.countNonZero(alike & within) >= enough

    def _with_under(self, small: Image, difference: Image, at_s: float) -> Image:
        """The difference where things rest: the table with and without them both are known."""
        assert self._table is not None and self._under is not None
        window = window_of(self._resting)
        resting, apart, under = self._resting[window], difference[window], self._under[window]
        below = _difference(small[window], _as_image(under))
        step = int(self._step)
        gone = (resting > 0) & (below <= step) & (apart > step)
        cv2.copyTo(cv2.min(apart, below), resting, apart)
        if gone.any():
            gone &= self._still_since_s[window] < at_s - _GONE_S
            self._table[window][gone] = under[gone]
            self._shown = None
            resting[gone] = 0
        return difference

    def _begin(self, small: Image, at_s: float) -> None:
        self._table = small.astype(np.float32)
        self._shown = None
        self._learnt_s = at_s
        self._under = None
        self._resting[:] = 0
        self._still_since_s[:] = at_s
        self._relit_since_s = None

    def _put(self, mask: Mask, small: Image) -> None:
        """Make the masked cells of a look the table."""
        assert self._table is not None
        cv2.copyTo(small.astype(np.float32), mask, self._table)
        self._shown = None

    def _picture(self) -> _Shown:
        """The settled table as a picture."""
        if self._shown is None:
            assert self._table is not None
            self._shown = _Shown.of(_as_image(self._table), self._samples)
        return self._shown

    def _even_out(self, small: Image, table: _Shown) -> Image:
        """Undo a change of exposure or white balance: scale each channel to the table's."""
        seen = small.reshape(-1, 3)[table.bright].astype(np.float32)
        # The median passes over the cells under a hand.
        gain = _median(table.wanted / (seen + 1))
        if np.abs(gain - 1).max() < _LEAST_GAIN:
            return small
        even = cv2.transform(small, np.diag(np.clip(gain, 0.5, 2.0)))
        # What is burnt out may have been brighter than it looks, as bright as it was before.
        _, burnt = cv2.threshold(small, _BURNT_OUT - 1, 255, cv2.THRESH_BINARY)
        return np.asarray(cv2.max(even, cv2.min(table.image, burnt)), dtype=np.uint8)

    def _reference(self, at_s: float) -> Image:
        """The picture of about `_MOTION_S` ago."""
        for then_s, small in reversed(self._past):
            if then_s <= at_s - _MOTION_S:
                return small
        return self._past[0][1] if self._past else self._picture().image

    def _is_relit(self, changed: Mask, moving: NDArray[np.bool_], at_s: float) -> bool:
        if cv2.countNonZero(changed) < _RELIGHT_SHARE * changed.size or moving.mean() > 0.1:
            self._relit_since_s = None
            return False
        if self._relit_since_s is None:
            self._relit_since_s = at_s
        return at_s - self._relit_since_s >= _RELIGHT_S

    def _learn(self, small: Image, difference: Image, changed: Mask, at_s: float) -> None:
        """Follow the light and the noise where nothing changed."""
        assert self._table is not None
        dt_s, self._learnt_s = at_s - self._learnt_s, at_s
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
        self._shown = None


@dataclass(frozen=True, eq=False)
class _Shown:
    """The settled table as a picture, and what tells the light on it."""

    image: Image
    bright: NDArray[np.intp]
    """Cells that tell the light best, counted along the rows."""
    wanted: NDArray[np.float32]
    """One more than what these cells show, shape (n, 3)."""

    @cached_property
    def around(self) -> tuple[Image, Image]:
        """The darkest and the brightest within a cell of each."""
        return cv2.erode(self.image, _CELL), cv2.dilate(self.image, _CELL)  # type: ignore[return-value]

    @staticmethod
    def of(image: Image, samples: NDArray[np.intp]) -> _Shown:
        """The brighter half of some cells."""
        cells = image.reshape(-1, 3)[samples]
        darkest = np.minimum(np.minimum(cells[:, 0], cells[:, 1]), cells[:, 2])
        bright = darkest >= _median(darkest)
        return _Shown(image, samples[bright], cells[bright].astype(np.float32) + 1)


def _parts(changed: Mask) -> tuple[Part, ...]:
    if not cv2.countNonZero(changed):
        return ()  # most looks: nothing is cheaper than not to ask
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    # Labels of 16 bits in the part of the picture that has any take a quarter of the time.
    x, y, columns, rows = cv2.boundingRect(joined)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        joined[y : y + rows, x : x + columns], connectivity=8, ltype=cv2.CV_16U
    )
    parts: list[Part] = []
    for label in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[label])
        inside = np.zeros(changed.shape, np.bool_)
        np.equal(labels, label, out=inside[y : y + rows, x : x + columns])
        parts.append(Part(inside, (x + left, y + top, wide, high), area))
    return tuple(parts)


def _difference(one: Image, other: Image) -> Image:
    """Largest difference of the three channels, cell by cell."""
    apart = cv2.absdiff(one, other)
    blue, green, red = cv2.split(apart)
    return cv2.max(cv2.max(blue, green), red)  # type: ignore[return-value]


def _beyond(small: Image, darkest: Image, brightest: Image) -> Image:
    """How far a picture lies outside of what another shows within a cell: the edges of what is
    there do not differ where the camera looks elsewhere by less than that."""
    apart = cv2.max(cv2.subtract(small, brightest), cv2.subtract(darkest, small))
    blue, green, red = cv2.split(apart)
    return cv2.max(cv2.max(blue, green), red)  # type: ignore[return-value]


def _median(values: NDArray[Any]) -> NDArray[Any]:
    """The median of each column, or the value after it: `numpy.median` takes thrice as long."""
    middle = len(values) // 2
    return np.asarray(np.partition(values, middle, axis=0)[middle])


def _as_mask(cells: NDArray[np.bool_]) -> Mask:
    return cells.view(np.uint8) * np.uint8(255)


def _as_image(values: NDArray[np.float32]) -> Image:
    return cv2.convertScaleAbs(values)  # type: ignore[return-value]
