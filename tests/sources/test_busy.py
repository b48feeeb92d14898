"""A reading takes several frames' time: viewers do not wait for it, and no hand goes unseen."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games import Games
from referee.live import Live
from referee.session import Session, header_for
from referee.store import Store, StoreError, read
from tests.referee.play import NORTH, SOUTH, TABLE, Play
from tests.setup.still import StillCamera
from tests.stage import PILE, Stage
from vision.facts import Half, Image
from vision.frames import Frame
from vision.plane import TablePlane

FRAMES_A_READING = 6
"""Pictures that come while one is read: 0.4 s."""


class Film(StillCamera):
    """A camera that has the whole play on film, and goes on while cards are read."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = True
        stage, self.shots = Stage(), list[tuple[Frame, Stage]]()
        for frame in Play(stage):
            self.shots.append((frame, copy.deepcopy(stage)))
        self.onlooker = Live(self)
        self.shown = threading.Condition()
        self.index = 0
        self.ahead: list[int] = []
        """How far the viewers' picture was ahead of the one that was just read."""

    def __iter__(self) -> Iterator[Frame]:
        live = self.onlooker
        for frame, _ in self.shots:
            while len(live.backlog) > 10 and live.session is not None:
                threading.Event().wait(0.002)  # as slow as a camera
            yield frame
            with self.shown:
                self.index = frame.index
                self.shown.notify_all()
        with self.shown:
            self.index += FRAMES_A_READING
            self.shown.notify_all()

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """`vision.facts.Reader`: what lay there when the picture was taken, some frames later."""
        live = self.onlooker
        assert live.session is not None
        looked_at = live.session.picture()
        assert looked_at is not None
        with self.shown:
            late = self.shown.wait_for(
                lambda: self.index >= looked_at.index + FRAMES_A_READING, timeout=20
            )
        assert late, "viewers got no picture while cards were read"
        picture = live.picture()
        assert picture is not None
        self.ahead.append(picture.index - looked_at.index)
        there = next(stage for frame, stage in self.shots if frame.index == looked_at.index)
        return there.read(image, plane, region_mm)


@pytest.fixture
def film() -> Film:
    return Film()


def told(record: Path) -> list[tuple[str, int | None, str | None]]:
    kinds = ("start", "place", "draw")
    records = [line for line in read(record).records if line["type"] in kinds]
    assert not any(line.get("blind_before") for line in records)
    return [(line["type"], line.get("player"), line.get("card")) for line in records]


def test_no_hand_goes_unseen_and_no_viewer_waits(film: Film, tmp_path: Path) -> None:
    games = Games(film.onlooker, lambda game: film, tmp_path)
    games.begin(TABLE, header_for(TABLE))
    film.onlooker.run()
    games.close()
    assert told(tmp_path / "game.jsonl")[1:] == [
        ("place", 0, "g7/g6"),
        ("place", 1, "y4/b2"),
        ("draw", 2, None),
    ]
    assert film.onlooker.backlog.dropped == 0
    assert len(film.ahead) > 3 and min(film.ahead) >= 0 and max(film.ahead) >= FRAMES_A_READING


def test_what_ends_the_looking_ends_the_run(
    film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Session, frame: Frame) -> list[dict[str, object]]:
        raise StoreError("game.jsonl: the disk is full")

    monkeypatch.setattr(Session, "see", full)
    games = Games(film.onlooker, lambda game: film, tmp_path)
    games.begin(TABLE, header_for(TABLE))
    with pytest.raises(StoreError, match="the disk is full"):
        film.onlooker.run()
    games.close()


# -- where it could not be helped


def play(folder: Path, gap_s: float) -> list[dict[str, object]]:
    """Cem starts; for a while there is no picture; Ann draws; Cem lays."""
    stage, path = Stage(), folder / "game.jsonl"

    def frames() -> Iterator[Frame]:
        yield from stage.wait(0.6)
        yield from stage.reach(NORTH, (0.0, -10.0), brings=("r5/g1", 0.0, 0.0))
        yield from stage.wait(0.6)
        stage.at_s += gap_s
        yield from stage.wait(0.4)
        yield from stage.reach(SOUTH, PILE.centre_mm, travel_s=0.6)
        yield from stage.wait(0.4)
        yield from stage.reach(NORTH, (45.5, 10.0), brings=("g7/g6", 45.5, 0.0))
        yield from stage.wait(0.6)

    with Store(path, durable=False) as store:
        session = Session(TABLE, header_for(TABLE), stage, store)
        for frame in frames():
            session.see(frame)
    return [line for line in read(path).records if line["type"] in ("start", "place", "draw")]


@pytest.mark.parametrize(("gap_s", "blind"), [(0.3, [False] * 3), (2.0, [False, True, False])])
def test_a_time_without_pictures_is_told(tmp_path: Path, gap_s: float, blind: list[bool]) -> None:
    lines = play(tmp_path, gap_s)
    assert [line["type"] for line in lines] == ["start", "draw", "place"]
    assert [line.get("blind_before", False) for line in lines] == blind
