"""A game played by hand in a test: short to write, and every ruling kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.notation import effect_to_dict, parse_header, parse_observation, ruling_to_dict
from referee.rules.header import Header
from referee.rules.judge import new_game, step
from referee.rules.rulings import Ruling
from referee.rules.state import State

NAMES = ["Ann", "Ben", "Cem", "Dora", "Emil", "Fay"]


def solomino(players: int = 3, start: str | None = "r5/g1", **header: Any) -> Play:
    """A game of SOLOmino in which seat 0 begins; other header fields by name."""
    return _begun("solomino", players, start, header)


def solo(players: int = 3, start: str | None = "r5", **header: Any) -> Play:
    """A game of SOLO in which seat 0 begins."""
    return _begun("solo", players, start, header)


def _begun(game: str, players: int, start: str | None, header: dict[str, Any]) -> Play:
    fields = {"first_player": 0, "hands": [8] * players, "draw_pile": 60, **header}
    options = fields.pop("options", {})
    entry = {"type": "game", "game": game, "players": NAMES[:players], "options": options}
    play = Play(parse_header({**entry, **fields}))
    if start is not None:
        play.see("start", card=start)
    return play


@dataclass
class Play:
    """The game; each method is one observation and returns the ruling on it."""

    header: Header
    state: State = field(init=False)
    rulings: tuple[Ruling, ...] = ()
    """The rulings on the last observation, earlier omissions first."""
    blind: bool = False
    """Whether nobody watched the table for a while before the next observation."""

    def __post_init__(self) -> None:
        self.state = new_game(self.header)

    def see(self, kind: str, confidence: float = 1.0, **fields: Any) -> Ruling:
        """Any observation; ``cover`` stands for the field ``with``."""
        if "cover" in fields:
            fields["with"] = fields.pop("cover")
        seen = parse_observation({"type": kind, **fields}, self.header)
        self.state, self.rulings = step(self.state, seen, confidence, blind_before=self.blind)
        self.blind = False
        return self.rulings[-1]

    def after_a_gap(self) -> Play:
        """The next observation comes after a time in which nobody watched."""
        self.blind = True
        return self

    def place(self, player: int | None, onto: str, card: str, confidence: float = 1.0) -> Ruling:
        """SOLOmino: the half named first covers ``onto``."""
        cover = card.split("/")[0]
        return self.see("place", confidence, player=player, card=card, onto=onto, cover=cover)

    def lay(self, player: int | None, *cards: str, colour: str | None = None) -> Ruling:
        """SOLO: one card, or several at once."""
        fields: dict[str, Any] = {"player": player, "colour": colour}
        fields |= {"card": cards[0]} if len(cards) == 1 else {"cards": list(cards)}
        return self.see("place", **fields)

    def take_back(self, player: int, card: str) -> Ruling:
        return self.see("take_back", player=player, card=card)

    def draw(self, player: int | None, count: int = 1, *cards: str) -> Ruling:
        return self.see("draw", player=player, count=count, cards=list(cards) or None)

    def shout(self, player: int) -> Ruling:
        return self.see("shout", player=player)

    def end_turn(self, player: int) -> Ruling:
        return self.see("end_turn", player=player)

    def swap_with(self, player: int, target: int) -> Ruling:
        return self.see("choose_player", player=player, target=target)

    def pass_hands(self, player: int, direction: str) -> Ruling:
        return self.see("choose_direction", player=player, direction=direction)

    def call_colour(self, player: int, colour: str) -> Ruling:
        return self.see("choose_colour", player=player, colour=colour)

    def reveal(self, card: str) -> Ruling:
        return self.see("call_reveal", card=card)

    def answer(self, player: int, card: str) -> Ruling:
        """The half named first answers."""
        return self.see("call_answer", player=player, card=card, cover=card.split("/")[0])

    def take(self, player: int) -> Ruling:
        return self.see("call_take", player=player)

    def left(self, player: int, *cards: str, count: int | None = None) -> Ruling:
        if count is not None:
            return self.see("hand_left", player=player, count=count)
        return self.see("hand_left", player=player, cards=list(cards))

    def ends(self) -> list[str]:
        return [str(end) for end in self.state.ends]

    def verdicts(self) -> list[tuple[int | None, bool | None, list[str]]]:
        """Of all rulings on the last observation: about whom, legal or not, what was wrong."""
        return [(r.player, r.legal, [str(v) for v in r.violations]) for r in self.rulings]


def faults(ruling: Ruling) -> list[str]:
    """The violations; empty where the move was found legal, ``?`` where nobody can tell."""
    if ruling.legal is None:
        return ["?"]
    assert ruling.legal is not bool(ruling.violations)  # a violation makes a move illegal
    return [str(violation) for violation in ruling.violations]


def effects(ruling: Ruling) -> list[dict[str, Any]]:
    """The effects as a record writes them."""
    return [effect_to_dict(effect) for effect in ruling.effects]


def written(ruling: Ruling) -> dict[str, Any]:
    """The ruling as a record writes it."""
    return ruling_to_dict(ruling, 0)
