"""The door itself: every request passes it, and every answer.

Plain ASGI: a wrapper that reads responses would buffer the feeds and miss a client that left.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.meter import REFUSED
from referee.server.access import Access, is_loopback, needed, without_key
from referee.server.links import Role

MAX_BODY_BYTES = 256 * 1024
"""The largest thing that is sent to us is a table.json, a tenth of this."""

MAX_OPEN = 400
"""Requests at once, feeds included; one more is refused."""

MAX_OPEN_EACH = 40
"""Of them from one address that is not this machine's own."""

BODY_S = 15.0
"""How long a body may take to arrive."""

LOOK_S = 1.0
"""How often a server with keys looks whether they were changed."""

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'"
)
"""What pages may load: nothing from elsewhere and no script that stands in the page."""

UNFRAMED = f"{POLICY}; frame-ancestors 'none'"
"""For pages on which one can press something: nobody may lay a page of theirs over them.
The overlay may be framed: the page that waits for the server does."""

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_ROLE = "referee.role"

_NO_KEY = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Table Referee – a key is needed</title>
  </head>
  <body>
    <main>
      <h1>This page needs a key</h1>
      <p>Ask whoever runs the game for the link to this page; an old link may have been replaced.
      On the referee's own machine, <code>referee links</code> shows all links.</p>
    </main>
  </body>
</html>
"""


def role_of(scope: Scope) -> Role | None:
    """The role in which a request was let in; None for a guest without a key."""
    role: Role | None = scope.get(_ROLE)
    return role


_LEAD_ON = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="refresh" content="0; url=ADDRESS">
    <title>Table Referee</title>
  </head>
  <body><a href="ADDRESS">Go on</a></body>
</html>
"""


class Guests:
    """Who is being answered now, and with which keys they came in."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self._open: dict[asyncio.Task[None], frozenset[str]] = {}
        self._each: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def has_room(self, client: str) -> bool:
        """Whether one more request of this client's may be answered beside those that are."""
        if len(self._open) >= MAX_OPEN:
            return False
        return is_loopback(client) or self._each[client] < MAX_OPEN_EACH

    @contextmanager
    def visit(self, task: asyncio.Task[None], client: str, keys: frozenset[str]) -> Iterator[None]:
        """Count a request as open while the body runs."""
        self._open[task] = keys
        self._each[client] += 1
        try:
            yield
        finally:
            del self._open[task]
            self._each[client] -= 1
            if not self._each[client]:
                del self._each[client]

    def revoke(self) -> None:
        """End what is being answered to keys that are good no more."""
        if self.access.is_open:
            return
        for task, keys in list(self._open.items()):
            if keys and self.access.role(keys) is None:
                task.cancel()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look again and again whether keys were changed, as long as the body runs."""

        async def look() -> None:
            while True:
                await asyncio.sleep(LOOK_S)
                self.access.refresh()
                self.revoke()

        task = asyncio.ensure_future(look())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


class Guard:
    """Lets in whoever may come in, as often and as long as they may."""

    def __init__(self, app: ASGIApp, guests: Guests) -> None:
        self._app = app
        self._guests = guests
        self._access = guests.access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, _with_headers(scope, send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        if not self._guests.has_room(_client(scope)):
            full = _refuse(scope, 503, "too many requests are open at once", {"Retry-After": "5"})
            await full(scope, receive, send)
            return
        await self._until_revoked(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to whoever may not come in; None for whoever may."""
        access, headers = self._access, Headers(scope=scope)
        access.refresh()
        if not access.knows(headers):
            text = "This server answers only under the name that it was started for.\n"
            return PlainTextResponse(text, 421)
        if not access.may_change(scope["method"], headers):
            return _refuse(scope, 403, "another server's page may not change anything here")
        too_much = f"expected at most {MAX_BODY_BYTES} bytes"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return _refuse(scope, 413, too_much)
        if access.is_open:
            scope[_ROLE] = Role.CONTROL
            return None
        needs = needed(scope["path"])
        role = scope[_ROLE] = access.role(access.presented(scope["query_string"], headers))
        if needs is not None and (role is None or role < needs):
            return _refuse(scope, 401 if role is None else 403, "this needs another key than given")
        return self._exchange(scope, headers)

    def _exchange(self, scope: Scope, headers: Headers) -> Response | None:
        """A page that was opened by its link: the key goes into a cookie, out of the address."""
        found = self._access.key_in(scope["query_string"])
        if found is None or scope["method"] != "GET" or not _is_page(headers):
            return None
        role, key = found
        address = without_key(scope["path"], scope["query_string"])
        # Not a redirect: browsers send such a cookie only where a page of ours leads on, and a
        # redirect counts as led by the page (a chat, a mail) in which the link was clicked.
        answer = HTMLResponse(_LEAD_ON.replace("ADDRESS", html.escape(address, quote=True)))
        self._access.set_cookie(answer.headers, role, key, scope.get("scheme") == "https")
        return answer

    async def _until_revoked(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; where its key is made anew meanwhile, the answer just ends."""
        began = ended = False

        async def watched(message: Message) -> None:
            nonlocal began, ended
            if message["type"] == "http.response.start":
                began = True
            else:
                ended = not message.get("more_body", False)
            await send(message)

        keys = frozenset(self._access.presented(scope["query_string"], Headers(scope=scope)))
        task = asyncio.ensure_future(_run(self._app, scope, _limited(receive), watched))
        with self._guests.visit(task, _client(scope), keys):
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise
        if not task.cancelled():
            await task  # an exception of the application goes on its way
        elif not began:
            await _refuse(scope, 401, "the key was replaced")(scope, receive, send)
        elif not ended:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _run(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


def _client(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else ""


def _with_headers(scope: Scope, send: Send) -> Send:
    """Puts the safety headers on an answer."""
    path = scope["path"]
    framed = path == "/overlay"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", POLICY if framed else UNFRAMED)
            # A page from elsewhere may ask whether the server is up, but use nothing of ours.
            site = "cross-origin" if path == "/health" else "same-origin"
            headers.setdefault("Cross-Origin-Resource-Policy", site)
            if not framed:
                headers.setdefault("X-Frame-Options", "DENY")
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """A body that comes too slowly or grows too large counts as a client that left."""
    loop = asyncio.get_running_loop()
    size, due, arrived = 0, loop.time() + BODY_S, False

    async def receiving() -> Message:
        nonlocal size, arrived
        if arrived:
            return await receive()
        try:
            async with asyncio.timeout_at(due):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        arrived = not message.get("more_body", False)
        return message if size <= MAX_BODY_BYTES else {"type": "http.disconnect"}

    return receiving


def _is_page(headers: Headers) -> bool:
    """Whether a browser asks for something to show in a window of its own."""
    return "text/html" in headers.get("accept", "")


def _refuse(scope: Scope, status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal as its reader understands it: a page for a browser, JSON for a program."""
    REFUSED.labels(status).inc()
    if status in (401, 403) and scope["method"] == "GET" and _is_page(Headers(scope=scope)):
        return HTMLResponse(_NO_KEY, status, headers)
    if status == 401:
        headers = {"WWW-Authenticate": 'Bearer realm="Table Referee"'}
    return JSONResponse({"detail": why}, status, headers)
