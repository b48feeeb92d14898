"""What is assumed of a table that nobody described."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.assumed import assume_table, find_draw_pile
from calibration.seats import SIDES, seats_of
from calibration.view import View
from tests.stage import Blind
from vision.facts import CARD_MM, Half, Image
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


# -- the draw pile in a single picture

FACE_DOWN = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
"""Corners of a card, in halves of its sides."""
ASKEW = [(-1.0, -0.8), (0.7, -1.0), (1.0, 1.0), (-0.7, 0.8)]
"""As large and as four-sided, such as a cup with its handle."""
HERE, THERE = (-200.0, 60.0), (150.0, -80.0)


def pictured(*things: tuple[list[tuple[float, float]], tuple[float, float]]) -> Image:
    """A table with dark blue things of a card's size on it."""
    image = np.full((SIZE[1], SIZE[0], 3), 190, np.uint8)
    for corners, middle in things:
        mm = np.array(corners) * np.array(CARD_MM) / 2 + np.array(middle)
        cv2.fillConvexPoly(image, PLANE.to_px(mm).round().astype(np.int32), (120, 50, 30))
    return image


def test_the_only_face_down_card_is_the_draw_pile() -> None:
    pile, how = find_draw_pile(pictured((FACE_DOWN, HERE)), PLANE, [])
    assert pile is not None and how == "the only face-down card lies there"
    assert pile.centre_mm == pytest.approx(HERE, abs=3)


@pytest.mark.parametrize(
    "picture",
    [
        pictured(),
        pictured((FACE_DOWN, HERE), (FACE_DOWN, THERE)),  # one may be a hand that was laid down
    ],
    ids=["nothing", "two"],
)
def test_a_draw_pile_that_is_not_sure_is_not_made_up(picture: Image) -> None:
    assert find_draw_pile(picture, PLANE, [])[0] is None


def test_what_is_askew_beside_the_draw_pile_does_not_hide_it() -> None:
    pile, _ = find_draw_pile(pictured((ASKEW, THERE), (FACE_DOWN, HERE)), PLANE, [])
    assert pile is not None
    assert pile.centre_mm == pytest.approx(HERE, abs=3)


def test_a_card_with_a_face_is_no_draw_pile() -> None:
    face = Half(*HERE, 0.0, (1.0,), (1.0,))
    assert find_draw_pile(pictured((FACE_DOWN, HERE)), PLANE, [face])[0] is None


def test_hands_that_went_to_the_pile_beside_which_the_line_has_grown_still_tell_it() -> None:
    near = HERE[0] + CARD_MM[1], HERE[1]
    line = [Half(near[0] + 45.5 * i, near[1], 0.0, (1.0,), (1.0,)) for i in range(3)]
    to_the_pile = arm(1, (100.0, 539.0), (0.0, 0.0))
    to_the_pile = replace(to_the_pile, deepest_mm=(HERE[0] + 20.0, HERE[1]))
    to_the_line = replace(to_the_pile, deepest_mm=(near[0] - 10.0, near[1]))
    picture = pictured((FACE_DOWN, HERE), (FACE_DOWN, THERE))
    assert find_draw_pile(picture, PLANE, line, [to_the_line])[0] is None
    pile, how = find_draw_pile(picture, PLANE, line, [to_the_line, to_the_pile])
    assert pile is not None and "1 times" in how
    assert pile.centre_mm == pytest.approx(HERE, abs=3)


def reaching_to(spot: tuple[float, float], count: int) -> list[Arm]:
    """Arms from the bottom that went to a place."""
    return [replace(arm(i, (480.0, 539.0), (0.0, 0.0)), deepest_mm=spot) for i in range(count)]


def test_where_only_hands_tell_it_they_must_have_laid_nothing_there() -> None:
    empty, arms = pictured(), reaching_to(HERE, 3)
    pile, how = find_draw_pile(empty, PLANE, [], arms)
    assert pile is not None and how == "hands went there 3 times and laid nothing"
    lay_there = [Half(HERE[0] + 20.0, HERE[1], 0.0, (1.0,), (1.0,))]
    assert find_draw_pile(empty, PLANE, [], arms, lay_there)[0] is None  # the line, before a shove


def test_a_discard_pile_whose_top_card_is_not_read_any_more_is_no_draw_pile() -> None:
    """Hands go there more often than to the draw pile, and what lies there looks face down."""
    picture = pictured((FACE_DOWN, HERE), (FACE_DOWN, THERE))
    earlier = [Half(THERE[0] + 5.0, THERE[1], 0.0, (1.0,), (1.0,))]
    arms = [*reaching_to((THERE[0] - 10.0, THERE[1]), 6), *reaching_to(HERE, 2)]
    pile, how = find_draw_pile(picture, PLANE, [], arms, earlier)
    assert pile is not None and "2 times" in how
    assert pile.centre_mm == pytest.approx(HERE, abs=3)


def test_hands_that_go_to_a_glass_do_not_outvote_the_only_face_down_card() -> None:
    pile, how = find_draw_pile(pictured((FACE_DOWN, HERE)), PLANE, [], reaching_to(THERE, 4))
    assert pile is not None and "though no hand went there" in how
    assert pile.centre_mm == pytest.approx(HERE, abs=3)


def test_a_pile_that_has_slid_and_is_drawn_from_outvotes_a_box_of_a_cards_size() -> None:
    picture = pictured((ASKEW, HERE), (FACE_DOWN, THERE))
    pile, how = find_draw_pile(picture, PLANE, [], reaching_to(HERE, 2))
    assert pile is not None and "2 times" in how
    assert pile.centre_mm == pytest.approx(HERE, abs=5)
    for fewer in (0, 1):  # once may be anything
        pile, _ = find_draw_pile(picture, PLANE, [], reaching_to(HERE, fewer))
        assert pile is not None and pile.centre_mm == pytest.approx(THERE, abs=3)
