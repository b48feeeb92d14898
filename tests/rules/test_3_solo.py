"""Rulebook, chapter 3: SOLO. A test's number is the paragraph's."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.cards import Face, parse_card
from referee.rules.deck import CLASSIC_SOLO, cards_of
from tests.rules.playing import Play, effects, faults, solo, written


def test_3_1_the_deck_has_112_cards() -> None:
    cards = cards_of(CLASSIC_SOLO)
    faces = [card.face for card in cards]
    assert len(cards) == 112
    assert [faces.count(Face(face)) for face in "0159"] == [0, 8, 8, 8]
    assert [faces.count(Face(face)) for face in "RSDXPWF"] == [8, 8, 8, 4, 4, 4, 4]
    assert parse_card("r0").key not in CLASSIC_SOLO


def test_3_1_there_is_one_discard_pile() -> None:
    game = solo()
    game.lay(0, "r7")
    ruling = game.lay(1, "b7")
    assert written(ruling)["ends"] == ["b7"]
    assert written(ruling)["colour"] == "b"


@pytest.mark.parametrize(
    ("card", "expected"),
    [("r7", []), ("b5", []), ("rS", []), ("b7", ["no_match"]), ("?7", ["?"]), ("r?", [])],
)
def test_3_2_colour_number_or_symbol_must_match(card: str, expected: list[str]) -> None:
    ruling = solo().lay(0, card)
    assert faults(ruling) == expected


def test_3_2_symbols_match_symbols() -> None:
    game = solo()
    game.lay(0, "rS")
    assert faults(game.lay(2, "bS")) == []
    assert faults(game.lay(1, "gD")) == ["no_match"]


@pytest.mark.parametrize("card", ["kW", "kF", "nP"])
def test_3_3_cards_without_a_colour_fit_on_anything(card: str) -> None:
    ruling = solo().lay(0, card)
    assert faults(ruling) == []


def test_3_4_one_draws_one_card() -> None:
    game = solo()
    ruling = game.draw(0)
    assert (faults(ruling), ruling.rule) == ([], "3.4")
    assert faults(game.draw(0)) == ["drew_too_many"]


def test_3_5_the_drawn_card_may_be_laid_and_no_other() -> None:
    for card, expected in (("r7", []), ("r8", ["drawn_card_only"])):
        game = solo()
        game.draw(0, 1, "r7")
        ruling = game.lay(0, card)
        assert (faults(ruling), ruling.rule) == (expected, "3.2" if not expected else "3.5")
    game = solo(options={"triple": "exact"})
    game.draw(0, 1, "r7")
    assert faults(game.lay(0, "r7", "b7", "g7")) == ["drawn_card_only"]


def test_3_6_the_next_player_misses_a_turn() -> None:
    game = solo()
    ruling = game.lay(0, "rS")
    assert (effects(ruling), ruling.rule) == ([{"effect": "skip", "player": 1}], "3.6")
    assert game.state.turn == 2


def test_3_7_the_direction_turns_round() -> None:
    game = solo()
    ruling = game.lay(0, "rR")
    assert ruling.rule == "3.7"
    assert (game.state.turn, game.state.direction) == (2, "right")


def test_3_7_with_two_players_it_also_skips() -> None:
    game = solo(players=2)
    assert effects(game.lay(0, "rR")) == [
        {"effect": "change_direction", "direction": "right"},
        {"effect": "skip", "player": 1},
    ]
    assert game.state.turn == 0
    game = solo(players=2, options={"reverse_two_players": "reverse"})
    game.lay(0, "rR")
    assert game.state.turn == 1


def test_3_8_the_next_player_takes_two_cards() -> None:
    game = solo()
    ruling = game.lay(0, "rD")
    assert effects(ruling) == [{"effect": "owe_draw", "player": 1, "count": 2}]
    assert (game.state.turn, game.state.must_draw, ruling.rule) == (1, 2, "3.8")
    assert faults(game.draw(1, 2)) == []
    assert game.state.hands == (7, 10, 8)


def test_3_8_playing_on_without_taking_them_is_a_fault() -> None:
    game = solo()
    game.lay(0, "rD")
    ruling = game.lay(1, "r7")
    assert (faults(ruling), ruling.rule) == (["draw_owed"], "3.8")
    assert (game.state.turn, game.state.must_draw) == (2, 0)


@pytest.mark.parametrize(
    ("first", "second", "option", "expected", "owed"),
    [
        ("rD", "bD", "same", [], 4),
        ("kF", "kF", "same", [], 8),
        ("rD", "kF", "same", ["draw_owed"], 4),
        ("kF", "rD", "same", ["draw_owed"], 2),
        ("rD", "kF", "any", [], 6),
        ("kF", "rD", "any", [], 6),
        ("kF", "bD", "any", ["no_match"], 6),
    ],
)
def test_3_9_draw_cards_stack(
    first: str, second: str, option: str, expected: list[str], owed: int
) -> None:
    game = solo(options={"draw_stack": option})
    game.lay(0, first, colour="r" if first == "kF" else None)
    ruling = game.lay(1, second, colour="r" if second == "kF" else None)
    assert faults(ruling) == expected
    assert (game.state.turn, game.state.must_draw) == (2, owed)
    if not expected:
        assert ruling.rule == "3.9"


def test_3_10_after_the_forced_draw_there_is_a_normal_turn() -> None:
    game = solo()
    game.lay(0, "rD")
    ruling = game.draw(1, 2)
    assert (ruling.rule, game.state.turn) == ("3.10", 1)
    assert faults(game.draw(1)) == []
    game = solo()
    game.lay(0, "rD")
    game.draw(1, 2)
    assert faults(game.lay(1, "r7")) == []


def test_3_10_or_the_turn_is_lost() -> None:
    game = solo(options={"after_forced_draw": "lost"})
    game.lay(0, "rD")
    game.draw(1)
    assert game.state.turn == 1
    game.draw(1)
    assert game.state.turn == 2
    game.lay(2, "rD")
    assert faults(game.draw(0, 3)) == ["drew_too_many"]


def test_3_10_taking_only_some_is_too_few() -> None:
    game = solo()
    game.lay(0, "rD")
    game.draw(1)
    game.lay(1, "r7")
    assert game.verdicts() == [(1, False, ["drew_too_few"]), (1, True, [])]


def test_3_11_the_player_swaps_with_another_one() -> None:
    game = solo(hands=[8, 3, 5])
    assert effects(game.lay(0, "rX")) == [{"effect": "swap_hands", "player": 0, "target": None}]
    ruling = game.swap_with(0, 1)
    assert (ruling.rule, game.state.hands, game.state.turn) == ("3.11", (3, 7, 5), 1)


def test_3_12_a_wild_calls_the_colour_in_force() -> None:
    game = solo()
    ruling = game.lay(0, "kW", colour="b")
    assert (effects(ruling), ruling.rule) == ([], "3.12")
    assert (game.state.turn, game.state.colour) == (1, "b")
    assert faults(game.lay(1, "r5")) == ["no_match"]
    game.take_back(1, "r5")
    assert faults(game.lay(1, "b9")) == []


def test_3_12_the_colour_may_be_told_afterwards() -> None:
    game = solo()
    assert effects(game.lay(0, "kW")) == [{"effect": "choose_colour", "player": 0}]
    assert game.state.turn == 0
    ruling = game.call_colour(0, "g")
    assert (faults(ruling), ruling.rule, game.state.turn) == ([], "3.12", 1)


def test_3_13_a_wild_plus_four_makes_the_next_player_take_four() -> None:
    game = solo()
    ruling = game.lay(0, "kF", colour="g")
    assert effects(ruling) == [{"effect": "owe_draw", "player": 1, "count": 4}]
    assert (ruling.rule, game.state.must_draw) == ("3.13", 4)
    game.draw(1, 4)
    assert faults(game.lay(1, "g3")) == []


@pytest.mark.parametrize(
    ("option", "play_to_the_left", "play_to_the_right"),
    [
        ("with_play", (3, 7, 5), (3, 7, 5)),
        ("against_play", (5, 3, 7), (5, 3, 7)),
        ("left", (3, 7, 5), (5, 3, 7)),
    ],
)
def test_3_14_all_hands_move_one_seat(
    option: str, play_to_the_left: tuple[int, ...], play_to_the_right: tuple[int, ...]
) -> None:
    game = solo(hands=[8, 5, 3], options={"rotation": option})
    ruling = game.lay(0, "nP")
    assert (ruling.rule, game.state.hands, game.state.turn) == ("3.14", play_to_the_left, 1)
    # The same seats as seen from the other side: hands 8, 3, 5 and play to the right.
    game = solo(hands=[8, 4, 5], first_player=1, options={"rotation": option})
    game.lay(1, "rR")
    game.lay(0, "nP")
    hands = {"with_play": (3, 5, 7), "against_play": (5, 7, 3), "left": (5, 7, 3)}[option]
    assert (game.state.hands, game.state.turn) == (hands, 2)


def test_3_14_or_where_the_player_says() -> None:
    game = solo(hands=[8, 5, 3], options={"rotation": "player"})
    assert effects(game.lay(0, "nP")) == [{"effect": "pass_hands", "direction": None}]
    assert effects(game.pass_hands(0, "right")) == [{"effect": "pass_hands", "direction": "right"}]
    assert game.state.hands == (5, 3, 7)


def test_3_14_any_card_may_follow() -> None:
    game = solo()
    ruling = game.lay(0, "nP")
    assert written(ruling)["colour"] is None
    assert faults(game.lay(1, "b9")) == []


@pytest.mark.parametrize(
    ("option", "allowed"),
    [
        ("coloured", {"r5", "rS"}),
        ("numbers", {"r5"}),
        ("all", {"r5", "rS", "kW", "nP"}),
        ("off", set()),
    ],
)
def test_3_15_an_identical_card_may_be_laid_out_of_turn(option: str, allowed: set[str]) -> None:
    for card in ("r5", "rS", "kW", "nP"):
        game = solo(players=5, start="r9", options={"jump_in": option})
        game.lay(0, card, colour="g" if card == "kW" else None)
        ruling = game.lay(4, card, colour="g" if card == "kW" else None)
        expected = "not_your_turn" if option == "off" else "interjection_not_identical"
        assert faults(ruling) == ([] if card in allowed else [expected])
        if card == "r5" and card in allowed:
            assert ruling.rule == "3.15"


def test_3_15_a_card_that_only_matches_is_not_enough() -> None:
    game = solo()
    ruling = game.lay(2, "b5")
    assert (faults(ruling), ruling.rule) == (["interjection_not_identical"], "3.15")
    assert faults(game.lay(1, "g7")) == ["interjection_not_identical", "no_match"]
    assert faults(game.lay(1, "?7")) == ["?"]


def test_3_16_play_goes_on_after_whoever_jumped_in() -> None:
    game = solo(players=5)
    game.lay(3, "r5")
    assert game.state.turn == 4


def test_3_16_a_debt_passes_on_with_what_the_card_adds() -> None:
    game = solo(players=5)
    game.lay(0, "rD")
    assert effects(game.lay(3, "rD")) == [{"effect": "owe_draw", "player": 4, "count": 4}]
    assert game.state.must_draw == 4


@pytest.mark.parametrize(
    ("cards", "option", "expected"),
    [
        (["r7", "b7", "g7"], "exact", []),
        (["r7", "b7", "g7"], "or_more", []),
        (["r7", "b7", "g7", "r7"], "or_more", []),
        (["r7", "b7", "g7"], "off", ["wrong_choice"]),
        (["r7", "b7", "g7", "r7"], "exact", ["wrong_choice"]),
        (["r7", "b7"], "or_more", ["wrong_choice"]),
        (["r7", "b7", "g8"], "exact", ["wrong_choice"]),
        (["rS", "bS", "gS"], "exact", ["wrong_choice"]),
        (["b7", "r7", "g7"], "exact", ["no_match"]),
    ],
)
def test_3_17_sets_of_a_number(cards: list[str], option: str, expected: list[str]) -> None:
    game = solo(options={"triple": option})
    ruling = game.lay(0, *cards)
    assert (faults(ruling), ruling.rule) == (expected, "3.2" if "no_match" in expected else "3.17")
    assert game.ends() == [cards[-1]]
    assert game.state.hands[0] == 8 - len(cards)


@pytest.mark.parametrize(
    ("start", "turn", "expected"),
    [
        ("rS", 1, [{"effect": "skip", "player": 0}]),
        ("rR", 0, [{"effect": "change_direction", "direction": "right"}]),
        ("rD", 0, [{"effect": "owe_draw", "player": 0, "count": 2}]),
        ("rX", 0, [{"effect": "swap_hands", "player": 0, "target": None}]),
        ("nP", 0, [{"effect": "pass_hands", "direction": "left"}]),
        ("kW", 0, [{"effect": "choose_colour", "player": 0}]),
    ],
)
def test_3_18_an_action_on_the_first_card_falls_to_the_first_player(
    start: str, turn: int, expected: list[dict[str, Any]]
) -> None:
    game = solo(start=start)
    assert effects(game.rulings[-1]) == expected
    assert (game.rulings[-1].rule, game.state.turn) == ("3.18", turn)


def test_3_18_who_calls_the_first_colour_begins_then() -> None:
    game = solo(start="kF")
    assert game.state.must_draw == 0
    assert faults(game.call_colour(0, "b")) == []
    assert (game.state.turn, game.state.must_draw) == (0, 4)
    assert faults(game.draw(0, 4)) == []
    assert faults(game.lay(0, "b4")) == []


@pytest.mark.parametrize("start", ["rD", "kW"])
def test_3_18_or_it_is_nothing(start: str) -> None:
    game = solo(start=start, options={"start_action": "ignore"})
    assert (effects(game.rulings[-1]), game.state.must_draw) == ([], 0)
    assert faults(game.lay(0, "r7" if start == "rD" else "b9")) == []


def test_3_18_or_another_card_is_turned_up_until_a_number_shows() -> None:
    game = solo(start="rD", options={"start_action": "redraw"})
    assert effects(game.rulings[-1]) == []
    assert faults(game.lay(0, "r7")) == ["unexpected"]
    assert faults(game.see("start", card="kW")) == []
    assert faults(game.see("start", card="b4")) == []
    assert (game.ends(), game.state.draw_pile) == (["b4"], 60)
    assert faults(game.lay(0, "b7")) == []


def _reshuffled() -> Play:
    game = solo(draw_pile=1)
    for player, card in enumerate(["r7", "r8", "rD"]):
        game.lay(player, card)
    return game


def test_3_19_discards_become_the_draw_pile() -> None:
    game = _reshuffled()
    assert faults(game.draw(0, 2)) == []
    assert game.state.draw_pile == 1 + 3 - 2
    assert not game.state.finished


def test_3_19_their_copies_may_come_again() -> None:
    game = _reshuffled()
    game.draw(0, 3)
    assert faults(game.lay(0, "r7")) == ["?"]  # the drawn card, for all that is known
    assert faults(game.lay(1, "r7")) == []
    assert faults(game.lay(2, "r7")) == ["card_not_in_deck"]
