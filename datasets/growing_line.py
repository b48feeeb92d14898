"""The line of a filmed game as its cards lie: its ends, its order, how it is moved about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from datasets.film import Point
from datasets.layouts import LaidCard, random_half

Tip = tuple[NDArray[np.float64], str]
"""Where an end of the line lies and what it shows."""

_CALL = "C"


def end_below(laid: Sequence[LaidCard], card: LaidCard) -> str:
    """What a card will cover of a line, given in the order in which it was laid."""
    tips = _tips(laid[0])
    for other in laid[1:]:
        tips[_nearest(other, tips)] = (other.half_centre_mm(0), other.halves[0])
    return tips[_nearest(card, tips)][1]


def from_end_to_end(laid: Sequence[LaidCard]) -> list[int]:
    """The cards of a line as they lie, given in the order in which they were laid."""
    tips, order = _tips(laid[0]), [0]
    for i, card in enumerate(laid[1:], 1):
        end = _nearest(card, tips)
        tips[end] = (card.half_centre_mm(0), card.halves[0])
        order.insert(0 if end == 0 else len(order), i)
    return order


def _tips(card: LaidCard) -> list[Tip]:
    return [(card.half_centre_mm(k), card.halves[k]) for k in (0, 1)]


def _nearest(card: LaidCard, tips: list[Tip]) -> int:
    """Which end a card covers with its second half."""
    covering = card.half_centre_mm(1)
    return int(np.argmin([np.hypot(*(covering - place)) for place, _ in tips]))


def middle(card: LaidCard) -> Point:
    return card.x_mm, card.y_mm


def turned(point: NDArray[np.float64], by_deg: float) -> NDArray[np.float64]:
    angle = np.radians(by_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]])


def carried(card: LaidCard, pivot: Point, turn_deg: float, step: NDArray[np.float64]) -> LaidCard:
    """A card turned about a point, then shifted."""
    x, y = turned(np.array(middle(card)) - np.array(pivot), turn_deg) + np.array(pivot) + step
    return replace(card, x_mm=float(x), y_mm=float(y), angle_deg=card.angle_deg + turn_deg)


def matching(
    rng: np.random.Generator, cards: tuple[LaidCard, ...], *, calls: bool
) -> tuple[LaidCard, ...]:
    """The cards with faces that mostly fit what they cover; one in six does not."""
    draw = partial(_half, rng, calls)
    tips = [(cards[0].half_centre_mm(k), draw()) for k in (0, 1)]
    fitted = [replace(cards[0], halves=(tips[0][1], tips[1][1]))]
    for card in cards[1:]:
        end = _nearest(card, tips)
        covering, below = draw(), tips[end][1]
        if rng.random() < 0.84:
            covering = below[0] + covering[1] if rng.random() < 0.5 else covering[0] + below[1]
        free = draw()
        tips[end] = (card.half_centre_mm(0), free)
        fitted.append(replace(card, halves=(free, covering)))
    return tuple(fitted)


def _half(rng: np.random.Generator, calls: bool) -> str:
    """Any half; without calls for a card where nobody answers them."""
    while True:
        drawn = random_half(rng)
        if calls or drawn[1] != _CALL:
            return drawn
