"""A table to test with: cards laid, taken, nudged and shoved by hand, and what a reader sees.

The simulated reader is as good as a real one should be: centres within a few millimetres, axes
within a few degrees, each half read with its chance of being right.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.facts import COLOURS, FACES, Half

HALF_MM = 45.5

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in millimetres."""


@dataclass(frozen=True)
class Card:
    """A face-up card; `turn_deg` points from half ``labels[0]`` to half ``labels[1]``."""

    x_mm: float
    y_mm: float
    turn_deg: float
    labels: tuple[str, str]

    def centre_mm(self, which: int) -> tuple[float, float]:
        along = HALF_MM / 2 * (1 if which else -1)
        angle = math.radians(self.turn_deg)
        return self.x_mm + along * math.cos(angle), self.y_mm + along * math.sin(angle)

    def moved(self, turn_deg: float, dx_mm: float, dy_mm: float) -> Card:
        """Turned about the table's origin, then shifted."""
        angle = math.radians(turn_deg)
        cos, sin = math.cos(angle), math.sin(angle)
        return Card(
            cos * self.x_mm - sin * self.y_mm + dx_mm,
            sin * self.x_mm + cos * self.y_mm + dy_mm,
            self.turn_deg + turn_deg,
            self.labels,
        )

    def covers(self, points_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
        angle = math.radians(self.turn_deg)
        rest = points_mm - np.array([self.x_mm, self.y_mm])
        along = rest @ np.array([math.cos(angle), math.sin(angle)])
        across = rest @ np.array([-math.sin(angle), math.cos(angle)])
        return np.asarray((abs(along) < 45.5) & (abs(across) < 29.5), dtype=np.bool_)


@dataclass(frozen=True)
class Reading:
    """How well the simulated reader sees."""

    noise_mm: float = 1.5
    noise_deg: float = 2.0
    flipped: float = 0.0
    missed: float = 0.0
    misread: float = 0.0
    least_seen: float = 0.45


GOOD = Reading()


@dataclass
class Tabletop:
    """Cards in the order in which they were laid, and which of them are the line's places."""

    rng: random.Random
    offset_mm: float = 2.5
    askew_deg: float = 2.5
    cards: list[Card] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """(card, half) on top at each place of the line, end 0 first."""
    history: list[list[tuple[int, int]]] = field(default_factory=list)

    def label(self) -> str:
        return self.rng.choice(COLOURS) + self.rng.choice(FACES)

    def start(self, x_mm: float = 0.0, y_mm: float = 0.0, turn_deg: float = 0.0) -> None:
        self.cards.append(Card(x_mm, y_mm, turn_deg, (self.label(), self.label())))
        self.places = [(len(self.cards) - 1, 0), (len(self.cards) - 1, 1)]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.cards[card].labels[half] for card, half in self.places)

    def spot_mm(self, place: int) -> tuple[float, float]:
        card, half = self.places[place]
        return self.cards[card].centre_mm(half)

    def outward_deg(self, end: int) -> float:
        """The direction in which the line leaves at an end."""
        last, inner = (0, 1) if end == 0 else (-1, -2)
        (x1, y1), (x0, y0) = self.spot_mm(last), self.spot_mm(inner)
        return math.degrees(math.atan2(y1 - y0, x1 - x0))

    def lay(self, end: int, bend_deg: float = 0.0, labels: tuple[str, str] | None = None) -> Card:
        """Lay a card on an end; ``labels`` are its covering and its free half."""
        last = 0 if end == 0 else -1
        card, _ = self.places[last]
        # Cards are laid along their neighbour or squarely across, not along the crooked line.
        own = self.cards[card].turn_deg
        quarter = round((self.outward_deg(end) + bend_deg - own) / 90.0) * 90.0
        turn = own + quarter + self.rng.gauss(0, self.askew_deg)
        x, y = self.spot_mm(last)
        angle = math.radians(turn)
        new = Card(
            x + HALF_MM / 2 * math.cos(angle) + self.rng.gauss(0, self.offset_mm),
            y + HALF_MM / 2 * math.sin(angle) + self.rng.gauss(0, self.offset_mm),
            turn,
            labels or (self.label(), self.label()),
        )
        self.cards.append(new)
        index = len(self.cards) - 1
        self.history.append(list(self.places))
        if end == 0:
            self.places = [(index, 1), (index, 0), *self.places[1:]]
        else:
            self.places = [*self.places[:-1], (index, 0), (index, 1)]
        return new

    def take_back(self) -> Card:
        """Take the card that was laid last."""
        self.places = self.history.pop()
        return self.cards.pop()

    def put(self, card: Card) -> None:
        """Put a card anywhere; it is no part of the line."""
        self.cards.append(card)

    def shove(self, turn_deg: float, dx_mm: float, dy_mm: float) -> None:
        self.cards = [card.moved(turn_deg, dx_mm, dy_mm) for card in self.cards]

    def nudge(self, card: int, dx_mm: float, dy_mm: float, turn_deg: float = 0.0) -> None:
        c = self.cards[card]
        self.cards[card] = replace(
            c, x_mm=c.x_mm + dx_mm, y_mm=c.y_mm + dy_mm, turn_deg=c.turn_deg + turn_deg
        )

    def collides(self, end: int) -> bool:
        """Whether the half at an end lies on another stretch of the line."""
        spots = [self.spot_mm(i) for i in range(len(self.places))]
        if end == 1:
            spots.reverse()
        at = spots[0]
        return any(math.dist(at, spot) < 58.0 for spot in spots[2:3]) or any(
            math.dist(at, spot) < 66.0 for spot in spots[3:]
        )

    def grow(self, cards: int, bends: float = 0.12) -> None:
        """Lay cards at both ends, with bends, so that no stretch covers another."""
        for _ in range(cards):
            self.lay_somewhere(bends)

    def lay_somewhere(
        self, bends: float = 0.12, labels: Callable[[int], tuple[str, str]] | None = None
    ) -> tuple[int, Card]:
        """Lay a card on an end where there is room for it; returns the end and the card.

        ``labels`` tells what to lay on a given end.
        """
        for _ in range(60):
            end = self.rng.randrange(2)
            bend = self.rng.choice([-90.0, 90.0]) if self.rng.random() < bends else 0.0
            card = self.lay(end, bend, labels(end) if labels else None)
            if not self.collides(end):
                return end, card
            self.take_back()
            bends = max(bends, 0.3)  # out of a dead end
        raise RuntimeError("expected room for one more card at an end, found none")

    def seen(self, card: int, half: int) -> float:
        """Share of a half that no later card covers."""
        x, y = self.cards[card].centre_mm(half)
        above = [c for c in self.cards[card + 1 :] if math.dist((x, y), (c.x_mm, c.y_mm)) < 95.0]
        if not above:
            return 1.0
        points = self._grid(card, half)
        open_ = np.ones(len(points), dtype=bool)
        for other in above:
            open_ &= ~other.covers(points)
        return float(open_.mean())

    def _grid(self, card: int, half: int) -> NDArray[np.float64]:
        c = self.cards[card]
        x, y = c.centre_mm(half)
        angle = math.radians(c.turn_deg)
        u = np.array([math.cos(angle), math.sin(angle)])
        v = np.array([-u[1], u[0]])
        along, across = np.meshgrid(np.linspace(-20, 20, 6), np.linspace(-27, 27, 6))
        grid: NDArray[np.float64] = (
            np.array([x, y]) + along.reshape(-1, 1) * u + across.reshape(-1, 1) * v
        )
        return grid

    def read(self, reading: Reading = GOOD, hidden_mm: tuple[Box, ...] = ()) -> list[Half]:
        """What the reader finds; halves centred in a hidden box are not seen."""
        halves: list[Half] = []
        for card in range(len(self.cards)):
            for which in (0, 1):
                x, y = self.cards[card].centre_mm(which)
                if any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in hidden_mm):
                    continue
                seen = self.seen(card, which)
                if seen < reading.least_seen or self.rng.random() < reading.missed:
                    continue
                halves.append(self._half(card, which, seen, reading))
        self.rng.shuffle(halves)
        return halves

    def _half(self, card: int, which: int, seen: float, reading: Reading) -> Half:
        rng = self.rng
        c = self.cards[card]
        x, y = c.centre_mm(which)
        axis = c.turn_deg + rng.gauss(0, reading.noise_deg)
        if rng.random() < reading.flipped:
            axis += 90.0
        label = c.labels[which]
        if rng.random() < reading.misread:
            label = self.label()
        colour_p, face_p = probabilities(label)
        return Half(
            x + rng.gauss(0, reading.noise_mm),
            y + rng.gauss(0, reading.noise_mm),
            axis % 180.0,
            colour_p,
            face_p,
            seen=seen,
        )


def probabilities(label: str, sure: float = 0.97) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Colour and face probabilities of a reading that is likely ``label``."""
    other = (1 - sure) / (len(COLOURS) - 1)
    colour = tuple(sure if c == label[0] else other for c in COLOURS)
    other = (1 - sure) / (len(FACES) - 1)
    return colour, tuple(sure if f == label[1] else other for f in FACES)


def polygon(box: Box) -> NDArray[np.float64]:
    """A hidden box as the polygon that `follow` takes."""
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def same_order(found: tuple[str, ...], true: tuple[str, ...]) -> bool:
    """Whether two lines are the same, read from either end."""
    return found in (true, true[::-1])
