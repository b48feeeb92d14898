"""A picture of each move: the card with what lies around it, before and after it was laid."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, Literal

import cv2
import numpy as np

from vision.facts import Image
from vision.plane import TablePlane

When = Literal["before", "after"]

KEPT: Final = 300
"""Moves whose pictures are kept, the newest ones: some 10 MB at most."""
_LONGEST_PX: Final = 360
_QUALITY: Final = 82
_AROUND_MM: Final = 40.0


class Crops:
    """Pictures by the numbers of the moves; the oldest go first. May be used from any thread."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._pictures: OrderedDict[int, dict[When, bytes]] = OrderedDict()

    def keep(self, number: int, pictures: dict[When, bytes]) -> None:
        """Keep the pictures of a move."""
        with self._lock:
            self._pictures[number] = pictures
            while len(self._pictures) > self._kept:
                self._pictures.popitem(last=False)

    def has(self, number: int) -> bool:
        """Whether there is a picture of a move."""
        with self._lock:
            return number in self._pictures

    def jpeg(self, number: int, when: When = "after") -> bytes | None:
        """The picture of a move as JPEG, or None where there is none."""
        with self._lock:
            return self._pictures.get(number, {}).get(when)


def crop(
    image: Image, plane: TablePlane, region_mm: tuple[float, float, float, float]
) -> bytes | None:
    """The part of a picture around a rectangle on the table (x0, y0, x1, y1), as JPEG.

    None where it lies outside the picture.
    """
    x0, y0, x1, y1 = region_mm
    around = np.array(
        [
            (x0 - _AROUND_MM, y0 - _AROUND_MM),
            (x1 + _AROUND_MM, y0 - _AROUND_MM),
            (x1 + _AROUND_MM, y1 + _AROUND_MM),
            (x0 - _AROUND_MM, y1 + _AROUND_MM),
        ]
    )
    corners = plane.to_px(around)
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)), 0, (width, height)).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)), 0, (width, height)).astype(int)
    if right - left < 8 or bottom - top < 8:
        return None
    part = image[top:bottom, left:right]
    scale = _LONGEST_PX / max(part.shape[:2])
    if scale < 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(
            np.uint8
        )
    done, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes() if done else None
