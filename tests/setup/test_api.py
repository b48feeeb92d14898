"""Every step of setting a table up, as the page asks for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.auto import PlaneFit
from calibration.markers import MarkerFit
from calibration.table import load_table
from calibration.view import View
from referee.server import setup_state
from referee.server.access import needed
from referee.server.links import Role
from referee.server.setup_state import FirstDraft
from referee.session import header_for
from referee.store import read
from tests.referee.play import TABLE
from tests.setup.still import Room
from tests.stage import HIGH, PLANE, WIDE

CORNERS = [[40, 40], [440, 40], [440, 280], [40, 280]]
"""Of 800 x 480 mm on the stage's table."""
MASK = [[0, 0], [60, 0], [60, 50], [0, 50]]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    room.see()
    with room.client:
        yield room


def post(room: Room, path: str, body: Any = None, code: int = 200) -> Any:
    answer = room.client.post(f"/api/setup{path}", json=body)
    assert answer.status_code == code, answer.text
    return answer.json()


def placed(room: Room) -> Any:
    """The state once the table was placed by its corners, and the draw pile's frame put down."""
    pile = {"draw_pile": {"at_px": [50, 220]}}
    return post(room, "/table", {"size_mm": [800, 480], "corners_px": CORNERS, "zones": pile})


# -- the table


def test_without_a_picture_there_is_nothing_to_set_up(tmp_path: Path) -> None:
    room = Room(tmp_path)
    with room.client:
        assert room.state()["draft"] is None
        assert "expected a picture" in post(room, "/find", code=422)["detail"]
        assert "expected a picture" in post(room, "/table", {}, code=422)["detail"]
        room.see()
        assert room.state()["draft"] is not None


def test_corners_on_something_of_known_size_are_the_table(room: Room) -> None:
    before = room.state()
    assert any("not placed" in text for text in before["problems"])
    state = placed(room)
    assert state["draft"]["found"] == "corners"
    assert state["draft"]["corners_px"] == CORNERS
    assert state["problems"] == []
    assert state["revision"] > before["revision"]
    table = room.setup.table()
    assert table.plane.to_px(np.array([[100.0, -50.0]])) == pytest.approx(
        PLANE.to_px(np.array([[100.0, -50.0]]))
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"corners_px": [[40, 40], [440, 280], [440, 40], [40, 280]]}, "cross or bend"),
        ({"corners_px": [[40, 40], [41, 40], [41, 41], [40, 41]]}, "20 pixels apart"),
        ({"corners_px": [[40, 40], [440, 40], [440, 280]]}, "at least 4 items"),
        ({"size_mm": [0, 480]}, "greater than 0"),
        ({"seats": [{"name": " "}]}, "a name of 1 to 40"),
        ({"zones": {"discard_pile": {"at_px": [9, 9]}}}, "expected the zones draw_pile"),
        ({"options": {"fun": True}}, "no such option"),
        ({"options": {"interject": "perhaps"}}, "expected one of true, false"),
        ({"first": "Nobody"}, "name of a player"),
        ({"file": "/etc/passwd"}, "Extra inputs are not permitted"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    room: Room, body: dict[str, Any], said: str
) -> None:
    before = placed(room)
    detail = post(room, "/table", body, code=422)["detail"]
    assert said in json.dumps(detail)
    assert room.state() == before


def test_a_size_scales_what_corners_mark_and_rules_out_a_frame_elsewhere(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed(room)
    doubled = post(room, "/table", {"size_mm": [1600, 960]})
    assert doubled["draft"]["corners_px"] == CORNERS  # they stay where they were dragged
    assert room.setup.table().plane.px_per_mm() == pytest.approx(0.25, rel=1e-3)
    found = PlaneFit(PLANE, View((WIDE, HIGH), 0.5, (0.0, 0.0), 400.0), 9, 1.04)
    monkeypatch.setattr(setup_state, "plane_from_cards", lambda *_, **__: found)
    state = post(room, "/find")
    assert state["draft"]["found"] == "cards"
    assert state["note"] == "Found by 9 half cards, to 1.0 mm."
    smaller = post(room, "/table", {"size_mm": [400, 200]})
    assert smaller["draft"]["corners_px"] == [[140, 110], [340, 110], [340, 210], [140, 210]]
    assert room.setup.table().plane.px_per_mm() == pytest.approx(0.5)


def test_the_printed_page_of_markers_goes_before_the_cards(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = View((WIDE, HIGH), 0.5, (0.0, 0.0), 400.0)
    markers = MarkerFit(PLANE, view, (0, 1, 2, 3, 4, 5), 1, 0.31, 0.6, np.zeros((6, 4, 2)))
    monkeypatch.setattr(setup_state, "find_markers", lambda image: markers)
    state = post(room, "/find")
    assert state["draft"]["found"] == "markers"
    assert state["note"] == "Found by 6 markers, to 0.3 mm."


def test_a_table_that_is_not_found_says_what_to_do(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_state, "plane_from_cards", lambda *_, **__: None)
    state = post(room, "/find")
    assert "Lay five or more cards" in state["note"]
    assert state["draft"]["found"] is None


# -- players, piles, masks, rules


def test_players_sit_clockwise_whatever_the_order_they_came_in(room: Room) -> None:
    seats = [
        {"name": "Ann", "at_px": [240, 350]},  # at the bottom
        {"name": "Cem", "at_px": [240, -30]},
        {"name": "Ben", "at_px": [-40, 160]},  # at the left: clockwise after the bottom
    ]
    state = post(room, "/table", {"seats": seats})
    assert [seat["name"] for seat in state["draft"]["seats"]] == ["Ann", "Ben", "Cem"]
    more = [*state["draft"]["seats"], {"name": "Dora"}]
    state = post(room, "/table", {"seats": more})
    assert [seat["name"] for seat in state["draft"]["seats"]] == ["Ann", "Ben", "Cem", "Dora"]
    x, y = state["draft"]["seats"][3]["at_px"]
    assert x > WIDE and y == pytest.approx(160, abs=20)  # the side where nobody sat


def test_who_begins_is_a_player_and_stays_one(room: Room) -> None:
    seats = [{"name": "Ann"}, {"name": "Ben"}]
    assert post(room, "/table", {"seats": seats, "first": "Ben"})["draft"]["first"] == "Ben"
    state = post(room, "/table", {"seats": [{"name": "Ann"}, {"name": "Cem"}]})
    assert state["draft"]["first"] is None


def test_each_game_has_its_piles_and_options(room: Room) -> None:
    assert [z["name"] for z in room.state()["draft"]["zones"]] == ["draw_pile"]
    state = post(room, "/table", {"game": "solo", "options": {"triple": "exact"}})
    assert [zone["name"] for zone in state["draft"]["zones"]] == ["draw_pile", "discard_pile"]
    assert state["draft"]["options"] == {"triple": "exact"}
    state = post(room, "/table", {"game": "solomino"})
    assert state["draft"]["options"] == {}
    assert [zone["name"] for zone in state["draft"]["zones"]] == ["draw_pile"]


def test_a_pile_is_where_it_was_dragged(room: Room) -> None:
    placed(room)
    body = {"zones": {"draw_pile": {"at_px": [50, 220], "size_mm": [90, 120]}}}
    state = post(room, "/table", body)
    assert state["draft"]["zones"][0]["outline_px"][0] == [27.5, 190]
    zone = room.setup.table().zones["draw_pile"]
    assert zone.centre_mm == pytest.approx((-380, 120))
    assert zone.size_mm == (90, 120)


def picture(room: Room) -> Any:
    data = room.client.get("/picture.jpg?marked=0").content
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def test_what_is_covered_is_black_for_everybody_at_once(room: Room) -> None:
    assert picture(room)[20, 30].max() > 40
    post(room, "/masks", {"masks_px": [MASK]})
    seen: list[Any] = []
    room.live.watch(lambda frame: seen.append(frame.image.copy()))  # as a recorder does
    room.see()
    for image in (picture(room), seen[-1]):
        assert image[5:45, 5:55].max() < 12
        assert image[200, 200].max() > 40


def test_what_was_covered_before_is_never_shown(tmp_path: Path) -> None:
    table = TABLE.__class__(TABLE.plane, masks_px=(tuple((x, y) for x, y in MASK),))
    room = Room(tmp_path, FirstDraft(table))
    room.see()
    with room.client:
        assert picture(room)[5:45, 5:55].max() < 12


# -- the check list


def test_the_lights_tell_what_is_wrong_with_the_picture(room: Room) -> None:
    placed(room)
    room.see(room.stage.wait(1.0))
    good = room.lights()
    assert good["camera"] == good["glare"] == good["rate"] == good["flicker"] == "good"
    assert good["size"] == "fair"  # 45.5 mm are 22.75 pixels here
    assert good["cards"] == "unknown"


def test_cards_are_read_and_a_person_says_which_are_right(room: Room) -> None:
    assert "placed" in post(room, "/read", code=422)["detail"]
    placed(room)
    room.stage.cards = [("r5/g1", 0.0, 0.0), ("b7/yS", -200.0, 80.0)]
    room.see()
    state = post(room, "/read")
    assert [half["label"] for half in state["read"]] == ["b7", "yS", "r5", "g1"]
    assert state["read"][2]["outline_px"][0] == pytest.approx([217.25, 145.25], abs=0.3)
    assert room.lights()["cards"] == "fair"
    post(room, "/read/right", {"right": [True, True, False, True]})
    assert room.lights()["cards"] == "poor"
    post(room, "/read/right", {"right": [True] * 4})
    assert room.lights()["cards"] == "good"
    assert "4 halves" in post(room, "/read/right", {"right": [True]}, code=422)["detail"]
    post(room, "/table", {"size_mm": [810, 480]})  # another plane: read again
    assert room.state()["read"] == []


def test_the_camera_is_asked_to_hold_what_it_has(room: Room) -> None:
    state = post(room, "/camera", {"locks": ["focus", "exposure"]})
    assert state["picture"]["locks"] == ["focus", "exposure"]
    assert room.camera.wish.locks == {"focus", "exposure"}
    post(room, "/camera", {"locks": ["zoom"]}, code=422)


# -- save and play


def test_what_is_saved_is_read_back(room: Room) -> None:
    assert room.client.get("/api/setup/table.json").status_code == 422
    post(room, "/save", code=422)
    placed(room)
    post(room, "/masks", {"masks_px": [MASK]})
    post(room, "/table", {"options": {"interject": True}})
    assert not room.state()["saved"]
    state = post(room, "/save")
    assert state["saved"] and state["file"] == str(room.file)
    table = load_table(room.file)
    assert [player.name for player in table.players] == ["Player 1", "Player 2", "Player 3"]
    assert table.options == {"interject": True}
    assert table.table_mm == (800, 480)
    assert len(table.masks_px) == 1
    assert room.client.get("/api/setup/table.json").json() == json.loads(room.file.read_text())


def test_a_saved_table_comes_back_as_it_was(tmp_path: Path) -> None:
    room = Room(tmp_path, FirstDraft(TABLE, options={"solomino": {"interject": True}}))
    room.see()
    with room.client:
        state: Any = room.state()
    assert state["draft"]["found"] == "file"
    assert [seat["name"] for seat in state["draft"]["seats"]] == [p.name for p in TABLE.players]
    assert state["draft"]["options"] == {"interject": True}
    table = room.setup.table()
    for now, before in zip(table.players, TABLE.players, strict=True):
        assert now.seat_mm == pytest.approx(before.seat_mm, abs=0.5)


def test_what_was_chosen_here_counts_without_the_page_as_well(room: Room) -> None:
    placed(room)
    post(room, "/table", {"options": {"interject": True, "shouts": "observed"}})
    post(room, "/save")
    header = header_for(load_table(room.file), options={"shouts": "ignored"})
    assert header.given_options == {"interject": True, "shouts": "ignored"}


def test_a_game_begins_stops_and_goes_on(room: Room) -> None:
    assert "not placed" in post(room, "/start", code=422)["detail"]
    placed(room)
    post(room, "/table", {"options": {"interject": True}, "first": "Player 2"})
    state = post(room, "/start")
    assert state["game"]["running"]
    record = Path(state["game"]["record"])
    header = read(record).records[0]
    assert header["players"] == ["Player 1", "Player 2", "Player 3"]
    assert header["first_player"] == 1
    assert header["options"]["interject"] is True
    assert load_table(room.file).players == load_table(record.with_name("table.json")).players

    for path, body in (("/table", {}), ("/find", None), ("/read", None), ("/start", None)):
        assert "game is being watched" in post(room, path, body, code=409)["detail"]
    post(room, "/masks", {"masks_px": [MASK]})  # privacy waits for nothing
    room.see()
    assert room.live.masks_px == (tuple((float(x), float(y)) for x, y in MASK),)

    room.stage.cards = [("r5/g1", 0.0, 0.0)]
    state = post(room, "/stop")
    assert state["game"] == state["game"] | {"running": False, "record": str(record)}
    assert room.live.session is None
    post(room, "/table", {"size_mm": [820, 480]})
    assert post(room, "/go-on")["game"]["running"]
    assert [line["type"] for line in read(record).records].count("game") == 1
    assert room.live.session is not None


def test_viewers_see_nothing_until_a_game_begins_and_that_the_camera_is_gone(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path, whole=True)
    room.see()
    with room.client:
        assert room.client.get("/api/state").json()["phase"] == "waiting"
        placed(room)
        post(room, "/start")
        names = [seat["name"] for seat in room.client.get("/api/state").json()["seats"]]
        assert names == ["Player 1", "Player 2", "Player 3"]
        room.camera.state = "frozen"
        for changed in room.camera.changed:
            changed()
        assert room.client.get("/health").json()["camera"] == "frozen"
        shown = room.client.get("/api/state").json()
        assert (shown["camera"], shown["light"]) == ("frozen", "no_camera")
        assert room.lights()["camera"] == "poor"


# -- the door


def test_only_who_runs_the_game_may_set_it_up() -> None:
    for path in ("/setup", "/setup/setup.js", "/api/setup", "/api/setup/start"):
        assert needed(path) is Role.CONTROL


def test_nothing_is_changed_by_looking(room: Room) -> None:
    for path in ("find", "save", "start", "stop", "masks", "table"):
        assert room.client.get(f"/api/setup/{path}").status_code == 405


def test_the_page_and_all_that_it_loads(room: Room) -> None:
    page = room.client.get("/setup")
    assert page.status_code == 200
    assert "http://" not in page.text and "https://" not in page.text
    for name in ("setup.js", "stage.js", "handles.js", "setup.css"):
        assert room.client.get(f"/setup/{name}").status_code == 200
    assert room.client.get("/setup/..%2Fsession.py").status_code == 404
