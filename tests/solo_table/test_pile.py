"""The pile as state: readings compared with memory, without any picture."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.solo_table.table import face
from vision.facts import Half
from vision.pile import Pile, PileChange, PileStep, begin_pile, follow_pile, given_up

G9, G5 = face("g9"), face("g5", 6.0, -4.0, 5.0)
PILE = Pile((G9, G5))


@dataclass(frozen=True)
class Looks:
    """What is to be seen of the old top card: all of it, or nothing."""

    stays: float | None = 0.0
    same: float = 0.2

    def rest(self, old: Half, new: Half) -> float | None:
        """As set."""
        del old, new
        return self.stays

    def untouched(self, card: Half) -> float | None:
        """As set."""
        del card
        return self.same


STAYED, LEFT, HIDDEN = Looks(0.95), Looks(0.05), Looks(None)


@pytest.mark.parametrize(
    ("found", "looks", "change", "top"),
    [
        # The same card in the same place; a reading is never exact.
        ([face("g5", 7.5, -3.0, 6.0)], LEFT, PileChange.SAME, "g5"),
        # Another card, wherever on the pile and however tidy.
        ([face("r5", 0.0, 0.0)], STAYED, PileChange.LAID, "r5"),
        ([face("r5", 6.0, -4.0, 5.0)], HIDDEN, PileChange.LAID, "r5"),
        ([face("r5", 40.0, 20.0, 80.0)], LEFT, PileChange.LAID, "r5"),
        # The same face elsewhere: what stays of the old card decides.
        ([face("g5", 20.0, 5.0)], STAYED, PileChange.LAID, "g5"),
        ([face("g5", 20.0, 5.0)], LEFT, PileChange.MOVED, "g5"),
        ([face("g5", 20.0, 5.0)], Looks(0.62), PileChange.UNCLEAR, "g5"),
        ([face("g5", 11.0, -4.0)], HIDDEN, PileChange.MOVED, "g5"),
        # Both show.
        ([G5, face("g5", 50.0, 10.0)], STAYED, PileChange.LAID, "g5"),
        ([G5, face("g5", 120.0, 10.0)], STAYED, PileChange.SAME, "g5"),
        # The card below shows again, or one like it lies on top.
        ([face("g9", 1.0, 1.0)], LEFT, PileChange.TAKEN, "g9"),
        ([face("g9", 1.0, 1.0)], STAYED, PileChange.LAID, "g9"),
        ([face("g9", 30.0, 1.0)], Looks(0.7), PileChange.LAID, "g9"),
        # Nothing shows where it lay.
        ([], LEFT, PileChange.MISSING, "g5"),
        ([face("b3", 300.0, 0.0)], LEFT, PileChange.MISSING, "g5"),
        # Cards lie open elsewhere on the table.
        ([face("g9", 1.0, 1.0), face("b3", 300.0, 0.0)], LEFT, PileChange.TAKEN, "g9"),
        ([face("r5", 0.0, 0.0), face("b3", -200.0, 90.0)], STAYED, PileChange.LAID, "r5"),
        # Overlooked where nothing has changed.
        ([], Looks(None, same=1.0), PileChange.SAME, "g5"),
        # Misread where nothing has changed.
        ([face("g6", 6.0, -4.0, 5.0)], Looks(None, same=1.0), PileChange.SAME, "g5"),
    ],
)
def test_what_a_reading_says(found: list[Half], looks: Looks, change: PileChange, top: str) -> None:
    step = follow_pile(PILE, found, looks)
    assert step.change is change
    assert step.pile.top.label == top


def test_a_lower_card_that_comes_to_light_again_is_no_new_one() -> None:
    slid, laid = face("g9", 20.0, -12.0, seen=0.7), face("r5", -20.0, 5.0)
    step = follow_pile(PILE, [slid, laid], LEFT)
    assert [card.label for card in step.laid] == ["r5"]


def test_a_lower_card_that_still_shows_is_no_new_one() -> None:
    lower = face("r2", -35.0, 0.0, seen=0.6)
    pile = Pile((face("r2", -35.0, 0.0), G5))
    assert follow_pile(pile, [G5, lower], LEFT).change is PileChange.SAME
    step = follow_pile(pile, [lower, face("b5", 8.0, 0.0)], STAYED)
    assert [card.label for card in step.laid] == ["b5"]


def test_two_cards_at_once_the_one_seen_less_lies_below() -> None:
    step = follow_pile(PILE, [face("r5", 30.0, 0.0), face("b5", -5.0, 0.0, seen=0.6)], STAYED)
    assert [card.label for card in step.laid] == ["b5", "r5"]
    assert step.pile.top.label == "r5"


def test_what_stays_unclear_was_a_push() -> None:
    step = follow_pile(PILE, [face("g5", 20.0, 5.0)], Looks(0.75))
    assert step.change is PileChange.UNCLEAR
    assert given_up(PILE, step).change is PileChange.MOVED


def test_a_card_hard_to_read_on_one_that_stayed_is_told_with_doubt() -> None:
    blurred = face("g6", 20.0, 5.0, sure=0.3)
    step = follow_pile(PILE, [blurred], Looks(0.75))
    assert step.change is PileChange.UNCLEAR
    last = given_up(PILE, step)
    assert (last.change, last.confidence) == (PileChange.LAID, 0.6)


def _lifted() -> Pile:
    step: PileStep = given_up(PILE, follow_pile(PILE, [], LEFT))
    assert step.pile.lifted
    return step.pile


def test_a_pile_that_comes_back_is_its_top_card() -> None:
    step = follow_pile(_lifted(), [face("g5", -80.0, 60.0, 90.0)], LEFT)
    assert step.change is PileChange.MOVED
    assert not step.pile.lifted
    assert [card.label for card in step.pile.cards] == ["g5"]


def test_a_pile_that_comes_back_without_its_top_card() -> None:
    step = follow_pile(_lifted(), [face("g9", 0.0, 10.0)], LEFT)
    assert step.change is PileChange.TAKEN
    assert step.confidence < 0.9


def test_another_card_where_the_pile_was_lifted_is_doubtful() -> None:
    step = follow_pile(_lifted(), [face("y1", 0.0, 10.0)], LEFT)
    assert (step.change, step.confidence) == (PileChange.LAID, 0.5)
    assert follow_pile(_lifted(), [face("y1", 300.0, 0.0)], LEFT).change is PileChange.MISSING


def test_a_pile_begins_where_most_cards_lie_together() -> None:
    alone = face("r1", 300.0, 0.0)
    below, top = face("b2", 30.0, 0.0, seen=0.6), face("b7")
    pile = begin_pile([alone, below, top])
    assert pile is not None
    assert pile.top is top
    assert begin_pile([]) is None


places = st.tuples(st.floats(-25, 25), st.floats(-25, 25), st.floats(0, 180, exclude_max=True))


@given(places, places)
def test_no_push_is_ever_told_as_a_card(at: tuple[float, ...], to: tuple[float, ...]) -> None:
    pile = Pile((face("b2", 0.0, 0.0), face("r7", *at)))
    step = follow_pile(pile, [face("r7", *to)], LEFT)
    assert given_up(pile, step).change in (PileChange.SAME, PileChange.MOVED)


@given(places, places, st.sampled_from(["r8", "b7", "kW", "nP", "gS"]))
def test_another_card_is_always_told(
    at: tuple[float, ...], to: tuple[float, ...], label: str
) -> None:
    pile = Pile((face("b2", 0.0, 0.0), face("r7", *at)))
    for looks in (STAYED, LEFT, HIDDEN):
        step = follow_pile(pile, [face(label, *to)], looks)
        assert step.change is PileChange.LAID
        assert [card.label for card in step.laid] == [label]
