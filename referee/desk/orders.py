"""What operators ask for, as changes to the log.

Each function takes a game as it stands and returns the one change that does it, so that one
'undo' takes it back. Whether the change is allowed is for the rules to judge: an operator enters
what happened, not what should have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.desk import choices
from referee.desk.book import NoSuchMoveError, Wanted
from referee.game import CorrectionError, Game
from referee.log import Move
from referee.notation import Entry, NotationError
from referee.rules.state import Choice

BY_HAND: Final = {"entered": "operator"}
"""What every line has that an operator entered or changed."""

_OF_THE_READING: Final = ("confidence", "deciding", "decided", "joined")
"""Fields that say how sure the camera was; an operator is sure."""
_OF_ANY_MOVE: Final = ("t", "t_reported", "evidence", "candidates")


def change(game: Game, number: int, fields: Entry) -> Wanted:
    """A move was like this: its card, who, which end; all else as it was.

    A card that is given without ``with`` covers with the half that covered before, if it has
    it, else with the half written first.
    """
    line = _line(game, number)
    changed = {**_surely(line), **fields, **BY_HAND}
    if "card" in fields and "with" in line and "with" not in fields:
        changed["with"] = _covering(str(fields["card"]), str(line["with"]))
    for one, other in (("card", "cards"), ("cards", "card")):
        if one in fields and other in line:
            del changed[other]
    return Wanted("replace", number, changed)


def was_draw(game: Game, number: int, count: int, player: int | None = None) -> Wanted:
    """What was taken for another move was a draw."""
    line = _line(game, number)
    who = line.get("player") if player is None else player
    return Wanted("replace", number, {"type": "draw", "player": who, "count": count, **_kept(line)})


def was(game: Game, number: int, entry: Entry) -> Wanted:
    """A move was one of another kind altogether."""
    return Wanted("replace", number, {**entry, **_kept(_line(game, number))})


def no_move(game: Game, number: int) -> Wanted:
    """What was taken for a move was none."""
    del game
    return Wanted("delete", number)


def taken_back(game: Game, number: int) -> Wanted:
    """The card that was laid with a move was taken back into the hand."""
    line = _line(game, number)
    if line["type"] != "place":
        raise NotationError(f"expected a move that laid a card, found {line['type']}")
    card = line.get("card") or line["cards"][0]
    back = {"type": "take_back", "player": line.get("player"), "card": card, **BY_HAND}
    if line.get("t") is not None:
        back["t"] = line["t"]
    return Wanted("insert", _next(game, number), back)


def decide(game: Game, number: int, legal: bool, violations: Sequence[str] = ()) -> Wanted:
    """An operator's decision, whatever the referee found or could not tell."""
    decided: dict[str, Any] = {"legal": legal}
    if violations:
        decided["violations"] = list(violations)
    return Wanted("replace", number, {**_line(game, number), "decided": decided})


def as_read(game: Game, number: int) -> Wanted:
    """The camera read it right, however unsure it was; and nothing was decided by hand."""
    return Wanted("replace", number, {**_surely(_line(game, number)), **BY_HAND})


def missed(game: Game, entry: Entry, before: int | None, clock_s: float | None) -> Wanted:
    """A move that the camera missed came before another one (None: is the newest)."""
    line = {**entry, **BY_HAND}
    at_s = clock_s if before is None else _time_before(game, before)
    if line.get("t") is None:
        line.pop("t", None)
        if at_s is not None:
            line["t"] = at_s
    return Wanted("insert", before, line)


def shout(game: Game, player: int | None, clock_s: float | None) -> Wanted:
    """'SOLOmino!' was heard: from whoever owes it, else from whoever laid the last card."""
    table = game.state.table
    known = [who for who in (player, table.unshouted, table.mover, table.turn) if who is not None]
    if not known:
        raise NotationError("expected a player who called out, found none named and none on turn")
    return missed(game, {"type": "shout", "player": known[0]}, None, clock_s)


def choose(game: Game, value: object, player: int | None, clock_s: float | None) -> Wanted:
    """The choice that a card left to its player: with whom to swap, which way, which colour."""
    choosing = game.state.table.choosing
    who = game.state.turn if player is None else player
    fits = choosing.open if choosing is not None else tuple(Choice)
    for choice in fits:
        kind, field = choices.FIELDS[choice]
        if choices.is_value_of(choice, value):
            return missed(game, {"type": kind, "player": who, field: value}, None, clock_s)
    raise NotationError(f"expected {_wanted_of(fits)} for the choice that is open, found {value!r}")


def chose(game: Game, number: int, value: object) -> Wanted:
    """What was chosen with a card that left a choice, or with a move that made one: entered
    right after the card where nobody has said it yet, else changed."""
    line = _line(game, number)
    of = game.ids.index(number)
    here = choices.chosen(game, of)
    for choice, _ in here:
        if not choices.is_value_of(choice, value):
            continue
        kind, field = choices.FIELDS[choice]
        if field in line:
            return change(game, number, {field: value})
        by = choices.maker(game, of, choice)
        if by is not None:
            return change(game, game.ids[by], {field: value})
        entry = {"type": kind, "player": choices.state_after(game, of).turn, field: value}
        if line.get("t") is not None:
            entry["t"] = line["t"]
        return Wanted("insert", _next(game, number), {**entry, **BY_HAND})
    if not here:
        raise NotationError("expected a move that leaves or makes a choice, found another one")
    fits = tuple(choice for choice, _ in here)
    raise NotationError(f"expected {_wanted_of(fits)} for this choice, found {value!r}")


def end_turn(game: Game, player: int | None, clock_s: float | None) -> Wanted:
    """A player is done."""
    who = game.state.turn if player is None else player
    return missed(game, {"type": "end_turn", "player": who}, None, clock_s)


def draw(game: Game, count: int, player: int | None, clock_s: float | None) -> Wanted:
    """A player drew, and the camera did not see it."""
    who = game.state.turn if player is None else player
    return missed(game, {"type": "draw", "player": who, "count": count}, None, clock_s)


def new_round(game: Game, fields: Mapping[str, Any], clock_s: float | None) -> Wanted:
    """Cards are dealt for a further round; what is not said is as in the first one."""
    deal = game.header.deal()
    line = {
        "type": "deal",
        "first_player": fields.get("first_player"),
        "hands": _given(fields, "hands", _counts(deal.hands)),
        "draw_pile": _given(fields, "draw_pile", _count(deal.draw_pile)),
    }
    return missed(game, line, None, clock_s)


def state(game: Game, fields: Mapping[str, Any], clock_s: float | None) -> Wanted:
    """How things stand at the table, whatever the log says."""
    given = {name: value for name, value in fields.items() if value is not None}
    return missed(game, {"type": "state", **given}, None, clock_s)


def accept(game: Game, seen: Sequence[str] | None, clock_s: float | None) -> Wanted:
    """The line is as the camera sees it, and play is judged from there."""
    if seen is None:
        raise CorrectionError("expected a line on the table, found none")
    expected = [str(end) for end in game.state.ends]
    ends = list(seen)
    if sum(a == b for a, b in zip(ends[::-1], expected, strict=False)) > sum(
        a == b for a, b in zip(ends, expected, strict=False)
    ):
        ends.reverse()
    return state(game, {"ends": ends}, clock_s)


def _line(game: Game, number: int) -> dict[str, Any]:
    if number not in game.ids:
        raise NoSuchMoveError(number)
    return game.moves[game.ids.index(number)].as_dict()


def _next(game: Game, number: int) -> int | None:
    of = game.ids.index(number) + 1
    return game.ids[of] if of < len(game.ids) else None


def _surely(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line without what says how sure the camera was."""
    return {name: value for name, value in line.items() if name not in _OF_THE_READING}


def _kept(line: Mapping[str, Any]) -> dict[str, Any]:
    """What stays of a line when its move becomes one of another kind."""
    return {**{name: line[name] for name in _OF_ANY_MOVE if name in line}, **BY_HAND}


def _covering(card: str, before: str) -> str:
    halves = card.split("/")
    return before if before in halves else halves[0]


def _time_before(game: Game, number: int) -> float | None:
    of = game.ids.index(number) if number in game.ids else 0
    earlier: Sequence[Move] = game.moves[:of]
    times = [move.fields["t"] for move in earlier if move.fields.get("t") is not None]
    return float(times[-1]) if times else None


def _wanted_of(choices: Sequence[Choice]) -> str:
    words = {
        Choice.PLAYER: "a player's number",
        Choice.DIRECTION: "left or right",
        Choice.COLOUR: "a colour out of r, y, g, b",
    }
    return " or ".join(words[choice] for choice in choices)


def _given(fields: Mapping[str, Any], name: str, usual: object) -> object:
    value = fields.get(name)
    return usual if value is None else value


def _counts(hands: Sequence[object]) -> list[int | None]:
    return [_count(hand) for hand in hands]


def _count(cards: object) -> int | None:
    """How many cards were dealt; those that were known are others now."""
    if isinstance(cards, tuple):
        return len(cards)
    return cards if isinstance(cards, int) else None
