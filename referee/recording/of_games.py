"""Records each game into its own folder, and nothing between games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.recording.recorder import Recorder
from referee.recording.sinks import best_sink
from vision.frames import Frame

Watch = Callable[[Callable[[Frame], None]], Callable[[], None]]
"""Has a function called with each picture; returns what ends that."""


class GameRecorder:
    """Begins anew with each game."""

    def __init__(self, make: Callable[[Path, float], Recorder]) -> None:
        """``make`` begins a recording in a folder, ``since_s`` on the game's clock."""
        self._make = make
        self._recorder: Recorder | None = None

    def began(self, folder: Path, since_s: float) -> None:
        """A game begins or goes on in this folder."""
        self.close()
        self._recorder = self._make(folder, since_s)

    def take(self, frame: Frame) -> None:
        """A picture of the game."""
        if self._recorder is not None:
            self._recorder.take(frame)

    @property
    def trouble(self) -> str:
        """Why nothing is recorded just now; empty while it is."""
        recorder = self._recorder
        return "" if recorder is None else recorder.state.trouble

    def close(self) -> None:
        """Finish the recording at hand."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None


@contextmanager
def recording(
    watch: Watch,
    is_playing: Callable[[], bool],
    sound: str | None,
    rate_hz: float,
    told: Callable[[], None] = lambda: None,
) -> Iterator[GameRecorder]:
    """Record while the body runs, as long as a game is played; ``told`` is called when
    `GameRecorder.trouble` is another.

    Raises RefereeError where the sound that was asked for cannot be had.
    """
    with best_sink(sound) as open_sink:
        recorder = GameRecorder(
            lambda folder, since_s: Recorder(
                folder, rate_hz=rate_hz, since_s=since_s, open_sink=open_sink, told=told
            )
        )

        def take(frame: Frame) -> None:
            if is_playing():
                recorder.take(frame)

        unwatch = watch(take)
        try:
            yield recorder
        finally:
            unwatch()
            recorder.close()
