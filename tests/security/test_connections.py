"""Connections: a replaced key ends what it opened, the quiet and the many hold nothing up."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from referee.server import connections, guard
from referee.server.access import Access
from referee.server.links import KEY, LinksFile, Role
from referee.server.serve import Serving, bind, serving
from tests.pages import SIZES, opened, violations
from tests.server.desk import Desk

TALL = 10.0
"""Longer than anything here may take."""


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread of its own: the browser that tests share keeps a loop running
    in this one."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, work).result()


@pytest.fixture
def url(desk: Desk, file: LinksFile) -> Iterator[str]:
    """A server that listens on all addresses, asked on this machine's own."""
    listener = bind("0.0.0.0", 0)
    port = listener.getsockname()[1]
    with serving(desk, listener):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", ["desk", "setup", "overlay"])
def test_whoever_has_no_key_reads_what_to_do(
    url: str, chromium: Any, path: str, size: tuple[int, int]
) -> None:
    with opened(chromium, f"{url}/{path}", size) as page:
        assert page.locator("h1").inner_text() == "This page needs a key"
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_feed_ends_when_its_key_is_made_anew(
    url: str, file: LinksFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = file.load().keys
    address = f"{url}/api/events"
    public = {"Authorization": f"Bearer {keys[Role.PUBLIC]}"}
    with (
        httpx.stream("GET", address, headers=public, timeout=TALL) as old,
        httpx.stream("GET", address, params={KEY: keys[Role.DISPLAY]}, timeout=TALL) as other,
    ):
        lines, others = old.iter_lines(), other.iter_lines()
        assert next(lines) == "event: hello"
        assert next(others) == "event: hello"
        began = time.monotonic()
        file.rotate([Role.PUBLIC])
        list(lines)  # runs out instead of going on for ever
        assert time.monotonic() - began < guard.LOOK_S + 1
        assert httpx.get(f"{url}/api/state", headers=public).status_code == 401
        while next(others) != "event: beat":  # nobody else noticed
            pass


def test_a_connection_that_asks_for_nothing_is_hung_up_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "FIRST_REQUEST_S", 0.2)
    listener = bind(port=0)
    address = listener.getsockname()[:2]
    with serving(desk, listener) as url:
        for said in (b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nX: "):
            with socket.create_connection(address, timeout=TALL) as quiet:
                quiet.sendall(said)
                assert _ends(quiet)
        with httpx.Client() as busy:
            until = time.monotonic() + 0.4
            while time.monotonic() < until:
                assert busy.get(f"{url}/health").status_code == 200


def test_a_body_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.2)
    received: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        received.append((await receive())["type"])
        await PlainTextResponse("given up")(scope, receive, send)

    async def never() -> Message:
        await asyncio.sleep(TALL)
        raise AssertionError("waited for")

    async def ignore(message: Message) -> None:
        del message

    scope = {"type": "http", "method": "POST", "path": "/x", "query_string": b"", "headers": []}
    run_apart(guard.Guard(app, guard.Guests(Access(None)))(scope, never, ignore))
    assert received == ["http.disconnect"]


def test_a_body_sent_in_pieces_may_be_only_so_large(desk: Desk) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 16384

    listener = bind(port=0)
    with serving(desk, listener) as url:
        answer = httpx.post(f"{url}/api/state", content=pieces())
        assert answer.status_code in (400, 405, 413)
        assert httpx.get(f"{url}/health").status_code == 200


def test_one_client_may_not_take_all_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_OPEN_EACH", 1)

    async def crowd() -> None:
        guests = guard.Guests(Access())
        task = asyncio.ensure_future(asyncio.sleep(0))
        with guests.visit(task, "192.168.1.9", frozenset()):
            assert not guests.has_room("192.168.1.9")
            assert guests.has_room("192.168.1.10")
            assert guests.has_room("127.0.0.1")
        assert guests.has_room("192.168.1.9") and len(guests) == 0
        await task

    run_apart(crowd())


def test_connections_beyond_the_limit_are_hung_up_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 3)
    listener = bind(port=0)
    address = listener.getsockname()[:2]
    with serving(desk, listener):
        held = [socket.create_connection(address, timeout=TALL) for _ in range(3)]
        with socket.create_connection(address, timeout=TALL) as one_more:
            assert _ends(one_more)
        for connection in held:
            connection.close()


def test_a_server_for_others_shows_its_links(desk: Desk, file: LinksFile) -> None:
    with bind("0.0.0.0", 0) as listener:
        server = Serving(desk, listener)
        assert server.link(Role.CONTROL).endswith(f"/desk?key={file.load().keys[Role.CONTROL]}")
    with bind(port=0) as listener:
        assert "key" not in Serving(desk, listener).link(Role.CONTROL)


def _ends(connection: socket.socket) -> bool:
    """Whether the server hangs up."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True
