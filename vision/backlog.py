"""Frames that wait to be looked at, while whoever looks reads the cards in an earlier one.

Viewers get the newest frame (`vision.newest`). Whoever follows hands must not: a reading takes a
few frames' time, and a card that was drawn in it would be seen by nobody.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Final

from vision.frames import Frame

_MOST_BYTES: Final = 100e6
_LEAST: Final = 4
_MOST: Final = 14
"""About a second of looks: what happened earlier is told too late to be of use."""


class Backlog:
    """Hands frames on in their order; without room for another one, the oldest is dropped.

    One thread puts frames in, another iterates.
    """

    def __init__(self) -> None:
        self.dropped = 0
        """Frames that nobody will look at."""
        self._frames: deque[Frame] = deque()
        self._closed = False
        self._changed = threading.Condition()

    def put(self, frame: Frame) -> None:
        """Add the newest frame."""
        room = max(_LEAST, min(_MOST, int(_MOST_BYTES / max(1, frame.image.nbytes))))
        with self._changed:
            while len(self._frames) >= room:
                self._frames.popleft()
                self.dropped += 1
            self._frames.append(frame)
            self._changed.notify_all()

    def close(self, *, at_once: bool = False) -> None:
        """End the iteration once all frames were handed on, or ``at_once``."""
        with self._changed:
            self._closed = True
            if at_once:
                self._frames.clear()
            self._changed.notify_all()

    def __len__(self) -> int:
        """How many frames wait."""
        return len(self._frames)

    def __iter__(self) -> Iterator[Frame]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._frames or self._closed)
                if not self._frames:
                    return
                frame = self._frames.popleft()
            yield frame
