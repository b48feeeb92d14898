"""Drawing: penalties first, then what draw actions ask for, then the normal draw."""

from __future__ import annotations

from referee.rules.cards import Card
from referee.rules.case import Case
from referee.rules.ending import end_by_empty_pile
from referee.rules.hands import Pile
from referee.rules.observations import Draw
from referee.rules.options import SolominoOptions, SoloOptions
from referee.rules.rulings import Violation
from referee.rules.shouts import settle_shout
from referee.rules.state import Phase, Table
from referee.rules.turns import begin_act, claim_turn, take_turn


def draw(case: Case, seen: Draw) -> None:
    """Cards go from the draw pile into a hand."""
    table = case.table
    if table.phase is not Phase.PLAY:
        _draw_out_of_play(case, seen)
        return
    player = case.actor(seen.player)
    if table.unshouted == player:
        settle_shout(case)
    penalty = min(seen.count, table.penalties[player])
    if penalty:
        due = table.penalties
        table.penalties = (*due[:player], due[player] - penalty, *due[player + 1 :])
    case.cite("4.2", "4.2")
    if seen.count > penalty:
        _draw_in_turn(case, player, seen, seen.count - penalty)
    else:
        if player == table.turn and table.choosing is None and table.call is None:
            table.began = True
        _take(case, player, seen, 0)


def _draw_in_turn(case: Case, player: int, seen: Draw, count: int) -> None:
    """What goes beyond penalties is an act: owed cards, then the normal draw."""
    table = case.table
    begin_act(case, player)
    if table.call is not None:
        answers = player == table.turn
        fault = Violation.UNEXPECTED if answers else Violation.NOT_YOUR_TURN
        case.flag(fault, "2.16" if answers else "1.5")
        _take(case, player, seen, 0)
        return
    if not claim_turn(case, player):
        case.flag(Violation.NOT_YOUR_TURN, "1.5")
        take_turn(table, player)
    table.began = True
    debt = table.owed
    paid = min(count, debt)
    if paid:
        case.cite("2.10", "3.10")
        table.owed -= paid
        table.drew_owed = True
    normal = count - paid
    turn_is_lost = table.drew_owed and _forced_draw_costs_turn(table)
    if normal:
        if normal > (0 if table.drawn or turn_is_lost else 1):
            case.flag(Violation.DREW_TOO_MANY, "3.4" if case.solo else "2.3")
        elif not paid:
            case.cite("2.3", "3.4")
    if not _take(case, player, seen, normal, debt) and turn_is_lost and not table.owed:
        table.give_turn(table.after(player))


def _forced_draw_costs_turn(table: Table) -> bool:
    options = table.setup.options
    return isinstance(options, SoloOptions) and options.after_forced_draw == "lost"


def _take(case: Case, player: int, seen: Draw, normal: int, debt: int = 0) -> bool:
    """Move the cards; the last ``normal`` of them are the normal draw.

    Returns whether the round ends because the pile ran out.
    """
    table = case.table
    count, pile = seen.count, table.pile.count
    if pile is not None and count >= pile:
        if _runs_out(table, count, pile):
            end_by_empty_pile(case, player, seen, max(min(count, pile), debt))
            return True
        if count > pile:
            reshuffle(table)
    cards = case.take_from_pile(count, seen.cards)
    hand = table.hands[player].with_cards(cards[: count - normal])
    if normal:
        own = cards[count - normal :]
        table.held_before = hand if not table.drawn else table.held_before
        table.drawn = (*table.drawn, *own)
        hand = hand.with_cards(own)
    table.hold(player, hand)
    return False


def _runs_out(table: Table, count: int, pile: int) -> bool:
    """Whether drawing so many cards from so small a pile ends the round."""
    options = table.setup.options
    if isinstance(options, SolominoOptions):
        return options.empty_pile == "last_card" or count > pile
    return options.empty_pile == "end"


def reshuffle(table: Table) -> None:
    """SOLO: all discards but the top one become the rest of the draw pile."""
    pile = table.pile
    count = None if pile.count is None else pile.count + max(0, table.discards - 1)
    table.pile = Pile(count, pile.known)
    table.discards = min(table.discards, 1)
    if table.located is not None:
        shown = [card for hand in table.hands for card in hand.known]
        table.located = copies_of([*shown, *([table.top] if table.top else []), *pile.known])


def copies_of(cards: list[Card]) -> dict[str, int]:
    """How many of each card there are among these; unread cards are left out."""
    copies: dict[str, int] = {}
    for card in cards:
        if card.known:
            copies[card.key] = copies.get(card.key, 0) + 1
    return copies


def _draw_out_of_play(case: Case, seen: Draw) -> None:
    """After the round only what is still owed may be taken, from the line on the table."""
    case.player = seen.player
    player, due = case.table.from_line
    if case.table.phase is Phase.OVER and seen.count <= due and seen.player in (player, None):
        case.player, case.rule = player, "5.4"
        case.table.from_line = (player, due - seen.count)
        return
    case.must_be_in_play()
