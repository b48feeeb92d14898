"""What the program did, one JSON object a line, for whoever looks after it.

Keys, links and addresses of guests are never written here.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from referee.errors import RefereeError
from referee.overlay.source import Source, View

_LOGGERS: Final = ("referee", "uvicorn.error")
"""Ours, and the web server's for what went wrong in it."""


def event(name: str, **fields: Any) -> None:
    """Something happened. Nothing is written unless a journal is kept."""
    logging.getLogger("referee").info(name, extra={"fields": fields})


@contextmanager
def journal(path: Path | None) -> Iterator[None]:
    """Keep a journal in a file while the body runs; ``-`` is stderr, None keeps none.

    Raises RefereeError where the file cannot be written. Later a full disk costs lines here,
    never the game.
    """
    if path is None:
        yield
        return
    try:
        handler = (
            logging.StreamHandler(sys.stderr)
            if str(path) == "-"
            else logging.FileHandler(path, encoding="utf-8")
        )
    except OSError as error:
        raise RefereeError(f"{path}: cannot write the journal ({error.strerror})") from error
    handler.setFormatter(JsonLines())
    logging.raiseExceptions = False  # a line that cannot be written is lost, and no more
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
    loggers[0].setLevel(logging.INFO)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        with contextlib.suppress(OSError):  # a full disk refuses even what is left to write
            handler.close()


class JsonLines(logging.Formatter):
    """Each event is one line: when, how grave, what, and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created).astimezone()
        line: dict[str, Any] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info is not None:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def reporting(source: Source) -> Callable[[], None]:
    """Report what changes in a game; returns what ends it."""
    shown = View()

    def changed() -> None:
        nonlocal shown
        before, now = shown, source.view()
        shown = now
        if now.header is not None and now.header != before.header:
            event("game", game=now.header.get("game"), players=len(now.header["players"]))
        for name in ("light", "camera", "paused"):
            if getattr(now, name) != getattr(before, name):
                event(name, now=getattr(now, name), before=getattr(before, name))
        if (now.is_limited, now.wrong) != (before.is_limited, before.wrong):
            event("safe_mode", on=now.is_limited, trouble=now.wrong)
        grown = now.log[: len(before.log)] == before.log
        if not grown:
            event("corrected", moves=len(now.ids))
        for line in now.log[len(before.log) if grown else len(now.log) :]:
            if line["type"] == "ruling":
                kept = ("of", "player", "legal", "violations", "confidence")
                event("ruling", **{name: line.get(name) for name in kept})

    changed()
    return source.subscribe(changed)
