"""Views cut from a camera picture: the right place, the right way round, at the right scale."""

from __future__ import annotations

import numpy as np
import pytest

from vision.facts import Image
from vision.plane import TablePlane
from vision.rectify import cut_view

WHITE = 255


def camera(px_per_mm: float = 2.0) -> tuple[Image, TablePlane]:
    """A picture 800 x 600 of a dark table with one white spot 100 mm right, 50 mm down."""
    plane = TablePlane(
        np.array([[px_per_mm, 0, 400], [0, px_per_mm, 300], [0, 0, 1.0]]), (800, 600)
    )
    image = np.zeros((600, 800, 3), np.uint8)
    x, y = plane.to_px(np.array([[100.0, 50.0]]))[0]
    image[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7] = WHITE
    return image, plane


def brightest(view: Image) -> tuple[float, float]:
    rows, columns = np.nonzero(view[..., 0] > 128)
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_a_spot_lies_in_the_middle_of_the_view_around_it(scale: float) -> None:
    image, plane = camera()
    view = cut_view(image, plane, (100.0, 50.0), 0.0, (81, 61), scale)
    assert view.shape == (61, 81, 3)
    assert brightest(view) == pytest.approx((40, 30), abs=0.8)


@pytest.mark.parametrize(
    ("right_deg", "where"),
    [
        (0.0, (60.0, 40.0)),  # as the camera sees it: 20 mm right of the middle
        (90.0, (40.0, 20.0)),  # the view's right is the table's down
        (180.0, (20.0, 40.0)),
        (270.0, (40.0, 60.0)),
    ],
)
def test_the_view_turns_with_its_right_hand_direction(
    right_deg: float, where: tuple[float, float]
) -> None:
    image, plane = camera()
    view = cut_view(image, plane, (80.0, 50.0), right_deg, (81, 81), 1.0)
    assert brightest(view) == pytest.approx(where, abs=0.8)


def test_what_lies_outside_the_picture_is_black() -> None:
    image, plane = camera()
    assert cut_view(image + 90, plane, (5000.0, 0.0), 0.0, (40, 40), 1.0).max() == 0


def test_lens_distortion_is_taken_out() -> None:
    matrix = np.array([[800.0, 0, 400], [0, 800.0, 300], [0, 0, 1]])
    straight = camera()[1]
    bent = TablePlane(straight.mm_to_px, (800, 600), matrix, np.array([-0.2, 0.05, 0, 0, 0]))
    image = np.zeros((600, 800, 3), np.uint8)
    x, y = bent.to_px(np.array([[150.0, 100.0]]))[0]
    image[round(y) - 5 : round(y) + 6, round(x) - 5 : round(x) + 6] = WHITE
    view = cut_view(image, bent, (150.0, 100.0), 0.0, (61, 61), 1.0)
    assert brightest(view) == pytest.approx((30, 30), abs=1.0)
