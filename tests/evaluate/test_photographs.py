"""Photographs against their labels: what counts as found, told and wrong."""

from __future__ import annotations

import numpy as np

from datasets.evaluate.enrolled_photographs import look_of, scores_with_enrolment
from datasets.evaluate.photographs import Labelled, Read, labelled, score, source_of
from datasets.evaluate.shares import Share
from tests.stage import Blind

QUAD = [[100, 100], [160, 100], [160, 190], [100, 190]]


def test_labels_are_put_in_our_notation() -> None:
    row = {
        "cards": [
            {"face": "draw2", "colour": "red", "quad": QUAD, "visible": "full"},
            {"face": "wild4", "colour": "black", "quad": QUAD, "visible": "full"},
            {"face": "7", "colour": "blue", "bbox": [100, 100, 60, 90], "visible": "full"},
            {"face": "back", "colour": None, "quad": QUAD, "visible": "full"},
            {"face": "7", "colour": "blue", "quad": QUAD, "visible": "partial"},
            {"face": "7", "colour": "blue", "visible": "full"},
        ]
    }
    cards = labelled(row)
    assert [card.label for card in cards] == ["rD", "kF", "b7"]
    assert {(card.x_px, card.y_px) for card in cards} == {(130, 145)}
    assert labelled({"cards": None}) == []


def test_a_card_is_found_told_or_left_open() -> None:
    cards = [Labelled(label, 100 * i, 0, 60) for i, label in enumerate(("r1", "r2", "r3", "r4"))]
    reads = [
        Read("r1", 5, 5, counts=True),
        Read("r2", 100, 15, counts=False),
        Read("r8", 205, 0, counts=True),
        Read("r4", 350, 0, counts=True),  # too far from any card's middle
    ]
    assert score(cards, reads) == {
        "found": Share(3, 4),
        "right": Share(2, 4),
        "told right": Share(1, 4),
        "told wrong": Share(1, 4),
    }
    assert score(cards, [])["found"] == Share(0, 4)
    assert score([], reads)["found"] == Share(0, 0)


def test_a_source_is_known_by_its_files() -> None:
    assert source_of({"file": "uno-cards/ann_table-3.jpg"}) == "ann"


def test_photographs_that_teach_nothing_leave_the_rest_as_hard_as_they_were() -> None:
    card = {"face": "7", "colour": "blue", "quad": QUAD, "visible": "full"}
    taken = [({"file": f"ann_{i}.jpg", "cards": [card]}, np.full((240, 320, 3), 90, np.uint8))
             for i in range(4)]  # fmt: skip
    assert look_of(taken, Blind()) is None
    shares = scores_with_enrolment(taken, Blind(), Blind())
    assert [share["found"] for share in shares] == [Share(0, 1)] * 4, "each is read once"
