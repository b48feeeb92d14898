"""Boards that a lens is measured with: ChArUco boards and plain chessboards, and finding them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Image

Floats = NDArray[np.float64]

DICTIONARIES = {
    name.removeprefix("DICT_").lower(): int(value)
    for name, value in vars(cv2.aruco).items()
    if name.startswith("DICT_") and isinstance(value, int)
}
"""Sets of markers by name, such as ``5x5_100`` or ``apriltag_36h11``."""

LEAST_CORNERS = 8
"""A board of which fewer corners are seen tells nothing worth the mistakes among them."""
_REFINE = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.001)


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A board as one picture shows it: n of its inner corners."""

    board_mm: Floats
    """Where they lie on the board, shape (n, 2)."""
    picture_px: Floats
    """Where the picture shows them, shape (n, 2)."""


class Board(Protocol):
    """A printed pattern of known size."""

    @property
    def corners(self) -> int:
        """How many inner corners it has."""
        ...

    def find(self, image: Image) -> Sighting | None:
        """Its corners in a picture, or None where too few are seen."""
        ...


@dataclass(frozen=True)
class CharucoBoard:
    """A chessboard with a marker in every white square; it may be partly covered or cut off."""

    columns: int = 7
    rows: int = 9
    """Squares, not corners."""
    square_mm: float = 27.0
    marker_mm: float = 20.0
    dictionary: str = "5x5_100"
    _cv: cv2.aruco.CharucoBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.dictionary not in DICTIONARIES:
            raise ValueError(
                f"expected a set of markers such as {', '.join(sorted(DICTIONARIES)[:4])},"
                f" found {self.dictionary!r}"
            )
        if min(self.columns, self.rows) < 3:
            raise ValueError(f"expected 3 x 3 squares or more, found {self.columns} x {self.rows}")
        if not 0 < self.marker_mm < self.square_mm:
            raise ValueError(
                f"expected markers smaller than the squares of {self.square_mm:g} mm,"
                f" found {self.marker_mm:g} mm"
            )
        dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARIES[self.dictionary])
        needed, there = self.columns * self.rows // 2, len(dictionary.bytesList)
        if needed > there:
            raise ValueError(
                f"expected a set of at least {needed} markers, found {there} in {self.dictionary}"
            )
        board = cv2.aruco.CharucoBoard(
            (self.columns, self.rows), self.square_mm, self.marker_mm, dictionary
        )
        object.__setattr__(self, "_cv", board)

    @property
    def corners(self) -> int:
        return (self.columns - 1) * (self.rows - 1)

    @cached_property
    def _detector(self) -> cv2.aruco.CharucoDetector:
        return cv2.aruco.CharucoDetector(self._cv)

    def markers(self) -> list[NDArray[np.bool_]]:
        """The black cells of its markers, row by row of the white squares."""
        dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARIES[self.dictionary])
        size = dictionary.markerSize + 2
        return [
            np.asarray(
                np.asarray(cv2.aruco.generateImageMarker(dictionary, i, size)) < 128, np.bool_
            )
            for i in range(self.columns * self.rows // 2)
        ]

    def find(self, image: Image) -> Sighting | None:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners, numbers, _, _ = self._detector.detectBoard(grey)
        if numbers is None or len(numbers) < LEAST_CORNERS:
            return None
        board = np.asarray(self._cv.getChessboardCorners(), np.float64)[numbers.ravel(), :2]
        if _in_one_row(board):
            return None
        return Sighting(board, np.asarray(corners, np.float64).reshape(-1, 2))


@dataclass(frozen=True, slots=True)
class Chessboard:
    """A plain chessboard; all of it must be seen."""

    columns: int
    rows: int
    """Inner corners, one less than squares."""
    square_mm: float

    def __post_init__(self) -> None:
        if min(self.columns, self.rows) < 3:
            raise ValueError(
                f"expected 3 x 3 inner corners or more, found {self.columns} x {self.rows}"
            )
        if self.square_mm <= 0:
            raise ValueError(f"expected squares of a size, found {self.square_mm:g} mm")

    @property
    def corners(self) -> int:
        return self.columns * self.rows

    def find(self, image: Image) -> Sighting | None:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        found, corners = cv2.findChessboardCorners(
            grey,
            (self.columns, self.rows),
            flags=cv2.CALIB_CB_ADAPTIVE_THRESH
            + cv2.CALIB_CB_NORMALIZE_IMAGE
            + cv2.CALIB_CB_FAST_CHECK,
        )
        if not found:
            return None
        points = np.asarray(corners, np.float32).reshape(-1, 1, 2)
        # The window must not reach into the next square's corner.
        steps = np.linalg.norm(np.diff(points[:, 0], axis=0), axis=1)
        reach = int(np.clip(np.median(steps) / 3, 2, 11))
        refined = cv2.cornerSubPix(grey, points, (reach, reach), (-1, -1), _REFINE)
        column, row = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        board = np.column_stack([column.ravel(), row.ravel()]) * self.square_mm
        return Sighting(board.astype(np.float64), np.asarray(refined, np.float64).reshape(-1, 2))


def _in_one_row(board_mm: Floats) -> bool:
    """Corners of a single row leave the board's lean open."""
    return bool((np.ptp(board_mm, axis=0) < 1e-6).any())
