"""Pieces with sound: H.264 and AAC in MP4, by PyAV."""

from __future__ import annotations

import sys
import threading
from collections import deque
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av

from referee.errors import RefereeError
from vision.facts import Image

SOUND_HZ: Final = 48000

_MOST_SOUND: Final = 400
"""Pieces of sound, of 20 ms or so, that wait for a picture; more is let go of."""

_QUICK: Final = {"preset": "ultrafast", "crf": "26"}
"""An encoder that keeps up with a camera on a part of one core."""

_FRAGMENT_S: Final = 4.0
_FRAGMENTED: Final = {"movflags": "frag_keyframe+empty_moov+default_base_moof"}
"""Each few seconds stand for themselves: a file that broke off plays up to there."""

_DEVICES: Final = {"linux": "alsa", "darwin": "avfoundation", "win32": "dshow"}
"""Where each system has its sound inputs, in FFmpeg's words."""


class Sound:
    """A sound input that is listened to in a thread of its own; the newest is kept."""

    def __init__(self, source: str) -> None:
        """``source`` is a device as FFmpeg names it (on Linux ``default``, on macOS ``:0``, on
        Windows ``audio=Microphone``), or a file or address with sound in it.

        Raises RefereeError where there is no sound to be had.
        """
        device = None if "://" in source or Path(source).is_file() else _DEVICES.get(sys.platform)
        try:
            self._input = av.open(source, format=device)
            self._stream = self._input.streams.audio[0]
        except (OSError, ValueError, IndexError) as error:
            raise RefereeError(
                f"{source}: expected a sound input of this machine, a file or an address with"
                f" sound, found none ({error})"
            ) from error
        self._heard: deque[Any] = deque(maxlen=_MOST_SOUND)
        self._closing = False
        self._thread = threading.Thread(target=self._listen, name="sound", daemon=True)
        self._thread.start()

    def take(self) -> list[Any]:
        """What was heard since the last time, as PyAV's frames of 48 kHz stereo."""
        taken = []
        while self._heard:
            taken.append(self._heard.popleft())
        return taken

    def close(self) -> None:
        """Listen no more."""
        self._closing = True
        self._thread.join(2.0)

    def _listen(self) -> None:
        resample = av.AudioResampler(format="fltp", layout="stereo", rate=SOUND_HZ)
        try:
            for frame in self._input.decode(self._stream):
                if self._closing:
                    break
                self._heard.extend(resample.resample(frame))
        except OSError:
            pass  # the microphone was pulled out: the pieces go on without sound
        self._input.close()


class AvSink:
    """H.264, with AAC where there is sound, in an MP4 that may break off."""

    def __init__(
        self, path: Path, size_px: tuple[int, int], rate_hz: float, sound: Sound | None = None
    ) -> None:
        self.path = path.with_suffix(".mp4")
        self.has_sound = sound is not None
        self._sound = sound
        self._samples = 0
        try:
            self._output = av.open(str(self.path), "w", format="mp4", options=_FRAGMENTED)
        except OSError as error:
            raise RefereeError(f"{self.path}: cannot write ({error.strerror})") from error
        self._video: Any = self._output.add_stream("libx264", rate=Fraction(rate_hz))
        self._video.width, self._video.height = (side - side % 2 for side in size_px)
        self._video.pix_fmt = "yuv420p"
        self._video.options = _QUICK
        self._video.gop_size = round(_FRAGMENT_S * rate_hz)
        self._audio: Any = None
        if sound is not None:
            sound.take()  # what was heard before the piece began
            self._audio = self._output.add_stream("aac", rate=SOUND_HZ, layout="stereo")

    def write(self, image: Image) -> None:
        """The next picture, and what was heard until now."""
        height, width = self._video.height, self._video.width
        frame = av.VideoFrame.from_ndarray(image[:height, :width], format="bgr24")
        self._output.mux(self._video.encode(frame))
        if self._sound is not None:
            for heard in self._sound.take():
                heard.pts = self._samples
                self._samples += heard.samples
                self._output.mux(self._audio.encode(heard))

    def close(self) -> None:
        """Finish the file."""
        for stream in (self._video, self._audio):
            if stream is not None:
                self._output.mux(stream.encode(None))
        self._output.close()
