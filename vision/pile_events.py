"""What happens on a discard pile, as facts."""

from __future__ import annotations

from dataclasses import dataclass

from vision.events import Fact
from vision.facts import Half
from vision.pile import Pile


@dataclass(frozen=True, slots=True)
class PileBegan(Fact):
    """A pile lies where none was known: its first card, or a game that is joined late."""

    pile: Pile


@dataclass(frozen=True, slots=True)
class CardsDiscarded(Fact):
    """One card came onto the pile, or several at once, the lowest first."""

    cards: tuple[Half, ...]
    onto: Half
    """The card that was on top before."""
    pile: Pile
    confidence: float
    """How likely it is that this is what happened, readings of the cards aside."""


@dataclass(frozen=True, slots=True)
class TopTaken(Fact):
    """The top card is gone; what lay below it shows again."""

    card: Half
    pile: Pile
    confidence: float


@dataclass(frozen=True, slots=True)
class PileMoved(Fact):
    """The pile was pushed, straightened or put down again; no card came or went."""

    pile: Pile
    put_aside: bool
    """Whether the top card was put aside, off the others."""


@dataclass(frozen=True, slots=True)
class PileLifted(Fact):
    """The pile lies on the table no more: it is in somebody's hands."""

    pile: Pile
