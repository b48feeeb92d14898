"""The table plane: camera pixels <-> millimetres on the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Points as rows, shape (n, 2)."""


class PlaneError(ValueError):
    """A homography or lens that cannot be the picture of a table plane; says why."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Maps camera pixels (lens distortion included) to millimetres on the table, and back."""

    mm_to_px: NDArray[np.float64]
    """3x3 homography from table millimetres to undistorted pixels."""
    image_size_px: tuple[int, int]
    """Width and height of the pictures that this plane belongs to."""
    camera_matrix_px: NDArray[np.float64] | None = None
    """3x3, or None where the picture is taken as free of distortion."""
    distortion: NDArray[np.float64] | None = None
    """OpenCV's k1 k2 p1 p2 k3, or None."""

    def __post_init__(self) -> None:
        homography = np.asarray(self.mm_to_px, dtype=np.float64)
        if homography.shape != (3, 3):
            raise PlaneError(f"expected a 3x3 homography, found shape {homography.shape}")
        if not np.isfinite(homography).all():
            raise PlaneError("expected finite numbers in the homography, found nan or inf")
        scaled = homography / np.linalg.norm(homography, axis=0, keepdims=True).clip(1e-300)
        if abs(np.linalg.det(scaled)) < 1e-9:
            raise PlaneError("expected an invertible homography, found a singular one")
        object.__setattr__(self, "mm_to_px", homography)

    def to_px(self, points_mm: Points) -> Points:
        """Pixels (distortion included) of points on the table, shape (n, 2)."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.zeros((0, 2))
        flat = cv2.perspectiveTransform(points, self.mm_to_px).reshape(-1, 2)
        if self.camera_matrix_px is None or self.distortion is None:
            return np.asarray(flat, dtype=np.float64)
        k = self.camera_matrix_px
        rays = np.column_stack(
            [
                (flat[:, 0] - k[0, 2]) / k[0, 0],
                (flat[:, 1] - k[1, 2]) / k[1, 1],
                np.ones(len(flat)),
            ]
        )
        zero = np.zeros(3)
        bent, _ = cv2.projectPoints(rays.reshape(-1, 1, 3), zero, zero, k, self.distortion)
        return np.asarray(bent, dtype=np.float64).reshape(-1, 2)

    def to_mm(self, points_px: Points) -> Points:
        """Millimetres on the table of pixels (distortion included), shape (n, 2)."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.zeros((0, 2))
        if self.camera_matrix_px is not None and self.distortion is not None:
            flat = cv2.undistortPoints(
                points, self.camera_matrix_px, self.distortion, P=self.camera_matrix_px
            )
            points = np.asarray(flat, dtype=np.float64).reshape(-1, 1, 2)
        inverse = np.linalg.inv(self.mm_to_px)
        return np.asarray(cv2.perspectiveTransform(points, inverse), dtype=np.float64).reshape(
            -1, 2
        )

    def resized(self, image_size_px: tuple[int, int]) -> TablePlane:
        """The same camera's plane for pictures of another size but the same shape.

        Raises `PlaneError` where the shape differs: such a picture shows another part.
        """
        if image_size_px == self.image_size_px:
            return self
        (width, height), (old_width, old_height) = image_size_px, self.image_size_px
        if abs(width * old_height - height * old_width) > max(width, old_width):
            raise PlaneError(
                f"expected pictures of {old_width} x {old_height} pixels, for which the table was"
                f" calibrated, or of the same shape, found {width} x {height}"
            )
        # Pixel centres lie half a pixel in from the border, whatever the size.
        across, down = width / old_width, height / old_height
        scale = np.array(
            [
                [across, 0.0, (across - 1) / 2],
                [0.0, down, (down - 1) / 2],
                [0.0, 0.0, 1.0],
            ]
        )
        matrix = self.camera_matrix_px
        return TablePlane(
            mm_to_px=scale @ self.mm_to_px,
            image_size_px=image_size_px,
            camera_matrix_px=None if matrix is None else scale @ matrix,
            distortion=self.distortion,
        )

    def px_per_mm(self, at_mm: tuple[float, float] = (0.0, 0.0)) -> float:
        """Mean scale of the picture around a point of the table."""
        x, y = at_mm
        square = np.array([[x - 10, y], [x + 10, y], [x, y - 10], [x, y + 10]])
        p = self.to_px(square)
        return float((np.linalg.norm(p[1] - p[0]) + np.linalg.norm(p[3] - p[2])) / 40)
