"""Whether two readings are of the same half card, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.facts import COLOURS, FACES, Half

AGREES = 1.5
"""Log-odds from which two readings are taken as readings of the same half."""
CONTRADICTS = -2.0
"""Log-odds below which two readings cannot be of the same half."""
READING_FLOOR = 0.02
"""No single reading makes another reading less likely than this."""
MEMORY_FLOOR = 1e-4
"""However often it was read: a memory that the table contradicts must be able to yield."""


def agreement(before: Sequence[Half], after: Sequence[Half]) -> NDArray[np.float64]:
    """Log-odds that halves show the same, shape (before, after); 0 where one is unread."""
    if not before or not after:
        return np.zeros((len(before), len(after)))
    floor = 0.02  # no reading is so sure that it could not be a slip
    colour = np.array([h.colour_p for h in before]) @ np.array([h.colour_p for h in after]).T
    face = np.array([h.face_p for h in before]) @ np.array([h.face_p for h in after]).T
    colour = np.log(np.maximum(colour * len(COLOURS), floor))
    face = np.log(np.maximum(face * len(FACES), floor))
    # A half that covers another often shares its colour or its face: one that agrees does not
    # make up for the other that does not.
    return np.asarray(np.minimum(colour + face, 2 * np.minimum(colour, face)), dtype=np.float64)


def cards_agree(one: Sequence[Half], other: Sequence[Half]) -> float:
    """Log-odds that two cards show the same, by the half that speaks most against it; a card has
    no first half, so both orders are tried."""
    pairs = agreement(one, other)
    return float(max(min(pairs[0, 0], pairs[1, 1]), min(pairs[0, 1], pairs[1, 0])))


def fused(before: Half, after: Half) -> Half:
    """One half from the memory of it and a new reading that is taken to be of the same.

    The probabilities are multiplied, the new ones tempered by how much of the half is seen and
    by a floor: readings of one still view share their errors.
    """
    weight = 0.6 * after.seen
    return replace(
        after,
        colour_p=_product(before.colour_p, after.colour_p, weight),
        face_p=_product(before.face_p, after.face_p, weight),
        found=max(before.found, after.found),
    )


def _product(
    before: tuple[float, ...], after: tuple[float, ...], weight: float
) -> tuple[float, ...]:
    evidence = np.maximum(np.array(after), READING_FLOOR) ** weight
    both = np.array(before) * evidence
    both = np.maximum(both / both.sum(), MEMORY_FLOOR)
    return tuple(float(p) for p in both / both.sum())


def lies_like(first: Half, second: Half, found: Half) -> float:
    """Log-odds that a half lies as the first rather than as the second of two known ones."""

    def off(known: Half) -> float:
        turn = (found.axis_deg - known.axis_deg + 90.0) % 180.0 - 90.0
        apart = float(np.hypot(found.x_mm - known.x_mm, found.y_mm - known.y_mm))
        return (apart / 2.5) ** 2 + min((turn / 4.0) ** 2, 25.0)

    return (off(second) - off(first)) / 2
