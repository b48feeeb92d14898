"""The border's notation: JSON objects to values of the rules, and back.

A line that says something else than the contract allows raises `NotationError`, which names
the field, what was expected and what was found. Fields that the contract does not list are
no error; `extra_fields` returns them, so that a record that is written again keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.notation.fields import Entry, NotationError, Reader
from referee.notation.stated import STATED_FIELDS, read_stated, write_stated
from referee.rules.cards import Card, CardError, Half
from referee.rules.header import PLAYER_COUNTS, Header
from referee.rules.observations import (
    CallAnswer,
    CallReveal,
    CallTake,
    ChooseColour,
    ChooseDirection,
    ChoosePlayer,
    Deal,
    Draw,
    End,
    EndTurn,
    HandLeft,
    Observation,
    Place,
    Shout,
    Start,
    Stated,
    TakeBack,
)
from referee.rules.options import GameName, OptionError
from referee.rules.rulings import EFFECT_FIELDS, Effect, Ruling, Score

__all__ = [
    "Entry",
    "NotationError",
    "effect_to_dict",
    "extra_fields",
    "header_to_dict",
    "is_observation",
    "observation_to_dict",
    "parse_header",
    "parse_observation",
    "ruling_to_dict",
    "score_to_dict",
]


def parse_observation(entry: Entry, header: Header | None = None) -> Observation:
    """Read an observation; with the game's header, its players and cards are checked too.

    >>> parse_observation({"type": "draw", "player": 1, "count": 2, "t": 4.5})
    Draw(player=1, count=2, cards=())
    >>> parse_observation({"type": "shout", "player": 5}, Header("solomino", ("Ann", "Ben")))
    Traceback (most recent call last):
    ...
    referee.notation.fields.NotationError: shout: player: expected a player from 0 to 1, found 5
    """
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in _PARSERS:
        raise NotationError(f"type: expected one of {', '.join(_PARSERS)}, found {kind!r}")
    try:
        return _PARSERS[kind](Reader(entry, header))
    except (CardError, NotationError) as error:
        raise NotationError(f"{kind}: {error}") from None


def observation_to_dict(observation: Observation, extra: Entry | None = None) -> dict[str, Any]:
    """The observation as a record's line, with further fields such as ``t`` after it.

    >>> observation_to_dict(Draw(1, 2), {"t": 4.5})
    {'type': 'draw', 'player': 1, 'count': 2, 't': 4.5}
    """
    name = _NAMES[type(observation)]
    written = {"type": name, **_WRITERS.get(name, _write_fields)(observation)}
    return {**written, **(extra or {})}


def is_observation(entry: Entry) -> bool:
    """Whether a line is of one of the observations' types."""
    kind = entry.get("type")
    return isinstance(kind, str) and kind in _PARSERS


def extra_fields(entry: Entry) -> dict[str, Any]:
    """The fields of a header's or observation's line that its type does not have."""
    own = {"type", "player", *_FIELDS[entry["type"]]}
    return {name: value for name, value in entry.items() if name not in own}


def parse_header(entry: Entry) -> Header:
    """Read a game's first line; raises `NotationError`."""
    reader = Reader(entry, None)
    game = _read_game(entry)
    players = reader.players(PLAYER_COUNTS[game])
    reader.header = Header(game, players)
    options = {} if entry.get("options") is None else entry["options"]
    if not isinstance(options, Mapping):
        raise NotationError(f"options: expected an object, found {options!r}")
    dealt = _read_deal(reader)
    header = Header(
        game,
        players,
        dealt.first_player,
        options,
        dealt.hands,
        dealt.draw_pile,
        reader.deck(),
        seats_assumed=entry.get("seats_assumed") is True,
    )
    try:
        header.setup()
    except (OptionError, CardError) as error:
        raise NotationError(str(error)) from None
    return header


def header_to_dict(header: Header, extra: Entry | None = None) -> dict[str, Any]:
    """The header as a record's first line; `parse_header` reads it back."""
    written: dict[str, Any] = {
        "type": "game",
        "game": header.game,
        "players": list(header.players),
        "first_player": header.first_player,
        "options": dict(header.given_options),
        **_write_deal_counts(header.deal()),
    }
    if header.deck is not None:
        written["deck"] = header.deck if isinstance(header.deck, str) else dict(header.deck)
    if header.seats_assumed:
        written["seats_assumed"] = True
    return {**written, **(extra or {})}


def ruling_to_dict(ruling: Ruling, of: int) -> dict[str, Any]:
    """A ruling as a record's line; ``of`` counts observations from 0."""
    after = ruling.after
    written: dict[str, Any] = {
        "type": "ruling",
        "of": of,
        "player": ruling.player,
        "legal": ruling.legal,
        "violations": [str(violation) for violation in ruling.violations],
        "confidence": ruling.confidence,
        "effects": [effect_to_dict(effect) for effect in ruling.effects],
        "turn": after.turn,
        "direction": after.direction,
        "must_draw": after.must_draw,
        "hands": list(after.hands),
        "draw_pile": after.draw_pile,
        "ends": [str(end) for end in after.ends],
        "finished": after.finished,
        "winners": list(after.winners),
        "rule": ruling.rule,
    }
    if after.setup.game == "solo":
        written["colour"] = after.colour
    return written


def effect_to_dict(effect: Effect) -> dict[str, Any]:
    """An effect as rulings write it, with the fields of its kind."""
    written: dict[str, Any] = {"effect": str(effect.kind)}
    for name in EFFECT_FIELDS[effect.kind]:
        value = getattr(effect, name)
        written[name] = list(value) if isinstance(value, tuple) else value
    return written


def score_to_dict(score: Score) -> dict[str, Any]:
    """A score as a record's line."""
    return {
        "type": "score",
        "round": score.round,
        "points": list(score.points),
        "totals": list(score.totals),
        "finished": score.finished,
        "winners": list(score.winners),
    }


def _read_game(entry: Entry) -> GameName:
    game = entry.get("game")
    if entry.get("type") == "game":
        if game == "solomino":
            return "solomino"
        if game == "solo":
            return "solo"
    raise NotationError(
        'expected a header such as {"type": "game", "game": "solomino" or "solo", ...}, '
        f"found type {entry.get('type')!r}, game {game!r}"
    )


def _read_deal(reader: Reader) -> Deal:
    entry, header = reader.entry, reader.header
    first = reader.player("first_player") if "first_player" in entry else None
    hands = entry.get("hands")
    if hands is None:
        hands = [None] * (len(header.players) if header else 0)
    if not isinstance(hands, list) or (header and len(hands) != len(header.players)):
        expected = f"{len(header.players)} hands" if header else "a list of hands"
        raise NotationError(f"hands: expected {expected}, found {hands!r}")
    return Deal(
        first,
        tuple(_read_cards_or_count(reader, "hands", hand) for hand in hands),
        _read_cards_or_count(reader, "draw_pile", entry.get("draw_pile")),
    )


def _read_cards_or_count(reader: Reader, name: str, value: Any) -> int | tuple[Card, ...] | None:
    if value is None or value == "?":
        return None
    if isinstance(value, list):
        return tuple([reader.checked(name, text) for text in value])
    return reader.number(name, value, 0)


def _read_place(reader: Reader) -> Place:
    entry = reader.entry
    several = entry.get("cards") is not None
    cards = reader.cards() if several else (reader.card(),)
    if not cards:
        raise NotationError("cards: expected at least one card, found none")
    solomino = reader.header.game == "solomino" if reader.header else "onto" in entry
    if solomino:
        if len(cards) > 1:
            raise NotationError(f"cards: expected one card in solomino, found {len(cards)}")
        return Place(reader.player(), cards, reader.half("onto"), reader.half("with"))
    colour = entry.get("colour")
    if colour is not None and not isinstance(colour, str):
        raise NotationError(f"colour: expected a colour's letter, found {colour!r}")
    return Place(reader.player(), cards, colour=colour)


def _read_hand_left(reader: Reader) -> HandLeft:
    player = reader.player()
    if player is None:
        raise NotationError("player: expected a player from 0, found None")
    return HandLeft(player, *reader.count_and_cards(0))


def _read_choose_player(reader: Reader) -> ChoosePlayer:
    target = reader.field("target")
    if isinstance(target, bool) or not isinstance(target, int):
        raise NotationError(f"target: expected a player's index, found {target!r}")
    return ChoosePlayer(reader.player(), target)


_PARSERS: dict[str, Callable[[Reader], Observation]] = {
    "deal": _read_deal,
    "start": lambda r: Start(r.card()),
    "place": _read_place,
    "take_back": lambda r: TakeBack(r.player(), r.card()),
    "draw": lambda r: Draw(r.player(), *r.count_and_cards(1)),
    "choose_player": _read_choose_player,
    "choose_direction": lambda r: ChooseDirection(r.player(), r.text("direction")),
    "choose_colour": lambda r: ChooseColour(r.player(), r.text("colour")),
    "call_reveal": lambda r: CallReveal(r.card()),
    "call_answer": lambda r: CallAnswer(r.player(), r.card(), r.half("with")),
    "call_take": lambda r: CallTake(r.player()),
    "shout": lambda r: Shout(r.player()),
    "end_turn": lambda r: EndTurn(r.player()),
    "hand_left": _read_hand_left,
    "state": read_stated,
    "end": lambda _: End(),
}

_NAMES: dict[type, str] = {
    Deal: "deal",
    Start: "start",
    Place: "place",
    TakeBack: "take_back",
    Draw: "draw",
    ChoosePlayer: "choose_player",
    ChooseDirection: "choose_direction",
    ChooseColour: "choose_colour",
    CallReveal: "call_reveal",
    CallAnswer: "call_answer",
    CallTake: "call_take",
    Shout: "shout",
    EndTurn: "end_turn",
    HandLeft: "hand_left",
    Stated: "state",
    End: "end",
}

_FIELDS: dict[str, tuple[str, ...]] = {
    "game": ("game", "players", "first_player", "options", "hands", "draw_pile", "deck"),
    "deal": ("first_player", "hands", "draw_pile"),
    "start": ("card",),
    "place": ("card", "cards", "onto", "with", "colour"),
    "take_back": ("card",),
    "draw": ("count", "cards"),
    "choose_player": ("target",),
    "choose_direction": ("direction",),
    "choose_colour": ("colour",),
    "call_reveal": ("card",),
    "call_answer": ("card", "with"),
    "call_take": (),
    "shout": (),
    "end_turn": (),
    "hand_left": ("count", "cards"),
    "state": STATED_FIELDS,
    "end": (),
}
"""The fields of each type of line besides ``type`` and ``player``."""


def _write_fields(observation: Any) -> dict[str, Any]:
    """Player, then the fields of the type, as texts where they are cards."""
    written: dict[str, Any] = {}
    if hasattr(observation, "player"):
        written["player"] = observation.player
    for name in _FIELDS[_NAMES[type(observation)]]:
        value = getattr(observation, "cover" if name == "with" else name)
        written[name] = str(value) if isinstance(value, Card | Half) else value
    return written


def _write_place(place: Any) -> dict[str, Any]:
    written: dict[str, Any] = {"player": place.player}
    if len(place.cards) > 1:
        written["cards"] = [str(card) for card in place.cards]
    else:
        written["card"] = str(place.card)
    if place.onto is not None:
        written |= {"onto": str(place.onto), "with": str(place.cover)}
    if place.colour is not None:
        written["colour"] = place.colour
    return written


def _write_counted(observation: Any) -> dict[str, Any]:
    written = {"player": observation.player, "count": observation.count}
    if observation.cards:
        written["cards"] = [str(card) for card in observation.cards]
    return written


def _write_deal_counts(deal: Deal) -> dict[str, Any]:
    def written(dealt: int | tuple[Card, ...] | None) -> Any:
        return [str(card) for card in dealt] if isinstance(dealt, tuple) else dealt

    return {"hands": [written(hand) for hand in deal.hands], "draw_pile": written(deal.draw_pile)}


_WRITERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "place": _write_place,
    "draw": _write_counted,
    "hand_left": _write_counted,
    "state": write_stated,
    "deal": lambda deal: {"first_player": deal.first_player, **_write_deal_counts(deal)},
}
