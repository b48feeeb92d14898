"""The card line as vision knows it: half cards in order, what lies below them, cards beside it.

A card covers the end of the line with one of its halves, so a line of n cards shows n + 1
halves, about 45.5 mm apart. Each shown half has a *place* in the line; what a place covers is
known only to those who saw it before (`vision.line_memory`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.facts import COLOURS, FACES, Half

HALF_MM = 45.5
"""From the centre of a card's half to the centre of its other half."""

CARD_WIDTH_MM = 59.0

UNREAD_COLOUR_P = tuple(1.0 / len(COLOURS) for _ in COLOURS)
UNREAD_FACE_P = tuple(1.0 / len(FACES) for _ in FACES)


@dataclass(frozen=True, slots=True)
class Place:
    """One half of the line, as it lies on top, and the halves that it covers."""

    half: Half
    """Where it lies and what it shows: all readings of it taken together."""
    seen: bool = True
    """Whether the newest reading showed it; else it is remembered or, without memory, inferred
    from the gap that it fills."""
    covered: tuple[Half, ...] = ()
    """Halves below this one that were seen before it covered them, the lowest first."""

    @property
    def label(self) -> str:
        """Reading in contract notation, ``?`` where nothing was ever read here."""
        return "?" if is_unread(self.half) else self.half.label


@dataclass(frozen=True, slots=True)
class LooseCard:
    """A face-up card that is no part of the line: two halves, 45.5 mm apart on one axis."""

    halves: tuple[Half, Half]

    @property
    def x_mm(self) -> float:
        """Centre of the card."""
        return (self.halves[0].x_mm + self.halves[1].x_mm) / 2

    @property
    def y_mm(self) -> float:
        """Centre of the card."""
        return (self.halves[0].y_mm + self.halves[1].y_mm) / 2

    @property
    def label(self) -> str:
        """Reading in contract notation, such as ``r2/b8``."""
        return "/".join(half.label for half in self.halves)


@dataclass(frozen=True, slots=True)
class Line:
    """The line's places from its first end to its last, and the face-up cards beside it.

    Which end comes first is arbitrary where a single picture made the line, and stays as it
    is while the line is followed: index 0 is end 0, index -1 is end 1.
    """

    places: tuple[Place, ...]
    confidence: float
    """Estimated probability that the order and both ends are right (readings aside)."""
    loose: tuple[LooseCard, ...] = ()

    @property
    def ends(self) -> tuple[Half, Half]:
        """The halves that a new card may cover."""
        return self.places[0].half, self.places[-1].half

    @property
    def labels(self) -> tuple[str, ...]:
        """Readings in order, ``?`` where a place was never read."""
        return tuple(place.label for place in self.places)


def unread_half(x_mm: float, y_mm: float, axis_deg: float) -> Half:
    """A half that must lie here but was not seen: every reading is as likely."""
    return Half(x_mm, y_mm, axis_deg % 180.0, UNREAD_COLOUR_P, UNREAD_FACE_P, seen=0.0)


def is_unread(half: Half) -> bool:
    """Whether nothing is known of what the half shows."""
    flat = 1e-6
    return (
        max(half.colour_p) - min(half.colour_p) < flat
        and max(half.face_p) - min(half.face_p) < flat
    )


def centres_mm(halves: tuple[Half, ...] | list[Half]) -> NDArray[np.float64]:
    """Centres as rows, shape (n, 2)."""
    return np.array([[h.x_mm, h.y_mm] for h in halves], dtype=np.float64).reshape(-1, 2)


def axes(halves: tuple[Half, ...] | list[Half]) -> NDArray[np.float64]:
    """Unit vectors along the cards' long axes, shape (n, 2)."""
    angle = np.radians(np.array([h.axis_deg for h in halves], dtype=np.float64))
    return np.column_stack([np.cos(angle), np.sin(angle)])
