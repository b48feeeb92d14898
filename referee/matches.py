"""Matches on disk: each is a folder, and everything in it belongs to it.

What a folder may hold is listed here, once: to be shown, to be kept for some days and no longer,
and to be deleted whole, but nothing besides.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Final

from referee.errors import RefereeError

GAMES: Final = Path("games")
"""Where the matches' folders are made unless the user names one."""

RECORD: Final = "game.jsonl"
"""The record: what was seen and ruled."""
RECORDING: Final = "recording"
"""The folder of the recorded picture, in pieces."""
CROPS: Final = "crops"
"""The folder of the pictures of single moves."""
LOG: Final = "log.jsonl"
"""What the program did."""
TABLE: Final = "table.json"
"""The table as it was measured for this match."""
_RUNNING: Final = "running"

_BELONGS: Final = re.compile(
    r"game(-[\w-]+)?\.jsonl|recording|crops|log\.jsonl|table\.json|running|report\.html"
)
"""The names of what belongs to a match, directly in its folder."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match, as far as its folder tells."""

    folder: Path
    players: tuple[str, ...]
    ended_s: float
    """When its record was last written to, in seconds since 1970."""
    size_bytes: int
    pieces: int
    """Of the recorded picture."""
    is_running: bool

    @property
    def ended(self) -> str:
        """The same as local time, to the minute."""
        return datetime.fromtimestamp(self.ended_s).strftime("%Y-%m-%d %H:%M")


def match_in(folder: Path) -> Match | None:
    """The match in a folder; None where there is none."""
    record = folder / RECORD
    if folder.is_symlink() or not record.is_file():
        return None
    pieces = folder / RECORDING
    return Match(
        folder,
        _players(record),
        record.stat().st_mtime,
        sum(path.stat().st_size for path in _files(folder)),
        sum(path.suffix in (".mkv", ".mp4") for path in _files(pieces)),
        is_running(folder),
    )


def matches(games: Path) -> list[Match]:
    """The matches in a folder of matches, the newest first."""
    if not games.is_dir():
        return []
    found = [match_in(folder) for folder in games.iterdir() if folder.is_dir()]
    return sorted((one for one in found if one), key=lambda one: -one.ended_s)


def belongings(folder: Path) -> list[Path]:
    """What belongs to the match in a folder."""
    return sorted(path for path in folder.iterdir() if _BELONGS.fullmatch(path.name))


def delete(match: Match) -> list[Path]:
    """Delete a match with everything that belongs to it; returns what lies there besides.

    Links are removed, never followed. Raises RefereeError for a match that is being played.
    """
    if is_running(match.folder):
        raise RefereeError(f"{match.folder}: this match is being played now; end it first")
    for path in belongings(match.folder):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    left = sorted(match.folder.iterdir())
    if not left:
        match.folder.rmdir()
    return left


def expired(games: Path, days: float, now_s: float | None = None) -> list[Match]:
    """The matches that ended longer ago than so many days."""
    since_s = (time.time() if now_s is None else now_s) - days * 86400
    return [one for one in matches(games) if one.ended_s < since_s and not one.is_running]


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Mark a match as being played while the body runs; the system forgets it with the program.

    Raises RefereeError where another program plays it.
    """
    path = folder / _RUNNING
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark = path.open("a+")
    except OSError:
        # A disk that takes nothing: the game goes on all the same, and says so elsewhere.
        yield
        return
    with mark:
        if not _lock(mark):
            raise RefereeError(f"{folder}: another program is refereeing into this folder")
        yield
        with contextlib.suppress(OSError):
            path.unlink()


def is_running(folder: Path) -> bool:
    """Whether a program plays this match now."""
    try:
        with (folder / _RUNNING).open("r+") as mark:
            return not _lock(mark)
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(mark: IO[str]) -> bool:
        """Take the mark for this program, until the file is closed; the system sees to it."""
        try:
            mark.seek(0)
            msvcrt.locking(mark.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(mark: IO[str]) -> bool:
        """Take the mark for this program, until the file is closed; the system sees to it."""
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _players(record: Path) -> tuple[str, ...]:
    """Whose match it is, by the record's first line; nobody where that cannot be read."""
    try:
        with record.open(encoding="utf-8") as lines:
            names = json.loads(lines.readline()).get("players", [])
    except (OSError, ValueError, AttributeError):
        return ()
    return tuple(str(name) for name in names) if isinstance(names, list) else ()
