"""What writes a piece: OpenCV, which every installation has, or better PyAV.

OpenCV's wheels encode MPEG-4 without sound, which players show and browsers do not; it goes into
Matroska, whose file can be played however it broke off. With PyAV (`pip install
"table-referee[record]"`) it is H.264 with sound, in an MP4 that may break off as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import cv2

from referee.errors import RefereeError
from vision.facts import Image


class Sink(Protocol):
    """A video file that is being written."""

    path: Path
    has_sound: bool

    def write(self, image: Image) -> None:
        """The next picture."""
        ...

    def close(self) -> None:
        """Finish the file."""
        ...


OpenSink = Callable[[Path, tuple[int, int], float], Sink]
"""Makes what writes a piece: its path without an ending, width and height, pictures a second."""


@contextmanager
def best_sink(sound: str | None = None) -> Iterator[OpenSink]:
    """The best that this installation has, with a sound input where one is named.

    Raises RefereeError where it cannot be had; an `OpenSink` does where it cannot write.
    """
    if find_spec("av") is None:
        if sound is not None:
            raise RefereeError(
                "to record sound, PyAV is needed: pip install 'table-referee[record]'; without"
                " it, the picture is recorded alone"
            )
        yield OpenCvSink
        return
    from referee.recording.with_av import AvSink, Sound

    if sound is None:
        yield AvSink
        return
    with closing(Sound(sound)) as heard:
        yield partial(AvSink, sound=heard)


class OpenCvSink:
    """MPEG-4 in Matroska, without sound."""

    has_sound = False

    def __init__(self, path: Path, size_px: tuple[int, int], rate_hz: float) -> None:
        self.path = path.with_suffix(".mkv")
        codec = cv2.VideoWriter.fourcc(*"mp4v")
        self._writer = cv2.VideoWriter(str(self.path), cv2.CAP_FFMPEG, codec, rate_hz, size_px)
        if not self._writer.isOpened():
            raise RefereeError(f"{self.path}: OpenCV cannot write a video here")

    def write(self, image: Image) -> None:
        """The next picture."""
        self._writer.write(image)

    def close(self) -> None:
        """Finish the file."""
        self._writer.release()
