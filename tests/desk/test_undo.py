"""Undo takes back any action of the desk, and later moves follow a correction rightly."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games import as_seen, new_round, play
from referee.desk import orders
from referee.desk.book import Wanted
from referee.desk.desk import Order
from referee.game import CorrectionError, Game, load
from referee.notation import NotationError, observation_to_dict
from referee.rules.header import Header
from tests.desk.tables import Table, done

HALVES = [colour + face for colour in "rygb" for face in "0123456789SRDXPC"]


@cache
def seen_game(seed: int, moves: int = 24) -> tuple[Header, list[dict[str, Any]]]:
    """A game as a camera sees it: counts of cards, no hidden ones."""
    random = Random(seed)
    header, starts = new_round("solomino", 3, random)
    header, seen = as_seen(header, list(play(header, starts, random))[:moves])
    return header, [{**observation_to_dict(one), "t": 5.0 * i} for i, one in enumerate(seen)]


@st.composite
def some_order(draw: st.DrawFn) -> Order:
    """Any action that the desk offers."""
    number = draw(st.integers(0, 20))
    player = draw(st.integers(0, 2))
    card = f"{draw(st.sampled_from(HALVES))}/{draw(st.sampled_from(HALVES))}"
    missed = {"type": "draw", "player": player, "count": 1}
    all_orders: list[Order] = [
        lambda game, _: orders.change(game, number, {"card": card}),
        lambda game, _: orders.change(game, number, {"player": player}),
        lambda game, _: orders.change(game, number, {"onto": "r5"}),
        lambda game, _: orders.no_move(game, number),
        lambda game, _: orders.was_draw(game, number, 1 + player),
        lambda game, _: orders.taken_back(game, number),
        lambda game, _: orders.decide(game, number, player > 0),
        lambda game, _: orders.as_read(game, number),
        lambda game, s: orders.missed(game, missed, number, s),
        lambda game, s: orders.missed(game, missed, None, s),
        lambda game, s: orders.shout(game, player, s),
        lambda game, s: orders.choose(game, player, None, s),
        lambda game, s: orders.end_turn(game, None, s),
        lambda game, s: orders.new_round(game, {}, s),
        lambda game, s: orders.state(game, {"turn": player, "ends": ["r1", "b2"]}, s),
        lambda game, s: orders.missed(game, {"type": "end"}, None, s),
    ]
    return draw(st.sampled_from(all_orders))


@settings(max_examples=25)
@given(st.integers(0, 3), st.lists(some_order(), min_size=1, max_size=4))
def test_undo_restores_what_was_before_any_action(seed: int, several: list[Order]) -> None:
    header, entries = seen_game(seed, 14)
    table = Table(*entries, header=header)
    stages = [(list(table.game.record()), table.game.ids)]
    for order in several:
        try:
            done(table.desk.order(order, None))
        except (NotationError, CorrectionError):
            continue  # a choice that is not open, a take-back of no card
        stages.append((list(table.game.record()), table.game.ids))
    for i in range(len(stages) - 1, 0, -1):
        assert (list(table.game.record()), table.game.ids) == stages[i]
        done(table.desk.order(lambda *_: Wanted("undo"), None))
        assert (list(table.game.record()), table.game.ids) == stages[i - 1]
    for stage in stages[1:]:
        done(table.desk.order(lambda *_: Wanted("redo"), None))
        assert (list(table.game.record()), table.game.ids) == stage
    again = load(header, [*entries, *table.kept.lines])
    assert list(again.record()) == list(table.game.record())
    assert again.revision == table.book.revision


def misread(game: Game, of: int, wrong: str) -> list[dict[str, Any]]:
    """The moves as told by a camera that read a card's free half wrongly and went on with it."""
    lines = [move.as_dict() for move in game.moves]
    line = lines[of]
    first, second = str(line["card"]).split("/")
    right = second if first == line["with"] else first
    lines[of] = {**line, "card": f"{line['with']}/{wrong}"}
    slot = [str(end) for end in game.state_before(of + 1).ends].index(right)
    for later in range(of + 1, len(lines)):
        ends = [str(end) for end in game.state_before(later).ends]
        if ends[slot] != right:
            break
        if lines[later]["type"] == "place" and lines[later]["onto"] == right:
            lines[later] = {**lines[later], "onto": wrong}
            break
    return lines


@settings(max_examples=25)
@given(st.integers(0, 7), st.integers(0, 30), st.sampled_from(HALVES))
def test_a_misread_half_is_put_right_with_all_that_lies_on_it(
    seed: int, nth: int, wrong: str
) -> None:
    header, entries = seen_game(seed)
    truth = load(header, entries)
    placed = [
        of
        for of, move in enumerate(entries)
        if move["type"] == "place"
        and len({str(end) for end in truth.state_before(of + 1).ends}) == 2
        and wrong not in [str(end) for end in truth.state_before(of + 1).ends]
    ]
    of = placed[nth % len(placed)]
    table = Table(*misread(truth, of, wrong), header=header)
    card = entries[of]["card"]
    done(table.desk.order(lambda game, _: orders.change(game, of, {"card": card}), None))
    verdicts = [[r.legal for r in truth.rulings(i)] for i in range(len(entries))]
    assert [[r.legal for r in table.game.rulings(i)] for i in range(len(entries))] == verdicts
    assert table.game.state == truth.state
