"""A finished record played again as if it happened now, with its recording where there is one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from calibration.table import Table
from referee.errors import RefereeError
from referee.game import load
from referee.notation import parse_header
from referee.overlay.source import Mark, Picture, View
from referee.store import Record
from vision.frames import AHEAD_OF_A_CLOCK, Frame, open_recording
from vision.mask import black_out

PAUSE_S: Final = 8.0
"""How long the end is shown before it begins again."""

_TICK_S: Final = 0.1
_LATE_S: Final = 0.5
_TAIL_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class _Step:
    """A move with what the referee said, and when viewers learn of it."""

    at_s: float
    """When something lay there to be checked."""
    called_s: float
    """When the referee was sure."""
    lines: tuple[Record, ...]


class Playback:
    """A record, step by step at the pace at which it was played: a `Source`."""

    def __init__(
        self,
        records: Sequence[Record],
        video: Path | None = None,
        table: Table | None = None,
        speed: float = 1.0,
    ) -> None:
        """`records` are a whole `game.jsonl`, its header first; `speed` is times real time.

        With the recording's `video` its picture is shown; with its `table`, a card at fault is
        marked in it and what is masked is black. Raises RefereeError for a record without a header, NotationError or
        CorrectionError for one that cannot be read.
        """
        if not records or records[0].get("type") != "game":
            raise RefereeError("expected a record whose first line is the game's header")
        self._header = records[0]
        self._steps = _steps(records)
        self._video = video
        self._table = table
        self._speed = speed
        self._subscribers: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._view = View(header=self._header)
        self._picture: Picture | None = None
        self._shown = 0

    # -- as a source

    def view(self) -> View:
        """The game as far as it was played again."""
        return self._view

    def picture(self) -> Picture | None:
        """The recording's frame of this moment."""
        picture = self._picture
        return None if picture is None else replace(picture, marks=self._marks())

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have `changed` called after each change; returns what ends it."""
        with self._lock:
            self._subscribers.append(changed)

        def end() -> None:
            with self._lock:
                if changed in self._subscribers:
                    self._subscribers.remove(changed)

        return end

    # -- playing

    def play(self, stop: threading.Event, *, again: bool = False) -> None:
        """Play to the end, or with `again` over and over; returns soon after `stop` is set.

        Raises `vision.frames.SourceError` where the video cannot be played.
        """
        while not stop.is_set():
            self._play_once(stop)
            if not again or stop.wait(PAUSE_S):
                return

    def _play_once(self, stop: threading.Event) -> None:
        began_s = time.monotonic()
        shown_s = -_LATE_S
        self._show(View(header=self._header))
        for at_s, frame in self._moments():
            wait_s = began_s + at_s / self._speed - time.monotonic()
            if wait_s > 0 and stop.wait(wait_s):
                return
            self._advance(at_s)
            # Frames that come late are dropped, but not all of them: a machine that cannot keep
            # up shows few pictures rather than none.
            now_s = time.monotonic()
            if frame is not None and (wait_s > -_TICK_S or now_s - shown_s > _LATE_S):
                shown_s = now_s
                self._shown += 1
                if self._table is not None:
                    height, width = frame.image.shape[:2]
                    self._table = self._table.resized((width, height))
                    black_out(frame.image, self._table.masks_px)
                self._picture = Picture(frame.image, self._shown, at_s)
        self._advance(float("inf"))

    def _moments(self) -> Iterator[tuple[float, Frame | None]]:
        """The recording's frames; without one, a clock that ticks until the last move."""
        if self._video is not None:
            source = open_recording(self._video, most_ahead=AHEAD_OF_A_CLOCK)
            try:
                for frame in source:
                    yield frame.at_s, frame
            finally:
                source.close()
            return
        end_s = max((step.called_s for step in self._steps), default=0.0) + _TAIL_S
        for tick in range(int(end_s / _TICK_S) + 1):
            yield tick * _TICK_S, None

    def _advance(self, clock_s: float) -> None:
        """Show the game as it stood at a second of the recording."""
        log: list[Record] = []
        checking: Record | None = None
        for step in self._steps:
            if step.called_s <= clock_s:
                log += step.lines
            elif step.at_s <= clock_s:
                checking = step.lines[0]
        if len(log) == len(self._view.log) and checking is self._view.provisional:
            return
        self._show(
            View(
                self._header,
                tuple(log),
                light="watching" if checking is None else "checking",
                provisional=checking,
                clock_s=clock_s if clock_s < float("inf") else self._view.clock_s,
            )
        )

    def _show(self, view: View) -> None:
        with self._lock:
            self._view = view
            subscribers = list(self._subscribers)
        for changed in subscribers:
            changed()

    def _marks(self) -> tuple[Mark, ...]:
        """The card last laid, where the referee found fault with it and knows its place."""
        last = next((line for line in reversed(self._view.log) if "of" in line), None)
        if last is None or last["legal"] is True or self._table is None:
            return ()
        laid = next(line for line in reversed(self._view.log) if line["type"] != "ruling")
        seen = laid.get("evidence", {})
        region, outline_mm = seen.get("region_mm"), seen.get("outline_mm")
        if region is None or laid["type"] != "place":
            return ()
        x0, y0, x1, y1 = region
        around = outline_mm or [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        corners = self._table.plane.to_px(np.array(around))
        outline = tuple((float(x), float(y)) for x, y in corners)
        return (Mark(outline, "illegal" if last["legal"] is False else "unsure"),)


def _steps(records: Sequence[Record]) -> list[_Step]:
    """The moves that hold, corrections carried out, judged as this program judges them."""
    game = load(parse_header(records[0]), records[1:])
    steps: list[_Step] = []
    clock_s = 0.0
    for of, move in enumerate(game.moves):
        line = move.as_dict()
        # A move without a time (an operator entered it) comes with the one before it.
        at_s = float(line.get("t") or clock_s)
        clock_s = max(clock_s, at_s, float(line.get("t_reported") or at_s))
        steps.append(_Step(at_s, clock_s, (line, *game.answer(of))))
    return steps
