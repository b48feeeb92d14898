"""What has to follow a correction: later moves that were told in terms of what was wrong.

If the card under a card was a red 9, then the camera's 'onto the red 6' means the red 9. So where
a correction changes what lies at an end of the line, the card laid there next is laid onto that;
a card taken back is the card that lies there now; and choices are made by whoever laid the card
that left them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.game import Game
from referee.log import Move, Op
from referee.notation import Entry
from referee.rules.cards import Half
from referee.rules.judge import step
from referee.rules.observations import (
    ChooseColour,
    ChooseDirection,
    ChoosePlayer,
    Observation,
    Place,
    TakeBack,
)
from referee.rules.state import State


def followers(game: Game, op: Op, of: int, entry: Entry | None) -> list[tuple[int, Entry]]:
    """The later moves that a correction changes, with their numbers after it and new lines.

    ``op`` is ``insert``, ``replace`` or ``delete``; ``entry`` is the move that comes. Raises
    `NotationError` for a line that breaks the contract.
    """
    new = None if entry is None else game.parse(entry)
    gone = None if op == "insert" else game.moves[of]
    return list(_follow(game, of, gone, new))


def _follow(
    game: Game, of: int, gone: Move | None, new: Move | None
) -> Iterator[tuple[int, Entry]]:
    state = game.state_before(of)
    if new is not None:
        state, _ = step(state, new.observation, new.confidence, blind_before=new.blind_before)
    switched = _other_end(gone, new)
    first = of + (gone is not None)
    shift = (new is not None) - (gone is not None)
    for old_of in range(first, len(game.moves)):
        before = game.state_before(old_of)
        if (state, state.placed) == (before, before.placed) and not switched:
            return  # from here on all is as it was
        move = game.moves[old_of]
        seen = _followed(move.observation, before, state, switched)
        if seen is not move.observation:
            yield old_of + shift, Move(seen, move.fields, move.decided).as_dict()
        state, _ = step(state, seen, move.confidence, blind_before=move.blind_before)


def _other_end(gone: Move | None, new: Move | None) -> bool:
    """Whether a correction says only that a card lies at the other end."""
    if gone is None or new is None:
        return False
    was, now = gone.observation, new.observation
    if not isinstance(was, Place) or not isinstance(now, Place):
        return False
    return was.onto != now.onto and was.card == now.card


def _followed(seen: Observation, before: State, now: State, switched: bool) -> Observation:
    """An observation as it would have been told had the state been the other one."""
    if isinstance(seen, Place) and seen.onto is not None:
        onto = _end(seen.onto, before, now, switched)
        return seen if onto == seen.onto else replace(seen, onto=onto)
    if isinstance(seen, TakeBack):
        was, is_now = before.placed, now.placed
        if was is None or is_now is None or seen.card != was.card:
            return seen
        player = is_now.player if seen.player == was.player else seen.player
        if (seen.card, seen.player) == (is_now.card, player):
            return seen
        return TakeBack(player, is_now.card)
    if isinstance(seen, ChoosePlayer | ChooseDirection | ChooseColour):
        chooser, chooses = before.turn, now.turn
        open_before = before.table.choosing is not None
        if open_before and now.table.choosing is not None and seen.player == chooser != chooses:
            return replace(seen, player=chooses)
    return seen


def _end(onto: Half, before: State, now: State, switched: bool) -> Half:
    """The half that lies where ``onto`` was told to be."""
    was, ends = before.table.ends, now.table.ends
    if onto not in was or len(ends) != len(was):
        return onto
    if switched and onto in ends:
        return onto
    end = was.index(onto)
    there = ends[1 - end] if switched else ends[end]
    return there if there.known else onto
