"""Arms: where they come from, how deep they reach, whether they stay at the pile."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tests.stage import PILE, PLANE, STEP_S, ZONES, Arm, Stage
from vision import hands as arms
from vision.activity import Activity
from vision.frames import Frame
from vision.grid import Grid
from vision.hands import Hands, Zone


class Eyes:
    """Activity and hands together, as the watcher runs them."""

    def __init__(self) -> None:
        self.grid = Grid(PLANE)
        self.activity = Activity(self.grid)
        self.hands = Hands(self.grid, ZONES)

    def see(self, frames: Iterable[Frame]) -> list[arms.Arm]:
        left: list[arms.Arm] = []
        for frame in frames:
            left += self.hands.follow(self.activity.look(frame))
        return left


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.fixture
def eyes(stage: Stage) -> Eyes:
    seen = Eyes()
    seen.see(stage.wait(0.5))
    return seen


@pytest.mark.parametrize(
    ("shoulder_mm", "entry_mm"),
    [
        ((0.0, 400.0), (0.0, 320.0)),
        ((0.0, -400.0), (0.0, -320.0)),
        ((-600.0, 0.0), (-480.0, 0.0)),
        ((600.0, 0.0), (480.0, 0.0)),
    ],
)
def test_an_arm_comes_in_where_its_shoulder_is(
    eyes: Eyes, stage: Stage, shoulder_mm: tuple[float, float], entry_mm: tuple[float, float]
) -> None:
    left = eyes.see([*stage.reach(shoulder_mm, (0.0, 0.0)), *stage.wait(0.5)])
    assert len(left) == 1
    assert left[0].entry_mm == pytest.approx(entry_mm, abs=15)
    assert np.hypot(*left[0].deepest_mm) < 35


def test_it_is_told_when_it_came_and_left(eyes: Eyes, stage: Stage) -> None:
    came_s = stage.at_s
    frames = list(stage.reach((0.0, 400.0), (0.0, 0.0)))
    left_s = stage.at_s
    (arm,) = eyes.see([*frames, *stage.wait(0.5)])
    assert arm.came_s == pytest.approx(came_s, abs=3 * STEP_S)
    assert arm.left_s == pytest.approx(left_s, abs=3 * STEP_S)


def test_two_arms_at_once_are_two(eyes: Eyes, stage: Stage) -> None:
    stage.arms = [Arm((-600.0, -100.0), (-250.0, -100.0)), Arm((600.0, 100.0), (250.0, 100.0))]
    eyes.see(stage.wait(0.2))
    assert len(eyes.hands.present) == 2


def test_who_was_there_last(eyes: Eyes, stage: Stage) -> None:
    spot = eyes.grid.near(0.0, 0.0, 20.0)
    began_s = stage.at_s
    assert eyes.hands.who(spot, 0.0) is None
    (first,) = eyes.see([*stage.reach((0.0, 400.0), (0.0, 0.0)), *stage.wait(0.5)])
    (second,) = eyes.see([*stage.reach((600.0, 0.0), (0.0, 0.0)), *stage.wait(0.5)])
    found = eyes.hands.who(spot, began_s)
    assert found is not None
    assert found.number == second.number != first.number
    assert eyes.hands.who(spot, stage.at_s) is None  # not since then


def test_a_hand_that_takes_from_the_pile_stays_there(eyes: Eyes, stage: Stage) -> None:
    (arm,) = eyes.see([*stage.reach((-380.0, 400.0), PILE.centre_mm), *stage.wait(0.5)])
    (visit,) = arm.visits
    assert visit.zone == "draw_pile"
    assert visit.turned_back
    assert visit.to_s - visit.from_s >= 0.25
    assert visit.slowest_mm_s < 100


def test_a_hand_whose_sleeve_looks_like_the_table_stays_there_too(eyes: Eyes, stage: Stage) -> None:
    bare = stage.frame().image

    def sleeved() -> Iterable[Frame]:
        for i, frame in enumerate(stage.reach((200.0, -400.0), PILE.centre_mm, stay_s=1.0)):
            if i > 1:  # the hand has come in
                frame.image[:60] = bare[:60]
            yield frame

    (arm,) = eyes.see([*sleeved(), *stage.wait(0.5)])
    (visit,) = arm.visits
    assert visit.to_s - visit.from_s >= 0.9


def test_what_a_hand_has_put_down_is_no_arm(eyes: Eyes, stage: Stage) -> None:
    reach = stage.reach((0.0, 400.0), (0.0, 0.0), brings=("r2/b8", 0.0, 0.0))
    assert len(eyes.see([*reach, *stage.wait(0.5)])) == 1
    eyes.see(stage.wait(2.0))
    assert eyes.hands.present == []


def test_an_edge_that_a_swaying_camera_shows_is_no_part_of_an_arm(eyes: Eyes, stage: Stage) -> None:
    """It hides what lies below; yet the arm comes from where its shoulder is."""

    def swayed(frame: Frame) -> Frame:
        frame.image[:1, 260:] = frame.image[40:, :1] = 250  # two cells wide, once blurred
        return frame

    eyes.see(swayed(frame) for frame in stage.wait(0.5))
    assert not eyes.hands.present
    assert eyes.hands.mask[1, -40]
    frames = [*stage.reach((200.0, -400.0), (200.0, 0.0)), *stage.wait(0.5)]
    (arm,) = eyes.see(swayed(frame) for frame in frames)
    assert arm.entry_mm == pytest.approx((200.0, -320.0), abs=15)
    assert arm.deepest_mm == pytest.approx((200.0, 0.0), abs=35)


def test_an_arm_has_the_colours_of_its_sleeve(eyes: Eyes, stage: Stage) -> None:
    arms_left = [
        eyes.see([*stage.reach(shoulder, (0.0, 0.0)), *stage.wait(0.5)])[0]
        for shoulder in ((0.0, 400.0), (-600.0, 0.0))
    ]
    one, other = (arm.colours for arm in arms_left)
    assert one is not None and other is not None
    assert float(np.minimum(one, other).sum()) > 0.7  # the same cloth, on another ground


def test_after_a_time_without_looks_an_arm_is_another_one(eyes: Eyes, stage: Stage) -> None:
    stage.arms = [Arm((600.0, 100.0), (250.0, 100.0))]
    assert eyes.see(stage.wait(0.5)) == []
    (before,) = eyes.hands.present
    stage.at_s += arms.BLIND_S
    (left,) = eyes.see(stage.wait(0.2))
    (now,) = eyes.hands.present
    assert left.number == before.number != now.number
    assert left.left_s is not None


def test_a_hand_that_passes_over_the_pile_does_not_slow_down(eyes: Eyes, stage: Stage) -> None:
    (arm,) = eyes.see(
        [*stage.reach((-600.0, 160.0), (100.0, 20.0), travel_s=0.6), *stage.wait(0.5)]
    )
    for visit in arm.visits:
        assert visit.slowest_mm_s > 400
        assert not visit.turned_back


def test_something_that_slides_inside_the_picture_is_no_arm(eyes: Eyes, stage: Stage) -> None:
    for i in range(10):
        stage.cards = [("r2/b8", -100.0 + 15 * i, 0.0)]
        eyes.see([stage.frame()])
    assert eyes.hands.present == []


def test_a_zone_and_its_margin() -> None:
    zone = Zone((10.0, 0.0), (20.0, 40.0))
    assert zone.contains(20.0, 20.0)
    assert not zone.contains(21.0, 0.0)
    assert zone.contains(21.0, 0.0, margin_mm=2.0)


def test_a_hand_that_goes_out_at_another_side_keeps_its_tip(stage: Stage) -> None:
    """A pile at the picture's rim: the hand on it crosses the rim, too, and came in below."""
    seen = Eyes()
    seen.hands = Hands(seen.grid, {"draw_pile": Zone((445.0, -60.0), (110.0, 130.0))})
    seen.see(stage.wait(0.5))
    (arm,) = seen.see([*stage.reach((400.0, 420.0), (462.0, -60.0), stay_s=0.5), *stage.wait(0.5)])
    assert arm.entry_mm[1] == pytest.approx(320.0, abs=15)
    assert arm.deepest_mm == pytest.approx((455.0, -60.0), abs=35)
    (visit,) = arm.visits
    assert visit.to_s - visit.from_s > 0.4
