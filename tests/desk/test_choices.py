"""Choices that cards leave, entered while they are open, and in hindsight."""

from __future__ import annotations

from typing import Any

import pytest

from referee.desk import orders
from referee.desk.book import Wanted
from referee.desk.choices import unanswered
from referee.notation import NotationError
from referee.rules.header import Header
from referee.rules.state import Choice
from tests.desk.tables import START, Table, done, place

SOLO = Header("solo", ("Ann", "Ben", "Cem"), 0, hands=(8, 8, 8), draw_pile=87)


def lay(player: int, card: str, **fields: Any) -> dict[str, Any]:
    return {"type": "place", "player": player, "card": card, **fields}


def wild_game(*later: dict[str, Any]) -> Table:
    """Ann lays a wild, and nobody has entered its colour."""
    return Table({"type": "start", "card": "g7"}, lay(0, "kW", t=4.0), *later, header=SOLO)


def chose(table: Table, number: int, value: object) -> None:
    done(table.desk.order(lambda game, _: orders.chose(game, number, value), None))


def asked(table: Table) -> list[tuple[str, int | None, int | None]]:
    return [(one.kind, one.player, one.move) for one in table.desk.state("en").open]


def test_the_colour_of_a_wild() -> None:
    table = wild_game()
    assert asked(table) == [("colour", 0, 1)]
    chose(table, 1, "r")
    assert table.lines[2] == {
        "type": "choose_colour",
        "player": 0,
        "colour": "r",
        "t": 4.0,
        "entered": "operator",
    }
    assert (table.game.state.colour, table.game.state.turn, asked(table)) == ("r", 1, [])


def test_a_colour_in_hindsight_clears_the_doubt_that_it_left() -> None:
    table = wild_game(lay(1, "r5"))
    assert table.verdicts == [True, True, None]
    assert asked(table) == [("colour", 0, 1)]
    chose(table, 1, "r")
    assert table.verdicts == [True, True, True, True]
    chose(table, 1, "b")  # no, it was blue
    assert [line["type"] for line in table.lines].count("choose_colour") == 1
    assert table.verdicts == [True, True, True, False]
    done(table.desk.order(lambda game, _: Wanted("undo"), None))
    assert table.verdicts[-1] is True


def test_nobody_is_asked_for_what_no_longer_matters() -> None:
    assert asked(wild_game(lay(1, "r5"), lay(2, "r6"))) == []
    assert asked(wild_game({"type": "state", "turn": 1})) == []
    assert asked(wild_game({"type": "take_back", "player": 0, "card": "kW"})) == []


def test_a_doubt_that_was_decided_asks_for_no_colour() -> None:
    table = wild_game(lay(1, "r5"))
    done(table.desk.order(lambda game, _: orders.decide(game, 2, True), None))
    assert asked(table) == []
    entry = table.desk.move(1, "en")
    assert entry is not None
    assert [(one.kind, one.value) for one in entry.choices] == [("colour", None)]


def test_a_colour_called_with_the_card() -> None:
    table = Table({"type": "start", "card": "g7"}, lay(0, "kW", colour="y"), header=SOLO)
    assert asked(table) == []
    chose(table, 1, "b")
    assert (len(table.lines), table.lines[1]["colour"], table.game.state.colour) == (2, "b", "b")


def test_with_whom_hands_were_swapped() -> None:
    table = Table(START, place(0, "g1", "g7/gX"), place(1, "gX", "g2/b2"))
    hands = [list(table.game.state.hands)]
    assert asked(table) == []  # what followed was legal all the same
    for player in (2, 1):
        chose(table, 1, player)
        assert table.lines[2]["type"] == "choose_player"
        hands.append(list(table.game.state.hands))
    assert hands == [[None, None, None], [8, 7, 7], [8, 6, 8]]


def test_a_choice_that_was_entered_is_changed_where_it_stands() -> None:
    table = Table(START, place(0, "g1", "g7/gP"))
    chose(table, 1, "left")
    number = table.game.ids[2]
    chose(table, number, "right")
    entry = table.desk.move(number, "en")
    assert entry is not None
    assert [(one.kind, one.value) for one in entry.choices] == [("direction", "right")]
    assert len(table.lines) == 3


def test_two_choices_of_one_card() -> None:
    table = Table(START, place(0, "g1", "gX/gP"))
    waiting = unanswered(table.game)
    assert waiting is not None
    assert set(waiting[1]) == {Choice.PLAYER, Choice.DIRECTION}
    chose(table, 1, "left")
    chose(table, 1, 2)
    assert {line["type"] for line in table.lines[2:]} == {"choose_player", "choose_direction"}
    assert table.verdicts == [True, True, True, True]
    assert unanswered(table.game) is None


@pytest.mark.parametrize(
    ("number", "value", "message"),
    [
        (0, "r", "expected a move that leaves or makes a choice"),
        (1, "left", "expected a colour out of r, y, g, b"),
    ],
)
def test_what_cannot_be_chosen(number: int, value: object, message: str) -> None:
    table = wild_game()
    with pytest.raises(NotationError, match=message):
        table.desk.order(lambda game, _: orders.chose(game, number, value), None)


@pytest.mark.parametrize(
    ("jump_in", "code"), [("coloured", "interjection_not_identical"), ("off", "not_your_turn")]
)
def test_a_doubt_out_of_turn_is_asked_about_as_what_it_would_be(jump_in: str, code: str) -> None:
    header = Header("solo", ("Ann", "Ben", "Cem"), 0, {"jump_in": jump_in}, (8, 8, 8), 87)
    half_read = lay(2, "g?", confidence=0.5)
    table = Table({"type": "start", "card": "g7"}, lay(0, "g3"), half_read, header=header)
    suspected = table.desk.state("en").entries[0].suspected
    assert suspected[0].code == code


def test_a_card_laid_after_a_draw_is_asked_about_as_another_than_the_one_drawn() -> None:
    header = Header("solomino", ("Ann", "Ben", "Cem"), 0, {}, (7, 7, 7), 98)
    start = {"type": "start", "card": "r5/g1"}
    drawn = {"type": "draw", "player": 0, "count": 1}
    after = {"type": "place", "player": 0, "card": "g7/g6", "onto": "g1", "with": "g7"}
    newest = Table(start, drawn, after, header=header).desk.state("en").entries[0]
    assert newest.verdict == "unsure"
    assert newest.suspected[0].code == "drawn_card_only"


def test_a_set_becomes_a_card_and_a_card_a_set() -> None:
    header = Header("solo", ("Ann", "Ben"), 0, {"triple": "exact"}, (8, 8), 95)
    table = Table({"type": "start", "card": "g7"}, lay(0, "g5"), header=header)
    assert table.desk.state("en").sets
    three = {"cards": ["g5", "r5", "b5"]}
    done(table.desk.order(lambda game, _: orders.change(game, 1, three), None))
    assert (table.game.state.hands, table.ends) == ((5, 8), ["b5"])
    assert table.desk.state("en").entries[0].cards == ["g5", "r5", "b5"]
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "r5"}), None))
    assert (table.game.state.hands, table.verdicts[-1]) == ((7, 8), False)
