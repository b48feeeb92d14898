"""SOLOmino's call for a card: the card turned up, answers, the pile taken (2.14 to 2.18)."""

from __future__ import annotations

from referee.rules.cards import Card, identical
from referee.rules.case import Case
from referee.rules.ending import end_by_empty_pile, end_by_last_card
from referee.rules.observations import CallAnswer, CallReveal, CallTake
from referee.rules.rulings import Violation
from referee.rules.state import Call
from referee.rules.turns import begin_act


def call_reveal(case: Case, seen: CallReveal) -> None:
    """The top card of the draw pile is turned up in front of the next player."""
    table = case.table
    if not case.must_be_in_play():
        return
    call = table.call
    if call is None or call.pile:
        case.flag(Violation.UNEXPECTED, "1.11")
        return
    case.rule = "2.14"
    pile = table.pile.count
    last_card = table.setup.solomino.empty_pile == "last_card"
    case.take_from_pile(1, (seen.card,))
    table.call = Call(call.caller, (seen.card,))
    if pile is not None and (pile == 0 or (pile == 1 and last_card)):
        end_by_empty_pile(case, None, None, 0)


def call_answer(case: Case, seen: CallAnswer) -> None:
    """A card from the hand is laid on the call pile, which goes on to the next player."""
    player = case.actor(seen.player)
    if not case.must_be_in_play():
        return
    table = case.table
    call = table.call
    if call is None or not call.pile:
        case.flag(Violation.UNEXPECTED, "1.11")
        return
    begin_act(case, player)
    _claim_call(case, player)
    case.cite("2.15", "2.15")
    answered = _answers(seen, call.pile[-1])
    if answered is None:
        case.doubt("1.10")
    elif not answered:
        case.flag(Violation.CALL_NOT_IDENTICAL, "2.15")
    case.take_from_hand(player, seen.card)
    if table.hands[player].count == 0:
        wins = table.setup.solomino.call_last_card_wins
        if wins:
            end_by_last_card(case, player)
        case.cite("2.18", "2.18")
        if wins:
            return
    _pass_pile_on(case, player, Call(call.caller, (*call.pile, seen.card)))


def call_take(case: Case, seen: CallTake) -> None:
    """The player takes the whole call pile, then has a normal turn."""
    player = case.actor(seen.player)
    if not case.must_be_in_play():
        return
    table = case.table
    call = table.call
    if call is None or not call.pile:
        case.flag(Violation.UNEXPECTED, "1.11")
        return
    begin_act(case, player)
    _claim_call(case, player)
    case.cite("2.16", "2.16")
    hand = table.hands[player]
    if any(_could_answer(card, call.pile[-1]) for card in hand.known):
        case.flag(Violation.WRONG_CHOICE, "2.16")
    elif not hand.is_known:
        case.doubt("2.16")
    table.hold(player, hand.with_cards(call.pile))
    table.call = None
    table.give_turn(player)
    table.began = True


def _claim_call(case: Case, player: int) -> None:
    """Is the call this player's to answer? If not, that is followed."""
    table = case.table
    turn = table.turn
    if turn in (player, None) or player in table.robbed:
        table.robbed = ()
        return
    case.flag(Violation.NOT_YOUR_TURN, "1.5")
    table.robbed = () if turn is None else (turn,)


def _answers(seen: CallAnswer, under: Card) -> bool | None:
    """Whether the covering half is one of the card's and equals a half of the card below."""
    if all(identical(half, seen.cover) is False for half in seen.card.halves):
        return False
    verdicts = {identical(seen.cover, half) for half in under.halves}
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _could_answer(card: Card, under: Card) -> bool:
    """Whether a known card has a half that surely equals one of the card below."""
    return any(identical(mine, half) for mine in card.halves for half in under.halves)


def _pass_pile_on(case: Case, player: int, call: Call) -> None:
    """The pile goes to the next player; at the caller it may leave the game."""
    table = case.table
    heir = table.after(player)
    if heir == call.caller and not table.setup.solomino.call_caller_answers:
        case.cite("2.17", "2.17")
        table.call = None
        heir = table.after(heir)
    else:
        table.call = call
    table.give_turn(heir)
