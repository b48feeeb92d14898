"""A camera or stream opened with OpenCV, and what its driver grants of what one wishes."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol

import cv2

Lock = Literal["focus", "exposure", "white_balance"]
"""What a camera may be told to leave as it is."""

LOCKS: Final[tuple[Lock, ...]] = ("focus", "exposure", "white_balance")

_OPEN_MS: Final = 10_000
_READ_MS: Final = 2000
"""FFmpeg would wait half a minute for a stream that has stopped."""
_STREAM: Final = "rtsp_transport;tcp|analyzeduration;500000|fpsprobesize;1"
"""For FFmpeg: a stream says by its first pictures what it is. Looked at for as long as FFmpeg
would, it takes four seconds to open, and so to come back."""

_AUTOMATIC: Final[dict[Lock, tuple[int, tuple[float, ...], float, int]]] = {
    # the switch; what turns it off (drivers differ); what turns it on; the value that it moves
    "focus": (cv2.CAP_PROP_AUTOFOCUS, (0,), 1, cv2.CAP_PROP_FOCUS),
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, (1, 0.25), 3, cv2.CAP_PROP_EXPOSURE),
    "white_balance": (cv2.CAP_PROP_AUTO_WB, (0,), 1, cv2.CAP_PROP_WB_TEMPERATURE),
}


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used; tests pass a plain class."""

    def isOpened(self) -> bool:  # noqa: N802  (OpenCV's name)
        """Whether pictures may be asked for."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Whether there was a picture, and the picture. May block as long as the driver likes."""
        ...

    def get(self, prop: int, /) -> float:
        """A property's value, 0 or -1 where the driver has none."""
        ...

    def set(self, prop: int, value: float, /) -> bool:
        """Ask for a property's value; whether the driver says that it took it."""
        ...

    def release(self) -> None:
        """Let go of the camera."""
        ...


@dataclass(frozen=True, slots=True)
class Wish:
    """What a camera is asked for; None and absence leave it to the camera."""

    size_px: tuple[int, int] | None = None
    rate_hz: float | None = None
    locks: frozenset[Lock] = frozenset()

    def locked(self, what: Lock, on: bool) -> Wish:
        """The same with one lock on or off."""
        return replace(self, locks=self.locks | {what} if on else self.locks - {what})


@dataclass(frozen=True, slots=True)
class Granted:
    """One thing that was asked for, and what the driver made of it."""

    what: str
    """size, rate, or one of `LOCKS`"""
    asked: str
    got: str
    granted: bool


def open_capture(address: str | int, wish: Wish) -> Capture:
    """Open a camera by its number, or a stream by its address. Nothing is read yet."""
    if "OPENCV_LOG_LEVEL" not in os.environ:
        # A source that is away is told of once, not with each attempt to open it.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    if isinstance(address, str):
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            _OPEN_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            _READ_MS,
            # With more threads the decoder keeps a picture back for each.
            cv2.CAP_PROP_N_THREADS,
            1,
        ]
        os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", _STREAM)
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
    backend = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
    capture = cv2.VideoCapture(address, backend)
    if wish.size_px is not None and wish.size_px[0] * wish.size_px[1] >= 1280 * 720:
        # Uncompressed pictures of this size do not fit through USB 2 at a useful rate.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def ask(capture: Capture, wish: Wish) -> list[Granted]:
    """Ask an opened capture for size and rate; to be done before the first picture."""
    answers: list[Granted] = []
    if wish.size_px is not None:
        width, height = wish.size_px
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        got = (
            round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        answers.append(_sized(wish.size_px, got))
    if wish.rate_hz is not None:
        capture.set(cv2.CAP_PROP_FPS, wish.rate_hz)
        rate = capture.get(cv2.CAP_PROP_FPS)
        near = abs(rate - wish.rate_hz) < 0.5
        got_rate = f"{rate:g}" if rate > 0 else "not told"
        answers.append(Granted("rate", f"{wish.rate_hz:g}", got_rate, near))
    return answers


def ask_locks(capture: Capture, locks: frozenset[Lock], before: frozenset[Lock]) -> list[Granted]:
    """Hold what is in ``locks`` at its present value, give free again what was held ``before``.

    Best done once the camera has seen some pictures: what it has found by itself is kept.
    """
    answers: list[Granted] = []
    for what in LOCKS:
        switch, offs, on, value = _AUTOMATIC[what]
        if what in locks:
            held = capture.get(value)
            done = any(capture.set(switch, off) and capture.get(switch) == off for off in offs)
            if done and held > 0:
                capture.set(value, held)
            answers.append(Granted(what, "locked", "locked" if done else "refused", done))
        elif what in before:
            capture.set(switch, on)
    return answers


def _sized(asked: tuple[int, int], got: tuple[int, int]) -> Granted:
    return Granted("size", f"{asked[0]} x {asked[1]}", f"{got[0]} x {got[1]}", asked == got)
