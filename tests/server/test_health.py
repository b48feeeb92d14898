"""`/health` and `/metrics`: what people, launchers and monitors are told."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.testclient import TestClient

from referee.server.access import Access
from referee.server.app import create_app
from referee.server.links import LinksFile, Role
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling


def client(desk: Desk, access: Access | None = None) -> TestClient:
    return TestClient(create_app(desk, access=access), base_url="http://127.0.0.1")


def test_safe_mode_is_told_and_why_only_to_whoever_runs_the_game(
    desk: Desk, tmp_path: Path
) -> None:
    desk.show(safe_mode=True, trouble="the disk is full")
    told = client(desk).get("/health").json()
    assert (told["status"], told["trouble"]) == ("safe_mode", "the disk is full")
    file = LinksFile(tmp_path)
    guest = client(desk, Access(frozenset({"127.0.0.1"}), file))
    for role, text in ((None, ""), (Role.PUBLIC, ""), (Role.CONTROL, "the disk is full")):
        key = {} if role is None else {"Authorization": f"Bearer {file.load().keys[role]}"}
        told = guest.get("/health", headers=key).json()
        assert (told["status"], told["trouble"]) == ("safe_mode", text)


def metrics(desk: Desk) -> dict[str, float]:
    answer = client(desk).get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    lines = re.findall(r"^(\w+(?:\{[^}]*\})?) ([-+.e0-9naif]+)$", answer.text, re.M)
    return {name: float(value) for name, value in lines}


def test_metrics_count_what_holds_now(desk: Desk) -> None:
    desk.add(START, ruling(0), PLACE, ruling(1), ILLEGAL, ruling(2, legal=False))
    desk.show(light="hand")
    desk.take()
    told = metrics(desk)
    assert told['referee_rulings{verdict="legal"}'] == 2
    assert told['referee_rulings{verdict="illegal"}'] == 1
    assert told['referee_rulings{verdict="cannot tell"}'] == 0
    assert told['referee_light{light="hand"}'] == 1
    assert told['referee_light{light="watching"}'] == 0
    assert told["referee_safe_mode"] == 0
    assert 0 <= told["referee_picture_age_seconds"] < 60
    assert told["referee_requests"] == 1  # this one
    assert "referee_clients_dropped_total" in told


def test_stages_are_timed_as_they_happen(desk: Desk) -> None:
    desk.take()
    page = client(desk)
    name = 'referee_stage_seconds_count{stage="encode"}'
    before = metrics(desk).get(name, 0)
    page.get("/picture.jpg")
    assert metrics(desk)[name] == before + 1


def test_what_is_turned_away_is_counted(desk: Desk) -> None:
    name = 'referee_requests_refused_total{status="403"}'
    before = metrics(desk).get(name, 0)
    client(desk).post("/api/state", headers={"Origin": "http://evil.example"})
    assert metrics(desk)[name] == before + 1
