"""Pictures to calibrate with, from whatever a user has: a picture, a video, a folder, a camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.facts import Image
from vision.frames import SourceError, glimpses, open_recording
from vision.live import open_live

_SUFFIXES: Final = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
_GLIMPSES: Final = (0.4, 0.55, 0.7, 0.85, 0.98)
"""Where in a recording the table is looked for: late, when many cards lie."""
_LIVE_PICTURES: Final = 3
_LIVE_APART_S: Final = 0.5
_FIRST_PICTURE_S: Final = 15.0


def is_recording(source: str) -> bool:
    """Whether a source is a video file or a folder of pictures."""
    path = Path(source)
    return path.is_dir() or (path.is_file() and path.suffix.lower() not in _SUFFIXES)


def is_picture(source: str) -> bool:
    """Whether a source is a single picture's file."""
    path = Path(source)
    return path.is_file() and path.suffix.lower() in _SUFFIXES


def table_pictures(source: str) -> list[Image]:
    """A few pictures of one view, the last one showing most: one of a picture file, several of
    a recording or a camera. Raises `SourceError` where there is none."""
    path = Path(source)
    if is_recording(source):
        images = glimpses(path, _GLIMPSES)
    elif path.is_file():
        images = [_load(path)]
    else:
        images = _from_camera(source)
    if not images:
        raise SourceError(f"{source}: expected pictures of the table, found none in it")
    return images


def pictures(source: str, every_s: float, seconds: float) -> Iterator[Image]:
    """All pictures of a source: each of a folder, one each ``every_s`` of a video or a camera,
    of the latter for so many ``seconds``. Raises `SourceError`."""
    path = Path(source)
    if is_recording(source):
        recording = open_recording(path, every_s)
        try:
            for frame in recording:
                yield frame.image
        finally:
            recording.close()
    elif path.is_file():
        yield _load(path)
    else:
        yield from _watched(source, every_s, seconds)


def _watched(source: str, every_s: float, seconds: float) -> Iterator[Image]:
    if "://" not in source and Path(source).suffix.lower() in _SUFFIXES:
        # Not the name of a camera that may yet be plugged in.
        raise SourceError(f"{source}: expected a picture's file, found none")
    live = open_live(source)
    try:
        if not live.wait(_FIRST_PICTURE_S):
            raise SourceError(
                f"{source}: expected a picture within {_FIRST_PICTURE_S:.0f} s, found none"
                f" ({live.status.text})"
            )
        began_s = time.monotonic()
        next_s = -every_s
        for frame in live:
            if time.monotonic() - began_s > seconds:
                return
            if frame.at_s >= next_s:
                next_s = frame.at_s + every_s
                yield frame.image
    finally:
        live.close()


def _from_camera(source: str) -> list[Image]:
    images: list[Image] = []
    for image in _watched(source, _LIVE_APART_S, 60.0):
        images.append(image)
        if len(images) == _LIVE_PICTURES:
            break
    return images


def _load(path: Path) -> Image:
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise SourceError(f"{path}: expected a picture (JPEG, PNG, ...), found something else")
    return np.asarray(image, dtype=np.uint8)
