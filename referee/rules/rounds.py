"""How a round begins: the deal, the first card, and the action that may be on it."""

from __future__ import annotations

from referee.rules.cards import NUMBERS, SOLO_FREE, UNREAD, Card, Colour, Face
from referee.rules.case import Case
from referee.rules.draws import copies_of
from referee.rules.hands import Hand, Pile
from referee.rules.observations import Deal, Start
from referee.rules.placing import Following, address, turn_round
from referee.rules.rulings import Effect, EffectKind, Violation
from referee.rules.solo import WILDS, rotate
from referee.rules.solomino import add_open_actions
from referee.rules.state import LEFT, Call, Choice, Choosing, Phase, Setup, Table


def dealt_table(setup: Setup, deal: Deal, number: int, totals: tuple[int, ...]) -> Table:
    """The table after a deal, before the first card is turned up."""
    hands = tuple([Hand.dealt(hand) for hand in deal.hands])
    pile = Pile.dealt(deal.draw_pile)
    shown = [card for hand in hands for card in hand.known]
    return Table(
        setup=setup,
        round=number,
        phase=Phase.START,
        hands=hands,
        pile=pile,
        turn=deal.first_player,
        direction=LEFT,
        penalties=(0,) * len(hands),
        located=copies_of([*shown, *pile.known]) if setup.deck is not None else None,
        totals=totals,
    )


def deal(case: Case, seen: Deal) -> None:
    """A further round begins, whatever the round before it has come to."""
    table = case.table
    score = table.score
    case.rule = "6.6"
    if table.phase is not Phase.OVER:
        case.flag(Violation.UNEXPECTED, "1.11")
    elif score is not None and score.round == table.round and score.finished:
        case.flag(Violation.GAME_OVER, "6.5")
    counted = score is not None and score.round == table.round
    totals = score.totals if score is not None and counted else table.totals
    case.table = dealt_table(table.setup, seen, table.round + 1, totals)
    case.table.score = score


def start(case: Case, seen: Start) -> None:
    """The first card is turned up; the option says what an action on it does."""
    table = case.table
    case.rule = "1.3"
    if table.phase is not Phase.START:
        case.must_be_in_play()
        if not case.violations:
            case.flag(Violation.UNEXPECTED, "1.11")
        return
    card = seen.card
    options = table.setup.options
    if case.solo:
        table.top, table.discards = card, 1
        table.colour = None if card.face in SOLO_FREE else card.colour
        faces: tuple[Face, ...] = () if card.face in NUMBERS else (card.face,)
        if faces and options.start_action == "redraw" and card.known:
            case.rule = "3.18"
            return
    else:
        table.ends = card.halves if len(card.halves) == 2 else (UNREAD, UNREAD)
        faces = card.actions
    case.locate(card)
    table.phase = Phase.PLAY
    if faces and options.start_action == "apply":
        _apply(case, card, faces)


def _apply(case: Case, card: Card, faces: tuple[Face, ...]) -> None:
    """The action on the first card falls to the first player."""
    table = case.table
    case.cite("2.7", "3.18")
    skips, _ = turn_round(case, faces)
    following = Following(address(case, table.turn, skips, faces), [])
    chooser = following.heir
    if Face.SWAP in faces:
        case.effects.append(Effect(EffectKind.SWAP_HANDS, player=chooser))
        following.choices.append(Choice.PLAYER)
    if not case.solo:
        add_open_actions(case, faces, following)
    elif Face.PASS in faces:
        rotate(case, following.choices)
    elif card.face in WILDS:
        table.colour = Colour.UNKNOWN
        case.effects.append(Effect(EffectKind.CHOOSE_COLOUR, player=chooser))
        following.choices.append(Choice.COLOUR)
    case.rule = "3.18" if case.solo else "2.7"
    if following.call:
        case.effects.append(Effect(EffectKind.CALL_FOR_CARD, player=chooser))
        table.call = Call(None if chooser is None else table.after(chooser, -1))
    table.give_turn(chooser)
    if following.choices:
        table.choosing = Choosing(tuple(following.choices), chooser, called=True)
