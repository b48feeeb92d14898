"""Games that cannot go on are kept and said; full disks and two programs do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from calibration.table import save_table
from referee.errors import RefereeError
from referee.matches import match_in
from referee.overlay.snapshot import snapshot
from referee.server.app import create_app
from referee.session import header_for
from referee.store import read
from tests.referee.play import TABLE
from tests.setup.still import Room


@pytest.fixture
def room(tmp_path: Path) -> Room:
    room = Room(tmp_path)
    room.see()
    return room


def left(folder: Path, record: str) -> Path:
    """What a game left in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    save_table(TABLE, folder / "table.json")
    (folder / "game.jsonl").write_text(record, encoding="utf-8")
    return folder


@pytest.mark.parametrize("record", ["no JSON\n", '{"type": "game", "game": "chess"}\n', "[]\n"])
def test_a_record_that_cannot_go_on_is_kept_and_a_new_game_begins(
    room: Room, tmp_path: Path, record: str
) -> None:
    folder = left(tmp_path / "out", record)
    assert room.games.resume() is None
    assert "cannot be gone on with" in room.games.trouble
    room.games.begin(TABLE, header_for(TABLE))
    assert room.games.kept is not None and room.games.kept.read_text() == record
    assert read(folder / "game.jsonl").records[0]["players"] == ["Ann", "Ben", "Cem"]
    room.games.close()


def test_a_folder_is_refereed_into_by_one_program(room: Room, tmp_path: Path) -> None:
    room.games.begin(TABLE, header_for(TABLE))
    other = Room(tmp_path)
    other.see()
    match = match_in(tmp_path / "out")
    assert match is not None and match.is_running
    with pytest.raises(RefereeError, match="another program"):
        other.games.begin(TABLE, header_for(TABLE))
    room.games.close()
    match = match_in(tmp_path / "out")
    assert match is not None and not match.is_running


def test_what_is_wrong_with_the_table_is_told_until_a_game_begins(room: Room) -> None:
    room.live.trouble = "table.json: expected a JSON object"
    view = room.live.view()
    assert (view.safe_mode, view.trouble) == (True, "table.json: expected a JSON object")
    room.games.begin(TABLE, header_for(TABLE))
    assert not room.live.view().safe_mode
    room.games.close()


def test_what_does_not_work_beside_the_game_is_told_to_whoever_runs_it(room: Room) -> None:
    """A recording that stopped costs viewers nothing, and the game goes on."""
    notices = ["expected 1 GB of free disk, found 0.4", ""]
    room.live.notices += [lambda: notices[0], lambda: notices[1]]
    room.games.begin(TABLE, header_for(TABLE))
    view = room.live.view()
    assert (view.is_limited, view.wrong) == (True, "expected 1 GB of free disk, found 0.4")
    assert (view.safe_mode, snapshot(view, "en").safe_mode) == (False, False)
    with TestClient(create_app(room.live), base_url="http://127.0.0.1") as client:
        health = client.get("/health").json()
        assert (health["status"], health["trouble"]) == ("safe_mode", view.wrong)
        assert client.get("/api/control/state").json()["trouble"] == view.wrong
    notices[0] = ""
    assert (room.live.view().is_limited, room.live.view().wrong) == (False, "")
    room.games.close()
