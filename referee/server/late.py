"""Pictures that are shown later: viewers of a delayed game must not see the table as it is now.

They wait on disk as JPEG, in a file without a name that goes with the program: ten minutes of
pictures are too many for memory. Where the delay is long, fewer pictures a second are kept.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Final

import cv2
import numpy as np

from referee.overlay.source import Mark, Picture, Pictures

RATE_HZ: Final = 15.0
"""Pictures a second that are kept at most."""
ROOM_BYTES: Final = 1024 * 1024 * 1024
"""How much of the disk the waiting pictures may take."""
_QUALITY: Final = 88
"""Of the JPEG; it is encoded once more for viewers."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A picture in the file."""

    due_s: float
    offset: int
    size_bytes: int
    index: int
    at_s: float
    marks: tuple[Mark, ...]


class LatePictures:
    """A source's pictures, a while later. `running` while they are wanted."""

    def __init__(self, source: Pictures, delay_s: float, room_bytes: int = ROOM_BYTES) -> None:
        self._source = source
        self._delay_s = delay_s
        self._room_bytes = room_bytes
        self._file: IO[bytes] | None = None
        self._offset = 0
        self._waiting: deque[_Kept] = deque()
        self._current: Picture | None = None
        self._taken: int | None = None
        self._next_s = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Keep pictures while the body runs."""
        ended = threading.Event()

        def keep() -> None:
            while not ended.wait(1 / RATE_HZ / 2):
                self.keep(time.monotonic())

        with tempfile.TemporaryFile() as self._file:
            thread = threading.Thread(target=keep, name="late pictures", daemon=True)
            thread.start()
            try:
                yield
            finally:
                ended.set()
                thread.join()
                with self._lock:
                    self._waiting.clear()
                    self._file = None

    def keep(self, now_s: float) -> None:
        """Put the newest picture away, where there is one and it is time for it."""
        picture = self._source.picture()
        if picture is None or picture.index == self._taken or now_s < self._next_s:
            return
        self._taken = picture.index
        done, data = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if not done:
            return
        size = len(data)
        # As many as have room until they are due, each with the room of the largest yet seen.
        self._next_s = now_s + max(1 / RATE_HZ, 1.2 * self._delay_s * size / self._room_bytes)
        with self._lock:
            if self._file is None:
                return
            if self._offset + size > self._room_bytes:
                self._offset = 0
            start, end = self._offset, self._offset + size
            while self._waiting and _overlap(self._waiting[0], start, end):
                self._waiting.popleft()
            self._file.seek(start)
            self._file.write(data.tobytes())
            self._offset = end
            self._waiting.append(
                _Kept(
                    now_s + self._delay_s, start, size, picture.index, picture.at_s, picture.marks
                )
            )

    def picture(self) -> Picture | None:
        """The newest picture that viewers may see; None before there is one."""
        return self.picture_at(time.monotonic())

    def picture_at(self, now_s: float) -> Picture | None:
        """The same, at a time of `time.monotonic`."""
        with self._lock:
            due: _Kept | None = None
            while self._waiting and self._waiting[0].due_s <= now_s:
                due = self._waiting.popleft()
            if due is not None and self._file is not None:
                self._file.seek(due.offset)
                data = np.frombuffer(self._file.read(due.size_bytes), np.uint8)
                image = cv2.imdecode(data, cv2.IMREAD_COLOR)
                if image is not None:
                    pixels = np.asarray(image, np.uint8)
                    self._current = Picture(pixels, due.index, due.at_s, due.marks)
            return self._current


def _overlap(kept: _Kept, start: int, end: int) -> bool:
    return kept.offset < end and start < kept.offset + kept.size_bytes
