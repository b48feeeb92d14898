"""Writes the camera's picture to disk beside the record, without ever holding the game up.

The thread that takes the camera's pictures only hands over the newest one; another encodes it,
at a steady rate and in pieces of a few minutes. Who is too slow here skips pictures and shows the
last one longer: the time in a piece stays true. The record is worth more than the picture: where
the disk runs low, recording stops first.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.matches import RECORDING
from referee.recording.sinks import OpenCvSink, OpenSink, Sink
from referee.store import Store, StoreError
from vision.frames import Frame

PIECES: Final = "pieces.jsonl"
"""The list of pieces, in their folder: which second of the game each begins with."""

KEEP_FREE_BYTES: Final = 1_000_000_000
"""Recording stops before the disk has less room than this: a record of a whole evening needs a
thousandth of it."""

_GAP_S: Final = 2.0
"""Where the camera was gone for longer, a new piece begins."""
_LOOK_S: Final = 5.0
_RETRY_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class Recording:
    """How a recording is."""

    pieces: int
    """Begun since the program started."""
    pictures: int
    """Written."""
    skipped: int
    """Pictures of the steady rate for which no newer one was there in time."""
    trouble: str
    """Why nothing is recorded just now, in a sentence; empty while it is."""


class Recorder:
    """Records what `take` is given. Use it as a context manager, or `close` it."""

    def __init__(
        self,
        folder: Path,
        *,
        rate_hz: float = 15.0,
        piece_s: float = 300.0,
        since_s: float = 0.0,
        open_sink: OpenSink = OpenCvSink,
        told: Callable[[], None] = lambda: None,
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        """Record into ``folder/recording``. ``since_s`` is where the game's clock stands when the
        camera's shows 0: a game that goes on has a past. ``told`` is called, from the thread that
        writes, when there is trouble, another one, or none any more.
        """
        self._folder = folder / RECORDING
        self._rate_hz = rate_hz
        self._piece_s = piece_s
        self._since_s = since_s
        self._open_sink = open_sink
        self._told = told
        self._free_bytes = free_bytes
        self._newest: Frame | None = None
        self._arrived = threading.Condition()
        self._closing = False
        self._piece: _Piece | None = None
        self._looked_s = self._retry_at_s = float("-inf")
        self._state = Recording(0, 0, 0, "")
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def state(self) -> Recording:
        """How it is; from any thread."""
        return self._state

    def take(self, frame: Frame) -> None:
        """Hand over a picture, which nobody may change any more; returns at once."""
        with self._arrived:
            self._newest = frame
            self._arrived.notify()

    def close(self) -> None:
        """Finish the piece at hand."""
        with self._arrived:
            self._closing = True
            self._arrived.notify()
        self._thread.join(10.0)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while True:
            with self._arrived:
                came = self._arrived.wait_for(
                    lambda: self._newest is not None or self._closing, 2 * _GAP_S
                )
                frame, self._newest = self._newest, None
            if frame is not None:
                self._write(frame)
            elif came:
                break
            else:
                self._end_piece()  # the camera is gone or the game is over: leave a whole file
        self._end_piece()

    def _write(self, frame: Frame) -> None:
        now_s = time.monotonic()
        if now_s < self._retry_at_s:
            return
        try:
            self._make_room(now_s)
            piece = self._piece
            if piece is None or not piece.takes(frame, self._piece_s):
                self._end_piece()
                piece = self._piece = self._begin_piece(frame)
            pictures, skipped = piece.write(frame)
        except (OSError, RefereeError, StoreError) as error:
            self._piece = None
            self._retry_at_s = now_s + _RETRY_S
            self._tell(trouble=str(error))
        else:
            self._tell(pictures=pictures, skipped=skipped)

    def _make_room(self, now_s: float) -> None:
        if now_s - self._looked_s < _LOOK_S:
            return
        self._looked_s = now_s
        self._folder.mkdir(parents=True, exist_ok=True)
        free = self._free_bytes(self._folder)
        if free < KEEP_FREE_BYTES:
            self._looked_s = float("-inf")  # look again before the next attempt
            self._end_piece()
            raise RefereeError(
                f"{self._folder}: expected {KEEP_FREE_BYTES / 1e9:.0f} GB of free disk, found"
                f" {free / 1e9:.1f}; the picture is not recorded, the game's record is"
            )

    def _begin_piece(self, frame: Frame) -> _Piece:
        number = 1 + max((_number(path) for path in self._folder.iterdir()), default=0)
        height, width = frame.image.shape[:2]
        sink = self._open_sink(self._folder / f"{number:04d}", (width, height), self._rate_hz)
        with Store(self._folder / PIECES, durable=False) as pieces:
            pieces.append(
                [
                    {
                        "type": "piece",
                        "file": sink.path.name,
                        "from_s": round(frame.at_s + self._since_s, 3),
                        "began": datetime.now().astimezone().isoformat(timespec="seconds"),
                        "sound": sink.has_sound,
                    }
                ]
            )
        self._tell(pieces=1)
        return _Piece(sink, frame.at_s, self._rate_hz, (width, height))

    def _end_piece(self) -> None:
        piece, self._piece = self._piece, None
        if piece is not None:
            piece.sink.close()

    def _tell(
        self, pieces: int = 0, pictures: int = 0, skipped: int = 0, trouble: str = ""
    ) -> None:
        was = self._state
        self._state = Recording(
            was.pieces + pieces, was.pictures + pictures, was.skipped + skipped, trouble
        )
        if trouble != was.trouble:
            self._told()


class _Piece:
    """A piece that is being written. Pictures stand at equal distances in it."""

    def __init__(self, sink: Sink, from_s: float, rate_hz: float, size_px: tuple[int, int]) -> None:
        self.sink = sink
        self._from_s = from_s
        self._rate_hz = rate_hz
        self._size_px = size_px
        self._written = 0

    def takes(self, frame: Frame, piece_s: float) -> bool:
        """Whether a frame goes on with this piece."""
        after_s = frame.at_s - self._from_s
        gap_s = after_s - self._written / self._rate_hz
        fits = (frame.image.shape[1], frame.image.shape[0]) == self._size_px
        return fits and 0 <= after_s < piece_s and gap_s < _GAP_S

    def write(self, frame: Frame) -> tuple[int, int]:
        """Write a frame where its time comes, and again where others are missing before it.

        Returns how many pictures were written, and how many of them only fill a gap.
        """
        due = int((frame.at_s - self._from_s) * self._rate_hz + 0.5) + 1 - self._written
        for _ in range(due):
            self.sink.write(frame.image)
        self._written += max(0, due)
        return max(0, due), max(0, due - 1)


def _number(path: Path) -> int:
    return int(path.stem) if path.stem.isdigit() else 0
