"""A camera that moves, told apart from cards that are moved."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.stage import PLANE
from vision.activity import Look
from vision.plane import TablePlane
from vision.steady import Steady, camera_motion, landmarks, moved_plane, stands_still

ROWS, COLUMNS = 200, 320
NOTHING = np.zeros((ROWS, COLUMNS), np.uint8)
Picture = NDArray[np.uint8]


def table(seed: int = 3, things: int = 60) -> Picture:
    """A tabletop with grain and things on it."""
    rng = np.random.default_rng(seed)
    picture = np.full((ROWS, COLUMNS, 3), 120, np.uint8)
    for _ in range(things):
        x, y = int(rng.integers(COLUMNS)), int(rng.integers(ROWS))
        shade = [int(v) for v in rng.integers(40, 220, 3)]
        cv2.circle(picture, (x, y), int(rng.integers(2, 7)), shade, -1)
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)


def seen(was: Picture, now: Picture, at_s: float = 0.0) -> Look:
    still = np.zeros((ROWS, COLUMNS), np.float32)
    return Look(at_s, now, was, NOTHING, (), still, False)


def turned(dx: float, dy: float, turn_deg: float = 0.0, tilt: float = 0.0) -> NDArray[np.float64]:
    angle = np.radians(turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, dx], [sin, cos, dy], [tilt, 0.0, 1.0]])


def warped(picture: Picture, motion: NDArray[np.float64]) -> Picture:
    size = (COLUMNS, ROWS)
    return np.asarray(
        cv2.warpPerspective(picture, motion, size, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


@pytest.mark.parametrize(
    ("dx", "dy", "turn_deg", "tilt"),
    [(1.0, 0.0, 0.0, 0.0), (-6.0, 3.0, 0.0, 0.0), (4.0, -5.0, 1.5, 0.0), (2.0, 1.0, 0.5, 6e-5)],
)
def test_a_moved_camera_is_followed(dx: float, dy: float, turn_deg: float, tilt: float) -> None:
    was = table()
    true = turned(dx, dy, turn_deg, tilt)
    motion = camera_motion(seen(was, warped(was, true)), NOTHING, NOTHING)
    assert motion is not None
    spots = np.array([[[40.0, 30.0]], [[280.0, 30.0]], [[280.0, 170.0]], [[40.0, 170.0]]])
    off = cv2.perspectiveTransform(spots, motion) - cv2.perspectiveTransform(spots, true)
    assert np.hypot(off[..., 0], off[..., 1]).max() < 0.5


@pytest.mark.parametrize("seed", range(4))
def test_noise_does_not_tilt_the_camera(seed: int) -> None:
    """Eight numbers follow noise where four fit as well, and corrections would add up."""
    was, true = table(seed), turned(0.7, -0.3)
    noise = np.random.default_rng(seed).normal(0, 6, was.shape)
    now = np.clip(warped(was, true) + noise, 0, 255).astype(np.uint8)
    motion = camera_motion(seen(was, now), NOTHING, NOTHING)
    assert motion is not None
    assert np.abs(motion[2, :2]).max() == 0
    assert np.abs(motion - true)[:2, 2].max() < 0.25


def test_a_few_things_that_were_touched_do_not_move_the_camera() -> None:
    """On a bare table they are a good part of what stands out, and all have moved by little."""
    spots = np.array([[x, y] for y in (30, 100, 170) for x in (40, 120, 200, 280)])
    was, now = table(things=0), table(things=0)
    for k, (x, y) in enumerate(spots):
        pushed = (1.3, 1.3) if k in (3, 7, 11) else (0.0, 0.0)
        for picture, (dx, dy) in ((was, (0.0, 0.0)), (now, pushed)):
            at = round((x + dx) * 16), round((y + dy) * 16)
            cv2.circle(picture, at, 2 * 16, (30, 30, 30), -1, cv2.LINE_AA, 4)
    motion = camera_motion(seen(was, now), NOTHING, NOTHING)
    assert motion is not None
    assert np.abs(motion - np.eye(3)).max() < 1e-6


def test_an_arm_in_the_picture_does_not_move_the_camera() -> None:
    was = table()
    now = was.copy()
    cv2.line(now, (0, 100), (180, 100), (120, 150, 215), 40)
    arms = NOTHING.copy()
    cv2.line(arms, (0, 100), (180, 100), 255, 40)
    motion = camera_motion(seen(was, now), arms, NOTHING)
    assert motion is None or np.abs(motion - np.eye(3)).max() < 0.2


@pytest.mark.parametrize("things", [60, 0])
def test_a_shoved_line_is_no_bump(things: int) -> None:
    """Cards move while the table stays, or, on a bare cloth, while nothing tells."""
    was, now, line = table(things=things), table(things=things), NOTHING.copy()
    rng = np.random.default_rng(1)
    face = rng.integers(0, 255, (40, 160, 3)).astype(np.uint8)
    was[80:120, 60:220], now[83:123, 66:226] = face, face
    line[75:125, 55:225] = 255
    motion = camera_motion(seen(was, now), NOTHING, line)
    assert motion is None or np.abs(motion - np.eye(3)).max() < 0.3


@pytest.mark.parametrize("dx", [0.0, 0.5, 3.0])
def test_only_a_camera_that_stands_is_said_to_stand_still(dx: float) -> None:
    was, arms = table(), NOTHING.copy()
    now = warped(was, turned(dx, 0.0))
    cv2.line(arms, (0, 100), (180, 100), 255, 40)
    now[arms > 0] = (120, 150, 215)
    assert stands_still(seen(was, now), arms, landmarks(was)) == (dx == 0.0)


def test_nothing_is_followed_before_the_camera_stands() -> None:
    was, steady = table(), Steady()
    looks = [(0.1, 0.0), (0.6, 2.0), (0.72, 5.0), (0.84, 6.0), (0.96, 6.0)]
    told = [
        steady.look(seen(was, warped(was, turned(dx, 0.0)), at_s), NOTHING, lambda: NOTHING)
        for at_s, dx in looks
    ]
    assert [motion is not None for motion in told] == [False, False, False, False, True]
    assert steady.moving_since_s is None


def test_a_plane_that_has_moved_shows_the_same_millimetres() -> None:
    lens = np.array([[600.0, 0.0, 240.0], [0.0, 600.0, 160.0], [0.0, 0.0, 1.0]])
    bent = TablePlane(PLANE.mm_to_px, PLANE.image_size_px, lens, np.array([-0.1, 0.02, 0, 0, 0.0]))
    for plane in (PLANE, bent):
        moved = moved_plane(plane, turned(3.0, -2.0, 1.0), px_per_cell=1.5)
        spots_mm = np.array([[0.0, 0.0], [200.0, -100.0], [-150.0, 120.0]])
        cells = plane.to_px(spots_mm) / 1.5 - 0.5
        there = cv2.perspectiveTransform(cells.reshape(-1, 1, 2), turned(3.0, -2.0, 1.0))
        assert moved.to_px(spots_mm) == pytest.approx((there.reshape(-1, 2) + 0.5) * 1.5, abs=0.7)


def test_a_knock_that_makes_the_whole_picture_seem_to_be_arms_is_followed() -> None:
    was, knocked = table(), turned(6.0, -4.0, 0.5)
    now, steady, arms = warped(was, knocked), Steady(), np.full_like(NOTHING, 255)
    steady.look(seen(was, was, 0.0), NOTHING, lambda: NOTHING)
    assert steady.look(seen(was, now, 0.6), arms, lambda: NOTHING) is None
    motion = steady.look(seen(was, now, 0.72), arms, lambda: NOTHING)
    assert motion is not None
    assert np.abs(motion - knocked).max() < 0.3
