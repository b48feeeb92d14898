"""The session: frames in, judged record and overlay out, disk before viewers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.notation import parse_header
from referee.overlay.source import View
from referee.rules.options import OptionError
from referee.session import Session, header_for
from referee.sight import outline_px
from referee.store import Store, read
from tests.referee.play import TABLE, Play
from tests.stage import PLANE, Stage, half
from vision.line import HALF_MM


class Watched:
    """A session that has seen the whole play."""

    def __init__(self, folder: Path) -> None:
        stage = Stage()
        self.path = folder / "game.jsonl"
        self.views: list[View] = []
        self.on_disk: list[int] = []
        with Store(self.path, durable=False) as store:
            self.session = Session(TABLE, header_for(TABLE), stage, store)
            self.end = self.session.subscribe(self._changed)
            self.session.run(Play(stage))

    def _changed(self) -> None:
        self.views.append(self.session.view())
        self.on_disk.append(len(read(self.path).records) - 1)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    return Watched(tmp_path_factory.mktemp("session"))


def observations(watched: Watched) -> list[dict[str, Any]]:
    return [r for r in read(watched.path).records if r["type"] in ("start", "place", "draw")]


def test_the_game_is_in_the_record(watched: Watched) -> None:
    told = [
        (one["type"], one.get("player"), one.get("card"), one.get("onto"), one.get("with"))
        for one in observations(watched)
    ]
    assert told[0][0] == "start"
    assert told[1:] == [
        ("place", 0, "g7/g6", "g1", "g7"),
        ("place", 1, "y4/b2", "r5", "y4"),
        ("draw", 2, None, None, None),
    ]


def test_each_move_is_followed_by_its_ruling(watched: Watched) -> None:
    records = read(watched.path).records
    assert [r["type"] for r in records] == [
        "game",
        *["start", "ruling"],
        *["place", "ruling"] * 2,
        "draw",
        "ruling",
    ]
    verdicts = [(r["legal"], r["violations"]) for r in records if r["type"] == "ruling"]
    assert verdicts[1] == (True, [])
    assert verdicts[2] == (False, ["no_match"])


def test_the_header_is_that_of_the_table(watched: Watched) -> None:
    header = read(watched.path).records[0]
    assert header["players"] == ["Ann", "Ben", "Cem"]
    assert (header["hands"], header["draw_pile"]) == ([8, 8, 8], 120 - 24 - 1)
    parse_header(header)


def test_viewers_hear_of_a_move_only_once_it_is_on_disk(watched: Watched) -> None:
    assert any(view.log for view in watched.views)
    for view, on_disk in zip(watched.views, watched.on_disk, strict=True):
        assert len(view.log) <= on_disk


def test_the_light_tells_what_vision_does(watched: Watched) -> None:
    lights = {view.light for view in watched.views}
    assert {"watching", "hand"} <= lights


def test_the_picture_shows_the_line_and_the_card_at_fault(watched: Watched) -> None:
    picture = watched.session.picture()
    assert picture is not None
    kinds = [mark.kind for mark in picture.marks]
    assert kinds.count("end") == 2
    assert {mark.text for mark in picture.marks if mark.kind == "end"} == {"b2", "g6"}


def test_who_has_unsubscribed_hears_no_more(watched: Watched) -> None:
    before = len(watched.views)
    watched.end()
    watched.session._show("watching")
    assert len(watched.views) == before


def test_the_outline_of_a_half_in_the_picture() -> None:
    corners = outline_px(half("r2", 0.0, 0.0, axis_deg=90.0), PLANE, HALF_MM)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    assert max(xs) - min(xs) == pytest.approx(59 / 2)  # two millimetres a pixel
    assert max(ys) - min(ys) == pytest.approx(45.5 / 2)


def test_options_and_names_replace_those_of_the_table() -> None:
    header = header_for(TABLE, ["Eva", "Finn", "Gus"], {"interject": True})
    assert header.players == ("Eva", "Finn", "Gus")
    assert header.given_options["interject"] is True


def test_a_camera_hears_no_shout() -> None:
    assert header_for(TABLE).options.shouts == "ignored"
    assert header_for(TABLE, options={"shouts": "observed"}).options.shouts == "observed"


def test_as_many_names_as_seats() -> None:
    with pytest.raises(ValueError, match="expected 3 players"):
        header_for(TABLE, ["Eva"])


def test_an_option_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match="mercy"):
        header_for(TABLE, options={"mercy": True})
