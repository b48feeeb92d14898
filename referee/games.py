"""The games of an evening at one live table: each begins, ends, and may go on.

Each has a folder with its record and with the table that it was played at, so that a game which
was broken off can go on wherever it stopped, with the same camera or after a power cut.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from calibration.table import Table, load_table, save_table
from referee.errors import RefereeError
from referee.live import Live
from referee.matches import CROPS, GAMES, RECORD, TABLE, is_running, running
from referee.resume import Resumed
from referee.rules.header import Header
from referee.rules.options import GameName
from referee.session import Session
from referee.store import PatientStore, Record, StoreError, read
from vision.facts import Reader
from vision.frames import SourceError

STILL_ON_S: Final = 12 * 3600.0
"""A game that was broken off goes on if its last move is no older than this."""


class Games:
    """Begins and ends the games of a live table; only one is watched at a time."""

    def __init__(
        self,
        live: Live,
        readers: Callable[[GameName], Reader],
        folder: Path | None = None,
        began: Callable[[Session], None] | None = None,
    ) -> None:
        """``readers`` makes what reads the cards of a game. Games lie in ``folder``, or each in a
        new folder named by the time. ``began`` is called with each as it begins or goes on.
        """
        self.live = live
        self._readers = cache(readers)
        self._folder = folder
        self._began = began
        self._store: PatientStore | None = None
        self._mark = contextlib.ExitStack()
        self.record: Path | None = None
        """The record of the game that is being watched, or of the last one."""
        self.kept: Path | None = None
        """What the record that lay there before is called now."""
        self.trouble = ""
        """Why a game that was broken off does not go on; empty where nothing is wrong."""

    def begin(self, table: Table, header: Header) -> Session:
        """Begin a game at a table; the game before it ends.

        Raises `PlaneError` where the camera's picture has another shape than the table's,
        `RefereeError` where another program has a game in that folder, and `StoreError`.
        """
        folder = self._folder or GAMES / time.strftime("%Y-%m-%d-%H%M%S")
        self.end()
        self._mark.enter_context(running(folder))
        self.record = folder / RECORD
        self.kept = set_aside(self.record)
        return self._watch(table, header, None)

    def go_on(self, table: Table | None = None) -> Session:
        """Go on with the last game, at a table that was set up anew or at its own.

        Raises `RefereeError` where there is none or it does not fit the table.
        """
        if self.record is None or not self.record.is_file():
            raise RefereeError("expected a game to go on with, found none")
        self.end()
        self._mark.enter_context(running(self.record.parent))
        # A recording goes on where it was; the table meanwhile went on without us.
        is_recording = self.live.camera.duration_s is not None
        away_s = 0.0 if is_recording else time.time() - self.record.stat().st_mtime
        before = Resumed.read(read(self.record).records, away_s)
        known = table or load_table(self.record.with_name(TABLE))
        names = before.game.header.players
        if len(known.players) != len(names):
            raise RefereeError(
                f"expected the {len(names)} players of the game ({', '.join(names)}),"
                f" found {len(known.players)} seats"
            )
        return self._watch(known, before.game.header, before)

    def resume(self) -> Session | None:
        """Go on with a game that was broken off before the program started; None for none."""
        newest = self._newest()
        if newest is None or not newest.with_name(TABLE).is_file():
            return None
        if time.time() - newest.stat().st_mtime > STILL_ON_S:
            return None
        try:
            if is_over(newest):
                return None
            self.record = newest
            return self.go_on()
        except (OSError, ValueError, StoreError) as error:
            self._mark.close()
            self.record = None
            self.trouble = f"a game cannot be gone on with, and is kept as it is: {error}"
            return None

    def end(self) -> None:
        """Watch no game any more; what was seen is in the record."""
        self.live.end()
        if self._store is not None:
            self._store.close()
            self._store = None
        self._mark.close()

    def close(self) -> None:
        """End for good."""
        self.end()

    def _newest(self) -> Path | None:
        if self._folder is not None:
            found = [self._folder / RECORD]
        else:
            # Another table's program may have a game here, too.
            found = [path for path in GAMES.glob(f"*/{RECORD}") if not is_running(path.parent)]
        there = [path for path in found if path.is_file()]
        return max(there, key=lambda path: path.stat().st_mtime, default=None)

    def _watch(self, table: Table, header: Header, before: Resumed | None) -> Session:
        assert self.record is not None
        fitting = self._fitting(table)
        store = PatientStore(self.record)
        try:
            session = Session(fitting, header, self._readers(header.game), store, before)
        except Exception:
            store.close()
            self._mark.close()
            raise
        self._store = store
        newest = -1 if before is None else max(before.game.ids, default=-1)
        session.desk.crops.lie_in(self.record.with_name(CROPS), newest)
        with contextlib.suppress(OSError):  # the disk may be full: the game goes on
            save_table(table, self.record.with_name(TABLE))
        if self._began is not None:
            self._began(session)
        self.live.begin(session, fitting)
        return session

    def _fitting(self, table: Table) -> Table:
        """The table in pictures of the camera's size; a camera that is yet to come will fit."""
        try:
            size_px = self.live.camera.size_px
        except SourceError:
            return table
        return table.resized(size_px)


def is_over(record: Path) -> bool:
    """Whether a record's match has ended, so that nothing more is to come."""
    records = read(record).records
    if not records:
        return True
    scores = [line for line in records if line.get("type") == "score"]
    rulings = [line for line in records if line.get("type") == "ruling"]
    if scores and scores[-1].get("finished"):
        return True
    return bool(rulings and rulings[-1].get("finished")) and _is_one_round(records[0])


def _is_one_round(header: Record) -> bool:
    options: dict[str, Any] = header.get("options") or {}
    return bool(options.get("length", {"rounds": 1}) == {"rounds": 1})


def set_aside(path: Path) -> Path | None:
    """Rename a record that is there already: a game that was played is never written over."""
    if not path.exists():
        return None
    written = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(path.stat().st_mtime))
    kept = path.with_name(f"{path.stem}-{written}{path.suffix}")
    path.rename(kept)
    return kept
