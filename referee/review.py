"""Reviewing a recording: the whole game judged, faster than it was played."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from calibration.table import Table
from referee.game import Game
from referee.rules.header import Header
from referee.session import Session
from referee.store import Store
from vision.facts import Reader
from vision.frames import Frame, FrameSource

RECORD: Final = "game.jsonl"
"""The record's name in the folder of a review."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review has come."""

    at_s: float
    """Where in the recording it is."""
    duration_s: float | None
    """How long the recording is, where that is known."""
    elapsed_s: float
    moves: int
    """Observations so far."""
    flagged: int
    """Rulings that say illegal."""
    unsure: int
    """Rulings that say 'cannot tell'."""

    @property
    def speed(self) -> float:
        """Seconds of the recording a second."""
        return self.at_s / max(self.elapsed_s, 1e-6)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A recording that was reviewed to its end."""

    progress: Progress
    game: Game


def review(
    source: FrameSource,
    table: Table,
    header: Header,
    reader: Reader,
    folder: Path,
    report: Callable[[Progress], None] = lambda _: None,
) -> Reviewed:
    """Review a recording into ``folder/game.jsonl``, which is written as it goes.

    A record that lies there from before is replaced. Raises `PlaneError` where the table file
    belongs to pictures of another shape, `SourceError` where the recording breaks off and
    `StoreError` where the disk is full; what was found until then is in the record.
    """
    table = table.resized(source.size_px)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / RECORD
    path.unlink(missing_ok=True)
    began_s = time.monotonic()
    progress = Progress(0.0, source.duration_s, 0.0, 0, 0, 0)
    with Store(path, durable=False) as store:
        session = Session(table, header, reader, store)

        def each(frame: Frame) -> None:
            nonlocal progress
            if len(session.game.moves) != progress.moves:
                progress = _counted(progress, session.game)
            progress = replace(progress, at_s=frame.at_s, elapsed_s=time.monotonic() - began_s)
            report(progress)

        session.run(source, each)
    return Reviewed(progress, session.game)


def _counted(progress: Progress, game: Game) -> Progress:
    verdicts = [ruling.legal for of in range(len(game.moves)) for ruling in game.rulings(of)]
    return replace(
        progress,
        moves=len(game.moves),
        flagged=sum(legal is False for legal in verdicts),
        unsure=sum(legal is None for legal in verdicts),
    )
