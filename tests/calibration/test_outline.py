"""A plane from four corners, and what is drawn of it."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.outline import framed_size_mm, grid_px, plane_from_corners, rectangle_px
from vision.plane import PlaneError, TablePlane

SIZE_PX = (1280, 720)
TILTED = TablePlane(
    np.array([[1.1, 0.08, 640.0], [-0.03, 1.0, 360.0], [2e-5, -1.4e-4, 1.0]]), SIZE_PX
)
LENS = TablePlane(
    TILTED.mm_to_px,
    SIZE_PX,
    np.array([[1100.0, 0.0, 640.0], [0.0, 1100.0, 360.0], [0.0, 0.0, 1.0]]),
    np.array([-0.12, 0.03, 0.0, 0.0, 0.0]),
)
SPOTS_MM = np.array([[0.0, 0.0], [-200.0, 120.0], [310.0, -90.0]])


@pytest.mark.parametrize("true", [TILTED, LENS], ids=["without distortion", "with a lens"])
def test_dragged_onto_its_corners_a_table_is_measured(true: TablePlane) -> None:
    corners = rectangle_px((0.0, 0.0), (800.0, 500.0), true)
    found = plane_from_corners(corners, (800.0, 500.0), SIZE_PX, true)
    # Corners are kept to a tenth of a pixel.
    assert np.abs(found.to_px(SPOTS_MM) - true.to_px(SPOTS_MM)).max() < 0.3


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        (((0, 0), (100, 0), (100, 100)), "four corners"),
        (((0, 0), (100, 100), (100, 0), (0, 100)), "cross or bend"),
        (((0, 0), (0, 100), (100, 100), (100, 0)), "clockwise"),  # mirrored
        (((0, 0), (100, 0), (40, 40), (0, 100)), "bend in"),
        (((0, 0), (5, 0), (5, 100), (0, 100)), "20 pixels apart"),
        (((0, 0), (float("nan"), 0), (9, 100), (0, 100)), "expected a rectangle"),
    ],
)
def test_what_no_camera_sees_of_a_rectangle(
    corners: tuple[tuple[float, float], ...], said: str
) -> None:
    with pytest.raises(PlaneError, match=said):
        plane_from_corners(corners, (800.0, 500.0), SIZE_PX)


def test_the_grid_has_a_line_each_ten_centimetres_and_none_on_the_rim() -> None:
    lines = grid_px((500.0, 300.0), TILTED)
    assert len(lines) == 4 + 2
    first = TILTED.to_mm(np.array(lines[0]))
    assert first[:, 0] == pytest.approx(-150.0, abs=0.3)
    assert first[[0, -1], 1] == pytest.approx([-150.0, 150.0], abs=0.3)


def test_the_frame_fills_most_of_the_picture_and_stays_in_it() -> None:
    corners = np.array(rectangle_px((0.0, 0.0), framed_size_mm(TILTED), TILTED))
    assert (corners > 0).all() and (corners < SIZE_PX).all()
    assert np.ptp(corners[:, 0]) > 0.6 * SIZE_PX[0]
