"""The record on disk: `game.jsonl`, one JSON object a line, only ever appended to.

A line is on disk before anybody is told of it. If the program or the machine dies, the record
ends with a whole line or with the beginning of one, which is dropped when it is opened again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

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

    def __init__(self, path: Path, *, durable: bool) -> None:
        """Open ``path`` to append; a line that was cut off at its end is removed first.

        With ``durable``, each line is forced onto the disk itself: a live game must survive a
        power cut, a review can be repeated. Raises `StoreError`.
        """
        self.path = path
        self._durable = durable
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            size_bytes = read(path).size_bytes if path.exists() else 0
            # Unbuffered: a full disk is noticed at the line that it hits.
            self._file = path.open("ab", buffering=0)
            self._file.truncate(size_bytes)
        except OSError as error:
            raise StoreError(f"{path}: cannot write the record ({error.strerror})") from error
        self._size_bytes = size_bytes

    def append(self, records: Iterable[Record]) -> None:
        """Write records, each as one line; when this returns they are on disk.

        Raises `StoreError`; what was written before stays whole and readable.
        """
        text = "".join(
            json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" for record in records
        )
        data = text.encode()
        try:
            written = self._file.write(data)
            while written < len(data):  # a disk that fills up takes a part of it first
                written += self._file.write(data[written:])
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size_bytes)
            raise StoreError(
                f"{self.path}: cannot go on with the record ({error.strerror}); "
                "what was written until now is whole"
            ) from error
        self._size_bytes += len(data)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


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
