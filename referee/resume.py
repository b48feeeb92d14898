"""Going on with a game that was broken off: by a power cut, a crash, somebody at the cable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from referee.game import Game, load
from referee.notation import extra_fields, is_observation, parse_header
from referee.store import Record


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game that was broken off and goes on."""

    game: Game
    since_s: float
    """Where the recording's clock stands when the camera is looked at again."""
    missing: tuple[Record, ...] = ()
    """The rulings on the last move, where the record broke off between it and them."""

    @staticmethod
    def read(records: Sequence[Record], away_s: float) -> Resumed:
        """A game by its record, ``away_s`` seconds after its last line was written.

        Raises `NotationError`, `CorrectionError` or `OptionError` for a record that cannot be
        gone on with.
        """
        game = load(parse_header(records[0]), records[1:], extra_fields(records[0]))
        times = [line.get(name) for line in records for name in ("t", "t_reported")]
        last_s = max((t for t in times if isinstance(t, int | float)), default=0.0)
        return Resumed(game, last_s + max(0.0, away_s), tuple(_unanswered(records, game)))


def _unanswered(records: Sequence[Record], game: Game) -> list[dict[str, Any]]:
    """What should follow a record that ends with a move and not all of its rulings."""
    after = list(takewhile(lambda line: line.get("type") in ("ruling", "score"), records[::-1]))
    if not game.moves or not is_observation(records[-1 - len(after)]):
        return []  # a correction, a pause: not a move that nobody ruled on
    return list(game.answer(len(game.moves) - 1))[len(after) :]
