"""A move as prose: what was done, what the referee says to it, by which paragraph."""

from __future__ import annotations

from dataclasses import dataclass

from referee.announce import Announcer
from referee.game import Game
from referee.notation import ruling_to_dict


@dataclass(frozen=True, slots=True)
class Told:
    """A ruling in words."""

    text: str
    """Sentences: the move, if the ruling is on it, and what is said to it."""
    rule: str
    """The paragraph of the rulebook."""
    legal: bool | None
    """None: cannot tell."""


def told(game: Game, of: int, language: str = "en") -> tuple[Told, ...]:
    """The rulings on move ``of`` in words: on earlier omissions that it shows, the last on itself."""
    header = game.header
    say = Announcer(language, header.players, header.game)
    *omissions, own = game.rulings(of)
    found = []
    for ruling in omissions:
        said = say.ruling({**ruling_to_dict(ruling, of), "turn": None})
        found.append(Told(" ".join(s.text for s in said), ruling.rule, ruling.legal))
    done = say.observation(game.moves[of].as_dict())
    said = say.ruling(ruling_to_dict(own, of), game.state_before(of).turn)
    sentences = [*([done] if done else []), *said]
    found.append(Told(" ".join(s.text for s in sentences), own.rule, own.legal))
    return tuple(found)
