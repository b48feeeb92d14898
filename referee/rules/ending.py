"""How a round ends (rulebook, chapter 5), and what it counts (chapter 6)."""

from __future__ import annotations

from referee.rules.cards import UNREAD_CARD
from referee.rules.case import Case
from referee.rules.deck import solo_points
from referee.rules.hands import Hand
from referee.rules.observations import Draw, HandLeft
from referee.rules.options import Options, SoloOptions
from referee.rules.rulings import Score, Violation
from referee.rules.state import Phase, Table


def end_by_last_card(case: Case, player: int) -> None:
    """A player has no card left and wins; the last card's action is not carried out."""
    case.cite("5.1", "5.1")
    close_round(case.table)
    case.win((player,))
    count_points(case.table)


def end_by_empty_pile(case: Case, player: int | None, seen: Draw | None, gained: int) -> None:
    """The draw pile has run out: the fewest cards win, after owed ones came from the line."""
    table = case.table
    case.cite("5.3", "5.5")
    if player is not None and seen is not None:
        from_pile = min(gained, table.pile.count or 0)
        cards = case.take_from_pile(from_pile, seen.cards[:from_pile])
        rest = gained - from_pile
        table.hold(player, table.hands[player].with_cards(cards + (UNREAD_CARD,) * rest))
        table.from_line = (player, max(0, gained - seen.count))
    close_round(table)
    case.win(_fewest_cards(table))
    count_points(table)


def hand_left(case: Case, seen: HandLeft) -> None:
    """What a player was seen to hold when the round was over."""
    table = case.table
    case.player, case.rule = seen.player, "6.1"
    if table.phase is not Phase.OVER:
        case.flag(Violation.UNEXPECTED, "1.11")
        return
    table.hold(seen.player, Hand(seen.count, tuple(c for c in seen.cards if c.known)))
    if not table.winners:
        case.win(_fewest_cards(table))
    count_points(table)


def count_points(table: Table) -> None:
    """Set the round's score, if what every player holds is known."""
    points = [_points_in(table, hand) for hand in table.hands]
    known = tuple(point for point in points if point is not None)
    if len(known) < len(points):
        table.score = None
        return
    options = table.setup.options
    scoring = options.scoring if isinstance(options, SoloOptions) else "minus"
    winners = table.winners
    if scoring == "winner_collects":
        losses = sum(point for seat, point in enumerate(known) if seat not in winners)
        known = tuple(losses if seat in winners else 0 for seat in range(len(known)))
    sign = -1 if scoring == "countdown" else 1
    pairs = zip(table.totals, known, strict=True)
    totals = tuple(total + sign * point for total, point in pairs)
    finished = _match_is_over(options, table.round, totals)
    table.score = Score(
        table.round, known, totals, finished, _leaders(scoring, totals) if finished else ()
    )


def starting_totals(options: Options, players: int) -> tuple[int, ...]:
    """Points before the first round: none, but a countdown begins at its limit."""
    countdown = isinstance(options, SoloOptions) and options.scoring == "countdown"
    return ((options.length.points or 0) if countdown else 0,) * players


def _match_is_over(options: Options, round_number: int, totals: tuple[int, ...]) -> bool:
    limit = options.length.points
    if limit is None:
        return round_number >= (options.length.rounds or 1)
    if isinstance(options, SoloOptions) and options.scoring == "countdown":
        return min(totals) < 0
    return max(totals) >= limit


def _leaders(scoring: str, totals: tuple[int, ...]) -> tuple[int, ...]:
    best = min(totals) if scoring == "minus" else max(totals)
    return tuple(seat for seat, total in enumerate(totals) if total == best)


def _points_in(table: Table, hand: Hand) -> int | None:
    """SOLOmino: a point a card; SOLO: what the cards are worth, if all are known."""
    if table.setup.game == "solomino" or hand.count == 0:
        return hand.count
    if not hand.is_known:
        return None
    points = [solo_points(card) for card in hand.known]
    return sum(point for point in points if point is not None) if None not in points else None


def _fewest_cards(table: Table) -> tuple[int, ...]:
    """Who holds the fewest cards; nobody where a hand is unknown."""
    counts = [hand.count for hand in table.hands]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts):
        return ()
    return tuple(seat for seat, count in enumerate(known) if count == min(known))


def close_round(table: Table) -> None:
    """The round is over: nobody is on turn, nothing is open or owed any more."""
    table.phase = Phase.OVER
    table.give_turn(None)
    table.owed = 0
    table.robbed = ()
    table.choosing = table.call = table.unshouted = None
