"""Whose turn it is, who acts out of turn, and how a turn ends (rulebook, chapter 1)."""

from __future__ import annotations

from referee.rules.cards import Colour
from referee.rules.case import Case, Omission
from referee.rules.hands import Hand
from referee.rules.observations import EndTurn
from referee.rules.rulings import Violation
from referee.rules.shouts import owe_shout, settle_shout
from referee.rules.state import Choice, Phase, Table


def begin_act(case: Case, player: int) -> None:
    """Somebody plays on: open choices lapse, and a shout that is still owed was missed."""
    table = case.table
    if table.choosing is not None:
        lapse_choices(case)
    if table.unshouted is not None:
        settle_shout(case)
    if table.shouted:
        table.shouted = (player,) if player in table.shouted else ()
    table.mover = None
    table.turn_in_doubt = False


def claim_turn(case: Case, player: int, may_interject: bool = False) -> bool:
    """Whether it is this player's turn to act; passes the turn on where the one before ended.

    A turn has ended once its player has drawn. Who began a turn without laying or drawing
    has failed to, if the next player acts; unless the latter may interject, for then nobody
    has done anything wrong.
    """
    table = case.table
    turn = table.turn
    if turn != player:
        if turn is None or (table.drawn and player == table.after(turn)):
            table.give_turn(player)
        elif player in table.robbed:
            table.owed = 0
            table.give_turn(player)
        elif table.began and not may_interject and player == table.after(turn):
            if not table.excused:
                case.omit(Omission(turn, Violation.DREW_TOO_FEW, "1.8"))
            table.owed = 0
            table.give_turn(player)
        else:
            return False
    table.robbed = ()
    return True


def take_turn(table: Table, player: int) -> None:
    """Play is followed out of turn: those whose turn was taken may still act next."""
    turn = table.turn
    if turn is not None:
        after = table.after(turn)
        table.robbed = (turn, after) if table.drawn else (turn,)
    table.owed = 0
    table.give_turn(player)


def lapse_choices(case: Case) -> None:
    """Play went on before a choice was made: nobody knows any more what it concerned."""
    table = case.table
    choosing = table.choosing
    if choosing is None:
        return
    chooser = table.turn
    table.choosing = None
    if Choice.COLOUR in choosing.open:
        table.colour = Colour.UNKNOWN
    if Choice.PLAYER in choosing.open or Choice.DIRECTION in choosing.open:
        table.hands = (Hand(None),) * len(table.hands)
    elif chooser is not None and table.mover == chooser:
        owe_shout(case, chooser, choosing.called)
    if choosing.heir is not None:
        table.give_turn(choosing.heir)


def end_turn(case: Case, seen: EndTurn) -> None:
    """A player is done: who has neither laid nor drawn, or still owes, drew too few."""
    table = case.table
    just_moved = table.mover is not None and seen.player in (table.mover, None)
    if table.phase is Phase.OVER and just_moved:
        case.player, case.rule = table.mover, "1.8"
        return
    if not case.must_be_in_play():
        case.player = seen.player
        return
    case.rule = "1.8"
    if table.choosing is not None and seen.player in (table.turn, None):
        case.player = table.turn
        return
    if just_moved:
        case.player, table.mover = table.mover, None
        return
    player = table.turn if seen.player is None else seen.player
    case.player = player
    if table.call is not None:
        fault = Violation.UNEXPECTED if player == table.turn else Violation.NOT_YOUR_TURN
        case.flag(fault, "1.11" if player == table.turn else "1.5")
    elif player is not None:
        _end_turn_of(case, player)


def _end_turn_of(case: Case, player: int) -> None:
    table = case.table
    if table.choosing is not None or not claim_turn(case, player):
        case.flag(Violation.NOT_YOUR_TURN, "1.5")
        return
    begin_act(case, player)
    if table.owed or not table.drawn:
        case.flag(Violation.DREW_TOO_FEW, "1.8")
    table.owed = 0
    table.robbed = ()
    table.give_turn(table.after(player))
