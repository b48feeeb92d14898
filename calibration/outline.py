"""The table plane from a rectangle of known size: its four corners in the picture, dragged there.

The plane's origin is the rectangle's middle, x runs along its upper edge.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Polygon
from vision.plane import PlaneError, TablePlane

LEAST_SIDE_PX = 20.0
"""A side that is shorter than this in the picture cannot be told from a mistake."""


def plane_from_corners(
    corners_px: Polygon,
    size_mm: tuple[float, float],
    image_size_px: tuple[int, int],
    lens: TablePlane | None = None,
) -> TablePlane:
    """The plane in which four corners are those of a rectangle of a size, around its middle.

    ``corners_px`` are where the picture shows its top left, top right, bottom right and bottom
    left; ``size_mm`` is its width and depth. The distortion is that of ``lens``, if one is
    known. Raises `PlaneError` where no camera could see a rectangle so.
    """
    if len(corners_px) != 4:
        raise PlaneError(f"expected four corners, found {len(corners_px)}")
    corners = np.array(corners_px, dtype=np.float64)
    if not np.isfinite(corners).all() or min(size_mm) <= 0 or not np.isfinite(size_mm).all():
        raise PlaneError(f"expected a rectangle, found corners {corners_px} and size {size_mm}")
    sides = np.roll(corners, -1, axis=0) - corners
    if np.hypot(sides[:, 0], sides[:, 1]).min() < LEAST_SIDE_PX:
        raise PlaneError(f"expected corners at least {LEAST_SIDE_PX:.0f} pixels apart")
    after = np.roll(sides, -1, axis=0)
    if (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]).min() <= 0:
        raise PlaneError(
            "expected the corners clockwise from the top left, found sides that cross or bend in"
        )
    matrix = distortion = None
    if lens is not None and lens.camera_matrix_px is not None and lens.distortion is not None:
        matrix, distortion = lens.camera_matrix_px, lens.distortion
        flat = cv2.undistortPoints(corners.reshape(-1, 1, 2), matrix, distortion, P=matrix)
        corners = np.asarray(flat, dtype=np.float64).reshape(-1, 2)
    homography = cv2.getPerspectiveTransform(
        _corners_mm((0.0, 0.0), size_mm).astype(np.float32), corners.astype(np.float32)
    )
    return TablePlane(np.asarray(homography, dtype=np.float64), image_size_px, matrix, distortion)


def rectangle_px(
    centre_mm: tuple[float, float], size_mm: tuple[float, float], plane: TablePlane
) -> Polygon:
    """Where the picture shows the corners of an upright rectangle, clockwise from its top left."""
    return polygon(plane.to_px(_corners_mm(centre_mm, size_mm)))


def grid_px(
    size_mm: tuple[float, float], plane: TablePlane, step_mm: float = 100.0
) -> list[Polygon]:
    """Lines on the table, ``step_mm`` apart, within a rectangle around the origin.

    Each is a few points in the picture, for a lens may bend it.
    """
    half_x, half_y = size_mm[0] / 2, size_mm[1] / 2
    along = np.linspace(-1.0, 1.0, 9)
    downwards = [
        np.column_stack([along * 0 + x, along * half_y])
        for x in np.arange(-half_x + step_mm, half_x - 1, step_mm)
    ]
    across = [
        np.column_stack([along * half_x, along * 0 + y])
        for y in np.arange(-half_y + step_mm, half_y - 1, step_mm)
    ]
    return [polygon(plane.to_px(line)) for line in (*downwards, *across)]


def framed_size_mm(plane: TablePlane, share: float = 0.86) -> tuple[float, float]:
    """Width and depth of a rectangle around the origin that fills a share of the picture.

    Whole multiples of 50 mm.
    """
    width, height = plane.image_size_px
    for across in np.arange(4000.0, 100.0, -50.0):
        size = (float(across), float(max(50.0, round(across * height / width / 50) * 50)))
        corners = np.array(rectangle_px((0.0, 0.0), size, plane)) / [width, height]
        if np.abs(corners - 0.5).max() <= share / 2:
            return size
    return (100.0, 50.0)


def polygon(points: NDArray[np.float64]) -> Polygon:
    """Rows as plain numbers, to a tenth of a pixel or millimetre."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)


def _corners_mm(
    centre_mm: tuple[float, float], size_mm: tuple[float, float]
) -> NDArray[np.float64]:
    half = np.array(size_mm) / 2
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    return np.asarray(np.array(centre_mm) + signs * half, dtype=np.float64)
