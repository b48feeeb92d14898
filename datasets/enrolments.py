"""How people show their whole deck to a camera: a dozen photographs, or a film of two minutes.

For each seed a deck of 120 cards in an edition of held-out typefaces, a table, a camera and its
light. `photographs` gives the pictures, `film` the frames of a film in which the cards are laid
out one after another, a table full at a time; both with what is truly there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from datasets.cameras import draw_camera
from datasets.canvas import Canvas
from datasets.clutter import draw_hand
from datasets.editions import Edition, Picture, draw_edition
from datasets.games import invented_deck
from datasets.layouts import LaidCard
from datasets.light import Camera, compress, draw_light
from datasets.scenes import lay_cards, lay_table, lay_things
from referee.rules.cards import parse_card
from referee.rules.deck import cards_of, make_deck
from vision.facts import CARD_MM
from vision.plane import TablePlane

PICTURE_PX = (1920, 1080)
FILM_PX = (1280, 720)
RATE_HZ = 8.0
"""Frames a second of a film: enough to see each card lie, and quick to render."""
LIES_S = 0.55
"""How long the hand takes from one card to the next."""
_GAP_MM = 12.0
_LIFT = np.array([0.3, 0.4])


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A picture of a part of the deck."""

    image: Picture
    plane: TablePlane
    cards: tuple[str, ...]
    """What lies there, in contract notation."""


@dataclass(frozen=True, slots=True, eq=False)
class Showing:
    """A deck about to be shown; the same seed shows the same."""

    seed: int
    edition: Edition
    cards: tuple[str, ...]
    """All of them, shuffled."""

    @staticmethod
    def of(seed: int, edition: Edition | None = None, cards: int = 120) -> Showing:
        """The deck of a seed, in its own edition or a given one."""
        deck = make_deck(invented_deck(Random(seed), cards))
        order = [str(card) for card in cards_of(deck)]
        Random(seed + 1).shuffle(order)
        return Showing(seed, edition or draw_edition(seed, use_held_out=True), tuple(order))

    def photographs(self, columns: int = 5, rows: int = 2) -> Iterator[Photograph]:
        """Pictures of spreads, each under the same lamp, from a hand that holds a telephone."""
        rng = np.random.default_rng([self.seed, 611])
        camera = _lamp(rng, PICTURE_PX)
        each = columns * rows
        for k in range(0, len(self.cards), each):
            plane = draw_camera(
                rng,
                PICTURE_PX,
                px_per_mm=PICTURE_PX[0] / (columns * 112.0),
                max_tilt_deg=25,
            )
            shown = self.cards[k : k + each]
            canvas = Canvas(plane)
            lay_table(rng, canvas, self.seed)
            laid = _spread(rng, shown, columns, rows)
            lay_cards(rng, canvas, laid, self.edition, 0, _LIFT, 0.3, 0.15)
            plane = TablePlane(plane.mm_to_px, plane.image_size_px)
            image = compress(rng, camera.take(rng, canvas.image))
            yield Photograph(image, plane, shown)

    def film_plane(self) -> TablePlane:
        """What the film's camera sees."""
        rng = np.random.default_rng([self.seed, 613])
        plane = draw_camera(rng, FILM_PX, px_per_mm=FILM_PX[0] / 860.0, max_tilt_deg=25)
        return TablePlane(plane.mm_to_px, plane.image_size_px)

    def film(self, columns: int = 8, rows: int = 3) -> Iterator[Picture]:
        """The frames of a film, `RATE_HZ` a second."""
        rng = np.random.default_rng([self.seed, 617])
        camera = _lamp(rng, FILM_PX)
        plane = self.film_plane()
        table = Canvas(plane)
        lay_table(rng, table, self.seed)
        hand = draw_hand(rng, (0.0, 0.0), 90.0)
        stay = max(2, round(LIES_S * RATE_HZ))
        each = columns * rows
        for k in range(0, len(self.cards), each):
            below = table.image
            for card in _spread(rng, self.cards[k : k + each], columns, rows):
                canvas = Canvas(plane)
                canvas.image = below.copy()
                lay_cards(rng, canvas, [card], self.edition, 0, _LIFT, 0.0, 0.1)
                for step in range(stay):
                    with_hand = Canvas(plane)
                    # The hand lays the card, then draws back to the deck at the lower rim.
                    with_hand.image = (below if step == 0 else canvas.image).copy()
                    away = 25.0 + 260.0 * step / stay
                    where = np.array([card.x_mm, card.y_mm + away])
                    lay_things(
                        with_hand, [replace(hand, corners_mm=hand.corners_mm + where)], _LIFT
                    )
                    yield camera.take(rng, with_hand.image)
                below = canvas.image
            for _ in range(round(1.2 * RATE_HZ)):
                yield camera.take(rng, below)
            for reach in (250.0, 60.0, -60.0, 60.0, 250.0):  # the cards are swept away
                swept = Canvas(plane)
                swept.image = (below if reach > 100 else table.image).copy()
                arm = hand.corners_mm + np.array([0.0, reach])
                lay_things(swept, [replace(hand, corners_mm=arm)], _LIFT)
                yield camera.take(rng, swept.image)
            for _ in range(3):
                yield camera.take(rng, table.image)


def _lamp(rng: np.random.Generator, size_px: tuple[int, int]) -> Camera:
    """Light as somebody chooses it who wants a deck to be read: no glare, no shaking, not dim."""
    while True:
        camera = draw_light(rng, size_px[1], size_px[0])
        if not set(camera.tags) & {"glare", "dim", "defocus", "motion", "hard_light"}:
            return replace(camera, noise=min(camera.noise, 0.02))


def _spread(
    rng: np.random.Generator, cards: tuple[str, ...], columns: int, rows: int
) -> list[LaidCard]:
    """Cards in rows, laid by hand; any of them may lie the other way up."""
    laid: list[LaidCard] = []
    for i, text in enumerate(cards):
        column, row = i % columns, i // columns
        x = (column - (columns - 1) / 2) * (CARD_MM[0] + _GAP_MM) + float(rng.normal(0, 2))
        y = (row - (rows - 1) / 2) * (CARD_MM[1] + _GAP_MM) + float(rng.normal(0, 2))
        first, second = (str(half) for half in parse_card(text).halves)
        angle = float(rng.normal(0, 3)) + 180.0 * int(rng.integers(2))
        laid.append(LaidCard((first, second), x, y, angle, True, "stray"))
    return laid
