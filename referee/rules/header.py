"""What is agreed before the first card: the game, its players, options and deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.rules.deck import DECKS, Deck, make_deck
from referee.rules.observations import Deal, HandDealt, PileDealt
from referee.rules.options import GameName, Options, parse_options
from referee.rules.state import Setup

PLAYER_COUNTS: Mapping[str, tuple[int, int]] = {"solomino": (2, 6), "solo": (2, 10)}
"""The fewest and the most players of each game."""


@dataclass(frozen=True, slots=True)
class Header:
    """A game's first line.

    >>> Header("solomino", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=103).options.interject
    False
    """

    game: GameName
    players: tuple[str, ...]
    """Names, clockwise as seen from above."""
    first_player: int | None = None
    """None: whoever acts first."""
    given_options: Mapping[str, object] = field(default_factory=dict)
    """The options as the header writes them; what is not named has its default."""
    hands: tuple[HandDealt, ...] = ()
    """One for each player; empty: unknown."""
    draw_pile: PileDealt = None
    """Without the first card of the line."""
    deck: str | Mapping[str, int] | None = None
    """A deck's name, or its cards; None: the game's usual one."""
    seats_assumed: bool = False
    """Nobody said who sits where, and nothing showed it: nobody is accused of acting out of
    turn."""

    @property
    def options(self) -> Options:
        """All options, defaults filled in; raises `OptionError`."""
        return parse_options(self.game, self.given_options)

    def setup(self) -> Setup:
        """What stays the same through all rounds."""
        return Setup(
            self.game, self.players, self.options, self._deck(), seats_assumed=self.seats_assumed
        )

    def deal(self) -> Deal:
        """The first round's deal."""
        hands = self.hands or (None,) * len(self.players)
        return Deal(self.first_player, hands, self.draw_pile)

    def _deck(self) -> Deck | None:
        if self.deck is None or isinstance(self.deck, str):
            return DECKS.get(self.deck or self.game)
        return make_deck(self.deck)
