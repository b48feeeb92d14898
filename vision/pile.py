"""The discard pile as vision knows it: the cards that were seen on top, and what became of them.

Of a pile only the top card is sure to show, and rims of what lies below it. So the pile is kept
as state: what was seen stays below what covered it. Two things look alike at first: an identical
card that is laid on the top card, and the top card pushed a little. What tells them apart is the
*rest* of the old top card, where the new place does not cover it: under a new card it lies there
as before, while a card that was pushed has left it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import hypot
from typing import Final, Protocol

from vision.facts import Half
from vision.same_half import AGREES, CONTRADICTS, agreement, fused

REACH_MM: Final = 110.0
"""A face farther from the top card's middle lies beside the pile, not on it."""
_ON_MM: Final = 80.0
"""A card so near to the top card lies on it, even where both faces show."""
_PLACE_MM: Final = 4.0
_PLACE_DEG: Final = 5.0
"""A face nearer and less turned than this lies where a remembered one lay."""
_LEFT: Final = 0.6
_STAYED: Final = 0.85
"""Of the rest of the old top card, the share that looks as before, if it was pushed or stayed."""
_UNTOUCHED: Final = 0.98
"""A place that looks as before to this share shows no card that was not there."""
_STILL: Final = 0.9
"""A new card beside the top card changes more than this leaves as it was."""
_SEEN: Final = 0.7
"""A card on top is seen to more than this share."""
_REMEMBERED: Final = 12
"""So many cards below the top are remembered; nobody takes back more."""
_SEEN_CARRIED: Final = 0.95
"""How sure it is that a card was laid or taken though the pile looks as if it was touched."""
_AWAY_MM: Final = 60.0
"""A top card pushed farther than this was put aside: it covers little of where it lay."""


class PileChange(StrEnum):
    """What became of the pile between two readings."""

    SAME = "same"
    LAID = "laid"
    TAKEN = "taken"
    MOVED = "moved"
    MISSING = "missing"
    """No card shows where the top card must be, nor near by."""
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of the pile that were seen, the lowest first; the last is the top card."""

    cards: tuple[Half, ...]
    lifted: bool = False
    """Somebody has taken the pile up: it lies nowhere until its top card is seen again."""

    @property
    def top(self) -> Half:
        """The top card, as all readings of it tell."""
        return self.cards[-1]


@dataclass(frozen=True, slots=True)
class PileStep:
    """A reading compared with the remembered pile."""

    change: PileChange
    pile: Pile
    """As it is now; as it was, where the reading is not clear."""
    laid: tuple[Half, ...] = ()
    """Cards that came onto the pile, the lowest first."""
    taken: Half | None = None
    confidence: float = 1.0
    """How likely it is that this is what happened, readings of the cards aside."""
    put_aside: bool = False
    """Whether the top card was moved off the pile."""


class Before(Protocol):
    """What has changed since the remembered top card was seen; see `vision.pile_view`."""

    def rest(self, old: Half, new: Half) -> float | None:
        """Of a card at the first place, the part that the second leaves free: which share of it
        looks as before? None where that part is too small to tell."""
        ...

    def untouched(self, card: Half) -> float | None:
        """Which share of a card's place looks as before; None where nobody can tell."""
        ...


def begin_pile(faces: Sequence[Half]) -> Pile | None:
    """The pile in a first reading: where most faces lie together, the one seen best is on top."""
    if not faces:
        return None

    def together(face: Half) -> list[Half]:
        return [other for other in faces if apart_mm(face, other) <= _ON_MM]

    heap = max((together(face) for face in faces), key=len)
    return Pile((max(heap, key=lambda face: (round(face.seen, 1), face.found)),))


def follow_pile(pile: Pile, found: Sequence[Half], before: Before) -> PileStep:
    """What a new reading says of the pile; ``found`` are all faces that it shows."""
    if pile.lifted:
        return _put_down(pile, found)
    top = pile.top
    here = next((face for face in found if _in_place(face, top)), None)
    if here is not None and not _contradicts(top, here):
        if not _agrees(top, here) and (before.untouched(here) or 0.0) < _STAYED:
            return PileStep(PileChange.UNCLEAR, pile)
        known = replace(pile, cards=(*pile.cards[:-1], fused(top, here)))
        return _on_top_of(known, here, found, before)
    if here is not None and (before.untouched(here) or 0.0) > _UNTOUCHED:
        return _on_top_of(pile, here, found, before)  # misread: nothing has changed there
    older = [face for face in found if _is_of(pile.cards[:-1], face)]
    fresh = [face for face in found if face not in older]
    same = [face for face in fresh if _agrees(top, face)]
    if same:
        return _pushed_or_identical(pile, min(same, key=lambda f: apart_mm(f, top)), before)
    near = [face for face in found if apart_mm(face, top) <= REACH_MM]
    fresh = [face for face in fresh if face in near]  # cards lie elsewhere on the table, too
    uncovered = None if fresh else _uncovered(pile, near, before)
    if uncovered is not None:
        return uncovered
    laid = [face for face in fresh or older if apart_mm(face, top) <= _ON_MM and face.seen > 0.5]
    if len(laid) > 1:  # a lower card may come to light again, where the pile has slid
        laid = [face for face in laid if not _was_below(pile, face)] or laid
    if not laid and (before.untouched(top) or 0.0) > _UNTOUCHED:
        return PileStep(PileChange.SAME, pile)  # it was overlooked
    if not laid:
        return PileStep(PileChange.MISSING, pile)
    if len(laid) == 1:
        uncovered = _uncovered(pile, laid, before)
        if uncovered is not None:
            return uncovered
        if not _contradicts(top, laid[0]):
            return _hard_to_read(pile, laid[0], before)
    return _with(pile, laid if fresh else laid[-1:])


def given_up(pile: Pile, step: PileStep) -> PileStep:
    """What to believe of a step that stays unclear however often it is read."""
    if step.change is PileChange.MISSING:
        return replace(step, pile=replace(pile, lifted=True))
    if step.change is not PileChange.UNCLEAR:
        return step
    if step.laid:
        return replace(_with(pile, step.laid), confidence=step.confidence)
    return replace(step, change=PileChange.MOVED)


def laid_alike(pile: Pile, step: PileStep) -> PileStep:
    """What a step is where a card like the top card came: it lies on that one."""
    return replace(_with(pile, [step.pile.top]), confidence=_SEEN_CARRIED)


def taken_alike(pile: Pile, step: PileStep) -> PileStep:
    """What a step is where a hand went away with a card like the top card: the one that shows is
    another, if one like it is known to have lain below."""
    if len(pile.cards) < 2 or not _agrees(pile.cards[-2], step.pile.top):
        return step
    cards = (*pile.cards[:-2], step.pile.top)
    return PileStep(
        PileChange.TAKEN, replace(pile, cards=cards), taken=pile.top, confidence=_SEEN_CARRIED
    )


def apart_mm(one: Half, other: Half) -> float:
    """Distance of two faces' middles."""
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _on_top_of(pile: Pile, here: Half, found: Sequence[Half], before: Before) -> PileStep:
    """The top card lies where it lay; a card may have come to lie half on it, half beside."""
    beside = [
        face
        for face in found
        if face is not here
        and apart_mm(face, here) <= _ON_MM
        and face.seen > _SEEN
        and not any(_in_place(face, card) for card in pile.cards)
        and (before.untouched(face) or 0.0) < _STILL
    ]
    return _with(pile, beside) if beside else PileStep(PileChange.SAME, pile)


def _pushed_or_identical(pile: Pile, face: Half, before: Before) -> PileStep:
    """A card that reads like the top card lies elsewhere than the top card did."""
    top = pile.top
    shift_mm = apart_mm(face, top)
    if (before.untouched(face) or 0.0) > _UNTOUCHED:
        return PileStep(PileChange.SAME, pile)
    as_before = before.rest(top, face)
    if as_before is not None and as_before >= _STAYED and shift_mm <= _ON_MM:
        return replace(_with(pile, [face]), confidence=0.97)
    moved = _pushed(pile, face)
    if as_before is None or as_before <= _LEFT or shift_mm > _ON_MM:
        return moved
    # Pushes are far more frequent than cards thrown in: what stays in doubt was one.
    return replace(moved, change=PileChange.UNCLEAR)


def _hard_to_read(pile: Pile, face: Half, before: Before) -> PileStep:
    """A card near by that may read like the top card or not."""
    as_before = before.rest(pile.top, face)
    if as_before is not None and as_before >= _STAYED:
        return _with(pile, [face])
    moved = _pushed(pile, face)
    laid = (face,) if as_before is not None and as_before > _LEFT else ()
    return replace(moved, change=PileChange.UNCLEAR, laid=laid, confidence=0.6)


def _pushed(pile: Pile, face: Half) -> PileStep:
    """The top card lies elsewhere now."""
    aside = apart_mm(face, pile.top) > _AWAY_MM
    cards = (*pile.cards[:-1], fused(pile.top, face))
    return PileStep(PileChange.MOVED, replace(pile, cards=cards), put_aside=aside)


def _uncovered(pile: Pile, near: Sequence[Half], before: Before) -> PileStep | None:
    """The top card is gone and what lay below it shows again, if that is so."""
    if len(pile.cards) < 2:
        return None
    below = pile.cards[-2]
    again = [face for face in near if _agrees(below, face) and apart_mm(face, below) <= _ON_MM]
    if not again:
        return None
    face = min(again, key=lambda f: apart_mm(f, below))
    as_before = before.rest(pile.top, face)
    if as_before is not None and as_before >= _STAYED:
        return None  # the top card still lies there: another card of the same face covers it
    if not _in_place(face, below) and (as_before is None or as_before > _LEFT):
        return None
    cards = (*pile.cards[:-2], fused(below, face))
    return PileStep(PileChange.TAKEN, replace(pile, cards=cards), taken=pile.top)


def _put_down(pile: Pile, found: Sequence[Half]) -> PileStep:
    """The pile was in somebody's hands: does it lie on the table again?"""
    back = [face for face in found if _agrees(pile.top, face)]
    if back:
        face = min(back, key=lambda f: apart_mm(f, pile.top))
        # What lay below may have been shuffled in the meantime: nothing is known of it any more.
        return PileStep(PileChange.MOVED, Pile((fused(pile.top, face),)))
    if len(pile.cards) > 1:
        below = [face for face in found if _agrees(pile.cards[-2], face)]
        if below:
            cards = (*pile.cards[:-2], fused(pile.cards[-2], below[0]))
            return PileStep(PileChange.TAKEN, Pile(cards), taken=pile.top, confidence=0.6)
    near = [face for face in found if apart_mm(face, pile.top) <= REACH_MM]
    if not near:
        return PileStep(PileChange.MISSING, pile)
    return replace(_with(replace(pile, lifted=False), near[:1]), confidence=0.5)


def _with(pile: Pile, laid: Sequence[Half]) -> PileStep:
    """The pile with further cards; those seen less lie below those seen more."""
    ordered = tuple(sorted(laid, key=lambda face: face.seen))
    cards = (*pile.cards, *ordered)[-_REMEMBERED:]
    return PileStep(PileChange.LAID, replace(pile, cards=cards), laid=ordered)


def _is_of(cards: Sequence[Half], face: Half) -> bool:
    """Whether a face is one of the cards that lay there before."""
    return any(_in_place(face, card) and not _contradicts(card, face) for card in cards)


def _was_below(pile: Pile, face: Half) -> bool:
    """Whether a face reads like a card that was covered."""
    return any(_agrees(card, face) for card in pile.cards[:-1])


def _in_place(face: Half, card: Half) -> bool:
    turn = abs((face.axis_deg - card.axis_deg + 90.0) % 180.0 - 90.0)
    return apart_mm(face, card) <= _PLACE_MM and turn <= _PLACE_DEG


def _agrees(one: Half, other: Half) -> bool:
    return float(agreement([one], [other])[0, 0]) >= AGREES


def _contradicts(one: Half, other: Half) -> bool:
    return float(agreement([one], [other])[0, 0]) <= CONTRADICTS
