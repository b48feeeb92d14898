"""The journal: one line of JSON for each thing that happens, and no secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.errors import RefereeError
from referee.journal import event, journal, reporting
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_happens_in_a_game_is_reported_once(tmp_path: Path) -> None:
    path, desk = tmp_path / "journal.jsonl", Desk()
    with journal(path):
        end = reporting(desk)
        desk.add(START, ruling(0))
        desk.show(light="hand")
        desk.add(PLACE, ruling(1))
        desk.show(safe_mode=True, trouble="the disk is full")
        desk.show(safe_mode=False, trouble="")
        desk.show(log=(START, ruling(0), ILLEGAL, ruling(1, legal=False)))
        end()
        desk.show(light="watching")
    told = [
        (line["event"], line.get("of"), line.get("now"), line.get("on")) for line in lines(path)
    ]
    assert told == [
        ("game", None, None, None),
        ("ruling", 0, None, None),
        ("light", None, "hand", None),
        ("ruling", 1, None, None),
        ("safe_mode", None, None, True),
        ("safe_mode", None, None, False),
        ("corrected", None, None, None),
    ]
    assert all({"at", "level", "event"} <= set(line) for line in lines(path))


def test_without_a_journal_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with journal(None):
        event("start")
    event("end")
    assert capsys.readouterr() == ("", "")


def test_a_journal_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    with (
        pytest.raises(RefereeError, match="cannot write the journal"),
        journal(tmp_path / "x" / "y"),
    ):
        pass


def test_a_disk_that_is_full_later_costs_lines_and_nothing_else() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with journal(full):
        event("start")
