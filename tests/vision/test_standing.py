"""A deck's faces stand one way: what that says of a 6 that may be a 9 on its head."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.facts import COLOURS, FACES, Half
from vision.line import Line, LooseCard, Place
from vision.line_steps import Change, Laid, Step
from vision.standing import Habits, settled, settled_step

HALF_MM = 45.5


def half(face: str, x_mm: float, top: int, *, sure: float = 0.95) -> Half:
    """A half of a line along x; ``top`` is +1 where its top points to larger x, else -1.

    A 6 or 9 is read by its shape alone: as likely the one upright as the other on its head.
    """
    colour = tuple(float(c == "r") for c in COLOURS)
    rest = (1 - sure) / (len(FACES) - 1)
    face_p = [sure if f == face else rest for f in FACES]
    # The axis points to larger x, and upright means against the axis.
    stands = sure if top < 0 else 1 - sure
    upright = [stands] * len(FACES)
    if face in "69":
        other = "9" if face == "6" else "6"
        face_p[FACES.index(face)] = face_p[FACES.index(other)] = sure / 2
        upright[FACES.index(other)] = 1 - stands
    return Half(x_mm, 0.0, 0.0, colour, tuple(face_p), upright_p=tuple(upright))


def line(faces: str, tops: str) -> list[Half]:
    """Halves in a row; ``tops`` has < or > for each."""
    return [half(f, HALF_MM * i, 1 if t == ">" else -1)
            for i, (f, t) in enumerate(zip(faces, tops, strict=True))]  # fmt: skip


def faces_of(halves: list[Half]) -> str:
    return "".join(h.face for h in halves)


@pytest.mark.parametrize(
    ("faces", "tops"),
    [
        # A line that grew to the right: the shown halves' cards go on to the right, so their
        # tops point to the left; only the last goes back.
        ("23575489", "<<<<<<<>"), ("23975457", "<<<<<<<>"),
        # One that grew both ways.
        ("23497574536", "<>>>><<<<<>"), ("63475754257", "<>>>><<<<<>"),
    ],
)  # fmt: skip
def test_outward_faces_tell_six_from_nine(faces: str, tops: str) -> None:
    (read,) = settled([line(faces, tops)])
    assert faces_of(read) == faces
    assert all(h.face_p[FACES.index(h.face)] > 0.7 for h in read)


def test_inward_faces_tell_six_from_nine() -> None:
    (read,) = settled([line("2794575346", ">>>>>>>>><")])
    assert faces_of(read) == "2794575346"


def test_a_card_beside_the_line_tells_of_it() -> None:
    """The line itself shows no clear face; a stray card shows how this deck's faces stand."""
    strays = [line("25", "><"), line("47", "><")]
    read = settled([line("69", "><"), *strays])
    assert faces_of(read[0]) == "69"


def test_both_halves_the_same_way() -> None:
    """A deck that reads one way tells of a half by its card's other half, which shows too."""
    strays = [line("25", "<<"), line("47", ">>"), line("35", ">>")]
    assert faces_of(settled([line("29", "<<"), *strays])[0]) == "29"
    assert faces_of(settled([line("29", ">>"), *strays])[0]) == "29"


@pytest.mark.parametrize(
    ("cards", "tops", "faces"),
    [
        # One way: the 5 stands as all do, and what seems a 9 is none.
        (["25", "47", "34"], "<<", "56"),
        (["25", "47", "34"], "><", "59"),
        (["25", "47", "34"], "<>", "59"),
    ],
)
def test_cards_that_are_covered_by_now_tell_how_the_next_stands(
    cards: list[str], tops: str, faces: str
) -> None:
    habits = Habits()
    for card in cards:
        habits.note(line(card, tops))
    (alone,), (read,) = settled([line(faces, tops)]), settled([line(faces, tops)], habits)
    assert faces_of(read) == faces
    assert (
        alone[1].face_p[FACES.index(faces[1])] < 0.7 < 0.8 < read[1].face_p[FACES.index(faces[1])]
    )


def test_cards_of_another_deck_are_outweighed() -> None:
    habits = Habits()
    for _ in range(20):
        habits.note(line("25", "<>"))  # inward
    for _ in range(4):
        habits.note(line("47", "<<"))  # one way
    likely = habits.likely()
    assert max(likely, key=lambda habit: likely[habit]) == "same"


def test_one_slip_does_not_turn_the_deck() -> None:
    """A half that was read on its head does not make all others stand otherwise."""
    (read,) = settled([line("2357493", "<><<<<>")])
    assert faces_of(read) == "2357493"


def test_nothing_clear_leaves_all_as_it_was() -> None:
    before = line("69", "<>")
    (after,) = settled([before])
    assert all(h.face_p[6] == pytest.approx(h.face_p[9], abs=0.25) for h in after)


def test_halves_that_tell_nothing_come_back_as_they_are() -> None:
    plain = [replace(h, upright_p=()) for h in line("236", "<<>")]
    assert settled([plain]) == [plain]
    assert settled([]) == []
    assert settled([[], plain[:1]]) == [[], plain[:1]]


def test_a_half_that_is_turned_past_its_axis_points_the_other_way() -> None:
    before = half("7", 0.0, -1)
    assert before.moved(1.0, 2.0, 10.0).upright_p == before.upright_p
    over = before.moved(1.0, 2.0, 190.0)
    assert over.axis_deg == pytest.approx(10.0)
    assert over.upright_p == pytest.approx([1 - p for p in before.upright_p])
    assert before.moved(0.0, 0.0, -10.0).axis_deg == pytest.approx(170.0)
    assert before.moved(0.0, 0.0, -10.0).upright_p == over.upright_p


def test_a_step_is_told_by_how_the_deck_stands_and_remembered_as_it_was() -> None:
    """The card 3/9 is laid on a line whose clear faces say that the deck reads outward."""
    halves = line("2357549", "<<<<<<>")
    covering, free = halves[-2:]
    places = tuple(Place(h) for h in halves)
    laid = Laid(1, 5, half("4", 0.0, 1), covering, free, 1.0)
    loose = LooseCard((half("5", 900.0, -1), half("6", 900.0 + HALF_MM, 1)))
    step = Step(Change.ADDED, Line(places, 1.0, (loose,)), laid=(laid,), appeared=(loose,))
    told = settled_step(step)
    assert told.laid[0].free.label == told.line.places[-1].half.label == "r9"
    assert told.laid[0].free.confidence > 0.7
    assert told.appeared[0].halves[1].face == "6"
    assert step.laid[0].free is free
    assert told.laid[0].covered is laid.covered
