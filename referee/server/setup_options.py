"""What each option of the games means, for the person at the set-up page.

The rulebook has it in full; here stands what one needs to know to choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.rules.header import PLAYER_COUNTS
from referee.rules.options import GameName, Length, option_values


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

Text = tuple[str, str, str, dict[object, str]]
"""Title, question, paragraph, what each value means."""

_BOTH: Final[dict[str, Text]] = {
    "length": ("How long", "When is the match over?", "6.5", {}),
    "shouts": (
        "Calling out",
        "Does the referee hear the call before the last card?",
        "4.3",
        {
            "observed": "Somebody enters calls at the desk; one that is missing is a fault.",
            "ignored": "Nobody listens: a missing call is never a fault.",
        },
    ),
    "shout_deadline": (
        "When to call",
        "By when must a player call who has one card left?",
        "4.1",
        {
            "next_action": "Before the next player acts.",
            "before_move": "Before the card is laid.",
        },
    ),
    "shout_penalty": (
        "Penalty",
        "How many cards does a player draw who did not call?",
        "4.2",
        {},
    ),
}

_OWN: Final[dict[GameName, dict[str, Text]]] = {
    "solomino": {
        "reverse_two_players": (
            "Two players",
            "What does a change of direction do with only two players?",
            "2.9",
            {
                "reverse": "It just turns the direction round.",
                "skip": "It also skips the other player.",
            },
        ),
        "interject": (
            "Interjecting",
            "May anybody lay an identical half at once, out of turn?",
            "2.19",
            {False: "No: everybody waits for their turn.", True: "Yes, at either end of the line."},
        ),
        "interject_match": (
            "Interject with",
            "Which halves may be interjected?",
            "2.19",
            {"any": "Any that is identical.", "numbers": "Numbers only, no action symbols."},
        ),
        "interject_owed": (
            "Interject on a debt",
            "May one interject while somebody owes cards?",
            "2.20",
            {True: "Yes; the debt passes on.", False: "No: first the cards are drawn."},
        ),
        "start_action": (
            "Action on the first card",
            "Does an action on the card that begins the line count?",
            "2.7",
            {"ignore": "No: nobody laid it.", "apply": "Yes, for the first player."},
        ),
        "two_actions": (
            "Two actions on one card",
            "Which of them are carried out?",
            "2.6",
            {
                "both": "Both: a change of direction first, then a skip.",
                "open_end": "Only that on the half that is the new end.",
                "covering": "Only that on the half that covers.",
            },
        ),
        "draw_match": (
            "Answering a draw 1",
            "Must a draw 1 laid in answer match the end it is laid to?",
            "2.11",
            {True: "Yes, like any card.", False: "No: it may lie at any end."},
        ),
        "empty_pile": (
            "Empty draw pile",
            "When does the round end because the pile is empty?",
            "5.3",
            {
                "last_card": "As its last card is taken.",
                "next_draw": "When somebody would draw and there is no card.",
            },
        ),
        "call_caller_answers": (
            "Call comes round",
            "Must the caller answer when the call has gone round the table?",
            "2.17",
            {
                True: "Yes, like everybody else.",
                False: "No: the pile leaves the game, the next player is on turn.",
            },
        ),
        "call_last_card_wins": (
            "Winning on a call",
            "Does one win with the last card on the call pile?",
            "2.18",
            {False: "No: only at the line.", True: "Yes."},
        ),
    },
    "solo": {
        "reverse_two_players": (
            "Two players",
            "What does a change of direction do with only two players?",
            "3.7",
            {
                "skip": "It skips the other player.",
                "reverse": "It just turns the direction round.",
            },
        ),
        "start_action": (
            "Action on the first card",
            "What if the first card of the pile is an action?",
            "3.18",
            {
                "apply": "It counts for the first player.",
                "ignore": "It is nothing.",
                "redraw": "It goes back and another is turned up.",
            },
        ),
        "after_forced_draw": (
            "After a forced draw",
            "What may a player do who has drawn the cards owed?",
            "3.10",
            {"turn": "Have a normal turn.", "lost": "Nothing: the turn is lost."},
        ),
        "draw_stack": (
            "Stacking",
            "What answers a plus two or a plus four?",
            "3.9",
            {"same": "Only the same kind.", "any": "Either on the other."},
        ),
        "jump_in": (
            "Jumping in",
            "Who has an identical card: may it be laid at once, out of turn?",
            "3.15",
            {
                "coloured": "Yes, any card with a colour.",
                "numbers": "Yes, numbers only.",
                "all": "Yes, cards without a colour too.",
                "off": "No.",
            },
        ),
        "rotation": (
            "Rotation",
            "Which way do the hands move?",
            "3.14",
            {
                "with_play": "With the direction of play.",
                "against_play": "Against it.",
                "left": "Always to the left.",
                "player": "As the player says.",
            },
        ),
        "empty_pile": (
            "Empty draw pile",
            "What if the pile runs out?",
            "3.19",
            {
                "reshuffle": "The discards are shuffled and drawn from.",
                "end": "The round ends; the fewest cards win.",
            },
        ),
        "triple": (
            "Sets",
            "May several cards of one number be laid at once?",
            "3.17",
            {"off": "No.", "exact": "Three of them.", "or_more": "Three or more."},
        ),
        "scoring": (
            "Scoring",
            "Who gets the points that are left in the hands?",
            "6.4",
            {
                "minus": "They count against whoever holds them; the fewest win.",
                "winner_collects": "The winner of the round; the most win.",
                "countdown": "Everybody begins with the limit and loses them; the most win.",
            },
        ),
    },
}


def game_texts() -> list[GameText]:
    """Both games with all options, in the order of their classes."""
    return [
        GameText(game, _TITLES[game], PLAYER_COUNTS[game], _option_texts(game)) for game in _TITLES
    ]


def _option_texts(game: GameName) -> list[OptionText]:
    texts = _BOTH | _OWN[game]
    found: list[OptionText] = []
    for name, values in option_values(game).items():
        title, asks, rule, meanings = texts[name]
        choices = [Choice(value, meanings[value]) for value in values] if meanings else []
        default = values[0]
        # A camera hears nothing, so calls are ignored unless somebody is there to enter them.
        default = "ignored" if name == "shouts" else default
        default = default.as_dict() if isinstance(default, Length) else default
        found.append(OptionText(name, title, asks, default, choices, rule))
    return found
