"""One word for each kind of event, and what is new in a snapshot."""

from __future__ import annotations

from typing import Any

import pytest

from referee.overlay.cues import CUES, MEANING, happenings
from referee.overlay.snapshot import Snapshot, snapshot
from referee.overlay.source import Corrected, View
from tests.server.desk import HEADER, ILLEGAL, PLACE, START, ruling

Log = tuple[dict[str, Any], ...]
BEGUN: Log = (START, ruling(0, player=None, turn=0, hands=[8, 8, 8], ends=["r5", "g1"]))
ONE: Log = (*BEGUN, PLACE, ruling(1))
WRONG: Log = (ILLEGAL, ruling(2, player=1, legal=False, violations=["no_match"]))


def shown(*log: dict[str, Any], **changes: Any) -> Snapshot:
    return snapshot(View(header=HEADER, log=log, **changes), "en")


def cues(before: Snapshot, now: Snapshot) -> list[str]:
    return [happening.cue for happening in happenings(before, now)]


@pytest.mark.parametrize(
    ("move", "changes", "cue"),
    [
        (PLACE, {}, "play"),
        (PLACE, {"effects": [{"effect": "skip", "player": 1}]}, "skip"),
        (PLACE, {"effects": [{"effect": "owe_draw", "player": 1, "count": 2}]}, "owe"),
        (PLACE, {"effects": [{"effect": "change_direction", "direction": "left"}]}, "reverse"),
        (PLACE, {"effects": [{"effect": "swap_hands", "player": 0}]}, "swap"),
        (PLACE, {"effects": [{"effect": "pass_hands"}]}, "pass"),
        (PLACE, {"effects": [{"effect": "call_for_card", "player": 1}]}, "call"),
        (PLACE, {"effects": [{"effect": "choose_colour", "player": 0}]}, "wild"),
        (PLACE, {"effects": [{"effect": "penalty_draw", "player": 0, "count": 1}]}, "penalty"),
        (PLACE, {"effects": [{"effect": "win", "players": [0]}], "finished": True}, "win"),
        # a fault outweighs all that follows from the card
        (
            PLACE,
            {
                "legal": False,
                "violations": ["no_match"],
                "effects": [{"effect": "win", "players": [0]}],
            },
            "illegal",
        ),
        (PLACE, {"legal": None}, "unsure"),
        ({"type": "draw", "player": 0, "count": 1, "t": 5.0}, {}, "draw"),
        ({"type": "take_back", "player": 0, "card": "g7/g6", "t": 5.0}, {}, "taken_back"),
        ({"type": "shout", "player": 0, "t": 5.0}, {}, "shout"),
        ({"type": "deal", "first_player": 0, "t": 5.0}, {}, "round"),
        ({"type": "end_turn", "player": 0, "t": 5.0}, {}, None),
    ],
)
def test_the_gravest_thing_is_the_cue(
    move: dict[str, Any], changes: dict[str, Any], cue: str | None
) -> None:
    assert shown(*BEGUN, move, ruling(1, **changes)).entries[-1].cue == cue


def test_every_cue_has_a_meaning() -> None:
    assert tuple(MEANING) == CUES


def test_a_move_happens_once_and_only_when_it_was_ruled_on() -> None:
    laid = shown(*BEGUN, PLACE)
    assert cues(shown(*BEGUN), laid) == []
    assert cues(laid, shown(*ONE)) == ["play"]
    assert cues(shown(*ONE), shown(*ONE)) == []


def test_several_moves_at_once_come_in_order() -> None:
    found = list(happenings(shown(*BEGUN), shown(*ONE, *WRONG)))
    assert [one.cue for one in found] == ["play", "illegal"]
    assert found[1].text == "Ben's card matches in neither colour nor symbol."


def test_a_ruling_that_changes_is_a_correction() -> None:
    right = (ILLEGAL | {"card": "g4/y1", "with": "g4"}, ruling(2, player=1))
    assert cues(shown(*ONE, *WRONG), shown(*ONE, *right)) == ["corrected"]


def test_a_move_that_is_put_in_leaves_those_after_it_alone() -> None:
    missed = ({"type": "draw", "player": 2, "count": 1, "t": 7.0}, ruling(2))
    later = (ILLEGAL, ruling(3, player=1, legal=False, violations=["no_match"]))
    assert cues(shown(*ONE, *WRONG), shown(*ONE, *missed, *later)) == ["corrected"]


def test_a_move_that_is_taken_out_brings_up_no_old_ones() -> None:
    many = [line for i in range(12) for line in (PLACE | {"t": 10.0 + i}, ruling(1 + i))]
    assert cues(shown(*BEGUN, *many), shown(*BEGUN, *many[:-2])) == []


def test_the_lights_are_told_once() -> None:
    well = shown(*ONE)
    assert cues(well, shown(*ONE, light="out_of_sync")) == ["out_of_sync"]
    assert cues(well, shown(*ONE, camera="gone")) == ["no_camera"]
    assert cues(shown(*ONE, camera="gone"), shown(*ONE, light="no_camera")) == []
    assert cues(shown(*ONE, light="out_of_sync"), well) == []


def test_what_the_operator_changed_is_told_and_nothing_else() -> None:
    before = shown(*ONE, *WRONG, ids=(0, 1, 2))
    missed = ({"type": "draw", "player": 2, "count": 1}, ruling(2))
    later = (ILLEGAL, ruling(3, player=1))
    now = shown(*ONE, *missed, *later, ids=(0, 1, 3, 2), corrected=Corrected(1, (2,)))
    assert [entry.key for entry in now.entries] == ["i0", "i1", "i3", "i2"]
    found = list(happenings(before, now))
    assert [(one.cue, one.of) for one in found] == [("corrected", 2), ("corrected", 3)]
    assert cues(now, now) == []
