"""Rulebook, chapter 4: calling out. A test's number is the paragraph's."""

from __future__ import annotations

import pytest

from tests.rules.playing import effects, faults, solo, solomino

BEFORE = {"shout_deadline": "before_move"}


def test_4_1_whoever_has_one_card_left_calls_before_anybody_acts() -> None:
    game = solomino(hands=[2, 8, 8])
    game.place(0, "r5", "r7/b2")
    ruling = game.shout(0)
    assert (faults(ruling), ruling.rule) == ([], "4.1")
    game.draw(1)
    assert game.verdicts() == [(1, True, [])]


def test_4_1_a_shout_earlier_in_the_turn_counts() -> None:
    game = solomino(hands=[2, 8, 8])
    game.shout(0)
    game.place(0, "r5", "r7/b2")
    game.draw(1)
    assert game.verdicts() == [(1, True, [])]


def test_4_1_a_shout_in_an_earlier_turn_does_not() -> None:
    game = solomino(hands=[8, 8, 2])
    game.shout(2)
    game.place(0, "r5", "r7/b2")
    game.draw(1)
    game.place(2, "b2", "b3/b4")
    game.draw(0)
    assert game.verdicts()[0] == (2, False, ["no_shout"])


@pytest.mark.parametrize(("target", "owes"), [(1, False), (2, True)])
def test_4_1_the_hand_is_counted_after_a_swap(target: int, owes: bool) -> None:
    game = solomino(hands=[2, 8, 1])
    game.place(0, "r5", "r7/bX")
    game.swap_with(0, target)
    game.draw(1)
    assert game.verdicts() == [*([(0, False, ["no_shout"])] if owes else []), (1, True, [])]


def test_4_1_and_after_a_pass_of_which_receivers_owe_nothing() -> None:
    game = solomino(hands=[2, 8, 1])
    game.place(0, "r5", "r7/bP")
    game.pass_hands(0, "right")  # Cem gets the single card, Ann eight
    assert game.state.hands == (8, 1, 1)
    game.draw(1)
    assert game.verdicts() == [(1, True, [])]


def test_4_1_who_answers_a_call_owes_nothing() -> None:
    game = solomino(hands=[8, 2, 8])
    game.place(0, "r5", "r7/bC")
    game.reveal("r8/b1")
    game.answer(1, "b1/b7")
    game.take(2)
    assert game.verdicts() == [(2, None, [])]


def test_4_1_answering_a_call_is_acting_turning_up_its_card_is_not() -> None:
    game = solomino(hands=[2, 8, 8])
    game.place(0, "r5", "r7/bC")
    game.reveal("r8/b1")
    assert game.verdicts() == [(None, True, [])]
    game.answer(1, "b1/b7")
    assert game.verdicts() == [(0, False, ["no_shout"]), (1, True, [])]


def test_4_1_before_the_move_where_that_was_agreed() -> None:
    game = solomino(hands=[2, 8, 8], options=BEFORE)
    game.place(0, "r5", "r7/b2")
    assert game.verdicts() == [(0, False, ["no_shout"]), (0, True, [])]
    game = solomino(hands=[2, 8, 8], options=BEFORE)
    game.shout(0)
    game.place(0, "r5", "r7/b2")
    assert game.verdicts() == [(0, True, [])]


def test_4_1_before_a_move_whose_swap_leaves_one_card() -> None:
    game = solomino(hands=[4, 8, 1], options=BEFORE)
    game.place(0, "r5", "r7/bX")
    game.shout(0)
    game.swap_with(0, 2)
    assert game.verdicts() == [(0, False, ["no_shout"]), (0, True, [])]


@pytest.mark.parametrize("penalty", [1, 3, 0])
def test_4_2_the_penalty_is_among_the_effects(penalty: int) -> None:
    game = solomino(hands=[2, 8, 8], options={"shout_penalty": penalty})
    game.place(0, "r5", "r7/b2")
    game.draw(1)
    missed = game.rulings[0]
    assert (missed.player, faults(missed), missed.rule) == (0, ["no_shout"], "4.2")
    expected = [{"effect": "penalty_draw", "player": 0, "count": penalty}] if penalty else []
    assert effects(missed) == expected


def test_4_2_it_is_two_cards_in_solo() -> None:
    game = solo(hands=[2, 8, 8])
    game.lay(0, "r7")
    game.lay(1, "r8")
    assert effects(game.rulings[0]) == [{"effect": "penalty_draw", "player": 0, "count": 2}]


def test_4_2_taking_it_is_no_part_of_a_turn() -> None:
    game = solo(hands=[2, 8, 8])
    game.lay(0, "r7")
    game.draw(1)
    ruling = game.draw(0, 2)
    assert (faults(ruling), ruling.rule) == ([], "4.2")
    assert (game.state.turn, game.state.hands, game.state.must_draw) == (1, (3, 9, 8), 0)


def test_4_2_draws_settle_it_before_anything_else() -> None:
    game = solo(players=2, hands=[2, 8])
    game.lay(0, "r7")
    game.lay(1, "rD")
    assert game.state.must_draw == 2
    game.draw(0, 3)
    assert (game.state.turn, game.state.must_draw) == (0, 1)
    game.draw(0, 2)
    assert (game.state.must_draw, faults(game.draw(0))) == (0, ["drew_too_many"])


def test_4_2_who_takes_it_unasked_has_missed_the_shout_and_pays() -> None:
    game = solomino(hands=[2, 8, 8])
    game.place(0, "r5", "r7/b2")
    game.draw(0)
    assert game.verdicts() == [(0, False, ["no_shout"]), (0, True, [])]
    assert game.state.turn == 1


def test_4_2_a_win_stands() -> None:
    game = solomino(players=2, hands=[2, 8])
    game.place(0, "r5", "r7/bS")
    game.place(0, "bS", "b3/b4")
    assert game.verdicts() == [(0, False, ["no_shout"]), (0, True, [])]
    assert game.state.winners == (0,)


def test_4_2_a_penalty_alone_is_not_a_turn() -> None:
    game = solomino(players=2, hands=[2, 8])
    game.place(0, "r5", "r7/b2")
    game.place(1, "b2", "b3/b4")
    game.draw(0)
    game.draw(1)
    assert game.verdicts() == [(0, False, ["drew_too_few"]), (1, True, [])]


def test_4_3_a_needless_shout_is_no_fault() -> None:
    game = solomino()
    for player in (0, 1, 2):
        ruling = game.shout(player)
        assert (faults(ruling), ruling.rule) == ([], "4.3")


def test_4_3_where_nobody_can_hear_shouts_none_is_missed() -> None:
    game = solomino(hands=[2, 8, 8], options={"shouts": "ignored"})
    game.place(0, "r5", "r7/b2")
    game.draw(1)
    assert game.verdicts() == [(1, True, [])]
