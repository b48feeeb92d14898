"""What happened at an end of the line, told from what lies there: the hard positions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.vision.tabletop import Card, Reading, Tabletop, polygon, same_order
from vision.chain import assemble
from vision.line import Line, is_unread
from vision.line_memory import follow
from vision.line_steps import Change, Step

SHARP = Reading(noise_mm=1.0, noise_deg=1.5)


def begun(seed: int = 1, turn_deg: float = 0.0, labels: tuple[str, str] = ("r0", "y1")) -> Tabletop:
    """A table with one card."""
    table = Tabletop(random.Random(seed), offset_mm=1.5, askew_deg=1.0)
    table.start(turn_deg=turn_deg)
    table.cards[0] = replace(table.cards[0], labels=labels)
    return table


def known(table: Tabletop) -> Line:
    line = assemble(table.read(SHARP))
    assert line is not None
    return line


def look(line: Line, table: Tabletop, *, insists: bool = False) -> Step:
    return follow(line, table.read(SHARP), insists=insists)


@pytest.mark.parametrize("way", [-1, 1])
@pytest.mark.parametrize("far_mm", [22.0, 45.5, 68.0, 91.0])
def test_a_lone_card_is_shoved_along_its_own_axis(far_mm: float, way: int) -> None:
    """One of its halves comes to lie where the other one lay."""
    table = begun()
    line = known(table)
    table.shove(0.0, way * far_mm, 0.0)
    step = look(line, table)
    assert step.change is Change.MOVED
    assert same_order(step.line.labels, table.labels)


@pytest.mark.parametrize("bend_deg", [0.0, 90.0])
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("far_mm", [-45.5, -22.0, 22.0, 45.5])
def test_a_short_line_is_shoved_and_at_once_covered(
    far_mm: float, end: int, bend_deg: float
) -> None:
    """Only one half of what lay there can still be seen."""
    table = begun()
    line = known(table)
    table.shove(0.0, far_mm, 0.0)
    table.lay(end, bend_deg, labels=("b5", "g7"))
    step = look(line, table)
    (card,) = step.laid
    assert (card.covering.label, card.free.label) == ("b5", "g7")
    assert step.taken == ()
    assert same_order(step.line.labels, table.labels)


@pytest.mark.parametrize(("first_deg", "second_deg"), [(0, 90), (90, 0), (-90, 90), (90, 90)])
def test_two_cards_around_a_corner_between_two_looks(first_deg: float, second_deg: float) -> None:
    table = begun()
    table.lay(1, labels=("g2", "b3"))
    table.lay(1, labels=("rS", "yX"))
    line = known(table)
    table.lay(1, first_deg, labels=("y4", "g4"))
    table.lay(1, second_deg, labels=("b8", "r9"))
    step = look(line, table)
    first, second = step.laid
    assert (first.covering.label, is_unread(first.free)) == ("y4", True)
    assert (second.covering.label, second.free.label) == ("b8", "r9")
    assert same_order(step.line.labels, table.labels)


def test_a_card_taken_back_bares_what_nobody_saw_before() -> None:
    """Of a game that is joined late nobody knows what lies below."""
    table = begun()
    for labels in (("g2", "b3"), ("rS", "yX"), ("b8", "r9")):
        table.lay(1, labels=labels)
    line = known(table)
    table.take_back()
    step = look(line, table)
    (card,) = step.taken
    assert (card.covering.label, card.free.label) == ("b8", "r9")
    assert same_order(step.line.labels, table.labels)


def test_another_card_is_laid_for_one_that_is_taken_back() -> None:
    """In one reach: the card lies on the other end."""
    table = begun()
    line = known(table)
    for labels in (("g2", "b3"), ("rS", "yX")):
        table.lay(1, labels=labels)
        line = look(line, table).line
    table.take_back()
    table.lay(0, labels=("b8", "r9"))
    step = look(line, table)
    assert step.change is Change.REPLACED
    assert [(c.covering.label, c.free.label) for c in step.taken] == [("rS", "yX")]
    assert [(c.covering.label, c.free.label) for c in step.laid] == [("b8", "r9")]
    assert same_order(step.line.labels, table.labels)


def test_a_free_half_in_a_glare_is_told_unread_at_the_last_look() -> None:
    table = begun()
    line = known(table)
    table.lay(1, labels=("b5", "g7"))
    x, y = table.spot_mm(-1)
    halves = [h for h in table.read(SHARP) if abs(h.x_mm - x) > 20 or abs(h.y_mm - y) > 20]
    assert follow(line, halves).change is Change.CANNOT_TELL
    (card,) = follow(line, halves, insists=True).laid
    assert card.covering.label == "b5" and is_unread(card.free)
    assert (card.free.x_mm, card.free.y_mm) == pytest.approx((x, y), abs=8.0)


def test_a_half_that_peeks_out_below_is_no_card() -> None:
    """The last card is nudged so far that what it covers shows again at its side."""
    table = begun()
    line = known(table)
    table.lay(1, labels=("b5", "g7"))
    line = look(line, table).line
    table.nudge(1, 8.0, 9.0)
    halves = table.read(SHARP)
    x, y = table.cards[0].centre_mm(1)
    low = [h for h in halves if h.label == "y1"]
    assert not low
    peeking = replace(halves[0], x_mm=x - 6, y_mm=y - 5, axis_deg=0.0, seen=0.35)
    below = line.places[1].covered or line.places[-2].covered
    halves.append(replace(peeking, colour_p=below[-1].colour_p, face_p=below[-1].face_p))
    step = follow(line, halves)
    assert step.laid == () and step.taken == ()
    assert same_order(step.line.labels, table.labels)


def test_a_card_beside_the_end_is_not_laid_on_it() -> None:
    table = begun()
    line = known(table)
    x, y = table.spot_mm(1)
    table.put(Card(x + 20.0, y + 85.0, 0.0, ("b5", "r6")))
    step = look(line, table)
    assert step.change is Change.NOTHING
    assert len(step.appeared) == 1


def test_what_an_arm_hides_is_not_taken() -> None:
    table = begun()
    for labels in (("g2", "b3"), ("rS", "yX")):
        table.lay(1, labels=labels)
    line = known(table)
    (x, y), (x_end, _) = table.spot_mm(-2), table.spot_mm(-1)
    hidden = (min(x, x_end) - 40, y - 60, max(x, x_end) + 40, y + 60)
    step = follow(line, table.read(SHARP, (hidden,)), hidden_mm=[polygon(hidden)])
    assert step.taken == () and step.laid == ()
