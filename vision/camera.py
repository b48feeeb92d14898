"""A camera or stream that is owned once, never blocks who looks at it, and comes back by itself.

Reading happens in a thread of its own, because a driver may hold a read for as long as it likes;
another thread watches it. A read that does not return is given up: its thread is left behind
and the source opened anew, again and again, for as long as the program runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.capture import Capture, Granted, Lock, Wish, ask, ask_locks, open_capture
from vision.facts import Image
from vision.frames import CameraState, Frame, SourceError
from vision.newest import AtEnd, Newest

_SAMPLE_STEP_PX: Final = 16
_LOCK_AFTER_FRAMES: Final = 30
"""A camera needs about a second to find its exposure; what it has found then is held."""
_MOST_STUCK: Final = 3
"""Threads that hang in a driver; more are not started until one of them returns."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long what is waited for, in seconds."""

    look_s: float = 0.1
    """How often the watching thread looks."""
    lost_s: float = 1.0
    """A broken stream that is back within this was never gone."""
    silent_s: float = 1.3
    """Without a new picture for this long, the picture is frozen."""
    same_s: float = 1.5
    """The very same picture for this long, to the last bit: the camera hangs."""
    abandon_s: float = 4.0
    """A read that takes longer is given up."""
    open_s: float = 12.0
    """An attempt to open, first picture included, that takes longer is given up: a camera on a
    network may need seconds for it."""
    same_reopen_s: float = 8.0
    """A picture that stood still for this long is not waited for: the source is opened anew."""
    first_retry_s: float = 0.5
    longest_retry_s: float = 5.0
    """The pause between attempts doubles from the first to the longest."""


@dataclass(frozen=True, slots=True)
class Status:
    """How a live picture is, for people and for lamps."""

    state: CameraState
    text: str = ""
    """What is wrong, in a sentence; empty while nothing is."""
    size_px: tuple[int, int] | None = None
    """Width and height; None before the first picture."""
    rate_hz: float = 0.0
    frames: int = 0
    """Pictures read so far."""
    dropped: int = 0
    """Pictures that were replaced by a newer one before anybody looked at them."""
    reopened: int = 0
    """How often the source was opened after the first time."""


class Camera:
    """A camera's number or name, or an RTSP or HTTP address.

    Reading begins at once. Iterating gives the newest frame each time and waits for as long as
    there is none; it ends when closed.
    """

    live = True
    duration_s: float | None = None
    at_end: AtEnd = "stop"

    def __init__(
        self,
        name: str,
        find: Callable[[], str | int],
        wish: Wish | None = None,
        patience: Patience | None = None,
        opener: Callable[[str | int, Wish], Capture] = open_capture,
    ) -> None:
        """``name`` is what people call it; ``find`` tells the number or address to open.

        ``find`` may raise `SourceError` while the camera is not there.
        """
        self.name = name
        self.can_lock = "://" not in name
        self.wish = wish or Wish()
        self.granted: tuple[Granted, ...] = ()
        self._find = find
        self._patience = patience or Patience()
        self._opener = opener
        self._newest = Newest()
        self._began_s = time.monotonic()
        self._index = 0
        self._size_px: tuple[int, int] | None = None
        self._got_s = self._moved_s = self._began_s
        """When the last picture came, and the last that differed from the one before."""
        self._sample: bytes | None = None
        self._problem = ""
        self._opened = 0
        self._reading: _Reading | None = None
        self._stuck: list[_Reading] = []
        self._state: CameraState = "gone"
        self._first = threading.Event()
        self._closing = threading.Event()
        self._subscribers: list[Callable[[], None]] = []
        self._watching = threading.Thread(target=self._watch, name="camera watch", daemon=True)
        self._watching.start()

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the frames; raises `SourceError` before the first."""
        if self._size_px is None:
            raise SourceError(f"{self.name}: expected a picture, found none yet ({self._problem})")
        return self._size_px

    @property
    def status(self) -> Status:
        """How the picture is just now."""
        state, text = self._judge(time.monotonic())
        return Status(
            state,
            text,
            self._size_px,
            self._newest.rate_hz(),
            self._newest.frames,
            self._newest.dropped,
            max(0, self._opened - 1),
        )

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called by the watching thread when the state has changed."""
        self._subscribers.append(changed)

    def ask(self, wish: Wish) -> None:
        """Lock and unlock from the next picture on; size and rate count when next opened."""
        self.wish = wish

    def rewind(self, to_s: float = 0.0) -> float:
        """A camera shows what is there now, whatever one asks; returns the time it is there."""
        del to_s
        return time.monotonic() - self._began_s

    def expect(self, size_px: tuple[int, int]) -> None:
        """Bring pictures to this size, if none has come yet: a table was measured in it."""
        if self._size_px is None:
            self._size_px = size_px

    def wait(self, timeout_s: float) -> bool:
        """Wait for the first picture; whether there is one."""
        return self._first.wait(timeout_s)

    def __iter__(self) -> Iterator[Frame]:
        return iter(self._newest)

    def close(self) -> None:
        """Let go of the camera; iteration ends."""
        self._closing.set()
        self._newest.close()
        reading = self._reading
        if reading is not None:
            reading.leave()
            # The device is free again for whoever comes next, unless the driver hangs.
            reading.join(0.5)
        self._watching.join(2.0)

    # -- called by the thread that reads

    def take(self, reading: _Reading, image: Image) -> None:
        """A picture was read."""
        if reading is not self._reading or self._closing.is_set():
            return  # given up, and now it has come after all
        now_s = time.monotonic()
        fitting = self._fitting(image)
        if fitting is None:
            return
        sample = fitting[::_SAMPLE_STEP_PX, ::_SAMPLE_STEP_PX].tobytes()
        if sample != self._sample:
            self._sample, self._moved_s = sample, now_s
        self._got_s = now_s
        self._newest.put(Frame(fitting, now_s - self._began_s, self._index))
        self._index += 1
        self._first.set()

    def fail(self, reading: _Reading, problem: str) -> None:
        """A source could not be opened, or broke off."""
        if reading is self._reading:
            self._problem = problem

    def _fitting(self, image: Image) -> Image | None:
        """The picture in the size that the first one had; None for one of another shape."""
        size_px = (image.shape[1], image.shape[0])
        if self._size_px is None:
            self._size_px = size_px
        width, height = self._size_px
        if size_px == self._size_px:
            return image
        if abs(size_px[0] * height - size_px[1] * width) > max(width, size_px[0]):
            self._problem = (
                f"expected pictures of {width} x {height} or that shape, "
                f"found {size_px[0]} x {size_px[1]}: was the camera turned?"
            )
            return None
        return np.asarray(cv2.resize(image, self._size_px, interpolation=cv2.INTER_AREA), np.uint8)

    # -- the thread that watches

    def _watch(self) -> None:
        patience = self._patience
        retry_s, due_s = patience.first_retry_s, 0.0
        frames = -1
        while True:
            now_s = time.monotonic()
            if self._newest.frames != frames and self._state == "ok":
                frames, retry_s = self._newest.frames, patience.first_retry_s
            reading = self._reading
            if reading is not None and self._is_hopeless(reading, now_s):
                reading.leave()
                self._stuck.append(reading)
                self._reading = None
                due_s = now_s + retry_s
                retry_s = min(2 * retry_s, patience.longest_retry_s)
            self._stuck = [one for one in self._stuck if one.is_alive()]
            if self._reading is None and now_s >= due_s and len(self._stuck) < _MOST_STUCK:
                self._open()
            state, _ = self._judge(now_s)
            if state != self._state:
                self._state = state
                for changed in list(self._subscribers):
                    changed()
            if self._closing.wait(patience.look_s):
                return

    def _open(self) -> None:
        self._opened += 1
        self._reading = _Reading(self, self._find, self._opener)
        self._reading.start()

    def _is_hopeless(self, reading: _Reading, now_s: float) -> bool:
        if not reading.is_alive():
            return True
        if not reading.opened:
            return now_s - reading.began_s > self._patience.open_s
        asked_s = max(self._got_s, reading.began_s)
        since_s = max(self._moved_s, reading.began_s)
        return (
            now_s - asked_s > self._patience.abandon_s
            or now_s - since_s > self._patience.same_reopen_s
        )

    def _judge(self, now_s: float) -> tuple[CameraState, str]:
        """The state and what is wrong."""
        patience = self._patience
        silent_s, same_s = now_s - self._got_s, now_s - self._moved_s
        reading = self._reading
        reads = reading is not None and reading.is_alive() and reading.opened
        if not self._first.is_set():
            return "gone", self._problem or "no picture has come yet"
        if silent_s > patience.lost_s and not reads:
            return "gone", self._problem or f"no picture for {silent_s:.0f} s, opening it anew"
        if silent_s > patience.silent_s:
            return "frozen", self._problem or f"no picture for {silent_s:.0f} s"
        if same_s > patience.same_s:
            return "frozen", f"the very same picture for {same_s:.0f} s"
        return "ok", ""


class _Reading(threading.Thread):
    """Opens the source once and reads it until it breaks off or is given up."""

    def __init__(
        self,
        camera: Camera,
        find: Callable[[], str | int],
        opener: Callable[[str | int, Wish], Capture],
    ) -> None:
        super().__init__(name="camera read", daemon=True)
        self.began_s = time.monotonic()
        self.opened = False
        """Whether the source has given a picture since it was opened."""
        self._camera, self._find, self._opener = camera, find, opener
        self._left = False

    def leave(self) -> None:
        """Read no more; a read that hangs is not waited for."""
        self._left = True

    def run(self) -> None:
        """Open, read, release."""
        camera = self._camera
        try:
            capture = self._opener(self._find(), camera.wish)
        except (SourceError, cv2.error) as error:
            camera.fail(self, " ".join(str(error).split()))
            return
        try:
            if not capture.isOpened():
                camera.fail(self, f"{camera.name} cannot be opened: is it there, and free?")
                return
            self._read(capture)
        except cv2.error as error:
            camera.fail(self, f"{camera.name} breaks off ({' '.join(str(error).split())})")
        finally:
            capture.release()

    def _read(self, capture: Capture) -> None:
        camera = self._camera
        sized = ask(capture, camera.wish)
        camera.granted = tuple(sized)
        locks: frozenset[Lock] = frozenset()
        taken = 0
        while not self._left:
            ok, image = capture.read()
            if not ok or image is None:
                camera.fail(self, f"{camera.name} gives no picture")
                return
            self.opened = True
            taken += 1
            camera.take(self, image)
            wanted = camera.wish.locks
            if wanted != locks and taken >= _LOCK_AFTER_FRAMES:
                camera.granted = (*sized, *ask_locks(capture, wanted, locks))
                locks = wanted
