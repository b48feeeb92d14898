"""A picture to check a table by: a millimetre grid drawn onto what the camera sees."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens import Floats
from calibration.table import Table
from vision.facts import Image
from vision.plane import TablePlane

STEP_MM = 50.0
_FAR_MM = 1500.0
_FINE, _COARSE, _AXIS, _ZONE = (255, 255, 255), (90, 220, 255), (80, 80, 255), (120, 230, 120)


def draw_check(image: Image, table: Table, marks_px: Floats | None = None) -> Image:
    """The picture with a grid of 50 mm, thicker each 100 mm, the two axes in red, and the zones.

    Squares must look square on the table, and a card must be 59 x 91 mm of it. ``marks_px``
    are outlines to draw in green, shape (n, 4, 2).
    """
    drawn = image.copy()
    plane = table.plane
    reach = _reach_mm(plane)
    for i in range(-round(_FAR_MM / STEP_MM), round(_FAR_MM / STEP_MM) + 1):
        at = i * STEP_MM
        colour = _AXIS if i == 0 else _COARSE if i % 2 == 0 else _FINE
        along = np.linspace(-reach, reach, 121)
        for line in (
            np.column_stack([np.full_like(along, at), along]),
            np.column_stack([along, np.full_like(along, at)]),
        ):
            if abs(at) <= reach:
                _draw(drawn, plane.to_px(line), colour, thick=i % 2 == 0)
    for zone in table.zones.values():
        x, y = zone.centre_mm
        a, b = zone.size_mm[0] / 2, zone.size_mm[1] / 2
        corners = np.array([[x - a, y - b], [x + a, y - b], [x + a, y + b], [x - a, y + b]])
        _draw(drawn, plane.to_px(np.vstack([corners, corners[:1]])), _ZONE, thick=True)
    for outline in () if marks_px is None else marks_px:
        _draw(drawn, np.vstack([outline, outline[:1]]), _ZONE, thick=True)
    middle = plane.to_px(np.array([[0.0, 0.0], [100.0, 0.0]]))
    _text(drawn, "0", middle[0])
    _text(drawn, "100 mm", middle[1])
    faint = cv2.addWeighted(image, 0.35, drawn, 0.65, 0.0)
    return np.asarray(faint, np.uint8)


def _reach_mm(plane: TablePlane) -> float:
    """How far from the origin the picture's nearest corners still show the table finely enough."""
    width, height = plane.image_size_px
    rim = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    spots = plane.to_mm(rim)
    return float(min(_FAR_MM, np.hypot(spots[:, 0], spots[:, 1]).max()))


def _draw(image: Image, line_px: Floats, colour: tuple[int, int, int], *, thick: bool) -> None:
    height, width = image.shape[:2]
    # Far outside the picture a lens' bend is anybody's guess, and OpenCV's numbers overflow.
    near = (np.abs(line_px - [width / 2, height / 2]) < [width, height]).all(axis=1)
    for first, second in zip(np.flatnonzero(near)[:-1], np.flatnonzero(near)[1:], strict=True):
        if second == first + 1:
            a, b = (np.round(line_px[k] * 16).astype(int) for k in (first, second))
            cv2.line(
                image,
                (int(a[0]), int(a[1])),
                (int(b[0]), int(b[1])),
                colour,
                2 if thick else 1,
                cv2.LINE_AA,
                4,
            )


def _text(image: Image, text: str, at_px: Floats) -> None:
    spot = (round(float(at_px[0])) + 6, round(float(at_px[1])) - 6)
    for shade, wide in (((0, 0, 0), 5), ((255, 255, 255), 2)):
        cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.7, shade, wide, cv2.LINE_AA)
