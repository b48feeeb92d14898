"""The watcher on a drawn table: what it tells, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.stage import PILE, PLANE, ZONES, Arm, Stage
from vision.events import (
    ArmLeft,
    CardLaid,
    CardTaken,
    Fact,
    LineBegan,
    LineMoved,
    LooseGone,
    LooseLaid,
)
from vision.frames import Frame
from vision.watch import Watcher
from vision.witness import Phase

SOUTH = (0.0, 420.0)
NORTH = (0.0, -420.0)
EAST = (600.0, 0.0)
FIRST = ("r5/g1", 0.0, 0.0)
SECOND = ("g7/g6", 45.5, 0.0)


class Game:
    """A stage with a watcher in front of it."""

    def __init__(self) -> None:
        self.stage = Stage()
        self.watcher = Watcher(self.stage, PLANE, ZONES)
        self.see(self.stage.wait(0.6))

    def see(self, frames: Iterable[Frame]) -> list[Fact]:
        return [fact for frame in frames for fact in self.watcher.see(frame)]

    def lay(self, card: tuple[str, float, float], shoulder: tuple[float, float]) -> list[Fact]:
        """An arm lays a card; the facts without those about arms."""
        reach = self.stage.reach(shoulder, (card[1], card[2]), brings=card)
        facts = self.see([*reach, *self.stage.wait(0.8)])
        return [fact for fact in facts if not isinstance(fact, ArmLeft)]

    @property
    def labels(self) -> tuple[str, ...]:
        line = self.watcher.line
        return () if line is None else min(line.labels, line.labels[::-1])


@pytest.fixture
def begun() -> Game:
    game = Game()
    game.lay(FIRST, NORTH)
    return game


@pytest.fixture
def going(begun: Game) -> Game:
    begun.lay(SECOND, SOUTH)
    return begun


def test_an_empty_table_tells_nothing() -> None:
    game = Game()
    assert game.see(game.stage.wait(2.0)) == []
    assert game.watcher.phase is Phase.QUIET
    assert game.stage.readings == 1  # one look at the whole table, at first


def test_the_first_card_begins_the_line() -> None:
    game = Game()
    (fact,) = game.lay(FIRST, NORTH)
    assert isinstance(fact, LineBegan)
    assert fact.arm is not None
    assert game.labels == ("g1", "r5")


def test_a_card_laid_covers_an_end(begun: Game) -> None:
    began_s = begun.stage.at_s
    (fact,) = begun.lay(SECOND, SOUTH)
    assert isinstance(fact, CardLaid)
    assert (fact.laid.covered.label, fact.laid.covering.label, fact.laid.free.label) == (
        "g1",
        "g7",
        "g6",
    )
    assert fact.arm is not None
    assert fact.arm.entry_mm == pytest.approx((20.0, 320.0), abs=40)
    let_go_s = began_s + 0.4 + 0.3
    assert fact.at_s == pytest.approx(let_go_s, abs=0.2)
    assert fact.reported_s - fact.at_s < 0.7
    assert begun.labels == ("g6", "g7", "r5")


def test_a_hand_that_rests_on_the_line_lays_nothing(going: Game) -> None:
    facts = going.see([*going.stage.reach(NORTH, (0.0, 0.0), stay_s=3.0), *going.stage.wait(1.0)])
    assert [type(fact) for fact in facts] == [ArmLeft]
    assert going.labels == ("g6", "g7", "r5")


def test_a_card_that_is_held_over_the_line_is_not_laid(going: Game) -> None:
    arm = Arm(EAST, EAST, "b2/b3")
    going.stage.arms = [arm]
    frames = []
    for i in (*range(1, 7), *[6] * 20, *range(6, 0, -1)):  # comes, hovers, goes
        arm.tip_mm = (600.0 - i * 85.0, 0.0)
        frames.append(going.stage.frame())
    going.stage.arms = []
    facts = going.see([*frames, *going.stage.wait(1.0)])
    assert [type(fact) for fact in facts] == [ArmLeft]


def test_a_card_taken_back(going: Game) -> None:
    facts = going.see([*going.stage.reach(SOUTH, (45.5, 0.0), takes=True), *going.stage.wait(1.0)])
    (fact,) = [fact for fact in facts if isinstance(fact, CardTaken)]
    assert (fact.taken.covering.label, fact.taken.free.label) == ("g7", "g6")
    assert fact.arm is not None
    assert going.labels == ("g1", "r5")


def test_a_line_that_is_shoved_has_only_moved(going: Game) -> None:
    reach = list(going.stage.reach(SOUTH, (0.0, 30.0), stay_s=0.2))
    going.stage.cards = [(card, x + 18.0, y - 12.0) for card, x, y in going.stage.cards]
    facts = going.see([*reach, *going.stage.wait(1.0)])
    assert not [fact for fact in facts if isinstance(fact, CardLaid | CardTaken)]
    assert [fact for fact in facts if isinstance(fact, LineMoved)]
    (fact,) = going.lay(("g2/y2", 109.0, -12.0), SOUTH)
    assert isinstance(fact, CardLaid)
    assert fact.laid.covered.label == "g6"


def test_a_hand_at_the_pile_is_told_when_it_has_left(going: Game) -> None:
    reach = list(going.stage.reach((-380.0, 420.0), PILE.centre_mm))
    left_s = going.stage.at_s
    (fact,) = going.see([*reach, *going.stage.wait(0.5)])
    assert isinstance(fact, ArmLeft)
    assert fact.arm is not None
    assert [visit.zone for visit in fact.arm.visits] == ["draw_pile"]
    assert fact.at_s == pytest.approx(left_s, abs=0.2)


def test_a_hand_that_lays_beside_the_pile_is_told_after_its_card() -> None:
    """Else it would be taken for one that draws: it was at the pile, and has left."""
    game = Game()
    x, y = PILE.centre_mm
    game.lay(("r5/g1", x + 120.0, y), NORTH)
    reach = list(game.stage.reach((-600.0, y), (x + 74.5, y), brings=("b2/r2", x + 74.5, y)))
    laid, left = game.see([*reach, *game.stage.wait(1.5)])
    assert isinstance(laid, CardLaid)
    assert laid.laid.covering.label == "r2"
    assert isinstance(left, ArmLeft)
    assert left.arm is not None and left.arm.visits
    assert left.at_s == pytest.approx(reach[-1].at_s, abs=0.2)
    assert left.reported_s - left.at_s < 0.7


def test_a_card_beside_the_line_comes_is_covered_and_goes(going: Game) -> None:
    (came,) = going.lay(("r2/y0", 250.0, 150.0), NORTH)
    (covered,) = going.lay(("y2/r2", 250.0, 150.0), EAST)
    gone = going.see([*going.stage.wait(0.1), *_take_both(going)])
    assert isinstance(came, LooseLaid)
    assert came.onto is None
    assert isinstance(covered, LooseLaid)
    assert covered.onto is not None
    assert covered.onto.label == came.card.label
    assert [fact.card.label for fact in gone if isinstance(fact, LooseGone)] == ["y2/r2"]
    assert going.labels == ("g6", "g7", "r5")


def _take_both(game: Game) -> list[Frame]:
    frames = list(game.stage.reach(SOUTH, (250.0, 150.0), takes=True))
    game.stage.cards.pop()
    return [*frames, *game.stage.wait(1.0)]


def test_two_cards_that_come_at_once_each_have_their_arm(going: Game) -> None:
    stage = going.stage
    left, right = Arm((-600.0, 0.0), (-45.5, 0.0)), Arm(EAST, (91.0, 0.0))
    for share in (0.3, 0.6, 1.0, 1.0):
        left.tip_mm = (-600.0 + 555.0 * share, 0.0)
        right.tip_mm = (600.0 - 509.0 * share, 0.0)
        stage.arms = [left, right]
        going.see([stage.frame()])
    stage.cards += [("r4/yS", -45.5, 0.0), ("g2/y2", 91.0, 0.0)]
    for share in (0.6, 0.3):
        left.tip_mm = (-600.0 + 555.0 * share, 0.0)
        right.tip_mm = (600.0 - 509.0 * share, 0.0)
        going.see([stage.frame()])
    stage.arms = []
    laid = [fact for fact in going.see(stage.wait(1.0)) if isinstance(fact, CardLaid)]
    came_from = {
        fact.laid.covered.label: fact.arm.entry_mm[0] for fact in laid if fact.arm is not None
    }
    assert came_from["r5"] < 0 < came_from["g6"]


def test_a_card_that_lay_there_from_the_first_is_a_line_once_one_is_laid_to_it() -> None:
    game = Game()
    game.stage.cards = [FIRST]
    game.watcher = Watcher(game.stage, PLANE, ZONES)
    assert game.see(game.stage.wait(1.0)) == []
    facts = game.lay(SECOND, SOUTH)
    assert [type(fact) for fact in facts] == [LineBegan, CardLaid]


def test_a_stray_card_gives_way_to_the_card_that_a_hand_lays() -> None:
    game = Game()
    game.stage.cards = [("b0/b1", 300.0, -150.0)]
    game.watcher = Watcher(game.stage, PLANE, ZONES)
    game.see(game.stage.wait(1.0))
    (fact,) = game.lay(FIRST, NORTH)
    assert isinstance(fact, LineBegan)
    assert game.labels == ("g1", "r5")
