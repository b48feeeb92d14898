"""The view that outlines agree on, some of which are no single card's."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.auto_cards import find_card_plane
from calibration.card_evidence import sides_alone
from calibration.card_sides import SidePairs
from calibration.card_view import Outline, agreed_view
from calibration.view import View, usual_view
from tests.calibration.test_card_outlines import PLACES, SIZE, Floats, Knows, corners_mm, drawn
from vision.facts import CARD_MM

HEAP = np.array([[-8.0, 0.0], [3.0, -9.0], [14.0, 2.0], [-3.0, 12.0]])
"""By how much the corners of a heap lie outside those of its top card, in mm."""


def view(lean: float) -> View:
    return usual_view(SIZE, 1.9, lean)


def outline(
    true: View, place: tuple[float, float, float], worth: float, askew: Floats | None = None
) -> Outline:
    corners = corners_mm(*place) + (0.0 if askew is None else askew)
    corners_px = true.plane().to_px(np.roll(corners, -1, axis=0))  # a short side first
    return Outline(corners_px, CARD_MM, worth)


def sides_mm(found: View, true: View, place: tuple[float, float, float]) -> Floats:
    seen = found.plane().to_mm(true.plane().to_px(corners_mm(*place)))
    return np.asarray(np.hypot(*(np.roll(seen, -1, axis=0) - seen).T), np.float64)


@pytest.mark.parametrize("lean", [0.1, 0.5])
def test_a_heap_yields_to_cards_that_lie_by_themselves(lean: float) -> None:
    """The pile's top card is read, but what is outlined is the heap; the draw pile is a card's
    size, and so is a card face down before a player."""
    true = view(lean)
    heap = [outline(true, PLACES[0], 0.9, HEAP), outline(true, PLACES[0], 0.9, HEAP[::-1])]
    alone = [outline(true, place, 0.0) for place in PLACES[1:3]]
    found, agreeing, residual_mm = agreed_view([*heap, *alone], SIZE, lambda _: 1.0)
    assert sides_mm(found, true, PLACES[3]) == pytest.approx([91.0, 59.0] * 2, rel=0.03)
    assert agreeing == alone
    assert residual_mm < 0.5


def test_a_place_that_is_seen_again_and_again_is_surer_than_a_heap_that_changes() -> None:
    true = view(0.3)
    heaps = [outline(true, PLACES[0], 0.9, HEAP * k) for k in (0.8, 1.2, -0.9)]
    draw_pile = [outline(true, PLACES[2], 0.0)] * 3
    found, _, _ = agreed_view([*heaps, *draw_pile], SIZE, lambda _: 1.0)
    assert sides_mm(found, true, PLACES[2]) == pytest.approx([91.0, 59.0] * 2, rel=0.02)


def test_a_heap_alone_still_tells_a_view() -> None:
    true = view(0.1)
    _, agreeing, _ = agreed_view([outline(true, PLACES[0], 0.9, HEAP)], SIZE, lambda _: 1.0)
    assert len(agreeing) == 1


def test_boxes_alike_in_which_no_face_can_be_read_do_not_set_the_scale() -> None:
    """Three boxes of one size, half as large again as cards, against one card that is read."""
    true = view(0.2)
    card = outline(true, PLACES[0], 0.9)
    boxes = [
        outline(true, place, 0.0, 0.5 * (corners_mm(*place) - corners_mm(*place).mean(axis=0)))
        for place in PLACES[1:]
    ]

    def legible(found: View) -> float:
        return 1.0 if abs(found.px_per_mm / true.px_per_mm - 1) < 0.2 else 0.1

    found, agreeing, _ = agreed_view([card, *boxes], SIZE, legible)
    assert agreeing == [card]
    assert sides_mm(found, true, PLACES[0]) == pytest.approx([91.0, 59.0] * 2, rel=0.03)


def test_a_pattern_of_many_figures_is_no_cards_face_down() -> None:
    """Checks of a cloth would outvote the one card that is read."""
    true = view(0.2).plane()
    image = drawn(true)
    for x in range(30, 400, 60):
        for y in range(430, 700, 90):
            image[y : y + 62, x : x + 52] = (30, 140, 30)
    found = find_card_plane([image], Knows(true))
    assert found is not None
    seen = found.plane.to_mm(true.to_px(corners_mm(*PLACES[1])))
    sides = np.hypot(*(np.roll(seen, -1, axis=0) - seen).T)
    assert sides == pytest.approx([91.0, 59.0] * 2, rel=0.05)


def test_sides_of_which_none_is_sure_still_tell_how_far_off_they_are() -> None:
    seen_in = usual_view((960, 540), 0.8, 0.2)
    corners = np.array([[[-29.5, -14.0], [-29.5, 14.0]], [[31.5, -14.0], [31.5, 14.0]]])
    seen = seen_in.plane().to_px(corners.reshape(-1, 2)).reshape(1, 2, 2, 2)
    unsure = SidePairs(seen, np.array([59.0]), np.full((1, 2), 4.0))
    assert sides_alone(unsure).misfit_mm(seen_in) == pytest.approx(2.0, abs=0.4)
