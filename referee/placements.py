"""From what happened on the table to what was done in the game: the contract's observations.

Facts come in order from `vision.watch`. Here they get a player, by the side from which the arm
came, and a meaning: an arm that goes to the draw pile and back has drawn, a face-up card
beside the line after a call for a card is the call pile. Whether anything was allowed is not
asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, degrees, hypot, prod
from typing import Any, Final

from referee.draw_visits import DrawVisits
from referee.half_words import (
    answer_confidence,
    as_stated,
    comparison_confidence,
    identity_confidence,
    probability,
    written,
)
from referee.likely import likely_cards
from referee.seats import Seats
from vision.events import (
    ArmLeft,
    CardLaid,
    CardTaken,
    Fact,
    LineBegan,
    LooseGone,
    LooseLaid,
    OutOfSync,
)
from vision.facts import CARD_MM, Half, outline_mm
from vision.hands import Arm
from vision.line import Line, LooseCard
from vision.line_facts import apart_mm, reads_alike
from vision.line_steps import Laid
from vision.same_half import CONTRADICTS, cards_agree
from vision.witness import SAME_CARD_MM

Observation = dict[str, Any]
"""An observation as in the contract, ready for `json.dumps`."""

_APART_OFF_MM: Final = 12.0
"""A card's two halves lie half a card apart, to within this; others were not seen as they lie."""
CALL: Final = "C"
"""The face that calls for a card."""
_CALL_PATIENCE_S: Final = 10.0
"""A visit to the draw pile after a call for a card is no draw if a card is turned up so soon."""


@dataclass(slots=True)
class Call:
    """A call for a card that is under way."""

    since_s: float
    top: LooseCard | None = None
    """The card on top of the call pile; None until one was turned up."""
    taker: Arm | None = None
    taken_by: int | None = None
    """Number of the arm that holds the pile, as long as it is over the table."""


class Placements:
    """Turns facts into observations; keeps what it must remember to do so."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        self._ends: list[list[str]] | None = None
        """For each end what was told to lie there, the newest last; None before the start."""
        self._stated = [False, False]
        """Whether an operator stated what lies at that end now."""
        self._call: Call | None = None
        self._visits = DrawVisits(seats)
        self._held: list[Observation] = []
        """Draws that may turn out to be the reveal of a call."""
        self._resumed = False
        """Whether the line that begins is one that was told before."""

    def resume(self, ends: Sequence[str]) -> None:
        """Go on with a game whose line had these two ends when it was last looked at."""
        self._ends = [[label] for label in ends]
        self._resumed = True

    def observe(self, fact: Fact) -> list[Observation]:
        """The observations that a fact completes, in order."""
        if isinstance(fact, ArmLeft):
            self._seats.learn(fact.arm)
        if isinstance(fact, LineBegan):
            resumed, self._resumed = self._resumed, False
            if not resumed:
                return self._began(fact)
            return [one for one in self._resync(fact) if one["onto"] != "?"]
        if self._ends is None:
            return []  # the cards are dealt, the pile is put down
        match fact:
            case CardLaid():
                return self._laid(fact)
            case CardTaken():
                return self._release() + self._taken(fact)
            case LooseLaid():
                return self._loose_laid(fact)
            case LooseGone():
                return self._loose_gone(fact)
            case ArmLeft():
                return self._left(fact)
            case OutOfSync():
                return self._release() + self._resync(fact)
        return []

    def restate(self, before: Sequence[str], now: Sequence[str]) -> None:
        """The log's ends are others since an operator corrected it: what is told from now on
        starts from them, whatever the camera reads there.

        ``before`` and ``now`` are the two ends in contract notation; ``?`` states nothing.
        """
        if self._ends is None or len(now) != 2:
            return
        told = (self._ends[0][-1], self._ends[1][-1])
        was = before if len(before) == 2 else now
        # The log's first end may be the second one here.
        one, other = (_agreement(told, now[::way]) for way in (1, -1))
        if (other, _agreement(told, was[::-1])) > (one, _agreement(told, was)):
            now = now[::-1]
        for end, label in enumerate(now):
            if label != told[end] and "?" not in label:
                self._ends[end][-1] = label
                self._stated[end] = True

    # -- the line

    def _began(self, fact: LineBegan) -> list[Observation]:
        first, last = fact.line.ends
        self._ends = [[label] for label in _labels(fact.line)]
        self._stated = [False, False]
        self._visits.forget(fact.arm)
        sure = fact.line.confidence * first.confidence * last.confidence
        seen = _seen(fact, [first, last], sure)
        # The end at the left of the picture first (the upper one of a card that lies upright),
        # so that whoever shows the ends in the record's order shows them as the camera does.
        left, right = _as_seen(first, last)
        observation = {
            "type": "start",
            "card": f"{written(left)}/{written(right)}",
            **seen,
            "candidates": likely_cards([left, right]),
        }
        if len(fact.line.places) > 2:
            # A game that is joined late: its two ends are all that matters from here on.
            observation["joined"] = True
        return [observation]

    def _laid(self, fact: CardLaid) -> list[Observation]:
        assert self._ends is not None
        self._visits.forget(fact.arm, fact.at_s)
        before = self._draws_before(fact.arm)
        laid = fact.laid
        player, sure = self._seats.player(fact.arm)
        sure *= laid.confidence
        cover, free = written(laid.covering), written(laid.free)
        onto = self._told_at(laid.end, laid.covered)
        covered = laid.covered
        if laid.end is not None and self._stated[laid.end]:
            covered = as_stated(covered, onto)
        deciding = sure * comparison_confidence(covered, onto, laid.covering, cover)
        deciding *= answer_confidence(laid.covering) * answer_confidence(laid.free)
        sure *= laid.covering.confidence * laid.free.confidence * probability(covered, onto)
        if laid.end is not None:
            self._ends[laid.end].append(free)
            self._stated[laid.end] = False
        if CALL in cover + free:
            self._call = Call(fact.at_s)
        observation = {
            "type": "place",
            "player": player,
            "card": f"{cover}/{free}",
            "onto": onto,
            "with": cover,
            **_laid(fact, laid.covering, laid.free, sure),
            "deciding": round(deciding, 4),
            "candidates": likely_cards([laid.covering, laid.free]),
        }
        return [*before, observation]

    def _taken(self, fact: CardTaken) -> list[Observation]:
        assert self._ends is not None
        self._visits.forget(fact.arm, fact.at_s)
        taken = fact.taken
        player, sure = self._seats.player(fact.arm)
        told = self._ends[taken.end]
        told.pop()
        self._stated[taken.end] = False
        if not told:
            told.append(_labels(fact.line)[taken.end])
        if CALL in written(taken.covering) + written(taken.free):
            self._call = None
        return [
            {
                "type": "take_back",
                "player": player,
                "card": f"{written(taken.covering)}/{written(taken.free)}",
                **_seen(fact, [taken.covering, taken.free], sure * taken.confidence),
            }
        ]

    def _resync(self, fact: OutOfSync | LineBegan) -> list[Observation]:
        """The table is the truth: what lies at the ends now was laid, nobody knows how."""
        if fact.line is None or self._ends is None:
            return []
        before, now = (self._ends[0][-1], self._ends[1][-1]), _labels(fact.line)
        if _agreement(before, now[::-1]) > _agreement(before, now):
            now = now[::-1]
        # From here on the line's own first end is end 0.
        self._ends = [[label] for label in _labels(fact.line)]
        self._stated = [False, False]
        return [
            {
                "type": "place",
                "player": None,
                "card": f"?/{new}",
                "onto": old,
                "with": "?",
                **_seen(fact, list(fact.line.ends), 0.0),
            }
            for old, new in zip(before, now, strict=True)
            if old != new
        ]

    def _told_at(self, end: int | None, covered: Half) -> str:
        """What a covered half is called: as it was told when it came, even if later readings
        say otherwise; they then speak against the placement being so."""
        assert self._ends is not None
        told = "?" if end is None else self._ends[end][-1]
        return written(covered) if "?" in told else told

    def preview(self, laid: Laid, arm: Arm | None) -> Observation | None:
        """How a card that is still being read would be told; nothing is remembered of it."""
        if self._ends is None:
            return None
        cover = written(laid.covering)
        return {
            "type": "place",
            "player": self._seats.player(arm)[0],
            "card": f"{cover}/{written(laid.free)}",
            "onto": self._told_at(laid.end, laid.covered),
            "with": cover,
        }

    # -- the draw pile

    def _left(self, fact: ArmLeft) -> list[Observation]:
        assert fact.arm is not None
        if self._call is not None and self._call.taken_by == fact.arm.number:
            return self._call_taken(fact.at_s, fact.reported_s)
        draws = self._visits.draws(fact.arm, fact.at_s, fact.reported_s)
        # The card that is to be turned up comes from the draw pile, whoever else reaches about.
        if self._call is not None and self._call.top is None and (draws or self._held):
            if fact.at_s - self._call.since_s < _CALL_PATIENCE_S:
                self._held += draws
                return []
            self._call = None
        return self._release() + draws

    def _draws_before(self, arm: Arm | None) -> list[Observation]:
        """Draws that came before a card was laid: held ones, and of the same reach."""
        if arm is None:
            return self._release()
        return self._release() + self._visits.draws(arm, arm.seen_s, arm.seen_s)

    def _release(self) -> list[Observation]:
        held, self._held = self._held, []
        return held

    # -- the call for a card

    def _loose_laid(self, fact: LooseLaid) -> list[Observation]:
        call = self._call
        if call is None or fact.arm is None:
            return []
        if call.top is None:
            call.top = fact.card
            self._held.clear()
            self._visits.forget(fact.arm)
            card = f"{written(fact.card.halves[0])}/{written(fact.card.halves[1])}"
            sure = _product(fact.card.halves)
            return [
                {
                    "type": "call_reveal",
                    "card": card,
                    **_seen(fact, list(fact.card.halves), sure),
                    "candidates": likely_cards(fact.card.halves),
                }
            ]
        if reads_alike(fact.card, call.top):
            call.top, call.taken_by = fact.card, None  # passed on to the next player
            return []
        return self._answered(fact, call)

    def _answered(self, fact: LooseLaid, call: Call) -> list[Observation]:
        assert call.top is not None
        player, sure = self._seats.player(fact.arm)
        below = {written(half) for half in call.top.halves}
        halves = sorted(fact.card.halves, key=lambda half: written(half) not in below)
        cover, free = written(halves[0]), written(halves[1])
        deciding = sure * identity_confidence(halves, call.top.halves)
        call.top, call.taken_by = fact.card, None
        self._visits.forget(fact.arm)
        return [
            {
                "type": "call_answer",
                "player": player,
                "card": f"{cover}/{free}",
                "with": cover,
                **_seen(fact, list(fact.card.halves), sure * _product(fact.card.halves)),
                "deciding": round(deciding, 4),
                "candidates": likely_cards(halves),
            }
        ]

    def _loose_gone(self, fact: LooseGone) -> list[Observation]:
        call = self._call
        if call is None or call.top is None or not _may_be(fact.card, call.top):
            return []
        if fact.arm is None or fact.arm.left_s is not None:
            call.taker = fact.arm
            return self._call_taken(fact.at_s, fact.reported_s)
        # It may lay the pile down in front of the next player: wait until it has gone.
        call.taker, call.taken_by = fact.arm, fact.arm.number
        return []

    def _call_taken(self, at_s: float, reported_s: float) -> list[Observation]:
        assert self._call is not None and self._call.top is not None
        player, sure = self._seats.player(self._call.taker)
        self._visits.forget(self._call.taker)
        fact = Fact(at_s, reported_s, self._call.taker)
        seen = _seen(fact, list(self._call.top.halves), 0.95 * sure)
        self._call = None
        return [{"type": "call_take", "player": player, **seen}]


def _as_seen(one: Half, other: Half) -> tuple[Half, Half]:
    """Two halves as one reads: from the left to the right, or downwards."""
    across = abs(one.x_mm - other.x_mm) >= abs(one.y_mm - other.y_mm)
    in_order = one.x_mm <= other.x_mm if across else one.y_mm <= other.y_mm
    return (one, other) if in_order else (other, one)


def _labels(line: Line) -> tuple[str, str]:
    return written(line.ends[0]), written(line.ends[1])


def _agreement(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


def _product(halves: Iterable[Half]) -> float:
    return prod(half.confidence for half in halves)


def _may_be(gone: LooseCard, top: LooseCard) -> bool:
    """Whether a card that is gone was the call pile's: it may have been read otherwise since."""
    there = apart_mm(gone, top) < SAME_CARD_MM
    return reads_alike(gone, top) or (there and cards_agree(gone.halves, top.halves) > CONTRADICTS)


def _laid(fact: Fact, covering: Half, free: Half, sure: float) -> Observation:
    """What a placement says of it: also how the card lies, where both halves were seen apart."""
    seen = _seen(fact, [covering, free], sure)
    x, y = free.x_mm - covering.x_mm, free.y_mm - covering.y_mm
    if abs(hypot(x, y) - CARD_MM[1] / 2) < _APART_OFF_MM:
        middle = covering.x_mm + x / 2, covering.y_mm + y / 2
        corners = outline_mm(*middle, degrees(atan2(y, x)))
        seen["evidence"]["outline_mm"] = [[round(v, 1) for v in corner] for corner in corners]
    return seen


def _seen(fact: Fact, halves: Sequence[Half], sure: float) -> Observation:
    """What each observation says of when it was seen, where, and how sure."""
    x = [half.x_mm for half in halves]
    y = [half.y_mm for half in halves]
    margin = CARD_MM[0] / 2
    region = (min(x) - margin, min(y) - margin, max(x) + margin, max(y) + margin)
    return {
        "t": round(fact.at_s, 3),
        "t_reported": round(fact.reported_s, 3),
        "confidence": round(min(max(sure, 0.0), 1.0), 4),
        "evidence": {
            "frame_s": round(fact.reported_s, 3),
            "region_mm": [round(v, 1) for v in region],
        },
    }
