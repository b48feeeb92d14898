"""The line followed from reading to reading: what physically changed, what lies below."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.tabletop import Box, Card, Reading, Tabletop, polygon, probabilities, same_order
from vision.chain import assemble
from vision.facts import COLOURS, FACES, Half
from vision.line import Line, is_unread
from vision.line_memory import follow
from vision.line_steps import Change, Step
from vision.same_half import agreement, fused

SHARP = Reading(noise_mm=1.0, noise_deg=1.5)
seeds = st.integers(0, 10**6)


def straight(labels: str = "r0 y1 g2 b3 rS yX", seed: int = 1) -> tuple[Tabletop, Line]:
    """A line laid to the right, its halves as named, and what is known of it."""
    names = labels.split()
    table = Tabletop(random.Random(seed), offset_mm=1.5, askew_deg=1.0)
    table.start()
    table.cards[0] = replace(table.cards[0], labels=(names[0], names[1]))
    for covering, free in pairwise(names[1:]):
        table.lay(1, labels=(covering, free))
    line = known(table)
    return table, line if line.labels == tuple(names) else flipped(line)


def flipped(line: Line) -> Line:
    return replace(line, places=line.places[::-1])


def known(table: Tabletop) -> Line:
    line = assemble(table.read(SHARP))
    assert line is not None
    return line


def look(line: Line, table: Tabletop, *hidden: Box) -> Step:
    return follow(line, table.read(SHARP, hidden), hidden_mm=[polygon(box) for box in hidden])


@pytest.mark.parametrize("bend_deg", [0.0, 90.0, -90.0])
@pytest.mark.parametrize(("end", "covered"), [(0, "r0"), (1, "yX")])
@pytest.mark.parametrize(
    "covering",
    ["match", "gC"],  # the same colour and face as the end that it covers; neither of them
)
def test_a_card_laid_on_an_end(end: int, covered: str, covering: str, bend_deg: float) -> None:
    table, line = straight()
    covering = covered if covering == "match" else covering
    table.lay(end, bend_deg, (covering, "b9"))
    step = look(line, table)
    assert step.change is Change.ADDED
    (card,) = step.laid
    assert (card.end, card.covered.label) == (end, covered)
    assert (card.covering.label, card.free.label) == (covering, "b9")
    assert card.confidence > 0.9
    place = step.line.places[card.place]
    assert place.label == covering
    assert [half.label for half in place.covered] == [covered]
    assert step.line.labels == table.labels
    assert step.line.ends[end].label == "b9"


def test_nothing_happened() -> None:
    table, line = straight()
    step = look(line, table)
    assert (step.change, step.laid, step.taken, step.appeared) == (Change.NOTHING, (), (), ())
    assert step.line.labels == line.labels


def test_a_card_laid_at_each_end() -> None:
    table, line = straight()
    table.lay(0, labels=("r5", "g5"))
    table.lay(1, labels=("y7", "b7"))
    step = look(line, table)
    assert step.change is Change.ADDED
    assert {(c.end, c.covered.label, c.covering.label, c.free.label) for c in step.laid} == {
        (0, "r0", "r5", "g5"),
        (1, "yX", "y7", "b7"),
    }
    assert all(step.line.places[c.place].label == c.covering.label for c in step.laid)
    assert step.line.labels == table.labels


@pytest.mark.parametrize(("end", "covered"), [(0, "r0"), (1, "yX")])
def test_two_cards_laid_on_one_end_between_two_readings(end: int, covered: str) -> None:
    """What the first one's free half showed nobody knows: the second one covers it."""
    table, line = straight()
    table.lay(end, labels=("r5", "g5"))
    table.lay(end, labels=("g8", "b8"))
    step = look(line, table)
    first, second = step.laid
    assert (first.covered.label, first.covering.label) == (covered, "r5")
    assert is_unread(first.free) and is_unread(second.covered)
    assert (second.covering.label, second.free.label) == ("g8", "b8")
    assert [step.line.places[c.place].label for c in step.laid] == ["r5", "g8"]
    assert step.line.labels == table.labels


@pytest.mark.parametrize("end", [0, 1])
def test_a_card_taken_back_shows_what_it_covered(end: int) -> None:
    table, before = straight()
    table.lay(end, labels=("r5", "g5"))
    line = look(before, table).line
    table.take_back()
    step = look(line, table)
    assert step.change is Change.REMOVED
    (card,) = step.taken
    assert (card.end, card.covering.label, card.free.label) == (end, "r5", "g5")
    assert step.line.labels == before.labels
    assert all(place.covered == () for place in step.line.places)


def test_taken_back_after_the_line_was_shoved() -> None:
    table, before = straight()
    table.lay(1, labels=("yC", "g5"))
    line = look(before, table).line
    table.shove(12.0, 150.0, -90.0)
    line = look(line, table).line
    table.take_back()
    step = look(line, table)
    assert step.change is Change.REMOVED
    assert step.line.labels == before.labels
    # The bared half is known where it lies now.
    assert abs(step.line.ends[1].x_mm - table.spot_mm(-1)[0]) < 5.0


def test_a_card_taken_back_and_another_laid() -> None:
    table, before = straight()
    table.lay(1, labels=("yC", "g5"))
    line = look(before, table).line
    table.take_back()
    table.lay(1, labels=("bX", "r6"))
    step = look(line, table)
    assert step.change is Change.REPLACED
    assert [(c.covering.label, c.free.label) for c in step.taken] == [("yC", "g5")]
    assert [(c.covered.label, c.covering.label) for c in step.laid] == [("yX", "bX")]
    assert step.line.labels == table.labels


@pytest.mark.parametrize(
    ("turn_deg", "dx_mm", "dy_mm"),
    [(0, 45.5, 0), (0, -250, 180), (25, 0, 0), (-90, 30, 300)],
)
def test_the_line_is_shoved_as_a_whole(turn_deg: float, dx_mm: float, dy_mm: float) -> None:
    table, line = straight()
    table.shove(turn_deg, dx_mm, dy_mm)
    step = look(line, table)
    assert step.change is Change.MOVED
    assert step.line.labels == line.labels
    assert step.moved_mm > 30.0


def test_half_of_the_line_is_swung_aside() -> None:
    """Bent by hand in the middle: no card came or went, though halves lie where none lay."""
    table, line = straight()
    turned = [card.moved(40.0, 0.0, 0.0) for card in table.cards[3:]]
    x, y = table.cards[3].centre_mm(0)
    a, b = turned[0].centre_mm(0)
    table.cards[3:] = [card.moved(0.0, x - a, y - b) for card in turned]
    step = look(line, table)
    assert step.change is Change.MOVED
    assert step.line.labels == line.labels


def test_one_card_is_nudged() -> None:
    table, line = straight()
    table.nudge(len(table.cards) - 1, 14.0, 12.0, 8.0)
    step = look(line, table)
    assert step.change in (Change.NOTHING, Change.MOVED)
    assert step.line.labels == line.labels


def test_a_hand_over_an_end_takes_nothing() -> None:
    table, line = straight()
    x, y = table.spot_mm(-1)
    hand = (x - 80, y - 50, x + 300, y + 50)
    step = look(line, table, hand)
    assert step.change is Change.NOTHING
    assert step.line.labels == line.labels
    assert [place.seen for place in step.line.places][-2:] == [False, False]


def test_a_hand_on_the_covering_half_of_a_card_just_laid() -> None:
    table, line = straight()
    x, y = table.spot_mm(-1)
    table.lay(1, labels=("y4", "g4"))
    step = look(line, table, (x - 15, y - 40, x + 15, y + 40))
    (card,) = step.laid
    assert is_unread(card.covering) and card.free.label == "g4"
    assert step.line.labels[-2:] == ("?", "g4")
    later = look(step.line, table)
    assert later.line.labels[-2:] == ("y4", "g4")


def test_a_hand_on_the_free_half_of_a_card_just_laid() -> None:
    """The end reads otherwise, but no card is seen to end: look again."""
    table, line = straight()
    x, y = table.spot_mm(-1)
    table.lay(1, labels=("b4", "g4"))
    step = look(line, table, (x + 25, y - 60, x + 200, y + 60))
    assert step.change is Change.CANNOT_TELL
    assert step.line.labels == line.labels
    assert look(step.line, table).laid[0].covered.label == "yX"


def test_a_card_across_the_middle_is_at_no_end() -> None:
    table, line = straight()
    x, y = table.spot_mm(2)
    table.put(Card(x, y + 22.75, 90.0, ("b5", "r6")))
    step = look(line, table)
    assert step.change is Change.ADDED
    (card,) = step.laid
    assert (card.end, card.place, card.covered.label) == (None, 2, "g2")
    assert (card.covering.label, card.free.label) == ("b5", "r6")
    assert step.line.labels == ("r0", "y1", "b5", "b3", "rS", "yX")


def test_a_card_along_the_middle_covers_two_places() -> None:
    table, line = straight()
    (x0, y0), (x1, y1) = table.spot_mm(2), table.spot_mm(3)
    table.put(Card((x0 + x1) / 2, (y0 + y1) / 2, 0.0, ("b5", "r6")))
    step = look(line, table)
    (card,) = step.laid
    assert card.end is None
    assert {card.covering.label, card.free.label} == {"b5", "r6"}
    assert step.line.labels == ("r0", "y1", "b5", "r6", "rS", "yX")


def test_a_card_put_beside_the_line() -> None:
    table, line = straight()
    table.put(Card(60.0, 150.0, 30.0, ("b5", "r6")))
    step = look(line, table)
    assert step.change is Change.NOTHING
    (card,) = step.appeared
    assert set(card.label.split("/")) == {"b5", "r6"}
    again = look(step.line, table)
    assert again.appeared == () and len(again.line.loose) == 1


def test_another_table_is_out_of_sync() -> None:
    table, line = straight("r0 y1 g2 b3 rS yX g7 b8")
    other, _ = straight("b5 r6 yC gD b9 r3 y2 g4", seed=2)
    other.shove(30.0, 100.0, 50.0)
    step = look(line, other)
    assert step.change is Change.OUT_OF_SYNC
    assert step.line.labels == line.labels and step.reason
    assert look(step.line, table).change in (Change.NOTHING, Change.MOVED)


def test_the_middle_cleared_away_leaves_the_ends() -> None:
    table, line = straight("r0 y1 g2 b3 rS yX g7 b8")
    x0, _ = table.spot_mm(2)
    x1, _ = table.spot_mm(5)
    halves = [h for h in table.read(SHARP) if not x0 - 10 < h.x_mm < x1 + 10]
    step = follow(line, halves)
    assert step.change is Change.NOTHING
    assert step.line.labels == line.labels
    assert [place.seen for place in step.line.places] == [True] * 2 + [False] * 4 + [True] * 2


def _whatever_the_end(labels: tuple[str, str], _end: int) -> tuple[str, str]:
    return labels


@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_a_game_is_followed(seed: int) -> None:
    """Cards laid, taken back, nudged and shoved in any order: each is told for what it is."""
    table = Tabletop(random.Random(seed), offset_mm=2.0, askew_deg=2.0)
    table.start(turn_deg=table.rng.uniform(0, 360))
    line = known(table)
    # Faces differ, so that a card taken back bares another reading than its own.
    faces = iter(FACES * 9)
    for _ in range(12):
        what = table.rng.choice(["lay", "lay", "lay", "take", "shove", "nudge", "look"])
        wanted = {Change.NOTHING, Change.MOVED}
        if what == "lay":
            first, second = (table.rng.choice(COLOURS) + next(faces) for _ in range(2))
            table.lay_somewhere(labels=partial(_whatever_the_end, (first, second)))
            wanted = {Change.ADDED}
        elif what == "take" and len(table.history) > 1:
            table.take_back()
            wanted = {Change.REMOVED}
        elif what == "shove":
            table.shove(*(table.rng.uniform(-100, 100) for _ in range(3)))
        elif what == "nudge":
            card = table.rng.randrange(len(table.cards))
            table.nudge(card, table.rng.uniform(-5, 5), table.rng.uniform(-5, 5))
        step = look(line, table)
        assert step.change in wanted, what
        assert same_order(step.line.labels, table.labels)
        line = step.line


def half(label: str, sure: float = 0.97, seen: float = 1.0) -> Half:
    return Half(0.0, 0.0, 0.0, *probabilities(label, sure), seen=seen)


@given(sure=st.floats(0.3, 1.0), again=st.floats(0.3, 1.0), seen=st.floats(0.0, 1.0))
def test_readings_of_one_half_add_up(sure: float, again: float, seen: float) -> None:
    both = fused(half("r2", sure), half("r2", again, seen))
    assert both.label == "r2"
    assert sum(both.colour_p) == pytest.approx(1.0)
    assert sum(both.face_p) == pytest.approx(1.0)
    # A second, equal reading never makes the first less likely (but for the floor of memory).
    assert max(both.face_p) >= min(max(half("r2", sure).face_p), 0.998) - 1e-9


def test_one_slip_does_not_change_a_memory_but_many_do() -> None:
    memory = half("r2")
    for _ in range(4):
        memory = fused(memory, half("r2"))
    once = fused(memory, half("r6"))
    assert once.label == "r2"
    for _ in range(8):
        once = fused(once, half("r6"))
    assert once.label == "r6"


@pytest.mark.parametrize(
    ("before", "after", "sign"),
    [
        ("r2", "r2", 1),  # the same half
        ("r2", "r7", -1),  # a covering half of the same colour
        ("r2", "g2", -1),  # one of the same number
        ("r2", "g7", -1),
    ],
)
def test_agreement(before: str, after: str, sign: int) -> None:
    assert sign * agreement([half(before)], [half(after)])[0, 0] > 1.5
