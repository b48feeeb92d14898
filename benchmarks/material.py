"""What the benchmark works on: the sample recording, and a copy of it in full HD."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.table import load_table, save_table
from vision.facts import Image

SAMPLE = Path(__file__).resolve().parent.parent / "datasets" / "samples" / "c1.mp4"
FULL_HD_PX = (1920, 1080)


def table_of(video: Path) -> Path:
    """The table file that lies beside a recording."""
    return video.with_suffix(".table.json")


def full_hd_copy(video: Path, folder: Path, seconds: float, *, between: int = 0) -> Path:
    """The beginning of a recording, enlarged to 1920 x 1080, with its table file beside it.

    MPEG-4 part 2, which OpenCV can write everywhere; it decodes about as fast as H.264. With
    ``between``, so many pictures are blended in between any two, and it has so many more a second.
    """
    source = cv2.VideoCapture(str(video))
    rate = source.get(cv2.CAP_PROP_FPS)
    steps = between + 1
    copy = folder / "full-hd.mp4"
    sink = cv2.VideoWriter(str(copy), cv2.VideoWriter.fourcc(*"mp4v"), rate * steps, FULL_HD_PX)
    before: Image | None = None
    for _ in range(round(seconds * rate)):
        done, frame = source.read()
        if not done:
            break
        image = np.asarray(cv2.resize(frame, FULL_HD_PX, interpolation=cv2.INTER_CUBIC), np.uint8)
        for step in range(1, steps):
            share = step / steps
            old = image if before is None else before
            sink.write(cv2.addWeighted(old, 1 - share, image, share, 0.0))
        sink.write(image)
        before = image
    sink.release()
    source.release()
    table = load_table(table_of(video))
    save_table(replace(table, plane=table.plane.resized(FULL_HD_PX)), table_of(copy))
    return copy


def last_frame(video: Path) -> Image:
    """The last frame that can be decoded: the longest line of the recording."""
    source = cv2.VideoCapture(str(video))
    last: Image | None = None
    while True:
        done, frame = source.read()
        if not done:
            break
        last = np.asarray(frame, dtype=np.uint8)
    source.release()
    if last is None:
        raise ValueError(f"{video}: expected a recording, found no frame in it")
    return last
