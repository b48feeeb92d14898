"""Decks as data: how many copies of each card there are, and what a SOLO card counts."""

from __future__ import annotations

from collections.abc import Mapping

from referee.rules.cards import NUMBERS, PLAYABLE_COLOURS, Card, Face, Half, parse_card

Deck = Mapping[str, int]
"""Copies by `Card.key`. A deck that nobody has listed is None: then nothing is ruled on it."""


def make_deck(copies: Mapping[str, int]) -> Deck:
    """A deck from ``{card: copies}``; raises `CardError` for a text that is no card.

    >>> dict(make_deck({"r2/b8": 1, "b8/r2": 1}))
    {'b8/r2': 2}
    """
    deck: dict[str, int] = {}
    for text, count in copies.items():
        key = parse_card(text).key
        deck[key] = deck.get(key, 0) + count
    return deck


def _classic_solo() -> dict[str, int]:
    """SOLO's 112 cards: no zero, everything coloured twice but the swap card."""
    deck: dict[str, int] = {}
    for colour in PLAYABLE_COLOURS:
        for face in "123456789RSD":
            deck[f"{colour}{face}"] = 2
        deck[f"{colour}X"] = 1
    return {**deck, "nP": 4, "kW": 4, "kF": 4}


CLASSIC_SOLO = make_deck(_classic_solo())

DECKS: Mapping[str, Deck | None] = {
    "classic": CLASSIC_SOLO,
    "solo": CLASSIC_SOLO,
    "solomino": None,
}
"""Decks by name. Which 120 cards SOLOmino has no public source tells, so it is None."""

_POINTS = {
    Face.REVERSE: 10,
    Face.SKIP: 20,
    Face.DRAW: 30,
    Face.SWAP: 30,
    Face.WILD: 40,
    Face.PASS: 40,
    Face.WILD_FOUR: 50,
}


def solo_points(card: Card) -> int | None:
    """What a SOLO card left in the hand counts; None where its face was not read.

    >>> [solo_points(parse_card(text)) for text in ("r7", "bX", "kF", "?")]
    [7, 30, 50, None]
    """
    if card.face in NUMBERS:
        return int(card.face)
    return _POINTS.get(card.face)


def cards_of(deck: Deck) -> tuple[Card, ...]:
    """Every card of a deck, in a fixed order.

    >>> len(cards_of(CLASSIC_SOLO))
    112
    """
    return tuple(parse_card(key) for key in sorted(deck) for _ in range(deck[key]))


def every_half(faces: str = "0123456789SRDXPC") -> tuple[Half, ...]:
    """The halves in the four colours, colour by colour."""
    return tuple(Half(colour, Face(face)) for colour in PLAYABLE_COLOURS for face in faces)
