"""The addresses of the server, asked in process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from referee.announce import LANGUAGES, Language
from referee.overlay.source import Mark
from referee.server.app import STATIC, create_app
from tests.server.desk import PLACE, START, Desk, ruling
from vision.facts import Image


@pytest.fixture
def client(desk: Desk) -> Iterator[TestClient]:
    with TestClient(create_app(desk), base_url="http://127.0.0.1") as client:
        yield client


def test_every_language_may_be_asked_for() -> None:
    assert get_args(Language) == LANGUAGES


def test_the_state_follows_the_game(client: TestClient, desk: Desk) -> None:
    assert client.get("/api/state").json()["phase"] == "waiting"
    desk.add(START, ruling(0), PLACE, ruling(1))
    state = client.get("/api/state", params={"lang": "pt"}).json()
    assert state["phase"] == "playing"
    assert state["ends"] == ["r5", "g6"]
    assert state["entries"][-1]["said"][0]["text"] == "Ann joga 7 verde, 6 verde."


def test_an_unknown_language_is_refused_with_those_there_are(client: TestClient) -> None:
    answer = client.get("/api/state", params={"lang": "xx"})
    assert answer.status_code == 422
    assert "'en', 'de', 'pt' or 'fi'" in answer.text


def test_without_a_picture_there_is_none_to_be_had(client: TestClient) -> None:
    assert client.get("/picture.jpg").status_code == 404


def test_the_picture_is_handed_on_smaller_or_as_it_is(client: TestClient, desk: Desk) -> None:
    desk.take()
    assert _size(client.get("/picture.jpg").content) == (160, 90)
    assert _size(client.get("/picture.jpg", params={"width": 3840}).content) == (160, 90)
    desk.photo = None
    desk.take(2)
    assert client.get("/picture.jpg", params={"width": 5}).status_code == 422


def test_marks_are_drawn_in_unless_the_picture_is_wanted_clean(
    client: TestClient, desk: Desk
) -> None:
    square = ((40.0, 30.0), (80.0, 30.0), (80.0, 60.0), (40.0, 60.0))
    desk.take(marks=(Mark(square, "illegal", "y1"),))
    clean = _picture(client.get("/picture.jpg", params={"marked": 0}).content)
    marked = _picture(client.get("/picture.jpg").content)
    assert np.abs(clean.astype(int) - 120).max() < 4
    blue, green, red = marked[45, 60].astype(int)
    assert red - blue > 20 and red - green > 20  # the card at fault is tinted
    assert np.abs(marked[45, 130].astype(int) - 120).max() < 4  # nothing else is touched


def test_health_tells_what_vision_does(client: TestClient, desk: Desk) -> None:
    desk.show(light="out_of_sync")
    health = client.get("/health").json()
    assert (health["status"], health["light"], health["picture_age_s"]) == (
        "ok",
        "out_of_sync",
        None,
    )
    desk.take()
    assert 0 <= client.get("/health").json()["picture_age_s"] < 60


def test_a_server_for_this_machine_answers_to_no_other_name(desk: Desk) -> None:
    """A page elsewhere can have its own name point to 127.0.0.1, but not change the Host."""
    with TestClient(create_app(desk), base_url="http://evil.example") as client:
        assert client.get("/api/state").status_code == 421
    for name in ("localhost:8017", "127.0.0.1", "[::1]:8017"):
        with TestClient(create_app(desk), base_url=f"http://{name}") as client:
            assert client.get("/api/state").status_code == 200


def test_the_state_can_only_be_read(client: TestClient) -> None:
    assert client.post("/api/state").status_code == 405


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/snapshot.py", "/static/"])
def test_no_file_but_the_pages_own_is_handed_out(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/overlay", "/docs", "/static/overlay.js", "/api/state"])
def test_safety_headers_are_on_everything(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert headers["x-content-type-options"] == "nosniff"


def test_no_page_loads_anything_from_elsewhere() -> None:
    names = re.compile(r"https?://[^\s\"'`)<]+")
    for path in STATIC.rglob("*"):
        if path.suffix in {".html", ".css", ".js"}:
            found = set(names.findall(path.read_text(encoding="utf-8")))
            assert found <= {"http://www.w3.org/2000/svg"}, path.name


def test_the_root_leads_to_the_overlay(client: TestClient) -> None:
    answer = client.get("/", follow_redirects=False)
    assert answer.headers["location"] == "/overlay"


def _picture(jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def _size(jpeg: bytes) -> tuple[int, int]:
    height, width = _picture(jpeg).shape[:2]
    return width, height
