"""Whose arm it is: the side that it comes from, not the seat that happens to be nearest."""

from __future__ import annotations

import numpy as np
import pytest

from referee.seats import Seats
from vision.hands import Arm
from vision.sleeves import SHAPE, Colours, arm_colours

AROUND = Seats([(80.0, 310.0), (-550.0, -15.0), (-70.0, -310.0), (550.0, 60.0)])
"""South, west, north, east."""


def arm(entry_mm: tuple[float, float], deepest_mm: tuple[float, float]) -> Arm:
    return Arm(1, entry_mm, deepest_mm, deepest_mm, 0.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("entry_mm", "deepest_mm", "player"),
    [
        ((80, 300), (0, 0), 0),
        ((-500, 0), (0, 0), 1),
        ((-60, -300), (0, 0), 2),
        ((500, 50), (0, 0), 3),
        ((440, 330), (430, 90), 0),  # to a pile on the right, yet from the south
        ((234, -300), (495, -20), 2),  # leaning over to it from the north
        ((-500, -200), (300, -250), 1),  # along the northern edge
    ],
)
def test_the_side_tells(
    entry_mm: tuple[float, float], deepest_mm: tuple[float, float], player: int
) -> None:
    found, sure = AROUND.player(arm(entry_mm, deepest_mm))
    assert found == player
    assert sure > 0.7


def test_two_on_one_side_are_told_apart_by_where_the_arm_comes_in() -> None:
    beside = Seats([(-250.0, 400.0), (250.0, 400.0), (0.0, -400.0)])
    assert beside.player(arm((-230, 320), (-200, 0)))[0] == 0
    assert beside.player(arm((240, 320), (200, 0)))[0] == 1
    # Across the table the shoulder is what stays in place, so the arm's direction tells.
    assert beside.player(arm((-100, 300), (200, -50)))[0] == 0


def test_halfway_between_two_seats_is_not_sure() -> None:
    _, sure = Seats([(-250.0, 400.0), (250.0, 400.0)]).player(arm((0, 320), (0, 0)))
    assert sure == pytest.approx(0.5, abs=0.05)


def test_nobody_without_an_arm_or_a_seat() -> None:
    assert AROUND.player(None) == (None, 1.0)
    assert Seats([None, None]).player(arm((0, 300), (0, 0))) == (None, 1.0)


def sleeve(blue: int, green: int, red: int) -> Colours:
    """What an arm in cloth of one colour looks like, folds and noise included."""
    rng = np.random.default_rng(blue)
    cells = np.array([blue, green, red]) * rng.uniform(0.8, 1.1, (600, 1))
    colours = arm_colours(np.clip(cells + rng.normal(0, 3, (600, 3)), 0, 255).astype(np.uint8))
    assert colours is not None
    return colours


NAVY, MUSTARD = sleeve(110, 60, 40), sleeve(40, 150, 190)
LEFT, RIGHT = (-250.0, 400.0), (250.0, 400.0)


def reach(x_mm: float, colours: Colours | None) -> Arm:
    """An arm from the near side, straight ahead."""
    return Arm(1, (x_mm, 320), (x_mm, 0), (x_mm, 0), 0.0, 1.0, 1.0, (), colours)


@pytest.fixture
def neighbours() -> Seats:
    """Two who sit side by side, whose sleeves have been seen where there was no doubt."""
    seats = Seats([LEFT, RIGHT])
    seats.learn(reach(-250, NAVY))
    seats.learn(reach(250, MUSTARD))
    return seats


def test_a_sleeve_tells_whose_arm_it_is_between_two_seats(neighbours: Seats) -> None:
    for colours, player in ((NAVY, 0), (MUSTARD, 1)):
        found, sure = neighbours.player(reach(0, colours))
        assert found == player
        assert sure > 0.9


def test_a_sleeve_alone_does_not_outvote_the_way_that_an_arm_came(neighbours: Seats) -> None:
    found, _ = neighbours.player(reach(-250, MUSTARD))
    assert found == 0


def test_the_same_clothes_tell_nothing() -> None:
    seats = Seats([LEFT, RIGHT])
    seats.learn(reach(-250, NAVY))
    seats.learn(reach(250, NAVY))
    assert seats.player(reach(0, NAVY))[1] == pytest.approx(0.5, abs=0.05)


def test_who_looks_like_nobody_seen_yet_is_somebody_else() -> None:
    seats = Seats([LEFT, RIGHT])
    seats.learn(reach(-250, NAVY))
    found, sure = seats.player(reach(0, MUSTARD))
    assert found == 1
    assert 0.8 < sure < 0.96  # one reach is no proof


def test_nothing_is_learnt_from_an_arm_that_may_be_anybodys() -> None:
    seats = Seats([LEFT, RIGHT])
    seats.learn(reach(0, NAVY))
    assert seats.player(reach(0, NAVY))[1] == pytest.approx(0.5, abs=0.05)


def test_a_jacket_that_is_taken_off_is_forgotten(neighbours: Seats) -> None:
    shirt = sleeve(230, 230, 230)
    for _ in range(6):
        neighbours.learn(reach(-250, shirt))
    assert neighbours.player(reach(0, shirt))[0] == 0


def test_too_little_of_an_arm_has_no_colours() -> None:
    assert arm_colours(np.zeros((40, 3), np.uint8)) is None


def test_colours_are_shares() -> None:
    assert NAVY.shape == SHAPE
    assert NAVY.sum() == pytest.approx(1.0, abs=1e-5)
    assert float(np.minimum(NAVY, MUSTARD).sum()) < 0.1
