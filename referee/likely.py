"""Which cards two halves may be, the likeliest first: what whoever corrects a reading is offered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Final

from vision.facts import PRINT_COLOURS, PRINT_FACES, Half
from vision.line import is_unread

CANDIDATES: Final = 6
"""How many cards are offered."""
_PER_HALF: Final = 4


def likely_cards(halves: Sequence[Half], most: int = CANDIDATES) -> list[list[str | float]]:
    """Cards as ``[card, probability]`` in contract notation, the likeliest first.

    The halves keep their order. A half that was never read is ``?`` in all of them. Unlikely
    cards are among them too: a sure reading may be wrong all the same.
    """
    cards = product(*[likely_halves(half) for half in halves])
    ranked = sorted(
        (("/".join(label for label, _ in card), prod(p for _, p in card)) for card in cards),
        key=lambda one: -one[1],
    )
    return [[card, float(f"{p:.2g}")] for card, p in ranked[:most]]


def likely_halves(half: Half, most: int = _PER_HALF) -> list[tuple[str, float]]:
    """What a half may show, the likeliest first."""
    if is_unread(half):
        return [("?", 1.0)]
    # The classes of one-faced cards begin with those of half cards, which have fewer.
    each = [
        (colour + face, colour_p * face_p)
        for colour, colour_p in zip(PRINT_COLOURS, half.colour_p, strict=False)
        for face, face_p in zip(PRINT_FACES, half.face_p, strict=False)
    ]
    return sorted(each, key=lambda one: -one[1])[:most]
