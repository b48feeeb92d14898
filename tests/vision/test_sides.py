"""Where cards end: a network that looks at strips around their sides."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.facts import Image
from vision.plane import TablePlane
from vision.sides import ALONG_MM, Side, SideFinder, SidePair
from vision.weights import WeightsError, weights_folder

SCALE = 1.5
SIZE = (480, 360)
PLANE = TablePlane(np.array([[SCALE, 0, 240.0], [0, SCALE, 180.0], [0, 0, 1.0]]), SIZE)
RIGHT_MM = 29.5


@pytest.fixture(scope="module")
def finder() -> SideFinder:
    return SideFinder.load(weights_folder())


Colour = tuple[int, int, int]


def drawn(
    ground: int,
    card: Colour,
    rim: bool = False,
    bright: float = 1.0,
    frame: tuple[Colour, float] | None = None,
) -> Image:
    """A card 59 mm wide at the table's middle, softened as a lens does, then cut off at white.

    ``frame`` is a line of 1 mm in some colour, so far within the card's sides."""
    fine = 8
    picture = np.full((SIZE[1] * fine, SIZE[0] * fine, 3), ground, np.uint8)

    def box(half_wide: float, half_high: float, colour: Colour) -> None:
        corners = np.array([[-half_wide, -half_high], [half_wide, half_high]])
        low, high = np.round((PLANE.to_px(corners) + 0.5) * fine).astype(int)
        picture[low[1] : high[1], low[0] : high[0]] = colour

    box(29.5, 45.5, (225, 225, 225) if rim else card)
    box(26.0, 42.0, card)
    if frame is not None:
        line, inset = frame
        box(29.5 - inset, 45.5 - inset, line)
        box(28.5 - inset, 44.5 - inset, card)
    light = cv2.resize((picture / 255.0) ** 2.2 * bright, SIZE, interpolation=cv2.INTER_AREA)
    light = cv2.GaussianBlur(light, (0, 0), 0.9)
    noise = np.random.default_rng(1).normal(0, 2, light.shape)
    return np.asarray(np.clip(np.clip(light, 0, 1) ** (1 / 2.2) * 255 + noise, 0, 255), np.uint8)


def sides(off_mm: float = 0.0, turn_deg: float = 0.0) -> SidePair:
    """The card's right side and its left one, looked for so far to the right and so far askew."""
    return (
        Side((RIGHT_MM + off_mm, 0.0), turn_deg),
        Side((-RIGHT_MM + off_mm, 0.0), turn_deg + 180.0),
    )


@pytest.mark.parametrize("off_mm", [-4.0, -1.0, 0.0, 2.0, 5.0])
@pytest.mark.parametrize("rim", [False, True])
def test_a_side_is_found_where_it_is(finder: SideFinder, off_mm: float, rim: bool) -> None:
    image = drawn(70, (70, 190, 235), rim)
    found = finder.find(image, PLANE, [sides(off_mm)])
    assert found.points_mm[0, 0, :, 0] == pytest.approx([RIGHT_MM] * 2, abs=0.6)
    assert found.points_mm[0, 1, :, 0] == pytest.approx([-RIGHT_MM] * 2, abs=0.6)
    assert found.points_mm[0, 0, :, 1] == pytest.approx([-ALONG_MM, ALONG_MM], abs=1e-6)
    assert (found.unsure_mm < (0.8 if abs(off_mm) <= 1 else 2.2)).all()


@pytest.mark.parametrize("inset", [2.0, 4.0, 6.0])
@pytest.mark.parametrize(
    ("ground", "card", "line"),
    [
        (70, (70, 190, 235), (255, 255, 255)),
        (70, (60, 60, 200), (240, 240, 240)),
        (200, (180, 90, 30), (255, 255, 255)),
        (40, (245, 245, 245), (60, 60, 200)),
    ],
)
def test_a_thin_frame_is_not_the_side(
    finder: SideFinder, inset: float, ground: int, card: Colour, line: Colour
) -> None:
    image = drawn(ground, card, frame=(line, inset))
    found = finder.find(image, PLANE, [sides()]).points_mm[0]
    assert found[0, :, 0] == pytest.approx([RIGHT_MM] * 2, abs=0.9)
    assert found[1, :, 0] == pytest.approx([-RIGHT_MM] * 2, abs=0.9)


def test_light_brighter_than_white_moves_it_less_than_the_edge_that_shows(
    finder: SideFinder,
) -> None:
    image = drawn(60, (60, 200, 240), bright=4.0)
    row = image[180, :, 2].astype(float)
    half = (row.max() + row[-40:].mean()) / 2
    shows_mm = (int(np.flatnonzero(row > half).max()) + 0.5 - 240.0) / SCALE - RIGHT_MM
    found = finder.find(image, PLANE, [sides()]).points_mm[0, 0, :, 0].mean() - RIGHT_MM
    assert shows_mm > 0.5
    assert abs(found) < shows_mm


def test_a_side_seen_askew_is_found_askew(finder: SideFinder) -> None:
    found = finder.find(drawn(70, (70, 190, 235)), PLANE, [sides(turn_deg=3.0)]).points_mm[0]
    # Both points lie on the side, though the strips were cut three degrees off it.
    assert found[0, :, 0] == pytest.approx([RIGHT_MM] * 2, abs=0.6)
    assert found[1, :, 0] == pytest.approx([-RIGHT_MM] * 2, abs=0.6)


def test_what_shows_no_side_is_unsure(finder: SideFinder) -> None:
    image = drawn(70, (70, 190, 235))
    elsewhere = Side((110.0, 60.0), 0.0), Side((51.0, 60.0), 180.0)
    clear, bare = finder.find(image, PLANE, [sides(), elsewhere]).unsure_mm
    assert clear.max() * 2 < bare.min()


def test_sides_are_told_in_the_order_asked_for(finder: SideFinder) -> None:
    image = drawn(70, (70, 190, 235))
    ends = Side((0.0, 45.5), 90.0), Side((0.0, -45.5), 270.0)
    many = finder.find(image, PLANE, [sides(), ends] * 40).points_mm
    assert np.allclose(many[:2], many[-2:], atol=1e-4)
    # Left and right of one who looks outwards: along the upper edge of the picture first, then
    # the other way round for the opposite side.
    assert many[0, 0, 0, 1] < 0 < many[0, 0, 1, 1]
    assert many[0, 1, 1, 1] < 0 < many[0, 1, 0, 1]
    assert many[1, 0, :, 1] == pytest.approx([45.5] * 2, abs=0.6)
    assert many[1, 1, :, 1] == pytest.approx([-45.5] * 2, abs=0.6)


def test_no_sides_no_answers(finder: SideFinder) -> None:
    found = finder.find(drawn(70, (70, 190, 235)), PLANE, [])
    assert found.points_mm.shape == (0, 2, 2, 2)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"sides\.onnx"):
        SideFinder.load(tmp_path)
