"""Rulebook, chapter 6: scores. A test's number is the paragraph's."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.cards import parse_card
from referee.rules.deck import solo_points
from referee.rules.rulings import Score
from tests.rules.playing import Play, faults, solo, solomino


def _won(hands: list[int], **options: Any) -> Play:
    game = solomino(players=len(hands), hands=hands, options=options)
    game.place(0, "r5", "r7/b2")
    return game


def _next_round(game: Play, hands: list[int]) -> None:
    deal = game.see("deal", first_player=0, hands=hands, draw_pile=60)
    assert faults(deal) == []
    game.see("start", card="r5" if game.header.game == "solo" else "r5/g1")


def test_6_1_hands_are_laid_open_where_they_are_not_known() -> None:
    game = _won([1, None, 4])  # type: ignore[list-item]
    assert game.state.score is None
    ruling = game.left(1, count=2)
    assert (faults(ruling), ruling.player, ruling.rule) == ([], 1, "6.1")
    assert game.state.score == Score(1, (0, 2, 4), (0, 2, 4), True, (0,))


def test_6_1_what_is_laid_open_goes_before_what_was_counted() -> None:
    game = _won([1, 3, 4])
    game.left(2, count=5)
    assert game.state.score is not None
    assert game.state.score.points == (0, 3, 5)


def test_6_2_one_point_for_each_card() -> None:
    score = _won([1, 3, 5]).state.score
    assert score == Score(1, (0, 3, 5), (0, 3, 5), True, (0,))


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("r1", 1),
        ("b9", 9),
        ("gR", 10),
        ("yS", 20),
        ("rD", 30),
        ("rX", 30),
        ("kW", 40),
        ("nP", 40),
        ("kF", 50),
    ],
)
def test_6_3_what_solos_cards_count(card: str, points: int) -> None:
    assert solo_points(parse_card(card)) == points


def test_6_3_solo_counts_when_the_cards_are_known() -> None:
    game = solo(hands=[1, 2, ["b3", "kF"]])
    game.lay(0, "r7")
    assert game.state.score is None
    game.left(1, "yS", "?")
    assert game.state.score is None
    game.left(1, "yS", "g4")
    assert game.state.score == Score(1, (0, 24, 53), (0, 24, 53), True, (0,))


def _solo_won(first: int = 0, **options: Any) -> Play:
    game = solo(players=2, hands=[1, 1], first_player=first, options=options)
    game.lay(first, "r7")
    game.left(1 - first, "yS", "g4")
    return game


def test_6_4_points_are_against_their_holder() -> None:
    assert _solo_won().state.score == Score(1, (0, 24), (0, 24), True, (0,))


def test_6_4_or_the_winner_collects() -> None:
    score = _solo_won(scoring="winner_collects").state.score
    assert score == Score(1, (24, 0), (24, 0), True, (0,))


def test_6_4_or_totals_count_down() -> None:
    score = _solo_won(scoring="countdown").state.score
    assert score == Score(1, (0, 24), (0, -24), True, (0,))
    score = _solo_won(scoring="countdown", length={"points": 100}).state.score
    assert score == Score(1, (0, 24), (100, 76), False, ())


def test_6_5_a_match_has_so_many_rounds() -> None:
    game = _won([1, 3, 5], length={"rounds": 2})
    assert game.state.score == Score(1, (0, 3, 5), (0, 3, 5), False, ())
    _next_round(game, [1, 5, 3])
    game.place(0, "r5", "r7/b2")
    assert game.state.score == Score(2, (0, 5, 3), (0, 8, 8), True, (0,))


def test_6_5_equal_totals_share_the_win() -> None:
    game = solomino(hands=[2, 5, 2], draw_pile=1)
    game.draw(1)
    assert faults(game.rulings[-1]) == ["not_your_turn"]  # the pile is empty all the same
    assert game.state.score == Score(1, (2, 6, 2), (2, 6, 2), True, (0, 2))


def test_6_5_or_it_lasts_until_somebody_has_so_many_points() -> None:
    game = _won([1, 3, 5], length={"points": 8})
    assert game.state.score is not None
    assert not game.state.score.finished
    _next_round(game, [1, 5, 2])
    game.place(0, "r5", "r7/b2")
    assert game.state.score == Score(2, (0, 5, 2), (0, 8, 7), True, (0,))


def test_6_5_a_countdown_lasts_until_somebody_is_below_nothing() -> None:
    game = _solo_won(scoring="countdown", length={"points": 24})
    assert game.state.score == Score(1, (0, 24), (24, 0), False, ())
    _next_round(game, [1, 1])
    game.lay(0, "r7")
    game.left(1, "g1")
    assert game.state.score == Score(2, (0, 1), (24, -1), True, (0,))


def test_6_5_after_the_match_no_further_round_is_dealt() -> None:
    game = _won([1, 3, 5])
    ruling = game.see("deal", first_player=1, hands=[8, 8, 8], draw_pile=60)
    assert (faults(ruling), ruling.rule) == (["game_over"], "6.5")
    assert game.state.hands == (8, 8, 8)  # they play on all the same


def test_6_6_a_further_round_begins_anew() -> None:
    game = solomino(hands=[2, 3, 5], options={"length": {"rounds": 3}})
    game.place(0, "r5", "r7/bR")
    game.shout(0)
    game.draw(2)
    game.draw(1)
    game.place(0, "bR", "b3/b4")
    assert game.state.finished
    ruling = game.see("deal", first_player=1, hands=[8, 8, 8], draw_pile=95)
    assert (faults(ruling), ruling.player, ruling.rule) == ([], None, "6.6")
    assert (game.state.turn, game.state.direction, game.state.ends) == (1, "left", ())
    assert (game.state.hands, game.state.draw_pile) == ((8, 8, 8), 95)
    assert not game.state.finished


def test_6_6_a_round_that_has_not_ended_is_followed_by_no_other() -> None:
    game = solomino()
    ruling = game.see("deal", first_player=1, hands=[8, 8, 8], draw_pile=95)
    assert faults(ruling) == ["unexpected"]
    assert game.state.turn == 1
