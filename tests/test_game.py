"""The log of a game: corrections re-judge what follows, and the original stays visible."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games import as_seen, new_round, play
from referee.game import CorrectionError, Game, load
from referee.notation import NotationError, is_observation, observation_to_dict
from referee.rules.header import Header

HEADER = Header("solomino", ("Ann", "Ben", "Cem"), 0, hands=(8, 8, 8), draw_pile=95)
START = {"type": "start", "card": "r5/g1", "t": 1.0}


def place(player: int, onto: str, card: str, **fields: Any) -> dict[str, Any]:
    cover = card.split("/")[0]
    return {"type": "place", "player": player, "card": card, "onto": onto, "with": cover, **fields}


def game_of(*entries: dict[str, Any]) -> Game:
    return load(HEADER, [START, *entries])


def misread() -> Game:
    """Ben's green seven was read as a blue one."""
    return game_of(
        place(0, "g1", "g7/g6"), place(1, "g6", "b7/b2", confidence=0.95), place(2, "b2", "b3/y3")
    )


def test_the_state_is_the_fold_of_the_moves() -> None:
    game = misread()
    assert [str(end) for end in game.state.ends] == ["r5", "y3"]
    assert [game.rulings(of)[-1].legal for of in range(4)] == [True, True, False, True]


def test_a_replaced_move_is_judged_again_and_so_is_all_after_it() -> None:
    game = misread()
    done = game.replace(2, place(1, "g6", "g7/b2"))
    assert done.since == 2
    assert [(c.of, c.before[0].legal, c.now[0].legal) for c in done.changes] == [(2, False, True)]
    assert game.state.turn == 0


def test_the_original_stays_in_the_log() -> None:
    game = misread()
    game.replace(2, place(1, "g6", "g7/b2"))
    entries = [entry.as_dict() for entry in game.log]
    assert entries[2]["card"] == "b7/b2"
    assert entries[4] == {
        "type": "correction",
        "op": "replace",
        "of": 2,
        "observation": place(1, "g6", "g7/b2"),
    }


def test_a_missed_move_is_inserted() -> None:
    game = game_of(place(0, "g1", "g7/g6"), place(2, "g6", "g3/y3"))
    assert [str(v) for v in game.rulings(2)[0].violations] == ["not_your_turn"]
    done = game.insert(2, {"type": "draw", "player": 1, "count": 1})
    assert [(c.of, len(c.before), c.now[0].legal) for c in done.changes] == [
        (2, 0, True),
        (3, 1, True),
    ]
    assert game.state.hands == (7, 9, 7)


def test_a_move_that_never_happened_is_deleted() -> None:
    game = game_of({"type": "draw", "player": 1, "count": 1}, place(0, "g1", "g7/g6"))
    done = game.delete(1)
    assert [(c.of, len(c.now)) for c in done.changes] == [(1, 0)]
    assert game.state.hands == (7, 8, 8)


def test_undo_withdraws_the_last_correction_and_keeps_later_moves() -> None:
    game = misread()
    before = [game.rulings(of) for of in range(4)]
    game.replace(2, place(1, "g6", "g7/b2"))
    game.append_entry({"type": "draw", "player": 0, "count": 1})
    game.undo()
    assert [game.rulings(of) for of in range(4)] == before
    assert len(game.moves) == 5
    game.redo()
    assert game.rulings(2)[0].legal is True


@pytest.mark.parametrize("op", ["undo", "redo"])
def test_there_must_be_something_to_withdraw(op: str) -> None:
    with pytest.raises(CorrectionError, match=f"expected a correction to {op}, found none"):
        game_of().correct_entry({"type": "correction", "op": op})


def test_a_new_correction_ends_what_could_be_made_once_more() -> None:
    game = misread()
    game.delete(3)
    game.undo()
    game.delete(2)
    with pytest.raises(CorrectionError):
        game.redo()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"op": "swap"}, r"op: expected insert, .* found 'swap'"),
        ({"op": "delete", "of": "2"}, r"of: expected a move's number, found '2'"),
        ({"op": "delete", "of": 4}, r"delete: expected a move from 0 to 3, found 4"),
        ({"op": "insert", "of": 5, "observation": START}, r"expected a move from 0 to 4, found 5"),
        ({"op": "replace", "of": 1}, r"observation: expected an observation, found None"),
        ({"op": "replace", "of": 1, "observation": {"type": "start"}}, r"field 'card'"),
    ],
)
def test_a_correction_that_cannot_be_is_named(entry: dict[str, Any], message: str) -> None:
    game = misread()
    state = game.state
    with pytest.raises((CorrectionError, NotationError), match=message):
        game.correct_entry({"type": "correction", **entry})
    assert (game.state, len(game.log)) == (state, 4)


@pytest.mark.parametrize("confidence", ["high", 1.5, -0.1, True])
def test_a_confidence_is_a_share(confidence: object) -> None:
    with pytest.raises(NotationError, match="confidence: expected a number from 0 to 1"):
        game_of({"type": "draw", "player": 0, "count": 1, "confidence": confidence})


def test_confidence_is_passed_on_and_accuses_nobody_where_it_is_low() -> None:
    game = game_of(place(0, "g1", "b7/b6", confidence=0.5))
    assert (game.rulings(1)[0].legal, game.rulings(1)[0].confidence) == (None, 0.5)


def test_a_record_is_read_back_as_the_game_it_shows() -> None:
    game = misread()
    game.replace(2, place(1, "g6", "g7/b2"))
    lines = list(game.record())
    assert lines[0]["type"] == "game"
    again = load(game.header, lines[1:])
    assert list(again.record()) == lines


def test_a_log_is_read_back_as_the_game_that_it_led_to() -> None:
    game = misread()
    game.replace(2, place(1, "g6", "g7/b2"))
    game.undo()
    again = load(game.header, [entry.as_dict() for entry in game.log])
    assert list(again.record()) == list(game.record())


def test_a_score_follows_the_move_that_brings_it_to_light() -> None:
    header = Header("solomino", ("Ann", "Ben"), 0, hands=(1, 3), draw_pile=9)
    game = load(header, [START, place(0, "g1", "g7/g6")])
    assert [line["type"] for line in game.answer(1)] == ["ruling", "score"]
    assert [line["type"] for line in game.answer(0)] == ["ruling"]


def test_the_same_moves_under_other_options() -> None:
    game = game_of(place(2, "r5", "r5/b2"))
    other = game.under({"interject": True})
    assert (game.rulings(1)[0].legal, other.rulings(1)[0].legal) == (False, True)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.data())
def test_corrections_give_what_judging_the_corrected_moves_would(data: st.DataObject) -> None:
    random = Random(data.draw(st.integers(0, 5)))
    header, starts = new_round("solomino", 3, random)
    header, moves = as_seen(header, list(play(header, starts, random))[:25])
    game = load(header, [observation_to_dict(move) for move in moves])
    first = list(game.record())
    for _ in range(3):
        of = data.draw(st.integers(1, len(game.moves) - 1))
        entry = game.moves[data.draw(st.integers(1, len(game.moves) - 1))].as_dict()
        op = data.draw(st.sampled_from(("insert", "replace", "delete")))
        game.correct_entry({"type": "correction", "op": op, "of": of, "observation": entry})
    corrected = list(game.record())
    fresh = load(header, [line for line in corrected if is_observation(line)])
    assert list(fresh.record()) == corrected
    for _ in range(3):
        game.undo()
    assert list(game.record()) == first
    for _ in range(3):
        game.redo()
    assert list(game.record()) == corrected


def test_a_move_keeps_its_number_wherever_corrections_push_it() -> None:
    game = misread()
    game.insert(1, {"type": "draw", "player": 2, "count": 1})
    assert list(game.ids) == [0, 4, 1, 2, 3]
    game.replace(2, place(0, "g1", "g7/g5"))
    game.delete(3)
    assert list(game.ids) == [0, 4, 1, 3]
    game.append_entry({"type": "draw", "player": 0, "count": 1})
    game.undo()
    assert list(game.ids) == [0, 4, 1, 2, 3, 5]
    for _ in range(2):
        game.undo()
    game.redo()
    assert list(game.ids) == [0, 4, 1, 2, 3, 5]


def test_what_would_be_undone_is_named() -> None:
    game = misread()
    assert (game.undoable, game.redoable) == (None, None)
    game.correct_entry({"type": "correction", "op": "delete", "of": 3, "by": "Eva"})
    assert game.undoable is not None
    assert (game.undoable.op, game.undoable.fields["by"]) == ("delete", "Eva")
    game.undo()
    assert game.undoable is None
    assert game.redoable is not None
    assert game.redoable.op == "delete"


def test_an_operator_decides_what_nobody_can_tell() -> None:
    unread = place(0, "g1", "?7/g6")
    game = game_of(unread)
    assert game.rulings(1)[-1].legal is None
    game.replace(1, {**unread, "decided": {"legal": True}})
    assert (game.rulings(1)[-1].legal, game.rulings(1)[-1].violations) == (True, ())
    game.replace(1, {**unread, "decided": {"legal": False, "violations": ["no_match"]}})
    assert [str(v) for v in game.rulings(1)[-1].violations] == ["no_match"]
    assert game.rulings(1)[-1].legal is False


def test_a_decision_against_a_doubtful_reading_names_what_was_suspected() -> None:
    game = game_of(place(0, "g1", "b7/b6", confidence=0.5, decided={"legal": False}))
    assert [str(v) for v in game.rulings(1)[-1].violations] == ["no_match"]
    game = game_of(place(0, "g1", "b7/b6", confidence=0.5, decided={"legal": True}))
    assert game.rulings(1)[-1].legal is True


@pytest.mark.parametrize("decided", [True, {}, {"legal": 1}, {"legal": False, "violations": ["x"]}])
def test_a_decision_is_one_of_the_contract(decided: object) -> None:
    with pytest.raises(NotationError, match="decided: "):
        game_of(place(0, "g1", "g7/g6", decided=decided))


def test_a_pause_is_a_line_of_the_log() -> None:
    game = misread()
    game.pause(True, by="Eva")
    assert game.paused
    again = load(game.header, [entry.as_dict() for entry in game.log])
    assert again.paused
    again.pause(False)
    assert [entry.as_dict()["type"] for entry in again.log][-2:] == ["pause", "resume"]
    assert (game.revision, again.revision) == (5, 6)


def test_later_moves_follow_a_correction_and_are_undone_with_it() -> None:
    game = game_of(place(0, "g1", "g7/g6"), place(1, "g6", "g3/y3"))
    before = [move.as_dict() for move in game.moves]
    game.correct_entry(
        {
            "type": "correction",
            "op": "replace",
            "of": 1,
            "observation": place(0, "g1", "g7/g9"),
            "also": [{"of": 2, "observation": place(1, "g9", "g3/y3")}],
        }
    )
    assert [game.rulings(of)[-1].legal for of in range(3)] == [True, True, True]
    assert game.moves[2].as_dict()["onto"] == "g9"
    again = load(game.header, [entry.as_dict() for entry in game.log])
    assert list(again.record()) == list(game.record())
    game.undo()
    assert [move.as_dict() for move in game.moves] == before
    game.redo()
    assert list(again.record()) == list(game.record())


@pytest.mark.parametrize(
    ("also", "message"),
    [
        ("x", "also: expected a list"),
        ([{"of": 2}], "also: expected objects"),
        ([{"of": 0, "observation": START}], "also: expected a move from 1 to 3, found 0"),
    ],
)
def test_what_follows_a_correction_is_checked(also: object, message: str) -> None:
    line = {"type": "correction", "op": "delete", "of": 1, "also": also}
    with pytest.raises((CorrectionError, NotationError), match=message):
        game_of(START, START, START, START).correct_entry(line)
