"""Rulebook, chapter 1: the table. A test's number is the paragraph's."""

from __future__ import annotations

import pytest

from referee.notation import NotationError, parse_header
from tests.rules.playing import effects, faults, solo, solomino


def test_1_1_the_left_is_clockwise_and_turns_go_there() -> None:
    game = solomino(players=6)
    for player in range(6):
        assert faults(game.draw(player)) == []
    assert game.state.direction == "left"
    assert faults(game.draw(0)) == []


@pytest.mark.parametrize(("game", "players"), [("solomino", 1), ("solomino", 7), ("solo", 11)])
def test_1_1_solomino_is_for_two_to_six_solo_for_two_to_ten(game: str, players: int) -> None:
    with pytest.raises(NotationError, match=r"players: expected 2 to \d+ names"):
        parse_header({"type": "game", "game": game, "players": ["Ann"] * players})


def test_1_2_hands_and_pile_are_counted_from_the_deal() -> None:
    game = solomino(hands=[8, 8, None], draw_pile=None)
    game.draw(0)
    assert game.state.hands == (9, 8, None)
    assert game.state.draw_pile is None


def test_1_2_a_hand_may_be_known_in_part() -> None:
    game = solomino(hands=[["r2/b8", "?"], 8, 8])
    assert game.state.hands == (2, 8, 8)
    assert faults(game.place(0, "r5", "r2/b8")) == []


def test_1_3_the_first_card_begins_the_line_and_is_in_no_count() -> None:
    game = solomino()
    ruling = game.rulings[-1]
    assert (ruling.legal, ruling.player, ruling.rule) == (True, None, "1.3")
    assert game.ends() == ["r5", "g1"]
    assert (game.state.hands, game.state.draw_pile, game.state.turn) == ((8, 8, 8), 60, 0)


def test_1_3_solo_begins_its_discard_pile() -> None:
    game = solo(start="y7")
    assert game.ends() == ["y7"]
    assert game.state.colour == "y"


def test_1_4_after_a_normal_draw_the_turn_stays_until_the_next_player_acts() -> None:
    game = solomino()
    game.draw(0)
    assert game.state.turn == 0
    assert faults(game.place(1, "r5", "r7/b2")) == []
    assert game.state.turn == 2


def test_1_4_a_seen_end_passes_the_turn_after_a_draw() -> None:
    game = solomino()
    game.draw(0)
    assert faults(game.end_turn(0)) == []
    assert game.state.turn == 1


def test_1_4_the_end_of_a_turn_may_be_seen_after_a_card_was_laid() -> None:
    game = solomino(players=2)
    game.place(0, "r5", "rS/b2")
    assert game.state.turn == 0  # with two players a skip brings the turn back
    assert faults(game.end_turn(0)) == []
    assert game.state.turn == 0


def test_1_4_without_a_first_player_whoever_acts_first_begins() -> None:
    game = solomino(first_player=None)
    assert game.state.turn is None
    assert faults(game.place(2, "r5", "r7/b2")) == []
    assert game.state.turn == 0


@pytest.mark.parametrize("kind", ["place", "draw", "end_turn"])
def test_1_5_nobody_acts_in_anothers_turn(kind: str) -> None:
    game = solomino()
    acts = {
        "place": lambda: game.place(1, "r5", "r7/b2"),
        "draw": lambda: game.draw(1),
        "end_turn": lambda: game.end_turn(1),
    }
    ruling = acts[kind]()
    assert faults(ruling) == ["not_your_turn"]
    assert ruling.rule == "1.5"


def test_1_5_a_second_card_in_a_row_is_out_of_turn() -> None:
    game = solomino()
    game.place(0, "r5", "r7/b2")
    assert faults(game.place(0, "b2", "b4/y4")) == ["not_your_turn"]


def test_1_6_a_card_against_the_rules_is_followed_with_its_action() -> None:
    game = solomino()
    ruling = game.place(0, "r5", "g7/bS")
    assert faults(ruling) == ["no_match"]
    assert effects(ruling) == [{"effect": "skip", "player": 1}]
    assert (game.state.turn, game.ends()) == (2, ["bS", "g1"])
    assert faults(game.place(2, "bS", "b3/y3")) == []


def test_1_6_after_a_card_out_of_turn_play_goes_on_after_it() -> None:
    game = solomino(players=4)
    game.place(2, "r5", "r7/b2")
    assert game.state.turn == 3
    assert faults(game.place(3, "b2", "b4/y4")) == []


def test_1_6_or_the_player_whose_turn_was_taken_acts_next() -> None:
    game = solomino(players=4)
    game.place(2, "r5", "r7/b2")
    assert faults(game.place(0, "b2", "b4/y4")) == []
    assert game.state.turn == 1


def test_1_6_the_right_to_act_next_lapses_once_play_went_on() -> None:
    game = solomino(players=4)
    game.place(2, "r5", "r7/b2")
    game.place(3, "b2", "b4/y4")
    assert game.state.turn == 0
    game.place(0, "y4", "y5/y6")
    assert faults(game.place(0, "y6", "y2/y3")) == ["not_your_turn"]


def test_1_6_a_flagged_card_out_of_turn_cancels_what_was_owed() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rD")
    assert game.state.must_draw == 1
    assert faults(game.place(2, "rD", "r7/b2")) == ["not_your_turn"]
    assert game.state.must_draw == 0
    assert faults(game.place(1, "b2", "b4/y4")) == []


def test_1_6_a_draw_out_of_turn_is_followed_and_debts_lapse() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rD")
    assert faults(game.draw(2)) == ["not_your_turn"]
    assert (game.state.turn, game.state.must_draw) == (2, 0)
    assert game.state.hands == (7, 8, 9)
    assert faults(game.draw(0)) == []


def test_1_7_taking_back_restores_what_was_before() -> None:
    game = solomino()
    before = game.state
    game.place(0, "r5", "g7/bS")
    ruling = game.take_back(0, "bS/g7")
    assert (faults(ruling), ruling.rule) == ([], "1.7")
    assert game.state == before


def test_1_7_it_must_follow_the_placement_directly() -> None:
    game = solomino()
    game.place(0, "r5", "r7/b2")
    game.draw(1)
    assert faults(game.take_back(0, "r7/b2")) == ["unexpected"]


@pytest.mark.parametrize(("player", "card"), [(1, "r7/b2"), (0, "r7/b3")])
def test_1_7_only_the_card_just_laid_and_by_whoever_laid_it(player: int, card: str) -> None:
    game = solomino()
    game.place(0, "r5", "r7/b2")
    assert faults(game.take_back(player, card)) == ["unexpected"]


def test_1_7_what_the_placement_showed_about_others_is_not_found_twice() -> None:
    game = solomino(hands=[2, 8, 8])
    game.place(0, "r5", "r7/b2")
    game.place(1, "b2", "g4/y4")
    assert game.verdicts() == [(0, False, ["no_shout"]), (1, False, ["no_match"])]
    game.take_back(1, "g4/y4")
    game.place(1, "b2", "b4/y4")
    assert game.verdicts() == [(1, True, [])]
    assert faults(game.draw(0)) == []  # the penalty is still due


def test_1_7_nor_is_a_draw_cut_short() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rD")
    game.draw(1)
    game.place(2, "rD", "g9/y4")
    assert game.verdicts() == [(1, False, ["drew_too_few"]), (2, False, ["no_match"])]
    game.take_back(2, "g9/y4")
    assert game.state.turn == 1
    game.place(2, "rD", "r9/y4")
    assert game.verdicts() == [(2, True, [])]


def test_1_8_who_began_a_turn_and_let_the_next_player_act_drew_too_few() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rD")
    game.draw(1)
    game.draw(2)
    assert game.verdicts() == [(1, False, ["drew_too_few"]), (2, True, [])]
    assert game.state.turn == 2


@pytest.mark.parametrize("owed", [False, True])
def test_1_8_who_is_seen_to_end_a_turn_without_a_card_drew_too_few(owed: bool) -> None:
    game = solomino()
    if owed:
        game.place(0, "r5", "r2/rD")
    ruling = game.end_turn(1 if owed else 0)
    assert (faults(ruling), ruling.rule) == (["drew_too_few"], "1.8")
    assert (game.state.turn, game.state.must_draw) == (2 if owed else 1, 0)


def test_1_8_who_did_nothing_at_all_is_innocent() -> None:
    game = solomino()
    game.place(1, "r5", "r7/b2")
    assert game.verdicts() == [(1, False, ["not_your_turn"])]


def test_1_9_until_a_choice_is_made_it_is_the_choosers_turn_and_debts_wait() -> None:
    game = solo()
    ruling = game.lay(0, "kF")
    assert effects(ruling) == [
        {"effect": "owe_draw", "player": 1, "count": 4},
        {"effect": "choose_colour", "player": 0},
    ]
    assert (game.state.turn, game.state.must_draw, game.state.colour) == (0, 0, None)
    game.call_colour(0, "b")
    assert (game.state.turn, game.state.must_draw, game.state.colour) == (1, 4, "b")


@pytest.mark.parametrize("target", [0, 3])
def test_1_9_a_wrong_choice_leaves_the_choice_open(target: int) -> None:
    game = solomino()
    game.place(0, "r5", "r2/rX")
    ruling = game.swap_with(0, target)
    assert (faults(ruling), ruling.rule) == (["wrong_choice"], "1.9")
    assert game.state.turn == 0
    assert faults(game.swap_with(0, 2)) == []


def test_1_9_there_are_four_colours_and_two_directions() -> None:
    game = solo(options={"rotation": "player"})
    assert faults(game.lay(0, "kW", colour="k")) == ["wrong_choice"]
    assert faults(game.call_colour(0, "p")) == ["wrong_choice"]
    assert faults(game.call_colour(0, "g")) == []
    game.lay(1, "nP")
    assert faults(game.pass_hands(1, "up")) == ["wrong_choice"]
    assert faults(game.pass_hands(1, "right")) == []


def test_1_9_nobody_chooses_for_another() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rX")
    assert faults(game.swap_with(1, 2)) == ["not_your_turn"]
    assert game.state.turn == 0


def test_1_9_play_that_goes_on_without_the_choice_makes_hands_unknown() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rX")
    assert faults(game.draw(1)) == []
    assert game.state.hands == (None, None, None)


def test_1_9_or_the_colour_unknown() -> None:
    game = solo()
    game.lay(0, "kW")
    assert faults(game.lay(1, "b4")) == ["?"]
    assert game.state.hands == (7, 7, 8)
    assert game.state.colour == "b"


def test_1_11_what_fits_nothing_changes_nothing() -> None:
    game = solomino()
    before = game.state
    for ruling in (
        game.see("start", card="r1/r2"),
        game.reveal("r1/r2"),
        game.answer(0, "r1/r2"),
        game.take(0),
        game.swap_with(0, 1),
        game.pass_hands(0, "left"),
        game.call_colour(0, "r"),
        game.left(0, count=3),
        game.take_back(0, "r1/r2"),
    ):
        assert (faults(ruling), ruling.rule) == (["unexpected"], "1.11")
    assert game.state == before


def test_1_11_not_even_what_is_still_open() -> None:
    game = solomino(hands=[8, 8, 8])
    game.place(0, "r5", "r2/rX")
    before = game.state
    assert faults(game.take(1)) == ["unexpected"]
    assert faults(game.answer(1, "r1/r2")) == ["unexpected"]
    assert faults(game.end_turn(2)) == ["not_your_turn"]
    assert game.state == before


def test_1_11_nothing_is_played_before_the_first_card() -> None:
    game = solomino(start=None)
    assert faults(game.place(0, "r5", "r7/b2")) == ["unexpected"]
    assert faults(game.draw(0)) == ["unexpected"]


def test_1_12_a_known_hand_cannot_give_what_it_does_not_hold() -> None:
    game = solomino(hands=[["r2/b8", "r3/b3"], 8, 8])
    ruling = game.place(0, "r5", "r7/b2")
    assert (faults(ruling), ruling.rule) == (["card_not_in_hand"], "1.12")
    assert game.state.hands == (1, 8, 8)


def test_1_12_a_hand_known_in_part_can() -> None:
    game = solomino(hands=[["r2/b8", "?"], 8, 8])
    assert faults(game.place(0, "r5", "r7/b2")) == []


def test_1_12_there_are_no_more_copies_than_the_deck_has() -> None:
    game = solo()
    assert faults(game.lay(0, "r5")) == []
    assert faults(game.lay(1, "r5")) == ["card_not_in_deck"]
    assert faults(game.lay(2, "r0")) == ["card_not_in_deck"]


def test_1_12_nothing_is_ruled_on_a_deck_that_nobody_listed() -> None:
    game = solomino()
    for player in (0, 1, 2):
        assert faults(game.place(player, game.ends()[0], "r5/r5")) == []


def test_1_12_a_deck_may_be_listed() -> None:
    game = solomino(deck={"r5/g1": 1, "r5/r5": 1, "r6/r6": 1})
    assert faults(game.place(0, "r5", "r5/r5")) == []
    assert faults(game.place(1, "r5", "r5/r5")) == ["card_not_in_deck"]
