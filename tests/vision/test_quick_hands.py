"""Hands that follow each other quickly: whose card it was, when it came, what it showed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.stage import PLANE, ZONES, Arm, Stage
from vision.events import CardLaid
from vision.facts import Half, Image
from vision.frames import Frame
from vision.line import is_unread
from vision.plane import TablePlane
from vision.watch import Watcher

NORTH, EAST, WEST = (0.0, -420.0), (600.0, 0.0), (-600.0, 0.0)
FIRST = ("r5/g1", 0.0, 0.0)
SECOND = ("g7/g6", 45.5, 0.0)
THIRD = ("g2/y2", 91.0, 0.0)


@dataclass
class Album:
    """A reader that knows what each picture showed when it was taken."""

    stage: Stage
    taken: list[tuple[Image, list[Half]]] = field(default_factory=list)

    def keep(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames, each with what lies free in it."""
        for frame in frames:
            self.taken.append((frame.image, self.stage.read(frame.image, PLANE)))
            yield frame

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """What lay free when the picture was taken; of a mean of pictures, of the newest."""
        seen = next((halves for kept, halves in self.taken if kept is image), self.taken[-1][1])
        if region_mm is None:
            return seen
        x0, y0, x1, y1 = region_mm
        return [half for half in seen if x0 <= half.x_mm <= x1 and y0 <= half.y_mm <= y1]


class Table:
    """A line of one card, and a watcher whose reader remembers the pictures."""

    def __init__(self) -> None:
        self.stage = Stage()
        self.album = Album(self.stage)
        self.watcher = Watcher(self.album, PLANE, ZONES)
        self.see(self.stage.wait(0.6))
        self.see(self.stage.reach(NORTH, (0.0, 0.0), brings=FIRST))
        self.see(self.stage.wait(0.8))

    def see(self, frames: Iterable[Frame]) -> list[CardLaid]:
        """The cards laid that become known."""
        facts = [fact for frame in self.album.keep(frames) for fact in self.watcher.see(frame)]
        return [fact for fact in facts if isinstance(fact, CardLaid)]

    def with_arms(self, *arms: Arm, looks: int = 1) -> list[CardLaid]:
        """Some looks with arms at their places, then none."""
        self.stage.arms = list(arms)
        laid = self.see([self.stage.frame() for _ in range(looks)])
        self.stage.arms = []
        return laid


@pytest.fixture
def table() -> Table:
    return Table()


def came_from(fact: CardLaid) -> tuple[float, float]:
    assert fact.arm is not None
    return fact.arm.entry_mm


def test_a_card_that_lay_free_for_a_moment_is_told_though_the_next_covers_it(table: Table) -> None:
    told: list[CardLaid] = []
    for y in (-200.0, -60.0, 0.0):
        told += table.with_arms(Arm((45.5, -420.0), (45.5, y)))
    table.stage.cards.append(SECOND)
    first_s = table.stage.at_s
    for y, x in ((-160.0, 420.0), (-300.0, 300.0)):
        told += table.with_arms(Arm((45.5, -420.0), (45.5, y)), Arm(EAST, (x, 0.0)))
    for x in (190.0, 91.0, 80.0):
        told += table.with_arms(Arm(EAST, (x, 0.0)))
    table.stage.cards.append(THIRD)
    second_s = table.stage.at_s
    for x in (200.0, 400.0):
        told += table.with_arms(Arm(EAST, (x, 0.0)))
    told += table.see(table.stage.wait(1.2))
    one, other = told
    assert (one.laid.covering.label, one.laid.free.label) == ("g7", "g6")
    assert (other.laid.covering.label, other.laid.free.label) == ("g2", "y2")
    assert other.laid.covered.label == "g6"
    assert came_from(one)[1] < -200
    assert came_from(other)[0] > 400
    assert one.at_s == pytest.approx(first_s, abs=0.2)
    assert other.at_s == pytest.approx(second_s, abs=0.2)


def test_a_card_that_nobody_saw_before_it_was_covered_stays_unread(table: Table) -> None:
    told = table.with_arms(Arm(EAST, (80.0, 0.0)), looks=3)
    table.stage.cards += [SECOND, THIRD]
    told += table.with_arms(Arm(EAST, (200.0, 0.0)))
    told += table.see(table.stage.wait(1.5))
    one, other = told
    assert is_unread(one.laid.free)
    assert other.laid.free.label == "y2"


def test_an_arm_that_passes_over_a_card_has_not_laid_it(table: Table) -> None:
    told: list[CardLaid] = []
    for y in (200.0, 60.0, 0.0):
        told += table.with_arms(Arm((45.5, 420.0), (45.5, y)))
    table.stage.cards.append(SECOND)
    laid_s = table.stage.at_s
    for y in (160.0, 320.0):
        told += table.with_arms(Arm((45.5, 420.0), (45.5, y)))
    for x in (-200.0, 50.0, 300.0):
        told += table.with_arms(Arm(WEST, (x, 0.0)))
    told += table.with_arms(Arm(WEST, (320.0, 0.0)), looks=12)
    for x in (100.0, -300.0):
        told += table.with_arms(Arm(WEST, (x, 0.0)))
    told += table.see(table.stage.wait(1.0))
    (fact,) = told
    assert came_from(fact)[1] > 200
    assert fact.at_s == pytest.approx(laid_s, abs=0.2)
