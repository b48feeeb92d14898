"""What each option of the games means, for the person at the set-up page.

The rulebook has it in full; here stands what one needs to know to choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.announce import Language
from referee.rules.header import PLAYER_COUNTS
from referee.rules.options import GameName, Length, option_values
from referee.server.setup_words import word


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option."""

    value: object
    """As the header of a record has it."""
    means: str


@dataclass(frozen=True, slots=True)
class OptionText:
    """An option as the page shows it."""

    name: str
    title: str
    asks: str
    """What is decided, as a question."""
    default: object
    choices: list[Choice]
    """Empty for a number (``shout_penalty``) and for ``length``."""
    rule: str
    """The paragraph of the rulebook."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A game with its options."""

    name: GameName
    title: str
    players: tuple[int, int]
    """The fewest and the most."""
    options: list[OptionText]


_TITLES: Final[dict[GameName, str]] = {"solomino": "SOLOmino", "solo": "SOLO"}

_BOTH: Final = {
    "length": "6.5",
    "shouts": "4.3",
    "shout_deadline": "4.1",
    "shout_penalty": "4.2",
}
"""Options that both games have, each with its paragraph of the rulebook."""

_OWN: Final[dict[GameName, dict[str, str]]] = {
    "solomino": {
        "reverse_two_players": "2.9",
        "interject": "2.19",
        "interject_match": "2.19",
        "interject_owed": "2.20",
        "start_action": "2.7",
        "two_actions": "2.6",
        "draw_match": "2.11",
        "empty_pile": "5.3",
        "call_caller_answers": "2.17",
        "call_last_card_wins": "2.18",
    },
    "solo": {
        "reverse_two_players": "3.7",
        "start_action": "3.18",
        "after_forced_draw": "3.10",
        "draw_stack": "3.9",
        "jump_in": "3.15",
        "rotation": "3.14",
        "empty_pile": "3.19",
        "triple": "3.17",
        "scoring": "6.4",
    },
}

_NUMBERS: Final = ("length", "shout_penalty")
"""Options whose value is a number: nothing has to be explained of each."""


def game_texts(language: Language = "en") -> list[GameText]:
    """Both games with all options, in the order of their classes."""
    return [
        GameText(game, _TITLES[game], PLAYER_COUNTS[game], _option_texts(game, language))
        for game in _TITLES
    ]


def _option_texts(game: GameName, language: Language) -> list[OptionText]:
    found: list[OptionText] = []
    for name, values in option_values(game).items():
        key = f"option.{name}" if name in _BOTH else f"option.{game}.{name}"
        choices = [
            Choice(value, word(f"{key}.{str(value).lower()}", language))
            for value in values
            if name not in _NUMBERS
        ]
        default = values[0]
        # A camera hears nothing, so calls are ignored unless somebody is there to enter them.
        default = "ignored" if name == "shouts" else default
        default = default.as_dict() if isinstance(default, Length) else default
        rule = (_BOTH | _OWN[game])[name]
        title, asks = word(key, language), word(f"{key}.asks", language)
        found.append(OptionText(name, title, asks, default, choices, rule))
    return found
