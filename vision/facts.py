"""What vision says about cards: half cards with their place and what is printed on them.

The class names are data, in the notation of the border contract (`docs/contract`):
a colour letter and a face letter. Vision gives them no meaning beyond 'looks like this'.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.plane import TablePlane

Image = NDArray[np.uint8]
"""A picture, height x width x 3, blue-green-red as OpenCV has it."""

COLOURS = "rygb"
"""Colours that a half card may have, in the order of `Half.colour_p`."""

FACES = "0123456789SRDXPC"
"""Faces that a half card may show, in the order of `Half.face_p`."""

PRINT_COLOURS = COLOURS + "kn"
"""Colours of one-faced cards, which may be black or grey."""

PRINT_FACES = FACES + "WF"
"""Faces of one-faced cards, which may be wild."""

CARD_MM = (59.0, 91.0)
"""Short and long side of a card; a half is 59 x 45.5 mm."""


def outline_mm(
    x_mm: float, y_mm: float, axis_deg: float, length_mm: float = CARD_MM[1]
) -> tuple[tuple[float, float], ...]:
    """The four corners of a card, or of a piece of it so long along its axis, one after another."""
    turn = math.radians(axis_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    along, across = length_mm / 2, CARD_MM[0] / 2
    return tuple(
        (x_mm + a * along * cos - b * across * sin, y_mm + a * along * sin + b * across * cos)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a face-up card, as far as it is seen in one picture or several still ones.

    Of a one-faced card it is the middle part, as large as a half, where the large face is;
    its guesses are then over `PRINT_COLOURS` and `PRINT_FACES`, which begin as the others do.
    """

    x_mm: float
    y_mm: float
    """Centre of the half on the table plane (x to the picture's right, y to its bottom)."""
    axis_deg: float
    """Direction of the card's long axis, 0 <= axis < 180, clockwise in the picture from +x.
    The half measures 45.5 mm along this axis and 59 mm across it; towards which of the two
    ends the card's other half lies is not told."""
    colour_p: tuple[float, ...]
    """Calibrated probability of each of `COLOURS`; they add up to 1."""
    face_p: tuple[float, ...]
    """Calibrated probability of each of `FACES`; they add up to 1."""
    found: float = 1.0
    """Probability that a half card lies here at all."""
    seen: float = 1.0
    """Estimated share of the half that is not covered, 0...1."""
    upright_p: tuple[float, ...] = ()
    """For each of `FACES`, were it the face: probability that its top points against the axis
    (to smaller x, or up where the axis is 90 degrees). Empty where that is not told."""

    def moved(self, x_mm: float, y_mm: float, axis_deg: float) -> Half:
        """The same half elsewhere, its axis turned to any angle.

        An axis that was turned past 180 degrees points the other way: what was upright is not.
        """
        turned_over = math.floor(axis_deg / 180.0) % 2 == 1
        upright = tuple(1 - p for p in self.upright_p) if turned_over else self.upright_p
        return replace(self, x_mm=x_mm, y_mm=y_mm, axis_deg=axis_deg % 180.0, upright_p=upright)

    @property
    def colour(self) -> str:
        """The likeliest colour."""
        return PRINT_COLOURS[int(np.argmax(self.colour_p))]

    @property
    def face(self) -> str:
        """The likeliest face."""
        return PRINT_FACES[int(np.argmax(self.face_p))]

    @property
    def label(self) -> str:
        """Likeliest reading in contract notation, such as ``r2``."""
        return self.colour + self.face

    @property
    def confidence(self) -> float:
        """How often a reading such as this one is right in both colour and face."""
        return max(self.colour_p) * max(self.face_p)


class Reader(Protocol):
    """Finds and reads the half cards in a picture of the table.

    One method is the whole seam: tests pass a plain class that answers from a list.
    """

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """Half cards whose centre lies within ``region_mm`` (x0, y0, x1, y1), or anywhere.

        ``image`` is the camera's picture as it came (distortion included); ``plane`` maps it
        to the table. The order of the answer carries no meaning.
        """
        ...
