"""Frames with the time that they were taken, from a recording or a folder of pictures.

They are read in order and never skipped ahead of the reader (what is live is in `vision.live`: it
hands out the newest frame and drops the rest). Times come from the source itself (the recording's
time stamps, the clock at the moment of the grab), never from index divided by frame rate, because
phones record at a variable rate.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol

import cv2
import numpy as np

from vision.facts import Image

# FFmpeg talks to stderr about every damaged packet; the program says it in one sentence itself.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

LOOK_EVERY_S: Final = 0.039
"""Frames closer together than this are decoded but not looked at: of 30 a second every other
one is, of 25 each. Hands are slower than that."""

_PICTURES: Final = {".jpg", ".jpeg", ".png", ".bmp", ".webp"}
_AHEAD_BYTES: Final = 150e6
"""A reading takes as long as decoding twenty frames: with less room the decoder would wait for it,
and it for the decoder afterwards."""
_LEAST_AHEAD: Final = 4
MOST_AHEAD: Final = 48
AHEAD_OF_A_CLOCK: Final = 6
"""Frames decoded ahead where a clock, not the reader, says when each is wanted."""
_END_TOLERANCE_S: Final = 1.0
_FIRST_FRAMES: Final = 900
"""So much of a recording in which nothing can be sought shows how the table lies."""


CameraState = Literal["ok", "frozen", "gone"]
"""How a live picture is: it moves on; it stands still or nothing comes though the camera is
there; there is no camera or stream."""


class SourceError(RuntimeError):
    """No frames can be had from a source; says what was expected and what was found."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table."""

    image: Image
    """Height x width x 3, blue-green-red, turned upright where the file says how."""
    at_s: float
    """Seconds on the source's clock; grows from frame to frame."""
    index: int
    """Place in the source, counted from 0 over all frames, also those not looked at."""


class FrameSource(Protocol):
    """Where frames come from. Iterating may raise `SourceError` once the source breaks off."""

    @property
    def live(self) -> bool:
        """Whether frames are dropped when the reader is slow."""
        ...

    @property
    def duration_s(self) -> float | None:
        """Length of a recording, None where unknown or endless."""
        ...

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the frames."""
        ...

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None:
        """Let go of the camera or file; iteration ends."""
        ...


class Recording:
    """A video file, read once from start to end, decoded ahead in a thread of its own.

    Raises `SourceError` when opened on something that is no video, and at the end of the
    iteration when the file breaks off before the length that it claims.
    """

    live = False

    def __init__(
        self, path: Path, every_s: float = LOOK_EVERY_S, most_ahead: int = MOST_AHEAD
    ) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: expected a video file, found none")
        self._path = path
        self._every_s = every_s
        self._most_ahead = most_ahead
        self._capture = cv2.VideoCapture(str(path))
        ok, first = self._capture.read() if self._capture.isOpened() else (False, None)
        if not ok or first is None:
            raise SourceError(f"{path}: expected a video that can be decoded, found none in it")
        self._first: Image = first  # type: ignore[assignment]
        self._first_s = self._reached_s = self._position_s()
        self._stop = threading.Event()

    @property
    def duration_s(self) -> float | None:
        """Length that the file claims, in seconds; None where it claims none."""
        frames = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        return frames / rate if frames > 0 and rate > 0 else None

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the frames, after turning them upright."""
        return self._first.shape[1], self._first.shape[0]

    def __iter__(self) -> Generator[Frame, None, None]:
        room = min(max(_LEAST_AHEAD, int(_AHEAD_BYTES / self._first.nbytes)), self._most_ahead)
        frames: queue.Queue[Frame | None] = queue.Queue(room)
        thread = threading.Thread(target=self._decode, args=(frames,), daemon=True)
        thread.start()
        try:
            while (frame := frames.get()) is not None:
                yield frame
        finally:
            self._stop.set()
            with contextlib.suppress(queue.Empty):
                while True:  # a decoder waiting for room must not wait for ever
                    frames.get_nowait()
            thread.join()
        refuse_broken_off(self._path, self.duration_s, self._reached_s)

    def close(self) -> None:
        """Stop decoding."""
        self._stop.set()

    def _position_s(self) -> float:
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000

    def _decode(self, frames: queue.Queue[Frame | None]) -> None:
        try:
            self._put(frames, Frame(self._first, self._first_s, 0))
            looked_s = clock_s = self._first_s
            index = 0
            while not self._stop.is_set() and self._capture.grab():
                index += 1
                # Broken stamps repeat or jump back; time must go on all the same.
                self._reached_s = clock_s = max(self._position_s(), clock_s + 1e-3)
                if clock_s - looked_s < self._every_s:
                    continue
                ok, image = self._capture.retrieve()
                if not ok or image is None:
                    continue
                looked_s = clock_s
                self._put(frames, Frame(image, clock_s, index))  # type: ignore[arg-type]
        finally:
            self._put(frames, None)

    def _put(self, frames: queue.Queue[Frame | None], frame: Frame | None) -> None:
        while not self._stop.is_set():
            try:
                frames.put(frame, timeout=0.1)
            except queue.Full:
                continue
            return


class Pictures:
    """A folder of pictures in the order of their names, one every ``step_s`` seconds."""

    live = False

    def __init__(self, folder: Path, step_s: float = 0.1) -> None:
        self._paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in _PICTURES)
        if not self._paths:
            raise SourceError(f"{folder}: expected pictures in the folder, found none")
        self._step_s = step_s
        self._open = True

    @property
    def duration_s(self) -> float | None:
        """Seconds from the first picture to the end of the last."""
        return len(self._paths) * self._step_s

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the first picture."""
        image = _load(self._paths[0])
        return image.shape[1], image.shape[0]

    def __iter__(self) -> Generator[Frame, None, None]:
        for index, path in enumerate(self._paths):
            if not self._open:
                return
            yield Frame(_load(path), index * self._step_s, index)

    def close(self) -> None:
        """Stop after the picture at hand."""
        self._open = False


def open_recording(
    path: Path, every_s: float = LOOK_EVERY_S, most_ahead: int = MOST_AHEAD
) -> Recording | Pictures:
    """The recording at ``path``: a video file, looked at so often and decoded so many frames
    ahead at most, or a folder of pictures."""
    return Pictures(path) if path.is_dir() else Recording(path, every_s, most_ahead)


def refuse_broken_off(path: Path, claimed_s: float | None, last_s: float) -> None:
    """Raises `SourceError` for a recording whose last picture, at ``last_s``, comes well before
    the end that it claims."""
    if claimed_s is None or claimed_s - last_s <= max(_END_TOLERANCE_S, 0.02 * claimed_s):
        return
    raise SourceError(
        f"{path}: expected {claimed_s:.1f} s of video, found it broken off after {last_s:.1f} s"
    )


def last_picture_s(path: Path) -> float | None:
    """When the last picture of a recording is that can be read; None for a folder."""
    if path.is_dir():
        return None
    capture = cv2.VideoCapture(str(path))
    at_ms = 0.0
    capture.set(cv2.CAP_PROP_POS_FRAMES, max(0.0, capture.get(cv2.CAP_PROP_FRAME_COUNT) - 1))
    if not capture.grab():  # what is broken off may have lost its index, too
        capture = cv2.VideoCapture(str(path))
    else:
        at_ms = capture.get(cv2.CAP_PROP_POS_MSEC)
    while capture.grab():
        at_ms = capture.get(cv2.CAP_PROP_POS_MSEC)
    capture.release()
    return float(at_ms) / 1000


def glimpses(path: Path, shares: Sequence[float]) -> list[Image]:
    """Pictures from a recording at shares of its length, 0...1; fewer where it cannot be sought.

    Raises `SourceError` for what is no recording.
    """
    if path.is_dir():
        pictures = [frame.image for frame in Pictures(path)]
        return [pictures[int(share * (len(pictures) - 1))] for share in shares]
    if not path.is_file():
        raise SourceError(f"{path}: expected a video file, found none")
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise SourceError(f"{path}: expected a video that can be decoded, found none in it")
    count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    images: list[Image] = []
    for share in shares:
        capture.set(cv2.CAP_PROP_POS_FRAMES, int(share * max(0.0, count - 1)))
        ok, image = capture.read()
        if ok and image is not None:
            images.append(np.asarray(image, dtype=np.uint8))
    capture.release()
    return images or _first_pictures(path, len(shares))


def _first_pictures(path: Path, count: int) -> list[Image]:
    """Pictures of a recording's beginning, for one in which nothing can be sought."""
    capture = cv2.VideoCapture(str(path))
    kept: deque[Image] = deque(maxlen=count)
    for index in range(_FIRST_FRAMES):
        ok, image = capture.read()
        if not ok:
            break
        if index % (_FIRST_FRAMES // (2 * count)) == 0:
            kept.append(np.asarray(image, dtype=np.uint8))
    capture.release()
    return list(kept)


def _load(path: Path) -> Image:
    image = cv2.imread(str(path))
    if image is None:
        raise SourceError(f"{path}: expected a picture, found something else")
    return image  # type: ignore[return-value]
