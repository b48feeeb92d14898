"""Telling shown cards apart: which halves belong together, which card is which."""

from __future__ import annotations

from calibration.deck_cards import CardCounter, SeenCard, cards_in, same_spread
from tests.deck.house import halves_of, plane, table

Laid = tuple[str, float, float, float]


def seen(*cards: Laid) -> list[SeenCard]:
    return cards_in(table(cards), plane(), halves_of(cards), one_faced=False)


def names(cards: list[SeenCard]) -> list[str]:
    return sorted("/".join(sorted(half.half.label for half in card.halves)) for card in cards)


def test_halves_are_paired_to_cards_though_cards_lie_end_to_end() -> None:
    cards = [
        ("r1/r2", 60.0, 50.0, 2.0),
        ("b3/b4", 60.0, 145.0, -1.0),
        ("g5/g7", 130.0, 90.0, 180.0),
    ]
    assert names(seen(*cards)) == ["b3/b4", "g5/g7", "r1/r2"]


def test_a_half_without_its_other_half_is_no_card() -> None:
    halves = halves_of([("r1/b2", 60.0, 60.0, 0.0)])[:1]
    assert cards_in(table([("r1/b2", 60.0, 60.0, 0.0)]), plane(), halves, one_faced=False) == []


def test_one_faced_cards_are_cards_by_themselves() -> None:
    halves = halves_of([("r1/b2", 60.0, 60.0, 0.0)])
    found = cards_in(table([("r1/b2", 60.0, 60.0, 0.0)]), plane(), halves, one_faced=True)
    assert [len(card.halves) for card in found] == [1, 1]


def count(*readings: tuple[float, list[SeenCard]]) -> int:
    counter = CardCounter()
    for at_s, cards in readings:
        counter.see(cards, at_s)
    return len(counter.cards())


HERE: Laid = ("r1/b2", 60.0, 60.0, 0.0)


def test_a_card_that_stays_is_one_card_with_several_looks() -> None:
    counter = CardCounter()
    for at_s in (0.0, 1.0, 2.0):
        counter.see(seen(HERE), at_s)
    assert len(counter.cards()) == 1
    assert len(counter.cards()[0].looks) == 3


def test_another_card_on_top_is_another_card() -> None:
    assert count((0, seen(HERE)), (1, seen(("g3/y4", 62.0, 59.0, 3.0)))) == 2


def test_a_second_copy_on_a_pile_is_another_card() -> None:
    under = seen(("g3/y4", 60.0, 60.0, 0.0))
    assert count((0, under), (1, seen(HERE)), (2, seen(("r1/b2", 66.0, 57.0, 7.0)))) == 3


def test_a_nudged_card_is_the_same_card() -> None:
    assert count((0, seen(HERE)), (1, seen(("r1/b2", 66.0, 57.0, 7.0)))) == 1


def test_a_card_that_is_pushed_away_is_the_same_card() -> None:
    assert count((0, seen(HERE)), (1, seen(("r1/b2", 200.0, 150.0, 40.0)))) == 1


def test_a_second_copy_elsewhere_is_another_card_once_both_are_seen() -> None:
    other = ("r1/b2", 200.0, 150.0, 40.0)
    hidden = seen(other)  # a hand covers the first one for a moment
    assert count((0, seen(HERE)), (1, hidden), (2, seen(HERE, other))) == 2


SPREAD: list[Laid] = [
    ("r1/b2", 50.0, 60.0, 0.0),
    ("g3/y4", 130.0, 60.0, 5.0),
    ("b5/r7", 210.0, 60.0, -4.0),
    ("y8/gS", 90.0, 170.0, 90.0),
]


def test_the_same_spread_from_elsewhere_is_recognised() -> None:
    turned = [(text, 400 - x, 260 - y, turn + 180) for text, x, y, turn in SPREAD]
    assert len(same_spread(seen(*SPREAD), seen(*turned))) == 4


def test_the_same_cards_laid_anew_are_another_spread() -> None:
    places = [(60.0, 60.0), (150.0, 190.0), (220.0, 70.0), (330.0, 100.0)]
    anew = [(t, x, y, 0.0) for (t, *_), (x, y) in zip(SPREAD, places, strict=True)]
    assert same_spread(seen(*SPREAD), seen(*anew)) == []
