"""What people at the table state, where the referee cannot know or has lost the thread.

The table is the truth (rulebook 1.6), and whoever stands beside it sees more of it than a camera:
how the line lies, whose turn it is, that the round is off.
"""

from __future__ import annotations

from referee.rules.cards import Colour
from referee.rules.case import Case
from referee.rules.ending import close_round, count_points
from referee.rules.hands import Hand
from referee.rules.observations import End, Stated
from referee.rules.rulings import Violation
from referee.rules.solo import colour_in_force
from referee.rules.state import LEFT, RIGHT, Phase, Table


def state(case: Case, seen: Stated) -> None:
    """How things stand now (rulebook 1.13); what is not stated stays as it was.

    A turn that is stated begins anew: what was open or owed before it is settled, and a round
    that had been taken for finished goes on.
    """
    table = case.table
    case.rule = "1.13"
    _lie(table, seen)
    if seen.hands is not None:
        for player, count in enumerate(seen.hands):
            if count is not None:
                table.hold(player, Hand(count))
        if table.phase is Phase.OVER:
            count_points(table)
    if seen.draw_pile is not None:
        table.pile = table.pile.stated(seen.draw_pile)
    if seen.direction is not None:
        table.direction = LEFT if seen.direction == "left" else RIGHT
    if seen.turn is not None:
        _resume(table, seen.turn)
    if seen.must_draw is not None:
        table.owed = seen.must_draw


def _lie(table: Table, seen: Stated) -> None:
    """What lies on the table: the two ends, or SOLO's top card and the colour in force."""
    if seen.ends is not None:
        table.ends = seen.ends
    if seen.top is not None:
        table.top = seen.top
        table.colour = colour_in_force(seen.top)
        table.discards = max(1, table.discards)
    if seen.colour is not None:
        table.colour = Colour(seen.colour)
    lies = seen.ends is not None or seen.top is not None
    if lies and table.phase is Phase.START:
        table.phase = Phase.PLAY


def _resume(table: Table, turn: int) -> None:
    if table.phase is Phase.OVER:
        table.phase = Phase.PLAY
        table.winners = ()
        if table.score is not None and table.score.round == table.round:
            table.score = None
    table.choosing = table.call = table.unshouted = None
    table.owed = 0
    table.robbed = ()
    table.mover = None
    table.turn_in_doubt = False
    table.give_turn(turn)


def end(case: Case, seen: End) -> None:
    """The round is broken off (rulebook 5.6): nobody has won it."""
    del seen
    if case.table.phase is Phase.OVER:
        case.flag(Violation.UNEXPECTED, "1.11")
        return
    case.rule = "5.6"
    close_round(case.table)
