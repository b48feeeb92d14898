"""From facts to observations: who, what, onto which half; draws and calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.half_words import written
from referee.placements import Placements
from referee.seats import Seats
from tests.stage import half, lying
from vision.events import (
    ArmLeft,
    CardLaid,
    CardTaken,
    LineBegan,
    LineMoved,
    LooseGone,
    LooseLaid,
    OutOfSync,
)
from vision.facts import Half
from vision.hands import Arm, Visit
from vision.line import Line, LooseCard, Place, unread_half
from vision.line_steps import Laid, Taken

SEATS = [(0.0, 400.0), (-600.0, 0.0), (0.0, -400.0)]
"""Ann south, Ben west, Cem north: clockwise as the picture shows it."""


def line(*labels: str) -> Line:
    return Line(
        tuple(Place(half(label, 45.5 * i, 0.0)) for i, label in enumerate(labels)), confidence=1.0
    )


def arm(player: int, number: int = 1, visits: tuple[Visit, ...] = (), left_s: float = 9.0) -> Arm:
    x, y = SEATS[player]
    entry = (x * 0.8, y * 0.8)
    return Arm(number, entry, (0.0, 0.0), (x * 0.1, y * 0.1), 8.0, left_s, left_s, visits)


def visit(
    from_s: float = 8.2,
    to_s: float = 8.6,
    slowest_mm_s: float = 20.0,
    turned_back: bool = True,
) -> Visit:
    return Visit("draw_pile", from_s, to_s, slowest_mm_s, turned_back)


def laid(
    player: int,
    onto: str,
    cover: str,
    free: str,
    *,
    end: int = 1,
    number: int = 1,
    at_s: float = 9.0,
) -> CardLaid:
    return CardLaid(
        at_s,
        at_s + 0.3,
        arm(player, number),
        Laid(end, 1, half(onto, 45.5, 0), half(cover, 45.5, 0), half(free, 91, 0), 0.99),
        line("r5", cover, free),
    )


def mixed(label: str, other: str) -> Half:
    """A half that reads as the one label, and nearly as well as the other."""
    one, two = half(label, 45, 0), half(other, 45, 0)
    face_p = tuple(0.65 * a + 0.35 * b for a, b in zip(one.face_p, two.face_p, strict=True))
    return replace(one, face_p=face_p)


def loose(card: str, player: int, at_s: float, number: int = 5) -> LooseLaid:
    first, second = lying(card, 250.0, 150.0)
    return LooseLaid(at_s, at_s + 0.3, arm(player, number), LooseCard((first, second)), None)


@pytest.fixture
def placements() -> Placements:
    """A game whose first card lies."""
    begun = Placements(Seats(SEATS))
    begun.observe(LineBegan(4.0, 4.3, arm(2), line("r5", "g1")))
    return begun


def kinds(observations: list[dict[str, Any]]) -> list[str]:
    return [one["type"] for one in observations]


def test_the_first_card_starts_the_line() -> None:
    (start,) = Placements(Seats(SEATS)).observe(LineBegan(4.0, 4.3, arm(2), line("r5", "g1")))
    assert (start["type"], start["card"], start["t"], start["t_reported"]) == (
        "start",
        "r5/g1",
        4.0,
        4.3,
    )


def test_a_game_that_is_joined_late_starts_from_its_ends() -> None:
    (start,) = Placements(Seats(SEATS)).observe(LineBegan(1, 1, None, line("r5", "g1", "b2")))
    assert (start["card"], start["joined"]) == ("r5/b2", True)


def test_nothing_is_drawn_before_the_line_begins() -> None:
    early = Placements(Seats(SEATS))
    assert early.observe(ArmLeft(3.0, 3.2, arm(2, visits=(visit(1.0, 1.4),)))) == []


def test_a_placement_tells_what_covers_what_and_who_did_it(placements: Placements) -> None:
    (place,) = placements.observe(laid(0, "g1", "g7", "g6"))
    wanted = {"type": "place", "player": 0, "card": "g7/g6", "onto": "g1", "with": "g7", "t": 9.0}
    assert wanted.items() <= place.items()
    assert 0.9 < place["confidence"] < 1
    x0, y0, x1, y1 = place["evidence"]["region_mm"]
    assert x0 < 45.5 < 91 < x1
    assert y0 < 0 < y1
    outline = place["evidence"]["outline_mm"]
    assert sorted(outline) == [[22.8, -29.5], [22.8, 29.5], [113.8, -29.5], [113.8, 29.5]]


def test_how_a_card_lies_is_told_only_where_both_its_halves_were_seen(
    placements: Placements,
) -> None:
    fact = laid(0, "g1", "g7", "g6")
    squeezed = replace(fact.laid, free=fact.laid.covering)
    (place,) = placements.observe(replace(fact, laid=squeezed))
    assert "outline_mm" not in place["evidence"] and "region_mm" in place["evidence"]


@pytest.mark.parametrize("player", [0, 1, 2])
def test_the_arm_tells_the_player(placements: Placements, player: int) -> None:
    (place,) = placements.observe(laid(player, "g1", "g7", "g6"))
    assert place["player"] == player


def test_no_arm_no_player(placements: Placements) -> None:
    fact = laid(0, "g1", "g7", "g6")
    (place,) = placements.observe(CardLaid(9, 9.3, None, fact.laid, fact.line))
    assert place["player"] is None


def test_what_was_not_read_is_a_question_mark(placements: Placements) -> None:
    fact = laid(0, "g1", "g7", "g6")
    unsure = Laid(1, 1, half("g1", 45, 0), half("g7", 45, 0, sure=0.5), unread_half(91, 0, 0), 0.9)
    (place,) = placements.observe(CardLaid(9, 9.3, fact.arm, unsure, fact.line))
    assert (place["card"], place["with"], place["onto"]) == ("?/?", "?", "g1")
    assert place["confidence"] < 0.1


def test_a_half_whose_colour_alone_is_sure_keeps_it() -> None:
    sure, unsure = half("r2", 0, 0), half("r2", 0, 0, sure=0.4)
    mixed = type(sure)(0, 0, 0, sure.colour_p, unsure.face_p)
    assert written(mixed) == "r?"


def test_a_half_is_called_what_it_was_called_when_it_came(placements: Placements) -> None:
    """A later reading of the end must not make a placement on it look like a foul."""
    placements.observe(laid(0, "g1", "g7", "g6"))
    (place,) = placements.observe(laid(1, "b6", "b2", "b3", at_s=12.0))
    assert place["onto"] == "g6"
    assert place["confidence"] < 0.1  # for the two readings contradict each other


@pytest.mark.parametrize(
    ("onto", "cover", "sure"),
    [
        (half("g1", 45, 0), half("g7", 45, 0), True),  # one colour, whatever the faces
        (half("g1", 45, 0), half("b7", 45, 0), True),  # surely unlike
        (half("g1", 45, 0), mixed("b7", "b1"), False),  # a 7 that may be a 1
        (half("g1", 45, 0), mixed("b7", "b4"), True),  # hard to read, and unlike all the same
    ],
)
def test_what_decides_is_whether_the_halves_are_alike(
    placements: Placements, onto: Half, cover: Half, sure: bool
) -> None:
    fact = laid(0, "g1", "g7", "g6")
    unclear_end = half("b6", 91, 0, sure=0.7)
    one = Laid(1, 1, onto, cover, unclear_end, 0.99)
    (place,) = placements.observe(CardLaid(9, 9.3, fact.arm, one, fact.line))
    assert (place["deciding"] > 0.9) is sure
    assert place["confidence"] < 0.6  # the card as a whole is read less well


def test_after_a_card_is_taken_back_the_end_is_what_it_was(placements: Placements) -> None:
    placements.observe(laid(1, "g1", "g7", "g6"))
    taken = Taken(1, half("g7", 45, 0), half("g6", 91, 0), 0.98)
    placements.observe(CardTaken(11, 11.3, arm(1), taken, line("r5", "g1")))
    (place,) = placements.observe(laid(2, "g1", "g2", "g3", at_s=14.0))
    assert place["onto"] == "g1"
    assert place["confidence"] > 0.9


def test_a_card_taken_back(placements: Placements) -> None:
    placements.observe(laid(1, "g1", "g7", "g6"))
    taken = Taken(1, half("g7", 45, 0), half("g6", 91, 0), 0.98)
    (back,) = placements.observe(CardTaken(11, 11.3, arm(1), taken, line("r5", "g1")))
    assert {"type": "take_back", "player": 1, "card": "g7/g6"}.items() <= back.items()


def test_a_nudge_is_no_move(placements: Placements) -> None:
    assert placements.observe(LineMoved(9, 9.2, arm(0), line("r5", "g1"))) == []


# -- draws


def test_to_the_pile_and_back_is_a_draw(placements: Placements) -> None:
    (draw,) = placements.observe(ArmLeft(9.0, 9.2, arm(1, visits=(visit(),))))
    assert {"type": "draw", "player": 1, "count": 1, "t": 9.0}.items() <= draw.items()


def test_two_stays_in_one_reach_are_two_cards(placements: Placements) -> None:
    two = (visit(8.0, 8.3), visit(8.6, 8.9))
    (draw,) = placements.observe(ArmLeft(9.0, 9.2, arm(1, visits=two)))
    assert draw["count"] == 2


@pytest.mark.parametrize(
    "passing",
    [
        visit(8.2, 8.25),  # too short to take anything
        visit(8.2, 8.6, slowest_mm_s=700.0, turned_back=False),  # on its way to the line
        visit(2.0, 8.9, slowest_mm_s=0.0),  # rests there
    ],
)
def test_not_every_hand_over_the_pile_draws(placements: Placements, passing: Visit) -> None:
    assert placements.observe(ArmLeft(9.0, 9.2, arm(1, visits=(passing,)))) == []


def test_a_card_drawn_and_played_in_one_reach_is_a_draw_and_then_a_placement(
    placements: Placements,
) -> None:
    fact = laid(1, "g1", "g7", "g6")
    reaching = arm(1, visits=(visit(turned_back=False),))
    first = placements.observe(CardLaid(9, 9.3, reaching, fact.laid, fact.line))
    assert kinds(first) == ["draw", "place"]
    assert placements.observe(ArmLeft(9.5, 9.7, reaching)) == []  # told already


def test_a_card_laid_beside_the_pile_is_no_draw(placements: Placements) -> None:
    fact = laid(1, "g1", "g7", "g6", at_s=8.5)
    reaching = arm(1, visits=(visit(8.2, 8.6),))
    first = placements.observe(CardLaid(8.5, 8.9, reaching, fact.laid, fact.line))
    assert kinds(first) == ["place"]
    assert placements.observe(ArmLeft(9.0, 9.2, reaching)) == []


# -- call for a card


@pytest.fixture
def called(placements: Placements) -> Placements:
    """Cem has laid a call for a card; Ann is next."""
    placements.observe(laid(2, "g1", "g7", "bC", at_s=9.0))
    return placements


@pytest.mark.parametrize("cover_free", [("g7", "bC"), ("gC", "b2")])
def test_the_card_turned_up_is_revealed_and_its_reach_no_draw(
    placements: Placements, cover_free: tuple[str, str]
) -> None:
    placements.observe(laid(2, "g1", *cover_free))
    reaching = arm(2, number=4, visits=(visit(10.0, 10.4),))
    assert placements.observe(ArmLeft(11.0, 11.2, reaching)) == []
    (reveal,) = placements.observe(loose("r2/y0", 2, 12.0))
    assert (reveal["type"], reveal["card"]) == ("call_reveal", "r2/y0")
    assert "player" not in reveal
    assert placements.observe(ArmLeft(12.3, 12.5, arm(2, number=5))) == []


def test_nor_if_somebody_else_has_reached_about_before_it_shows(called: Placements) -> None:
    turning = arm(2, number=4, visits=(visit(10.0, 10.4),))
    assert called.observe(ArmLeft(11.0, 11.2, turning)) == []
    assert called.observe(ArmLeft(11.4, 11.6, arm(0, number=6))) == []
    (reveal,) = called.observe(loose("r2/y0", 2, 12.0))
    assert reveal["type"] == "call_reveal"


def test_a_reach_to_the_pile_that_reveals_nothing_was_a_draw_after_all(called: Placements) -> None:
    called.observe(ArmLeft(11.0, 11.2, arm(0, number=4, visits=(visit(10.0, 10.4),))))
    observations = called.observe(laid(1, "bC", "b2", "b3", number=6, at_s=14.0))
    assert kinds(observations) == ["draw", "place"]
    assert observations[0]["t"] == 11.0


def test_an_answer_names_the_half_that_matches(called: Placements) -> None:
    called.observe(loose("r2/y0", 2, 12.0))
    (answer,) = called.observe(loose("y2/r2", 0, 14.0, number=6))
    assert {"type": "call_answer", "player": 0, "card": "r2/y2", "with": "r2"}.items() <= (
        answer.items()
    )


def test_an_answer_of_which_only_the_other_half_is_unclear_may_be_judged(
    called: Placements,
) -> None:
    called.observe(loose("r2/y0", 2, 12.0))
    card = LooseCard((half("r2", 227, 150), mixed("b6", "b9")))
    (answer,) = called.observe(LooseLaid(14.0, 14.3, arm(0, number=6), card, None))
    assert answer["confidence"] < 0.7
    assert answer["deciding"] > 0.9


def test_an_answer_whose_matching_half_is_unclear_is_not_judged(called: Placements) -> None:
    called.observe(loose("r6/y0", 2, 12.0))
    card = LooseCard((mixed("r6", "r9"), half("b3", 273, 150)))
    (answer,) = called.observe(LooseLaid(14.0, 14.3, arm(0, number=6), card, None))
    assert answer["deciding"] < 0.7


def test_the_pile_passed_on_is_no_move(called: Placements) -> None:
    called.observe(loose("r2/y0", 2, 12.0))
    below = LooseCard((half("r2", 227, 150), half("y0", 273, 150)))
    moving = arm(0, number=7, left_s=99.0)
    moving = type(moving)(7, moving.entry_mm, moving.tip_mm, moving.deepest_mm, 13.0, 13.5)
    assert called.observe(LooseGone(13.2, 13.5, moving, below)) == []
    assert called.observe(loose("y0/r2", 0, 13.9, number=7)) == []
    assert called.observe(ArmLeft(14.2, 14.4, moving)) == []


def test_the_pile_taken(called: Placements) -> None:
    called.observe(loose("r2/y0", 2, 12.0))
    top = LooseCard((half("r2", 227, 150), half("y0", 273, 150)))
    near_the_pile = arm(0, number=7, visits=(visit(13.0, 13.3),), left_s=13.6)
    (take,) = called.observe(LooseGone(13.4, 13.8, near_the_pile, top))
    assert (take["type"], take["player"]) == ("call_take", 0)
    assert called.observe(ArmLeft(13.6, 13.8, near_the_pile)) == []  # and drew nothing


def test_a_top_card_that_reads_otherwise_by_now_is_the_one_taken(called: Placements) -> None:
    """First a 6 or perhaps a 9, then the other way round: never told as another card."""
    six, nine = mixed("b6", "b9"), mixed("b9", "b6")
    other = half("r2", 90.5, 0)
    giver, taker = arm(1, number=6), arm(0, number=7, left_s=13.6)
    called.observe(LooseLaid(12.0, 12.3, giver, LooseCard((six, other)), None))
    assert called.observe(LooseLaid(12.0, 12.6, giver, LooseCard((nine, other)), None)) == []
    (take,) = called.observe(LooseGone(13.4, 13.8, taker, LooseCard((six, other))))
    assert (take["type"], take["player"]) == ("call_take", 0)


def test_another_card_that_goes_is_not_the_call_pile(called: Placements) -> None:
    called.observe(loose("r2/y0", 2, 12.0))
    elsewhere = LooseCard((half("r2", 27, 150), half("b0", 73, 150)))
    assert called.observe(LooseGone(13.4, 13.8, arm(0, number=7), elsewhere)) == []


def test_a_face_up_card_without_a_call_is_nobodys_business(placements: Placements) -> None:
    assert placements.observe(loose("r2/y0", 1, 12.0)) == []


# -- out of sync


def test_out_of_sync_follows_the_ends_and_accuses_nobody(placements: Placements) -> None:
    observations = placements.observe(OutOfSync(20, 20, None, line("b8", "g1", "r5")))
    (place,) = observations
    assert {"player": None, "card": "?/b8", "onto": "g1", "with": "?"}.items() <= place.items()
    assert place["confidence"] == 0
