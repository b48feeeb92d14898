"""A deck's faces stand one way: what that says of a 6 that may be a 9 on its head."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.facts import COLOURS, FACES, Half
from vision.standing import settled

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
