"""What viewers are told of a game."""

from __future__ import annotations

from typing import Any

import pytest

from referee.overlay.snapshot import ENTRIES, snapshot
from referee.overlay.source import View
from tests.server.desk import HEADER, ILLEGAL, PLACE, START, ruling


def view(*log: dict[str, Any], **changes: Any) -> View:
    return View(header=HEADER, log=log, **changes)


AFTER_START = ruling(0, player=None, turn=0, hands=[8, 8, 8], ends=["r5", "g1"])


def test_before_the_game_there_are_no_seats() -> None:
    shown = snapshot(View(), "en")
    assert (shown.phase, shown.seats, shown.ends, shown.entries) == ("waiting", [], [], [])


def test_before_the_first_card_the_header_tells_the_hands() -> None:
    shown = snapshot(view(), "en")
    assert shown.phase == "waiting"
    assert [(s.name, s.cards, s.on_turn) for s in shown.seats] == [
        ("Ann", 8, True),
        ("Ben", 8, False),
        ("Cem", 8, False),
    ]
    assert shown.draw_pile == 95


def test_the_last_ruling_is_the_state() -> None:
    last = ruling(1, must_draw=2, direction="right", hands=[7, 8, None], draw_pile=None)
    shown = snapshot(view(START, AFTER_START, PLACE, last), "en")
    assert shown.phase == "playing"
    assert shown.ends == ["r5", "g6"]
    assert shown.direction == "right"
    assert [(s.cards, s.on_turn, s.owes) for s in shown.seats] == [
        (7, False, 0),
        (8, True, 2),
        (None, False, 0),
    ]
    assert shown.draw_pile is None


def test_an_entry_tells_what_was_done_and_what_was_said() -> None:
    effect = {"effect": "skip", "player": 1}
    log = (START, AFTER_START, PLACE, ruling(1, turn=2, effects=[effect], rule="3.1"))
    entry = snapshot(view(*log), "de").entries[-1]
    assert (entry.of, entry.type, entry.player, entry.t) == (1, "place", 0, 6.0)
    assert (entry.cards, entry.names) == (["g7/g6"], ["Grün 7, Grün 6"])
    assert (entry.onto, entry.covered_by) == ("g1", "g7")
    assert (entry.verdict, entry.rules) == ("legal", ["3.1"])
    assert [(said.kind, said.text) for said in entry.said] == [
        ("move", "Ann legt Grün 7, Grün 6."),
        ("effect", "Ben setzt aus."),
        ("turn", "Cem ist am Zug."),
    ]


@pytest.mark.parametrize(
    ("verdicts", "shown"),
    [
        ([], None),  # laid, but nobody has ruled yet
        ([True], "legal"),
        ([None], "unsure"),
        ([False], "illegal"),
        # an omission that came to light beside a sound move
        ([False, True], "illegal"),
        ([None, True], "unsure"),
    ],
)
def test_the_gravest_verdict_counts(verdicts: list[bool | None], shown: str | None) -> None:
    rulings = [ruling(0, legal=legal) for legal in verdicts]
    assert snapshot(view(PLACE, *rulings), "en").entries[-1].verdict == shown


def test_only_the_last_of_several_rulings_speaks_of_the_turn() -> None:
    missed = ruling(1, player=2, legal=False, violations=["no_shout"], turn=0)
    entry = snapshot(view(START, AFTER_START, PLACE, missed, ruling(1)), "en").entries[-1]
    assert [said.text for said in entry.said] == [
        "Ann plays green 7, green 6.",
        "Cem forgot to call out.",
        "Ben's turn.",
    ]


def test_faults_are_counted_for_whoever_is_at_fault() -> None:
    missed = ruling(1, player=2, legal=False, violations=["no_shout"])
    wrong = ruling(1, player=1, legal=False, violations=["no_match"])
    taken = {"type": "take_back", "player": 1, "card": "y4/y1", "t": 11.0}
    shown = snapshot(view(PLACE, ruling(0), ILLEGAL, missed, wrong, taken, ruling(2)), "en")
    assert [seat.faults for seat in shown.seats] == [0, 1, 1]
    assert [entry.taken_back for entry in shown.entries] == [False, True, False]


def test_only_the_newest_entries_are_sent() -> None:
    log = [line for of in range(20) for line in (PLACE, ruling(of))]
    assert [entry.of for entry in snapshot(view(*log), "en").entries] == list(
        range(20 - ENTRIES, 20)
    )


def test_hidden_cards_stay_hidden() -> None:
    header = HEADER | {"hands": [["r1/r2", "?"], 8, 8], "draw_pile": ["g1/g2"]}
    drawn = {"type": "draw", "player": 0, "count": 1, "cards": ["b3/b4"]}
    left = {"type": "hand_left", "player": 1, "cards": ["y1/y2"]}
    shown = snapshot(View(header=header, log=(drawn, left)), "en")
    assert shown.seats[0].cards == 2
    assert shown.draw_pile == 1
    assert all(entry.cards == [] for entry in shown.entries)
    for secret in ("r1/r2", "g1/g2", "b3/b4", "y1/y2", "blue", "yellow"):
        assert secret not in str(shown)


def test_a_finished_game_has_a_winner_and_points() -> None:
    won = ruling(0, finished=True, winners=[0], hands=[0, 8, 8])
    assert snapshot(view(PLACE, won), "en").phase == "round_over"
    score = {
        "type": "score",
        "round": 1,
        "points": [0, 8, 8],
        "totals": [0, 8, 8],
        "finished": True,
        "winners": [0],
    }
    shown = snapshot(view(PLACE, won, score), "en")
    assert shown.phase == "game_over"
    assert [(seat.winner, seat.points) for seat in shown.seats] == [
        (True, 0),
        (False, 8),
        (False, 8),
    ]
    assert not any(seat.on_turn for seat in shown.seats)
    assert shown.entries[-1].said[-1].text == "Ann wins the game!"


def test_a_new_round_forgets_the_ends_and_keeps_the_points() -> None:
    score = {
        "type": "score",
        "round": 1,
        "points": [0, 8, 8],
        "totals": [0, 8, 8],
        "finished": False,
        "winners": [],
    }
    deal = {"type": "deal", "first_player": 1, "hands": [8, 8, 8], "draw_pile": 95}
    shown = snapshot(view(PLACE, ruling(0, finished=True), score, deal), "en")
    assert shown.phase == "playing"
    assert shown.ends == []
    assert [(seat.cards, seat.points) for seat in shown.seats] == [(8, 0), (8, 8), (8, 8)]


def test_what_is_being_checked_is_no_entry() -> None:
    shown = snapshot(view(START, AFTER_START, light="checking", provisional=PLACE), "en")
    assert [entry.of for entry in shown.entries] == [0]
    assert shown.provisional is not None
    assert shown.provisional.verdict is None
    assert shown.provisional.said[0].text == "Ann plays green 7, green 6."


def test_lines_that_are_no_observations_are_passed_over() -> None:
    correction = {"type": "correction", "op": "delete", "of": 0}
    error = {"type": "error", "line": 4, "error": "?"}
    shown = snapshot(view(PLACE, ruling(0), correction, error, {"type": "weather"}), "en")
    assert [entry.type for entry in shown.entries] == ["place"]


def test_the_sample_record_ends_as_it_was_played(sample_record: list[dict[str, Any]]) -> None:
    header, *log = sample_record
    shown = snapshot(View(header=header, log=tuple(log)), "fi")
    last = [line for line in log if line["type"] == "ruling"][-1]
    assert [seat.cards for seat in shown.seats] == last["hands"]
    assert shown.ends == last["ends"]
