"""Whether the camera still looks where it did: a bump, or an arm that sinks slowly.

The settled table is compared with the frame by following what stands out on it: the grain of
the table, its edge, the pile, things that lie about. Where most of what is no card of the line
has moved as one, it was the camera. Cards that moved while the rest stayed were shoved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.activity import Look
from vision.facts import Image
from vision.grid import Mask
from vision.plane import TablePlane

Floats = NDArray[np.float64]

_EVERY_S: Final = 0.3
_AGAIN_S: Final = 0.1
"""A camera that seems to have moved is looked at again so soon: once it stands still it counts."""
_MOVED_CELLS: Final = 0.5
"""Less is the flicker of the small picture."""
_STANDS_CELLS: Final = 0.35
"""A camera that has moved by less between two looks stands still."""
_STAYS_CELLS: Final = 0.2
_STAYS_SHARE: Final = 0.8
"""Where so many landmarks have moved by no more than that, no closer look is needed."""
_FAR_LEVEL: Final = 3
_NEAR_LEVEL: Final = 1
_KNOCK_CELLS: Final = 1.8
_LANDMARKS_S: Final = 1.0
"""For how long the same landmarks serve: finding them costs as much as following them."""
_POINTS: Final = 240
_LEAST_POINTS: Final = 10
_LEAST_SHARE: Final = 0.6
"""So much of what can be followed must have moved as one."""
_FITS_CELLS: Final = 0.6
_EXACT_CELLS: Final = 0.3
"""A point that is followed lies so near to where a motion takes it."""
_SURELY_MORE: Final = 1.15
_STANDS: Final = 1.5
"""So many more points must go exactly where a motion takes them than stay where they are."""
_SPREAD: Final = 0.25
"""The points must span this much of the picture each way, or a turn cannot be told."""
_MANY_POINTS: Final = 30
"""With so many points the tilt of the camera is told, too."""


class Steady:
    """Watches whether the camera moves."""

    def __init__(self) -> None:
        self._next_s = 0.0
        self._looked_s = -1.0
        self._last: Floats | None = None
        self._landmarks: NDArray[np.float32] | None = None
        self._found_s = 0.0
        """When the landmarks were found."""
        self.moving_since_s: float | None = None
        """Since when the camera has been seen elsewhere than before; None while it stands."""

    def look(
        self, look: Look, arms: Mask, line: Callable[[], Mask], *, now: bool = False
    ) -> Floats | None:
        """The homography from the settled table's cells to the frame's, once the camera has
        moved and stands still again; else None.

        ``arms`` and ``line()`` are where hands and the cards of the line are; ``now`` asks for a
        look whether it is due or not.
        """
        if look.at_s < self._next_s and not (now and look.at_s >= self._looked_s + _AGAIN_S):
            return None
        self._looked_s = look.at_s
        if self._landmarks is None or look.at_s >= self._found_s + _LANDMARKS_S:
            self._landmarks, self._found_s = landmarks(look.table), look.at_s
        still = stands_still(look, arms, self._landmarks)
        moved = None if still else self._motion(look, arms, line())
        shift = 0.0 if moved is None else _largest_shift(moved, look.small.shape)
        if moved is None or shift < _MOVED_CELLS:
            self._last = self.moving_since_s = None
            self._next_s = look.at_s + _EVERY_S
            return None
        before, self._last = self._last, moved
        self._next_s = look.at_s + _AGAIN_S
        if self.moving_since_s is None:
            self.moving_since_s = look.at_s
        if before is None:
            return None
        since = moved @ np.linalg.inv(before)
        # A slow drift never stands still, and moves little between two looks.
        if _largest_shift(since / since[2, 2], look.small.shape) > _STANDS_CELLS:
            return None
        self._last = self.moving_since_s = self._landmarks = None
        self._next_s = look.at_s + _EVERY_S
        return moved

    def _motion(self, look: Look, arms: Mask, line: Mask) -> Floats | None:
        """The camera's motion by what no arm hides; or, where that is too little, by all.

        A camera that is knocked makes arms of the edges of all things, and nothing is left
        beside them. What a true arm hides cannot be followed there and back.
        """
        moved = camera_motion(look, arms, line)
        if moved is None and cv2.countNonZero(arms):
            return camera_motion(look, np.zeros_like(arms), line)
        return moved


def is_knock(motion: Floats, look: Look) -> bool:
    """Whether the camera moved too far between two looks to have sunk by itself."""
    return _largest_shift(motion, look.small.shape) > _KNOCK_CELLS


def landmarks(table: Image, room: Mask | None = None) -> NDArray[np.float32]:
    """Points of the settled table that stand out, shape (n, 1, 2), in cells."""
    corners = cv2.goodFeaturesToTrack(_grey(table), _POINTS, 0.02, 6, mask=room)
    return np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)


def stands_still(look: Look, arms: Mask, points: NDArray[np.float32]) -> bool:
    """Whether nearly all `landmarks` that no arm hides are where they were; quickly told."""
    at = points.reshape(-1, 2).astype(int)
    points = points[_room(arms)[at[:, 1], at[:, 0]] > 0]
    if len(points) < _LEAST_POINTS:
        return False
    there, found = _followed(_grey(look.table), _grey(look.small), points, _NEAR_LEVEL)
    stays = np.hypot(*(there - points).reshape(-1, 2).T) < _STAYS_CELLS
    return bool(np.count_nonzero(found & stays) >= _STAYS_SHARE * len(points))


def camera_motion(look: Look, arms: Mask, line: Mask) -> Floats | None:
    """Homography from the settled table's cells to the frame's; None where it cannot be told."""
    points = landmarks(look.table, _room(arms))
    if len(points) < _LEAST_POINTS:
        return None
    was, now = _grey(look.table), _grey(look.small)
    there, found = _followed(was, now, points)
    back, again = _followed(now, was, there)
    returns = np.hypot(*(back - points).reshape(-1, 2).T) < 0.5
    sure = found & again & returns
    before, after = points.reshape(-1, 2)[sure], there.reshape(-1, 2)[sure]
    at = before.astype(int)
    beside = line[at[:, 1], at[:, 0]] == 0
    if np.count_nonzero(beside) < _LEAST_POINTS:
        return None
    rough, _ = cv2.estimateAffinePartial2D(
        before[beside], after[beside], method=cv2.RANSAC, ransacReprojThreshold=2.0
    )
    if rough is None:
        return None
    motion = np.vstack([rough, [0.0, 0.0, 1.0]]).astype(np.float64)
    if not _is_agreed(_apart(motion, before, after), beside, before, look.small.shape, 2.0):
        return None
    motion = _refined(motion, before, after, look.small.shape)
    # What agrees roughly with a small motion agrees with none, too; and where a hand's shadow
    # or what it left lies on some landmarks, eight numbers may follow those.
    stands = _STANDS * _exact(np.eye(3), before, after) > _exact(motion, before, after)
    return np.eye(3) if stands else motion


def _room(arms: Mask) -> Mask:
    """Where no arm is, nor the rim of one."""
    return np.asarray(cv2.bitwise_not(cv2.dilate(arms, np.ones((9, 9), np.uint8))), np.uint8)


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _followed(
    was: Image, now: Image, points: NDArray[np.float32], coarsest: int = _FAR_LEVEL
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Where points of one grey picture lie in another, and which were found.

    ``coarsest`` is how often the pictures are halved first: the more often, the farther a point
    may have gone, and the more of what is around it takes part.
    """
    guess = points.copy()
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        was, now, points, guess, winSize=(15, 15), maxLevel=coarsest
    )
    return np.asarray(there, np.float32), np.asarray(found).ravel() == 1


def _refined(
    rough: Floats, before: NDArray[np.float32], after: NDArray[np.float32], shape: tuple[int, ...]
) -> Floats:
    """The motion fitted to all points that agree with it; with its tilt, if that is seen."""
    near = _apart(rough, before, after) < 2.0
    if np.count_nonzero(near) < _MANY_POINTS or not _spreads(before[near], shape, 2 * _SPREAD):
        return rough
    was, now = before[near], after[near]
    level, _ = cv2.estimateAffinePartial2D(
        was, now, method=cv2.RANSAC, ransacReprojThreshold=_FITS_CELLS
    )
    fine, _ = cv2.findHomography(was, now, cv2.RANSAC, _FITS_CELLS)
    motions = [rough]
    if level is not None:
        motions.append(np.vstack([level, [0.0, 0.0, 1.0]]).astype(np.float64))
    if fine is not None and _largest_shift(fine @ np.linalg.inv(rough), shape) <= 4.0:
        motions.append(np.asarray(fine / fine[2, 2], dtype=np.float64))
    best = motions[0]
    for motion in motions[1:]:
        # Eight numbers always fit better than four; they must do so by more than noise.
        if _exact(motion, was, now) > _SURELY_MORE * _exact(best, was, now):
            best = motion
    return best


def _exact(motion: Floats, before: NDArray[np.float32], after: NDArray[np.float32]) -> int:
    """How many points lie just where a motion takes them."""
    return int(np.count_nonzero(_apart(motion, before, after) < _EXACT_CELLS))


def _apart(
    motion: Floats, before: NDArray[np.float32], after: NDArray[np.float32]
) -> NDArray[np.float64]:
    moved = cv2.perspectiveTransform(before.reshape(-1, 1, 2).astype(np.float64), motion)
    return np.asarray(np.hypot(*(moved.reshape(-1, 2) - after).T), dtype=np.float64)


def _is_agreed(
    apart: NDArray[np.float64],
    beside: NDArray[np.bool_],
    points: NDArray[np.float32],
    shape: tuple[int, ...],
    slack: float,
) -> bool:
    """Whether most of what is no card of the line moved so, all over the picture."""
    agree = (apart < slack) & beside
    enough = np.count_nonzero(agree) >= max(_LEAST_POINTS, _LEAST_SHARE * np.count_nonzero(beside))
    return bool(enough) and _spreads(points[agree], shape, _SPREAD)


def _spreads(points: NDArray[np.float32], shape: tuple[int, ...], share: float) -> bool:
    span = np.ptp(points, axis=0)
    return bool(span[0] >= share * shape[1] and span[1] >= share * shape[0])


def _largest_shift(motion: Floats, shape: tuple[int, ...]) -> float:
    """How far the corners of the middle of a picture move, in cells."""
    rows, columns = shape[:2]
    corners = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]) * (columns, rows)
    moved = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), motion).reshape(-1, 2)
    return float(np.hypot(*(moved - corners).T).max())


def moved_plane(plane: TablePlane, motion: Floats, px_per_cell: float) -> TablePlane:
    """The plane as seen by a camera that has moved; ``motion`` is in cells of the small picture."""
    scale = np.diag([px_per_cell, px_per_cell, 1.0])
    half = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    in_px = scale @ half @ motion @ np.linalg.inv(half) @ np.linalg.inv(scale)
    width, height = plane.image_size_px
    across, down = np.meshgrid(np.linspace(0.1, 0.9, 5) * width, np.linspace(0.1, 0.9, 5) * height)
    seen_px = np.column_stack([across.ravel(), down.ravel()])
    on_table = plane.to_mm(seen_px)
    now_px = cv2.perspectiveTransform(seen_px.reshape(-1, 1, 2), in_px)
    if plane.camera_matrix_px is not None and plane.distortion is not None:
        k = plane.camera_matrix_px
        now_px = cv2.undistortPoints(now_px, k, plane.distortion, P=k)
    homography, _ = cv2.findHomography(on_table, now_px.reshape(-1, 2))
    mm_to_px = np.asarray(homography, dtype=np.float64)
    return TablePlane(mm_to_px, plane.image_size_px, plane.camera_matrix_px, plane.distortion)
