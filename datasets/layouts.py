"""Where cards lie: lines as people lay them, piles, fans and strays, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM, COLOURS, FACES

Vector = NDArray[np.float64]
HALF_LENGTH_MM = CARD_MM[1] / 2
STEP_MM = CARD_MM[1] / 2


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table."""

    halves: tuple[str, str]
    x_mm: float
    y_mm: float
    angle_deg: float
    """Clockwise in the picture; 0 means that the first half is up."""
    face_up: bool
    zone: str
    """line, call, hand, pile or stray."""
    held_up: bool = False

    def up(self) -> Vector:
        """Unit vector from the card's middle to its first half."""
        a = np.radians(self.angle_deg)
        return np.array([np.sin(a), -np.cos(a)])

    def corners_mm(self) -> Vector:
        """The four corners, clockwise from the first half's left, shape (4, 2)."""
        up = self.up()
        right = np.array([-up[1], up[0]])
        centre = np.array([self.x_mm, self.y_mm])
        half_w, half_h = CARD_MM[0] / 2, CARD_MM[1] / 2
        return np.array([
            centre - right * half_w + up * half_h,
            centre + right * half_w + up * half_h,
            centre + right * half_w - up * half_h,
            centre - right * half_w - up * half_h,
        ])  # fmt: skip

    def half_polygon_mm(self, which: int) -> Vector:
        """Half 0 or 1: clockwise, its short outer edge first, shape (4, 2)."""
        a, b, c, d = self.corners_mm()
        if which == 0:
            return np.array([a, b, (b + c) / 2, (a + d) / 2])
        return np.array([c, d, (a + d) / 2, (b + c) / 2])

    def half_centre_mm(self, which: int) -> Vector:
        """Centre of half 0 or 1."""
        sign = 1 if which == 0 else -1
        return np.array([self.x_mm, self.y_mm]) + sign * self.up() * HALF_LENGTH_MM / 2


@dataclass(frozen=True, slots=True)
class LineHalf:
    """One visible half of the line: which half of which card (by its place in the list)."""

    card: int
    half: int


@dataclass(frozen=True, slots=True)
class LaidLine:
    """A card line: its cards from the lowest up, and its halves from one end to the other."""

    cards: tuple[LaidCard, ...]
    order: tuple[LineHalf, ...]


def random_half(rng: np.random.Generator, face: str | None = None) -> str:
    """Any half card; what is hard to tell comes more often: actions, and 6 and 9 by their marks."""
    colour = COLOURS[int(rng.integers(4))]
    weights = np.array([1.0] * 10 + [1.5] * 6)
    weights[[6, 9]] = 2.5
    drawn = FACES[int(rng.choice(len(FACES), p=weights / weights.sum()))]
    return colour + (face or drawn)


def _card_from(covering: Vector, direction: Vector, halves: tuple[str, str], zone: str) -> LaidCard:
    """The card whose second half is centred at ``covering`` and whose first lies onward."""
    centre = covering + direction * HALF_LENGTH_MM / 2
    angle = float(np.degrees(np.arctan2(direction[0], -direction[1])))
    return LaidCard(halves, float(centre[0]), float(centre[1]), angle, True, zone)


def draw_line(
    rng: np.random.Generator, count: int, area_mm: tuple[float, float, float, float]
) -> LaidLine:
    """A line of up to ``count`` cards inside ``area_mm`` (x0, y0, x1, y1).

    Each card covers the half at one end with one of its own, a few millimetres and degrees
    off; it turns off by a right angle where the edge is near, or now and then for no reason.
    Shorter where no room is left.
    """
    x0, y0, x1, y1 = area_mm
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    spread = np.array([x1 - x0, y1 - y0]) * 0.22
    start = middle + rng.uniform(-1, 1, 2) * spread
    base = float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 12))
    if rng.random() < 0.2:
        base = float(rng.uniform(0, 360))
    up = np.array([np.sin(np.radians(base)), -np.cos(np.radians(base))])
    cards = [LaidCard((random_half(rng), random_half(rng)), float(start[0]), float(start[1]),
                      base, True, "line")]  # fmt: skip
    order = [LineHalf(0, 0), LineHalf(0, 1)]
    tips = [start + up * HALF_LENGTH_MM / 2, start - up * HALF_LENGTH_MM / 2]
    ways = [up, -up]
    laid = list(tips)
    tidy = float(rng.choice([0.5, 1.0, 1.0, 1.8]))
    bend_chance = float(rng.choice([0.0, 0.03, 0.08, 0.25]))
    lean = float(rng.uniform(0.3, 0.7)) if rng.random() < 0.8 else float(rng.integers(2))
    for index in range(1, count):
        placed = False
        side = int(rng.random() < lean)
        for end in (side, 1 - side):
            turns = [0.0, 90.0, -90.0] if rng.random() < 0.5 else [0.0, -90.0, 90.0]
            if rng.random() < bend_chance:
                turns = turns[1:] + turns[:1]
            for turn in turns:
                angle = np.radians(turn + float(rng.normal(0, 2.0 * tidy)))
                c, s = np.cos(angle), np.sin(angle)
                way = np.array([c * ways[end][0] - s * ways[end][1],
                                s * ways[end][0] + c * ways[end][1]])  # fmt: skip
                along = float(rng.normal(0.5, 1.6 * tidy))
                across = float(rng.normal(0, 1.8 * tidy))
                covering = tips[end] + ways[end] * along + np.array([-way[1], way[0]]) * across
                free = covering + way * STEP_MM
                inside = x0 + 30 < free[0] < x1 - 30 and y0 + 30 < free[1] < y1 - 30
                clear = all(np.hypot(*(free - other)) > 60 for other in laid
                            if np.hypot(*(other - tips[end])) > 8)  # fmt: skip
                if inside and clear:
                    placed = True
                    break
            if placed:
                break
        if not placed:
            break
        halves = (random_half(rng), random_half(rng))
        cards.append(_card_from(covering, way, halves, "line"))
        new = [LineHalf(index, 1), LineHalf(index, 0)]
        order = [new[1], new[0], *order[1:]] if end == 0 else [*order[:-1], *new]
        tips[end], ways[end] = free, way
        laid += [covering, free]
    return LaidLine(tuple(cards), tuple(order))


def with_matches(rng: np.random.Generator, line: LaidLine, share: float) -> LaidLine:
    """The line in which such a share of the cards cover a half of their own colour, as in a game
    that keeps to the rules: there what peeps out from below hardly stands out."""
    cards = list(line.cards)
    for k in range(1, len(cards)):
        covering = cards[k].half_centre_mm(1)  # as `_card_from` lays it
        _, j, which = min(
            (float(np.hypot(*(cards[j].half_centre_mm(which) - covering))), j, which)
            for j in range(k)
            for which in (0, 1)
        )
        if rng.random() < share:
            free, laid = cards[k].halves
            cards[k] = replace(cards[k], halves=(free, cards[j].halves[which][0] + laid[1:]))
    return replace(line, cards=tuple(cards))


def draw_stack(
    rng: np.random.Generator, centre: tuple[float, float], count: int, *, face_up: bool,
    zone: str, sloppy_mm: float = 1.0,
) -> list[LaidCard]:  # fmt: skip
    """A pile of cards, lowest first: a draw pile, a call pile."""
    angle = float(rng.choice([0, 90])) + float(rng.normal(0, 10))
    pile: list[LaidCard] = []
    for _ in range(count):
        x, y = np.array(centre) + rng.normal(0, sloppy_mm, 2)
        pile.append(LaidCard((random_half(rng), random_half(rng)), float(x), float(y),
                             angle + float(rng.normal(0, sloppy_mm * 1.5)), face_up, zone))  # fmt: skip
    return pile


def draw_fan(
    rng: np.random.Generator, centre: tuple[float, float], outward_deg: float, count: int,
    *, face_up: bool, held_up: bool,
) -> list[LaidCard]:  # fmt: skip
    """A hand of cards fanned out about a point beyond its middle."""
    spread = float(rng.uniform(4, 16))
    radius = float(rng.uniform(60, 120))
    fan: list[LaidCard] = []
    for i in range(count):
        angle = outward_deg + (i - (count - 1) / 2) * spread + float(rng.normal(0, 1.5))
        a = np.radians(angle)
        pivot = np.array(centre)
        x, y = pivot + radius * (np.array([np.sin(a), -np.cos(a)]) -
                                 np.array([np.sin(np.radians(outward_deg)),
                                           -np.cos(np.radians(outward_deg))]))  # fmt: skip
        fan.append(LaidCard((random_half(rng), random_half(rng)), float(x), float(y), angle,
                            face_up, "hand", held_up))  # fmt: skip
    return fan
