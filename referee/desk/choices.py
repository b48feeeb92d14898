"""What cards left their players to choose, and what was chosen: a swap, a direction, a colour.

No camera sees a choice. Play often goes on before an operator has entered it, so a choice belongs
to the card that left it, and can be entered or changed there at any time.
"""

from __future__ import annotations

from typing import Final

from referee.game import Game
from referee.rules.observations import (
    ChooseColour,
    ChooseDirection,
    ChoosePlayer,
    Deal,
    End,
    Observation,
    Place,
    Start,
    Stated,
)
from referee.rules.state import Choice, State

Chosen = int | str
"""A player's index, ``left`` or ``right``, or a colour's letter."""

FIELDS: Final = {
    Choice.PLAYER: ("choose_player", "target"),
    Choice.DIRECTION: ("choose_direction", "direction"),
    Choice.COLOUR: ("choose_colour", "colour"),
}
"""For each choice the observation that makes it, and the field that says what was chosen."""

_MADE_BY: Final[dict[Choice, type[Observation]]] = {
    Choice.PLAYER: ChoosePlayer,
    Choice.DIRECTION: ChooseDirection,
    Choice.COLOUR: ChooseColour,
}


def made(seen: Observation) -> Choice | None:
    """Which choice an observation makes; None for one that makes none."""
    return next((choice for choice, kind in _MADE_BY.items() if isinstance(seen, kind)), None)


def left_by(game: Game, of: int) -> tuple[Choice, ...]:
    """The choices that a move left to its player, those called with the card included."""
    seen = game.moves[of].observation
    if not isinstance(seen, Place | Start):
        return ()
    before, after = game.state_before(of).table, state_after(game, of).table
    if isinstance(seen, Place) and seen.colour is not None:
        return (Choice.COLOUR,)
    if after.choosing is None or after.choosing is before.choosing:
        return ()
    return after.choosing.open


def maker(game: Game, of: int, choice: Choice) -> int | None:
    """The move that made a choice which the move ``of`` left; None where none has."""
    for later in range(of + 1, len(game.moves)):
        choosing = game.state_before(later).table.choosing
        if choosing is None or choice not in choosing.open:
            return None
        if made(game.moves[later].observation) is choice:
            return later
    return None


def chosen(game: Game, of: int) -> list[tuple[Choice, Chosen | None]]:
    """The choices that a move left or makes, each with what was chosen; None: nobody said."""
    seen = game.moves[of].observation
    own = made(seen)
    if own is not None:
        return [(own, _value(seen))]
    found: list[tuple[Choice, Chosen | None]] = []
    for choice in left_by(game, of):
        if isinstance(seen, Place) and seen.colour is not None:
            found.append((choice, seen.colour))
            continue
        by = maker(game, of, choice)
        found.append((choice, None if by is None else _value(game.moves[by].observation)))
    return found


def unanswered(game: Game) -> tuple[int, list[Choice]] | None:
    """The card whose choices wait for somebody to enter them, and which.

    They do while they are open. A colour does as well while it alone leaves open whether the
    card that followed was legal. What has been stated since settles them.
    """
    followed: list[int] = []
    for of in range(len(game.moves) - 1, -1, -1):
        seen = game.moves[of].observation
        if isinstance(seen, Deal | End) or (isinstance(seen, Stated) and seen.turn is not None):
            return None
        waiting = [choice for choice, value in chosen(game, of) if value is None]
        if made(seen) is None and left_by(game, of):
            return (of, _still(game, followed, waiting)) if waiting else None
        if isinstance(seen, Place):
            followed.append(of)
            if len(followed) > 1:
                return None
    return None


def state_after(game: Game, of: int) -> State:
    """The state after a move."""
    return game.state_before(of + 1) if of + 1 < len(game.moves) else game.state


def is_value_of(choice: Choice, value: object) -> bool:
    """Whether this can be chosen where this choice is open."""
    if choice is Choice.PLAYER:
        return isinstance(value, int) and not isinstance(value, bool)
    if choice is Choice.DIRECTION:
        return value in ("left", "right")
    return isinstance(value, str) and value in tuple("rygb")


def _still(game: Game, followed: list[int], waiting: list[Choice]) -> list[Choice]:
    choosing = game.state.table.choosing
    open_now = choosing.open if choosing is not None else ()
    doubted = any(game.rulings(of)[-1].legal is None for of in followed)
    return [
        choice for choice in waiting if choice in open_now or (choice is Choice.COLOUR and doubted)
    ]


def _value(seen: Observation) -> Chosen | None:
    match seen:
        case ChoosePlayer():
            return seen.target
        case ChooseDirection():
            return seen.direction
        case ChooseColour():
            return seen.colour
    return None
