"""Recordings of invented games, with exact truth: `python -m datasets.recordings OUT --seeds 0 3`.

Arms come from the seats, lay cards, draw, hesitate, rest, take back; the line is nudged and
shoved. For each seed three files are written: the video, ``table.json`` and the true
``game.jsonl`` (with rulings), the latter with a ``t`` and ``t_clear`` as the border contract
has them. No real edition and no photograph takes part.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Player, Table, save_table
from datasets.cameras import draw_camera
from datasets.canvas import Canvas
from datasets.clutter import Thing, draw_hand
from datasets.editions import Edition, Picture, draw_edition
from datasets.layouts import LaidCard, draw_line, draw_stack, random_half
from datasets.light import Camera, draw_light
from datasets.scenes import lay_cards, lay_table, lay_things, scatter
from referee.game import Game
from referee.rules.header import Header
from vision.hands import Zone
from vision.plane import TablePlane

NAMES = ("Ann", "Ben", "Cem", "Dora", "Emil", "Fay")
_OUTSIDE_MM = 380.0
"""How far beyond the view's rim a resting hand stays."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something somebody does at the table."""

    kind: str
    """place, draw, take_back, hover, rest, nudge or shove."""
    player: int
    card: int = -1
    """Which card of the line, for place and take_back."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """What stays the same for a whole recording."""

    plane: TablePlane
    edition: Edition
    camera: Camera
    seats: tuple[tuple[float, float], ...]
    pile: tuple[float, float]
    rate_hz: float
    hands: tuple[Thing, ...]
    """For each player their arm, its fingers at the plane's origin."""


class Recording:
    """A game as it is filmed, frame by frame. ``seed`` decides everything."""

    def __init__(self, seed: int, moves: int = 16) -> None:
        self._rng = np.random.default_rng([seed, 15485863])
        rng = self._rng
        size = (1280, 720) if rng.random() < 0.7 else (960, 540)
        px_per_mm = size[0] / float(rng.uniform(950, 1350))
        plane = draw_camera(rng, size, px_per_mm=px_per_mm, max_tilt_deg=35)
        plane = TablePlane(plane.mm_to_px, plane.image_size_px)  # videos here have no distortion
        half_w, half_h = size[0] / px_per_mm / 2, size[1] / px_per_mm / 2
        players = int(rng.integers(2, 5))
        seats = _seats(rng, players, half_w, half_h)
        pile = (float(rng.choice([-1, 1])) * half_w * 0.78, float(rng.uniform(-0.3, 0.3)) * half_h)
        hands = tuple(draw_hand(rng, (0.0, 0.0), float(np.degrees(np.arctan2(y, x))))
                      for x, y in seats)  # fmt: skip
        # A video's codec smooths what noise there is; at full strength it would only fill disks.
        camera = draw_light(rng, size[1], size[0])
        camera = replace(camera, noise=min(camera.noise, 0.012))
        self.stage = _Stage(plane, draw_edition(seed, use_held_out=True),
                            camera, seats, pile,
                            float(rng.choice([15, 24, 25, 30])), hands)  # fmt: skip
        area = (-half_w * 0.6, -half_h * 0.68, half_w * 0.6, half_h * 0.68)
        self._line = _matching(rng, draw_line(rng, moves + 1, area).cards)
        self._background = self._lay_background(seed, (-half_w, -half_h, half_w, half_h))
        self.table = Table(plane, tuple(Player(NAMES[i], seats[i]) for i in range(players)),
                           {"draw_pile": Zone(pile, (110.0, 130.0))})  # fmt: skip
        self.game = Game(Header("solomino", NAMES[:players], 0, hands=(8,) * players,
                                draw_pile=120 - 8 * players - 1))  # fmt: skip
        self._laid: list[LaidCard] = []
        self._shift = np.zeros(2)
        self._now = 0.0
        self._ends: list[str] = []
        self._base: Picture | None = None

    def _lay_background(self, seed: int, view: tuple[float, float, float, float]) -> Canvas:
        rng, canvas = self._rng, Canvas(self.stage.plane)
        lay_table(rng, canvas, seed * 5 + 11)
        far = [t for t in scatter(rng, view, list(self._line), int(rng.integers(0, 5)))
               if np.hypot(*(t.corners_mm.mean(axis=0) - self.stage.pile)) > 170]  # fmt: skip
        lay_things(canvas, far, np.array([0.3, 0.4]))
        pile = draw_stack(rng, self.stage.pile, 4, face_up=False, zone="pile")
        lay_cards(rng, canvas, pile, self.stage.edition, 0, np.array([0.3, 0.4]), 0.0, 0.1)
        return canvas

    def frames(self) -> Iterator[Picture]:
        """The pictures, ``stage.rate_hz`` a second; fills ``game`` with the truth meanwhile."""
        yield from self._wait(float(self._rng.uniform(1.0, 2.5)))
        yield from self._start()
        for deed in self._plan():
            yield from self._wait(float(self._rng.uniform(0.25, 1.6)))
            yield from self._perform(deed)
        yield from self._wait(2.0)

    def _plan(self) -> Iterator[Deed]:
        rng = self._rng
        card = 1
        while card < len(self._line):
            state = self.game.state
            turn = state.turn if state.turn is not None else 0
            player = turn if rng.random() < 0.93 else int(rng.integers(len(self.stage.seats)))
            kind = str(rng.choice(["place", "draw", "hover", "rest", "nudge", "shove"],
                                  p=[0.66, 0.16, 0.05, 0.06, 0.04, 0.03]))  # fmt: skip
            if kind == "place":
                yield Deed("place", player, card)
                if rng.random() < 0.07:
                    yield Deed("take_back", player, card)
                    continue
                card += 1
            else:
                yield Deed(kind, player)

    def _start(self) -> Iterator[Picture]:
        player = int(self._rng.integers(len(self.stage.seats)))
        first = self._line[0]
        yield from self._lay(player, first)
        self._ends = [first.halves[0], first.halves[1]]
        self._note({"type": "start", "card": "/".join(first.halves), "t": self._lies_at})
        yield from self._leave(player, (first.x_mm, first.y_mm))

    def _perform(self, deed: Deed) -> Iterator[Picture]:
        line = self._line
        if deed.kind == "place":
            card = self._moved(line[deed.card])
            end, onto = self._end_of(card)
            yield from self._lay(deed.player, card)
            free, covering = card.halves
            self._ends[end] = free
            self._note({"type": "place", "player": deed.player, "card": f"{free}/{covering}",
                        "onto": onto, "with": covering, "t": self._lies_at})  # fmt: skip
            yield from self._leave(deed.player, (card.x_mm, card.y_mm))
        elif deed.kind == "take_back":
            yield from self._take_back(deed.player)
        elif deed.kind == "draw":
            yield from self._reach(deed.player, self.stage.pile)
            yield from self._leave(deed.player, self.stage.pile, back=True)
            self._note({"type": "draw", "player": deed.player, "count": 1, "t": self._now})
        elif deed.kind in ("nudge", "shove"):
            far = 9.0 if deed.kind == "nudge" else 70.0
            yield from self._push(deed.player, far, whole=deed.kind == "shove")
        else:
            yield from self._idle(deed)

    def _note(self, entry: dict[str, object]) -> None:
        entry["t"] = round(float(str(entry["t"])), 3)
        self.game.append_entry(entry)

    def _end_of(self, card: LaidCard) -> tuple[int, str]:
        """Which end the card's second half covers: 0 or 1, and what is printed there."""
        covering = card.half_centre_mm(1)
        distances = [np.hypot(*(covering - place)) for place in self._end_places()]
        end = int(np.argmin(distances))
        return end, self._ends[end]

    def _end_places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the two end halves lie now."""
        first = self._laid[0]
        tips = [first.half_centre_mm(0), first.half_centre_mm(1)]
        for card in self._laid[1:]:
            end = int(np.argmin([np.hypot(*(card.half_centre_mm(1) - tip)) for tip in tips]))
            tips[end] = card.half_centre_mm(0)
        return tips[0], tips[1]

    def _moved(self, card: LaidCard) -> LaidCard:
        return replace(card, x_mm=card.x_mm + float(self._shift[0]),
                       y_mm=card.y_mm + float(self._shift[1]))  # fmt: skip

    def _take_back(self, player: int) -> Iterator[Picture]:
        card = self._laid[-1]
        spot = (card.x_mm, card.y_mm)
        yield from self._reach(player, spot)
        self._laid.pop()
        self._base = None
        free, covering = card.halves
        yield from self._sweep(player, spot, self._rim(player), 0.5, card)
        end = self._ends.index(free)
        # What the card had covered lies open again.
        below = self._line_end_before(card)
        self._ends[end] = below
        self._note({"type": "take_back", "player": player, "card": f"{free}/{covering}",
                    "t": self._now})  # fmt: skip

    def _line_end_before(self, card: LaidCard) -> str:
        tips = self._end_places()
        end = int(np.argmin([np.hypot(*(card.half_centre_mm(1) - tip)) for tip in tips]))
        labels = [self._laid[0].halves[0], self._laid[0].halves[1]]
        places = [self._laid[0].half_centre_mm(0), self._laid[0].half_centre_mm(1)]
        for laid in self._laid[1:]:
            at = int(np.argmin([np.hypot(*(laid.half_centre_mm(1) - p)) for p in places]))
            labels[at], places[at] = laid.halves[0], laid.half_centre_mm(0)
        return labels[end]

    def _push(self, player: int, far_mm: float, *, whole: bool) -> Iterator[Picture]:
        """Moves the last card a little, or the whole line."""
        spot = (self._laid[-1].x_mm, self._laid[-1].y_mm)
        yield from self._reach(player, spot)
        angle = float(self._rng.uniform(0, 2 * np.pi))
        move = far_mm * np.array([np.cos(angle), np.sin(angle)])
        before = list(self._laid)
        for share in np.linspace(0, 1, max(2, int(0.5 * self.stage.rate_hz))):
            step = move * share
            moving = range(len(before)) if whole else [len(before) - 1]
            for i in moving:
                self._laid[i] = replace(before[i], x_mm=before[i].x_mm + float(step[0]),
                                        y_mm=before[i].y_mm + float(step[1]))  # fmt: skip
            self._base = None
            at = (spot[0] + float(step[0]), spot[1] + float(step[1]))
            yield self._shoot(self._hand(player, at), None)
        if whole:
            self._shift = self._shift + move
        yield from self._leave(player, at)

    def _idle(self, deed: Deed) -> Iterator[Picture]:
        """A hand that hovers over the line, or rests beside it, and lays nothing."""
        target = self._laid[int(self._rng.integers(len(self._laid)))]
        off = 0.0 if deed.kind == "hover" else 90.0
        spot = (target.x_mm + off, target.y_mm + off * 0.6)
        yield from self._reach(deed.player, spot)
        stay = float(self._rng.uniform(0.8, 2.5))
        for _ in range(int(stay * self.stage.rate_hz)):
            tremble = self._rng.normal(0, 0.8 if deed.kind == "rest" else 4, 2)
            at = (spot[0] + float(tremble[0]), spot[1] + float(tremble[1]))
            yield self._shoot(self._hand(deed.player, at), None)
        yield from self._leave(deed.player, spot)

    def _rim(self, player: int) -> tuple[float, float]:
        x, y = self.stage.seats[player]
        length = float(np.hypot(x, y))
        return x * (1 + _OUTSIDE_MM / length), y * (1 + _OUTSIDE_MM / length)

    def _lay(self, player: int, card: LaidCard) -> Iterator[Picture]:
        spot = (card.x_mm, card.y_mm)
        yield from self._sweep(player, self._rim(player), spot, 0.55, card)
        self._laid.append(card)
        self._base = None
        for _ in range(int(float(self._rng.uniform(0.08, 0.4)) * self.stage.rate_hz) + 1):
            yield self._shoot(self._hand(player, spot), None)
        self._lies_at = self._now

    def _reach(self, player: int, spot: tuple[float, float]) -> Iterator[Picture]:
        yield from self._sweep(player, self._rim(player), spot, 0.5, None)
        for _ in range(int(0.2 * self.stage.rate_hz)):
            yield self._shoot(self._hand(player, spot), None)

    def _leave(
        self, player: int, spot: tuple[float, float], *, back: bool = False
    ) -> Iterator[Picture]:
        """The hand goes home; ``back`` carries a card that shows its back."""
        carried = None
        if back:
            carried = LaidCard((random_half(self._rng), random_half(self._rng)), *spot, 0.0,
                               False, "hand")  # fmt: skip
        yield from self._sweep(player, spot, self._rim(player), 0.5, carried)

    def _sweep(
        self, player: int, start: tuple[float, float], stop: tuple[float, float], seconds: float,
        carried: LaidCard | None,
    ) -> Iterator[Picture]:  # fmt: skip
        """A hand on its way, slow at both ends, with or without a card."""
        steps = max(2, int(seconds * float(self._rng.uniform(0.8, 1.5)) * self.stage.rate_hz))
        for k in range(1, steps + 1):
            share = 0.5 - 0.5 * np.cos(np.pi * k / steps)
            at = (start[0] + (stop[0] - start[0]) * float(share),
                  start[1] + (stop[1] - start[1]) * float(share))  # fmt: skip
            card = None if carried is None else replace(carried, x_mm=at[0], y_mm=at[1])
            yield self._shoot(self._hand(player, at), card)

    def _wait(self, seconds: float) -> Iterator[Picture]:
        for _ in range(int(seconds * self.stage.rate_hz)):
            yield self._shoot(None, None)

    def _hand(self, player: int, at: tuple[float, float]) -> Thing:
        hand = self.stage.hands[player]
        return replace(hand, corners_mm=hand.corners_mm + np.array(at))

    def _shoot(self, hand: Thing | None, card: LaidCard | None) -> Picture:
        """One frame, and the clock moves on."""
        rng = np.random.default_rng(41)  # cards keep their own sheen from frame to frame
        light = np.array([0.3, 0.4])
        if self._base is None:
            canvas = self._copy(self._background)
            lay_cards(rng, canvas, self._laid, self.stage.edition, 0, light, 0.0, 0.1)
            self._base = canvas.image
        image = self._base
        if hand is not None or card is not None:
            canvas = Canvas(self.stage.plane)
            canvas.image = self._base.copy()
            if card is not None:
                lay_cards(rng, canvas, [card], self.stage.edition, 0, light * 6, 0.0, 0.1)
            if hand is not None:
                lay_things(canvas, [hand], light)
            image = canvas.image
        self._now += 1 / self.stage.rate_hz
        flicker = 1 + 0.01 * float(np.sin(self._now * 7))
        return self.stage.camera.take(self._rng, image, flicker)

    @staticmethod
    def _copy(canvas: Canvas) -> Canvas:
        copy = Canvas(canvas.plane)
        copy.image = canvas.image.copy()
        return copy


def _seats(
    rng: np.random.Generator, players: int, half_w: float, half_h: float
) -> tuple[tuple[float, float], ...]:
    """Places around the table, clockwise in the picture, one a side."""
    sides = [(0.0, half_h), (-half_w, 0.0), (0.0, -half_h), (half_w, 0.0)]
    chosen = sorted(rng.choice(4, players, replace=False)) if players < 4 else range(4)
    seats = []
    for k in chosen:
        x, y = sides[int(k)]
        slide = float(rng.uniform(-0.25, 0.25))
        seats.append((x + slide * half_w, y) if x == 0 else (x, y + slide * half_h))
    return tuple(seats)


def _matching(rng: np.random.Generator, cards: tuple[LaidCard, ...]) -> tuple[LaidCard, ...]:
    """The cards with faces that mostly fit what they cover; one in six does not."""
    labels = [cards[0].halves[0], cards[0].halves[1]]
    places = [cards[0].half_centre_mm(0), cards[0].half_centre_mm(1)]
    fitted = [cards[0]]
    for card in cards[1:]:
        end = int(np.argmin([np.hypot(*(card.half_centre_mm(1) - p)) for p in places]))
        covering = random_half(rng)
        if rng.random() < 0.84:
            colour, face = labels[end][0], labels[end][1]
            covering = colour + covering[1] if rng.random() < 0.5 else covering[0] + face
        free = random_half(rng)
        labels[end], places[end] = free, card.half_centre_mm(0)
        fitted.append(replace(card, halves=(free, covering)))
    return tuple(fitted)


def write_recording(seed: int, out: Path, moves: int = 16) -> Path:
    """Films the game of a seed; returns the video's path."""
    recording = Recording(seed, moves)
    path = out / f"{seed}.mp4"
    size = recording.stage.plane.image_size_px
    codec = cv2.VideoWriter.fourcc(*"mp4v")
    writer = cv2.VideoWriter(str(path), codec, recording.stage.rate_hz, size)
    for frame in recording.frames():
        writer.write(frame)
    writer.release()
    save_table(recording.table, out / f"{seed}.table.json")
    with (out / f"{seed}.game.jsonl").open("w", encoding="utf-8") as record:
        for line in recording.game.record():
            record.write(json.dumps(line) + "\n")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 3), metavar=("FIRST", "END"))
    parser.add_argument("--moves", type=int, default=16)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for seed in range(*chosen.seeds):
        sys.stdout.write(f"{write_recording(seed, chosen.out, chosen.moves)}\n")


if __name__ == "__main__":
    main()
