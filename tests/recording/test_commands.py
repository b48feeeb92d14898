"""`referee recordings`: what is listed, asked and deleted."""

from __future__ import annotations

import os
from pathlib import Path

from typer.testing import CliRunner, Result

from referee.commands.recordings import app


def call(*arguments: str, games: Path, typed: str = "") -> Result:
    return CliRunner().invoke(app, [*arguments, "--games", str(games)], input=typed)


def match(games: Path, name: str, ended_s: float = 1e9) -> Path:
    folder = games / name
    folder.mkdir(parents=True)
    record = folder / "game.jsonl"
    record.write_text('{"type": "game", "players": ["Ann", "Ben"]}\n')
    os.utime(record, (ended_s, ended_s))
    return folder


def test_matches_are_listed_with_their_players(tmp_path: Path) -> None:
    assert "no matches" in call("list", games=tmp_path / "none").output
    match(tmp_path, "one")
    listed = call("list", games=tmp_path).output
    assert "one" in listed and "Ann, Ben" in listed and "not recorded" in listed


def test_nothing_is_deleted_without_a_yes(tmp_path: Path) -> None:
    folder = match(tmp_path, "one")
    assert call("delete", "one", games=tmp_path, typed="n\n").exit_code == 1
    assert folder.exists()
    assert call("delete", "one", "one", games=tmp_path, typed="y\n").exit_code == 0
    assert not folder.exists()


def test_a_name_is_never_a_way_to_another_place(tmp_path: Path) -> None:
    elsewhere = match(tmp_path / "elsewhere", "dear")
    (tmp_path / "games").mkdir()
    for name in ("../elsewhere/dear", str(elsewhere), "."):
        assert call("delete", name, "--yes", games=tmp_path / "games").exit_code == 1
    assert (elsewhere / "game.jsonl").exists()


def test_old_matches_expire(tmp_path: Path) -> None:
    old, new = match(tmp_path, "old"), match(tmp_path, "new", 4e9)
    assert call("expire", "30", "--yes", games=tmp_path).exit_code == 0
    assert (old.exists(), new.exists()) == (False, True)
    assert "no match" in call("expire", "30", games=tmp_path).output
