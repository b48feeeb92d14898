"""What a search finds besides the plane, what nobody said, and that the record tells of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.auto import PlaneFit
from calibration.markers import MarkerFit
from calibration.table import load_table
from calibration.view import View
from referee.server import setup_state
from referee.server.setup_state import FirstDraft
from referee.session import header_for
from referee.store import read
from tests.setup.still import Room
from tests.setup.test_api import CORNERS, post
from tests.sources.fakes import until
from tests.stage import HIGH, PILE, PLANE, WIDE

VIEW = View((WIDE, HIGH), 0.5, (0.0, 0.0), 400.0)
PLANE_FROM = "from 9 half cards, to 1.0 mm of their width"
PILE_FROM = "the only face-down card lies there"
ELSEWHERE = {"draw_pile": {"at_px": [400, 60]}}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A table with a card and a draw pile on it, whose plane is found by cards."""
    found = PlaneFit(PLANE, VIEW, 9, 1.03962)
    monkeypatch.setattr(setup_state, "plane_from_cards", lambda *_, **__: found)
    room = Room(tmp_path)
    room.stage.cards = [("r5/g1", 0.0, 0.0)]
    room.stage.pile = True
    room.see()
    with room.client:
        yield room


def assumed(room: Room) -> dict[str, str]:
    return dict(room.setup.table().assumed)


def test_a_found_table_has_its_draw_pile_and_says_what_was_assumed(room: Room) -> None:
    assert "draw pile" not in " ".join(room.state()["problems"])  # the plane comes first
    state = post(room, "/find")
    assert state["problems"] == []
    assert state["draft"]["zones"][0]["placed"]
    assert room.setup.table().zones["draw_pile"].centre_mm == pytest.approx(PILE.centre_mm, abs=4)
    told = assumed(room)
    assert told.keys() == {"plane", "players", "draw_pile"}
    assert (told["plane"], told["draw_pile"]) == (PLANE_FROM, PILE_FROM)

    record = Path(post(room, "/start")["game"]["record"])
    assert read(record).records[0]["assumed"] == told
    for file in (room.file, record.with_name("table.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        assert (data["assumed"], data["residual_mm"]) == (told, 1.04)


def test_without_a_draw_pile_no_game_begins_at_a_usual_spot(room: Room) -> None:
    room.stage.pile = False
    room.see()
    state = post(room, "/find")
    assert state["draft"]["found"] == "cards"
    assert state["problems"] == ["The draw pile was not found: drag its frame onto it."]
    assert [zone["placed"] for zone in state["draft"]["zones"]] == [False]
    assert "draw pile was not found" in post(room, "/start", code=422)["detail"]
    assert not room.file.exists()
    room.stage.pile = True
    room.see()
    assert post(room, "/find")["problems"] == []  # it was hidden before


def test_a_draw_pile_that_was_hidden_when_the_table_was_found_shows_by_itself(room: Room) -> None:
    room.stage.pile = False
    room.see()
    assert post(room, "/find")["problems"] != []
    room.see(room.stage.wait(3.5))
    assert room.state()["problems"] != []  # it still is not there
    room.stage.pile = True
    room.see(room.stage.wait(3.5))
    assert until(lambda: room.state()["problems"] == [])
    assert assumed(room)["draw_pile"] == PILE_FROM
    assert room.setup.table().zones["draw_pile"].centre_mm == pytest.approx(PILE.centre_mm, abs=4)


def test_a_frame_that_waits_to_be_dragged_stays_where_somebody_drags_it(room: Room) -> None:
    room.stage.pile = False
    room.see()
    post(room, "/find")
    post(room, "/table", {"zones": ELSEWHERE})
    room.stage.pile = True
    room.see(room.stage.wait(3.5))
    assert [t.name for t in threading.enumerate() if t.name == "draw pile"] == []
    zone = room.setup.table().zones["draw_pile"]
    assert PLANE.to_px(np.array([zone.centre_mm]))[0] == pytest.approx((400, 60))


def test_a_draw_pile_that_was_put_somewhere_is_not_searched_for(room: Room) -> None:
    post(room, "/table", {"zones": ELSEWHERE})
    post(room, "/find")
    zone = room.setup.table().zones["draw_pile"]
    assert PLANE.to_px(np.array([zone.centre_mm]))[0] == pytest.approx((400, 60))
    assert assumed(room).keys() == {"plane", "players"}


def test_a_draw_pile_that_was_found_is_found_again_until_it_is_dragged(room: Room) -> None:
    post(room, "/find")
    post(room, "/table", {"game": "solomino", "options": {"interject": True}})
    assert post(room, "/find")["problems"] == []
    assert "draw_pile" in assumed(room)
    post(room, "/table", {"zones": ELSEWHERE})
    assert "draw_pile" not in assumed(room)


def test_a_discard_pile_that_nobody_put_down_is_left_to_the_cards(room: Room) -> None:
    post(room, "/find")
    state = post(room, "/table", {"game": "solo"})
    placed = {zone["name"]: zone["placed"] for zone in state["draft"]["zones"]}
    assert placed == {"draw_pile": True, "discard_pile": False}
    assert state["problems"] == []
    assert room.setup.table().zones.keys() == {"draw_pile"}


def test_seats_are_assumed_until_one_is_moved(room: Room) -> None:
    state = post(room, "/find")
    seats = [{**seat, "name": f"P{i}"} for i, seat in enumerate(state["draft"]["seats"])]
    post(room, "/table", {"seats": seats})
    assert "nobody said" in assumed(room)["players"]
    assert room.lights()["seats"] == "poor"
    assert header_for(room.setup.table()).seats_assumed
    seats[0]["at_px"] = [200, 350]
    post(room, "/table", {"seats": seats})
    assert "players" not in assumed(room)
    assert room.lights()["seats"] == "good"
    assert not header_for(room.setup.table()).seats_assumed
    post(room, "/table", {"seats": [{"name": "Ann"}, {"name": "Ben"}]})
    assert "nobody said" in assumed(room)["players"]


BELOW, ABOVE = (40.0, 420.0), (-60.0, -420.0)
"""Where two people's shoulders are, outside the picture."""


def reach(room: Room, *shoulders_mm: tuple[float, float]) -> None:
    room.see(room.stage.wait(0.6))
    for shoulder in shoulders_mm:
        room.see(room.stage.reach(shoulder, (shoulder[0], 0.0)))
        room.see(room.stage.wait(0.6))


def seats_px(room: Room) -> list[tuple[str, float, float]]:
    return [(seat["name"], *seat["at_px"]) for seat in room.state()["draft"]["seats"]]


def test_seats_go_to_where_arms_come_in_from(room: Room) -> None:
    post(room, "/find")
    reach(room, BELOW, ABOVE, BELOW)
    assert len(seats_px(room)) == 3  # who reached over once may have cleared a cup away
    reach(room, ABOVE)
    (one, _, y_below), (two, _, y_above) = seats_px(room)
    assert (one, two) == ("Player 1", "Player 2")
    assert y_below > HIGH and y_above < 0
    assert room.state()["note"] == "2 players found by their arms."
    assert room.lights()["seats"] == "fair"
    assert "arms came in" in assumed(room)["players"]
    assert not header_for(room.setup.table()).seats_assumed


def test_names_that_somebody_chose_stay_as_many_as_they_are(room: Room) -> None:
    post(room, "/find")
    post(room, "/table", {"seats": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cem"}]})
    reach(room, BELOW, ABOVE, BELOW, ABOVE)
    assert [name for name, _, _ in seats_px(room)] == ["Ann", "Ben", "Cem"]
    post(room, "/table", {"seats": [{"name": "Ann"}, {"name": "Ben"}]})
    reach(room, BELOW)
    assert [(name, y > HIGH) for name, _, y in seats_px(room)] == [("Ann", True), ("Ben", False)]


def test_seats_that_somebody_placed_stay_there(room: Room) -> None:
    post(room, "/find")
    placed = [{"name": "Ann", "at_px": [10, 200]}, {"name": "Ben", "at_px": [WIDE - 10, 200]}]
    post(room, "/table", {"seats": placed})
    reach(room, BELOW, ABOVE, BELOW, ABOVE)
    assert seats_px(room) == [("Ann", 10, 200), ("Ben", WIDE - 10, 200)]


def test_what_is_measured_is_not_assumed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    post(room, "/find")
    post(room, "/table", {"size_mm": [800, 480], "corners_px": CORNERS})
    assert "plane" not in assumed(room)
    assert room.setup.table().residual_mm is None  # four corners fit any plane
    markers = MarkerFit(PLANE, VIEW, (0, 1, 2, 3, 4, 5), 1, 0.3126, 0.6, np.zeros((6, 4, 2)))
    monkeypatch.setattr(setup_state, "find_markers", lambda image: markers)
    post(room, "/find")
    assert assumed(room).keys() == {"players", "draw_pile"}
    assert room.setup.table().residual_mm == 0.313


def test_what_was_assumed_comes_back_with_the_file(room: Room, tmp_path: Path) -> None:
    post(room, "/find")
    assert post(room, "/save")["saved"]
    again = Room(tmp_path, FirstDraft(load_table(room.file)))
    again.see()
    state: Any = again.setup.state()
    assert state.saved and state.problems == []
    assert assumed(again) == assumed(room)
    assert again.setup.table().residual_mm == 1.04
