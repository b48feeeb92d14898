"""SOLO: laying cards on the discard pile (rulebook, chapter 3)."""

from __future__ import annotations

from referee.rules.cards import (
    NUMBERS,
    PLAYABLE_COLOURS,
    SOLO_FREE,
    Card,
    Colour,
    Face,
    Half,
    identical,
    matches,
)
from referee.rules.case import Case
from referee.rules.observations import Place
from referee.rules.options import SoloOptions
from referee.rules.passing import pass_hands
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

WILDS = (Face.WILD, Face.WILD_FOUR)


def place(case: Case, seen: Place) -> None:
    """One card, or a set of three or more, is laid on the discard pile."""
    player = case.actor(seen.player)
    if not case.must_be_in_play():
        return
    table = case.table
    called = player in table.shouted
    begin_act(case, player)
    _judge_turn(case, player, seen)
    case.remember_placed(player, seen.cards[-1])
    _judge_match(case, seen)
    for card in seen.cards:
        case.take_from_hand(player, card)
    table.top = seen.cards[-1]
    table.discards += len(seen.cards)
    table.colour = colour_in_force(table.top)
    if not wins(case, player):
        hand_on(case, player, _carry_out(case, player, seen), called)
    table.mover = player


def solo_options(table: Table) -> SoloOptions:
    """The options of a game of SOLO."""
    options = table.setup.options
    return options if isinstance(options, SoloOptions) else SoloOptions()


def fits(table: Table, card: Card) -> bool | None:
    """Whether a card may follow the top card; None where an unread part decides."""
    if card.face in SOLO_FREE or table.colour is None:
        return True
    if table.top is None:
        return None
    return matches(card.halves[0], Half(table.colour, table.top.face))


def _judge_turn(case: Case, player: int, seen: Place) -> None:
    """Turn, debt and drawn card."""
    table = case.table
    jump = _jump(table, seen)
    if not claim_turn(case, player, jump.allowed is True):
        lay_out_of_turn(case, player, jump)
        return
    if table.owed:
        settle_debt(case, player, _answers(table, seen.card))
    if table.drawn:
        judge_drawn_card(case, seen.cards)


def _answers(table: Table, card: Card) -> bool | None:
    """Whether the card answers owed draws with a draw card of the kind that may."""
    if card.face is Face.UNKNOWN:
        return None
    if solo_options(table).draw_stack == "any":
        return card.face in (Face.DRAW, Face.WILD_FOUR)
    return table.top is not None and card.face is table.top.face


def _jump(table: Table, seen: Place) -> Interjection:
    """What laying a card in somebody else's turn would be: it must equal the top card."""
    kinds = solo_options(table).jump_in
    if kinds == "off" or table.top is None:
        return NOT_ALLOWED
    card = seen.card
    same = identical(card.halves[0], table.top.halves[0]) if len(seen.cards) == 1 else False
    if (kinds == "numbers" and card.face not in NUMBERS) or (
        kinds == "coloured" and card.colour not in PLAYABLE_COLOURS
    ):
        same = None if same is None else False
    return Interjection(same, Violation.INTERJECTION_NOT_IDENTICAL, "3.15")


def _judge_match(case: Case, seen: Place) -> None:
    """Does the card, or the first of a set, match; and may the set be laid at once?"""
    if len(seen.cards) > 1 and not is_set(solo_options(case.table), seen.cards):
        case.flag(Violation.WRONG_CHOICE, "3.17")
    follows = fits(case.table, seen.card)
    if follows is None:
        case.doubt("1.10")
    elif not follows:
        case.flag(Violation.NO_MATCH, "3.2")
    elif len(seen.cards) > 1:
        case.cite("3.17", "3.17")
    elif not case.rule:
        rule = "3.3" if seen.card.face in SOLO_FREE else "3.2"
        case.cite(rule, rule)


def is_set(options: SoloOptions, cards: tuple[Card, ...]) -> bool:
    """Whether so many cards of one number may be laid at once."""
    if options.triple == "off" or len({card.face for card in cards}) != 1:
        return False
    enough = len(cards) == 3 if options.triple == "exact" else len(cards) >= 3
    return enough and cards[0].face in NUMBERS


def colour_in_force(top: Card) -> Colour | None:
    """The colour that the next card must match, before any choice of it."""
    if top.face is Face.PASS:
        return None
    return Colour.UNKNOWN if top.face in WILDS else top.colour


def _carry_out(case: Case, player: int, seen: Place) -> Following:
    """The action of the top card."""
    table = case.table
    face = seen.cards[-1].face
    following = carry_out(case, player, () if face in NUMBERS else (face,))
    if face is Face.PASS:
        case.cite("3.14", "3.14")
        rotate(case, following.choices)
    elif face in WILDS:
        if face is Face.WILD:
            case.cite("3.12", "3.12")
        if seen.colour in PLAYABLE_COLOURS:
            table.colour = Colour(seen.colour)
            return following
        if seen.colour is not None:
            case.flag(Violation.WRONG_CHOICE, "1.9")
        case.effects.append(Effect(EffectKind.CHOOSE_COLOUR, player=player))
        following.choices.append(Choice.COLOUR)
    return following


def rotate(case: Case, choices: list[Choice]) -> None:
    """All hands move one seat, where the option says; or its player chooses where."""
    table = case.table
    way = solo_options(table).rotation
    if way == "player":
        case.effects.append(Effect(EffectKind.PASS_HANDS))
        choices.append(Choice.DIRECTION)
        return
    steps = {"with_play": table.direction, "against_play": -table.direction, "left": 1}[way]
    pass_hands(case, steps)
