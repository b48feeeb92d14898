"""What must hold for all games: legal ones are found legal, cards are conserved, and more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets.games import Tablework, as_seen, at_random, new_round, play, play_on, sensible
from referee.notation import observation_to_dict, parse_observation
from referee.rules.cards import Card, Colour, Face, Half, matches, parse_card
from referee.rules.deck import make_deck
from referee.rules.header import Header
from referee.rules.judge import apply, new_game, replay, step
from referee.rules.legal import legal_placements
from referee.rules.observations import (
    CallReveal,
    ChooseColour,
    ChooseDirection,
    ChoosePlayer,
    Draw,
    Observation,
    Place,
    Shout,
    Start,
)
from referee.rules.options import GameName, option_values
from referee.rules.rulings import Ruling
from referee.rules.state import Choice, State

slowly = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
"""A whole game an example: few are enough, and the machine may be busy."""

Game = tuple[Header, tuple[Observation, ...]]


@st.composite
def games(draw: st.DrawFn, game: GameName | None = None, observed: bool = False) -> Game:
    """A legal game: either one, any number of players, any options, any bot."""
    chosen = game or draw(st.sampled_from(("solomino", "solo")))
    values = option_values("solo" if chosen == "solo" else "solomino")
    options = {
        name: draw(st.sampled_from(allowed)) for name, allowed in values.items() if len(allowed) > 1
    }
    if observed:
        options["shouts"] = "observed"
    seed = draw(st.integers(0, 10_000))
    players = draw(st.integers(2, 6 if chosen == "solomino" else 8))
    sensibly = draw(st.booleans())
    return played("solo" if chosen == "solo" else "solomino", players, seed, sensibly, options)


def played(
    game: GameName, players: int, seed: int, sensibly: bool, options: dict[str, Any]
) -> Game:
    """The same arguments, the same game."""
    random = Random(seed)
    header, starts = new_round(game, players, random, options)
    chooser = sensible if sensibly else at_random
    return header, tuple(play(header, starts, random, chooser))


def states(header: Header, moves: tuple[Observation, ...]) -> list[State]:
    """The state before each move, and the last one."""
    found = [new_game(header)]
    for move in moves:
        found.append(apply(found[-1], move))
    return found


@slowly
@given(games())
def test_a_legal_game_gets_no_violation(game: Game) -> None:
    header, moves = game
    for move, rulings in replay(header, moves):
        assert [ruling.legal for ruling in rulings] == [True], move


@slowly
@given(games())
def test_nor_does_it_when_hands_are_hidden(game: Game) -> None:
    header, moves = as_seen(*game)
    for move, rulings in replay(header, moves):
        assert all(ruling.legal is not False for ruling in rulings), move


@slowly
@given(games())
def test_counts_are_the_same_whether_or_not_cards_are_known(game: Game) -> None:
    header, moves = game
    blind_header, blind = as_seen(header, moves)
    for seen, hidden in zip(states(header, moves), states(blind_header, tuple(blind)), strict=True):
        assert seen.hands == hidden.hands
        assert (seen.turn, seen.ends, seen.must_draw) == (
            hidden.turn,
            hidden.ends,
            hidden.must_draw,
        )


@slowly
@given(games())
def test_cards_are_conserved(game: Game) -> None:
    header, moves = game
    deck = Counter(make_deck(header.deck)) if isinstance(header.deck, dict) else Counter()
    laid: Counter[str] = Counter()
    state = new_game(header)
    for move in moves:
        if isinstance(move, Start) and header.game == "solo" and _is_redrawn(header, move.card):
            state = apply(state, move)
            continue
        if isinstance(move, Start | CallReveal):
            laid[move.card.key] += 1
        before = _held(state)
        state = apply(state, move)
        gone = before - _held(state)
        laid += gone
        came = _held(state) - before - Counter(_drawn(move))
        laid -= came
        if state.table.from_line[1] or state.table.discards == 1:
            break  # cards come from the line, or were shuffled anew
        pile = Counter(card.key for card in state.table.pile.known)
        assert _held(state) + pile + laid == deck


def _is_redrawn(header: Header, card: Card) -> bool:
    return header.given_options.get("start_action") == "redraw" and bool(card.actions)


def _held(state: State) -> Counter[str]:
    return Counter(card.key for hand in state.table.hands for card in hand.known)


def _drawn(move: Observation) -> list[str]:
    return [card.key for card in move.cards] if isinstance(move, Draw) else []


@slowly
@given(games())
def test_observations_survive_being_written(game: Game) -> None:
    header, moves = game
    for move in moves:
        written = observation_to_dict(move, {"t": 1.5})
        assert parse_observation(written, header) == move
        assert observation_to_dict(parse_observation(written), {"t": 1.5}) == written


@slowly
@given(games())
def test_taking_back_gives_the_state_from_before(game: Game) -> None:
    header, moves = game
    for before, move in zip(states(header, moves), moves, strict=False):
        if isinstance(move, Place) and not before.table.unshouted:
            back = {"type": "take_back", "player": move.player, "card": str(move.cards[-1])}
            assert apply(apply(before, move), parse_observation(back)) == before


# -- one fault is found as just that fault, and nothing after it is


Fault = Callable[[State, Random], Observation | None]


def _no_match(state: State, random: Random) -> Observation | None:
    seat = _free_to_lay(state)
    if seat is None:
        return None
    for card in state.table.hands[seat].known:
        for end in state.table.ends:
            for half in card.halves:
                if matches(half, end) is False:
                    return Place(seat, (card,), end, half)
    return None


def _out_of_turn(state: State, random: Random) -> Observation | None:
    seat = _free_to_lay(state)
    if seat is None or len(state.hands) < 4:
        return None
    other = state.table.after(seat, 2)
    calm = State(state.table.copy())
    calm.table.give_turn(other)
    placements = legal_placements(calm, state.table.hands[other].known, other)
    return random.choice(placements) if placements else None


def _second_draw(state: State, random: Random) -> Observation | None:
    table = state.table
    if table.turn is None or not table.drawn or not table.pile.known[2:]:
        return None
    return Draw(table.turn, 1, table.pile.known[:1])


def _wrong_target(state: State, random: Random) -> Observation | None:
    choosing = state.table.choosing
    if choosing is None or state.turn is None:
        return None
    wrong: dict[Choice, Observation] = {
        Choice.PLAYER: ChoosePlayer(state.turn, state.turn),
        Choice.DIRECTION: ChooseDirection(state.turn, "up"),
        Choice.COLOUR: ChooseColour(state.turn, "purple"),
    }
    return wrong[choosing.open[0]]


def _free_to_lay(state: State) -> int | None:
    """Who may lay any card now, with more than two to go."""
    table = state.table
    busy = table.choosing or table.call or table.drawn or table.owed or table.unshouted is not None
    if busy or table.turn is None or not table.ends:
        return None
    if min(hand.count or 0 for hand in table.hands) < 4:
        return None
    return table.turn


FAULTS: dict[str, tuple[GameName, Fault]] = {
    "no_match": ("solomino", _no_match),
    "not_your_turn": ("solomino", _out_of_turn),
    "drew_too_many": ("solo", _second_draw),
    "wrong_choice": ("solo", _wrong_target),
}


@pytest.mark.parametrize("code", FAULTS)
@slowly
@given(seed=st.integers(0, 1000))
def test_one_fault_is_found_and_nothing_after_it(code: str, seed: int) -> None:
    game, fault = FAULTS[code]
    random = Random(seed)
    header, moves = _game_of_five(game, seed % 7)
    points = []
    for before in states(header, moves)[:-1]:
        deep = len(before.table.pile.known) > 30  # no reshuffle soon: what it brings is open
        wrong = fault(before, random) if deep else None
        if wrong is not None:
            points.append((before, wrong))
    if not points:
        return
    before, wrong = random.choice(points)
    after, rulings = step(before, wrong)
    assert [str(violation) for violation in rulings[-1].violations] == [code]
    assert len(rulings) == 1
    if after.finished:
        return
    for ruling in _what_follows(after, random):
        assert ruling.legal is not False


@cache
def _game_of_five(game: GameName, seed: int) -> Game:
    options = {"shouts": "ignored", **({} if game == "solo" else {"interject": False})}
    return played(game, 5, seed, False, options)


def _what_follows(state: State, random: Random) -> list[Ruling]:
    """The rulings on the next moves of players who keep to the rules."""
    table = Tablework(random, list(state.table.pile.known))
    found: list[Ruling] = []
    for move, _ in zip(play_on(state, table, interject=0), range(8), strict=False):
        state, rulings = step(state, move)
        found += rulings
    return found


# -- values

halves = st.builds(Half, st.sampled_from(list(Colour)), st.sampled_from(list(Face)))
cards = st.lists(halves, min_size=1, max_size=2).map(lambda found: Card(tuple(found)))


@given(cards)
def test_a_cards_text_is_read_back(card: Card) -> None:
    assert parse_card(str(card)) == card
    assert str(parse_card(str(card))) == str(card)
    assert parse_card("/".join(str(half) for half in reversed(card.halves))) == card


@given(halves, halves)
def test_matching_is_mutual_and_sure_only_of_what_was_read(one: Half, other: Half) -> None:
    assert matches(one, other) is matches(other, one)
    for colour in (Colour.RED, Colour.BLUE):
        if other.colour is Colour.UNKNOWN and matches(one, other) is not None:
            told = matches(one, Half(colour, other.face))
            assert told is matches(one, other)


def test_shouts_are_part_of_the_games() -> None:
    _, moves = played("solomino", 4, 3, True, {})
    assert any(isinstance(move, Shout) for move in moves)
