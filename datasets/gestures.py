"""What arms and cameras do in the course of time, a step for each picture that is taken.

A gesture is a generator: it is advanced once before each picture and yields where its arm is
then. Gestures that go on at the same time are advanced together, so that arms may cross.
Everything lasts seconds, whatever the frame rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.film import Film, Point, Reach
from datasets.layouts import LaidCard

Gesture = Iterator[Reach | None]
"""Where an arm is, picture by picture; None where nothing of it is to be seen."""

_OUTSIDE_MM = 380.0
"""How far beyond the view's rim a resting hand stays."""


@dataclass(slots=True)
class Clock:
    """The time of the picture that is taken next."""

    now_s: float = 0.0


class Gestures:
    """The movements that hands make over a table."""

    def __init__(self, film: Film, rng: np.random.Generator, clock: Clock) -> None:
        self._film = film
        self._rng = rng
        self._clock = clock

    def come(
        self, player: int, to: Point, carried: LaidCard | None = None, s: float = 0.55
    ) -> Gesture:
        """From outside the picture to a place, slow at both ends."""
        return self.sweep(player, self._rim(player), to, s, carried)

    def go(
        self, player: int, start: Point, carried: LaidCard | None = None, s: float = 0.5
    ) -> Gesture:
        """The hand goes home."""
        return self.sweep(player, start, self._rim(player), s, carried)

    def sweep(
        self, player: int, start: Point, stop: Point, seconds: float, carried: LaidCard | None
    ) -> Gesture:
        """From place to place."""
        lasts_s = seconds * float(self._rng.uniform(0.8, 1.5))
        for share in self._shares(lasts_s):
            eased = 0.5 - 0.5 * float(np.cos(np.pi * share))
            at = (start[0] + (stop[0] - start[0]) * eased, start[1] + (stop[1] - start[1]) * eased)
            yield Reach(player, at, None if carried is None else _moved_to(carried, at))

    def stay(
        self, player: int, at: Point, seconds: float, tremble_mm: float = 0.0,
        carried: LaidCard | None = None,
    ) -> Gesture:  # fmt: skip
        """Stays at a place; a hand in the air trembles."""
        for _ in self._shares(seconds):
            dx, dy = self._rng.normal(0, tremble_mm, 2) if tremble_mm else (0.0, 0.0)
            spot = (at[0] + float(dx), at[1] + float(dy))
            yield Reach(player, spot, None if carried is None else _moved_to(carried, spot))

    def pause(self, seconds: float) -> Gesture:
        """Nothing, for so long."""
        for _ in self._shares(seconds):
            yield None

    def push(
        self, player: int, spot: Point, step_mm: NDArray[np.float64], move: Callable[[float], None]
    ) -> Gesture:
        """Pushes cards along: ``move`` is told how much of the way they have come."""
        for share in self._shares(0.5):
            move(share)
            yield Reach(player, (spot[0] + float(step_mm[0]) * share,
                                 spot[1] + float(step_mm[1]) * share))  # fmt: skip
        move(1.0)

    # -- what the camera does

    def bump(self) -> Gesture:
        """Somebody knocks against the camera: it shakes, and looks elsewhere from then on."""
        rng, before = self._rng, self._film.sway
        after = _knocked(rng, self._film.plane.image_size_px, shift=0.02, turn_deg=1.2)
        for share in self._shares(float(rng.uniform(0.12, 0.4))):
            shake = rng.normal(0, 6 * (1 - share), 2)
            self._film.sway = _shift(shake) @ ((1 - share) * before + share * (after @ before))
            yield None
        self._film.sway = after @ before
        yield None

    def drift(self) -> Gesture:
        """The camera's arm sinks slowly."""
        before = self._film.sway
        after = _knocked(self._rng, self._film.plane.image_size_px, shift=0.02, turn_deg=0.6)
        for share in self._shares(float(self._rng.uniform(6, 14))):
            self._film.sway = (1 - share) * before + share * (after @ before)
            yield None

    def flicker(self) -> Gesture:
        """The exposure hunts for a new level and finds it, or the old one."""
        rng, film = self._rng, self._film
        level = film.gain
        aim = level * float(rng.uniform(0.72, 1.3))
        for share in self._shares(float(rng.uniform(0.3, 1.2))):
            film.gain = level + (aim - level) * min(1.0, 1.4 * share) + 0.03 * float(rng.normal())
            yield None
        film.gain = aim if rng.random() < 0.5 and 0.7 < aim < 1.4 else 1.0
        yield None

    def focus(self) -> Gesture:
        """The lens hunts for focus."""
        most = float(self._rng.uniform(1.5, 3.5))
        for share in self._shares(float(self._rng.uniform(0.5, 1.3))):
            self._film.blur_px = most * float(np.sin(np.pi * share))
            yield None
        self._film.blur_px = 0.0
        yield None

    def _shares(self, seconds: float) -> Iterator[float]:
        """How much of a time span has passed, for each picture in it; at least two."""
        began_s, count = self._clock.now_s, 0
        while count < 2 or self._clock.now_s - began_s < seconds:
            count += 1
            yield min(1.0, (self._clock.now_s - began_s) / max(seconds, 1e-6))

    def _rim(self, player: int) -> Point:
        x, y = self._film.seats[player]
        length = float(np.hypot(x, y))
        return x * (1 + _OUTSIDE_MM / length), y * (1 + _OUTSIDE_MM / length)


def _moved_to(card: LaidCard, at: Point) -> LaidCard:
    return LaidCard(card.halves, *at, card.angle_deg, card.face_up, card.zone, card.held_up)


def _shift(by_px: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([[1.0, 0.0, by_px[0]], [0.0, 1.0, by_px[1]], [0.0, 0.0, 1.0]])


def _knocked(
    rng: np.random.Generator, size_px: tuple[int, int], *, shift: float, turn_deg: float
) -> NDArray[np.float64]:
    """A homography as of a camera that was turned a little; ``shift`` is a share of the width."""
    width, height = size_px
    middle = np.array([width / 2, height / 2])
    angle = np.radians(float(rng.uniform(-turn_deg, turn_deg)))
    scale = 1 + float(rng.uniform(-0.008, 0.008))
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0],
                     [0, 0, 1 / scale]])  # fmt: skip
    way = float(rng.uniform(0, 2 * np.pi))
    by = shift * max(size_px) * float(rng.uniform(0.3, 1)) * np.array([np.cos(way), np.sin(way)])
    moved = _shift(by) @ _shift(middle) @ turn @ _shift(-middle)
    return np.asarray(moved / moved[2, 2], np.float64)
