"""A picture of each move: the card with what lies around it, before and after it was laid.

They lie beside the record, so that a game which goes on after a crash still has them, but nothing
depends on that: a disk that takes none costs the older ones.
"""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final, Literal, get_args

import cv2
import numpy as np

from vision.facts import Image
from vision.plane import TablePlane

When = Literal["before", "after"]

KEPT: Final = 300
"""Moves whose pictures are kept in memory, the newest ones: some 10 MB at most."""
_LONGEST_PX: Final = 360
_QUALITY: Final = 82
_AROUND_MM: Final = 40.0


class Crops:
    """Pictures by the numbers of the moves. May be used from any thread.

    Without a folder the oldest are forgotten.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._pictures: OrderedDict[int, dict[When, bytes]] = OrderedDict()
        self._folder: Path | None = None
        self._on_disk: set[tuple[int, When]] = set()

    def lie_in(self, folder: Path, newest: int) -> None:
        """Keep them in this folder, too, from now on, and know those that lie there already.

        Pictures there of moves after ``newest`` are none of this game's (-1: of none), and go.
        """
        with self._lock:
            self._folder = folder
            for path in sorted(folder.glob("*-*.jpg")):
                number, _, name = path.stem.partition("-")
                when = next((one for one in get_args(When) if one == name), None)
                if when is None or not number.isdecimal():
                    continue
                if int(number) > newest:
                    with contextlib.suppress(OSError):
                        path.unlink()
                else:
                    self._on_disk.add((int(number), when))

    def keep(self, number: int, pictures: dict[When, bytes]) -> None:
        """Keep the pictures of a move."""
        with self._lock:
            self._pictures[number] = pictures
            while len(self._pictures) > self._kept:
                self._pictures.popitem(last=False)
            if self._folder is None:
                return
            with contextlib.suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                for when, jpeg in pictures.items():
                    (self._folder / f"{number}-{when}.jpg").write_bytes(jpeg)
                    self._on_disk.add((number, when))

    def has(self, number: int) -> bool:
        """Whether there is a picture of a move."""
        with self._lock:
            return number in self._pictures or (number, "after") in self._on_disk

    def jpeg(self, number: int, when: When = "after") -> bytes | None:
        """The picture of a move as JPEG, or None where there is none."""
        with self._lock:
            jpeg = self._pictures.get(number, {}).get(when)
            if jpeg is None and self._folder is not None and (number, when) in self._on_disk:
                with contextlib.suppress(OSError):
                    jpeg = (self._folder / f"{number}-{when}.jpg").read_bytes()
            return jpeg


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
