"""Rulebook, chapter 5: the end of a round. A test's number is the paragraph's."""

from __future__ import annotations

import pytest

from tests.rules.playing import Play, effects, faults, solo, solomino


def test_5_1_whoever_lays_the_last_card_wins_at_once() -> None:
    game = solomino(hands=[1, 8, 8])
    ruling = game.place(0, "r5", "r7/b2")
    assert (effects(ruling), ruling.rule) == ([{"effect": "win", "players": [0]}], "5.1")
    assert (game.state.finished, game.state.winners, game.state.turn) == (True, (0,), None)


@pytest.mark.parametrize("card", ["r7/bD", "r7/bS", "r7/bX", "r7/bC"])
def test_5_1_its_action_is_not_carried_out(card: str) -> None:
    game = solomino(hands=[1, 8, 8])
    assert effects(game.place(0, "r5", card)) == [{"effect": "win", "players": [0]}]
    assert game.state.must_draw == 0


def test_5_1_nor_is_it_in_solo() -> None:
    game = solo(hands=[1, 8, 8])
    assert effects(game.lay(0, "kF")) == [{"effect": "win", "players": [0]}]


def test_5_1_a_set_may_be_the_last_cards() -> None:
    game = solo(hands=[3, 8, 8], options={"triple": "exact"})
    game.lay(0, "r7", "b7", "g7")
    assert game.state.winners == (0,)


def test_5_1_a_win_may_be_taken_back() -> None:
    game = solomino(hands=[1, 8, 8])
    game.place(0, "r5", "g7/b2")
    game.take_back(0, "g7/b2")
    assert (game.state.finished, game.state.turn, game.state.hands) == (False, 0, (1, 8, 8))


def _over() -> Play:
    game = solomino(hands=[1, 8, 8])
    game.place(0, "r5", "r7/b2")
    return game


def test_5_2_what_is_played_afterwards_changes_nothing() -> None:
    game = _over()
    before = game.state
    for ruling in (
        game.place(1, "b2", "b3/b4"),
        game.draw(1),
        game.reveal("r1/b1"),
        game.answer(1, "r1/b1"),
        game.take(1),
        game.swap_with(0, 1),
        game.end_turn(1),
        game.see("start", card="r1/b1"),
    ):
        assert (faults(ruling), ruling.rule) == (["game_over"], "5.2")
    assert game.state == before


def test_5_2_the_winner_may_be_done_and_anybody_may_shout() -> None:
    game = _over()
    assert faults(game.end_turn(0)) == []
    assert faults(game.shout(1)) == []


def test_5_3_the_round_ends_as_the_last_card_is_taken() -> None:
    game = solomino(hands=[3, 5, 2], draw_pile=2)
    game.draw(0)
    assert not game.state.finished
    ruling = game.draw(1)
    assert (effects(ruling), ruling.rule) == ([{"effect": "win", "players": [2]}], "5.3")
    assert (game.state.hands, game.state.draw_pile) == ((4, 6, 2), 0)


def test_5_3_a_tie_is_shared() -> None:
    game = solomino(hands=[3, 5, 4], draw_pile=1)
    game.draw(0)
    assert game.state.winners == (0, 2)


def test_5_3_a_call_may_take_the_last_card_too() -> None:
    game = solomino(hands=[3, 5, 4], draw_pile=1)
    game.place(0, "r5", "r7/bC")
    game.reveal("r1/b1")
    assert (game.state.finished, game.state.winners) == (True, (0,))


def test_5_3_or_it_ends_when_somebody_draws_from_the_empty_pile() -> None:
    game = solomino(hands=[3, 5, 4], draw_pile=1, options={"empty_pile": "next_draw"})
    game.draw(0)
    assert not game.state.finished
    game.draw(1)
    assert (game.state.finished, game.state.winners) == (True, (0, 2))
    assert game.state.hands == (4, 5, 4)


def test_5_3_while_a_hand_is_unknown_so_is_the_winner() -> None:
    game = solomino(hands=[3, None, 4], draw_pile=1)
    game.draw(0)
    assert (game.state.finished, game.state.winners) == (True, ())
    ruling = game.left(1, count=2)
    assert effects(ruling) == [{"effect": "win", "players": [1]}]


def _owing_four(draw_pile: int, **options: str) -> Play:
    game = solomino(players=4, hands=[3, 5, 4, 6], draw_pile=draw_pile, options=options)
    game.place(0, "r5", "rD/bD")
    game.place(1, "bD", "yD/gD")
    assert (game.state.turn, game.state.must_draw) == (2, 4)
    return game


@pytest.mark.parametrize("seen", [1, 4])
def test_5_4_cards_still_owed_are_taken_from_the_line(seen: int) -> None:
    game = _owing_four(1)
    ruling = game.draw(2, seen)
    assert faults(ruling) == []
    assert (game.state.hands, game.state.draw_pile) == ((2, 4, 8, 6), 0)
    assert (game.state.finished, game.state.winners) == (True, (0,))


def test_5_4_to_be_seen_taking_them_is_no_fault() -> None:
    game = _owing_four(1)
    game.draw(2)
    ruling = game.draw(2, 2)
    assert (faults(ruling), ruling.rule) == ([], "5.4")
    assert faults(game.draw(2)) == []
    assert faults(game.draw(2)) == ["game_over"]
    assert faults(game.draw(1)) == ["game_over"]
    assert game.state.hands == (2, 4, 8, 6)


def test_5_4_nor_where_the_round_ends_at_the_next_draw() -> None:
    game = _owing_four(1, empty_pile="next_draw")
    game.draw(2)
    assert (game.state.finished, game.state.must_draw) == (False, 3)
    game.draw(2)
    assert (game.state.finished, game.state.hands) == (True, (2, 4, 8, 6))


def test_5_5_solos_pile_may_end_the_round() -> None:
    game = solo(hands=[3, 5, 2], draw_pile=1, options={"empty_pile": "end"})
    ruling = game.draw(0)
    assert (effects(ruling), ruling.rule) == ([{"effect": "win", "players": [2]}], "5.5")
