"""Matches on disk: listed, marked while they are played, deleted whole and nothing besides."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.matches import belongings, delete, expired, match_in, matches, running

DAY_S = 86400.0
HEADER = '{"type": "game", "game": "solomino", "players": ["Ann", "Änne"]}\n'


def played(games: Path, name: str, ended_s: float = 1e9) -> Path:
    """A match with everything that one may have."""
    folder = games / name
    (folder / "recording").mkdir(parents=True)
    (folder / "crops").mkdir()
    (folder / "game.jsonl").write_text(HEADER, encoding="utf-8")
    (folder / "game-2026-01-01-000000.jsonl").write_text(HEADER, encoding="utf-8")
    (folder / "table.json").write_text("{}")
    (folder / "log.jsonl").write_text("")
    (folder / "recording" / "0001.mkv").write_bytes(b"x" * 1000)
    (folder / "recording" / "pieces.jsonl").write_text("")
    (folder / "crops" / "1.jpg").write_bytes(b"x")
    os.utime(folder / "game.jsonl", (ended_s, ended_s))
    return folder


def test_matches_are_listed_the_newest_first(tmp_path: Path) -> None:
    played(tmp_path, "one", 1e9)
    played(tmp_path, "two", 2e9)
    (tmp_path / "no match").mkdir()
    (tmp_path / "a file").write_text("")
    found = matches(tmp_path)
    assert [one.folder.name for one in found] == ["two", "one"]
    assert found[0].players == ("Ann", "Änne")
    assert (found[0].pieces, found[0].is_running) == (1, False)
    assert found[0].size_bytes > 1000
    assert matches(tmp_path / "nowhere") == []


def test_a_match_is_deleted_with_everything_that_belongs_to_it(tmp_path: Path) -> None:
    folder, other = played(tmp_path, "one"), played(tmp_path, "two")
    match = match_in(folder)
    assert match is not None
    assert delete(match) == []
    assert not folder.exists()
    assert len(belongings(other)) == 6


def test_what_does_not_belong_to_it_stays_and_is_named(tmp_path: Path) -> None:
    folder = played(tmp_path, "one")
    strangers = [folder / name for name in ("notes.txt", "my.game.jsonl", "gamex.jsonl")]
    for stranger in strangers:
        stranger.write_text("mine")
    match = match_in(folder)
    assert match is not None
    assert delete(match) == sorted(strangers)
    assert [path.read_text() for path in strangers] == ["mine"] * 3
    assert sorted(folder.iterdir()) == sorted(strangers)


def test_links_are_removed_and_never_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "film.mkv").write_bytes(b"dear to me")
    folder = tmp_path / "games" / "one"
    folder.mkdir(parents=True)
    (folder / "game.jsonl").write_text(HEADER, encoding="utf-8")
    (folder / "recording").symlink_to(elsewhere, target_is_directory=True)
    (tmp_path / "games" / "linked").symlink_to(folder, target_is_directory=True)
    (match,) = matches(tmp_path / "games")
    delete(match)
    assert (elsewhere / "film.mkv").read_bytes() == b"dear to me"
    assert not folder.exists()


def test_a_match_that_is_played_is_not_deleted(tmp_path: Path) -> None:
    folder = played(tmp_path, "one")
    with running(folder):
        match = match_in(folder)
        assert match is not None and match.is_running
        with pytest.raises(RefereeError, match="being played"):
            delete(match)
        with pytest.raises(RefereeError, match="another program"), running(folder):
            pass
    match = match_in(folder)
    assert match is not None and not match.is_running


def test_days_are_counted_from_the_last_move(tmp_path: Path) -> None:
    played(tmp_path, "old", 1e9)
    played(tmp_path, "new", 1e9 + 20 * DAY_S)
    now_s = 1e9 + 30 * DAY_S
    assert [one.folder.name for one in expired(tmp_path, 14, now_s)] == ["old"]
    with running(tmp_path / "old"):
        assert expired(tmp_path, 14, now_s) == []


def test_a_record_whose_first_line_cannot_be_read_is_a_match_all_the_same(tmp_path: Path) -> None:
    folder = played(tmp_path, "one")
    (folder / "game.jsonl").write_text("torn")
    match = match_in(folder)
    assert match is not None and match.players == ()
