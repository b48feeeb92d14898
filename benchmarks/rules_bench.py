"""`python -m benchmarks.rules_bench`: observations judged and applied a second, on one core.

The yardstick is RLCard's UNO environment, stepped in the same run on the same machine, in
turns with the rules, so that whatever else runs here slows both. RLCard is needed for this
alone (the extra `bench`); without it the rules are measured by themselves.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from datasets.games import as_seen, new_round, play, sensible
from referee.rules.judge import new_game, step
from referee.rules.observations import Observation
from referee.rules.options import GameName
from referee.rules.state import State

GAMES = 4
PLAYERS = 4
WANTED = 0.6
"""The share of RLCard's steps a second that the rules must reach at least."""

Pieces = Sequence[Callable[[], int]]
"""Pieces of work, each short; one returns how many steps it took."""


@dataclass(slots=True)
class Pace:
    """The quickest time of each piece, of several passes.

    Time of the processor alone, and short pieces: what else runs on the machine meanwhile
    then costs the figures little.
    """

    pieces: Pieces
    steps: list[int] = field(default_factory=list)
    best_s: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """Time one pass over all pieces."""
        steps, took_s = [], []
        for piece in self.pieces:
            start_s = time.process_time()
            steps.append(piece())
            took_s.append(time.process_time() - start_s)
        self.steps = steps
        self.best_s = [min(pair) for pair in zip(took_s, self.best_s or took_s, strict=True)]

    @property
    def per_second(self) -> float:
        """Steps a second, each piece at its quickest."""
        return sum(self.steps) / sum(self.best_s)


def judged_games(game: GameName, *, hidden: bool) -> Pieces:
    """Whole games by a sensible bot, always the same ones, to be judged and applied."""
    pieces = []
    for seed in range(GAMES):
        source = random.Random(seed)
        header, starts = new_round(game, PLAYERS, source)
        moves = list(play(header, starts, source, sensible))
        if hidden:
            header, moves = as_seen(header, moves)
        pieces.append(partial(judge_all, new_game(header), moves))
    return pieces


def judge_all(state: State, moves: list[Observation]) -> int:
    """Judge and apply every observation, full rulings made; returns their number."""
    for move in moves:
        state, _ = step(state, move)
    return len(moves)


def rlcard_games() -> Pieces:
    """Whole UNO games in RLCard's environment, legal actions asked for and one stepped."""
    rlcard: Any = import_module("rlcard")  # it has no types
    environment = rlcard.make("uno", config={"seed": 3})

    def play_one(seed: int) -> int:
        environment.seed(seed)
        random.seed(seed)  # RLCard draws from it
        steps = 0
        environment.game.init_game()
        while not environment.game.is_over():
            actions = environment.game.get_legal_actions()
            environment.game.step(actions[steps % len(actions)])
            steps += 1
        return steps

    return [partial(play_one, seed) for seed in range(GAMES)]


def main(argv: list[str] | None = None) -> int:
    """Measure and print; returns 1 where the rules fall short of the yardstick."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules_bench", description=__doc__)
    parser.add_argument("--passes", type=int, default=60, help="passes over the same games")
    passes = parser.parse_args(argv).passes
    paces = {
        "solomino, counts only": Pace(judged_games("solomino", hidden=True)),
        "solomino, known hands": Pace(judged_games("solomino", hidden=False)),
        "solo, counts only": Pace(judged_games("solo", hidden=True)),
        "solo, known hands": Pace(judged_games("solo", hidden=False)),
    }
    mine = list(paces.values())
    yardstick = Pace(rlcard_games()) if find_spec("rlcard") is not None else None
    if yardstick is not None:
        paces["RLCard, UNO"] = yardstick
    for _ in range(passes):
        for pace in paces.values():
            pace.measure()
    beside = yardstick.per_second if yardstick is not None else None
    for name, pace in paces.items():
        share = f"  {pace.per_second / beside:5.2f} of RLCard" if beside else ""
        print(f"{name:24} {pace.per_second:10,.0f} steps a second{share}")
    return int(beside is not None and min(pace.per_second for pace in mine) < WANTED * beside)


if __name__ == "__main__":
    raise SystemExit(main())
