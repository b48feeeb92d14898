"""Whose arm it is: the side that it comes from, not the seat that happens to be nearest."""

from __future__ import annotations

import pytest

from referee.seats import Seats
from vision.hands import Arm

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
