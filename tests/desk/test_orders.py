"""What operators ask for: each is one change, all that follows is judged again."""

from __future__ import annotations

from typing import Any

import pytest

from referee.desk import orders
from referee.game import CorrectionError
from referee.notation import NotationError
from referee.rules.header import Header
from tests.desk.tables import START, Table, done, place


def test_a_card_is_corrected_and_the_next_one_lies_on_it() -> None:
    table = Table(START, place(0, "g1", "g7/g6"), place(1, "g6", "b9/b2"))
    assert table.verdicts == [True, True, False]
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "g7/g9"}), None))
    assert table.verdicts == [True, True, True]
    assert table.lines[2]["onto"] == "g9"


def test_a_corrected_card_covers_with_the_half_that_covered() -> None:
    table = Table(START, place(0, "g1", "g7/g6"))
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "b2/g7"}), None))
    assert table.lines[1]["with"] == "g7"
    assert table.ends == ["r5", "b2"]
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "g4/y1"}), None))
    assert table.lines[1]["with"] == "g4"


def test_a_correction_is_sure_whatever_the_reading_was() -> None:
    table = Table(START, place(0, "g1", "?7/g6", confidence=0.4, deciding=0.3, t=5.0))
    assert table.verdicts[-1] is None
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "g7/g6"}), None))
    assert table.verdicts[-1] is True
    assert table.lines[1] == place(0, "g1", "g7/g6", t=5.0, entered="operator")


def test_it_was_somebody_else() -> None:
    table = Table(START, place(1, "g1", "g7/g6"))
    assert table.verdicts[-1] is False
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"player": 0}), None))
    assert (table.verdicts[-1], table.game.state.hands) == (True, (7, 8, 8))


def test_it_was_the_other_end_and_later_cards_go_with_it() -> None:
    table = Table(START, place(0, "g1", "g7/y5"), place(1, "y5", "y2/b2"))
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"onto": "r5"}), None))
    assert table.ends == ["b2", "g1"]
    assert table.verdicts == [True, False, True]  # g7 does not match r5


def test_a_choice_is_its_players_when_it_was_somebody_else() -> None:
    table = Table(
        START,
        place(1, "g1", "g7/gX"),
        {"type": "choose_player", "player": 1, "target": 2},
    )
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"player": 0}), None))
    assert table.lines[2]["player"] == 0
    assert table.verdicts == [True, True, True]
    assert table.game.state.hands == (8, 8, 7)


def test_a_card_taken_back_is_the_corrected_one() -> None:
    back = {"type": "take_back", "player": 0, "card": "g7/g6"}
    table = Table(START, place(0, "g1", "g7/g6"), back)
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "y7/y6"}), None))
    assert (table.lines[2]["card"], table.verdicts[2]) == ("y7/y6", True)
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"player": 2}), None))
    assert (table.lines[2]["player"], table.verdicts[2]) == (2, True)


def test_it_was_not_a_move_and_later_cards_lie_on_what_was_below() -> None:
    table = Table(START, place(0, "g1", "g7/b6"), place(0, "b6", "g2/y2"))
    done(table.desk.order(lambda game, _: orders.no_move(game, 1), None))
    assert [line["type"] for line in table.lines] == ["start", "place"]
    assert (table.lines[1]["onto"], table.verdicts[1]) == ("g1", True)


def test_it_was_a_draw() -> None:
    table = Table(START, place(0, "g1", "b7/b6", t=5.0, confidence=0.5))
    done(table.desk.order(lambda game, _: orders.was_draw(game, 1, 2), None))
    assert table.lines[1] == {
        "type": "draw",
        "player": 0,
        "count": 2,
        "t": 5.0,
        "entered": "operator",
    }
    assert table.game.state.hands == (10, 8, 8)


def test_it_was_a_move_of_another_kind() -> None:
    table = Table(START, place(0, "g1", "b7/b6", t=5.0))
    entry = {"type": "end_turn", "player": 0}
    done(table.desk.order(lambda game, _: orders.was(game, 1, entry), None))
    assert table.lines[1] == {**entry, "t": 5.0, "entered": "operator"}


def test_a_missed_move_is_inserted_and_later_cards_lie_on_it() -> None:
    table = Table(START, place(0, "g1", "g7/g6", t=5.0), place(2, "g6", "b3/y3", t=9.0))
    assert table.verdicts == [True, True, False]
    entry = place(1, "g6", "g2/b2")
    done(table.desk.order(lambda game, s: orders.missed(game, entry, 2, s), None))
    assert table.verdicts == [True, True, True, True]
    assert (table.lines[2]["t"], table.lines[3]["onto"]) == (5.0, "b2")


def test_a_card_was_taken_back() -> None:
    table = Table(START, place(0, "g1", "b7/b6", t=5.0), {"type": "draw", "player": 0, "count": 1})
    done(table.desk.order(lambda game, _: orders.taken_back(game, 1), None))
    assert [line["type"] for line in table.lines] == ["start", "place", "take_back", "draw"]
    assert (table.verdicts[2], table.ends) == (True, ["r5", "g1"])
    with pytest.raises(NotationError, match="expected a move that laid a card, found start"):
        table.desk.order(lambda game, _: orders.taken_back(game, 0), None)


def test_a_decision_where_nobody_can_tell() -> None:
    unread = place(0, "g1", "?7/g6", confidence=0.4)
    table = Table(START, unread)
    done(table.desk.order(lambda game, _: orders.decide(game, 1, True), None))
    assert table.verdicts[-1] is True
    done(table.desk.order(lambda game, _: orders.decide(game, 1, False, ["no_match"]), None))
    assert table.verdicts[-1] is False
    done(table.desk.order(lambda game, _: orders.as_read(game, 1), None))
    assert table.verdicts[-1] is None
    assert "decided" not in table.lines[1]


def test_the_next_card_is_judged_from_what_the_operator_said() -> None:
    table = Table(START, place(0, "g1", "g7/g6"))
    done(table.desk.order(lambda game, _: orders.change(game, 1, {"card": "g7/g9"}), None))
    assert table.seen.told == [(["r5", "g6"], ["r5", "g9"], [], False)]


def test_a_shout_is_whoevers_it_must_be() -> None:
    two = Header("solomino", ("Ann", "Ben"), 0, hands=(2, 8), draw_pile=95)
    table = Table(START, place(0, "g1", "g7/g6"), header=two)
    done(table.desk.order(lambda game, s: orders.shout(game, None, s), None))
    assert table.lines[-1]["player"] == 0
    table.book.observe({"type": "draw", "player": 1, "count": 1})
    assert table.verdicts == [True, True, True, True]


@pytest.mark.parametrize(
    ("card", "value", "kind", "field"),
    [
        ("g7/gX", 2, "choose_player", "target"),
        ("g7/gP", "right", "choose_direction", "direction"),
    ],
)
def test_a_choice_goes_to_the_one_that_is_open(
    card: str, value: object, kind: str, field: str
) -> None:
    table = Table(START, place(0, "g1", card))
    done(table.desk.order(lambda game, s: orders.choose(game, value, None, s), None))
    assert (table.lines[-1]["type"], table.lines[-1][field]) == (kind, value)
    assert table.lines[-1]["player"] == 0
    assert table.verdicts[-1] is True


def test_a_colour_is_chosen_for_a_wild() -> None:
    header = Header("solo", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=95)
    table = Table(
        {"type": "start", "card": "r5"}, {"type": "place", "player": 0, "card": "kW"}, header=header
    )
    done(table.desk.order(lambda game, s: orders.choose(game, "b", None, s), None))
    assert (table.game.state.colour, table.verdicts[-1]) == ("b", True)


def test_a_choice_that_is_not_open_is_named() -> None:
    table = Table(START, place(0, "g1", "g7/gX"))
    with pytest.raises(NotationError, match=r"expected a player's number .* found 'left'"):
        table.desk.order(lambda game, s: orders.choose(game, "left", None, s), None)


def test_a_draw_and_the_end_of_a_turn_are_whoevers_turn_it_is() -> None:
    table = Table(START)
    done(table.desk.order(lambda game, s: orders.draw(game, 1, None, s), None))
    done(table.desk.order(lambda game, s: orders.end_turn(game, None, s), None))
    assert [line.get("player") for line in table.lines[1:]] == [0, 0]
    assert (table.verdicts, table.game.state.turn) == ([True, True, True], 1)


def test_a_further_round_is_dealt_as_the_first_was() -> None:
    table = Table(START, place(0, "g1", "g7/g6"), {"type": "end"})
    table.desk.pause(True)
    done(table.desk.order(lambda game, s: orders.new_round(game, {}, s), None, afresh=True))
    state = table.game.state
    assert (state.hands, state.draw_pile, state.table.round) == ((8, 8, 8), 95, 2)
    assert not table.game.paused
    assert table.seen.told[-1][3] is True


def test_a_further_round_may_be_dealt_otherwise() -> None:
    table = Table(START, {"type": "end"})
    fields: dict[str, Any] = {"first_player": 2, "hands": [7, 7, 7], "draw_pile": 98}
    done(table.desk.order(lambda game, s: orders.new_round(game, fields, s), None))
    assert (table.game.state.turn, table.game.state.hands) == (2, (7, 7, 7))


def test_the_table_is_accepted_as_it_lies() -> None:
    table = Table(START, place(0, "g1", "g7/g6"))
    table.lies("g6", "r3")
    sync = table.desk.state("en").sync
    assert (sync.fits, sync.expected, sync.seen) == (False, ["r5", "g6"], ["g6", "r3"])
    done(table.desk.accept(None))
    assert table.ends == ["r3", "g6"]  # as the log has its ends: the known one stays in place
    assert table.desk.state("en").sync.fits is True


def test_there_must_be_something_to_accept() -> None:
    with pytest.raises(CorrectionError, match="expected a line on the table"):
        Table(START).desk.accept(None)


def test_the_log_may_be_right_all_the_same() -> None:
    table = Table(START)
    table.lies("r6", "g1")
    table.desk.keep()
    assert table.desk.state("en").sync.kept
    table.lies("r6", "g2")
    assert not table.desk.state("en").sync.kept


def test_the_order_of_the_ends_and_what_was_not_read_are_no_difference() -> None:
    table = Table(START)
    for ends in (("r5", "g1"), ("g1", "r5"), ("?", "r5"), ("g?", "r5")):
        table.lies(*ends)
        assert table.desk.state("en").sync.fits is True
    table.lies("g1", "g1")
    assert table.desk.state("en").sync.fits is False


def test_when_play_goes_on_the_line_is_taken_as_it_lies() -> None:
    table = Table(START)
    assert table.desk.pause(True, "Eva")
    table.lies("b3", "y4")
    assert table.desk.pause(False)
    assert sorted(table.ends) == ["b3", "y4"]
    assert not table.desk.pause(False)
    assert [line["type"] for line in table.kept.lines] == ["pause", "resume", "correction"]


def test_how_things_stand_may_be_stated() -> None:
    table = Table(START)
    fields = {"turn": 2, "hands": [None, 3, None], "ends": None}
    done(table.desk.order(lambda game, s: orders.state(game, fields, s), None))
    assert (table.game.state.turn, table.game.state.hands) == (2, (8, 3, 8))
