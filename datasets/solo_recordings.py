"""Recordings of invented games of SOLO, with exact truth: `python -m datasets.solo_recordings OUT`.

Cards are laid on a discard pile that grows untidy, drawn, thrown in by somebody whose turn it is
not, taken back; the pile slides, is straightened, is taken up to be shuffled and comes back as
its top card. For each seed four files are written: the video, ``table.json``, the true
``game.jsonl`` (with rulings, ``t`` and ``t_clear``) and ``pile.jsonl``, which tells where the
pile's cards lie from each time on that they lie otherwise.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Player, Table, save_table
from datasets.canvas import Canvas
from datasets.editions import Picture
from datasets.film import Film, Point, Reach
from datasets.gestures import Clock, Gesture, Gestures
from datasets.layouts import LaidCard
from datasets.recordings import NAMES
from datasets.solo_editions import all_solo_labels, draw_solo_edition
from datasets.solo_scenes import SoloCard, lay_solo_cards
from referee.game import Game
from referee.rules.cards import PLAYABLE_COLOURS, SOLO_FREE, parse_card
from referee.rules.deck import CLASSIC_SOLO
from referee.rules.header import Header
from referee.rules.solo import fits
from vision.hands import Zone

STORIES: Final[dict[str, dict[str, float]]] = {
    "plain": {"place": 7, "draw": 2},
    "mixed": {"place": 7, "draw": 2, "foul": 1, "jump_in": 2, "take_back": 1, "hover": 1,
              "nudge": 1, "slide": 1, "straighten": 2, "gather": 0.7},
}  # fmt: skip
"""For each kind of recording, how often each deed is done."""
_SHOWN: Final = 10
"""So many cards of the pile are drawn; those below them are hidden."""
_LABELS: Final = frozenset(all_solo_labels())
_CLEAR_MM: Final = 70.0


class SoloFilm(Film):
    """Takes pictures of a table on which one-faced cards lie; see `Film`."""

    def __init__(self, rng: np.random.Generator, seed: int) -> None:
        super().__init__(rng, seed)
        self._solo = draw_solo_edition(seed, use_held_out=True)
        half_w, half_h = self.half_view_mm
        side = -1.0 if self.pile[0] > 0 else 1.0
        self.discard: Point = (side * half_w * float(rng.uniform(0.0, 0.25)),
                               half_h * float(rng.uniform(-0.25, 0.25)))  # fmt: skip

    def _lay(
        self, rng: np.random.Generator, canvas: Canvas, cards: list[LaidCard],
        light_from: NDArray[np.float64],
    ) -> None:  # fmt: skip
        faces = [_one_faced(card, self._solo.size_mm) for card in cards]
        lay_solo_cards(rng, canvas, faces, self._solo, light_from, 0.0, 0.1)


def _one_faced(card: LaidCard, size_mm: tuple[float, float]) -> SoloCard:
    """A laid card with the face that its first half names; SOLO has no call for a card."""
    label = card.halves[0] if card.halves[0] in _LABELS else card.halves[0][0] + "5"
    return SoloCard(label, card.x_mm, card.y_mm, card.angle_deg, card.face_up, card.zone,
                    card.held_up, size_mm)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that somebody does; without a player, whoever is on turn."""

    kind: str
    player: int | None = None
    card: str | None = None


class SoloRecording:
    """A game as it is filmed, picture by picture. ``seed`` decides everything."""

    def __init__(
        self, seed: int, moves: int = 16, story: str = "mixed", script: Sequence[Deed] = ()
    ) -> None:
        """``story`` is one of `STORIES`; a ``script`` is played instead of ``moves`` by chance."""
        self._rng = rng = np.random.default_rng([seed, 32452843])
        self.film = film = SoloFilm(rng, seed)
        self.rate_hz = 15.0 if script else float(rng.choice([15, 24, 25, 30]))
        self._script, self._moves, self._odds = tuple(script), moves, STORIES[story]
        self._clock = Clock()
        self._hands = Gestures(film, rng, self._clock)
        self._sloppy_mm = float(rng.choice([3.0, 7.0, 12.0]))
        film.furnish([self._card("r1", film.discard)])
        names = NAMES[: len(film.seats)]
        players = tuple(Player(name, seat) for name, seat in zip(names, film.seats, strict=True))
        zones = {"draw_pile": Zone(film.pile, (110.0, 130.0)),
                 "discard_pile": Zone(film.discard, (110.0, 130.0))}  # fmt: skip
        self.table = Table(film.plane, players, zones, game="solo", deck="solo")
        self.game = Game(Header("solo", names, 0, {"shouts": "ignored"}, (8,) * len(names),
                                112 - 8 * len(names) - 1))  # fmt: skip
        self._left = Counter(CLASSIC_SOLO)
        """Cards that nobody has seen yet."""
        self._lies_s = 0.0
        self._covered: list[tuple[int, Point]] = []
        self.clear_s: dict[int, float] = {}
        """For each move with a card, when no hand covered it any more."""
        self.piles: list[dict[str, Any]] = []
        """The pile from each time on that it was another: its cards, the lowest first."""

    def frames(self) -> Iterator[Picture]:
        """The pictures, ``rate_hz`` a second; fills ``game`` with the truth meanwhile."""
        for reach in self._perform():
            self._look_for_clear(reach)
            self._look_at_pile()
            yield self.film.shoot([] if reach is None else [reach], self._clock.now_s)
            self._clock.now_s += 1 / self.rate_hz

    def record(self) -> Iterator[dict[str, Any]]:
        """The lines of the true record."""
        of = 0
        for line in self.game.record():
            if line["type"] not in ("game", "ruling", "score"):
                clear_s = self.clear_s.get(of)
                line = line if clear_s is None else {**line, "t_clear": round(clear_s, 3)}
                of += 1
            yield line

    def _perform(self) -> Gesture:
        rng = self._rng
        yield from self._hands.pause(float(rng.uniform(1.0, 2.0)))
        first = next((d.card for d in self._script if d.kind == "start"), None)
        yield from self._lay(int(rng.integers(len(self.film.seats))), first or self._any("r5"),
                             "start")  # fmt: skip
        for deed in self._script or self._chance():
            if deed.kind == "start" or self.game.state.finished:
                continue
            yield from self._hands.pause(float(rng.uniform(0.4, 1.5)))
            yield from self._do(deed)
        yield from self._hands.pause(2.0)

    def _chance(self) -> Iterator[Deed]:
        kinds, weights = list(self._odds), np.array(list(self._odds.values()))
        done = 0
        while done < self._moves:
            kind = str(self._rng.choice(kinds, p=weights / weights.sum()))
            done += kind in ("place", "draw", "foul", "jump_in")
            yield Deed(kind)

    def _do(self, deed: Deed) -> Gesture:
        turn = self.game.state.turn or 0
        player = turn if deed.player is None else deed.player
        kind = deed.kind
        if self.game.state.table.owed and kind == "place":
            kind = "draw"
        match kind:
            case "place" | "foul":
                yield from self._lay(player, deed.card or self._chosen(kind == "place"), "place")
            case "jump_in":
                yield from self._jump_in(deed, turn)
            case "draw":
                yield from self._draw(player)
            case "take_back":
                yield from self._take_back()
            case "hover":
                spot = self._on_pile()
                yield from self._hands.come(player, spot)
                yield from self._hands.stay(player, spot, float(self._rng.uniform(0.6, 1.5)), 4.0)
                yield from self._hands.go(player, spot)
            case "gather":
                yield from self._gather(player)
            case _:
                yield from self._move(player, kind)

    # -- cards

    def _chosen(self, fitting: bool) -> str:
        """A card that nobody has seen yet and that may follow the top card, or may not."""
        table = self.game.state.table
        cards = [label for label, count in sorted(self._left.items()) if count > 0]
        picked = [c for c in cards if (fits(table, parse_card(c)) is not False) == fitting]
        if fitting:  # the deck's many free cards would make every second card a wild
            few = [c for c in picked if parse_card(c).face not in SOLO_FREE]
            picked = few if few and self._rng.random() < 0.85 else picked
        return str(self._rng.choice(picked or cards))

    def _any(self, label: str) -> str:
        return label if self._left[label] > 0 else self._chosen(True)

    def _card(self, label: str, at: Point) -> LaidCard:
        rng, sloppy = self._rng, self._sloppy_mm
        x, y = np.array(at) + rng.normal(0, sloppy, 2)
        turn = float(rng.normal(0, sloppy)) + (180 if rng.random() < 0.4 else 0)
        return LaidCard((label, label), float(x), float(y), turn, True, "discard")

    def _on_pile(self) -> Point:
        top = self.film.cards[-1]
        return top.x_mm, top.y_mm

    # -- deeds

    def _lay(self, player: int, label: str, kind: str) -> Gesture:
        card = self._card(label, self.film.discard if kind == "start" else self._middle())
        spot = (card.x_mm, card.y_mm)
        self._left[label] -= 1
        yield from self._hands.come(player, spot, card)
        self.film.cards = [*self.film.cards, card][-_SHOWN:]
        self.film.changed()
        self._lies_s = self._clock.now_s
        yield from self._hands.stay(player, spot, float(self._rng.uniform(0.08, 0.4)))
        who = {} if kind == "start" else {"player": player}
        self._covered.append((len(self.game.moves), spot))
        self._note({"type": kind, **who, "card": label, "t": self._lies_s})
        yield from self._hands.go(player, spot)
        if self.game.state.table.choosing is not None and label[0] == "k":
            colour = str(self._rng.choice([str(c) for c in PLAYABLE_COLOURS]))
            chooser = self.game.state.turn
            self._note({"type": "choose_colour", "player": chooser, "colour": colour,
                        "t": self._clock.now_s})  # fmt: skip

    def _middle(self) -> Point:
        """Where the pile is now: players aim at it, and at where it should be."""
        x, y = self._on_pile()
        return (x + self.film.discard[0]) / 2, (y + self.film.discard[1]) / 2

    def _jump_in(self, deed: Deed, turn: int) -> Gesture:
        top = self.film.cards[-1].halves[0]
        others = [i for i in range(len(self.film.seats)) if i != turn]
        player = int(self._rng.choice(others)) if deed.player is None else deed.player
        if self._left[top] > 0 and not self.game.state.table.owed:
            yield from self._lay(player, top, "place")

    def _draw(self, player: int) -> Gesture:
        """One card after the other, as many as are owed."""
        count = max(1, self.game.state.table.owed)
        pile = self.film.pile
        aside = (pile[0] * 0.6, pile[1] + 120.0)
        yield from self._hands.come(player, pile)
        for k in range(count):
            yield from self._hands.stay(player, pile, 0.25)
            if k + 1 < count:
                yield from self._hands.sweep(player, pile, aside, 0.3, None)
                yield from self._hands.sweep(player, aside, pile, 0.3, None)
        yield from self._hands.go(player, pile, self._face_down(pile))
        self._note({"type": "draw", "player": player, "count": count, "t": self._clock.now_s})

    def _take_back(self) -> Gesture:
        placed = self.game.state.placed
        if placed is None or len(self.film.cards) < 2:
            return
        player, spot, card = placed.player, self._on_pile(), self.film.cards[-1]
        yield from self._hands.come(player, spot)
        yield from self._hands.stay(player, spot, 0.2)
        self.film.cards = self.film.cards[:-1]
        self.film.changed()
        self._left[card.halves[0]] += 1
        yield from self._hands.go(player, spot, card)
        self._note({"type": "take_back", "player": player, "card": card.halves[0],
                    "t": self._clock.now_s})  # fmt: skip

    def _move(self, player: int, kind: str) -> Gesture:
        """Push the top card, slide the whole pile, or straighten it."""
        before = list(self.film.cards)
        spot = self._on_pile()
        angle = float(self._rng.uniform(0, 2 * np.pi))
        way = np.array([np.cos(angle), np.sin(angle)])
        if kind == "nudge":
            step = way * float(self._rng.uniform(8, 25))
            after = [*before[:-1], _pushed(before[-1], step, float(self._rng.normal(0, 6)))]
        elif kind == "slide":
            step = way * float(self._rng.uniform(20, 55))
            after = [_pushed(card, step, 3.0) for card in before]
        else:
            step = np.array(self.film.discard) - spot
            after = [replace(card, x_mm=self.film.discard[0], y_mm=self.film.discard[1],
                             angle_deg=180.0 * round(card.angle_deg / 180)) for card in before]  # fmt: skip
        yield from self._hands.come(player, spot)
        yield from self._hands.push(player, spot, step, self._mover(before, after))
        yield from self._hands.go(player, (spot[0] + float(step[0]), spot[1] + float(step[1])))

    def _mover(self, before: list[LaidCard], after: list[LaidCard]) -> Callable[[float], None]:
        def move(share: float) -> None:
            self.film.cards = [_between(a, b, share) for a, b in zip(before, after, strict=True)]
            self.film.changed()

        return move

    def _gather(self, player: int) -> Gesture:
        """The pile is taken up, all but its top card goes onto the draw pile, that comes back."""
        spot, top = self._on_pile(), self.film.cards[-1]
        yield from self._hands.come(player, spot)
        yield from self._hands.stay(player, spot, 0.3)
        self.film.cards = []
        self.film.changed()
        yield from self._hands.go(player, spot, top)
        yield from self._hands.pause(float(self._rng.uniform(1.5, 3.0)))
        yield from self._hands.come(player, self.film.pile, self._face_down(self.film.pile))
        yield from self._hands.stay(player, self.film.pile, 0.5)
        yield from self._hands.go(player, self.film.pile)
        back = self._card(top.halves[0], self.film.discard)
        at = (back.x_mm, back.y_mm)
        yield from self._hands.come(player, at, back)
        self.film.cards = [back]
        self.film.changed()
        yield from self._hands.stay(player, at, 0.2)
        yield from self._hands.go(player, at)

    def _face_down(self, at: Point) -> LaidCard:
        return LaidCard(("r1", "r1"), *at, float(self._rng.normal(0, 10)), False, "hand")

    # -- truth

    def _note(self, entry: dict[str, Any]) -> None:
        entry["t"] = round(entry["t"], 3)
        self.game.append_entry(entry)

    def _look_at_pile(self) -> None:
        cards = [[card.halves[0], round(card.x_mm, 1), round(card.y_mm, 1),
                  round(card.angle_deg, 1)] for card in self.film.cards]  # fmt: skip
        if not self.piles or cards != self.piles[-1]["cards"]:
            self.piles.append({"t": round(self._clock.now_s, 3), "cards": cards})

    def _look_for_clear(self, reach: Reach | None) -> None:
        for of, spot in list(self._covered):
            away_mm = 1e9 if reach is None else np.hypot(reach.at_mm[0] - spot[0],
                                                         reach.at_mm[1] - spot[1])  # fmt: skip
            if away_mm > _CLEAR_MM and of < len(self.game.moves):
                self.clear_s[of] = self._clock.now_s
                self._covered.remove((of, spot))


def _pushed(card: LaidCard, step_mm: NDArray[np.float64], turn_deg: float) -> LaidCard:
    return replace(card, x_mm=card.x_mm + float(step_mm[0]), y_mm=card.y_mm + float(step_mm[1]),
                   angle_deg=card.angle_deg + turn_deg)  # fmt: skip


def _between(a: LaidCard, b: LaidCard, share: float) -> LaidCard:
    return replace(b, x_mm=a.x_mm + (b.x_mm - a.x_mm) * share,
                   y_mm=a.y_mm + (b.y_mm - a.y_mm) * share,
                   angle_deg=a.angle_deg + (b.angle_deg - a.angle_deg) * share)  # fmt: skip


def write_solo_recording(recording: SoloRecording, out: Path, name: str) -> Path:
    """Films a game into ``out``; returns the video's path."""
    path = out / f"{name}.mp4"
    codec = cv2.VideoWriter.fourcc(*"mp4v")
    size = recording.film.plane.image_size_px
    writer = cv2.VideoWriter(str(path), codec, recording.rate_hz, size)
    for frame in recording.frames():
        writer.write(frame)
    writer.release()
    save_table(recording.table, out / f"{name}.table.json")
    _write_lines(out / f"{name}.game.jsonl", recording.record())
    _write_lines(out / f"{name}.pile.jsonl", recording.piles)
    return path


def _write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


SAMPLE: Final = (
    Deed("start", card="g7"), Deed("place", card="g3"), Deed("place", card="r3"),
    Deed("straighten"), Deed("jump_in"), Deed("place", card="rS"), Deed("foul", card="b6"),
    Deed("take_back"), Deed("place", card="r8"), Deed("nudge"), Deed("place", card="rD"),
    Deed("draw"), Deed("place", card="kW"), Deed("gather"), Deed("draw"), Deed("slide"),
    Deed("place", card="y9"),
)  # fmt: skip
"""What is played in the sample recording."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 3), metavar=("FIRST", "END"))
    parser.add_argument("--moves", type=int, default=16)
    parser.add_argument("--story", choices=sorted(STORIES), default="mixed")
    parser.add_argument("--sample", action="store_true", help="film the sample's script instead")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for seed in range(*chosen.seeds):
        script = SAMPLE if chosen.sample else ()
        recording = SoloRecording(seed, chosen.moves, chosen.story, script)
        sys.stdout.write(f"{write_solo_recording(recording, chosen.out, str(seed))}\n")


if __name__ == "__main__":
    main()
