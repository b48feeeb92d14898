"""The line of a record that states how things stand."""

from __future__ import annotations

from typing import Any

from referee.notation.fields import NotationError, Reader
from referee.rules.cards import CardError, Half
from referee.rules.observations import Stated

STATED_FIELDS = ("ends", "turn", "direction", "must_draw", "hands", "draw_pile", "colour")
"""Fields of a `state` line; at least one of them must be there."""


def read_stated(reader: Reader) -> Stated:
    """Read a `state` line; raises `NotationError`."""
    entry = reader.entry
    given = [name for name in STATED_FIELDS if entry.get(name) is not None]
    if not given:
        raise NotationError(f"expected one of {', '.join(STATED_FIELDS)}, found none")
    solo = reader.header is not None and reader.header.game == "solo"
    colour = entry.get("colour")
    if colour is not None and (not solo or colour not in tuple("rygb")):
        expected = "a colour out of r, y, g, b" if solo else "no colour in solomino"
        raise NotationError(f"colour: expected {expected}, found {colour!r}")
    direction = entry.get("direction")
    if direction not in (None, "left", "right"):
        raise NotationError(f"direction: expected left or right, found {direction!r}")
    return Stated(
        ends=None if solo else _read_ends(entry.get("ends")),
        top=_read_top(reader) if solo else None,
        colour=colour,
        turn=reader.player("turn") if "turn" in given else None,
        direction=direction,
        must_draw=reader.number("must_draw", entry["must_draw"], 0)
        if "must_draw" in given
        else None,
        hands=_read_hands(reader) if "hands" in given else None,
        draw_pile=reader.number("draw_pile", entry["draw_pile"], 0)
        if "draw_pile" in given
        else None,
    )


def write_stated(stated: Any) -> dict[str, Any]:
    """A `state` line's fields; what was not stated is left out."""
    written: dict[str, Any] = {}
    if stated.ends is not None:
        written["ends"] = [str(end) for end in stated.ends]
    if stated.top is not None:
        written["ends"] = [str(stated.top)]
    for name in ("colour", "turn", "direction", "must_draw", "draw_pile"):
        if getattr(stated, name) is not None:
            written[name] = getattr(stated, name)
    if stated.hands is not None:
        written["hands"] = list(stated.hands)
    return written


def _read_ends(ends: object) -> tuple[Half, Half] | None:
    if ends is None:
        return None
    if not isinstance(ends, list) or len(ends) != 2 or not all(isinstance(e, str) for e in ends):
        raise NotationError(f"ends: expected two half cards such as ['r2', 'b8'], found {ends!r}")
    try:
        return Half.parse(ends[0]), Half.parse(ends[1])
    except CardError as error:
        raise NotationError(f"ends: {error}") from None


def _read_top(reader: Reader) -> Any:
    ends = reader.entry.get("ends")
    if ends is None:
        return None
    if not isinstance(ends, list) or len(ends) != 1:
        raise NotationError(f"ends: expected the top card in a list, found {ends!r}")
    return reader.checked("ends", ends[0])


def _read_hands(reader: Reader) -> tuple[int | None, ...]:
    hands = reader.entry["hands"]
    players = len(reader.header.players) if reader.header else None
    if not isinstance(hands, list) or players not in (None, len(hands)):
        raise NotationError(f"hands: expected {players or 'a list of'} hands, found {hands!r}")
    return tuple([None if hand is None else reader.number("hands", hand, 0) for hand in hands])
