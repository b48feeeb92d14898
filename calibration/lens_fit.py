"""Measures a lens from sightings of a board, and says when they are not enough to.

Whether views are enough is not a matter of their number alone: views that are all alike leave
the focal length open, and what the board never covered stays unknown at the picture's rim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import Sighting
from calibration.lens import Lens

Floats = NDArray[np.float64]

LEAST_VIEWS = 3
ENOUGH_VIEWS = 8
MOST_VIEWS = 40
"""More add nothing but time."""
LEAST_LEAN_DEG = 15.0
"""How far the board must lean in some view: views from straight ahead fit any focal length."""
FOCAL_SURE = 0.02
"""Standard deviation of the focal length, as a share of it, up to which a lens is measured."""
FOCAL_WELL = 0.006
"""The same, up to which there is nothing to say about it."""
MOST_ERROR = 1.0 / 400
"""Error beyond which something is wrong with the board, as a share of the picture's width."""
ODD_VIEW = 2.5
"""A view whose error is so many times the middle one's is a blurred or misread one."""
COVER_CELLS = (8, 5)
"""Columns and rows that the picture is parted into to show what was covered."""
ENOUGH_COVERED = 0.6
APART = 0.04
"""Share of the picture's width by which the board must have moved to be another view."""


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """A lens that was measured."""

    lens: Lens
    coverage: Floats
    """How many corners of the board were seen in each part of the picture, rows x columns."""
    focal_spread: float
    """Standard deviation of the focal length, as a share of it."""
    dropped: int
    """Views that were left out because they fitted far worse than the others."""
    warnings: tuple[str, ...] = ()
    """What could be better, each a sentence; empty where nothing could."""

    @property
    def covered(self) -> float:
        """Share of the picture's parts in which corners were seen, 0...1."""
        return float((self.coverage > 0).mean())


@dataclass(frozen=True, slots=True, eq=False)
class LensRefusal:
    """No lens could be measured."""

    reason: str
    """One sentence: what was expected, what was found, what to do."""
    coverage: Floats


def measure_lens(sightings: Sequence[Sighting], size_px: tuple[int, int]) -> LensFit | LensRefusal:
    """The lens that fits some sightings of one board best, or why none can be told."""
    kept = list(sightings)
    covered = coverage(kept, size_px)
    if len(kept) < LEAST_VIEWS:
        return LensRefusal(
            f"expected the board in {LEAST_VIEWS} views or more ({ENOUGH_VIEWS} are good) that"
            f" differ, found it in {len(kept)}; show it flat, sharp and well lit, near and far,"
            " tilted each way",
            covered,
        )
    found = _calibrated(kept, size_px)
    # One at a time: a single odd view spoils the others' errors, too.
    while len(kept) > max(LEAST_VIEWS, 2 * len(sightings) // 3):
        worst = int(found.errors_px.argmax())
        if found.errors_px[worst] <= ODD_VIEW * max(float(np.median(found.errors_px)), 0.05):
            break
        del kept[worst]
        found = _calibrated(kept, size_px)
    errors, spread = found.errors_px, found.focal_spread
    corners = np.array([len(view.picture_px) for view in kept])
    error_px = float(np.sqrt((errors**2 * corners).sum() / corners.sum()))
    covered = coverage(kept, size_px)
    alike = found.most_lean_deg < LEAST_LEAN_DEG
    if alike or not np.isfinite(spread) or spread > FOCAL_SURE:
        return LensRefusal(
            f"expected views in some of which the board leans by {LEAST_LEAN_DEG:.0f} degrees or"
            f" more, found {len(kept)} that are too much alike to tell the focal length; tilt the"
            " board by 30 degrees or so, to the left, to the right, forwards and backwards",
            covered,
        )
    if error_px > MOST_ERROR * size_px[0]:
        return LensRefusal(
            f"expected the board's corners within {MOST_ERROR * size_px[0]:.1f} pixels of where a"
            f" lens can put them, found them {error_px:.1f} off; is the board flat, and are its"
            " numbers of squares right?",
            covered,
        )
    lens = Lens(size_px, found.matrix, found.distortion, round(error_px, 4), len(kept))
    dropped = len(sightings) - len(kept)
    return LensFit(lens, covered, spread, dropped, tuple(_warnings(len(kept), covered, spread)))


def coverage(sightings: Sequence[Sighting], size_px: tuple[int, int]) -> Floats:
    """How many corners were seen in each part of the picture, shape (rows, columns)."""
    columns, rows = COVER_CELLS
    counts = np.zeros((rows, columns))
    for view in sightings:
        at = (view.picture_px / np.array(size_px) * [columns, rows]).astype(int)
        inside = (at >= 0).all(axis=1) & (at < [columns, rows]).all(axis=1)
        np.add.at(counts, (at[inside, 1], at[inside, 0]), 1)
    return counts


def is_another_view(new: Sighting, before: Sequence[Sighting], width_px: int) -> bool:
    """Whether a sighting shows the board elsewhere, or leaning otherwise, than all before."""
    return all(_moved_px(new, view) > APART * width_px for view in before)


def _moved_px(one: Sighting, other: Sighting) -> float:
    """How far the board's seen corners moved, on average; infinite where none was seen in both."""
    same = (one.board_mm[:, None] == other.board_mm[None]).all(axis=2)
    mine, theirs = np.nonzero(same)
    if not len(mine):
        return float("inf")
    step = one.picture_px[mine] - other.picture_px[theirs]
    return float(np.hypot(step[:, 0], step[:, 1]).mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Calibrated:
    matrix: Floats
    distortion: Floats
    focal_spread: float
    errors_px: Floats
    """Of each view."""
    most_lean_deg: float
    """The most that the board leans away from the picture in any view."""


def _calibrated(views: Sequence[Sighting], size_px: tuple[int, int]) -> _Calibrated:
    boards = [
        np.column_stack([view.board_mm, np.zeros(len(view.board_mm))]).astype(np.float32)
        for view in views
    ]
    pictures = [view.picture_px.astype(np.float32) for view in views]
    # Few views cannot tell the higher numbers of a lens from noise, and extrapolate them wildly.
    flags = cv2.CALIB_FIX_K3
    if len(views) < ENOUGH_VIEWS:
        flags |= cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2
        flags |= cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_PRINCIPAL_POINT
    guess = np.asarray(cv2.initCameraMatrix2D(boards, pictures, size_px), np.float64)
    guess[0, 0] = guess[1, 1] = float(np.sqrt(guess[0, 0] * guess[1, 1]))
    guess[:2, 2] = (np.array(size_px) - 1) / 2
    _, matrix, bends, turns, _, spreads, _, errors = cv2.calibrateCameraExtended(
        boards, pictures, size_px, guess, np.zeros(5), flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    focal = np.asarray(matrix, np.float64)
    normals = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
    leans = np.degrees(np.arccos(np.clip(np.abs(normals[:, 2]), 0.0, 1.0)))
    return _Calibrated(
        focal,
        np.asarray(bends, np.float64).ravel()[:5],
        float(max(spreads[0, 0] / focal[0, 0], spreads[1, 0] / focal[1, 1])),
        np.asarray(errors, np.float64).ravel(),
        float(leans.max()),
    )


def _warnings(views: int, covered: Floats, spread: float) -> list[str]:
    said = []
    share = float((covered > 0).mean())
    if views < ENOUGH_VIEWS:
        said.append(f"{views} views are few; {ENOUGH_VIEWS} or more are better")
    if share < ENOUGH_COVERED:
        said.append(
            f"the board was seen in {share:.0%} of the picture's parts; hold it into the empty"
            " ones, up to the rim"
        )
    if spread > FOCAL_WELL:
        said.append(
            f"the views are rather alike (focal length known to {spread:.1%}); tilt the board more"
        )
    return said
