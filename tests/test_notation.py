"""The border's notation: what is read, what is written, how mistakes are named."""

from __future__ import annotations

from typing import Any

import pytest

from referee.notation import (
    NotationError,
    extra_fields,
    header_to_dict,
    observation_to_dict,
    parse_header,
    parse_observation,
)
from referee.rules.header import Header
from referee.rules.observations import Place

SOLOMINO = Header("solomino", ("Ann", "Ben"), 0)
SOLO = Header("solo", ("Ann", "Ben"), 0)

LINES: list[dict[str, Any]] = [
    {"type": "deal", "first_player": None, "hands": [8, None], "draw_pile": 103},
    {"type": "start", "card": "r5/g1"},
    {"type": "place", "player": 0, "card": "g7/?", "onto": "g1", "with": "g7"},
    {"type": "place", "player": None, "card": "?", "onto": "?", "with": "?"},
    {"type": "take_back", "player": 0, "card": "g7/g6"},
    {"type": "draw", "player": 1, "count": 2},
    {"type": "draw", "player": 1, "count": 2, "cards": ["r2/b8", "?"]},
    {"type": "choose_player", "player": 0, "target": 1},
    {"type": "choose_direction", "player": 0, "direction": "left"},
    {"type": "choose_colour", "player": 0, "colour": "b"},
    {"type": "call_reveal", "card": "r8/b1"},
    {"type": "call_answer", "player": 1, "card": "b1/b7", "with": "b1"},
    {"type": "call_take", "player": 1},
    {"type": "shout", "player": 1},
    {"type": "end_turn", "player": 1},
    {"type": "hand_left", "player": 1, "count": 3},
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["type"])
def test_a_line_that_is_read_and_written_stays_the_same(line: dict[str, Any]) -> None:
    further = {"t": 4.2, "t_reported": 4.9, "confidence": 0.97, "evidence": [1, 2]}
    entry = {**line, **further}
    assert extra_fields(entry) == further
    assert observation_to_dict(parse_observation(entry, SOLOMINO), extra_fields(entry)) == entry


@pytest.mark.parametrize(
    "line",
    [
        {"type": "place", "player": 0, "card": "kW", "colour": "r"},
        {"type": "place", "player": 0, "cards": ["r7", "b7", "g7"]},
        {"type": "place", "player": 0, "card": "nP"},
    ],
)
def test_so_does_one_of_solo(line: dict[str, Any]) -> None:
    assert observation_to_dict(parse_observation(line, SOLO)) == line
    assert observation_to_dict(parse_observation(line)) == line


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"type": "fly"}, r"type: expected one of deal, start, .* found 'fly'"),
        ({}, r"type: expected one of .* found None"),
        ({"type": "start"}, r"start: expected a field 'card', found none"),
        ({"type": "start", "card": 5}, r"start: card: expected a card's text, found 5"),
        ({"type": "start", "card": "r5"}, r"start: card: expected a solomino card .* found 'r5'"),
        ({"type": "start", "card": "k5/r2"}, r"expected a solomino card"),
        ({"type": "start", "card": "rW/r2"}, r"expected a solomino card"),
        ({"type": "start", "card": "r5/b2/g1"}, r"expected a card such as .* found 'r5/b2/g1'"),
        ({"type": "draw", "player": 2, "count": 1}, r"player: expected a player from 0 to 1"),
        ({"type": "draw", "player": "1", "count": 1}, r"expected a player from 0, found '1'"),
        ({"type": "draw", "player": True, "count": 1}, r"expected a player from 0, found True"),
        ({"type": "draw", "player": 1}, r"draw: expected a field 'count', found none"),
        ({"type": "draw", "player": 1, "count": 0}, r"count: expected a whole number from 1"),
        (
            {"type": "draw", "player": 1, "count": 2, "cards": ["?"]},
            r"cards: expected 2 of them, found 1",
        ),
        ({"type": "shout"}, r"shout: expected a field 'player', found none"),
        (
            {"type": "place", "player": 0, "card": "r5/b2", "with": "r5"},
            r"place: expected a field 'onto', found none",
        ),
        (
            {"type": "place", "player": 0, "card": "r5/b2", "onto": "r55", "with": "r5"},
            r"place: onto: expected a half card such as 'r2', 'bS' or '\?', found 'r55'",
        ),
        ({"type": "choose_player", "player": 0, "target": "Ben"}, r"target: expected a player's"),
        ({"type": "hand_left", "player": None, "count": 1}, r"player: expected a player from 0"),
    ],
)
def test_a_mistake_is_named_with_what_was_expected(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_observation(entry, SOLOMINO)


def test_an_unread_place_needs_no_half() -> None:
    seen = parse_observation(
        {"type": "place", "player": 0, "card": "?", "onto": None, "with": None}, SOLOMINO
    )
    assert isinstance(seen, Place)
    assert (str(seen.onto), str(seen.cover)) == ("?", "?")


HEADER: dict[str, Any] = {
    "type": "game",
    "game": "solomino",
    "players": ["Ann", "Ben"],
    "first_player": 0,
    "options": {"interject": True},
    "hands": [["r2/b8", "?"], 8],
    "draw_pile": 103,
    "deck": {"r2/b8": 1},
}


def test_a_header_that_is_read_and_written_stays_the_same() -> None:
    entry = {**HEADER, "title": "Final"}
    assert header_to_dict(parse_header(entry), extra_fields(entry)) == entry


def test_a_header_may_leave_out_what_is_not_known() -> None:
    header = parse_header({"type": "game", "game": "solo", "players": ["Ann", "Ben"]})
    assert (header.first_player, header.deal().hands, header.draw_pile) == (
        None,
        (None, None),
        None,
    )
    assert header.setup().deck is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "start"}, r"expected a header such as .* found type 'start'"),
        ({"game": "chess"}, r"game 'chess'"),
        ({"players": "Ann"}, r"players: expected 2 to 6 names"),
        ({"hands": [8]}, r"hands: expected 2 hands, found \[8\]"),
        ({"hands": [8, -1]}, r"hands: expected a whole number from 0, found -1"),
        ({"draw_pile": 1.5}, r"draw_pile: expected a whole number from 0, found 1.5"),
        ({"first_player": 2}, r"first_player: expected a player from 0 to 1, found 2"),
        ({"options": {"jump_in": "off"}}, r"option jump_in: solomino has no such option"),
        ({"options": {"interject": "yes"}}, r"option interject: expected one of true, false"),
        ({"options": {"length": {"days": 1}}}, r"option length: expected"),
        ({"options": {"shout_penalty": -1}}, r"option shout_penalty: expected a whole number"),
        ({"options": []}, r"options: expected an object, found \[\]"),
        ({"deck": {"r5": 1}}, r"deck: expected a solomino card"),
        ({"deck": 7}, r"deck: expected a name or"),
    ],
)
def test_a_mistake_in_a_header_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_header({**HEADER, **change})
