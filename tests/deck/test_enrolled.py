"""The reader that knows the deck: surer where the print tells, the same where it does not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.deck import load_deck
from calibration.deck_shelf import BUILT_IN
from referee.errors import RefereeError
from referee.reading import open_reader
from tests.deck.house import Says, halves_of, misread, plane, read_as, table
from vision.enrolled import DeckLook, EnrolledReader, FaceLook
from vision.prints import on_its_head

LOOK = load_deck(BUILT_IN / "house-solomino.deck.toml").look
CARDS = [("r3/b8", 60.0, 80.0, 10.0), ("g6/y9", 170.0, 90.0, 200.0), ("bS/rX", 290.0, 120.0, 75.0)]


def test_misread_halves_are_put_right() -> None:
    true = halves_of(CARDS)
    wrong = ["r7", "b4", "g2", "y5", "bP", "rS"]
    said = [misread(half, label, 0.7) for half, label in zip(true, wrong, strict=True)]
    read = EnrolledReader(Says(said), LOOK).read(table(CARDS), plane())
    assert [half.label for half in read] == [half.label for half in true]


def test_6_and_9_are_left_to_the_network_where_it_is_sure() -> None:
    true = halves_of(CARDS)
    said = [misread(half, half.colour + {"6": "9", "9": "6"}.get(half.face, half.face), 0.95)
            for half in true[:4]]  # fmt: skip
    alone = [EnrolledReader(Says([half]), LOOK).read(table(CARDS), plane())[0] for half in said]
    assert [half.label for half in alone] == ["r3", "b8", "g9", "y6"]


def test_where_the_print_contradicts_a_sure_network_neither_is_believed() -> None:
    true = halves_of(CARDS)
    said = [misread(half, half.colour + face, 0.85) for half, face in zip(true, "74", strict=False)]
    read = EnrolledReader(Says(said), LOOK).read(table(CARDS), plane())
    for half, before in zip(read, said, strict=True):
        assert max(half.face_p) < 0.6
        assert half.colour == before.colour


def test_misread_colours_are_put_right() -> None:
    true = halves_of(CARDS)
    said = [misread(half, "rygb"["gbyr".index(half.colour)] + half.face, 0.6) for half in true]
    read = EnrolledReader(Says(said), LOOK).read(table(CARDS), plane())
    assert [half.label for half in read] == [half.label for half in true]


def test_what_was_read_rightly_stays_and_gets_surer() -> None:
    true = halves_of(CARDS, sure=0.8)
    read = EnrolledReader(Says(true), LOOK).read(table(CARDS), plane())
    for before, after in zip(true, read, strict=True):
        assert after.label == before.label
        assert after.confidence > before.confidence


def test_a_print_that_fits_nothing_changes_nothing() -> None:
    noise = np.random.default_rng(1).integers(0, 255, table([]).shape).astype(np.uint8)
    said = halves_of(CARDS, sure=0.6)
    assert EnrolledReader(Says(said), LOOK).read(noise, plane()) == said


def test_probabilities_stay_probabilities() -> None:
    read = EnrolledReader(Says(halves_of(CARDS, sure=0.5)), LOOK).read(table(CARDS), plane())
    for half in read:
        assert sum(half.colour_p) == pytest.approx(1)
        assert sum(half.face_p) == pytest.approx(1)
        assert min(half.colour_p + half.face_p) >= 0


def test_faces_that_were_never_enrolled_can_still_be_read() -> None:
    faces = {face: looks for face, looks in LOOK.faces.items() if face != "3"}
    read = EnrolledReader(Says(halves_of(CARDS)), DeckLook(faces, LOOK.inks)).read(
        table(CARDS), plane()
    )
    assert read[0].label == "r3"


def test_a_face_that_was_seen_once_yields_to_another_drawing() -> None:
    """One look is enough to say that a blurred print is none of it."""
    once = {"X": (replace(LOOK.faces["X"][0], looks=1),)}
    said = [misread(half, "rX", 0.7) for half in halves_of(CARDS)[:1]]
    read = EnrolledReader(Says(said), DeckLook({**LOOK.faces, **once}, LOOK.inks))
    blurred = np.asarray(cv2.GaussianBlur(table(CARDS), (0, 0), 4.0), np.uint8)
    assert read.read(blurred, plane())[0].label == "r3"


def unmarked() -> DeckLook:
    """A deck whose 9 is its 6 on its head: only how faces stand on a card tells them apart."""
    six = LOOK.faces["6"][0].ink_map
    faces = {**LOOK.faces, "6": (FaceLook(six, 1.0),), "9": (FaceLook(on_its_head(six), 1.0),)}
    return DeckLook(faces, LOOK.inks)


def test_where_the_other_half_lies_settles_an_unmarked_6() -> None:
    cards = [("g6/r3", 120.0, 100.0, 30.0)]
    said = halves_of(cards, sure=0.9)
    said[0] = misread(said[0], "g9", 0.55)
    whole = EnrolledReader(Says(said), unmarked()).read(table(cards), plane())
    assert whole[0].label == "g6"


def test_an_unmarked_6_alone_stays_undecided() -> None:
    cards = [("g6/r3", 120.0, 100.0, 30.0)]
    six = halves_of(cards)[0]
    alone = read_as("g9", six.x_mm, six.y_mm, six.axis_deg, 0.55)
    read = EnrolledReader(Says([alone]), unmarked()).read(table(cards), plane())[0]
    assert read.face in "69"
    assert max(read.face_p) < 0.9


def test_a_deck_of_the_other_game_is_refused() -> None:
    with pytest.raises(RefereeError, match="expected a deck of solo, found house-solomino"):
        open_reader("solo", "house-solomino")
