"""The camera stays open while games come and go; masks come before everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from referee.games import Games, is_over
from referee.live import Live
from referee.session import header_for
from referee.store import read
from tests.referee.play import NORTH, SOUTH, TABLE
from tests.setup.still import StillCamera
from tests.stage import Stage
from vision.frames import Frame
from vision.plane import PlaneError


@pytest.fixture
def camera() -> StillCamera:
    camera = StillCamera()
    camera.seen = True
    return camera


def opening(stage: Stage) -> Iterator[Frame]:
    """Cem starts, Ann lays."""
    yield from stage.wait(0.6)
    yield from stage.reach(NORTH, (0.0, -10.0), brings=("r5/g1", 0.0, 0.0))
    yield from stage.wait(0.6)
    yield from stage.reach(SOUTH, (45.5, 10.0), brings=("g7/g6", 45.5, 0.0))
    yield from stage.wait(0.6)


def test_without_a_game_there_is_a_picture_and_nothing_else(camera: StillCamera) -> None:
    live = Live(camera)
    assert live.picture() is None
    live.take(Stage().frame())
    picture = live.picture()
    assert picture is not None and picture.marks == ()
    assert (live.view().header, live.view().camera) == (None, "ok")


def test_viewers_learn_at_once_that_the_picture_stands_still(camera: StillCamera) -> None:
    live = Live(camera)
    told: list[str] = []
    live.subscribe(lambda: told.append(live.view().camera))
    for state in ("frozen", "ok"):
        camera.state = state
        for changed in camera.changed:
            changed()
    assert told == ["frozen", "ok"]


def test_a_game_is_watched_recorded_and_its_zones_marked(
    camera: StillCamera, tmp_path: Path
) -> None:
    stage = Stage()
    live = Live(camera)
    games = Games(live, lambda game: stage, tmp_path)
    games.begin(TABLE, header_for(TABLE))
    for frame in opening(stage):
        live.take(frame)
    records = read(tmp_path / "game.jsonl").records
    assert [r["type"] for r in records if r["type"] != "ruling"] == ["game", "start", "place"]
    picture = live.picture()
    assert picture is not None
    assert {(mark.kind, mark.text) for mark in picture.marks} >= {
        ("zone", "draw pile"),
        ("end", "r5"),
        ("end", "g6"),
    }
    assert live.view().header is not None
    games.end()
    assert live.view().header is None
    assert not is_over(tmp_path / "game.jsonl")


def test_a_broken_off_game_goes_on_when_the_program_starts_again(
    camera: StillCamera, tmp_path: Path
) -> None:
    stage = Stage()
    games = Games(Live(camera), lambda game: stage, tmp_path)
    assert games.resume() is None  # nothing was played here
    games.begin(TABLE, header_for(TABLE))
    for frame in opening(stage):
        games.live.take(frame)
    before = read(tmp_path / "game.jsonl").records
    desk = games.live.desk
    assert desk is not None
    pictures = [desk.crops.jpeg(1, when) for when in ("before", "after")]
    assert None not in pictures and pictures[0] != pictures[1]
    games.close()

    again = Games(Live(camera), lambda game: stage, tmp_path)
    session = again.resume()
    assert session is not None
    assert [move.as_dict()["type"] for move in session.game.moves] == ["start", "place"]
    assert read(tmp_path / "game.jsonl").records == before
    assert [session.desk.crops.jpeg(1, when) for when in ("before", "after")] == pictures
    assert session.desk.state("en").entries[0].picture
    again.begin(TABLE, header_for(TABLE))  # a new one puts the old record aside
    assert list((tmp_path / "crops").iterdir()) == []
    assert again.kept is not None
    assert read(again.kept).records == before
    again.close()


def test_what_is_masked_is_black_before_the_game_sees_it(
    camera: StillCamera, tmp_path: Path
) -> None:
    stage = Stage()
    live = Live(camera)
    games = Games(live, lambda game: stage, tmp_path)
    masked = TABLE.__class__(TABLE.plane, TABLE.players, masks_px=(((0, 0), (90, 0), (90, 90)),))
    games.begin(masked, header_for(TABLE))
    live.take(stage.frame())
    session = live.session
    assert session is not None
    seen = session.picture()
    assert seen is not None
    assert seen.image[10, 60].max() == 0
    assert seen.image[200, 200].max() > 0
    games.close()


def test_a_table_of_another_picture_is_refused_and_nothing_begins(
    camera: StillCamera, tmp_path: Path
) -> None:
    live = Live(camera)
    games = Games(live, lambda game: Stage(), tmp_path)
    tall = TABLE.__class__(TABLE.plane.__class__(np.eye(3), (320, 480)), TABLE.players)
    with pytest.raises(PlaneError, match="of the same shape"):
        games.begin(tall, header_for(tall))
    assert live.session is None
