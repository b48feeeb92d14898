"""A recording played at its own pace, as if it were live."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from vision.camera import Status
from vision.capture import Granted, Wish
from vision.frames import Frame, SourceError, open_recording
from vision.newest import Newest

_BETWEEN_S: Final = 0.5
"""From the last picture to the first when it begins anew: long enough to be seen as a cut."""


class Played:
    """A video file or a folder of pictures; who looks too slowly skips, as with a camera.

    It begins to play when opened. With `loop` it begins anew at its end, and the clock goes on.
    Raises `SourceError` when opened on what is no recording.
    """

    live = True
    granted: tuple[Granted, ...] = ()
    wish = Wish()

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.loop = False
        self._path = path
        self._opened = open_recording(path, every_s=0.0)
        self.duration_s = self._opened.duration_s
        self.size_px = self._opened.size_px
        self._newest = Newest()
        self._rewound = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._play, name="played file", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        """How the picture is: a file neither freezes nor goes."""
        newest = self._newest
        return Status(
            "ok", "", self.size_px, newest.rate_hz(), newest.frames, newest.dropped, reopened=0
        )

    def subscribe(self, changed: Callable[[], None]) -> None:
        """The state never changes, so ``changed`` is never called."""

    def ask(self, wish: Wish) -> None:
        """A recording is as it is."""

    def rewind(self) -> None:
        """Begin anew from the first picture."""
        self._rewound.set()

    def wait(self, timeout_s: float) -> bool:
        """The first picture is known once the file is open."""
        del timeout_s
        return True

    def __iter__(self) -> Iterator[Frame]:
        return iter(self._newest)

    def close(self) -> None:
        """Stop playing; iteration ends."""
        self._closing.set()
        self._rewound.set()
        self._newest.close()
        self._thread.join()

    def _play(self) -> None:
        clock_s, index = 0.0, 0
        error: SourceError | None = None
        while not self._closing.is_set():
            self._rewound.clear()
            try:
                clock_s, index = self._play_once(clock_s, index)
            except SourceError as broken:
                error = broken
                break
            if not (self.loop or self._rewound.is_set()):
                break
            clock_s += _BETWEEN_S
            self._opened = open_recording(self._path, every_s=0.0)
        self._newest.close(error)

    def _play_once(self, from_s: float, index: int) -> tuple[float, int]:
        """Hand out the frames when they are due; returns the clock and index for the next."""
        began_s = time.monotonic()
        zero_s: float | None = None
        clock_s = from_s
        with contextlib.closing(iter(self._opened)) as frames:
            for frame in frames:
                zero_s = frame.at_s if zero_s is None else zero_s
                after_s = frame.at_s - zero_s
                # Closing and rewinding both end the wait.
                if self._rewound.wait(max(0.0, began_s + after_s - time.monotonic())):
                    break
                clock_s = from_s + after_s
                self._newest.put(Frame(frame.image, clock_s, index))
                index += 1
        return clock_s, index
