"""Hands that change owners: swaps, passes, and the choices that cards leave to a player."""

from __future__ import annotations

from referee.rules.cards import PLAYABLE_COLOURS, Colour
from referee.rules.case import Case
from referee.rules.observations import ChooseColour, ChooseDirection, ChoosePlayer
from referee.rules.rulings import Effect, EffectKind, Violation
from referee.rules.shouts import owe_shout
from referee.rules.state import LEFT, RIGHT, Choice, Choosing, Phase, direction_name

DIRECTIONS = {"left": LEFT, "right": RIGHT}


def pass_hands(case: Case, steps: int) -> None:
    """Every hand goes one seat on; ``steps`` is 1 to the left, -1 to the right."""
    table = case.table
    hands = table.hands
    table.hands = tuple([hands[(seat - steps) % len(hands)] for seat in range(len(hands))])
    effect = Effect(EffectKind.PASS_HANDS, direction=direction_name(steps))
    case.effects.append(effect)


def choose_player(case: Case, seen: ChoosePlayer) -> None:
    """The player whose hand is swapped is named."""
    chooser = _chooser(case, Choice.PLAYER, seen.player, "2.12", "3.11")
    if chooser is None:
        return
    table = case.table
    if seen.target == chooser or not 0 <= seen.target < len(table.hands):
        case.flag(Violation.WRONG_CHOICE, "1.9")
        return
    mine, theirs = table.hands[chooser], table.hands[seen.target]
    table.hold(chooser, theirs)
    table.hold(seen.target, mine)
    case.effects.append(Effect(EffectKind.SWAP_HANDS, player=chooser, target=seen.target))
    _made(case, chooser, Choice.PLAYER)


def choose_direction(case: Case, seen: ChooseDirection) -> None:
    """Where all hands are passed is named."""
    chooser = _chooser(case, Choice.DIRECTION, seen.player, "2.13", "3.14")
    if chooser is None:
        return
    if seen.direction not in DIRECTIONS:
        case.flag(Violation.WRONG_CHOICE, "1.9")
        return
    pass_hands(case, DIRECTIONS[seen.direction])
    _made(case, chooser, Choice.DIRECTION)


def choose_colour(case: Case, seen: ChooseColour) -> None:
    """The colour in force is called."""
    chooser = _chooser(case, Choice.COLOUR, seen.player, "3.12", "3.12")
    if chooser is None:
        return
    if seen.colour not in PLAYABLE_COLOURS:
        case.flag(Violation.WRONG_CHOICE, "1.9")
        return
    case.table.colour = Colour(seen.colour)
    _made(case, chooser, Choice.COLOUR)


def _chooser(
    case: Case, choice: Choice, player: int | None, solomino: str, solo: str
) -> int | None:
    """Who makes the choice; None, with what is wrong, where it is not his to make."""
    table = case.table
    case.player = player
    if table.phase is not Phase.PLAY:
        case.must_be_in_play()
        return None
    choosing = table.choosing
    if choosing is None or choice not in choosing.open:
        case.flag(Violation.UNEXPECTED, "1.11")
        return None
    if table.turn is None:
        # The start card leaves a choice to whoever begins: that is who makes it.
        table.turn = player
        table.choosing = Choosing(choosing.open, player, choosing.called)
    if player is not None and player != table.turn:
        case.flag(Violation.NOT_YOUR_TURN, "1.5")
        return None
    if table.turn is None:
        case.doubt("1.10")
    case.player = table.turn
    case.cite(solomino, solo)
    return table.turn


def _made(case: Case, chooser: int, choice: Choice) -> None:
    """The choice is made; with the last open one the turn is handed on."""
    table = case.table
    choosing = table.choosing
    if choosing is None:
        return
    rest = tuple([other for other in choosing.open if other is not choice])
    if rest:
        table.choosing = Choosing(rest, choosing.heir, choosing.called)
        return
    table.choosing = None
    table.give_turn(choosing.heir)
    if table.mover == chooser:
        owe_shout(case, chooser, choosing.called)
