"""Every action of the desk as one plain HTTP call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from referee.overlay.snapshot import snapshot
from referee.overlay.source import View
from referee.server.app import create_app
from referee.server.control import FILES, desk_of
from tests.desk.tables import START, Table, Watched, place
from tests.server.desk import Desk as PlayedBack

HERE = {"host": "127.0.0.1"}


@pytest.fixture
def table() -> Table:
    return Table(
        START,
        place(0, "g1", "g7/g6", t=5.0, candidates=[["g7/g6", 0.9], ["g7/g9", 0.1]]),
        place(1, "g6", "b9/b2", t=9.0, confidence=0.5),
    )


@pytest.fixture(scope="module")
def source() -> Watched:
    """One source for all tests: making a server takes longer than asking it."""
    return Watched()


@pytest.fixture(scope="module")
def server(source: Watched) -> Iterator[TestClient]:
    with TestClient(create_app(source), headers=HERE) as one:
        yield one


@pytest.fixture
def client(server: TestClient, source: Watched, table: Table) -> TestClient:
    source.desk = table.desk
    return server


def act(client: TestClient, method: str, path: str, **more: Any) -> dict[str, Any]:
    """Make a change based on whatever is there."""
    params = {"revision": "*", **more.pop("params", {})}
    answer = client.request(method, f"/api/control/{path}", params=params, **more)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_the_desk_shows_all_there_is(client: TestClient) -> None:
    state = client.get("/api/control/state").json()
    assert (state["revision"], state["total"], state["light"]) == (3, 3, "hand")
    assert [entry["id"] for entry in state["entries"]] == [2, 1, 0]
    assert state["unsure"] == [2]
    newest, laid = state["entries"][:2]
    assert newest["verdict"] == "unsure"
    assert [fault["code"] for fault in newest["suspected"]] == ["no_match"]
    assert laid["candidates"] == [
        {"card": "g7/g6", "share": 0.9},
        {"card": "g7/g9", "share": 0.1},
    ]
    assert (laid["ends"], laid["rules"]) == (["r5", "g1"], ["2.2"])
    assert [chair["cards"] for chair in state["chairs"]] == [7, 7, 8]


def test_in_other_languages_too(client: TestClient) -> None:
    newest = client.get("/api/control/state", params={"lang": "de", "entries": 1}).json()["entries"]
    assert [one["text"] for one in newest] == ["Ben legt Blau 9, Blau 2."]


def test_a_change_says_what_it_changed(client: TestClient, table: Table) -> None:
    told = act(client, "PATCH", "moves/1", json={"card": "g7/g9"}, params={"by": "Eva"})
    assert told["revision"] == 4
    assert told["changes"] == [{"id": 2, "of": 2, "before": "unsure", "now": "legal"}]
    assert table.kept.lines[-1]["by"] == "Eva"
    state = client.get("/api/control/state").json()
    assert state["undo"] == {"op": "replace", "text": "Ann plays green 7, green 9.", "by": "Eva"}
    assert state["entries"][1]["was"] == "Ann plays green 7, green 6."


@pytest.mark.parametrize(
    ("method", "path", "more", "kind"),
    [
        ("POST", "moves/newest/draw", {"params": {"count": 2}}, "draw"),
        ("POST", "moves/newest/take-back", {}, "take_back"),
        (
            "PUT",
            "moves/2",
            {"json": {"observation": {"type": "end_turn", "player": 1}}},
            "end_turn",
        ),
        ("POST", "moves", {"json": {"observation": {"type": "shout", "player": 2}}}, "shout"),
        ("POST", "shout", {"params": {"player": 1}}, "shout"),
        ("POST", "draw", {"params": {"player": 2, "count": 1}}, "draw"),
        ("POST", "end-turn", {"params": {"player": 2}}, "end_turn"),
        ("POST", "choose", {"params": {"target": 2}}, "choose_player"),
        ("POST", "choose", {"params": {"direction": "left"}}, "choose_direction"),
        ("POST", "state", {"json": {"turn": 2}}, "state"),
        ("POST", "round", {}, "deal"),
        ("POST", "round", {"json": {"first_player": 1}}, "deal"),
        ("POST", "end", {}, "end"),
    ],
)
def test_each_action_enters_its_move_and_can_be_undone(
    client: TestClient, table: Table, method: str, path: str, more: dict[str, Any], kind: str
) -> None:
    before = list(table.game.record())
    act(client, method, path, **more)
    assert table.lines[-1]["type"] == kind
    assert list(table.game.record()) != before
    act(client, "POST", "undo")
    assert list(table.game.record()) == before
    act(client, "POST", "redo")
    assert table.lines[-1]["type"] == kind


def test_a_move_is_taken_out(client: TestClient, table: Table) -> None:
    act(client, "DELETE", "moves/1")
    assert [line["card"] for line in table.lines] == ["r5/g1", "b9/b2"]


def test_a_doubt_is_decided(client: TestClient, table: Table) -> None:
    act(client, "POST", "moves/2/decide", json={"legal": False})
    assert table.verdicts[-1] is False
    act(client, "POST", "moves/2/decide", json={"legal": True})
    assert table.verdicts[-1] is True
    act(client, "POST", "moves/2/as-read")
    assert table.verdicts[-1] is False  # read rightly, it does not match


def test_the_table_is_accepted_or_the_log_kept(client: TestClient, table: Table) -> None:
    table.lies("r5", "y3")
    state = client.get("/api/control/state").json()
    assert state["sync"]["fits"] is False
    assert client.post("/api/control/keep").json() == {"revision": 3, "paused": False}
    assert client.get("/api/control/state").json()["sync"]["kept"]
    act(client, "POST", "accept")
    assert table.ends == ["r5", "y3"]


def test_pausing_and_going_on(client: TestClient, table: Table) -> None:
    assert client.post("/api/control/pause").json() == {"revision": 4, "paused": True}
    assert client.get("/api/control/state").json()["paused"]
    assert client.post("/api/control/resume").json() == {"revision": 5, "paused": False}


def test_the_second_operator_is_refused_and_told_what_is_there(client: TestClient) -> None:
    base = {"revision": "3"}
    first = client.patch("/api/control/moves/1", params=base, json={"card": "g7/g9"})
    assert (first.status_code, first.headers["etag"]) == (200, '"4"')
    second = client.patch("/api/control/moves/1", params=base, json={"card": "g7/g8"})
    assert second.status_code == 409
    refused = second.json()
    assert (refused["reason"], refused["revision"]) == ("changed", 4)
    assert refused["now"]["card"] == "g7/g9"
    other = client.patch("/api/control/moves/2", headers={"If-Match": '"3"'}, json={"player": 2})
    assert other.status_code == 200


def test_a_change_must_say_what_it_is_based_on(client: TestClient) -> None:
    answer = client.post("/api/control/undo")
    assert answer.status_code == 428
    assert "expected the revision" in answer.json()["detail"]


def test_there_may_be_nothing_to_undo(client: TestClient) -> None:
    answer = client.post("/api/control/undo", params={"revision": "*"})
    assert (answer.status_code, answer.json()["reason"]) == (409, "nothing")


@pytest.mark.parametrize(
    ("method", "path", "json", "status", "detail"),
    [
        ("PATCH", "moves/9", {"player": 1}, 404, "found number 9"),
        ("DELETE", "moves/9", None, 404, "found number 9"),
        ("PATCH", "moves/1", {"card": "z9"}, 422, "expected a card such as"),
        ("PATCH", "moves/1", {"player": 5}, 422, "expected a player from 0 to 2"),
        ("POST", "moves", {"observation": {"type": "nap"}}, 422, "expected one of"),
        ("POST", "choose", None, 422, "expected one of target, direction, colour"),
        ("POST", "moves/0/take-back", None, 422, "expected a move that laid a card"),
        ("POST", "accept", None, 409, "expected a line on the table"),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_expected(
    client: TestClient, table: Table, method: str, path: str, json: Any, status: int, detail: str
) -> None:
    before = table.lines
    answer = client.request(method, f"/api/control/{path}", params={"revision": "*"}, json=json)
    assert answer.status_code == status
    assert detail in answer.json()["detail"]
    assert (table.lines, table.kept.lines) == (before, [])


def test_pictures_are_served_by_number_and_nothing_else_is(
    client: TestClient, table: Table
) -> None:
    table.desk.crops.keep(1, {"after": b"after", "before": b"before"})
    assert client.get("/api/control/moves/1/picture.jpg").content == b"after"
    answer = client.get("/api/control/moves/1/picture.jpg", params={"when": "before"})
    assert answer.content == b"before"
    assert client.get("/api/control/moves/2/picture.jpg").status_code == 404
    assert client.get("/api/control/state").json()["entries"][1]["picture"]
    for path in ("..%2f..%2fdesk.py", "desk.py", "%2e%2e/words.py"):
        assert client.get(f"/desk/static/{path}").status_code == 404


def test_the_page_and_all_that_it_loads_is_there(client: TestClient) -> None:
    assert "<title>" in client.get("/desk").text
    for name in FILES:
        assert client.get(f"/desk/static/{name}").status_code == 200


def test_one_move_alone(client: TestClient) -> None:
    assert client.get("/api/control/moves/newest").json()["id"] == 2
    assert client.get("/api/control/moves/7").status_code == 404


def test_a_record_that_is_played_back_has_no_desk() -> None:
    assert desk_of(PlayedBack()) is None


def test_without_a_game_there_is_nothing_to_direct(client: TestClient, source: Watched) -> None:
    source.desk = None
    for path in ("state", "moves/newest"):
        assert client.get(f"/api/control/{path}").status_code == 404
    assert client.post("/api/control/pause").status_code == 404


def test_every_action_is_described(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    actions = [
        (path, method, told)
        for path, methods in paths.items()
        if path.startswith("/api/control")
        for method, told in methods.items()
        if method != "get"
    ]
    assert len(actions) >= 18
    for path, method, told in actions:
        assert told["description"], (path, method)
        assert "409" in told["responses"], (path, method)


def test_hidden_cards_stay_at_the_desk(table: Table) -> None:
    """What viewers get says nothing of cards drawn, nor of the cards that a reading may be."""
    table.book.observe({"type": "draw", "player": 2, "count": 1, "cards": ["r1/r2"], "t": 12.0})
    first, *lines = table.game.record()
    public = str(snapshot(View(first, tuple(lines), table.game.ids), "en"))
    assert "g7/g6" in public
    assert "r1/r2" not in public
    assert "g7/g9" not in public


def test_nothing_in_the_page_comes_from_elsewhere() -> None:
    for path in FILES.values():
        text = Path(path).read_text(encoding="utf-8")
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text
