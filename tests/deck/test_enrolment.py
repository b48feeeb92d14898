"""Enrolling: many looks put single misreadings right, and what stays unsure is asked."""

from __future__ import annotations

from collections import Counter

from calibration.deck import deck_text, parse_deck
from calibration.deck_cards import ShownCard, cards_in
from calibration.deck_enrol import Answers, Enrolment, remarks
from tests.deck.house import halves_of, misread, plane, table
from vision.facts import Half

FACES = "23457"
CARDS = [f"{a}{f}/{b}{g}" for f, g in zip(FACES, FACES[1:] + "2", strict=True)
         for a, b in ("rb", "yg", "gr")]  # fmt: skip


def shown(wrong: dict[str, tuple[str, float]]) -> list[ShownCard]:
    """One look at each card; ``wrong`` says how halves are misread: label -> label, sureness."""
    cards = []
    for text in CARDS:
        laid = [(text, 100.0, 100.0, 15.0)]
        halves: list[Half] = []
        for half in halves_of(laid, sure=0.9):
            label = f"{text}:{half.label}"
            halves.append(misread(half, *wrong[label]) if label in wrong else half)
        cards += [
            ShownCard([c], text) for c in cards_in(table(laid), plane(), halves, one_faced=False)
        ]
    return cards


TRUE = Counter("/".join(sorted(card.split("/"))) for card in CARDS)


def test_single_misreadings_are_put_right_by_the_other_looks() -> None:
    wrong = {"r3/b4:r3": ("r7", 0.8), "y5/g7:g7": ("g2", 0.7), "g2/r3:g2": ("b2", 0.6)}
    settled = Enrolment("solomino", shown(wrong)).settle(Answers())
    assert Counter(settled.cards) == TRUE
    assert not [question.key for question in settled.questions if question.doubtful]


def all_read_as(face: str, other: str, sure: float) -> dict[str, tuple[str, float]]:
    return {
        f"{card}:{half}": (half[0] + other, sure)
        for card in CARDS
        for half in card.split("/")
        if half[1] == face
    }


def test_a_drawing_that_is_always_misread_is_parted_and_put_right_by_an_answer() -> None:
    """Every 4 is taken for a 7: two drawings bear one name."""
    enrolment = Enrolment("solomino", shown(all_read_as("4", "7", 0.6)))
    settled = enrolment.settle(Answers())
    fours = [q for q in settled.questions if len(q.looks) == 6 and q.likely[0] not in "2357"]
    assert len(fours) == 1
    answers = Answers().with_answer(fours[0], "4")
    assert Counter(enrolment.settle(answers).cards) == TRUE


def test_what_nobody_is_sure_of_is_asked() -> None:
    enrolment = Enrolment("solomino", shown(all_read_as("5", "8", 0.08)))
    asked = [q for q in enrolment.settle(Answers()).questions if q.doubtful]
    assert asked
    assert all(len(q.looks) <= 6 for q in asked)


def test_the_deck_has_what_was_shown_and_survives_its_file() -> None:
    enrolment = Enrolment("solomino", shown({}))
    deck = enrolment.deck(enrolment.settle(Answers()), "mine")
    again = parse_deck(deck_text(deck))
    assert Counter(again.cards) == TRUE
    assert set(again.look.faces) == set(FACES)
    assert set(again.look.inks) == set("rygb")
    assert set(again.pictures) == {half for card in CARDS for half in card.split("/")}
    # Red is printed as red: most of its red, least of the others.
    red = again.inks["r"]
    assert int(red[1:3], 16) > 2 * int(red[3:5], 16)


def test_a_deck_that_was_not_shown_at_all_has_no_cards() -> None:
    assert Enrolment("solomino", []).settle(Answers()).cards == ()


def test_remarks_tell_the_number_what_came_twice_and_gaps() -> None:
    cards = {"r1/b2": 2, "r2/b1": 1, "g1/y1": 1, "g2/r3": 1}
    said = " | ".join(remarks(cards, "solomino"))
    assert "5 cards were seen; a deck of solomino has 120" in said
    assert "r1/b2 (2 times)" in said
    assert "no card bears y2" in said
    assert remarks({"r5": 112}, "solo") == [
        "seen more than 4 times: r5 (112 times); is that so, or were some shown again?"
    ]
