"""The state of a game: `State` never changes; `Table` is the working copy behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from referee.rules.cards import Card, Colour, Half
from referee.rules.deck import Deck
from referee.rules.hands import Hand, Pile
from referee.rules.options import GameName, Options, SolominoOptions
from referee.rules.rulings import Score

LEFT, RIGHT = 1, -1
"""Directions of play as steps through the players, who sit clockwise."""


def direction_name(direction: int) -> str:
    """``left`` (clockwise) or ``right``."""
    return "left" if direction == LEFT else "right"


class Phase(Enum):
    """Where in a round the game is."""

    START = "start"
    """Dealt; the first card is not turned up yet."""
    PLAY = "play"
    OVER = "over"


class Choice(Enum):
    """A decision that a card leaves to whoever laid it."""

    PLAYER = "player"
    DIRECTION = "direction"
    COLOUR = "colour"


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same through all rounds of a match."""

    game: GameName
    players: tuple[str, ...]
    """Names, clockwise as seen from above."""
    options: Options
    deck: Deck | None
    seats_assumed: bool = False
    """As `Header.seats_assumed`."""
    solomino: SolominoOptions = field(init=False, repr=False, compare=False)
    """The options where the game is SOLOmino (else SOLOmino's defaults, unused)."""

    def __post_init__(self) -> None:
        own = self.options if isinstance(self.options, SolominoOptions) else SolominoOptions()
        object.__setattr__(self, "solomino", own)


@dataclass(frozen=True, slots=True)
class Call:
    """An open call for a card."""

    caller: int | None
    pile: tuple[Card, ...] = ()
    """The call pile, its top card last; empty until the first card is turned up."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """Choices that are open; whoever is on turn must make them."""

    open: tuple[Choice, ...]
    heir: int | None
    """Who takes the next turn, and any debt of draws."""
    called: bool
    """Whether the chooser had called out before the move that brought the choice."""


@dataclass
class Table:
    """The working copy of a state: only the step that made it may change it.

    Every value in it is immutable, so that a shallow copy is a copy.
    """

    setup: Setup
    round: int
    phase: Phase
    hands: tuple[Hand, ...]
    pile: Pile
    turn: int | None
    direction: int = LEFT
    ends: tuple[Half, ...] = ()
    """SOLOmino: the two ends of the line."""
    top: Card | None = None
    """SOLO: the top card of the discard pile."""
    colour: Colour | None = None
    """SOLO: the colour in force; None where anything follows, '?' where it was not heard."""
    discards: int = 0
    """SOLO: cards on the discard pile, the top one included."""
    owed: int = 0
    """Draws owed from draw actions by whoever takes the turn."""
    began: bool = False
    """Whether the player on turn has done anything yet."""
    drew_owed: bool = False
    """Whether the player on turn has taken cards owed."""
    drawn: tuple[Card, ...] = ()
    """What the player on turn took as the normal draw; empty: has not drawn yet."""
    held_before: Hand | None = None
    """The hand of the player on turn before the normal draw."""
    robbed: tuple[int, ...] = ()
    """Players whose turn was taken: they may act next without a fault."""
    choosing: Choosing | None = None
    call: Call | None = None
    mover: int | None = None
    """Who laid the last card."""
    unshouted: int | None = None
    """Who is down to one card and has not called out yet."""
    shouted: tuple[int, ...] = ()
    """Who has called out since anybody else acted."""
    penalties: tuple[int, ...] = ()
    """Penalty cards due, for each player."""
    turn_in_doubt: bool = False
    """The last card laid may bear an action that was not read: whose turn it is, is a guess."""
    excused: bool = False
    """The player on turn has been ruled on already for what he failed to draw."""
    located: Mapping[str, int] | None = None
    """Copies of each card whose place is known; None where the deck is not."""
    from_line: tuple[int, int] = (0, 0)
    """Player and number of cards to be taken from the line after the pile ran out."""
    winners: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    """Points before this round."""
    left: tuple[int | None, ...] = ()
    """Points of what each player was seen to hold at the end of the round."""
    score: Score | None = None
    """The score of the last round that was counted."""

    def copy(self) -> Table:
        """A table that may be changed without changing this one."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        return twin

    def after(self, player: int, steps: int = 1) -> int:
        """Who sits so many places further in the direction of play."""
        return (player + steps * self.direction) % len(self.hands)

    def hold(self, player: int, hand: Hand) -> None:
        """Give a player another hand."""
        hands = list(self.hands)
        hands[player] = hand
        self.hands = tuple(hands)

    def give_turn(self, player: int | None) -> None:
        """A player's turn begins; debts stay with the turn."""
        self.turn = player
        self.began = self.drew_owed = self.excused = False
        self.drawn = ()
        self.held_before = None


class Placed(NamedTuple):
    """The placement that a `take_back` may undo, and the table from before it."""

    before: Table
    player: int
    card: Card
    excused: bool = False
    """Whether it was ruled already that the player on turn before had drawn too few."""


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment. States compare equal where the same facts hold."""

    table: Table
    """All facts, to be read only; `Table` documents them."""
    placed: Placed | None = field(default=None, compare=False)
    """What the last observation laid, if it laid a card."""

    @property
    def setup(self) -> Setup:
        """Game, names, options, deck."""
        return self.table.setup

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None before anybody has acted, and after the round."""
        return self.table.turn

    @property
    def direction(self) -> str:
        """``left`` (clockwise) or ``right``."""
        return direction_name(self.table.direction)

    @property
    def drew(self) -> bool:
        """Whether the player on turn has taken the normal draw."""
        return bool(self.table.drawn)

    @property
    def must_draw(self) -> int:
        """How many cards whoever is on turn owes from draw actions."""
        return 0 if self.table.choosing else self.table.owed

    @property
    def hands(self) -> tuple[int | None, ...]:
        """How many cards each player holds; None where unknown."""
        return tuple([hand.count for hand in self.table.hands])

    @property
    def draw_pile(self) -> int | None:
        """How many cards the draw pile has; None where unknown."""
        return self.table.pile.count

    @property
    def ends(self) -> tuple[Half | Card, ...]:
        """The two ends of the line; SOLO: the top card alone; empty before the start."""
        if self.table.top is not None:
            return (self.table.top,)
        return self.table.ends

    @property
    def colour(self) -> str | None:
        """SOLO: the colour in force; None after a rotation, and until one is called."""
        colour = self.table.colour
        return None if colour in (None, Colour.UNKNOWN) else str(colour)

    @property
    def finished(self) -> bool:
        """Whether the round has ended."""
        return self.table.phase is Phase.OVER

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the round."""
        return self.table.winners

    @property
    def score(self) -> Score | None:
        """The score of the last round that could be counted."""
        return self.table.score
