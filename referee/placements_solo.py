"""SOLO at the table: from what happened on the discard pile to the contract's observations.

As in `referee.placements` nothing is asked here of what is allowed. What helps to read a card is
the deck's inventory: a wild has no colour, and there is no black 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.draw_visits import DrawVisits
from referee.half_words import READABLE
from referee.likely import CANDIDATES
from referee.rules.cards import Face, parse_card
from referee.rules.deck import CLASSIC_SOLO
from referee.rules.solo import fits
from referee.rules.state import State, Table
from referee.seats import Seats
from vision.events import ArmLeft, Fact
from vision.facts import CARD_MM, PRINT_COLOURS, PRINT_FACES, Half, outline_mm
from vision.hands import Arm
from vision.pile_events import CardsDiscarded, PileBegan, PileLifted, PileMoved, TopTaken

Observation = dict[str, Any]
"""An observation as in the contract, ready for `json.dumps`."""

PRINTED: Final = (*CLASSIC_SOLO, "r0", "y0", "g0", "b0")
"""What one-faced cards may show where no game says which deck lies there: SOLO's cards, and the 0
that its sisters have."""
_ASSUMED_SURE: Final = 0.5
"""How sure it is that a hand which stayed once has taken all cards that its player owed."""


class SoloPlacements:
    """Turns facts into observations; keeps what it must remember to do so."""

    def __init__(
        self, seats: Seats, state: Callable[[], State], deck: Iterable[str] = tuple(CLASSIC_SOLO)
    ) -> None:
        """``state`` tells how the game stands; ``deck`` are the faces that its cards have."""
        self._seats = seats
        self._state = state
        self._labels = tuple(deck)
        self._visits = DrawVisits(seats)
        self._top: str | None = None
        """What was told to lie on top; None before the start."""
        self._gathering = False
        """The pile is in somebody's hands, or its top card lies aside: to be shuffled."""
        self._visited: int | None = None
        """Who was the last to draw, as long as nobody did anything else."""

    def resume(self, top: str) -> None:
        """Go on with a game in which this card lay on top when it was last looked at."""
        self._top = top

    def observe(self, fact: Fact) -> list[Observation]:
        """The observations that a fact completes, in order."""
        if isinstance(fact, ArmLeft):
            self._seats.learn(fact.arm)
        if isinstance(fact, PileBegan):
            return self._began(fact)
        if self._top is None:
            return []  # the cards are dealt, the pile is put down
        match fact:
            case CardsDiscarded():
                return self._laid(fact)
            case TopTaken():
                return self._taken(fact)
            case PileLifted():
                self._gathering = True
            case PileMoved():
                self._moved(fact)
            case ArmLeft():
                return self._left(fact)
        return []

    def preview(self, card: Half, arm: Arm | None) -> Observation | None:
        """How a card that is still being read would be told; nothing is remembered of it."""
        if self._top is None:
            return None
        return {
            "type": "place",
            "player": self._seats.player(arm)[0],
            "card": written(card, self._labels),
        }

    def _began(self, fact: PileBegan) -> list[Observation]:
        card = fact.pile.top
        label = written(card, self._labels)
        before, self._top = self._top, label
        self._visits.forget(fact.arm)
        if before is None:
            return [{"type": "start", "card": label, **_seen(fact, card, 1.0, self._labels)}]
        if before == label:
            return []  # a game that goes on
        seen = _seen(fact, card, 0.0, self._labels)
        return [{"type": "place", "player": None, "card": label, **seen}]

    def _laid(self, fact: CardsDiscarded) -> list[Observation]:
        self._visits.forget(fact.arm, fact.at_s)
        before = [] if fact.arm is None else self._draws(fact.arm, fact.arm.seen_s, fact.arm.seen_s)
        player, sure = self._seats.player(fact.arm)
        before += self._assumed(fact, before)
        self._gathering, self._visited = False, None
        sure *= fact.confidence
        labels = [written(card, self._labels) for card in fact.cards]
        if labels == [self._top] and self._has_no_other(labels[0]):
            return before  # the top card was pushed: there is no twin to lay on it
        deciding = round(sure * self._deciding(fact, labels[0]), 4)
        self._top = labels[-1]
        if len(labels) > 1 and {label[-1] for label in labels} == {labels[0][-1]} - {"?"}:
            # So many of one number or symbol that came at once were laid as a set.
            seen = _seen(fact, fact.cards[-1], sure, self._labels)
            place = {"type": "place", "player": player, "cards": labels, **seen}
            return [*before, {**place, "deciding": deciding}]
        placed = [
            {
                "type": "place",
                "player": player,
                "card": label,
                **_seen(fact, card, sure, self._labels),
            }
            for card, label in zip(fact.cards, labels, strict=True)
        ]
        if len(placed) == 1:
            placed[0]["deciding"] = deciding
        return [*before, *placed]

    def _has_no_other(self, label: str) -> bool:
        """Whether all copies of a card that the deck holds have come to light already."""
        table = self._state().table
        located, deck = table.located, table.setup.deck
        if located is None or deck is None or "?" in label:
            return False
        key = parse_card(label).key
        return located.get(key, 0) >= deck.get(key, 0)

    def _deciding(self, fact: CardsDiscarded, label: str) -> float:
        """How likely the card is one of those to which the rules would say the same: that fit,
        equal the top card, or make the next player draw, as the card does that was read."""
        if "?" in label:
            return 1.0  # the rules know that it was not read
        table = self._state().table
        told = _relations(table, label)
        ranked = guesses(fact.cards[0], self._labels)
        alike = sum(guess.p for guess in ranked if _relations(table, guess.card) == told)
        top = self._top or "?"
        return alike if "?" in top else alike * _share(guesses(fact.onto, self._labels), top)

    def _taken(self, fact: TopTaken) -> list[Observation]:
        self._visits.forget(fact.arm, fact.at_s)
        self._gathering = False  # what seemed lifted was the top card, on its way to a hand
        player, sure = self._seats.player(fact.arm)
        told, self._top = self._top, written(fact.pile.top, self._labels)
        seen = _seen(fact, fact.card, sure * fact.confidence, self._labels)
        return [{"type": "take_back", "player": player, "card": told, **seen}]

    def _moved(self, fact: PileMoved) -> None:
        # Who puts the rest of the pile down at the draw pile draws nothing there.
        self._visits.forget(fact.arm, None if self._gathering else fact.at_s)
        self._gathering = fact.put_aside

    # -- the draw pile

    def _left(self, fact: ArmLeft) -> list[Observation]:
        assert fact.arm is not None
        return self._draws(fact.arm, fact.at_s, fact.reported_s)

    def _draws(self, arm: Arm, at_s: float, reported_s: float) -> list[Observation]:
        if self._gathering:
            self._visits.forget(arm)
            return []
        draws = self._visits.draws(arm, at_s, reported_s)
        if draws:
            self._visited = draws[-1]["player"]
        return draws

    def _assumed(self, fact: Fact, counted: list[Observation]) -> list[Observation]:
        """A hand at the pile may have taken several cards at once: nobody can see how many. If
        its player owed more than were counted, and play goes on, they are taken to be drawn.

        ``counted`` are draws that the state does not know of yet.
        """
        table = self._state().table
        missing = table.owed - sum(draw["count"] for draw in counted)
        if self._visited is None or self._visited != table.turn or missing <= 0:
            return []
        return [
            {
                "type": "draw",
                "player": self._visited,
                "count": missing,
                "t": round(fact.at_s, 3),
                "t_reported": round(fact.reported_s, 3),
                "confidence": _ASSUMED_SURE,
                "assumed": True,
            }
        ]


@dataclass(frozen=True, slots=True)
class Guess:
    """A card that a face may be, and how likely that is."""

    card: str
    p: float


def guesses(face: Half, labels: Iterable[str]) -> tuple[Guess, ...]:
    """The cards of a deck that a face may be, the likeliest first."""
    raw = {label: _of(face, label) for label in labels}
    total = sum(raw.values())
    if total <= 0:
        return ()
    ordered = sorted(raw.items(), key=lambda item: -item[1])
    return tuple(Guess(label, p / total) for label, p in ordered)


def written(face: Half, labels: Iterable[str]) -> str:
    """A card in contract notation, ``?`` for what was not read well enough."""
    ranked = guesses(face, labels)
    if not ranked:
        return "?"
    if ranked[0].p >= READABLE:
        return ranked[0].card
    colour = _marginal(ranked, 0)
    symbol = _marginal(ranked, 1)
    return "?" if colour == symbol == "?" else colour + symbol


def _share(ranked: Iterable[Guess], label: str) -> float:
    return sum(guess.p for guess in ranked if guess.card == label)


def _relations(table: Table, label: str) -> tuple[object, ...]:
    """What the rules ask of a card beside the top card."""
    card = parse_card(label)
    draws = card.face if card.face in (Face.DRAW, Face.WILD_FOUR) else None
    return fits(table, card), card == table.top, draws


def _of(face: Half, label: str) -> float:
    """Probability of a label, colour and face taken as read apart. Guesses that are over fewer
    classes (of a reader that knows half cards only) give nothing to the others."""
    colour, symbol = PRINT_COLOURS.index(label[0]), PRINT_FACES.index(label[1])
    if colour >= len(face.colour_p) or symbol >= len(face.face_p):
        return 0.0
    return face.colour_p[colour] * face.face_p[symbol]


def _marginal(ranked: Iterable[Guess], place: int) -> str:
    """The colour (place 0) or face (place 1) that is likely enough over all guesses."""
    total: dict[str, float] = {}
    for guess in ranked:
        total[guess.card[place]] = total.get(guess.card[place], 0.0) + guess.p
    best = max(total, key=lambda letter: total[letter])
    return best if total[best] >= READABLE else "?"


def _seen(fact: Fact, face: Half, sure: float, labels: Iterable[str]) -> Mapping[str, Any]:
    """What each observation says of when it was seen, where, how sure, and what else it may be."""
    ranked = guesses(face, labels)
    sure *= ranked[0].p if ranked else 0.0
    x, y, reach = face.x_mm, face.y_mm, CARD_MM[1] / 2
    return {
        "t": round(fact.at_s, 3),
        "t_reported": round(fact.reported_s, 3),
        "confidence": round(min(max(sure, 0.0), 1.0), 4),
        "evidence": {
            "frame_s": round(fact.reported_s, 3),
            "region_mm": [round(v, 1) for v in (x - reach, y - reach, x + reach, y + reach)],
            "outline_mm": [
                [round(v, 1) for v in corner] for corner in outline_mm(x, y, face.axis_deg)
            ],
        },
        "candidates": [[guess.card, float(f"{guess.p:.2g}")] for guess in ranked[:CANDIDATES]],
    }
