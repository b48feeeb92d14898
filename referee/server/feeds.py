"""Responses that go on for hours: server-sent events and a moving picture.

Both are made of chunks, and both drop a client that does not take its chunk in time: a browser
tab that was put to sleep must not hold memory for the rest of the show.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping

from fastapi import Response
from starlette.types import Receive, Scope, Send

from referee.announce import Announcer
from referee.meter import DROPPED
from referee.server.hub import Hub
from referee.server.pictures import Studio

BEAT_S = 2.0
"""A feed is never silent for longer; the page calls itself stale after three missed beats."""

PATIENCE_S = 10.0
"""How long a client may take to accept one chunk."""

BOUNDARY = b"frame"


class Feed(Response):
    """An endless response that drops a client which stops reading."""

    def __init__(
        self,
        chunks: AsyncIterator[bytes],
        media_type: str,
        hub: Hub,
        patience_s: float = PATIENCE_S,
    ) -> None:
        super().__init__(
            media_type=media_type,
            # Proxies such as nginx hold a response back to send it in larger pieces otherwise.
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        del self.headers["content-length"]
        self._chunks = chunks
        self._hub = hub
        self._patience_s = patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send chunks until the client goes, stops reading, or the hub closes."""
        del scope
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        self._hub.clients += 1
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.clients -= 1
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        async for chunk in self._chunks:
            try:
                async with asyncio.timeout(self._patience_s):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            except TimeoutError:
                DROPPED.inc()
                raise
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def events(hub: Hub, language: str, last_event_id: str | None) -> AsyncIterator[bytes]:
    """Server-sent events: `hello` once, `state` at first and after each change, `beat` between.

    A client that comes back with the newest snapshot's id gets no second copy of it.
    """
    yield event("hello", {"instance": hub.instance, "labels": Announcer(language).labels()})
    seen = -1
    if last_event_id == f"{hub.instance}-{hub.revision}":
        seen = hub.revision
    while not hub.closed:
        revision = await hub.newer(seen, BEAT_S)
        if revision is None:
            yield event("beat", {"revision": seen})
        elif not hub.closed:
            seen = revision
            yield _raw_event("state", hub.encoded(language), f"{hub.instance}-{revision}")


def event(name: str, data: Mapping[str, object]) -> bytes:
    """One server-sent event with `data` as JSON."""
    return _raw_event(name, json.dumps(data, ensure_ascii=False).encode())


def _raw_event(name: str, line: bytes, identity: str | None = None) -> bytes:
    head = f"event: {name}\n" + (f"id: {identity}\n" if identity else "")
    return head.encode() + b"data: " + line + b"\n\n"


async def motion_jpeg(
    hub: Hub, studio: Studio, width_px: int | None, marked: bool, rate_hz: float
) -> AsyncIterator[bytes]:
    """The camera's picture as multipart JPEG: the newest frame each time, at most `rate_hz`."""
    loop = asyncio.get_running_loop()
    sent: tuple[int, float] | None = None
    due = loop.time()
    yield b"--" + BOUNDARY + b"\r\n"
    while not hub.closed:
        jpeg = await studio.jpeg(width_px, marked)
        # A picture that stands still is sent again once a beat, so that clients see that the
        # feed is alive.
        if jpeg is not None and (
            sent is None or jpeg.index != sent[0] or loop.time() - sent[1] >= BEAT_S
        ):
            sent = (jpeg.index, loop.time())
            head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg.data)}\r\n\r\n"
            # The boundary follows its part at once: browsers show a part when it has ended.
            yield head.encode() + jpeg.data + b"\r\n--" + BOUNDARY + b"\r\n"
        due = max(due + 1 / rate_hz, loop.time())
        await asyncio.sleep(due - loop.time())
