"""A closer look: reads a part of the table in the last still frames, and remembers the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from typing import Final

import cv2
import numpy as np

from vision.facts import Half, Image, Reader
from vision.frames import Frame
from vision.plane import TablePlane

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 on the table, millimetres."""

_BLEND: Final = 3
"""Still frames that are averaged for a reading."""
_BLEND_APART_S: Final = 0.05
_RIM_PX: Final = 8
_SAME_MM: Final = 12.0
"""Halves nearer than this in two readings of a still table are the same."""


class CloserLook:
    """Keeps the last frames and reads in them."""

    def __init__(self, reader: Reader, plane: TablePlane) -> None:
        self._reader = reader
        self._plane = plane
        self._frames: deque[Frame] = deque(maxlen=_BLEND)

    def keep(self, frame: Frame) -> None:
        """Take in the next frame."""
        if not self._frames or frame.at_s - self._frames[-1].at_s >= _BLEND_APART_S:
            self._frames.append(frame)

    def read(
        self,
        frame: Frame,
        region: Rectangle | None,
        known: Sequence[Half],
        still_since_s: float,
    ) -> list[Half]:
        """Halves all over the table: read within a region, ``known`` ones outside it.

        Frames since ``still_since_s`` are averaged, which takes out noise and flicker; give
        the frame's own time where something moves in the region.
        """
        image = self._blended(frame, region, still_since_s)
        fresh = self._reader.read(image, self._plane, region)
        if region is None:
            return list(fresh)
        return [half for half in known if not inside(half, region)] + list(fresh)

    def _blended(self, frame: Frame, region: Rectangle | None, since_s: float) -> Image:
        others = [
            other.image
            for other in self._frames
            if since_s <= other.at_s < frame.at_s and other.image.shape == frame.image.shape
        ]
        if not others:
            return frame.image
        x0, y0, x1, y1 = self._box_px(region, frame.image)
        total = frame.image[y0:y1, x0:x1].astype(np.uint16)
        for image in others:
            cv2.add(total, image[y0:y1, x0:x1], dst=total, dtype=cv2.CV_16U)
        blended = frame.image.copy()
        mean = cv2.convertScaleAbs(total, alpha=1 / (len(others) + 1))
        blended[y0:y1, x0:x1] = mean
        return blended

    def _box_px(self, region: Rectangle | None, image: Image) -> tuple[int, int, int, int]:
        rows, columns = image.shape[:2]
        if region is None:
            return 0, 0, columns, rows
        x0, y0, x1, y1 = region
        corners = self._plane.to_px(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        size = np.array([columns, rows])
        low = np.clip(np.floor(corners.min(axis=0)) - _RIM_PX, 0, size).astype(int)
        high = np.clip(np.ceil(corners.max(axis=0)) + _RIM_PX, 0, size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def averaged(newest: Sequence[Half], earlier: Sequence[Sequence[Half]]) -> list[Half]:
    """The newest reading, its guesses averaged with those of earlier ones of the same halves."""
    halves: list[Half] = []
    for half in newest:
        same = [half]
        for reading in earlier:
            near = [other for other in reading if _apart_mm(half, other) < _SAME_MM]
            same += sorted(near, key=lambda other: _apart_mm(half, other))[:1]
        halves.append(
            replace(
                half,
                colour_p=_mean([other.colour_p for other in same]),
                face_p=_mean([other.face_p for other in same]),
            )
        )
    return halves


def _apart_mm(one: Half, other: Half) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _mean(guesses: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(float(p) for p in np.mean(guesses, axis=0))


def inside(half: Half, region: Rectangle) -> bool:
    """Whether the centre of a half lies in a region."""
    return region[0] <= half.x_mm <= region[2] and region[1] <= half.y_mm <= region[3]
