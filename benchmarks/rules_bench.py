"""`python -m benchmarks.rules_bench`: observations judged and applied a second, on one core.

The yardstick is RLCard's UNO environment, stepped in the same run on the same machine, in
turns with the rules, so that whatever else runs here slows both. RLCard is needed for this
alone (`pip install rlcard`); without it the rules are measured by themselves.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
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

Record = tuple[State, list[Observation]]


@dataclass(slots=True)
class Pace:
    """The quickest pass over the same steps, of several."""

    steps: int = 0
    best_s: float = float("inf")

    def measure(self, once: Callable[[], int]) -> None:
        """Time one pass; ``once`` returns how many steps it took."""
        start_s = time.perf_counter()
        self.steps = once()
        self.best_s = min(self.best_s, time.perf_counter() - start_s)

    @property
    def per_second(self) -> float:
        """Steps a second of the quickest pass."""
        return self.steps / self.best_s


def records(game: GameName, *, hidden: bool) -> list[Record]:
    """Whole games by a sensible bot, always the same ones."""
    found = []
    for seed in range(GAMES):
        source = random.Random(seed)
        header, starts = new_round(game, PLAYERS, source)
        moves = list(play(header, starts, source, sensible))
        if hidden:
            header, moves = as_seen(header, moves)
        found.append((new_game(header), moves))
    return found


def judge_all(played: list[Record]) -> int:
    """Judge and apply every observation, full rulings made; returns their number."""
    for state, moves in played:
        for move in moves:
            state, _ = step(state, move)
    return sum(len(moves) for _, moves in played)


def rlcard_games(games: int = GAMES) -> Callable[[], int]:
    """Whole UNO games in RLCard's environment, legal actions asked for and one stepped."""
    rlcard: Any = import_module("rlcard")  # it has no types
    environment = rlcard.make("uno", config={"seed": 3})

    def once() -> int:
        environment.seed(3)
        steps = 0
        for _ in range(games):
            environment.game.init_game()
            while not environment.game.is_over():
                actions = environment.game.get_legal_actions()
                environment.game.step(actions[steps % len(actions)])
                steps += 1
        return steps

    return once


def main(argv: list[str] | None = None) -> int:
    """Measure and print; returns 1 where the rules fall short of the yardstick."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules_bench", description=__doc__)
    parser.add_argument("--passes", type=int, default=60, help="passes over the same games")
    passes = parser.parse_args(argv).passes
    runs: dict[str, Callable[[], int]] = {}
    for game, hidden in (("solomino", True), ("solomino", False), ("solo", True), ("solo", False)):
        played = records("solo" if game == "solo" else "solomino", hidden=hidden)
        name = f"{game}, {'counts only' if hidden else 'known hands'}"
        runs[name] = partial(judge_all, played)
    yardstick = "RLCard, UNO"
    if find_spec("rlcard") is not None:
        runs[yardstick] = rlcard_games()
    paces = {name: Pace() for name in runs}
    for _ in range(passes):
        for name, once in runs.items():
            paces[name].measure(once)
    beside = paces[yardstick].per_second if yardstick in paces else None
    for name, pace in paces.items():
        share = f"  {pace.per_second / beside:5.2f} of RLCard" if beside else ""
        print(f"{name:24} {pace.per_second:10,.0f} steps a second{share}")
    mine = [pace.per_second for name, pace in paces.items() if name != yardstick]
    return int(beside is not None and min(mine) < WANTED * beside)


if __name__ == "__main__":
    raise SystemExit(main())
