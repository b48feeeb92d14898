"""The table plane found from the cards themselves."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.auto import default_seats, find_plane
from calibration.markers import Shapes
from calibration.view import View, fit, usual_view
from tests.stage import Blind
from tests.vision.tabletop import Card, Tabletop, probabilities
from vision.facts import Half, Image
from vision.line_match import Motion
from vision.plane import Points, TablePlane

SIZE = (960, 540)
views = st.builds(
    View,
    size_px=st.just(SIZE),
    px_per_mm=st.floats(0.4, 1.2),
    lean=st.tuples(st.floats(-0.25, 0.25), st.floats(0.0, 0.9)),
    focal_px=st.floats(0.7 * 960, 0.95 * 960),
)


def corners_mm(card: Card) -> Points:
    angle = math.radians(card.turn_deg)
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners = np.array([card.x_mm, card.y_mm]) + signs @ np.array([45.5 * along, 29.5 * across])
    return np.asarray(corners, np.float64)


def picture(table: Tabletop, plane: TablePlane) -> Image:
    """The cards as plain rectangles of three pale shades, on a dark table."""
    # Eight times as large, for OpenCV's polygons are half a pixel larger than they should be.
    large = np.full((SIZE[1] * 8, SIZE[0] * 8, 3), 60, np.uint8)
    for i, card in enumerate(table.cards):
        spot = np.round((plane.to_px(corners_mm(card)) + 0.5) * 8 - 0.5).astype(np.int32)
        cv2.fillConvexPoly(large, spot, (220 - i % 3 * 50, 220, 180 + i % 3 * 25))
    small = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


class EyeOnTheTable:
    """Finds the true halves in whatever plane it is given, if that is about right for them."""

    def __init__(self, table: Tabletop, plane: TablePlane) -> None:
        self.rng = random.Random(5)
        self.halves = [
            (card.centre_mm(half), card.turn_deg)
            for i, card in enumerate(table.cards)
            for half in (0, 1)
            if table.seen(i, half) > 0.6
        ]
        self.plane = plane

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        assert image.shape[:2] == SIZE[::-1] and region_mm is None
        seen: list[Half] = []
        for (x, y), turn_deg in self.halves:
            angle = math.radians(turn_deg)
            along = np.array([math.cos(angle), math.sin(angle)])
            across = np.array([-along[1], along[0]])
            centre = np.array([x, y])
            points = [centre, centre + 20 * along, centre + 20 * across]
            p, a, b = plane.to_mm(self.plane.to_px(np.array(points)))
            sizes = np.hypot(*(a - p)) / 20, np.hypot(*(b - p)) / 20
            if not (
                0.8 < math.sqrt(sizes[0] * sizes[1]) < 1.25 and 0.7 < sizes[0] / sizes[1] < 1.4
            ):
                continue
            seen.append(
                Half(
                    float(p[0]) + self.rng.gauss(0, 1.0),
                    float(p[1]) + self.rng.gauss(0, 1.0),
                    math.degrees(math.atan2(a[1] - p[1], a[0] - p[0])) % 180.0,
                    *probabilities("r2"),
                )
            )
        return seen


def off_mm(found: TablePlane, true: TablePlane, table: Tabletop) -> float:
    """Largest error of a card's place, once one plane is turned and shifted onto the other."""
    truth = np.array([card.centre_mm(half) for card in table.cards for half in (0, 1)])
    told = found.to_mm(true.to_px(truth))
    return float(np.hypot(*(Motion.between(told, truth).apply(told) - truth).T).max())


@settings(max_examples=40, deadline=None)
@given(view=views)
def test_a_view_has_its_scale_and_its_lean(view: View) -> None:
    plane = view.plane()
    middle = np.array([(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2])
    assert plane.to_mm(middle[None])[0] == pytest.approx([0.0, 0.0], abs=1e-6)
    # Across the lean the table keeps its distance from the camera, and the picture its scale.
    level = np.array([-view.lean[1], view.lean[0]])
    level = level / np.hypot(*level) if level.any() else np.array([1.0, 0.0])
    x, y = plane.to_mm((middle + level)[None])[0]
    assert math.hypot(x, y) * view.px_per_mm == pytest.approx(1.0, rel=1e-6)
    # What lies farther up in the picture is farther away, where the table leans at all.
    if view.lean[1] > 0.05:
        assert plane.px_per_mm((0.0, -150.0)) < plane.px_per_mm((0.0, 150.0))


@settings(max_examples=6, deadline=None)
@given(view=views, bend=st.floats(-0.12, 0.06))
def test_known_shapes_give_the_view_back(view: View, bend: float) -> None:
    true = replace(view, bend=bend).plane()
    rng = np.random.default_rng(1)
    card = np.array([[0.0, 0.0], [59.0, 0.0], [59.0, 91.0], [0.0, 91.0]])
    known = [
        Motion(rng.uniform(0, 360), tuple(rng.uniform([-300, -160], [300, 160]))).apply(card)
        for _ in range(12)
    ]
    shapes = Shapes(tuple(known), tuple(true.to_px(corners) for corners in known), 0.05)
    guess = usual_view(SIZE, view.px_per_mm * 1.1, 0.4)
    found = fit(guess, shapes, rounds=40).view
    where = np.concatenate(known)
    told = found.to_mm(true.to_px(where))
    assert np.hypot(*(Motion.between(told, where).apply(told) - where).T).max() < 1.0
    # The quick way and the plane's own agree.
    assert np.allclose(found.plane().to_mm(true.to_px(where)), told, atol=1e-3)


def test_white_that_blooms_does_not_make_the_cards_larger() -> None:
    table = Tabletop(random.Random(4), offset_mm=1.0, askew_deg=1.0)
    table.start(-150.0, 20.0, 8.0)
    table.grow(9, bends=0.3)
    true = View(SIZE, 0.9, (0.0, 0.1), 0.85 * SIZE[0]).plane()
    sharp = picture(table, true)
    # Light spreads before it is cut off at white: bright cards grow over their edges.
    light = cv2.GaussianBlur((sharp / 255.0) ** 2.2 * 1.6, (0, 0), 0.8)
    image = np.asarray(np.round(np.clip(light, 0, 1) ** (1 / 2.2) * 255), np.uint8)
    found = find_plane([image], EyeOnTheTable(table, true))
    assert found is not None
    assert off_mm(found.plane, true, table) < 5.0


@pytest.mark.parametrize(
    ("px_per_mm", "lean", "cards"),
    [
        (0.75, (0.0, 0.0), 8),  # straight from above
        (0.6, (0.1, 0.5), 12),  # from a seat
        (0.9, (-0.1, 0.75), 4),  # steep, and few cards
    ],
)
def test_the_plane_is_found_from_the_cards(
    px_per_mm: float, lean: tuple[float, float], cards: int
) -> None:
    # How hands happen to lay the cards moves the plane: two lines are asked for the mean.
    off: list[float] = []
    for seed in (3, 4):
        table = Tabletop(random.Random(seed), offset_mm=2.0, askew_deg=1.5)
        table.start(-60.0, 20.0, 10.0)
        table.grow(cards - 1, bends=0.3)
        true = View(SIZE, px_per_mm, lean, 0.82 * SIZE[0]).plane()
        found = find_plane([picture(table, true)], EyeOnTheTable(table, true))
        assert found is not None
        assert found.halves == cards + 1
        assert found.residual_mm < 3.0
        off.append(off_mm(found.plane, true, table))
    assert sum(off) / len(off) < 4.0


@pytest.mark.parametrize("lean", [(0.05, -0.5), (-0.1, -0.7)])
def test_a_camera_behind_the_far_players_is_found_out(lean: tuple[float, float]) -> None:
    """A phone above a table turns its pictures as it likes: their top may be near."""
    table = Tabletop(random.Random(5), offset_mm=2.0, askew_deg=1.5)
    table.start(-60.0, 20.0, 10.0)
    table.grow(9, bends=0.3)
    true = View(SIZE, 0.75, lean, 0.82 * SIZE[0]).plane()
    found = find_plane([picture(table, true)], EyeOnTheTable(table, true))
    assert found is not None
    assert found.view.lean[1] < -0.3
    assert off_mm(found.plane, true, table) < 6.0


def test_no_cards_no_plane() -> None:
    empty = np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    assert find_plane([], Blind()) is None
    assert find_plane([empty], Blind()) is None


def test_what_is_too_small_to_be_read_is_no_line_of_cards() -> None:
    """Dominoes on a printed board, a third of a pixel to the millimetre."""
    table = Tabletop(random.Random(3), offset_mm=2.0)
    table.start(-60.0, 20.0, 10.0)
    table.grow(11, bends=0.3)
    true = usual_view(SIZE, 0.36, 0.4).plane()
    assert find_plane([picture(table, true)], EyeOnTheTable(table, true)) is None


def test_one_card_is_not_enough() -> None:
    table = Tabletop(random.Random(3))
    table.start()
    true = usual_view(SIZE, 0.8, 0.2).plane()
    assert find_plane([picture(table, true)], EyeOnTheTable(table, true)) is None


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_seats_go_clockwise_from_the_bottom(players: int) -> None:
    plane = usual_view(SIZE, 0.8, 0.0).plane()
    seats = default_seats(plane, players)
    assert seats[0][0] == pytest.approx(0.0, abs=2.0) and seats[0][1] > SIZE[1] / 2 / 0.8
    turns = [math.degrees(math.atan2(y, x)) % 360.0 for x, y in seats]
    # With y to the bottom of the picture, growing angles go clockwise.
    steps = [(b - a) % 360.0 for a, b in zip(turns, [*turns[1:], turns[0]], strict=True)]
    assert sum(steps) == pytest.approx(360.0) and min(steps) > 30.0


def test_no_players_no_seats() -> None:
    assert default_seats(usual_view(SIZE, 0.8, 0.0).plane(), 0) == []
