"""The file that says what OBS does when something happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.obs.plan import (
    PASSWORD_VARIABLE,
    Plan,
    PlanError,
    Reaction,
    example,
    load_plan,
    parse_plan,
)
from referee.overlay.cues import CUES


def test_a_plan_is_read(tmp_path: Path) -> None:
    path = tmp_path / "obs.toml"
    path.write_text(
        """
        address = "10.0.0.5:4455"
        password = "ace"
        language = "de"
        [on.illegal]
        chapter = true
        replay = true
        replay_after_s = 6
        scene = "Close-up"
        back_s = 8.5
        """,
        encoding="utf-8",
    )
    reaction = Reaction(True, True, 6.0, "Close-up", back_s=8.5)
    assert load_plan(path) == Plan("10.0.0.5:4455", "ace", "de", {"illegal": reaction})


def test_an_empty_plan_does_nothing() -> None:
    assert parse_plan({}) == Plan()
    assert not parse_plan({}).wants_replays


def test_the_environment_goes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, "from outside")
    assert parse_plan({"password": "written down"}).password == "from outside"


def test_a_password_is_not_printed() -> None:
    assert "ace" not in repr(Plan(password="ace"))


def test_the_example_is_a_plan_and_names_every_event(tmp_path: Path) -> None:
    path = tmp_path / "obs.toml"
    path.write_text(example(), encoding="utf-8")
    plan = load_plan(path)
    assert set(plan.on) == {"illegal", "win"}
    assert plan.wants_replays
    assert all(f"[on.{cue}]" in example() for cue in CUES)
    path.write_text(example().replace("# [on", "[on"), encoding="utf-8")
    assert set(load_plan(path).on) == set(CUES)


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ({"adress": "x"}, "found 'adress'"),
        ({"address": 4455}, "expected text"),
        ({"language": "fr"}, "expected en, de, pt, fi, found 'fr'"),
        ({"on": []}, "expected tables"),
        ({"on": {"foul": {}}}, "on.foul: expected an event"),
        ({"on": {"win": True}}, "on.win: expected a table"),
        ({"on": {"win": {"chapters": True}}}, "found 'chapters'"),
        ({"on": {"win": {"chapter": 1}}}, "on.win.chapter: expected true or false"),
        ({"on": {"win": {"scene": 2}}}, "on.win.scene: expected text"),
        ({"on": {"win": {"back_s": "8"}}}, "expected seconds from 0 to 600, found '8'"),
        ({"on": {"win": {"back_s": True}}}, "expected seconds"),
        ({"on": {"win": {"replay_after_s": -1}}}, "expected seconds"),
    ],
)
def test_what_is_no_plan_is_told(entries: dict[str, Any], says: str) -> None:
    with pytest.raises(PlanError, match=says):
        parse_plan(entries)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "obs.toml"
    with pytest.raises(PlanError, match=r"obs\.toml: No such file"):
        load_plan(path)
    path.write_text("on illegal", encoding="utf-8")
    with pytest.raises(PlanError, match=r"obs\.toml: Expected"):
        load_plan(path)
