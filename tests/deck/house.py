"""Pictures of our own printed cards, lying flat, for the tests of decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.printing.faces import card, half
from calibration.printing.raster import picture
from calibration.printing.shapes import moved
from vision.facts import CARD_MM, COLOURS, FACES, Half, Image
from vision.plane import TablePlane
from vision.prints import CROP_PX_PER_MM, wide_mm

PX_PER_MM = 2.0
TABLE_MM = (400.0, 260.0)


def plane() -> TablePlane:
    """A camera straight above: 2 px/mm, the origin in the picture's corner."""
    size = (round(TABLE_MM[0] * PX_PER_MM), round(TABLE_MM[1] * PX_PER_MM))
    return TablePlane(np.diag([PX_PER_MM, PX_PER_MM, 1.0]), size)


def table(cards: Sequence[tuple[str, float, float, float]], shade: int = 90) -> Image:
    """A table with cards: what, the centre in mm, and the turn in degrees clockwise."""
    size = plane().image_size_px
    image = np.full((size[1], size[0], 3), shade, np.uint8)
    for text, x, y, turn in cards:
        drawn = picture(card(text), CARD_MM, 4.0)
        centre = ((drawn.shape[1] - 1) / 2, (drawn.shape[0] - 1) / 2)
        move = cv2.getRotationMatrix2D(centre, -turn, PX_PER_MM / 4)
        move[:, 2] += np.array([x, y]) * PX_PER_MM - centre
        laid = cv2.warpAffine(drawn, move, size, flags=cv2.INTER_AREA)
        cover = cv2.warpAffine(np.full(drawn.shape[:2], 255, np.uint8), move, size)
        image[cover > 127] = laid[cover > 127]
    return image


def halves_of(cards: Sequence[tuple[str, float, float, float]], sure: float = 0.97) -> list[Half]:
    """What a perfect reader would say to `table`."""
    found = []
    for text, x, y, turn in cards:
        up = np.array([np.sin(np.radians(turn)), -np.cos(np.radians(turn))])
        for label, side in zip(text.split("/"), (1, -1), strict=True):
            place = np.array([x, y]) + side * up * CARD_MM[1] / 4
            axis = float(np.degrees(np.arctan2(up[1], up[0]))) % 180
            found.append(read_as(label, float(place[0]), float(place[1]), axis, sure))
    return found


def read_as(label: str, x: float, y: float, axis: float, sure: float = 0.97) -> Half:
    """A half that a reader is so sure of."""
    return Half(x, y, axis, guess(COLOURS, label[0], sure), guess(FACES, label[1], sure))


def guess(letters: str, letter: str, sure: float) -> tuple[float, ...]:
    """Probabilities with one likeliest letter."""
    rest = (1 - sure) / (len(letters) - 1)
    return tuple(sure if one == letter else rest for one in letters)


def misread(one: Half, label: str, sure: float) -> Half:
    """The same half, taken for another."""
    return replace(
        one, colour_p=guess(COLOURS, label[0], sure), face_p=guess(FACES, label[1], sure)
    )


def crop(label: str) -> Image:
    """A half as large as `vision.prints.print_of` takes it."""
    wide, tall = wide_mm()
    drawing = moved(half(label), (wide - CARD_MM[0]) / 2, (tall - CARD_MM[1] / 2) / 2)
    return picture(drawing, (wide, tall), CROP_PX_PER_MM)


class Says:
    """A reader that answers from a list."""

    def __init__(self, halves: Sequence[Half]) -> None:
        self.halves = list(halves)

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        if region_mm is None:
            return self.halves
        x0, y0, x1, y1 = region_mm
        return [h for h in self.halves if x0 <= h.x_mm <= x1 and y0 <= h.y_mm <= y1]
