"""What viewers get while a card is still being read."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.overlay.source import View
from referee.placements import Placements
from referee.seats import Seats
from referee.session import Session, header_for
from referee.store import Record, Store
from tests.referee.play import TABLE, Play
from tests.stage import Stage, half
from vision.events import LineBegan
from vision.facts import Half, Image
from vision.line import Line, Place
from vision.plane import TablePlane


class Hesitant(Stage):
    """A reader that is unsure at its first look at the second card."""

    looks = 0

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        seen = super().read(image, plane, region_mm)
        if len(self.cards) != 2:
            return seen
        self.looks += 1
        sure = 0.85 if self.looks == 1 else 0.99
        return [half(one.label, one.x_mm, one.y_mm, one.axis_deg, sure) for one in seen]


class Looking(Stage):
    """A reader that asks, while it reads, which picture viewers have."""

    def __init__(self) -> None:
        super().__init__()
        self.session: Session | None = None
        self.shown: list[tuple[int, int]] = []
        """Which picture viewers had, and which was read."""

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        assert self.session is not None
        picture = self.session.picture()
        self.shown.append((-1 if picture is None else picture.index, self._index))
        return super().read(image, plane, region_mm)


def played(stage: Stage, folder: Path) -> list[View]:
    views: list[View] = []
    with Store(folder / "game.jsonl", durable=False) as store:
        session = Session(TABLE, header_for(TABLE), stage, store)
        if isinstance(stage, Looking):
            stage.session = session
        session.subscribe(lambda: views.append(session.view()))
        session.run(Play(stage))
    return views


def placed(views: list[View]) -> list[list[Record]]:
    return [[one for one in view.log if one["type"] == "place"] for view in views]


def test_a_doubtful_reading_is_shown_at_once_and_called_later(tmp_path: Path) -> None:
    views = played(Hesitant(), tmp_path)
    first = next(i for i, view in enumerate(views) if view.provisional is not None)
    early = views[first].provisional
    assert early is not None
    assert (early["card"], early["onto"], early["with"]) == ("g7/g6", "g1", "g7")
    assert views[first].light == "checking"
    assert placed(views)[first] == []
    called = next(i for i, moves in enumerate(placed(views)) if moves)
    assert called > first
    assert placed(views)[called][0]["card"] == "g7/g6"
    assert views[called].provisional is None


def test_nothing_is_provisional_where_the_first_look_is_sure(tmp_path: Path) -> None:
    assert all(view.provisional is None for view in played(Stage(), tmp_path))


def test_viewers_have_the_picture_before_it_has_been_read(tmp_path: Path) -> None:
    stage = Looking()
    played(stage, tmp_path)
    assert stage.shown
    assert all(shown == read for shown, read in stage.shown)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (half("r5", -22.0, 0.0), half("g1", 22.0, 4.0)),
        (half("r5", 3.0, -22.0, 90.0), half("g1", 0.0, 22.0, 90.0)),  # upright: downwards
    ],
)
def test_the_first_card_is_told_as_one_reads(one: Half, other: Half) -> None:
    for first, last in ((one, other), (other, one)):
        line = Line(tuple(Place(h) for h in (first, last)), confidence=1.0)
        told = Placements(Seats([])).observe(LineBegan(1.0, 1.0, None, line))
        assert told[0]["card"] == "r5/g1"
