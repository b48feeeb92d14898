"""Whether a picture is good enough to read cards in: what the set-up page's lights show.

Every measure is one number with a unit that a person can do something about, and does not depend
on what lies on the table.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Polygon
from vision.facts import Image
from vision.frames import Frame
from vision.line import HALF_MM
from vision.plane import TablePlane

_BURNT_OUT: Final = 250
_STEP_PX: Final = 4
"""An edge is looked at over this many pixels."""
_LEAST_EDGE: Final = 20
"""Grey levels; weaker edges are grain."""
_ROWS, _COLUMNS = 96, 64
"""Cells whose brightness is followed from picture to picture."""


def edge_width_px(image: Image, within: Polygon | None = None) -> float | None:
    """How many pixels the clearest edges take from dark to light: 2 is sharp, 3 and more blurred.

    The clearest edges are those of the cards' print, or of whatever lies there. None where
    there is none. ``within`` is looked at alone, by the rectangle around it.
    """
    grey = cv2.cvtColor(_part(image, within), cv2.COLOR_BGR2GRAY).astype(np.int16)
    across = _edge_width_px(grey[::4])
    down = _edge_width_px(grey[:, ::4].T)
    widths = [width for width in (across, down) if width is not None]
    # The worse direction counts: what moves or is cylindrical blurs only one.
    return max(widths) if widths else None


def burnt_out_share(image: Image, within: Polygon | None = None) -> float:
    """Which share of the picture is white without any detail left: glare, 0...1."""
    thin = image[::_STEP_PX, ::_STEP_PX]
    burnt = thin.min(axis=2) >= _BURNT_OUT
    if within is None:
        return float(burnt.mean())
    inside = np.zeros(burnt.shape, np.uint8)
    corners = np.round(np.array(within) / _STEP_PX).astype(np.int32)
    cv2.fillPoly(inside, [corners], (1,))
    return float(burnt[inside > 0].mean()) if inside.any() else 0.0


def brightness(image: Image, within: Polygon | None = None) -> float:
    """Mean grey level, 0...255."""
    return float(_part(image, within)[::_STEP_PX, ::_STEP_PX].mean())


def half_size_px(plane: TablePlane, table_mm: tuple[float, float]) -> float:
    """The short side of a half card where the camera sees it smallest on a table of a size."""
    x, y = table_mm[0] / 2, table_mm[1] / 2
    spots = [(0.0, 0.0), (-x, -y), (x, -y), (x, y), (-x, y)]
    return min(plane.px_per_mm(spot) for spot in spots) * HALF_MM


class LightWatch:
    """Follows the brightness of the newest seconds of pictures, for flicker. From any thread."""

    def __init__(self, over_s: float = 3.0) -> None:
        self._over_s = over_s
        self._kept: deque[tuple[float, NDArray[np.uint8]]] = deque(maxlen=120)
        self._lock = threading.Lock()

    def keep(self, frame: Frame) -> None:
        """Remember what a picture tells; costs a fraction of a millisecond."""
        step = max(1, frame.image.shape[0] // 360)
        small = cv2.resize(
            frame.image[::step, ::step], (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA
        )
        with self._lock:
            if self._kept and frame.at_s < self._kept[-1][0]:
                self._kept.clear()
            self._kept.append((frame.at_s, np.asarray(small, np.uint8)))
            while self._kept[0][0] < frame.at_s - self._over_s:
                self._kept.popleft()

    def flicker(self) -> float | None:
        """By which share brightness changes from one picture to the next; None for too few.

        Lamps on mains make whole pictures lighter and darker, or send bands through them; both
        show in the middle cell of each row, where an arm that moves does not.
        """
        with self._lock:
            cells = np.array([cell for _, cell in self._kept], dtype=np.float32)
        if len(cells) < 8:
            return None
        grey = cells.mean(axis=3)
        steps = np.median(np.diff(grey, axis=0), axis=2)
        # The strongest tenth is left out: that is somebody reaching across.
        size = np.sort((steps**2).mean(axis=1))[: max(1, round(0.9 * len(steps)))]
        return float(np.sqrt(size.mean() / 2) / max(1.0, float(grey.mean())))


def _part(image: Image, within: Polygon | None) -> Image:
    if within is None:
        return image
    corners = np.array(within)
    x0, y0 = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, None)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    part = image[y0:y1, x0:x1]
    return part if min(part.shape[:2]) > 8 * _STEP_PX else image


def _edge_width_px(grey: NDArray[np.int16]) -> float | None:
    """Of the clearest edges along the rows: the whole step over the steepest part of it."""
    if grey.shape[1] <= 2 * _STEP_PX:
        return None
    whole = np.abs(grey[:, _STEP_PX:] - grey[:, :-_STEP_PX])
    steps = np.abs(np.diff(grey, axis=1))
    width = whole.shape[1]
    steepest = np.max([steps[:, i : i + width] for i in range(_STEP_PX)], axis=0)
    clear = whole >= max(_LEAST_EDGE, float(np.percentile(whole, 98.5)))
    if not clear.any():
        return None
    return float(1.0 / np.median(steepest[clear] / whole[clear]))
