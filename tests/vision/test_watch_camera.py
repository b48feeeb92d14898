"""The watcher and its camera: bumps, drift, flicker, focus, frame rates; and lines lost and found."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import repeat

import numpy as np
import pytest

from tests.stage import PLANE, ZONES, Stage
from vision.events import ArmLeft, CardLaid, CardTaken, Fact, LineBegan, LineMoved, OutOfSync
from vision.frames import Frame
from vision.watch import Watcher
from vision.witness import Phase

SOUTH = (0.0, 420.0)
NORTH = (0.0, -420.0)
CARDS = (("r5/g1", 0.0, 0.0), ("g7/g6", 45.5, 0.0), ("g2/y2", 91.0, 0.0), ("y4/b0", 136.5, 0.0))


class Game:
    """A stage on which things lie about, with a watcher in front of it."""

    def __init__(self, lasts_s: Iterable[float] = repeat(1 / 15)) -> None:
        self.stage = Stage(things=True, lasts_s=iter(lasts_s))
        self.watcher = Watcher(self.stage, PLANE, ZONES)
        self.facts: list[Fact] = []
        self.see(self.stage.wait(0.6))

    def see(self, frames: Iterable[Frame]) -> list[Fact]:
        found = [fact for frame in frames for fact in self.watcher.see(frame)]
        self.facts += found
        return [fact for fact in found if not isinstance(fact, ArmLeft | LineMoved)]

    def lay(self, number: int) -> list[Fact]:
        card = CARDS[number]
        shoulder = SOUTH if number % 2 else NORTH
        reach = self.stage.reach(shoulder, (card[1], card[2]), brings=card)
        return self.see([*reach, *self.stage.wait(0.8)])

    @property
    def labels(self) -> tuple[str, ...]:
        line = self.watcher.line
        return () if line is None else min(line.labels, line.labels[::-1])


@pytest.fixture
def going() -> Game:
    game = Game()
    assert [type(fact) for n in (0, 1) for fact in game.lay(n)] == [LineBegan, CardLaid]
    return game


def knocked(dx_px: float, dy_px: float, turn_deg: float = 0.0) -> np.ndarray:
    angle = np.radians(turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, dx_px], [sin, cos, dy_px], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize(("dx_px", "dy_px", "turn_deg"), [(-9.0, 7.0, 0.0), (5.0, -8.0, 1.5)])
def test_a_bumped_camera_is_followed(
    going: Game, dx_px: float, dy_px: float, turn_deg: float
) -> None:
    stage = going.stage
    for shake in (0.4, 1.3, 0.8):
        stage.camera = knocked(dx_px * shake, dy_px * shake, turn_deg * shake)
        assert going.see([stage.frame()]) == []
    stage.camera = knocked(dx_px, dy_px, turn_deg)
    assert going.see(stage.wait(2.0)) == []  # nothing came or went
    (fact,) = going.lay(2)
    assert isinstance(fact, CardLaid) and fact.laid.free.label == "y2"
    line = going.watcher.line
    assert line is not None
    x = sorted(place.half.x_mm for place in line.places)
    # Where the cards lie on the table has not changed: only the picture has.
    assert x == pytest.approx([-22.75, 22.75, 68.25, 113.75], abs=4.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("by_px", [4.0, 8.0, 20.0])
def test_a_camera_that_shakes_and_stands_as_before_has_drawn_nothing(
    going: Game, by_px: float, seed: int
) -> None:
    """The edges of all things come and go like arms, the pile's among them."""
    told = len(going.facts)
    for shake in np.random.default_rng(seed).normal(0, by_px, (6, 2)):
        going.stage.camera = knocked(*shake)
        assert going.see([going.stage.frame()]) == []
    going.stage.camera = np.eye(3)
    assert going.see(going.stage.wait(2.0)) == []
    assert not [fact for fact in going.facts[told:] if fact.arm is not None and fact.arm.visits]
    assert [type(fact) for fact in going.lay(2)] == [CardLaid]


def test_a_camera_that_sinks_slowly_is_followed(going: Game) -> None:
    stage = going.stage
    for step in range(90):  # 9 pixels in six seconds
        stage.camera = knocked(0.1 * step, -0.05 * step)
        assert going.see([stage.frame()]) == []
    (fact,) = going.lay(2)
    assert isinstance(fact, CardLaid) and fact.laid.free.label == "y2"


def test_a_line_that_is_shoved_is_no_bump(going: Game) -> None:
    plane = going.watcher.plane
    stage = going.stage
    reach = list(stage.reach(SOUTH, (20.0, 40.0), stay_s=0.2))
    stage.cards = [(card, x + 20.0, y + 12.0) for card, x, y in stage.cards]
    assert going.see([*reach, *stage.wait(1.5)]) == []
    assert going.watcher.plane is plane
    assert [fact for fact in going.facts if isinstance(fact, LineMoved)]


@pytest.mark.parametrize("light", [0.75, 1.25])
def test_an_exposure_that_hunts_tells_nothing(going: Game, light: float) -> None:
    stage = going.stage
    for share in (*np.linspace(1, light, 8), *np.linspace(light, 1, 8)):
        stage.light = float(share)
        assert going.see([stage.frame()]) == []
    assert going.see(stage.wait(1.0)) == []
    assert [type(fact) for fact in going.lay(2)] == [CardLaid]


def test_a_lens_that_hunts_for_focus_tells_nothing(going: Game) -> None:
    stage = going.stage
    for blur in (*np.linspace(0.4, 3, 7), *np.linspace(3, 0, 7)):
        stage.blur_px = float(blur)
        assert going.see([stage.frame()]) == []
    assert going.see(stage.wait(1.0)) == []
    assert [type(fact) for fact in going.lay(2)] == [CardLaid]


def _jittered() -> Iterable[float]:
    rng = random.Random(4)
    while True:
        yield rng.choice([0.02, 0.033, 0.05, 0.12])


@pytest.mark.parametrize(
    "lasts_s", [repeat(1 / 24), repeat(1 / 60), _jittered()], ids=["24 Hz", "60 Hz", "variable"]
)
def test_what_is_told_and_when_does_not_depend_on_the_frame_rate(lasts_s: Iterable[float]) -> None:
    game = Game(lasts_s)
    for number, kind in enumerate((LineBegan, CardLaid)):
        began_s = game.stage.at_s
        (fact,) = game.lay(number)
        assert type(fact) is kind
        assert fact.at_s - began_s == pytest.approx(0.75, abs=0.25)
        assert fact.reported_s - fact.at_s < 0.75


def test_a_line_that_is_lifted_and_put_back_is_found_again(going: Game) -> None:
    stage, cards = going.stage, list(going.stage.cards)
    reach = stage.reach(SOUTH, (20.0, 0.0), takes=True)
    frames = [next(reach) for _ in range(9)]
    stage.cards.clear()
    stage.cards.append(("b9/b9", 0.0, 300.0))  # what the hand takes, out of the picture
    going.see([*frames, *reach])
    assert going.see(stage.wait(4.0)) == []
    phases = [going.watcher.phase]
    stage.cards = cards
    assert not [f for f in going.see(stage.wait(3.0)) if isinstance(f, CardLaid | CardTaken)]
    assert [*phases, going.watcher.phase] == [Phase.OUT_OF_SYNC, Phase.QUIET]
    assert going.labels == ("g6", "g7", "r5")


def test_a_game_that_is_joined_late_and_swapped_for_another_one() -> None:
    """Picked up from the picture in mid-game; later quite another line lies there."""
    game = Game.__new__(Game)
    game.stage, game.facts = Stage(cards=list(CARDS), things=True), []
    game.watcher = Watcher(game.stage, PLANE, ZONES)
    (began,) = game.see(game.stage.wait(1.2))
    assert isinstance(began, LineBegan)
    assert list(game.labels) == ["b0", "y4", "g2", "g7", "r5"]
    stage = game.stage
    reach = stage.reach(SOUTH, (0.0, -100.0), takes=True)
    frames = [next(reach) for _ in range(9)]
    stage.cards = [("b9/y8", -90.0, -120.0), ("y3/rS", -44.5, -120.0), ("r1/b1", 1.0, -120.0)]
    stage.cards.append(("b9/b9", 0.0, 300.0))
    facts = game.see([*frames, *reach, *stage.wait(5.0)])
    (fact,) = facts
    assert isinstance(fact, OutOfSync) and fact.line is not None
    assert list(game.labels) == ["b1", "r1", "y3", "b9"]
    assert game.watcher.phase is Phase.QUIET
