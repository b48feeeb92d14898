"""What the referee answers: rulings with their violations and effects, and scores."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.rules.state import State


class Violation(StrEnum):
    """What a player did against the rules."""

    NO_MATCH = "no_match"
    NOT_AN_END = "not_an_end"
    NOT_YOUR_TURN = "not_your_turn"
    INTERJECTION_NOT_IDENTICAL = "interjection_not_identical"
    INTERJECTION_DURING_CALL = "interjection_during_call"
    DRAW_OWED = "draw_owed"
    DREW_TOO_FEW = "drew_too_few"
    DREW_TOO_MANY = "drew_too_many"
    CALL_NOT_IDENTICAL = "call_not_identical"
    NO_SHOUT = "no_shout"
    DRAWN_CARD_ONLY = "drawn_card_only"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CARD_NOT_IN_DECK = "card_not_in_deck"
    GAME_OVER = "game_over"
    WRONG_CHOICE = "wrong_choice"
    UNEXPECTED = "unexpected"


class EffectKind(StrEnum):
    """What follows from a move."""

    SKIP = "skip"
    CHANGE_DIRECTION = "change_direction"
    OWE_DRAW = "owe_draw"
    SWAP_HANDS = "swap_hands"
    PASS_HANDS = "pass_hands"
    CALL_FOR_CARD = "call_for_card"
    CHOOSE_COLOUR = "choose_colour"
    PENALTY_DRAW = "penalty_draw"
    WIN = "win"


EFFECT_FIELDS: dict[EffectKind, tuple[str, ...]] = {
    EffectKind.SKIP: ("player",),
    EffectKind.CHANGE_DIRECTION: ("direction",),
    EffectKind.OWE_DRAW: ("player", "count"),
    EffectKind.SWAP_HANDS: ("player", "target"),
    EffectKind.PASS_HANDS: ("direction",),
    EffectKind.CALL_FOR_CARD: ("player",),
    EffectKind.CHOOSE_COLOUR: ("player",),
    EffectKind.PENALTY_DRAW: ("player", "count"),
    EffectKind.WIN: ("players",),
}
"""The fields of `Effect` that each kind has; they are written even where they are None."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that follows from a move; which fields it has, `EFFECT_FIELDS` tells."""

    kind: EffectKind
    player: int | None = None
    count: int | None = None
    direction: str | None = None
    target: int | None = None
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on an observation, or on an earlier omission that it shows."""

    player: int | None
    """Whom the ruling is about; None where it is about nobody."""
    legal: bool | None
    """None: cannot tell; never an accusation."""
    violations: tuple[Violation, ...]
    effects: tuple[Effect, ...]
    rule: str
    """The paragraph of `docs/rulebook.md` that decides, such as ``2.4``."""
    after: State
    """The state after the observation."""
    confidence: float = 1.0
    """How often a ruling on such a reading is right."""


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a round that has ended, once what the players hold is known."""

    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    finished: bool
    """Whether the whole match has ended."""
    winners: tuple[int, ...]
    """Who has won the match; empty while it goes on."""
