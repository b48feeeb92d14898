"""A picture under construction: flat things laid on the table, one over the other."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.editions import Picture
from vision.plane import TablePlane


class Canvas:
    """A picture under construction, with a map of what each pixel shows."""

    def __init__(self, plane: TablePlane) -> None:
        width, height = plane.image_size_px
        self.plane = plane
        self.image: Picture = np.zeros((height, width, 3), np.uint8)
        self.shown: NDArray[np.int32] = np.zeros((height, width), np.int32)

    def flat_px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float32]:
        """Undistorted pixels of points on the table."""
        points = points_mm.reshape(-1, 1, 2).astype(np.float64)
        return (
            cv2.perspectiveTransform(points, self.plane.mm_to_px).reshape(-1, 2).astype(np.float32)
        )

    def lay(
        self, picture: Picture, cover: NDArray[np.uint8], corners_mm: NDArray[np.float64]
    ) -> None:
        """Warps a flat picture onto the table; what it covers shows nothing any more."""
        placed = self._warp(picture, cover, corners_mm)
        if placed is None:
            return
        x0, y0, x1, y1, colour, alpha = placed
        patch = self.image[y0:y1, x0:x1]
        fringe = (alpha > 0) & (alpha < 255)
        share = alpha[fringe].astype(np.float32)[:, None] / 255
        below = patch[fringe].astype(np.float32)
        mixed = below + share * (colour[fringe].astype(np.float32) - below)
        cv2.copyTo(colour, (alpha == 255).astype(np.uint8), patch)
        patch[fringe] = mixed.astype(np.uint8)
        self.shown[y0:y1, x0:x1][alpha > 127] = 0

    def _warp(
        self, picture: Picture, cover: NDArray[np.uint8], corners_mm: NDArray[np.float64]
    ) -> tuple[int, int, int, int, Picture, NDArray[np.uint8]] | None:
        target = self.flat_px(corners_mm)
        height, width = self.image.shape[:2]
        if not np.isfinite(target).all() or np.abs(target).max() > 2e4:
            return None
        x0, y0 = np.floor(target.min(axis=0)).astype(int) - 1
        x1, y1 = np.ceil(target.max(axis=0)).astype(int) + 2
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return None
        # Reduce the texture until it is at most twice as fine as the picture: no aliasing.
        fine = np.linalg.norm(target[1] - target[0]) / picture.shape[1]
        fine = max(fine, np.linalg.norm(target[2] - target[1]) / picture.shape[0])
        while fine < 0.6 and min(picture.shape[:2]) > 8:
            half = (picture.shape[1] // 2, picture.shape[0] // 2)
            picture = cv2.resize(picture, half, interpolation=cv2.INTER_AREA).astype(np.uint8)
            cover = cv2.resize(cover, half, interpolation=cv2.INTER_AREA).astype(np.uint8)
            fine *= 2
        h, w = picture.shape[:2]
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - np.float32(0.5)
        move = cv2.getPerspectiveTransform(source, target - np.array([x0, y0], np.float32))
        size = (int(x1 - x0), int(y1 - y0))
        colour = cv2.warpPerspective(picture, move, size, borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpPerspective(cover, move, size)
        return (int(x0), int(y0), int(x1), int(y1),
                np.asarray(colour, np.uint8), np.asarray(alpha, np.uint8))  # fmt: skip

    def shade(
        self, corners_mm: NDArray[np.float64], shift_px: NDArray[np.float64], soft_px: float,
        strength: float,
    ) -> None:  # fmt: skip
        """A soft shadow of a flat thing on what lies below."""
        points = self.flat_px(corners_mm) + shift_px.astype(np.float32)
        pad = int(3 * soft_px) + 2
        height, width = self.image.shape[:2]
        if not np.isfinite(points).all() or np.abs(points).max() > 2e4:
            return
        x0, y0 = np.maximum(0, np.floor(points.min(axis=0)).astype(int) - pad)
        x1 = min(width, int(np.ceil(points[:, 0].max())) + pad)
        y1 = min(height, int(np.ceil(points[:, 1].max())) + pad)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.float32)
        cv2.fillConvexPoly(mask, np.round(points - (x0, y0)).astype(np.int32), strength)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, soft_px))
        patch = self.image[y0:y1, x0:x1]
        self.image[y0:y1, x0:x1] = (patch * (1 - mask[..., None])).astype(np.uint8)

    def mark(self, polygon_mm: NDArray[np.float64], number: int) -> None:
        """Notes that the pixels inside a polygon show the half ``number``."""
        points = np.round(self.flat_px(polygon_mm) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.shown, points, number, cv2.LINE_8, 4)
