"""How fast a change reaches many viewers, while some of them do not read."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.__main__ import Figure
from referee.overlay.source import Picture, View
from referee.server.serve import bind, serving
from referee.store import read

SAMPLE = Path("datasets/samples/c1.game.jsonl")
CHANGES = 40
EVERY_S = 0.5
LANGUAGES = ("en", "de", "pt", "fi")


class Ticker:
    """A game whose last move bears the moment at which it was told, by the machine's clock."""

    def __init__(self) -> None:
        header, *self._log = read(SAMPLE).records
        self._view = View(header=header, log=tuple(self._log))
        self._changed: list[Callable[[], None]] = []

    def view(self) -> View:
        """A whole game, so that what is sent is as large as it gets."""
        return self._view

    def picture(self) -> Picture | None:
        """None."""
        return None

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """For the server."""
        self._changed.append(changed)
        return lambda: self._changed.remove(changed)

    def tick(self) -> None:
        """One more change."""
        log: list[Any] = [dict(line) for line in self._log]
        moves = [line for line in log if line["type"] not in ("ruling", "score")]
        moves[-1]["t"] = time.monotonic()
        self._view = View(header=self._view.header, log=tuple(log))
        for changed in self._changed:
            changed()


def serve() -> None:
    """The server's process: says its port, then ticks until its input ends."""
    ticker = Ticker()
    listener = bind(port=0)
    with serving(ticker, listener):
        print(listener.getsockname()[1], flush=True)
        ended = threading.Event()

        def wait_for_end() -> None:
            sys.stdin.read()
            ended.set()

        threading.Thread(target=wait_for_end, daemon=True).start()
        began_s, changes = time.process_time(), 0
        while not ended.wait(EVERY_S):
            ticker.tick()
            changes += 1
        print((time.process_time() - began_s) / max(1, changes), flush=True)


def fan_out(clients: int, stalled: int) -> list[Figure]:
    """From a change in the game to its arrival at each viewer that reads."""
    server = subprocess.Popen(
        [sys.executable, "-c", "from benchmarks.fan_out import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None
    try:
        port = int(server.stdout.readline())
        late_s = np.array(asyncio.run(_listen(port, clients, stalled)))
    finally:
        server.stdin.close()
        cost_s = float(server.stdout.readline())
        server.wait(10)
        server.stdout.close()
    beside = f"{clients} viewers, {stalled} stalled, {len(late_s)} arrivals"
    return [
        Figure("a change reaches a viewer, median", np.median(late_s) * 1000, "ms", beside),
        Figure("a change reaches a viewer, p95", np.quantile(late_s, 0.95) * 1000, "ms", beside),
        Figure("a change reaches a viewer, slowest", late_s.max() * 1000, "ms", beside),
        Figure("what telling them all costs the server", cost_s * 1000, "ms of CPU a change"),
    ]


async def _listen(port: int, clients: int, stalled: int) -> list[float]:
    late_s: list[float] = []
    idle = [_stalled(port, LANGUAGES[i % 4]) for i in range(stalled)]
    readers = [
        asyncio.ensure_future(_read(port, LANGUAGES[i % 4], late_s))
        for i in range(clients - stalled)
    ]
    await asyncio.sleep(CHANGES * EVERY_S)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    for connection in idle:
        connection.close()
    return late_s


def _request(lang: str) -> bytes:
    return f"GET /api/events?lang={lang} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def _stalled(port: int, lang: str) -> socket.socket:
    """A viewer that asks and never reads; its system holds as little for it as it can."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(_request(lang))
    return connection


async def _read(port: int, lang: str, late_s: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(_request(lang))
    first = True
    while True:
        line = await reader.readuntil(b"\n")
        if not line.startswith(b"data: {") or b'"entries"' not in line:
            continue
        now_s = time.monotonic()
        told_s = float(re.findall(rb'"t":([0-9.]+)', line)[-1])
        if not first:
            late_s.append(now_s - told_s)
        first = False
