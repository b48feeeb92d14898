"""Cameras over a table: poses, lenses and the planes they see."""

from __future__ import annotations

import numpy as np

from vision.plane import TablePlane


def draw_camera(
    rng: np.random.Generator,
    image_size_px: tuple[int, int],
    *,
    px_per_mm: float,
    max_tilt_deg: float = 45.0,
) -> TablePlane:
    """A camera that looks at the middle of the table.

    ``px_per_mm`` is the scale at the plane's origin. Half of the cameras hang about straight
    above; the others look from up to ``max_tilt_deg`` off the plumb line. The picture's
    horizon stays roughly level, as a person would mount it.
    """
    width, height = image_size_px
    focal_px = width * float(rng.uniform(0.62, 1.6))
    steep = rng.random() < 0.5
    tilt = np.radians(float(rng.uniform(4, max_tilt_deg) if steep else rng.uniform(0, 4)))
    roll = np.radians(float(rng.normal(0, 4) if rng.random() < 0.8 else rng.uniform(-25, 25)))
    yaw = np.radians(float(rng.normal(0, 6)))
    # The plane's x stays right and y down when tilt is 0; tilting looks from its upper side.
    turn_x = np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    )
    turn_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0],
                       [0, 0, 1]])  # fmt: skip
    turn_table = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0],
                           [0, 0, 1]])  # fmt: skip
    rotation = turn_z @ turn_x @ turn_table
    distance_mm = focal_px / px_per_mm
    look_at = rng.normal(0, 25, 2)
    # Columns of K [r1 r2 t]; the camera's z axis points down onto the table.
    translation = np.array([0.0, 0.0, distance_mm]) - rotation @ np.array([*look_at, 0.0])
    camera = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1.0]])
    mm_to_px = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], translation])
    mm_to_px /= mm_to_px[2, 2]
    if rng.random() < 0.3:
        bend = float(rng.uniform(-0.16, 0.08))
        distortion = np.array([bend, -bend * float(rng.uniform(0, 0.3)), 0, 0, 0.0])
        return TablePlane(mm_to_px, image_size_px, camera, distortion)
    return TablePlane(mm_to_px, image_size_px)
