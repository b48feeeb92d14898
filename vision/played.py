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
from vision.frames import AHEAD_OF_A_CLOCK, CameraState, Frame, SourceError, open_recording
from vision.newest import AtEnd, Newest

_BETWEEN_S: Final = 0.5
"""From the last picture to the first when it begins anew: long enough to be seen as a cut."""
_REWIND_S: Final = 5.0
"""How long a file may take to be opened anew."""


class Played:
    """A video file or a folder of pictures; who looks too slowly skips, as with a camera.

    It begins to play when opened; its clock goes on when it begins anew. Raises `SourceError`
    when opened on what is no recording.
    """

    live = True
    can_lock = False
    granted: tuple[Granted, ...] = ()
    wish = Wish()

    def __init__(self, path: Path, speed: float = 1.0) -> None:
        """``speed``: how many seconds of the recording pass in one; its clock stays its own."""
        self.name = str(path)
        self._speed = speed
        self.at_end: AtEnd = "stop"
        self._path = path
        self._opened = open_recording(path, every_s=0.0, most_ahead=AHEAD_OF_A_CLOCK)
        self.duration_s = self._opened.duration_s
        self.size_px = self._opened.size_px
        self._newest = Newest()
        self._woken = threading.Event()
        """Set to end a wait: something is to be done."""
        self._rewind_asked = False
        self._to_s = 0.0
        """How far into the recording one begins anew."""
        self._rewound = threading.Event()
        self._closed = False
        self._ended = False
        self._subscribers: list[Callable[[], None]] = []
        self._clock_s = 0.0
        """Where the clock stands at the newest frame, or at the beginning that is to come."""
        self._index = 0
        self._thread = threading.Thread(target=self._play, name="played file", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        """How the picture is: gone once the recording has ended."""
        newest = self._newest
        state: CameraState = "gone" if self._ended else "ok"
        text = "the recording has ended" if self._ended else ""
        counts = newest.rate_hz(), newest.frames, newest.dropped
        return Status(state, text, self.size_px, *counts, reopened=0)

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called when the recording has ended, and when it begins anew."""
        self._subscribers.append(changed)

    def expect(self, size_px: tuple[int, int]) -> None:
        """A recording has the size that it has."""

    def ask(self, wish: Wish) -> None:
        """A recording is as it is."""

    def rewind(self, to_s: float = 0.0) -> float:
        """Begin anew, ``to_s`` after the first picture; returns the clock's time of what comes."""
        # One that was played again and again counts on over its end.
        length_s = None if self.duration_s is None else self.duration_s + _BETWEEN_S
        self._to_s = to_s if length_s is None else to_s % length_s
        self._rewound.clear()
        self._rewind_asked = True
        self._woken.set()
        self._rewound.wait(_REWIND_S)
        return self._clock_s

    def wait(self, timeout_s: float) -> bool:
        """The first picture is known once the file is open."""
        del timeout_s
        return True

    def __iter__(self) -> Iterator[Frame]:
        return iter(self._newest)

    def close(self) -> None:
        """Stop playing; iteration ends."""
        self._closed = True
        self._woken.set()
        self._newest.close()
        self._thread.join()

    def _play(self) -> None:
        error: SourceError | None = None
        while not self._closed:
            try:
                self._play_once()
            except SourceError as broken:
                error = broken
                break
            if not self._rewind_asked and self.at_end == "wait":
                self._tell(ended=True)
                self._woken.wait()
            if self._closed or (not self._rewind_asked and self.at_end == "stop"):
                break
            self._begin_anew()
        self._tell(ended=True)
        self._newest.close(error)

    def _tell(self, *, ended: bool) -> None:
        if ended != self._ended:
            self._ended = ended
            for changed in list(self._subscribers):
                changed()

    def _begin_anew(self) -> None:
        self._clock_s += _BETWEEN_S
        self._opened = open_recording(self._path, every_s=0.0, most_ahead=AHEAD_OF_A_CLOCK)
        if self._rewind_asked:
            self._newest.forget()
            self._woken.clear()
            self._rewind_asked = False
            self._rewound.set()
        self._tell(ended=False)

    def _play_once(self) -> None:
        """Hand out the frames when they are due, until the end or until woken."""
        began_s, from_s = time.monotonic(), self._clock_s
        skip_s, self._to_s = self._to_s, 0.0
        zero_s: float | None = None
        with contextlib.closing(iter(self._opened)) as frames:
            for frame in frames:
                zero_s = frame.at_s if zero_s is None else zero_s
                after_s = frame.at_s - zero_s - skip_s
                if after_s < 0:
                    began_s = time.monotonic()
                    continue
                if self._woken.wait(max(0.0, began_s + after_s / self._speed - time.monotonic())):
                    break
                self._clock_s = from_s + after_s
                self._newest.put(Frame(frame.image, self._clock_s, self._index))
                self._index += 1
