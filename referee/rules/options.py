"""The points on which the rulebooks are silent or contradict each other, as named options.

Each option's first value is its default. `docs/rulebook.md` tells, paragraph by paragraph,
what each one decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_type_hints

GameName = Literal["solomino", "solo"]


class OptionError(ValueError):
    """An option or value that does not exist; says what was expected and found."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a match is: a number of rounds, or until somebody has so many points."""

    rounds: int | None = 1
    points: int | None = None

    @staticmethod
    def parse(value: object) -> Length:
        """Read ``{"rounds": n}`` or ``{"points": n}``; raises `OptionError`.

        >>> Length.parse({"points": 250})
        Length(rounds=None, points=250)
        """
        if isinstance(value, Mapping) and len(value) == 1:
            (kind, number), *_ = value.items()
            if kind in ("rounds", "points") and _is_count(number) and number > 0:
                return Length(**{"rounds": None, kind: number})
        raise OptionError(
            f'option length: expected {{"rounds": n}} or {{"points": n}}, found {value!r}'
        )

    def as_dict(self) -> dict[str, int]:
        """The value as the game's header writes it."""
        if self.points is not None:
            return {"points": self.points}
        return {"rounds": self.rounds or 1}


@dataclass(frozen=True, slots=True)
class SolominoOptions:
    """SOLOmino's options."""

    shouts: Literal["observed", "ignored"] = "observed"
    shout_deadline: Literal["next_action", "before_move"] = "next_action"
    shout_penalty: int = 1
    reverse_two_players: Literal["reverse", "skip"] = "reverse"
    length: Length = field(default_factory=Length)
    interject: bool = False
    interject_match: Literal["any", "numbers"] = "any"
    interject_owed: bool = True
    start_action: Literal["ignore", "apply"] = "ignore"
    two_actions: Literal["both", "open_end", "covering"] = "both"
    draw_match: bool = True
    empty_pile: Literal["last_card", "next_draw"] = "last_card"
    call_caller_answers: bool = True
    call_last_card_wins: bool = False


@dataclass(frozen=True, slots=True)
class SoloOptions:
    """SOLO's options."""

    shouts: Literal["observed", "ignored"] = "observed"
    shout_deadline: Literal["next_action", "before_move"] = "next_action"
    shout_penalty: int = 2
    reverse_two_players: Literal["skip", "reverse"] = "skip"
    length: Length = field(default_factory=Length)
    start_action: Literal["apply", "ignore", "redraw"] = "apply"
    after_forced_draw: Literal["turn", "lost"] = "turn"
    draw_stack: Literal["same", "any"] = "same"
    jump_in: Literal["coloured", "numbers", "all", "off"] = "coloured"
    rotation: Literal["with_play", "against_play", "left", "player"] = "with_play"
    empty_pile: Literal["reshuffle", "end"] = "reshuffle"
    triple: Literal["off", "exact", "or_more"] = "off"
    scoring: Literal["minus", "winner_collects", "countdown"] = "minus"


Options = SolominoOptions | SoloOptions

_CLASSES: dict[str, type[SolominoOptions] | type[SoloOptions]] = {
    "solomino": SolominoOptions,
    "solo": SoloOptions,
}
_KINDS = {game: get_type_hints(options_class) for game, options_class in _CLASSES.items()}
"""The type of each option, as it stands in its class."""


def parse_options(game: GameName, given: Mapping[str, object]) -> Options:
    """The options of a game's header, defaults filled in; raises `OptionError`.

    >>> parse_options("solomino", {"interject": True}).interject
    True
    >>> parse_options("solo", {"interject": True})
    Traceback (most recent call last):
    ...
    referee.rules.options.OptionError: option interject: solo has no such option, expected one of \
shouts, shout_deadline, shout_penalty, reverse_two_players, length, start_action, \
after_forced_draw, draw_stack, jump_in, rotation, empty_pile, triple, scoring
    """
    kinds = _KINDS[game]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in kinds:
            names = ", ".join(kinds)
            raise OptionError(f"option {name}: {game} has no such option, expected one of {names}")
        values[name] = _parse_value(name, kinds[name], value)
    return _CLASSES[game](**values)


def parse_option_text(text: str) -> dict[GameName, dict[str, object]]:
    """Options as one writes them on a command line, for each game that has them.

    A name may say its game (``solo.triple``); ``rounds`` and ``points`` set the length. Raises
    `OptionError` where no game has such an option or value.

    >>> parse_option_text("interject=true,points=250")["solomino"]
    {'interject': True, 'length': {'points': 250}}
    >>> parse_option_text("solo.triple=exact,empty_pile=reshuffle")
    {'solomino': {}, 'solo': {'triple': 'exact', 'empty_pile': 'reshuffle'}}
    """
    given: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise OptionError(f"expected name=value, found {part!r}")
        if name.rpartition(".")[2] in ("rounds", "points"):
            kind = name.rpartition(".")[2]
            name, value = name.removesuffix(kind) + "length", f"{kind}:{value}"
        given[name] = _plain_value(name, value)
    return spread_options(given)


def spread_options(given: Mapping[str, object]) -> dict[GameName, dict[str, object]]:
    """Options by game; one that names no game goes to each that has it with such a value.

    ``given`` may also be ``{"solo": {...}, "solomino": {...}}``. Raises `OptionError`.
    """
    spread: dict[GameName, dict[str, object]] = {"solomino": {}, "solo": {}}
    for name, value in given.items():
        if name in spread and isinstance(value, Mapping):
            pairs = [(f"{name}.{own}", own_value) for own, own_value in value.items()]
        else:
            pairs = [(name, value)]
        for full_name, own_value in pairs:
            _spread_one(spread, full_name, own_value)
    return spread


def _spread_one(spread: dict[GameName, dict[str, object]], name: str, value: object) -> None:
    owner, dot, own_name = name.partition(".")
    own_name = own_name if dot else name
    games = [game for game in spread if not dot or game == owner]
    if not games:
        raise OptionError(f"option {name}: expected solomino or solo before the dot")
    refusal: OptionError | None = None
    taken = False
    for game in games:
        try:
            parse_options(game, {own_name: value})
        except OptionError as error:
            has_it = own_name in option_values(game)
            refusal = error if refusal is None or has_it else refusal
        else:
            spread[game][own_name] = value
            taken = True
    if refusal is not None and not taken:
        raise refusal


def _plain_value(name: str, text: str) -> object:
    """A text as the value that JSON would have: a truth, a whole number, a length, a word."""
    if name.rpartition(".")[2] == "length":
        kind, _, number = text.strip("{}").replace('"', "").partition(":")
        return {kind.strip(): _plain_value("", number.strip())}
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text


def option_values(game: GameName) -> dict[str, tuple[object, ...]]:
    """Each option's values, the default first (of free numbers: the default alone).

    >>> option_values("solo")["draw_stack"]
    ('same', 'any')
    """
    defaults = _CLASSES[game]()
    return {name: _values_of(kind, getattr(defaults, name)) for name, kind in _KINDS[game].items()}


def options_as_dict(options: Options) -> dict[str, object]:
    """All options as a header may write them; `parse_options` reads them back."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}
    return {k: v.as_dict() if isinstance(v, Length) else v for k, v in values.items()}


def _values_of(kind: object, default: object) -> tuple[object, ...]:
    if kind is bool:
        return (default, not default)
    return get_args(kind) or (default,)


def _parse_value(name: str, kind: object, value: object) -> object:
    """One option's value, checked against its type."""
    if kind is Length:
        return Length.parse(value)
    if kind is int:
        if _is_count(value):
            return value
        raise OptionError(f"option {name}: expected a whole number from 0, found {value!r}")
    expected = (True, False) if kind is bool else get_args(kind)
    if any(value is e if isinstance(e, bool) else value == e for e in expected):
        return value
    listed = ", ".join(str(e).lower() if isinstance(e, bool) else e for e in expected)
    raise OptionError(f"option {name}: expected one of {listed}, found {value!r}")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
