"""The newest frame, never a queue: one writes, one reads, and who is slow skips."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Final, Literal

from vision.frames import Frame, SourceError

AtEnd = Literal["stop", "again", "wait"]
"""What a recording played as live does when it has ended: it ends the frames, begins anew, or
waits to be rewound."""

_RATE_OVER_S: Final = 2.0


class Newest:
    """Hands frames from the thread that reads a source to the one that looks at them."""

    def __init__(self) -> None:
        self.frames = 0
        """Frames put in so far."""
        self.dropped = 0
        """Of these, how many were replaced before anybody took them."""
        self._frame: Frame | None = None
        self._ended = False
        self._error: SourceError | None = None
        self._changed = threading.Condition()
        self._times_s: deque[float] = deque(maxlen=240)

    def put(self, frame: Frame) -> None:
        """Make this the newest frame."""
        with self._changed:
            self.frames += 1
            self.dropped += self._frame is not None
            self._frame = frame
            self._times_s.append(time.monotonic())
            self._changed.notify_all()

    def forget(self) -> None:
        """Drop the newest frame: what was before is of no interest any more."""
        with self._changed:
            self.dropped += self._frame is not None
            self._frame = None

    def close(self, error: SourceError | None = None) -> None:
        """End the iteration, with an error where there is one to tell."""
        with self._changed:
            self._ended = True
            self._error = self._error or error
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether no further frame will be handed out."""
        return self._ended

    def rate_hz(self) -> float:
        """Frames a second over the last two seconds; 0 where there were none."""
        since_s = time.monotonic() - _RATE_OVER_S
        with self._changed:
            recent = [at_s for at_s in self._times_s if at_s >= since_s]
        if len(recent) < 2:
            return 0.0
        return (len(recent) - 1) / (recent[-1] - recent[0])

    def __iter__(self) -> Iterator[Frame]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._frame or self._ended)
                frame, self._frame = self._frame, None
            if frame is None:
                break
            yield frame
        if self._error is not None:
            raise self._error
