"""What is assumed of a table that nobody described."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.assumed import SIDES, assume_table, seats_of
from calibration.view import View
from tests.calibration.test_auto import Blind
from vision.hands import Arm

SIZE = (960, 540)
PLANE = View(SIZE, 0.9, (0.0, 0.2), 0.9 * SIZE[0]).plane()


def arm(number: int, entry_px: tuple[float, float], tip_px: tuple[float, float]) -> Arm:
    (a, b), (x, y) = PLANE.to_mm(np.array([entry_px, tip_px])).tolist()
    return Arm(number, (a, b), (x, y), (x, y), 0.0, 1.0)


def test_a_seat_for_each_side_that_arms_come_in_from() -> None:
    arms = [arm(i, (480.0 + 9 * i, 539.0), (470.0, 300.0)) for i in range(4)]  # bottom
    arms += [arm(10 + i, (958.0, 250.0 + 5 * i), (600.0, 260.0)) for i in range(3)]  # right
    arms += [arm(20 + i, (400.0, 1.0), (430.0, 240.0)) for i in range(3)]  # top
    arms += [arm(30, (1.0, 200.0), (200.0, 220.0))]  # left, once: somebody cleared a cup away
    arms += [arm(31 + i, (1.0, 200.0), (30.0, 200.0)) for i in range(5)]  # a shadow at the rim
    seats = seats_of(arms, PLANE)
    assert [SIDES[seat.side] for seat in seats] == ["Bottom", "Top", "Right"]
    # Beyond the picture's border, on the side that they came from.
    places = PLANE.to_px(np.array([seat.seat_mm for seat in seats]))
    assert places[0][1] > 540 and places[1][1] < 0 and places[2][0] > 960


def test_nobody_no_seats() -> None:
    assert seats_of([], PLANE) == []


@pytest.mark.parametrize("names", [[], ["Ann", "Ben"]])
def test_a_table_without_cards_is_not_made_up(names: list[str]) -> None:
    empty = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert assume_table([empty], Blind(), names) is None
