"""What a player may lay now: candidates that the judge itself finds legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.rules.cards import PLAYABLE_COLOURS, Card, Face, matches
from referee.rules.judge import judge
from referee.rules.observations import Place
from referee.rules.solo import WILDS, fits, is_set, solo_options
from referee.rules.state import State


def legal_placements(
    state: State, hand: Iterable[Card], player: int | None = None
) -> tuple[Place, ...]:
    """Every way to lay a card of this hand that would be ruled legal, each once.

    ``player`` is who would lay it; left out: whoever is on turn. For anybody else these are
    the interjections.

    >>> from referee.rules.cards import parse_card
    >>> from referee.rules.header import Header
    >>> from referee.rules.judge import apply, new_game
    >>> from referee.rules.observations import Start
    >>> state = apply(new_game(Header("solomino", ("A", "B"), 0)), Start(parse_card("r5/g1")))
    >>> hand = [parse_card("r2/b8"), parse_card("y1/b5")]
    >>> [f"{p.card} on {p.onto}" for p in legal_placements(state, hand)]
    ['r2/b8 on r5', 'y1/b5 on r5', 'y1/b5 on g1']
    """
    if player is None:
        player = state.turn
    if player is None:
        player = 0
    cards = tuple(dict.fromkeys(hand))
    solo = state.setup.game == "solo"
    candidates = _solo_candidates(state, player, cards) if solo else _ends(state, player, cards)
    return tuple(place for place in candidates if _is_legal(state, place))


def _is_legal(state: State, place: Place) -> bool:
    return all(ruling.legal is True for ruling in judge(state, place))


def _ends(state: State, player: int, cards: tuple[Card, ...]) -> Iterator[Place]:
    """SOLOmino: each half on each end; those that cannot match are left out at once."""
    free_draws = state.must_draw > 0 and not state.setup.solomino.draw_match
    for card in cards:
        free = free_draws and Face.DRAW in card.actions
        for end in dict.fromkeys(state.table.ends):
            for half in dict.fromkeys(card.halves):
                if free or matches(half, end):
                    yield Place(player, (card,), end, half)


def _solo_candidates(state: State, player: int, cards: tuple[Card, ...]) -> Iterator[Place]:
    """SOLO: each card that fits, a wild in each colour."""
    for card in cards:
        if not fits(state.table, card):
            continue
        if card.face in WILDS:
            for colour in PLAYABLE_COLOURS:
                yield Place(player, (card,), colour=str(colour))
        else:
            yield Place(player, (card,))


def legal_sets(state: State, hand: Iterable[Card], player: int) -> tuple[Place, ...]:
    """SOLO: the sets of one number that may be laid at once, the matching card first."""
    options = solo_options(state.table)
    cards = tuple(hand)
    found = []
    for first in dict.fromkeys(cards):
        same = [first, *_others(cards, first)]
        most = len(same) if options.triple == "or_more" else 3
        for size in range(3, most + 1):
            chosen = tuple(same[:size])
            if len(chosen) == size and is_set(options, chosen):
                found.append(Place(player, chosen))
    return tuple(place for place in found if _is_legal(state, place))


def _others(cards: tuple[Card, ...], first: Card) -> list[Card]:
    """The other cards with the same face, that one copy left out."""
    others = [card for card in cards if card.face is first.face]
    others.remove(first)
    return others
