"""Rulebook, paragraph 1.10: what nobody can tell. A test's number is the paragraph's."""

from __future__ import annotations

import pytest

from tests.rules.playing import faults, solo, solomino


def test_1_10_an_unread_half_that_decides_leaves_the_referee_in_doubt() -> None:
    game = solomino()
    ruling = game.place(0, "r5", "?/b2")
    assert (faults(ruling), ruling.rule) == (["?"], "1.10")
    assert game.ends() == ["b2", "g1"]


@pytest.mark.parametrize(
    ("onto", "card", "expected"),
    [
        ("r5", "r?/b2", []),  # the colour is enough
        ("r5", "?5/b2", []),  # so is the number
        ("r5", "b?/b2", ["?"]),  # a blue five would match
        ("r?", "r2/b2", []),  # the end is known to be red 5
        ("?", "r1/b2", []),  # it matches both ends, whichever is meant
        ("?", "b7/b2", ["no_match"]),  # it matches neither
        ("?", "r7/b2", ["?"]),  # it matches one of them
        ("r5", "r7/?", []),  # the free half decides nothing
    ],
)
def test_1_10_doubt_only_where_it_decides(onto: str, card: str, expected: list[str]) -> None:
    assert faults(solomino().place(0, onto, card)) == expected


def test_1_10_a_reading_that_is_not_sure_accuses_nobody() -> None:
    game = solomino()
    ruling = game.place(0, "r5", "g7/b2", confidence=0.6)
    assert (ruling.legal, ruling.violations, ruling.confidence) == (None, (), 0.6)
    assert game.place(1, "b2", "b4/y4", confidence=0.6).legal is True


def test_1_10_nor_does_it_impose_a_penalty() -> None:
    game = solomino(hands=[2, 8, 8])
    game.place(0, "r5", "r7/b2")
    game.see("draw", 0.5, player=1, count=1)
    assert game.verdicts() == [(0, None, []), (1, True, [])]
    assert faults(game.draw(0)) == ["not_your_turn"]


def test_1_10_a_player_whom_nobody_saw_is_taken_to_be_whose_turn_it_is() -> None:
    game = solomino()
    ruling = game.place(None, "r5", "r7/b2")
    assert (ruling.player, faults(ruling), game.state.turn) == (0, ["?"], 1)
    assert faults(game.place(None, "b2", "y7/g2")) == ["no_match"]


@pytest.mark.parametrize(("card", "confidence"), [("r7/b?", 1.0), ("r7/b2", 0.6)])
def test_1_10_nobody_acts_out_of_a_turn_that_an_unread_card_may_have_changed(
    card: str, confidence: float
) -> None:
    game = solomino()
    game.place(0, "r5", card, confidence=confidence)
    assert faults(game.place(2, "g1", "g7/g4")) == ["?"]  # it may have been a skip
    assert game.state.turn == 0
    assert faults(game.place(2, "g4", "g8/y4")) == ["not_your_turn"]


def test_1_10_a_draw_out_of_a_turn_in_doubt_accuses_nobody_either() -> None:
    game = solomino()
    game.place(0, "r5", "r7/b?")
    assert faults(game.draw(2)) == ["?"]


def test_1_10_nobody_is_out_of_turn_whose_seat_is_assumed() -> None:
    game = solomino(seats_assumed=True)
    ruling = game.place(2, "r5", "r7/b2")
    assert (faults(ruling), ruling.rule) == (["?"], "1.10")
    assert faults(game.place(0, "b2", "y4/b9")) == ["no_match"]  # the card is plain to see


def test_1_10_nor_of_what_may_have_been_done_while_nobody_watched() -> None:
    game = solomino()
    game.place(0, "r5", "r7/bD")
    ruling = game.after_a_gap().place(1, "bD", "b3/r2")
    assert (faults(ruling), ruling.rule) == (["?"], "1.10")  # the owed card may have been drawn
    assert (game.state.turn, game.state.must_draw) == (2, 0)
    assert faults(game.after_a_gap().place(0, "r2", "r4/g3")) == ["?"]  # Cem may have drawn
    assert faults(game.place(0, "g3", "g5/b1")) == ["not_your_turn"]


def test_1_10_a_draw_cut_short_and_a_shout_may_have_gone_unseen_too() -> None:
    game = solo()
    game.lay(0, "rD")
    game.draw(1)
    game.after_a_gap().lay(1, "r4")
    assert game.verdicts() == [(1, None, []), (1, True, [])]

    game = solomino(hands=[2, 8, 8])
    game.place(0, "r5", "r7/b2")
    game.after_a_gap().draw(1)
    assert game.verdicts() == [(0, None, []), (1, True, [])]
    assert game.state.hands == (1, 9, 8)


def test_1_10_what_lies_there_is_seen_all_the_same() -> None:
    game = solomino()
    assert faults(game.after_a_gap().place(0, "r5", "b7/g3")) == ["no_match"]
