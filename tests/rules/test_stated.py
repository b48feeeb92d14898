"""What people at the table state (rulebook 1.13), and rounds that are broken off (5.6)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.game import Game, load
from referee.notation import NotationError, parse_observation
from referee.rules.cards import parse_card
from referee.rules.header import Header

HEADER = Header("solomino", ("Ann", "Ben", "Cem"), 0, hands=(8, 8, 8), draw_pile=95)
START = {"type": "start", "card": "r5/g1"}


def game_of(*entries: dict[str, Any], header: Header = HEADER) -> Game:
    return load(header, entries)


def last(game: Game) -> tuple[bool | None, list[str], str]:
    ruling = game.rulings(len(game.moves) - 1)[-1]
    return ruling.legal, [str(violation) for violation in ruling.violations], ruling.rule


def place(player: int, onto: str, card: str) -> dict[str, Any]:
    return {
        "type": "place",
        "player": player,
        "card": card,
        "onto": onto,
        "with": card.split("/")[0],
    }


def test_1_13_play_is_judged_from_the_ends_that_were_stated() -> None:
    game = game_of(START, {"type": "state", "ends": ["b8", "y2"]})
    assert last(game) == (True, [], "1.13")
    game.append_entry(place(0, "b8", "b3/g4"))
    assert last(game)[0] is True
    assert [str(end) for end in game.state.ends] == ["g4", "y2"]


def test_1_13_what_is_not_stated_stays_as_it_was() -> None:
    game = game_of(START, place(0, "g1", "g7/gD"), {"type": "state", "hands": [None, 3, None]})
    assert game.state.hands == (7, 3, 8)
    assert (game.state.turn, game.state.must_draw, game.state.draw_pile) == (1, 1, 95)


def test_1_13_a_stated_turn_begins_anew() -> None:
    game = game_of(START, place(0, "g1", "g7/gD"), {"type": "state", "turn": 2})
    assert (game.state.turn, game.state.must_draw) == (2, 0)
    game.append_entry(place(2, "gD", "g2/b2"))
    assert last(game)[0] is True


def test_1_13_an_open_choice_is_settled_with_the_turn() -> None:
    game = game_of(START, place(0, "g1", "g7/gX"), {"type": "state", "turn": 1})
    game.append_entry(place(1, "gX", "g2/b2"))
    assert last(game)[0] is True
    assert game.state.hands == (7, 7, 8)


def test_1_13_a_round_taken_for_finished_goes_on() -> None:
    one_left = Header("solomino", ("Ann", "Ben"), 0, {"shouts": "ignored"}, (1, 8), 95)
    game = game_of(START, place(0, "g1", "g7/g6"), header=one_left)
    assert game.state.finished
    assert game.state.score is not None
    game.append_entry({"type": "state", "turn": 1, "hands": [2, None]})
    after = game.state
    assert not after.finished
    assert (after.winners, after.score) == ((), None)
    game.append_entry(place(1, "g6", "g2/b2"))
    assert last(game)[0] is True


def test_1_13_a_game_is_joined_by_stating_what_lies_there() -> None:
    game = game_of({"type": "state", "ends": ["b8", "?"], "turn": 1, "direction": "right"})
    game.append_entry(place(1, "b8", "b3/g4"))
    assert last(game)[0] is True
    assert game.state.turn == 0


def test_1_13_the_pile_is_counted_anew() -> None:
    cards = (parse_card("r1/r2"), parse_card("b1/b2"))
    known = Header("solomino", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=cards)
    game = game_of(START, {"type": "state", "draw_pile": 40}, header=known)
    assert game.state.draw_pile == 40
    assert game.state.table.pile.known == ()


def test_1_13_solo_has_one_top_card() -> None:
    header = Header("solo", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=95)
    game = game_of(
        {"type": "start", "card": "r5"}, {"type": "state", "ends": ["b7"]}, header=header
    )
    assert ([str(end) for end in game.state.ends], game.state.colour) == (["b7"], "b")
    assert game.moves[-1].as_dict() == {"type": "state", "ends": ["b7"]}


def test_1_13_a_wild_that_is_stated_leaves_open_which_colour_is_in_force() -> None:
    header = Header("solo", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=95)
    wild = {"type": "state", "ends": ["kW"]}
    next_card = {"type": "place", "player": 0, "card": "r7"}
    start = {"type": "start", "card": "r5"}
    assert last(game_of(start, wild, next_card, header=header))[0] is None
    red = game_of(start, {**wild, "colour": "r"}, next_card, header=header)
    assert last(red)[0] is True
    assert red.moves[1].as_dict() == {"type": "state", "ends": ["kW"], "colour": "r"}
    blue = game_of(start, wild, {"type": "state", "colour": "b"}, next_card, header=header)
    assert last(blue) == (False, ["no_match"], "3.2")


def test_1_13_any_card_may_follow_a_rotation_that_is_stated() -> None:
    header = Header("solo", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=95)
    game = game_of(
        {"type": "start", "card": "r5"}, {"type": "state", "ends": ["nP"]}, header=header
    )
    game.append_entry({"type": "place", "player": 0, "card": "b7"})
    assert last(game)[0] is True


def test_5_6_a_round_broken_off_has_no_winner_until_hands_are_laid_open() -> None:
    game = game_of(START, place(0, "g1", "g7/g6"), {"type": "end"})
    assert last(game) == (True, [], "5.6")
    assert (game.state.finished, game.state.winners, game.state.turn) == (True, (), None)
    game.append_entry({"type": "hand_left", "player": 1, "count": 8})
    assert game.state.winners == (0,)
    assert game.state.score is not None


def test_5_6_what_is_over_cannot_be_broken_off() -> None:
    game = game_of(START, {"type": "end"}, {"type": "end"})
    assert last(game) == (False, ["unexpected"], "1.11")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({}, "state: expected one of ends, turn"),
        ({"ends": ["r5"]}, "ends: expected two half cards"),
        ({"ends": ["r5", "z9"]}, "ends: expected a half card"),
        ({"turn": 3}, "turn: expected a player from 0 to 2"),
        ({"colour": "r"}, "colour: expected no colour in solomino"),
        ({"direction": "up"}, "direction: expected left or right"),
        ({"hands": [1, 2]}, "hands: expected 3 hands"),
        ({"must_draw": -1}, "must_draw: expected a whole number from 0"),
    ],
)
def test_a_statement_that_breaks_the_contract_is_named(line: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_observation({"type": "state", **line}, HEADER)
