"""Calling out "SOLOmino!" or "SOLO!" with one card left (rulebook, chapter 4)."""

from __future__ import annotations

from referee.rules.case import Case, Omission
from referee.rules.observations import Shout
from referee.rules.rulings import Effect, EffectKind, Violation


def shout(case: Case, seen: Shout) -> None:
    """Somebody calls out: in time it settles what is owed, and it never harms."""
    table = case.table
    case.player = seen.player
    case.rule = "4.3"
    if seen.player is None:
        return
    if table.unshouted == seen.player:
        table.unshouted = None
        case.rule = "4.1"
    elif seen.player not in table.shouted:
        table.shouted = (*table.shouted, seen.player)


def owe_shout(case: Case, mover: int, called_before: bool) -> None:
    """After a move (and the swap or pass that it brought): is the mover down to one card?"""
    table = case.table
    options = table.setup.options
    if table.hands[mover].count != 1 or options.shouts == "ignored":
        return
    if options.shout_deadline == "before_move":
        if not called_before:
            rule_missed_shout(case, mover)
    elif mover not in table.shouted:
        table.unshouted = mover


def settle_shout(case: Case) -> None:
    """Somebody acts: whoever should have called out by now has missed it."""
    table = case.table
    if table.unshouted is not None:
        rule_missed_shout(case, table.unshouted)
        table.unshouted = None


def rule_missed_shout(case: Case, player: int) -> None:
    """Find the missed shout and impose its penalty, unless the reading is not sure."""
    table = case.table
    penalty = table.setup.options.shout_penalty
    effects = (Effect(EffectKind.PENALTY_DRAW, player=player, count=penalty),) if penalty else ()
    case.omit(Omission(player, Violation.NO_SHOUT, "4.2", effects))
    if case.sure_of_omissions:
        due = table.penalties
        table.penalties = (*due[:player], due[player] + penalty, *due[player + 1 :])
