"""The rules' front door: new games, one step, whole replays.

A state and an observation give the next state and the rulings; nothing else goes in.

>>> from referee.rules.header import Header
>>> from referee.rules.observations import Draw, Place, Start
>>> from referee.rules.cards import Half, parse_card
>>> game = new_game(Header("solomino", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=103))
>>> state, _ = step(game, Start(parse_card("r5/g1")))
>>> laid = Place(0, (parse_card("b7/yS"),), Half.parse("g1"), Half.parse("b7"))
>>> [(ruling.legal, ruling.rule) for ruling in judge(state, laid)]
[(False, '2.2')]
>>> [str(end) for end in apply(state, laid).ends]
['r5', 'yS']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee.rules import (
    calls,
    draws,
    ending,
    passing,
    rounds,
    shouts,
    solo,
    solomino,
    stated,
    turns,
)
from referee.rules.case import Case
from referee.rules.header import Header
from referee.rules.observations import (
    CallAnswer,
    CallReveal,
    CallTake,
    ChooseColour,
    ChooseDirection,
    ChoosePlayer,
    Deal,
    Draw,
    End,
    EndTurn,
    HandLeft,
    Observation,
    Place,
    Shout,
    Start,
    Stated,
    TakeBack,
)
from referee.rules.rulings import Ruling, Violation
from referee.rules.state import State


def new_game(header: Header) -> State:
    """The state after the first deal, before the first card is turned up."""
    setup = header.setup()
    totals = ending.starting_totals(setup.options, len(setup.players))
    return State(rounds.dealt_table(setup, header.deal(), 1, totals))


def step(
    state: State, seen: Observation, confidence: float = 1.0, *, blind_before: bool = False
) -> tuple[State, tuple[Ruling, ...]]:
    """The state after an observation, and the rulings on it, the last one on itself.

    ``confidence`` is how often such a reading is right: below `case.SURE` nobody is accused.
    ``blind_before`` tells that for a while nobody watched the table before this: nobody is accused
    of what hangs on a draw or a turn that may have gone unseen.
    """
    case = Case(state, confidence, blind_before=blind_before)
    _HANDLERS[type(seen)](case, seen)
    placed = case.placed
    if placed is None and type(seen) is Shout:
        placed = state.placed
    after = State(case.table, placed)
    return after, case.rulings(after)


def judge(state: State, seen: Observation, confidence: float = 1.0) -> tuple[Ruling, ...]:
    """The rulings alone."""
    return step(state, seen, confidence)[1]


def apply(state: State, seen: Observation, confidence: float = 1.0) -> State:
    """The state alone."""
    return step(state, seen, confidence)[0]


def replay(
    header: Header, observations: Iterable[Observation]
) -> Iterator[tuple[Observation, tuple[Ruling, ...]]]:
    """Judge a whole game, observation by observation."""
    state = new_game(header)
    for seen in observations:
        state, rulings = step(state, seen)
        yield seen, rulings


def _place(case: Case, seen: Place) -> None:
    if case.solo:
        solo.place(case, seen)
    else:
        solomino.place(case, seen)


def _take_back(case: Case, seen: TakeBack) -> None:
    """The card just laid goes back: everything is as it was before it was laid.

    What the placement showed about others stays found, and is not found again.
    """
    case.player, case.rule = seen.player, "1.7"
    placed = case.before.placed
    if (
        placed is None
        or seen.player not in (placed.player, None)
        or not seen.card.could_be(placed.card)
    ):
        case.flag(Violation.UNEXPECTED, "1.11")
        return
    case.player = placed.player
    penalties = list(case.table.penalties)
    penalties[placed.player] = placed.before.penalties[placed.player]
    case.table = placed.before.copy()
    case.table.penalties = tuple(penalties)
    case.table.unshouted = None
    case.table.excused = placed.excused


_HANDLERS: dict[type, Callable[[Case, Any], None]] = {
    Deal: rounds.deal,
    Start: rounds.start,
    Place: _place,
    TakeBack: _take_back,
    Draw: draws.draw,
    ChoosePlayer: passing.choose_player,
    ChooseDirection: passing.choose_direction,
    ChooseColour: passing.choose_colour,
    CallReveal: calls.call_reveal,
    CallAnswer: calls.call_answer,
    CallTake: calls.call_take,
    Shout: shouts.shout,
    EndTurn: turns.end_turn,
    HandLeft: ending.hand_left,
    Stated: stated.state,
    End: stated.end,
}
