"""Rulebook, chapter 2: SOLOmino. A test's number is the paragraph's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.playing import Play, effects, faults, solomino

# -- laying and drawing


def test_2_1_a_card_goes_to_either_end_and_its_other_half_is_the_new_end() -> None:
    game = solomino()
    game.place(0, "g1", "g7/g6")
    assert game.ends() == ["r5", "g6"]
    game.place(1, "r5", "r4/yS")
    assert game.ends() == ["yS", "g6"]


@pytest.mark.parametrize(
    ("onto", "card", "cover", "ends"),
    [
        ("b9", "b7/b6", "b7", ["b6", "?"]),  # no such end
        ("r5", "b7/b6", "r7", ["?", "?"]),  # no such half
    ],
)
def test_2_1_anything_else_is_no_end(onto: str, card: str, cover: str, ends: list[str]) -> None:
    game = solomino()
    ruling = game.see("place", player=0, card=card, onto=onto, cover=cover)
    assert (faults(ruling), ruling.rule) == (["not_an_end"], "2.1")
    assert game.ends() == ends


def test_2_1_the_unknown_end_is_known_again_once_it_is_covered() -> None:
    game = solomino()
    game.place(0, "b9", "b7/b6")
    assert faults(game.place(1, "g1", "g2/g3")) == []
    assert game.ends() == ["b6", "g3"]


def test_2_1_the_same_half_may_be_at_both_ends() -> None:
    game = solomino(start="r5/r5")
    assert faults(game.place(0, "r5", "r7/b2")) == []
    assert game.ends() == ["b2", "r5"]


def test_2_1_a_cards_halves_may_be_equal() -> None:
    game = solomino()
    assert faults(game.place(0, "r5", "r5/r5")) == []
    assert game.ends() == ["r5", "g1"]


@pytest.mark.parametrize(
    ("cover", "legal"),
    [
        ("r2", True),  # the colour
        ("b5", True),  # the number
        ("r5", True),  # both
        ("rS", True),  # a symbol in the colour
        ("b2", False),
        ("gS", False),
    ],
)
def test_2_2_colour_or_number_must_be_the_same(cover: str, legal: bool) -> None:
    ruling = solomino().place(0, "r5", f"{cover}/y3")
    assert faults(ruling) == ([] if legal else ["no_match"])


def test_2_2_or_the_symbol() -> None:
    game = solomino(start="yX/g1")
    assert faults(game.place(0, "yX", "bX/b2")) == []
    game.swap_with(0, 1)
    assert faults(game.place(1, "b2", "gX/b3")) == ["no_match"]


def test_2_3_one_draws_one_card() -> None:
    game = solomino()
    ruling = game.draw(0)
    assert (faults(ruling), ruling.rule) == ([], "2.3")
    assert (game.state.hands, game.state.draw_pile) == ((9, 8, 8), 59)


def test_2_3_and_not_more() -> None:
    game = solomino()
    ruling = game.draw(0, 2)
    assert (faults(ruling), ruling.rule) == (["drew_too_many"], "2.3")
    assert game.state.hands == (10, 8, 8)
    assert faults(game.draw(1)) == []
    assert faults(game.draw(1)) == ["drew_too_many"]


def test_2_4_the_card_just_drawn_may_be_laid_at_once() -> None:
    game = solomino()
    game.draw(0, 1, "r7/b2")
    assert faults(game.place(0, "r5", "b2/r7")) == ["no_match"]
    game = solomino()
    game.draw(0, 1, "r7/b2")
    assert faults(game.place(0, "r5", "r7/b2")) == []


def test_2_4_and_no_other() -> None:
    game = solomino()
    game.draw(0, 1, "y7/b2")
    ruling = game.place(0, "r5", "r7/b2")
    assert (faults(ruling), ruling.rule) == (["drawn_card_only"], "2.4")


def test_2_4_if_nobody_saw_the_drawn_card_nobody_can_tell() -> None:
    game = solomino()
    game.draw(0)
    assert faults(game.place(0, "r5", "r7/b2")) == ["?"]
    game = solomino()
    game.draw(0)
    assert faults(game.place(0, "r5", "b7/b2")) == ["no_match"]  # in any case


def test_2_4_but_a_card_that_was_not_in_a_known_hand_is_the_drawn_one() -> None:
    hand = ["r2/b8", "y1/y2"]
    game = solomino(hands=[hand, 8, 8])
    game.draw(0)
    assert faults(game.place(0, "r5", "r7/b2")) == []
    game = solomino(hands=[hand, 8, 8])
    game.draw(0)
    assert faults(game.place(0, "r5", "r2/b8")) == ["?"]  # perhaps a second copy was drawn


def test_2_4_cards_owed_are_not_the_drawn_card() -> None:
    game = solomino()
    game.place(0, "r5", "r2/rD")
    game.draw(1, 1, "y7/b2")
    assert faults(game.place(1, "rD", "r7/b2")) == []


# -- actions


@pytest.mark.parametrize("card", ["rS/b2", "r7/bS"])
def test_2_5_an_action_happens_wherever_on_the_card_it_is(card: str) -> None:
    assert effects(solomino().place(0, "r5", card)) == [{"effect": "skip", "player": 1}]


def test_2_6_both_a_change_of_direction_first_then_a_skip() -> None:
    game = solomino(players=4)
    assert effects(game.place(0, "r5", "rS/bR")) == [
        {"effect": "change_direction", "direction": "right"},
        {"effect": "skip", "player": 3},
    ]
    assert game.state.turn == 2


def test_2_6_a_draw_addresses_whoever_takes_the_turn_then() -> None:
    game = solomino(players=4)
    game.place(0, "r5", "rS/bD")
    assert (game.state.turn, game.state.must_draw) == (2, 1)


def test_2_6_so_does_a_call() -> None:
    game = solomino(players=4)
    game.place(0, "r5", "rC/bR")
    assert game.state.turn == 3
    game.reveal("r2/b8")
    assert faults(game.answer(3, "r2/y1")) == []
    assert game.state.turn == 2


def test_2_6_both_choices_are_made_one_after_the_other() -> None:
    game = solomino(hands=[8, 5, 3])
    ruling = game.place(0, "r5", "rX/bP")
    assert [effect["effect"] for effect in effects(ruling)] == ["swap_hands", "pass_hands"]
    game.swap_with(0, 1)
    assert (game.state.hands, game.state.turn) == ((5, 7, 3), 0)
    game.pass_hands(0, "left")
    assert (game.state.hands, game.state.turn) == ((3, 5, 7), 1)


def test_2_6_the_same_action_twice_happens_twice() -> None:
    game = solomino(players=4)
    game.place(0, "r5", "rS/bS")
    assert game.state.turn == 3
    game.place(3, "bS", "bD/yD")
    assert (game.state.turn, game.state.must_draw) == (0, 2)


@pytest.mark.parametrize(
    ("option", "turn", "direction"), [("open_end", 3, "right"), ("covering", 2, "left")]
)
def test_2_6_or_only_one_of_them(option: str, turn: int, direction: str) -> None:
    game = solomino(players=4, options={"two_actions": option})
    game.place(0, "r5", "rS/bR")
    assert (game.state.turn, game.state.direction) == (turn, direction)


@pytest.mark.parametrize("option", ["open_end", "covering"])
def test_2_6_a_single_action_happens_in_any_case(option: str) -> None:
    for card in ("rS/b2", "r7/bS"):
        game = solomino(options={"two_actions": option})
        game.place(0, "r5", card)
        assert game.state.turn == 2


def test_2_7_an_action_on_the_first_card_is_ignored() -> None:
    game = solomino(start="rS/gD")
    assert (effects(game.rulings[-1]), game.state.turn, game.state.must_draw) == ([], 0, 0)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("rS/g1", [{"effect": "skip", "player": 0}]),
        ("rR/g1", [{"effect": "change_direction", "direction": "right"}]),
        ("rD/g1", [{"effect": "owe_draw", "player": 0, "count": 1}]),
        ("rX/g1", [{"effect": "swap_hands", "player": 0, "target": None}]),
        ("rP/g1", [{"effect": "pass_hands", "direction": None}]),
        ("rC/g1", [{"effect": "call_for_card", "player": 0}]),
    ],
)
def test_2_7_or_applied_to_the_first_player(start: str, expected: list[dict[str, Any]]) -> None:
    game = solomino(start=start, options={"start_action": "apply"})
    assert effects(game.rulings[-1]) == expected
    assert game.state.turn == (1 if start == "rS/g1" else 0)


def test_2_7_applied_to_whoever_acts_first_where_that_is_open() -> None:
    game = solomino(start="rD/g1", first_player=None, options={"start_action": "apply"})
    assert faults(game.place(2, "g1", "g2/g3")) == ["draw_owed"]
    game = solomino(start="rX/g1", first_player=None, options={"start_action": "apply"})
    assert faults(game.swap_with(2, 1)) == []
    assert faults(game.place(2, "g1", "g2/g3")) == []


def test_2_8_the_next_player_misses_a_turn() -> None:
    game = solomino()
    ruling = game.place(0, "r5", "r7/bS")
    assert (effects(ruling), ruling.rule) == ([{"effect": "skip", "player": 1}], "2.8")
    assert game.state.turn == 2
    assert faults(game.draw(1)) == ["not_your_turn"]


def test_2_9_the_direction_turns_round() -> None:
    game = solomino()
    ruling = game.place(0, "r5", "r7/bR")
    assert (effects(ruling), ruling.rule) == (
        [{"effect": "change_direction", "direction": "right"}],
        "2.9",
    )
    assert (game.state.turn, game.state.direction) == (2, "right")
    game.place(2, "bR", "gR/g2")
    assert (game.state.turn, game.state.direction) == (0, "left")


@pytest.mark.parametrize(("option", "turn"), [("reverse", 1), ("skip", 0)])
def test_2_9_with_two_players_an_option_decides(option: str, turn: int) -> None:
    game = solomino(players=2, options={"reverse_two_players": option})
    ruling = game.place(0, "r5", "r7/bR")
    assert (game.state.turn, game.state.direction) == (turn, "right")
    skips = [{"effect": "skip", "player": 1}] if option == "skip" else []
    assert effects(ruling)[1:] == skips


def test_2_9_with_two_players_it_just_turns_round_if_nothing_was_agreed() -> None:
    game = solomino(players=2)
    game.place(0, "r5", "r7/bR")
    assert game.state.turn == 1


# -- draw 1


def _owing(**header: Any) -> Play:
    game = solomino(**header)
    ruling = game.place(0, "r5", "r2/rD")
    assert effects(ruling) == [{"effect": "owe_draw", "player": 1, "count": 1}]
    return game


def test_2_10_the_next_player_draws_and_then_has_a_normal_turn() -> None:
    game = _owing()
    ruling = game.draw(1)
    assert (faults(ruling), ruling.rule) == ([], "2.10")
    assert (game.state.turn, game.state.must_draw) == (1, 0)
    assert faults(game.draw(1)) == []  # the normal draw
    assert faults(game.draw(1)) == ["drew_too_many"]


def test_2_10_both_may_be_drawn_together() -> None:
    game = _owing()
    assert faults(game.draw(1, 2)) == []
    game = _owing()
    assert faults(game.draw(1, 3)) == ["drew_too_many"]


def test_2_10_single_draws_add_up() -> None:
    game = _owing(players=4)
    game.place(1, "rD", "gD/g2")
    game.place(2, "g1", "g3/gD")
    assert (game.state.turn, game.state.must_draw) == (3, 3)
    for left in (2, 1, 0):
        assert faults(game.draw(3)) == []
        assert game.state.must_draw == left
    assert faults(game.place(3, "gD", "g7/g8")) == []


def test_2_10_playing_on_without_the_cards_is_a_fault_and_the_debt_is_gone() -> None:
    game = _owing()
    ruling = game.place(1, "rD", "r7/b2")
    assert (faults(ruling), ruling.rule) == (["draw_owed"], "2.10")
    assert (game.state.turn, game.state.must_draw) == (2, 0)
    assert faults(game.place(2, "b2", "b3/y3")) == []


@pytest.mark.parametrize("card", ["r7/b2", "r7/bD"])
def test_2_10_who_cuts_the_draw_short_drew_too_few(card: str) -> None:
    game = _owing()
    game.place(1, "rD", "gD/b2")
    game.draw(2)
    game.place(2, "r5" if "r5" in game.ends() else game.ends()[0], card)
    assert game.verdicts()[0] == (2, False, ["drew_too_few"])
    assert game.state.must_draw == card.count("D")


def test_2_11_another_draw_1_passes_the_debt_on() -> None:
    game = _owing()
    ruling = game.place(1, "g1", "g3/yD")
    assert (faults(ruling), ruling.rule) == ([], "2.11")
    assert effects(ruling) == [{"effect": "owe_draw", "player": 2, "count": 2}]
    assert game.state.must_draw == 2


def test_2_11_it_must_match_and_counts_if_it_does_not() -> None:
    game = _owing()
    assert faults(game.place(1, "rD", "g3/yD")) == ["no_match"]
    assert game.state.must_draw == 2


def test_2_11_or_it_need_not_match() -> None:
    game = _owing(options={"draw_match": False})
    assert faults(game.place(1, "rD", "g3/yD")) == []
    game = _owing(options={"draw_match": False})
    game.draw(1)
    assert faults(game.place(1, "rD", "g3/yD")) == ["no_match"]  # no answer any more


def test_2_11_whether_an_unread_card_answers_nobody_can_tell() -> None:
    assert faults(_owing().place(1, "rD", "r3/?")) == ["?"]


# -- hands that change owners


def test_2_12_the_player_swaps_with_another_one() -> None:
    game = solomino(hands=[8, 3, 5])
    ruling = game.place(0, "r5", "r7/bX")
    assert effects(ruling) == [{"effect": "swap_hands", "player": 0, "target": None}]
    assert game.state.turn == 0
    ruling = game.swap_with(0, 2)
    assert (effects(ruling), ruling.rule) == (
        [{"effect": "swap_hands", "player": 0, "target": 2}],
        "2.12",
    )
    assert (game.state.hands, game.state.turn) == ((5, 3, 7), 1)


def test_2_12_what_is_known_of_hands_moves_with_them() -> None:
    game = solomino(hands=[["rX/b2", "r7/b7"], ["b3/y3", "b4/y4"], 8])
    game.place(0, "r5", "rX/b2")
    game.shout(0)
    game.swap_with(0, 1)
    assert faults(game.place(1, "b2", "b4/y4")) == ["card_not_in_hand"]
    game = solomino(hands=[["rX/b2", "r7/b7"], ["b3/y3", "b4/y4"], 8])
    game.place(0, "r5", "rX/b2")
    game.swap_with(0, 1)
    assert faults(game.place(1, "b2", "b7/r7")) == []


@pytest.mark.parametrize(("direction", "hands"), [("left", (3, 7, 5)), ("right", (5, 3, 7))])
def test_2_13_all_hands_move_where_the_player_says(direction: str, hands: tuple[int, ...]) -> None:
    game = solomino(hands=[8, 5, 3])
    ruling = game.place(0, "r5", "r7/bP")
    assert effects(ruling) == [{"effect": "pass_hands", "direction": None}]
    ruling = game.pass_hands(0, direction)
    assert (effects(ruling), ruling.rule) == (
        [{"effect": "pass_hands", "direction": direction}],
        "2.13",
    )
    assert (game.state.hands, game.state.turn) == (hands, 1)


# -- call for a card


def _calling(reveal: str | None = "r8/b1", **header: Any) -> Play:
    game = solomino(**header)
    ruling = game.place(0, "r5", "r7/bC")
    assert effects(ruling) == [{"effect": "call_for_card", "player": 1}]
    if reveal is not None:
        game.reveal(reveal)
    return game


def test_2_14_the_top_card_is_turned_up_and_the_next_player_must_answer() -> None:
    game = _calling(reveal=None)
    ruling = game.reveal("r8/b1")
    assert (ruling.player, faults(ruling), ruling.rule) == (None, [], "2.14")
    assert (game.state.turn, game.state.draw_pile) == (1, 59)
    assert faults(game.reveal("r8/b2")) == ["unexpected"]


def test_2_14_nobody_answers_before_it_is_turned_up() -> None:
    game = _calling(reveal=None)
    assert faults(game.answer(1, "r8/y1")) == ["unexpected"]
    assert faults(game.take(1)) == ["unexpected"]


def test_2_15_an_answer_is_identical_to_a_half_of_the_card_below() -> None:
    game = _calling()
    ruling = game.answer(1, "b1/b7")
    assert (faults(ruling), ruling.rule) == ([], "2.15")
    assert (game.state.turn, game.state.hands) == (2, (7, 7, 8))
    assert faults(game.answer(2, "r8/b2")) == ["call_not_identical"]  # no longer on top
    assert game.state.turn == 0
    assert faults(game.answer(0, "b2/b7")) == []


@pytest.mark.parametrize(
    ("card", "cover", "expected"),
    [
        ("r1/y2", "r1", ["call_not_identical"]),  # the colour of one half, the number of the other
        ("y2/y3", "r8", ["call_not_identical"]),  # no half of the card
        ("r8/y2", "y2", ["call_not_identical"]),  # the wrong half of the right card
        ("r?/y2", "r?", ["?"]),
        ("?/y2", "r8", []),
    ],
)
def test_2_15_and_nothing_less(card: str, cover: str, expected: list[str]) -> None:
    game = _calling()
    ruling = game.see("call_answer", player=1, card=card, cover=cover)
    assert faults(ruling) == expected
    assert game.state.turn == 2


def test_2_15_nobody_else_answers() -> None:
    game = _calling(players=4)
    assert faults(game.answer(2, "b1/b7")) == ["not_your_turn"]
    assert game.state.turn == 3
    assert faults(game.answer(1, "b7/b2")) == []  # whose turn was taken


def test_2_15_a_card_laid_on_the_line_meanwhile_changes_only_the_line() -> None:
    game = _calling()
    assert faults(game.place(1, "bC", "b2/bS")) == ["unexpected"]
    assert faults(game.place(2, "bS", "b2/bS")) == ["not_your_turn"]
    assert (game.state.turn, game.ends(), game.state.hands) == (1, ["bS", "g1"], (7, 7, 7))
    assert faults(game.answer(1, "b1/b7")) == []


def test_2_15_nobody_draws_meanwhile() -> None:
    game = _calling()
    assert faults(game.draw(1)) == ["unexpected"]
    assert faults(game.draw(2)) == ["not_your_turn"]
    assert faults(game.end_turn(1)) == ["unexpected"]
    assert faults(game.end_turn(2)) == ["not_your_turn"]
    assert (game.state.turn, game.state.hands) == (1, (7, 9, 9))


def test_2_16_who_takes_the_pile_has_a_normal_turn() -> None:
    game = _calling()
    game.answer(1, "b1/b7")
    ruling = game.take(2)
    assert (faults(ruling), ruling.rule) == (["?"], "2.16")  # the hand is hidden
    assert (game.state.turn, game.state.hands) == (2, (7, 7, 10))
    assert faults(game.place(2, "bC", "b7/y1")) == []


def test_2_16_the_taker_must_lay_or_draw() -> None:
    game = _calling()
    game.take(1)
    game.draw(2)
    assert game.verdicts() == [(1, False, ["drew_too_few"]), (2, True, [])]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (["y2/y3"], []),
        (["r8/y3"], ["wrong_choice"]),
        (["y2/y3", "?"], ["?"]),
        (["b1/y3", "?"], ["wrong_choice"]),
    ],
)
def test_2_16_a_known_hand_tells_whether_it_was_forced(
    hand: list[str], expected: list[str]
) -> None:
    assert faults(_calling(hands=[8, hand, 8]).take(1)) == expected


def test_2_16_nobody_else_takes_it() -> None:
    game = _calling(players=4)
    assert faults(game.take(2)) == ["not_your_turn"]
    assert game.state.turn == 2


def test_2_17_the_caller_answers_too() -> None:
    game = _calling(players=2)
    game.answer(1, "b1/b7")
    assert game.state.turn == 0
    game.answer(0, "b7/b8")
    assert game.state.turn == 1
    game.take(1)
    assert game.state.hands == (6, 10)


def test_2_17_or_the_pile_leaves_the_game_there() -> None:
    game = _calling(options={"call_caller_answers": False})
    game.answer(1, "b1/b7")
    ruling = game.answer(2, "b7/b8")
    assert (faults(ruling), ruling.rule) == ([], "2.17")
    assert (game.state.turn, game.state.hands) == (1, (7, 7, 7))
    assert faults(game.place(1, "bC", "b2/b3")) == []


@pytest.mark.parametrize("wins", [False, True])
def test_2_18_the_last_card_on_a_call_pile(wins: bool) -> None:
    game = _calling(hands=[8, 1, 8], options={"call_last_card_wins": wins})
    ruling = game.answer(1, "b1/b7")
    assert (faults(ruling), ruling.rule) == ([], "2.18")
    assert (game.state.finished, game.state.winners) == (wins, (1,) if wins else ())
    if not wins:
        game.answer(2, "b7/b8")
        game.answer(0, "b8/b9")
        assert faults(game.take(1)) == []  # an empty hand has no answer


# -- interjecting

ON = {"interject": True}


def test_2_19_is_off_unless_it_was_agreed() -> None:
    assert faults(solomino().place(2, "r5", "r5/b2")) == ["not_your_turn"]


def test_2_19_an_identical_half_may_be_added_out_of_turn_at_either_end() -> None:
    for onto, cover in (("r5", "r5"), ("g1", "g1")):
        game = solomino(options=ON)
        ruling = game.place(2, onto, f"{cover}/b2")
        assert (faults(ruling), ruling.rule) == ([], "2.19")


def test_2_19_a_half_that_only_matches_is_not_enough() -> None:
    game = solomino(options=ON)
    ruling = game.place(2, "r5", "r7/b2")
    assert (faults(ruling), ruling.rule) == (["interjection_not_identical"], "2.19")
    assert faults(game.place(1, "b2", "y7/b3")) == ["interjection_not_identical", "no_match"]
    assert faults(game.place(1, "y9", "y9/b3")) == ["interjection_not_identical", "not_an_end"]


def test_2_19_whether_an_unread_half_is_identical_nobody_can_tell() -> None:
    assert faults(solomino(options=ON).place(2, "r5", "r?/b2")) == ["?"]


def test_2_19_symbols_count_or_only_numbers() -> None:
    for match, expected in (("any", []), ("numbers", ["interjection_not_identical"])):
        game = solomino(start="rS/g1", options={**ON, "interject_match": match})
        assert faults(game.place(2, "rS", "rS/b2")) == expected
        assert faults(game.place(2, "g1", "g1/b2")) == []


def test_2_20_play_goes_on_after_whoever_interjected() -> None:
    game = solomino(players=4, options=ON)
    game.place(2, "r5", "r5/b2")
    assert game.state.turn == 3
    assert faults(game.place(0, "b2", "b3/y3")) == ["interjection_not_identical"]


def test_2_20_a_debt_passes_on_with_what_the_card_adds() -> None:
    for card, owed in (("rD/b2", 2), ("g1/b2", 1)):
        game = _owing(players=4, options=ON)
        ruling = game.place(2, card[:2], card)
        assert faults(ruling) == []
        assert {"effect": "owe_draw", "player": 3, "count": owed} in effects(ruling)
        assert (game.state.turn, game.state.must_draw) == (3, owed)


def test_2_20_or_nobody_interjects_while_a_draw_is_owed() -> None:
    game = _owing(players=4, options={**ON, "interject_owed": False})
    assert faults(game.place(2, "g1", "g1/b2")) == ["not_your_turn"]
    assert game.state.must_draw == 0


def test_2_20_who_was_interjected_upon_has_not_failed_to_draw() -> None:
    game = _owing(options=ON)
    game.draw(1)
    game.place(2, "g1", "g1/b2")
    assert game.verdicts() == [(2, True, [])]


def test_2_21_nobody_interjects_during_a_call() -> None:
    game = _calling(options=ON)
    ruling = game.place(2, "g1", "g1/b2")
    assert (faults(ruling), ruling.rule) == (["interjection_during_call"], "2.21")
    assert faults(game.place(2, "b2", "y7/b2")) == ["interjection_during_call", "no_match"]
    assert game.state.turn == 1
