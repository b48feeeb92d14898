"""The feeds that stay open, over a real socket: events and the moving picture."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest

from referee.errors import RefereeError
from referee.overlay.source import Picture
from referee.server import feeds
from referee.server.serve import bind, serving
from tests.server.desk import PLACE, START, Desk, ruling

Event = tuple[str, str | None, dict[str, Any]]
"""Name, id, data."""


@contextmanager
def listening(
    url: str, lang: str = "en", last_event_id: str | None = None
) -> Iterator[Iterator[Event]]:
    """The server's events, one after the other."""
    headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
    address = f"{url}/api/events?lang={lang}"
    with httpx.stream("GET", address, headers=headers, timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield fields["event"], fields.get("id"), json.loads(fields["data"])
            fields = {}


def test_a_viewer_gets_the_labels_then_the_whole_state(url: str, desk: Desk) -> None:
    desk.add(START, ruling(0))
    with listening(url, "de") as events:
        name, _, hello = next(events)
        assert name == "hello"
        assert hello["labels"]["illegal"] == "Regelverstoß"
        name, identity, state = next(events)
        assert name == "state"
        assert identity is not None and identity.startswith(hello["instance"])
        assert state["entries"][0]["said"][0]["text"] == "Die erste Karte: Rot 5, Grün 1."


def test_each_change_arrives_whole_and_with_a_new_id(url: str, desk: Desk) -> None:
    with listening(url) as events:
        next(events)
        _, first, _ = next(events)
        desk.add(START, ruling(0))
        name, second, state = next(events)
        assert name == "state" and second != first
        assert len(state["seats"]) == 3 and state["entries"][0]["of"] == 0


def test_a_viewer_who_comes_back_up_to_date_gets_no_copy(url: str, desk: Desk) -> None:
    with listening(url) as events:
        next(events)
        _, identity, _ = next(events)
    with listening(url, last_event_id=identity) as events:
        next(events)
        desk.add(START, ruling(0))
        assert next(events)[2]["ends"] == ["r5", "g6"]
    with listening(url, last_event_id="another-1") as events:
        next(events)
        assert next(events)[0] == "state"


def test_the_feed_is_never_silent(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "BEAT_S", 0.05)
    with listening(url) as events:
        assert [next(events)[0] for _ in range(4)] == ["hello", "state", "beat", "beat"]


def test_changes_in_quick_succession_do_not_pile_up(url: str, desk: Desk) -> None:
    """A viewer that reads late gets the newest state soon, not each one in between."""
    with listening(url) as events:
        next(events)
        next(events)
        for of in range(500):
            desk.show(log=(PLACE, ruling(0, draw_pile=of)))
        seen = [0]
        while seen[-1] != 499:
            seen.append(next(events)[2].get("draw_pile") or 0)
        assert len(seen) < 500


def test_a_client_that_does_not_read_is_dropped(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds.Feed.__init__, "__defaults__", (0.3,))
    noise = np.random.default_rng(1).integers(0, 256, (1000, 1000, 3), np.uint8)
    desk.photo = Picture(noise, 0, 0.0)
    listener = bind(port=0)
    address = listener.getsockname()[:2]
    with serving(desk, listener) as url, socket.create_connection(address) as stalled:
        stalled.sendall(b"GET /video?fps=60 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        stalled.recv(100)
        index = 0
        while _feeds(url):  # until what the system buffers for it is full
            index += 1
            assert index < 1000
            desk.photo = Picture(noise, index, float(index))


def test_a_viewer_that_left_is_forgotten(url: str) -> None:
    with listening(url) as events:
        next(events)
        assert _feeds(url) == 1
    _until(lambda: _feeds(url) == 0)


def test_the_server_stops_at_once_though_viewers_are_connected(desk: Desk) -> None:
    with serving(desk, bind(port=0)) as url, listening(url) as events:
        next(events)
        began = time.monotonic()
    assert time.monotonic() - began < 10


def test_more_feeds_than_allowed_are_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.server.app.MAX_FEEDS", 1)
    with listening(url) as events:
        next(events)
        answer = httpx.get(f"{url}/api/events")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "5"


def test_with_a_delay_viewers_learn_of_a_move_later(desk: Desk) -> None:
    with serving(desk, bind(port=0), delay_s=0.5) as url, listening(url) as events:
        next(events)
        desk.add(START, ruling(0))
        began = time.monotonic()
        while not next(events)[2].get("entries"):
            pass
        assert time.monotonic() - began >= 0.45
    with serving(desk, bind(port=0), delay_s=600) as url:
        assert httpx.get(f"{url}/api/state").json()["entries"] == []


def test_the_moving_picture_shows_the_newest_frame(url: str, desk: Desk) -> None:
    desk.take(1)
    with httpx.stream("GET", f"{url}/video?fps=60&width=160", timeout=20) as answer:
        assert answer.headers["content-type"] == "multipart/x-mixed-replace; boundary=frame"
        parts = _parts(answer.iter_raw())
        assert next(parts)[:2] == b"\xff\xd8"
        desk.take(2)
        assert next(parts)[-2:] == b"\xff\xd9"


def _parts(chunks: Iterator[bytes]) -> Iterator[bytes]:
    held = b""
    for chunk in chunks:
        held += chunk
        while b"\r\n--frame\r\n" in held:
            part, _, held = held.partition(b"\r\n--frame\r\n")
            head, _, body = part.partition(b"\r\n\r\n")
            assert f"Content-Length: {len(body)}".encode() in head
            yield body


def test_a_port_in_use_is_one_clear_sentence() -> None:
    with bind(port=0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(RefereeError, match=f"port {port} on 127.0.0.1 is in use"):
            bind(port=port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(RefereeError, match=r"cannot listen on 192\.0\.2\.1"):
        bind("192.0.2.1", 0)


def _feeds(url: str) -> int:
    return int(httpx.get(f"{url}/health", timeout=20).json()["feeds"])


def _until(true: Any, within_s: float = 30.0) -> None:
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)
