"""The table plane: two inverse ways, with and without a lens, at any size of the picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.plane import PlaneError, TablePlane

TILTED = np.array([[1.2, -0.2, 960.0], [0.03, 1.1, 540.0], [1e-5, -2e-4, 1.0]])
LENS = np.array([[1500.0, 0.0, 960.0], [0.0, 1500.0, 540.0], [0.0, 0.0, 1.0]])
BENT = np.array([-0.12, 0.03, 0.001, -0.001, 0.0])

FLAT = TablePlane(TILTED, (1920, 1080))
WITH_LENS = TablePlane(TILTED, (1920, 1080), LENS, BENT)

spots = st.tuples(st.floats(-500, 500), st.floats(-300, 300))


@given(spots)
@settings(max_examples=60, deadline=None)
def test_to_px_and_to_mm_undo_each_other(spot: tuple[float, float]) -> None:
    for plane in (FLAT, WITH_LENS):
        back = plane.to_mm(plane.to_px(np.array([spot])))[0]
        assert back == pytest.approx(spot, abs=0.05)


@given(spots)
@settings(max_examples=30, deadline=None)
def test_a_smaller_picture_shows_the_same_table(spot: tuple[float, float]) -> None:
    for plane in (FLAT, WITH_LENS):
        half = plane.resized((960, 540))
        # Pixel centres: (x + 0.5) halves, not x.
        expected = (plane.to_px(np.array([spot])) + 0.5) / 2 - 0.5
        assert half.to_px(np.array([spot]))[0] == pytest.approx(expected[0], abs=0.05)


def test_a_picture_of_another_shape_is_another_view() -> None:
    with pytest.raises(PlaneError, match=r"expected pictures of 1920 x 1080 .* found 1024 x 768"):
        FLAT.resized((1024, 768))


def test_the_same_size_is_the_same_plane() -> None:
    assert FLAT.resized((1920, 1080)) is FLAT


@pytest.mark.parametrize(
    ("homography", "why"),
    [
        (np.ones((3, 3)), "singular"),
        (np.eye(2), "3x3"),
        (np.diag([1.0, np.nan, 1.0]), "finite"),
    ],
)
def test_what_is_no_plane_is_refused(homography: np.ndarray, why: str) -> None:
    with pytest.raises(PlaneError, match=why):
        TablePlane(homography, (1920, 1080))
