"""The record on disk: `game.jsonl`, one JSON object a line, only ever appended to.

A line is on disk before anybody is told of it. If the program or the machine dies, the record
ends with a whole line or with the beginning of one, which is dropped when it is opened again.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from referee.meter import timed

Record = Mapping[str, Any]
"""One line, parsed."""


class StoreError(RuntimeError):
    """A record that cannot be written or read; says which file and why."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a record holds."""

    records: tuple[dict[str, Any], ...]
    """The whole lines, in order."""
    size_bytes: int
    """Where the last whole line ends; what follows was cut off while it was written."""


class Store:
    """A record that is open for writing. Use it as a context manager, or `close` it."""

    trouble: str | None = None
    """Always None: this record never lags behind, it fails."""

    def __init__(self, path: Path, *, durable: bool) -> None:
        """Open ``path`` to append; a line that was cut off at its end is removed first.

        With ``durable``, each line is forced onto the disk itself: a live game must survive a
        power cut, a review can be repeated. Raises `StoreError`.
        """
        self.path = path
        self._durable = durable
        self.cut_off_bytes = 0
        """How much of a last line was found there and removed."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            size_bytes = read(path).size_bytes if path.exists() else 0
            # Unbuffered: a full disk is noticed at the line that it hits.
            self._file = path.open("ab", buffering=0)
            self.cut_off_bytes = self._file.seek(0, os.SEEK_END) - size_bytes
            self._file.truncate(size_bytes)
            if durable:
                _keep_name(path)
        except OSError as error:
            raise StoreError(f"{path}: cannot write the record ({error.strerror})") from error
        self._size_bytes = size_bytes
        self._torn = False
        """Whether a part of a line may stand at the end, which the disk refused to remove."""

    def append(self, records: Iterable[Record]) -> None:
        """Write records, each as one line; when this returns they are on disk.

        Raises `StoreError`; what was written before stays whole and readable.
        """
        text = "".join(
            json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" for record in records
        )
        data = text.encode()
        try:
            if self._torn:
                self._file.truncate(self._size_bytes)
                self._torn = False
            written = self._file.write(data)
            while written < len(data):  # a disk that fills up takes a part of it first
                written += self._file.write(data[written:])
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            self._torn = True
            with contextlib.suppress(OSError):
                self._file.truncate(self._size_bytes)
                self._torn = False
            raise StoreError(
                f"{self.path}: cannot go on with the record ({error.strerror}); "
                "what was written until now is whole"
            ) from error
        self._size_bytes += len(data)

    def retry(self) -> bool:
        """Nothing ever waits here."""
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


class PatientStore:
    """A record of a live game, which goes on where the disk does not.

    What cannot be written is kept in order and tried again. Who tells viewers of moves asks
    first whether `trouble` is None: nothing is told that is not on disk.
    """

    def __init__(
        self, path: Path, clock: Callable[[], float] = time.monotonic, retry_s: float = 1.0
    ) -> None:
        """Lines go to ``path`` by way of a durable `Store`, which is opened as soon as it can be.

        Raises `StoreError` where the file that is there is no record.
        """
        self.path = path
        self.trouble: str | None = None
        """Why the record lags behind, in a sentence; None while all is on disk."""
        self.cut_off_bytes = 0
        """How much of a last line was found there and removed."""
        self._clock = clock
        self._retry_s = retry_s
        self._retry_at_s = 0.0
        self._waiting: list[Record] = []
        self._store: Store | None = None
        self._write()

    def append(self, records: Iterable[Record]) -> None:
        """Write records, after those that wait; whether it was done, `trouble` says."""
        self._waiting += records
        self._write()

    def retry(self) -> bool:
        """Try again where it is time to; True if what had waited is on disk now."""
        if self.trouble is None or self._clock() < self._retry_at_s:
            return False
        self._write()
        return self.trouble is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._store is not None:
            self._store.close()

    def _write(self) -> None:
        try:
            if self._store is None:
                self._store = Store(self.path, durable=True)
                self.cut_off_bytes = self._store.cut_off_bytes
            if self._waiting:
                with timed("store"):
                    self._store.append(self._waiting)
                self._waiting.clear()
        except StoreError as error:
            if not isinstance(error.__cause__, OSError):
                raise  # not the disk: the file is no record
            self.trouble = str(error)
            self._retry_at_s = self._clock() + self._retry_s
        else:
            self.trouble = None


def _keep_name(path: Path) -> None:
    """Have the file's name survive a power cut, too, where the system can do that."""
    if os.name != "posix":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read(path: Path) -> Stored:
    """Read a record; a last line without its end is left out.

    Raises `StoreError` for a line in the middle that is no JSON object, and OSError.
    """
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    records: list[dict[str, Any]] = []
    for number, line in enumerate(whole.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (UnicodeDecodeError, json.JSONDecodeError):
            record = None
        if not isinstance(record, dict):
            raise StoreError(f"{path}: line {number}: expected a JSON object, found another text")
        records.append(record)
    return Stored(tuple(records), len(whole))
