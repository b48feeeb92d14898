"""What can be seen at a table: one frozen class for each type of observation.

``player`` is an index into the game's players, clockwise; ``None`` where nobody saw who it
was. When something was seen, and how sure the reading is, belongs to the log's entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import Card, Half


@dataclass(frozen=True, slots=True)
class Deal:
    """A further round begins."""

    first_player: int | None
    hands: tuple[HandDealt, ...]
    draw_pile: PileDealt


@dataclass(frozen=True, slots=True)
class Start:
    """The first card of the line (SOLO: of the discard pile)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Place:
    """A card is laid: in SOLOmino ``cover`` lies on ``onto``, in SOLO the last card is on top."""

    player: int | None
    cards: tuple[Card, ...]
    """One card; SOLO: three or more of a number laid at once, in the order laid."""
    onto: Half | None = None
    """SOLOmino: the half of the line's end that is covered."""
    cover: Half | None = None
    """SOLOmino: the half of the new card that covers it (written ``with``)."""
    colour: str | None = None
    """SOLO: the colour called with the card, as it was called."""

    @property
    def card(self) -> Card:
        """The card laid (of several: the first)."""
        return self.cards[0]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The card just laid is taken back into the hand."""

    player: int | None
    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards taken from the draw pile into the hand."""

    player: int | None
    count: int
    cards: tuple[Card, ...] = ()
    """The cards in the order drawn, where known; else empty."""


@dataclass(frozen=True, slots=True)
class ChoosePlayer:
    """With whom a hand is swapped."""

    player: int | None
    target: int


@dataclass(frozen=True, slots=True)
class ChooseDirection:
    """Where all hands are passed: ``left`` (clockwise) or ``right``, as it was said."""

    player: int | None
    direction: str


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """The colour called after a wild, as it was called."""

    player: int | None
    colour: str


@dataclass(frozen=True, slots=True)
class CallReveal:
    """Call for a card: the card turned up in front of the next player."""

    card: Card


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """A card laid on the call pile; ``cover`` (written ``with``) is the half that answers."""

    player: int | None
    card: Card
    cover: Half


@dataclass(frozen=True, slots=True)
class CallTake:
    """The player takes the call pile."""

    player: int | None


@dataclass(frozen=True, slots=True)
class Shout:
    """ "SOLOmino!" or "SOLO!" called."""

    player: int | None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The player is done."""

    player: int | None


@dataclass(frozen=True, slots=True)
class HandLeft:
    """What a player still holds at the end of a round."""

    player: int
    count: int
    cards: tuple[Card, ...] = ()
    """The cards where they were laid open; else empty."""


@dataclass(frozen=True, slots=True)
class Stated:
    """How things stand, as somebody at the table says; None: as it was."""

    ends: tuple[Half, Half] | None = None
    """SOLOmino: the two ends of the line."""
    top: Card | None = None
    """SOLO: the top card of the discard pile."""
    colour: str | None = None
    """SOLO: the colour in force."""
    turn: int | None = None
    direction: str | None = None
    """``left`` (clockwise) or ``right``."""
    must_draw: int | None = None
    """What whoever is on turn owes from draw actions."""
    hands: tuple[int | None, ...] | None = None
    """How many cards each player holds; None for a hand that is as it was."""
    draw_pile: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The round is broken off."""


HandDealt = int | tuple[Card, ...] | None
"""A hand as dealt: how many cards, unknown, or the cards themselves."""

PileDealt = int | tuple[Card, ...] | None
"""A draw pile: how many cards, unknown, or the cards themselves, the top one first."""

Observation = (
    Deal
    | Start
    | Place
    | TakeBack
    | Draw
    | ChoosePlayer
    | ChooseDirection
    | ChooseColour
    | CallReveal
    | CallAnswer
    | CallTake
    | Shout
    | EndTurn
    | HandLeft
    | Stated
    | End
)
