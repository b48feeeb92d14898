"""The cheap look: what counts as a change, and what does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.stage import PLANE, Arm, Stage
from vision.activity import Activity, Look
from vision.grid import Grid

CARD = ("r2/b8", 0.0, 0.0)


def looked(activity: Activity, stage: Stage, seconds: float) -> Look:
    for frame in stage.wait(seconds):
        look = activity.look(frame)
    return look


def changed_mm2(activity: Activity, look: Look) -> float:
    return activity.grid.area_mm2(look.changed)


@pytest.fixture
def activity() -> Activity:
    return Activity(Grid(PLANE))


def test_a_cell_is_a_few_millimetres_and_knows_its_place() -> None:
    grid = Grid(PLANE)
    assert grid.mm_per_cell == pytest.approx(3.0, abs=0.1)
    rows, columns = grid.shape
    assert grid.mm[0, 0] == pytest.approx([-480 + 1.0, -320 + 1.0], abs=1.5)
    assert grid.mm[rows - 1, columns - 1] == pytest.approx([478.0, 318.0], abs=1.5)


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0])
def test_noise_is_no_change(activity: Activity, noise: float) -> None:
    look = looked(activity, Stage(noise=noise), 2.0)
    assert changed_mm2(activity, look) < 100


def test_a_card_is_a_change_of_its_size(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 0.5)
    stage.cards.append(CARD)
    look = looked(activity, stage, 0.3)
    assert changed_mm2(activity, look) == pytest.approx(89 * 58, rel=0.3)


def test_what_is_settled_is_the_table_from_then_on(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 0.5)
    stage.cards.append(CARD)
    look = looked(activity, stage, 0.5)
    wider = np.asarray(cv2.dilate(look.changed, np.ones((3, 3), np.uint8)), np.uint8)
    activity.settle(wider, look)
    assert changed_mm2(activity, looked(activity, stage, 0.3)) < 100
    stage.cards.clear()
    assert changed_mm2(activity, looked(activity, stage, 0.3)) > 4000


@pytest.mark.parametrize("light", [0.8, 1.1])
def test_an_exposure_that_jumps_is_no_change(activity: Activity, light: float) -> None:
    stage = Stage(cards=[CARD])
    looked(activity, stage, 0.5)
    stage.light = light
    assert changed_mm2(activity, looked(activity, stage, 0.3)) < 300


def test_a_change_keeps_its_size_when_the_light_jumps(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 0.5)
    stage.cards.append(CARD)
    stage.light = 0.85
    look = looked(activity, stage, 0.3)
    assert changed_mm2(activity, look) == pytest.approx(89 * 58, rel=0.3)


def test_stillness_is_told_in_seconds(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 1.0)
    stage.cards.append(CARD)
    laid_s = stage.at_s
    look = looked(activity, stage, 1.0)
    inside = look.changed > 0
    around = cv2.dilate(look.changed, np.ones((5, 5), np.uint8)) > 0
    # Movement is seen against the picture of a tenth of a second ago.
    assert look.still_since_s[inside].max() == pytest.approx(laid_s, abs=0.3)
    assert look.still_since_s[~around].max() < laid_s


def test_since_when_a_card_lies_as_it_does_now(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 0.5)
    stage.cards.append(CARD)
    laid_s = stage.at_s
    look = looked(activity, stage, 1.0)
    looks = list(activity.as_now(look.changed, look, 0.6))
    assert all(alike == (at_s > laid_s) for at_s, alike in looks if abs(at_s - laid_s) > 0.1)
    assert looks == sorted(looks, reverse=True)
    assert {alike for _, alike in looks} == {True, False}


def test_what_only_rests_leaves_the_table_as_it_was(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 0.5)
    stage.arms.append(Arm((-600.0, 0.0), (-300.0, 0.0)))
    look = looked(activity, stage, 0.5)
    activity.rest(look.changed, look)
    assert changed_mm2(activity, looked(activity, stage, 0.3)) < 300
    stage.arms.clear()
    assert changed_mm2(activity, looked(activity, stage, 1.0)) < 300
    assert activity.grid.area_mm2(activity.resting) < 500  # nothing hides the table any more


def test_another_lamp_makes_another_table(activity: Activity) -> None:
    stage = Stage()
    looked(activity, stage, 0.5)
    other = np.full((320, 480, 3), (30, 160, 60), np.uint8)
    relit = False
    for frame in stage.wait(1.5):
        look = activity.look(type(frame)(other, frame.at_s, frame.index))
        relit |= look.relit
    assert relit
    assert changed_mm2(activity, look) == 0


def test_edges_do_not_differ_where_the_camera_sways_by_less_than_a_cell(activity: Activity) -> None:
    """Until it is known to have moved, they do: nothing is overlooked on a still table."""
    stage = Stage(cards=[CARD], things=True)
    looked(activity, stage, 0.5)
    stage.camera = np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    look = looked(activity, stage, 0.1)
    before = changed_mm2(activity, look)
    activity.camera_moved(activity.grid, np.eye(3), look, sank=False)
    assert changed_mm2(activity, looked(activity, stage, 0.1)) < 0.2 * before


def test_looks_from_before_a_camera_sank_can_be_compared_with_those_after(
    activity: Activity,
) -> None:
    stage = Stage(cards=[CARD], things=True)
    looked(activity, stage, 1.0)
    px_per_cell = activity.grid.px_per_cell
    looks = 12
    for k in range(1, looks + 1):  # by 1.5 cells in 0.8 s
        shift = 1.5 * px_per_cell * k / looks
        stage.camera = np.array([[1.0, 0.0, shift], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        look = activity.look(stage.frame())
    rows, columns = activity.grid.shape
    everywhere = np.zeros((rows, columns), np.uint8)
    everywhere[10:-10, 10:-10] = 255
    before = [alike for _, alike in activity.as_now(everywhere, look, 0.98)]
    motion = np.array([[1.0, 0.0, 1.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    activity.camera_moved(activity.grid, motion, look, sank=True)
    after = [alike for _, alike in activity.as_now(everywhere, look, 0.98)]
    assert sum(before) < 0.4 * len(before)
    assert all(after) and len(after) == len(before)
    activity.camera_moved(activity.grid, motion, look, sank=False)
    assert not list(activity.as_now(everywhere, look, 0.98))
