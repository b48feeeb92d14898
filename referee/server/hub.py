"""From a game that changes in one thread to many viewers in another: the newest, never a queue.

A viewer asks for anything newer than what it has and gets the newest snapshot there is. One that
is slow skips what came between; nobody waits for it and nothing piles up.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from referee.overlay.snapshot import Snapshot, snapshot
from referee.overlay.source import Source, View


class Hub:
    """Holds the newest view of a source and wakes whoever waits for a newer one.

    All methods belong to the event loop's thread, except `end` and what the source calls.
    """

    def __init__(self, source: Source, delay_s: float = 0.0) -> None:
        """With `delay_s`, viewers see each change that much later."""
        self.source = source
        self.instance = secrets.token_hex(4)
        """Tells this run of the server from any other, so that revisions never mix."""
        self.revision = 0
        self.clients = 0
        """Feeds that are open."""
        self.closed = False
        self.delay_s = delay_s
        """How much later viewers see everything."""
        self._view = View() if delay_s else source.view()
        self._waiting: deque[tuple[float, View]] = deque()
        self._woken = asyncio.Event()
        self._encoded: dict[str, tuple[int, bytes]] = {}
        self._unsubscribe: Callable[[], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def end(self) -> None:
        """`close`, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.close)

    def open(self) -> None:
        """Start to follow the source; to be called where the event loop runs."""
        loop = self._loop = asyncio.get_running_loop()

        def changed() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._changed, loop)

        self._unsubscribe = self.source.subscribe(changed)
        self._changed(loop)

    def close(self) -> None:
        """End all feeds, so that the server can stop without waiting for its viewers."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self.closed = True
        self._wake()

    async def newer(self, revision: int, timeout_s: float) -> int | None:
        """The newest revision once it is another than `revision`; None after `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while self.revision == revision and not self.closed:
            woken = self._woken
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    await woken.wait()
            except TimeoutError:
                return None
        return self.revision

    def snapshot(self, language: str) -> Snapshot:
        """The game as viewers may see it now."""
        return snapshot(self._view, language)

    def encoded(self, language: str) -> bytes:
        """The snapshot as JSON in one line, made once for all viewers of a language."""
        known = self._encoded.get(language)
        if known is None or known[0] != self.revision:
            text = json.dumps(
                self.snapshot(language),
                ensure_ascii=False,
                separators=(",", ":"),
                default=_as_object,
            )
            known = (self.revision, text.encode())
            self._encoded[language] = known
        return known[1]

    def _changed(self, loop: asyncio.AbstractEventLoop) -> None:
        view = self.source.view()
        if not self.delay_s:
            self._show(view)
            return
        self._waiting.append((loop.time() + self.delay_s, view))
        loop.call_later(self.delay_s, self._show_due, loop)

    def _show_due(self, loop: asyncio.AbstractEventLoop) -> None:
        # A timer may fire a clock tick early; a millisecond of grace keeps its view from
        # waiting for the next change.
        due = [view for at, view in self._waiting if at <= loop.time() + 0.001]
        for _ in due:
            self._waiting.popleft()
        if due:
            self._show(due[-1])

    def _show(self, view: View) -> None:
        self._view = view
        self.revision += 1
        self._wake()

    def _wake(self) -> None:
        self._woken.set()
        self._woken = asyncio.Event()


def _as_object(value: Any) -> dict[str, Any]:
    """A dataclass for `json.dumps`, without the deep copy that `asdict` makes."""
    return {field.name: getattr(value, field.name) for field in fields(value)}
