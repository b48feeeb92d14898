"""SOLOmino: laying a card at one of the line's two ends (rulebook, chapter 2)."""

from __future__ import annotations

from typing import NamedTuple

from referee.rules.cards import (
    SOLOMINO_ACTIONS,
    UNREAD,
    Card,
    Face,
    Half,
    identical,
    matches,
    merged,
)
from referee.rules.case import Case
from referee.rules.observations import Place
from referee.rules.options import SolominoOptions
from referee.rules.placing import (
    NOT_ALLOWED,
    Following,
    Interjection,
    carry_out,
    hand_on,
    judge_drawn_card,
    lay_out_of_turn,
    settle_debt,
    wins,
)
from referee.rules.rulings import Effect, EffectKind, Violation
from referee.rules.state import Choice, Table
from referee.rules.turns import begin_act, claim_turn


class Spot(NamedTuple):
    """Where a card is laid at the line."""

    end: int | None
    """Which end is covered; None where that cannot be told."""
    onto: Half
    """The half that is covered, as far as it was read."""
    cover: Half
    """The half that covers it."""
    free: Half
    """The card's other half, the new end."""
    real: bool = True
    """Whether the line has such an end and the card such a half."""


def place(case: Case, seen: Place) -> None:
    """A card is laid at the line."""
    player = case.actor(seen.player)
    if not case.must_be_in_play():
        return
    table, card = case.table, seen.card
    called = player in table.shouted
    begin_act(case, player)
    spot = find_spot(table.ends, card, seen.onto or UNREAD, seen.cover or UNREAD)
    if table.call is not None:
        _lay_during_call(case, player, card, spot)
        case.remember_placed(player, card)
        return
    answers = _judge_turn(case, player, card, spot)
    case.remember_placed(player, card)
    _judge_spot(case, spot, answers and not table.setup.solomino.draw_match)
    _lay(case, player, card, spot)
    if not wins(case, player):
        hand_on(case, player, _carry_out(case, player, card, spot), called)
    table.mover = player


def _judge_turn(case: Case, player: int, card: Card, spot: Spot) -> bool:
    """Turn, debt and drawn card; returns whether the card answers owed draws."""
    table = case.table
    interjection = _interjection(table, spot)
    if not claim_turn(case, player, interjection.allowed is True):
        lay_out_of_turn(case, player, interjection)
        return False
    answers = False
    if table.owed:
        is_draw = Face.DRAW in card.actions
        settle_debt(case, player, is_draw or (None if not card.known else False))
        answers = is_draw and table.owed > 0
    if table.drawn:
        judge_drawn_card(case, (card,))
    return answers


def find_spot(ends: tuple[Half, ...], card: Card, onto: Half, cover: Half) -> Spot:
    """The spot that a reading names."""
    if onto in ends and cover in card.halves and len(card.halves) == 2:
        return Spot(ends.index(onto), onto, cover, card.halves[1 - card.halves.index(cover)])
    end = _only(ends, onto)
    half = _only(card.halves, cover)
    covered, covering, free = onto, cover, UNREAD
    if half is not None and half >= 0:
        covering = merged(cover, card.halves[half])
        if len(card.halves) == 2:
            free = card.halves[1 - half]
    if end is None or half is None:
        return Spot(None, covered, covering, free, real=False)
    if end < 0:
        return Spot(None, covered, covering, free)
    return Spot(end, merged(onto, ends[end]), covering, free)


def _only(halves: tuple[Half, ...], seen: Half) -> int | None:
    """Which of the halves was seen: its place, -1 where it may be either, None for neither."""
    if seen in halves:
        return halves.index(seen)
    places = [i for i, half in enumerate(halves) if identical(half, seen) is not False]
    if len(places) == 2 and halves[0] != halves[1]:
        return -1
    return places[0] if places else None


def _judge_spot(case: Case, spot: Spot, answering: bool = False) -> None:
    """Is it an end of the line, and does the covering half match it?"""
    if not spot.real:
        case.flag(Violation.NOT_AN_END, "2.1")
        return
    if not case.rule:
        case.cite("2.2", "2.2")
    if answering:
        return
    sure_of_end = spot.end is not None
    fits = matches(spot.cover, spot.onto) if sure_of_end else _fits_either(case.table.ends, spot)
    if fits is None:
        case.doubt("1.10")
    elif not fits:
        case.flag(Violation.NO_MATCH, "2.2")


def _fits_either(ends: tuple[Half, ...], spot: Spot) -> bool | None:
    """Whether the covering half matches, where either end may be meant."""
    answers = {matches(spot.cover, merged(spot.onto, end)) for end in ends}
    return answers.pop() if len(answers) == 1 else None


def _interjection(table: Table, spot: Spot) -> Interjection:
    """What laying a card in somebody else's turn would be: colour and face must be equal."""
    options = table.setup.solomino
    if not options.interject or (table.owed and not options.interject_owed):
        return NOT_ALLOWED
    same = identical(spot.cover, spot.onto) if spot.real else False
    if options.interject_match == "numbers" and spot.cover.face in SOLOMINO_ACTIONS:
        same = False
    return Interjection(same, Violation.INTERJECTION_NOT_IDENTICAL, "2.19")


def _lay(case: Case, player: int, card: Card, spot: Spot) -> None:
    """The card leaves the hand and changes the line."""
    table = case.table
    case.take_from_hand(player, card)
    if spot.end is None:
        table.ends = (spot.free, UNREAD)
    elif spot.end == 0:
        table.ends = (spot.free, table.ends[1])
    else:
        table.ends = (table.ends[0], spot.free)


def _lay_during_call(case: Case, player: int, card: Card, spot: Spot) -> None:
    """While a call is open nobody may lay a card; one that is laid changes only the line."""
    if player == case.table.turn:
        case.flag(Violation.UNEXPECTED, "2.15")
    elif case.table.setup.solomino.interject:
        case.flag(Violation.INTERJECTION_DURING_CALL, "2.21")
    else:
        case.flag(Violation.NOT_YOUR_TURN, "1.5")
    _judge_spot(case, spot)
    _lay(case, player, card, spot)


def _carry_out(case: Case, player: int, card: Card, spot: Spot) -> Following:
    """The card's actions, wherever on it they sit."""
    faces = card.actions
    if len(faces) == 2:
        faces = chosen_actions(case.table.setup.solomino, card, spot)
    following = carry_out(case, player, faces)
    add_open_actions(case, faces, following)
    return following


def add_open_actions(case: Case, faces: tuple[Face, ...], following: Following) -> None:
    """Passing hands waits for its direction, and a call comes after all else."""
    if Face.PASS in faces:
        case.cite("2.13", "2.13")
        case.effects.append(Effect(EffectKind.PASS_HANDS))
        following.choices.append(Choice.DIRECTION)
    if Face.CALL in faces:
        case.cite("2.14", "2.14")
        following.call = True


def chosen_actions(options: SolominoOptions, card: Card, spot: Spot) -> tuple[Face, ...]:
    """Which of two actions on one card are carried out."""
    if options.two_actions == "both":
        return card.actions
    half = spot.free if options.two_actions == "open_end" else spot.cover
    return (half.face,)
