"""Live sources: a camera, an address, or a recording played at its own pace.

All hand out the newest frame and drop what came before it; all tell how their picture is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from vision.camera import Camera, Patience, Status
from vision.camera_names import camera_number
from vision.capture import Granted, Wish
from vision.frames import FrameSource, SourceError
from vision.newest import AtEnd
from vision.played import Played

_FILES: Final = {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mjpeg", ".mjpg", ".ts", ".mpg"}


class LiveSource(FrameSource, Protocol):
    """A picture that goes on by itself. All but iterating may be called from any thread."""

    name: str
    """What people call it."""
    can_lock: bool
    """Whether it may be asked to hold its focus, exposure and white balance."""
    at_end: AtEnd
    """What a recording does when it has ended; cameras have no end."""

    @property
    def status(self) -> Status:
        """How the picture is just now."""
        ...

    @property
    def granted(self) -> tuple[Granted, ...]:
        """What the driver made of each wish."""
        ...

    @property
    def wish(self) -> Wish:
        """What the camera is asked for."""
        ...

    def ask(self, wish: Wish) -> None:
        """Ask for something else: locks at once, size and rate when next opened."""
        ...

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called, from any thread and briefly, when the state has changed."""
        ...

    def rewind(self, to_s: float = 0.0) -> float:
        """Begin a recording anew, so many seconds after its first picture; cameras go on.

        Returns the time from which on frames are those of the new beginning.
        """
        ...

    def expect(self, size_px: tuple[int, int]) -> None:
        """Bring pictures to this size, if none has come yet: a table was measured in it."""
        ...

    def wait(self, timeout_s: float) -> bool:
        """Wait for the first picture; whether there is one."""
        ...


def open_live(
    source: str,
    wish: Wish | None = None,
    patience: Patience | None = None,
    speed: float = 1.0,
) -> LiveSource:
    """The live source that a text means; its picture may be yet to come (`LiveSource.wait`).

    Digits are a camera's number, what has ``://`` in it an address, a file or folder is played
    as live, everything else is a camera's device or a part of its name. ``speed`` is for files:
    see `Played`. Raises `SourceError` for a file that is not there.
    """
    if "://" in source:
        return Camera(source, lambda: source, wish, patience)
    path = Path(source)
    device = source.startswith("/dev/")
    if not device and (path.is_file() or path.is_dir()):
        return Played(path, speed)
    if not device and (path.suffix.lower() in _FILES or len(path.parts) > 1):
        raise SourceError(
            f"{source}: expected a camera or a stream, a video file or a folder, found none"
        )
    # Looked up anew each time it is opened: plugged in again, a camera may have another number.
    return Camera(source, lambda: camera_number(source), wish, patience)
