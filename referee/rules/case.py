"""The case at hand: one observation, the table that it changes, and what is found in it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import Card, Face
from referee.rules.rulings import Effect, EffectKind, Ruling, Violation
from referee.rules.state import Phase, Placed, State, Table

SURE = 0.9
"""A reading that is right less often than this accuses nobody."""

_OUT_OF_TURN = (Violation.NOT_YOUR_TURN, Violation.INTERJECTION_NOT_IDENTICAL)
_BY_HANDS_ALONE = (
    Violation.DRAW_OWED,
    Violation.DREW_TOO_FEW,
    Violation.DREW_TOO_MANY,
    Violation.NO_SHOUT,
)
"""What no card on the table shows: only whoever watched all the time knows of it."""


@dataclass(frozen=True, slots=True)
class Omission:
    """What somebody had failed to do, as the observation at hand shows."""

    player: int
    violation: Violation
    rule: str
    effects: tuple[Effect, ...] = ()


class Case:
    """Collects what one observation changes and what is found in it; lives for one step."""

    __slots__ = (
        "before",
        "blind_before",
        "confidence",
        "doubtful",
        "effects",
        "omissions",
        "placed",
        "player",
        "rule",
        "solo",
        "table",
        "violations",
    )

    def __init__(self, before: State, confidence: float, *, blind_before: bool = False) -> None:
        self.before = before
        self.blind_before = blind_before
        self.table: Table = before.table.copy()
        self.solo = self.table.setup.game == "solo"
        self.confidence = confidence
        self.player: int | None = None
        self.rule = ""
        """The paragraph that decides, as far as it is known yet."""
        self.doubtful = False
        self.violations: list[Violation] = []
        self.effects: list[Effect] = []
        self.omissions: list[Omission] = []
        self.placed: Placed | None = None

    @property
    def sure(self) -> bool:
        """Whether the reading is sure enough to accuse anybody."""
        return self.confidence >= SURE

    @property
    def sure_of_omissions(self) -> bool:
        """Whether it is sure enough that what was not seen was not done."""
        return self.sure and not self.blind_before

    def cite(self, solomino: str, solo: str) -> None:
        """Name the paragraph that decides, if nothing was found against the move."""
        if not self.violations and not self.doubtful:
            self.rule = solo if self.solo else solomino

    def flag(self, violation: Violation, rule: str) -> None:
        """Find a violation; the first one's paragraph is the ruling's.

        Whoever acts out of a turn that nobody can tell is not accused of it, nor is anybody whose
        seat is assumed. Where nobody watched for a while, what hands did is not known.
        """
        table = self.before.table
        in_doubt = table.turn_in_doubt or table.setup.seats_assumed or self.blind_before
        unseen = violation in _BY_HANDS_ALONE and self.blind_before
        if unseen or (violation in _OUT_OF_TURN and in_doubt):
            self.doubt("1.10")
            return
        if not self.violations:
            self.rule = rule
        self.violations.append(violation)

    def doubt(self, rule: str) -> None:
        """Find that nobody can tell."""
        if not self.violations and not self.doubtful:
            self.rule = rule
        self.doubtful = True

    def omit(self, omission: Omission) -> None:
        """Find an earlier omission; it is ruled on before the observation itself."""
        self.omissions.append(omission)

    def must_be_in_play(self) -> bool:
        """Whether the round is on; where it is not, flag the observation."""
        phase = self.table.phase
        if phase is Phase.PLAY:
            return True
        if phase is Phase.OVER:
            self.flag(Violation.GAME_OVER, "5.2")
        else:
            self.flag(Violation.UNEXPECTED, "1.11")
        return False

    def actor(self, player: int | None) -> int:
        """Who did it; where nobody saw who, whoever might do it without a fault."""
        table = self.table
        if player is None:
            self.doubt("1.10")
            player = 0 if table.turn is None else table.turn
            if table.drawn:
                player = table.after(player)
        self.player = player
        return player

    def locate(self, card: Card) -> None:
        """A copy of a card comes to light: are there so many in the deck?"""
        located, deck = self.table.located, self.table.setup.deck
        if located is None or deck is None or not card.known:
            return
        copies = located.get(card.key, 0) + 1
        if copies > deck.get(card.key, 0):
            self.flag(Violation.CARD_NOT_IN_DECK, "1.12")
        self.table.located = {**located, card.key: copies}

    def remember_placed(self, player: int, card: Card) -> None:
        """Keep what a `take_back` needs."""
        excused = bool(self.omissions) and any(
            found.violation is Violation.DREW_TOO_FEW and found.player != player
            for found in self.omissions
        )
        self.placed = Placed(self.before.table, player, card, excused)
        unread = any(half.face is Face.UNKNOWN for half in card.halves)
        self.table.turn_in_doubt = unread or not self.sure

    def take_from_hand(self, player: int, card: Card) -> None:
        """A card leaves a hand: could it be there?"""
        hand = self.table.hands[player]
        if hand.known or hand.count == 0:
            if not hand.may_hold(card):
                self.flag(Violation.CARD_NOT_IN_HAND, "1.12")
            elif card not in hand.known:
                self.locate(card)
        elif self.table.located is not None:
            self.locate(card)
        self.table.hold(player, hand.without(card))

    def take_from_pile(self, count: int, seen: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """Cards leave the draw pile; returns them, ``?`` for each unknown one."""
        pile = self.table.pile
        expected = pile.top(count)
        self.table.pile = pile.without(count)
        if not seen:
            return expected
        for card, top in zip(seen, expected, strict=True):
            if not top.known:
                self.locate(card)
        return seen

    def rulings(self, after: State) -> tuple[Ruling, ...]:
        """All rulings, those on earlier omissions first."""
        legal: bool | None = None if self.doubtful else True
        violations: tuple[Violation, ...] = ()
        if self.violations:
            legal = None
            if self.sure:
                legal, violations = False, tuple(self.violations)
        own = Ruling(
            self.player,
            legal,
            violations,
            tuple(self.effects),
            self.rule,
            after,
            self.confidence,
        )
        if not self.omissions:
            return (own,)
        return (*[self._ruling_on(omission, after) for omission in self.omissions], own)

    def _ruling_on(self, omission: Omission, after: State) -> Ruling:
        sure = self.sure_of_omissions
        return Ruling(
            omission.player,
            False if sure else None,
            (omission.violation,) if sure else (),
            omission.effects if sure else (),
            omission.rule,
            after,
            self.confidence,
        )

    def win(self, winners: tuple[int, ...]) -> None:
        """Announce who has won the round."""
        self.table.winners = winners
        if winners:
            self.effects.append(Effect(EffectKind.WIN, players=winners))
