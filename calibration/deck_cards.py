"""Which halves make a card, and how many cards there were: what is seen while a deck is shown.

A card that stays where it lies is one card, however often it is read; another print in the
same place is another card, laid on top; and one that vanishes while the same print appears
elsewhere was moved. All of this goes by how the prints look, not by what was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from typing import Final

import numpy as np

from vision.facts import CARD_MM, Half, Image
from vision.line import HALF_MM
from vision.plane import TablePlane
from vision.prints import Print, aligned, look_at
from vision.rectify import cut_view

PICTURE_PX_PER_MM: Final = 1.2
LEAST_SEEN: Final = 0.75
"""Halves of which less is seen show no face that others could be measured by."""
_TOGETHER_MM: Final = 7.0
_TOGETHER_DEG: Final = 14.0
_SAME_PLACE_MM: Final = 14.0
_PILE_MM: Final = 25.0
_SHIFTED_MM: Final = 3.0
_SHIFTED_DEG: Final = 3.0
_MOVED_S: Final = 3.0
_SAME_DRAWING: Final = 0.8
_SAME_INK: Final = 0.35
_LOOKS: Final = 3
_LOOKS_APART_S: Final = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class SeenHalf:
    """One half of a card, the card's outer edge on top."""

    half: Half
    print: Print
    picture: Image


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """A whole card as one reading shows it: two halves, or one print in the middle."""

    halves: tuple[SeenHalf, ...]
    x_mm: float
    y_mm: float
    axis_deg: float
    """0 <= axis < 180"""


@dataclass(slots=True, eq=False)
class ShownCard:
    """A card of the deck and up to three looks at it."""

    looks: list[SeenCard]
    """The halves of all looks stand in the same order."""
    source: str
    """The picture or the second in which it was first seen, for people."""


def cards_in(
    image: Image, plane: TablePlane, halves: Sequence[Half], *, one_faced: bool
) -> list[SeenCard]:
    """The whole cards among some halves of a picture."""
    fine = [half for half in halves if half.seen >= LEAST_SEEN]
    if one_faced:
        return [_card(image, plane, (half,)) for half in fine]
    return [_card(image, plane, pair) for pair in _pairs(fine)]


def _pairs(halves: Sequence[Half]) -> list[tuple[Half, Half]]:
    """Halves that lie behind each other as those of one card do, as many pairs as may be.

    Where cards lie end to end, a half has a neighbour on either side; so those with only one
    that could be theirs are paired first.
    """
    fits = {
        (i, j): cost
        for i in range(len(halves))
        for j in range(i + 1, len(halves))
        if (cost := _misfit(halves[i], halves[j])) < 1.0
    }
    pairs: list[tuple[Half, Half]] = []
    while fits:
        often: dict[int, int] = {}
        for i, j in fits:
            often[i], often[j] = often.get(i, 0) + 1, often.get(j, 0) + 1
        i, j = min(fits, key=lambda ij: (min(often[ij[0]], often[ij[1]]) > 1, fits[ij]))
        pairs.append((halves[i], halves[j]))
        fits = {pair: cost for pair, cost in fits.items() if not {i, j} & set(pair)}
    return pairs


def _misfit(one: Half, other: Half) -> float:
    """How far from one card's two halves: below 1 they may be that."""
    step = np.array([other.x_mm - one.x_mm, other.y_mm - one.y_mm])
    askew = abs((one.axis_deg - other.axis_deg + 90.0) % 180.0 - 90.0)
    turn = radians(one.axis_deg)
    along = float(step @ np.array([cos(turn), sin(turn)]))
    across = float(step @ np.array([-sin(turn), cos(turn)]))
    return hypot(
        (abs(along) - HALF_MM) / _TOGETHER_MM, across / _TOGETHER_MM, askew / _TOGETHER_DEG
    )


def _card(image: Image, plane: TablePlane, halves: tuple[Half, ...]) -> SeenCard:
    x = sum(half.x_mm for half in halves) / len(halves)
    y = sum(half.y_mm for half in halves) / len(halves)
    seen = []
    for half in halves:
        outward = np.array([half.x_mm - x, half.y_mm - y])
        towards = half.axis_deg
        if len(halves) == 2 and outward @ _direction(towards) < 0:
            towards += 180.0
        size = (round(CARD_MM[0] * PICTURE_PX_PER_MM), round(HALF_MM * PICTURE_PX_PER_MM))
        centre = (half.x_mm, half.y_mm)
        picture = cut_view(image, plane, centre, towards + 90, size, PICTURE_PX_PER_MM)
        seen.append(SeenHalf(half, look_at(image, plane, half, towards_deg=towards), picture))
    return SeenCard(tuple(seen), x, y, halves[0].axis_deg)


def _direction(deg: float) -> np.ndarray:
    return np.array([cos(radians(deg)), sin(radians(deg))])


def same_order(one: SeenCard, other: SeenCard) -> tuple[SeenHalf, ...] | None:
    """The halves of ``other`` in the order of ``one``'s where both show the same card; else
    None."""
    for halves in {other.halves, other.halves[::-1]}:
        pairs = zip(one.halves, halves, strict=True)
        if len(one.halves) == len(halves) and all(_same_print(a, b) for a, b in pairs):
            return halves
    return None


def _same_print(one: SeenHalf, other: SeenHalf) -> bool:
    if float(np.linalg.norm(one.print.contrast - other.print.contrast)) > _SAME_INK:
        return False
    return aligned(one.print, other.print.straight())[2] > _SAME_DRAWING


@dataclass(slots=True, eq=False)
class _Place:
    card: ShownCard
    now: SeenCard
    seen_s: float
    moved_from: _Place | None = None


@dataclass(slots=True)
class CardCounter:
    """Tells the cards of a film apart."""

    _places: list[_Place] = field(default_factory=list)

    def see(self, cards: Iterable[SeenCard], at_s: float) -> None:
        """Take in the cards of a further reading."""
        fresh = []
        for card in cards:
            place = self._known(card)
            if place is None:
                fresh.append(card)
                continue
            if place.moved_from is None and any(p.moved_from is place for p in self._places):
                # It was thought to have gone elsewhere, and lies here all the same: two cards.
                next(p for p in self._places if p.moved_from is place).moved_from = None
            self._again(place, card, at_s)
        for card in fresh:
            gone = self._gone(card, at_s)
            shown = ShownCard([card], f"{at_s:.1f} s")
            self._places.append(_Place(shown, card, at_s, moved_from=gone))

    def cards(self) -> list[ShownCard]:
        """Every card that was shown, in the order in which they came."""
        return [place.card for place in self._places if place.moved_from is None]

    def _known(self, card: SeenCard) -> _Place | None:
        """The place of a card that lay here before, if this is that card still."""
        here = [p for p in self._places if _apart_mm(p.now, card) < _PILE_MM]
        for place in reversed(here):
            near = _apart_mm(place.now, card)
            if near < _SAME_PLACE_MM and same_order(place.now, card) is not None:
                askew = abs((place.now.axis_deg - card.axis_deg + 90.0) % 180.0 - 90.0)
                still = near < _SHIFTED_MM and askew < _SHIFTED_DEG
                # On a pile the same print a little aside is another copy of the card.
                return place if still or len(here) == 1 else None
        return None

    def _gone(self, card: SeenCard, at_s: float) -> _Place | None:
        """Where a card lay until just now that shows the same print."""
        for place in reversed(self._places):
            if not 0 < at_s - place.seen_s < _MOVED_S or _apart_mm(place.now, card) < _PILE_MM:
                continue
            taken = any(p.moved_from is place for p in self._places)
            if not taken and same_order(place.now, card) is not None:
                return place
        return None

    def _again(self, place: _Place, card: SeenCard, at_s: float) -> None:
        halves = same_order(place.card.looks[0], card)
        if (
            halves is not None
            and len(place.card.looks) < _LOOKS
            and at_s - place.seen_s > _LOOKS_APART_S
        ):
            place.card.looks.append(SeenCard(halves, card.x_mm, card.y_mm, card.axis_deg))
        place.now, place.seen_s = card, at_s


def _apart_mm(one: SeenCard, other: SeenCard) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def same_spread(one: Sequence[SeenCard], other: Sequence[SeenCard]) -> list[tuple[int, int]]:
    """Pairs of cards (their places in both lists) where two pictures show one spread.

    Empty where they do not: the same prints must lie in the same places, but for where the
    camera stood. Nobody lays two copies of a dozen cards that much alike.
    """
    pairs = [
        (i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
        if same_order(a, b) is not None
    ]
    best: list[tuple[int, int]] = []
    for i, j in pairs:
        turn = radians(other[j].axis_deg - one[i].axis_deg)
        for way in (turn, turn + np.pi):
            fitting = [(k, m) for k, m in pairs if _moves_along(one, other, (i, j), (k, m), way)]
            if len({k for k, _ in fitting}) > len(best):
                best = list({k: (k, m) for k, m in fitting}.values())
    enough = max(3, 0.6 * min(len(one), len(other)))
    return best if len(best) >= enough else []


def _moves_along(
    one: Sequence[SeenCard],
    other: Sequence[SeenCard],
    start: tuple[int, int],
    pair: tuple[int, int],
    turn: float,
) -> bool:
    """Whether a pair lies as the first one does, after a turn of the whole spread."""
    (i, j), (k, m) = start, pair
    x, y = one[k].x_mm - one[i].x_mm, one[k].y_mm - one[i].y_mm
    moved = (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
    found = (other[m].x_mm - other[j].x_mm, other[m].y_mm - other[j].y_mm)
    off = hypot(moved[0] - found[0], moved[1] - found[1])
    return off < 8.0 + 0.04 * hypot(x, y)
