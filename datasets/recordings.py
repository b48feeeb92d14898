"""Recordings of invented games, with exact truth: `python -m datasets.recordings OUT --seeds 0 3`.

Arms come from the seats, lay cards, draw, hesitate, rest, take back, cross each other; the line
is nudged and shoved, the camera is bumped and drifts, light and focus hunt. For each seed four
files are written: the video, ``table.json``, the true ``game.jsonl`` (with rulings, ``t`` and
``t_clear`` as the border contract has them) and ``line.jsonl``, which tells what else happens.
No real edition and no photograph takes part.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.table import Player, Table, save_table
from datasets.choreography import Choreography
from datasets.editions import Edition, Picture
from datasets.film import Film
from datasets.gestures import Clock
from datasets.house import house_edition
from datasets.stamps import set_stamps
from referee.game import Game
from referee.rules.header import Header
from vision.hands import Zone

NAMES = ("Ann", "Ben", "Cem", "Dora", "Emil", "Fay")
FLAVOURS: dict[str, dict[str, float]] = {
    "plain": {"hover": 1, "rest": 1, "nudge": 1},
    "people": {"pair": 3, "fumble": 2, "take_back": 2, "draws": 2, "rest": 1, "hover": 1,
               "straighten": 2, "company": 3},
    "line": {"nudge": 2, "shove": 3, "shove_and_place": 4, "clear": 1},
    "camera": {"bump": 2, "drift": 2, "flicker": 2, "focus": 2},
    "mixed": {"pair": 1, "fumble": 0.6, "take_back": 1, "draws": 1, "rest": 1, "hover": 1,
              "straighten": 1, "company": 1, "nudge": 1, "shove": 1, "shove_and_place": 1,
              "clear": 0.4, "bump": 1, "drift": 0.6, "flicker": 1, "focus": 1},
}  # fmt: skip
"""For each kind of recording, how often what happens beside plain moves."""

_RATES_HZ = (15, 24, 25, 30, 30, 60)


class Recording:
    """A game as it is filmed, frame by frame. ``seed`` decides everything."""

    def __init__(
        self, seed: int, moves: int = 16, flavour: str = "mixed", edition: Edition | None = None
    ) -> None:
        """``flavour`` is one of `FLAVOURS`: what happens beside the moves. ``edition``: the cards;
        invented ones where none are given."""
        rng = np.random.default_rng([seed, 15485863])
        self.film = Film(rng, seed, edition)
        self.rate_hz = float(_RATES_HZ[int(rng.integers(len(_RATES_HZ)))])
        self._is_steady = rng.random() < 0.7
        self._rng = rng
        self._clock = Clock()
        film = self.film
        players = tuple(Player(NAMES[i], seat) for i, seat in enumerate(film.seats))
        self.table = Table(film.plane, players, {"draw_pile": Zone(film.pile, (110.0, 130.0))})
        count = len(players)
        self.game = Game(Header("solomino", NAMES[:count], 0, hands=(8,) * count,
                                draw_pile=120 - 8 * count - 1))  # fmt: skip
        self.steps = Choreography(film, rng, self._clock, self.game, moves, FLAVOURS[flavour])
        self.lasts_s: list[float] = []
        """How long each picture taken so far is shown."""

    @property
    def has_steady_rate(self) -> bool:
        """Whether every picture lasts equally long."""
        return self._is_steady

    def frames(self) -> Iterator[Picture]:
        """The pictures; fills ``game`` with the truth meanwhile."""
        for reaches in self.steps.perform():
            yield self.film.shoot(reaches, self._clock.now_s)
            lasts_s = 1 / self.rate_hz
            if not self._is_steady:
                lasts_s *= float(self._rng.choice([0.7, 1.0, 1.0, 1.6, 2.5]))
            self.lasts_s.append(lasts_s)
            self._clock.now_s += lasts_s

    def record(self) -> Iterator[dict[str, Any]]:
        """The lines of the true record, each move with the time of a clear view on it."""
        of = 0
        for line in self.game.record():
            if line["type"] not in ("game", "ruling", "score"):
                clear_s = self.steps.clear_s.get(of)
                line = line if clear_s is None else {**line, "t_clear": round(clear_s, 3)}
                of += 1
            yield line


def write_recording(
    seed: int, out: Path, moves: int = 16, flavour: str = "mixed", edition: Edition | None = None
) -> Path:
    """Films the game of a seed, see `Recording`; returns the video's path."""
    recording = Recording(seed, moves, flavour, edition)
    path = out / f"{seed}.mp4"
    size = recording.film.plane.image_size_px
    codec = cv2.VideoWriter.fourcc(*"mp4v")
    writer = cv2.VideoWriter(str(path), codec, recording.rate_hz, size)
    for frame in recording.frames():
        writer.write(frame)
    writer.release()
    if not recording.has_steady_rate:
        set_stamps(path, recording.lasts_s)
    save_table(recording.table, out / f"{seed}.table.json")
    _write_lines(out / f"{seed}.game.jsonl", recording.record())
    _write_lines(out / f"{seed}.line.jsonl", recording.steps.events)
    return path


def _write_lines(path: Path, lines: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 3), metavar=("FIRST", "END"))
    parser.add_argument("--moves", type=int, default=16)
    parser.add_argument("--flavour", choices=sorted(FLAVOURS), default="mixed")
    parser.add_argument("--house", action="store_true",
                        help="play with the deck that 'referee deck print' makes")  # fmt: skip
    chosen = parser.parse_args()
    edition = house_edition() if chosen.house else None
    chosen.out.mkdir(parents=True, exist_ok=True)
    for seed in range(*chosen.seeds):
        path = write_recording(seed, chosen.out, chosen.moves, chosen.flavour, edition)
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
