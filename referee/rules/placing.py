"""What laying a card has in common in both games: debts, the drawn card, what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules.cards import Card, Face
from referee.rules.case import Case, Omission
from referee.rules.ending import end_by_last_card
from referee.rules.rulings import Effect, EffectKind, Violation
from referee.rules.shouts import owe_shout
from referee.rules.state import Call, Choice, Choosing, direction_name
from referee.rules.turns import take_turn


class Interjection(NamedTuple):
    """Whether a card laid out of turn is a legal interjection, and what is wrong if not."""

    allowed: bool | None
    """None where an unread half decides."""
    fault: Violation = Violation.NOT_YOUR_TURN
    rule: str = "1.5"


NOT_ALLOWED = Interjection(False)
"""Where nobody may interject."""


def lay_out_of_turn(case: Case, player: int, interjection: Interjection) -> None:
    """Judge a card laid in somebody else's turn, and follow it."""
    table = case.table
    debt = table.owed
    if interjection.allowed is False:
        case.flag(interjection.fault, interjection.rule)
        take_turn(table, player)
        return
    if interjection.allowed is None:
        case.doubt("1.10")
    case.cite("2.19", "3.15")
    take_turn(table, player)
    table.owed = debt
    table.robbed = ()


def settle_debt(case: Case, player: int, answers: bool | None) -> None:
    """In one's own turn: owed cards must be taken, or answered with a draw card."""
    table = case.table
    if table.drew_owed:
        case.omit(Omission(player, Violation.DREW_TOO_FEW, "3.10" if case.solo else "2.10"))
    elif answers:
        return
    elif answers is None:
        case.doubt("1.10")
    else:
        case.flag(Violation.DRAW_OWED, "3.8" if case.solo else "2.10")
    table.owed = 0


def judge_drawn_card(case: Case, cards: Sequence[Card]) -> None:
    """After the normal draw only the card just drawn may be laid."""
    table = case.table
    rule = "3.5" if case.solo else "2.4"
    card = cards[0]
    if len(cards) > 1:
        case.flag(Violation.DRAWN_CARD_ONLY, rule)
    elif card.known and card in table.drawn:
        return
    elif not any(card.could_be(drawn) for drawn in table.drawn):
        case.flag(Violation.DRAWN_CARD_ONLY, rule)
    else:
        held = table.held_before
        if not card.known or held is None or held.may_hold(card):
            case.doubt("1.10")


@dataclass(slots=True)
class Following:
    """What follows from the actions of a card, before the turn is handed on."""

    heir: int | None
    """Who takes the next turn; None where that is whoever acts first."""
    choices: list[Choice]
    call: bool = False


def carry_out(case: Case, player: int, faces: Sequence[Face]) -> Following:
    """The actions of a card laid by a player: who takes the next turn, and owing what."""
    table = case.table
    if not faces and not table.owed:
        return Following(table.after(player), [])
    skips, flips = turn_round(case, faces)
    if flips and len(table.hands) == 2 and table.setup.options.reverse_two_players == "skip":
        skips += flips
    heir = address(case, table.after(player), skips, faces)
    following = Following(heir, [])
    if Face.SWAP in faces:
        case.cite("2.12", "3.11")
        case.effects.append(Effect(EffectKind.SWAP_HANDS, player=player))
        following.choices.append(Choice.PLAYER)
    return following


def turn_round(case: Case, faces: Sequence[Face]) -> tuple[int, int]:
    """Changes of direction, which come first; returns the numbers of skips and of changes."""
    table = case.table
    skips = flips = 0
    for face in faces:
        if face is Face.SKIP:
            case.cite("2.8", "3.6")
            skips += 1
        elif face is Face.REVERSE:
            case.cite("2.9", "3.7")
            flips += 1
            table.direction = -table.direction
            direction = direction_name(table.direction)
            case.effects.append(Effect(EffectKind.CHANGE_DIRECTION, direction=direction))
    return skips, flips


def address(case: Case, heir: int | None, skips: int, faces: Sequence[Face]) -> int | None:
    """Skip players from ``heir`` on, and let whoever takes the turn then owe the draws."""
    table = case.table
    for _ in range(skips):
        case.effects.append(Effect(EffectKind.SKIP, player=heir))
        heir = None if heir is None else table.after(heir)
    passed_on = table.owed > 0
    for face in faces:
        if face is Face.DRAW:
            table.owed += 2 if case.solo else 1
            case.cite("2.10", "3.8")
        elif face is Face.WILD_FOUR:
            table.owed += 4
            case.cite("3.13", "3.13")
    if passed_on:
        case.cite("2.11", "3.9")
    if table.owed:
        case.effects.append(Effect(EffectKind.OWE_DRAW, player=heir, count=table.owed))
    return heir


def hand_on(case: Case, player: int, following: Following, called: bool) -> None:
    """Hand the turn on, or wait for the choices that the card leaves to its player."""
    table = case.table
    if following.call:
        case.effects.append(Effect(EffectKind.CALL_FOR_CARD, player=following.heir))
        table.call = Call(player)
    if following.choices:
        table.give_turn(player)
        table.choosing = Choosing(tuple(following.choices), following.heir, called)
        return
    table.give_turn(following.heir)
    owe_shout(case, player, called)


def wins(case: Case, player: int) -> bool:
    """Whether the card just laid was the player's last; if so, the round ends."""
    if case.table.hands[player].count != 0:
        return False
    end_by_last_card(case, player)
    return True
