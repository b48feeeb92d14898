"""Whole games, played out with known hands: for tests, and for pictures of games.

Everything random comes from the `random.Random` that is passed in: the same seed, the same
game. What may be done is asked of the rules; what is done, of a player.

>>> header, starts = new_round("solomino", 3, Random(1))
>>> record = list(play(header, starts, Random(1)))
>>> record[0].__class__.__name__, record[-1].__class__.__name__ in ("Place", "Draw", "CallReveal")
('Start', True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from referee.rules.cards import (
    PLAYABLE_COLOURS,
    SOLO_FREE,
    SOLOMINO_ACTIONS,
    UNREAD_CARD,
    Card,
    Colour,
    Face,
    identical,
)
from referee.rules.deck import CLASSIC_SOLO, cards_of, every_half, make_deck
from referee.rules.header import Header
from referee.rules.judge import new_game, step
from referee.rules.legal import legal_placements, legal_sets
from referee.rules.observations import (
    CallAnswer,
    CallReveal,
    CallTake,
    ChooseColour,
    ChooseDirection,
    ChoosePlayer,
    Deal,
    Draw,
    EndTurn,
    Observation,
    Place,
    Shout,
    Start,
)
from referee.rules.options import GameName
from referee.rules.state import Choice, State

HAND_SIZE = 8
NAMES = ("Ann", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jo")


def invented_deck(random: Random, cards: int = 120) -> dict[str, int]:
    """A SOLOmino deck as it might be: mostly numbers, every half about equally often."""
    numbers = every_half("123456789")
    actions = every_half("SRDXPC")
    deck: dict[str, int] = {}
    for _ in range(cards):
        first, second = (random.choice(actions if random.random() < 0.2 else numbers) for _ in "12")
        text = f"{first}/{second}"
        deck[text] = deck.get(text, 0) + 1
    return deck


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A round before its first card is turned up."""

    deal: Deal
    starts: tuple[Card, ...]
    """The cards turned up to start with: one, unless actions are put back."""


def shuffled(
    header_game: GameName,
    players: int,
    random: Random,
    deck: Mapping[str, int],
    redraw: bool = False,
) -> Shuffled:
    """Shuffle and deal eight cards each; with ``redraw`` a number must start SOLO."""
    cards = list(cards_of(make_deck(deck)))
    random.shuffle(cards)
    hands = tuple(
        tuple(cards[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(players)
    )
    pile = cards[HAND_SIZE * players :]
    starts = [pile.pop(0)]
    while redraw and header_game == "solo" and starts[-1].actions:
        pile.append(starts[-1])
        starts.append(pile.pop(0))
    return Shuffled(Deal(random.randrange(players), hands, tuple(pile)), tuple(starts))


def new_round(
    game: GameName,
    players: int,
    random: Random,
    options: Mapping[str, object] | None = None,
    deck: Mapping[str, int] | None = None,
) -> tuple[Header, tuple[Card, ...]]:
    """A game with every card known, and the cards to start with.

    Without a deck SOLO has its classic one, and one is invented for SOLOmino.
    """
    if deck is None:
        deck = CLASSIC_SOLO if game == "solo" else invented_deck(random)
    options = options or {}
    redraw = options.get("start_action") == "redraw"
    round_ = shuffled(game, players, random, deck, redraw)
    dealt = round_.deal
    header = Header(
        game, NAMES[:players], dealt.first_player, options, dealt.hands, dealt.draw_pile, deck
    )
    return header, round_.starts


@dataclass(slots=True)
class Tablework:
    """What the players' hands do that the rules need not know: the order of the pile."""

    random: Random
    pile: list[Card]
    """The top card first."""
    discards: list[Card] = field(default_factory=list)
    """SOLO: the cards laid, the top one last."""

    def draw(self, count: int) -> tuple[Card, ...]:
        """Take so many cards, or as many as there are; SOLO: after a reshuffle if need be."""
        if count > len(self.pile) and self.discards:
            *rest, top = self.discards
            self.random.shuffle(rest)
            self.pile += rest
            self.discards = [top]
        taken, self.pile = tuple(self.pile[:count]), self.pile[count:]
        return taken


Chooser = Callable[[State, int, Sequence[Observation], Random], Observation]
"""A player: out of what may be done in a state, by a seat, what is done."""


def at_random(
    _state: State, _seat: int, possible: Sequence[Observation], random: Random
) -> Observation:
    """A player without a plan."""
    return random.choice(possible)


def play(
    header: Header,
    starts: Sequence[Card],
    random: Random,
    chooser: Chooser = at_random,
    interject: float = 0.2,
) -> Iterator[Observation]:
    """A whole round, move by move, all of it legal.

    ``interject`` is how often somebody who could interject does.
    """
    state = new_game(header)
    if not isinstance(header.draw_pile, tuple):
        raise ValueError(f"expected a draw pile of known cards, found {header.draw_pile!r}")
    table = Tablework(random, list(header.draw_pile))
    for card in starts:
        state, _ = step(state, Start(card))
        yield Start(card)
    if header.game == "solo":
        table.discards.append(starts[-1])
    yield from play_on(state, table, chooser, interject)


def play_on(
    state: State, table: Tablework, chooser: Chooser = at_random, interject: float = 0.2
) -> Iterator[Observation]:
    """The rest of a round from a state in which every hand is known."""
    while not state.finished:
        observation = _next(state, table, chooser, interject)
        if observation is None:
            return
        for part in _with_shout(state, observation, table.random):
            if isinstance(part, Place) and state.setup.game == "solo":
                table.discards += part.cards
            state, _ = step(state, part)
            yield part
            if state.finished:
                return


def _next(state: State, table: Tablework, chooser: Chooser, interject: float) -> Observation | None:
    """What happens next; None where nobody can do anything any more."""
    random = table.random
    for seat, due in enumerate(state.table.penalties):
        if due:
            return _draw(table, seat, due)
    if state.turn is None:
        raise ValueError("expected a state in which somebody is on turn, found none")
    if random.random() < interject:
        jumps = _interjections(state)
        if jumps:
            return random.choice(jumps)
    seat = state.turn
    possible = possible_moves(state, seat)
    if state.table.drawn and not (possible and random.random() < 0.7):
        if random.random() < 0.2:
            return EndTurn(seat)
        seat = state.table.after(seat)
        fresh = step(state, EndTurn(state.turn))[0]
        possible = possible_moves(fresh, seat)
    chosen = chooser(state, seat, possible, random)
    if isinstance(chosen, Draw):
        drawn = _draw(table, seat, chosen.count)
        ends = state.setup.game == "solomino"
        return drawn if drawn.cards else Draw(seat, chosen.count) if ends else None
    if isinstance(chosen, CallReveal):
        return CallReveal(table.draw(1)[0]) if table.pile else None
    return chosen


def _draw(table: Tablework, seat: int, count: int) -> Draw:
    cards = table.draw(count)
    return Draw(seat, len(cards), cards)


def possible_moves(state: State, seat: int) -> tuple[Observation, ...]:
    """What the player on turn may do, shouts apart; after a normal draw: lay the drawn card.

    Cards that a draw or a call would turn up are left out or unread: nobody knows them yet.
    """
    table = state.table
    hand = table.hands[seat].known
    if table.choosing is not None:
        return _choices(table.choosing.open[0], seat, len(table.hands))
    if table.call is not None:
        if not table.call.pile:
            return (CallReveal(UNREAD_CARD),)
        return _answers(seat, hand, table.call.pile[-1])
    placements = (*legal_placements(state, hand, seat), *_sets(state, hand, seat))
    if table.drawn:
        return placements
    owed = table.owed
    if owed and not table.drew_owed:
        return (*placements, Draw(seat, owed))
    return (*placements, Draw(seat, owed or 1))


def _sets(state: State, hand: tuple[Card, ...], seat: int) -> tuple[Place, ...]:
    return legal_sets(state, hand, seat) if state.setup.game == "solo" else ()


def _choices(choice: Choice, seat: int, players: int) -> tuple[Observation, ...]:
    if choice is Choice.PLAYER:
        return tuple(ChoosePlayer(seat, other) for other in range(players) if other != seat)
    if choice is Choice.DIRECTION:
        return (ChooseDirection(seat, "left"), ChooseDirection(seat, "right"))
    return tuple(ChooseColour(seat, str(colour)) for colour in PLAYABLE_COLOURS)


def _answers(seat: int, hand: tuple[Card, ...], under: Card) -> tuple[Observation, ...]:
    answers = tuple(
        CallAnswer(seat, card, half)
        for card in dict.fromkeys(hand)
        for half in dict.fromkeys(card.halves)
        if any(identical(half, below) for below in under.halves)
    )
    return answers or (CallTake(seat),)


def _interjections(state: State) -> tuple[Place, ...]:
    """What anybody but the player on turn may lay in between."""
    table = state.table
    if table.call is not None or table.choosing is not None:
        return ()
    return tuple(
        place
        for seat, hand in enumerate(table.hands)
        if seat != state.turn
        for place in legal_placements(state, hand.known, seat)
    )


def _with_shout(state: State, observation: Observation, random: Random) -> tuple[Observation, ...]:
    """The move, with the shout that it asks for, before it or after it."""
    if not isinstance(observation, Place | ChoosePlayer | ChooseDirection | ChooseColour):
        return (observation,)
    seat = observation.player
    early = isinstance(observation, Place) and state.table.hands[seat or 0].count in (2, 4)
    if early and seat is not None and random.random() < 0.3:
        return (Shout(seat), observation)
    after, rulings = step(state, observation)
    if state.setup.options.shout_deadline == "before_move":
        waits = after.table.choosing is not None
        missed = any(ruling.violations for ruling in rulings)
        return (Shout(seat), observation) if waits or missed else (observation,)
    if after.table.unshouted is not None:
        return (observation, Shout(after.table.unshouted))
    return (observation,)


def sensible(
    state: State, seat: int, possible: Sequence[Observation], random: Random
) -> Observation:
    """A simple bot: lays what it can, keeps wilds for need, hinders who is about to win."""
    return max(possible, key=lambda move: (_worth(state, seat, move), random.random()))


def _worth(state: State, seat: int, move: Observation) -> float:
    """How good a move looks; a draw is the last resort."""
    table = state.table
    counts = [hand.count or 0 for hand in table.hands]
    hand = table.hands[seat].known
    match move:
        case Place():
            threat = counts[table.after(seat)] <= 2
            last = move.cards[-1]
            attacks = sum(face in (Face.SKIP, Face.DRAW, Face.WILD_FOUR) for face in last.actions)
            swaps = Face.SWAP in last.actions and counts[seat] - 1 > min(_others(counts, seat))
            waste = last.face in SOLO_FREE and state.setup.game == "solo"
            colours = _colours(hand).get(Colour(move.colour), 0) if move.colour else 0
            worth = 10.0 * len(move.cards) + 3 * attacks * threat + 4 * swaps - 2 * waste
            return worth + 0.1 * colours
        case ChoosePlayer():
            return -float(counts[move.target])
        case ChooseColour():
            return float(_colours(hand).get(Colour(move.colour), 0))
        case CallAnswer():
            return 10.0 - sum(face in SOLOMINO_ACTIONS for face in move.card.actions)
        case _:
            return 0.0


def _others(counts: list[int], seat: int) -> list[int]:
    return [count for other, count in enumerate(counts) if other != seat]


def _colours(hand: Sequence[Card]) -> dict[Colour, int]:
    """How many halves of each colour a hand has."""
    colours: dict[Colour, int] = {}
    for card in hand:
        for half in card.halves:
            colours[half.colour] = colours.get(half.colour, 0) + 1
    return colours


def as_seen(header: Header, record: Sequence[Observation]) -> tuple[Header, list[Observation]]:
    """The same game as a camera sees it: counts of hidden cards, none of their faces."""
    hands = tuple(len(h) if isinstance(h, tuple) else h for h in header.hands)
    pile = len(header.draw_pile) if isinstance(header.draw_pile, tuple) else header.draw_pile
    seen = Header(
        header.game,
        header.players,
        header.first_player,
        header.given_options,
        hands,
        pile,
    )
    blind = [Draw(o.player, o.count) if isinstance(o, Draw) else o for o in record]
    return seen, blind
