"""The ends stand on the overlay as the camera sees them."""

from __future__ import annotations

from typing import Any

import pytest

from referee.overlay.ends import is_mirrored
from referee.overlay.snapshot import snapshot
from referee.overlay.source import View
from tests.server.desk import HEADER, ruling

Log = list[dict[str, Any]]


def at(x_mm: float, y_mm: float = 0.0, wide: bool = True) -> dict[str, Any]:
    """Evidence of a card whose middle lies at a place."""
    w, h = (45.0, 29.0) if wide else (29.0, 45.0)
    return {"evidence": {"region_mm": [x_mm - w, y_mm - h, x_mm + w, y_mm + h]}}


def laid(of: int, onto: str, ends: list[str], x_mm: float, y_mm: float = 0.0) -> Log:
    card = {"type": "place", "player": 0, "card": "?", "onto": onto, "with": "?"}
    return [card | at(x_mm, y_mm), ruling(of, ends=ends)]


START: Log = [{"type": "start", "card": "r5/g1"} | at(0.0), ruling(0, ends=["r5", "g1"])]
UPRIGHT: Log = [
    {"type": "start", "card": "r5/g1"} | at(0.0, wide=False),
    ruling(0, ends=["r5", "g1"]),
]


@pytest.mark.parametrize(
    ("log", "mirrored"),
    [
        ([], False),
        (START, False),
        (UPRIGHT, False),
        # the second half of the first card, at its right
        ([*START, *laid(1, "g1", ["r5", "g6"], 60.0)], False),
        # a record that does not write the first card as one reads
        ([*START, *laid(1, "g1", ["r5", "g6"], -90.0)], True),
        # both ends once covered, far out
        (
            [*START, *laid(1, "g1", ["r5", "g6"], 60), *laid(2, "r5", ["r2", "g6"], -60)],
            False,
        ),
        # the line runs upwards: the upper end counts as the left one
        ([*UPRIGHT, *laid(1, "g1", ["r5", "g6"], 10.0, -200.0)], True),
        # two ends that read alike: the place tells which of them was covered
        (
            [
                *START,
                *laid(1, "g1", ["r5", "r5"], 60.0),
                *laid(2, "r5", ["r2", "r5"], 110.0),
            ],
            True,
        ),
        # no evidence: as the record has it
        ([{"type": "start", "card": "r5/g1"}, ruling(0, ends=["r5", "g1"])], False),
    ],
)
def test_which_end_is_at_the_left(log: Log, mirrored: bool) -> None:
    assert is_mirrored(log) is mirrored


def test_a_card_that_was_taken_back_is_no_longer_the_end() -> None:
    wrong = [*START, *laid(1, "g1", ["r5", "g6"], -300.0)]
    assert is_mirrored(wrong)
    back = {"type": "take_back", "player": 0, "card": "g1/g6"}
    assert not is_mirrored([*wrong, back, ruling(2, ends=["r5", "g1"])])


def test_another_round_begins_anew() -> None:
    deal = {"type": "deal", "first_player": 0}
    wrong = [*START, *laid(1, "g1", ["r5", "g6"], -300.0)]
    assert not is_mirrored([*wrong, deal])


def test_the_snapshot_has_the_left_end_first() -> None:
    log = (*START, *laid(1, "g1", ["r5", "g6"], -90.0))
    assert snapshot(View(header=HEADER, log=log), "en").ends == ["g6", "r5"]


def test_the_top_card_of_solo_is_alone() -> None:
    log = ({"type": "start", "card": "r5"} | at(0.0), ruling(0, ends=["r5"]))
    assert snapshot(View(header=HEADER | {"game": "solo"}, log=log), "en").ends == ["r5"]
