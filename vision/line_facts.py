"""Facts from a step of the line: what came, what went, what only moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from vision.events import CardLaid, CardTaken, Fact, LineMoved, LooseGone, LooseLaid
from vision.facts import Half
from vision.line import Line, LooseCard
from vision.line_steps import Change, Step
from vision.same_half import AGREES, cards_agree
from vision.witness import SAME_CARD_MM, SURE, Stamp


def step_facts(
    before: Line, step: Step, gone: Sequence[LooseCard], stamp: Callable[[float, float], Stamp]
) -> list[Fact]:
    """The facts in a step from the line as it was; ``gone`` are cards beside it that are there
    no more, ``stamp`` tells when and by whom something was done at a place."""
    facts: list[Fact] = [
        CardTaken(*stamp(one.free.x_mm, one.free.y_mm), one, step.line) for one in step.taken
    ]
    facts += _in_order(
        [CardLaid(*stamp(one.free.x_mm, one.free.y_mm), one, step.line) for one in step.laid]
    )
    if step.change is Change.MOVED:
        facts.append(LineMoved(*stamp(*_middle(step.line)), step.line))
    facts += _loose_laid(before.loose, step.line.loose, stamp)
    facts += [LooseGone(*stamp(card.x_mm, card.y_mm), card) for card in gone]
    return facts


def _in_order(laid: list[CardLaid]) -> list[CardLaid]:
    """Cards by the time that they came; at one end none came before the one that it covers."""
    latest: dict[int | None, float] = {}
    for i, fact in reversed(list(enumerate(laid))):
        end = fact.laid.end
        laid[i] = replace(fact, at_s=min(fact.at_s, latest.get(end, fact.at_s)))
        latest[end] = laid[i].at_s
    return sorted(laid, key=lambda fact: fact.at_s)


def is_sure(step: Step) -> bool:
    """Whether what came and went was read clearly, and nothing else is left in doubt."""
    if step.reason:
        return False
    halves: list[Half] = []
    for one in step.laid:
        halves += (one.covering, one.free)
    for card in step.appeared:
        halves += card.halves
    sure = [one.confidence for one in step.laid] + [one.confidence for one in step.taken]
    return all(h.confidence >= SURE for h in halves) and all(p >= SURE for p in sure)


def _loose_laid(
    before: Sequence[LooseCard],
    after: Sequence[LooseCard],
    stamp: Callable[[float, float], Stamp],
) -> list[Fact]:
    """Cards that came to lie beside the line."""
    facts: list[Fact] = []
    for card in after:
        there = [other for other in before if apart_mm(card, other) < SAME_CARD_MM]
        if not any(reads_alike(card, other) for other in there):
            below = there[0] if there else None
            facts.append(LooseLaid(*stamp(card.x_mm, card.y_mm), card, below))
    return facts


def apart_mm(one: LooseCard, other: LooseCard) -> float:
    """Distance of two cards' middles."""
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def reads_alike(one: LooseCard, other: LooseCard) -> bool:
    """Whether two readings may be of one card: each half is as likely as not what it was."""
    if sorted(h.label for h in one.halves) == sorted(h.label for h in other.halves):
        return True
    return cards_agree(one.halves, other.halves) >= AGREES


def _middle(line: Line) -> tuple[float, float]:
    half = line.places[len(line.places) // 2].half
    return half.x_mm, half.y_mm
