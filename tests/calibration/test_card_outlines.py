"""Outlines of drawn cards, and the plane in which they have their true size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.auto_cards import find_card_plane, plane_from_cards
from calibration.card_outlines import card_outlines
from calibration.card_rims import has_rim_outside
from calibration.view import View, usual_view
from vision.facts import CARD_MM, PRINT_COLOURS, PRINT_FACES, Half, Image
from vision.plane import TablePlane

Floats = NDArray[np.float64]
SIZE = (1280, 720)
PLACES = ((-150.0, -60.0, 12.0), (10.0, 20.0, 80.0), (160.0, -40.0, 145.0), (-60.0, 90.0, 30.0))
"""x, y in mm and the direction of the long axis in degrees."""


def corners_mm(
    x: float, y: float, axis_deg: float, size_mm: tuple[float, float] = CARD_MM
) -> Floats:
    a = np.radians(axis_deg)
    along = np.array([np.cos(a), np.sin(a)]) * size_mm[1] / 2
    across = np.array([-np.sin(a), np.cos(a)]) * size_mm[0] / 2
    steps = np.array([-along - across, along - across, along + across, -along + across])
    return np.asarray(np.array([x, y]) + steps, np.float64)


def drawn(plane: TablePlane, table: tuple[int, int, int] = (60, 90, 120)) -> Image:
    """Cards with a white rim and a coloured ground on a table, brown most often, a coin and a
    pen."""
    image = np.full((SIZE[1], SIZE[0], 3), table, np.uint8)
    for i, place in enumerate(PLACES):
        card = corners_mm(*place)
        inner = corners_mm(*place, size_mm=(CARD_MM[0] - 8, CARD_MM[1] - 8))
        for polygon, colour in ((card, (240, 240, 240)), (inner, (40, 40 + 40 * i, 200))):
            points = np.round(plane.to_px(polygon) * 16).astype(np.int32)
            cv2.fillPoly(image, [points], colour, cv2.LINE_AA, 4)
    cv2.circle(image, (1150, 600), 40, (200, 200, 210), -1, cv2.LINE_AA)
    cv2.line(image, (60, 650), (260, 690), (20, 20, 20), 9, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def view(lean: float) -> View:
    return usual_view(SIZE, 1.9, lean)


class Knows:
    """Reads the drawn faces where a plane shows the cards nearly in their size."""

    def __init__(self, true: TablePlane, within: float = 0.1) -> None:
        self.true = true
        self.within = within

    def read(
        self, image: Image, plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:  # fmt: skip
        found: list[Half] = []
        for place in PLACES:
            seen = plane.to_mm(self.true.to_px(corners_mm(*place)))
            long_side = float(np.hypot(*(seen[1] - seen[0])))
            short_side = float(np.hypot(*(seen[2] - seen[1])))
            off = (long_side / CARD_MM[1] - 1, short_side / CARD_MM[0] - 1)
            if max(map(abs, off)) < self.within:
                x, y = seen.mean(axis=0)
                colour = tuple(float(c == "r") for c in PRINT_COLOURS)
                face = tuple(float(f == "7") for f in PRINT_FACES)
                along = seen[1] - seen[0]
                axis_deg = float(np.degrees(np.arctan2(along[1], along[0]))) % 180
                found.append(Half(float(x), float(y), axis_deg, colour, face))
        return found


@pytest.mark.parametrize("lean", [0.0, 0.35, 0.8])
def test_every_card_is_outlined_and_nothing_else(lean: float) -> None:
    plane = view(lean).plane()
    outlines = card_outlines(drawn(plane))
    assert len(outlines) == len(PLACES)
    for place in PLACES:
        true = plane.to_px(corners_mm(*place))
        off = [np.hypot(*(true[:, None] - corners[None]).T).min(axis=0).max()
               for corners in outlines]  # fmt: skip
        assert min(off) < 3.0, "pixels: some 1.5 mm"
    for corners in outlines:
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
        assert sides[0] + sides[2] <= sides[1] + sides[3], "a short side comes first"
        (ax, ay), (bx, by) = corners[1] - corners[0], corners[2] - corners[1]
        assert ax * by - ay * bx > 0, "clockwise"


@pytest.mark.parametrize("lean", [0.0, 0.35, 0.8])
def test_the_plane_shows_cards_in_their_true_size(lean: float) -> None:
    plane = view(lean).plane()
    found = find_card_plane([drawn(plane)], Knows(plane))
    assert found is not None
    for place in PLACES:
        seen = found.plane.to_mm(plane.to_px(corners_mm(*place)))
        sides = np.hypot(*(np.roll(seen, -1, axis=0) - seen).T)
        assert sides == pytest.approx([CARD_MM[1], CARD_MM[0]] * 2, rel=0.03)


def test_on_white_paper_the_outlined_ground_is_not_taken_for_the_card() -> None:
    """The strongest edges are those of the coloured grounds: a card is a seventh larger."""
    plane = view(0.2).plane()
    image = drawn(plane, table=(228, 228, 228))
    for corners in card_outlines(image):
        assert has_rim_outside(image, corners)
    found = find_card_plane([image], Knows(plane))
    assert found is not None
    seen = found.plane.to_mm(plane.to_px(corners_mm(*PLACES[0])))
    sides = np.hypot(*(np.roll(seen, -1, axis=0) - seen).T)
    assert sides == pytest.approx([CARD_MM[1], CARD_MM[0]] * 2, rel=0.03)


def test_a_card_whose_ground_is_cut_in_two_is_outlined_as_one() -> None:
    """A pale disc as wide as the ground, a white rim, a white table: what is left of the card
    are two pieces of colour, and a figure between them."""
    image = np.full((480, 640, 3), 235, np.uint8)
    cv2.rectangle(image, (260, 140), (380, 325), (40, 160, 60), -1)
    cv2.circle(image, (320, 232), 64, (235, 235, 235), -1, cv2.LINE_AA)
    cv2.rectangle(image, (305, 215), (336, 250), (20, 20, 20), -1)
    largest = card_outlines(cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.uint8))[0]
    assert largest.min(axis=0) == pytest.approx([260, 140], abs=4)
    assert largest.max(axis=0) == pytest.approx([380, 325], abs=4)


def test_one_card_among_many_other_figures_of_one_size_gives_the_plane() -> None:
    """A chequered cloth: its checks look like cards far away, but nothing is printed on them."""
    true = view(0.2).plane()
    image = drawn(true)
    for x in range(700, 1260, 40):
        for y in range(20, 200, 60):
            cv2.rectangle(image, (x, y), (x + 22, y + 34), (30, 140, 30), -1)
    found = find_card_plane([image], Knows(true))
    assert found is not None
    seen = found.plane.to_mm(true.to_px(corners_mm(*PLACES[0])))
    sides = np.hypot(*(np.roll(seen, -1, axis=0) - seen).T)
    assert sides == pytest.approx([CARD_MM[1], CARD_MM[0]] * 2, rel=0.05)


def test_a_table_without_cards_has_no_plane() -> None:
    plane = view(0.0).plane()
    empty = np.full((SIZE[1], SIZE[0], 3), (60, 90, 120), np.uint8)
    assert card_outlines(empty) == []
    assert find_card_plane([empty], Knows(plane)) is None
    assert find_card_plane([], Knows(plane)) is None


def test_outlines_in_which_no_face_is_read_are_no_cards() -> None:
    """Envelopes, phones, beer mats: of a card's shape, but nothing to read."""

    class Blind(Knows):
        def read(
            self, image: Image, plane: TablePlane,
            region_mm: tuple[float, float, float, float] | None = None,
        ) -> list[Half]:  # fmt: skip
            return []

    plane = view(0.2).plane()
    assert find_card_plane([drawn(plane)], Blind(plane)) is None


def test_the_kind_of_cards_says_how_the_plane_is_found() -> None:
    """One-faced cards lie apart: as half cards they would have no neighbours to tell it by."""
    plane = view(0.35).plane()
    images, reader = [drawn(plane)], Knows(plane)
    found = plane_from_cards(images, reader, one_faced=True)
    assert found is not None
    assert (found.halves, found.told_by) == (len(PLACES), "cards")
    assert plane_from_cards(images, reader) is None
