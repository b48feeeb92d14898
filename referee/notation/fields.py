"""Fields of one line of a record, taken out with a check of what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rules.cards import (
    SOLO_FACES,
    SOLOMINO_FACES,
    UNREAD_CARD,
    Card,
    CardError,
    Colour,
    Half,
    parse_card,
)
from referee.rules.header import Header

Entry = Mapping[str, Any]
"""A line of a record, parsed from JSON."""


class NotationError(ValueError):
    """A line that breaks the contract; says what was expected and what was found."""


class Reader:
    """Takes fields out of one line, checked; raises `NotationError` or `CardError`."""

    def __init__(self, entry: Entry, header: Header | None) -> None:
        self.entry = entry
        self.header = header

    def field(self, name: str) -> Any:
        """A field that must be there."""
        if name not in self.entry:
            raise NotationError(f"expected a field {name!r}, found none")
        return self.entry[name]

    def text(self, name: str) -> str:
        """A text."""
        value = self.field(name)
        if not isinstance(value, str):
            raise NotationError(f"{name}: expected a text, found {value!r}")
        return value

    def number(self, name: str, value: Any, least: int) -> int:
        """A whole number that was found under this name."""
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise NotationError(f"{name}: expected a whole number from {least}, found {value!r}")
        return value

    def player(self, name: str = "player") -> int | None:
        """A player's index, in the game where its header is known; null: nobody saw who."""
        value = self.field(name)
        if value is None:
            return None
        most = len(self.header.players) - 1 if self.header else None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise NotationError(f"{name}: expected a player from 0, found {value!r}")
        if most is not None and value > most:
            raise NotationError(f"{name}: expected a player from 0 to {most}, found {value!r}")
        return value

    def card(self, name: str = "card") -> Card:
        """A card."""
        return self.checked(name, self.field(name))

    def cards(self, name: str = "cards") -> tuple[Card, ...]:
        """A list of cards."""
        value = self.field(name)
        if not isinstance(value, list):
            raise NotationError(f"{name}: expected a list of cards, found {value!r}")
        return tuple([self.checked(name, text) for text in value])

    def checked(self, name: str, text: Any) -> Card:
        """A card, of this game where the header tells which game it is."""
        try:
            card = parse_card(text) if isinstance(text, str) else None
        except CardError as error:
            raise NotationError(f"{name}: {error}") from None
        if card is None:
            raise NotationError(f"{name}: expected a card's text, found {text!r}")
        if self.header and not in_game(card, self.header.game):
            example = "'r2/b8'" if self.header.game == "solomino" else "'r5' or 'kW'"
            raise NotationError(
                f"{name}: expected a {self.header.game} card such as {example}, found {text!r}"
            )
        return card

    def half(self, name: str) -> Half:
        """A half card; null is an unread one."""
        value = self.field(name)
        if value is None:
            return Half.parse("?")
        if not isinstance(value, str):
            raise NotationError(f"{name}: expected a half card such as 'r2', found {value!r}")
        try:
            return Half.parse(value)
        except CardError as error:
            raise NotationError(f"{name}: {error}") from None

    def count_and_cards(self, least: int) -> tuple[int, tuple[Card, ...]]:
        """``count``, ``cards``, or both, then of the same number."""
        cards = self.cards() if self.entry.get("cards") is not None else None
        if cards is None:
            return self.number("count", self.field("count"), least), ()
        count = self.number("count", self.entry.get("count", len(cards)), least)
        if count != len(cards):
            raise NotationError(f"cards: expected {count} of them, found {len(cards)}")
        return count, cards

    def players(self, allowed: tuple[int, int]) -> tuple[str, ...]:
        """A header's names, as many as the game allows."""
        names = self.field("players")
        fewest, most = allowed
        if (
            not isinstance(names, list)
            or not all(isinstance(name, str) for name in names)
            or not fewest <= len(names) <= most
        ):
            raise NotationError(
                f"players: expected {fewest} to {most} names, clockwise, found {names!r}"
            )
        return tuple(names)

    def deck(self) -> str | Mapping[str, int] | None:
        """A header's deck: its name, or its cards with their copies."""
        deck = self.entry.get("deck")
        if deck is None or isinstance(deck, str):
            return deck
        if not isinstance(deck, Mapping):
            raise NotationError(f"deck: expected a name or {{card: copies}}, found {deck!r}")
        for text, copies in deck.items():
            self.checked("deck", text)
            self.number("deck", copies, 0)
        return dict(deck)


def in_game(card: Card, game: str) -> bool:
    """Whether a card so read can be one of this game."""
    if card == UNREAD_CARD:
        return True
    if game == "solo":
        return len(card.halves) == 1 and card.face in SOLO_FACES
    colourless = (Colour.BLACK, Colour.GREY)
    return len(card.halves) == 2 and all(
        half.face in SOLOMINO_FACES and half.colour not in colourless for half in card.halves
    )
