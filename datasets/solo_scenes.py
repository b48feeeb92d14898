"""Scenes with one-faced cards: a discard pile, cards spread out, hands and strays; exact truth.

The truth has the form of `datasets.scenes`: each card is *one* `TrueHalf`, a region of a half's
size in the middle of the card, where its large face is; the axis is the card's long one. So the
same finder and the same reader learn from both kinds of cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cameras import draw_camera
from datasets.canvas import Canvas
from datasets.layouts import LaidCard, draw_fan
from datasets.light import expose
from datasets.scenes import (
    PICTURE_SIZES,
    Scene,
    TrueHalf,
    bend,
    edge_point,
    lay_table,
    lay_things,
    over_cards,
    rounded_cover,
    scatter,
    worn,
)
from datasets.solo_editions import (
    COLOURED_FACES,
    COLOURLESS,
    SoloEdition,
    draw_solo_edition,
)
from vision.facts import CARD_MM, COLOURS

FACE_MM: Final = CARD_MM[1] / 2
"""Length along the card of the region that counts as its face; it is as wide as the card."""
_MOST_SPREAD: Final = 28
_NO_TOP: Final = ("kW", "nP")
"""Faces that look alike, or nearly so, from several sides."""


@dataclass(frozen=True, slots=True)
class SoloCard:
    """A one-faced card on the table."""

    label: str
    x_mm: float
    y_mm: float
    angle_deg: float
    """Clockwise in the picture; 0 means that it stands upright."""
    face_up: bool = True
    zone: str = "stray"
    """discard, pile, hand or stray."""
    held_up: bool = False
    size_mm: tuple[float, float] = CARD_MM

    def up(self) -> NDArray[np.float64]:
        """Unit vector from the card's middle to its top."""
        a = np.radians(self.angle_deg)
        return np.array([np.sin(a), -np.cos(a)])

    def corners_mm(self, length_mm: float | None = None) -> NDArray[np.float64]:
        """Its corners, clockwise from the top left, shape (4, 2); of its middle part, so long
        along the card, where ``length_mm`` is given."""
        up = self.up() * (self.size_mm[1] if length_mm is None else length_mm) / 2
        right = np.array([-self.up()[1], self.up()[0]]) * self.size_mm[0] / 2
        middle = np.array([self.x_mm, self.y_mm])
        return np.array([middle - right + up, middle + right + up,
                         middle + right - up, middle - right - up])  # fmt: skip


def random_label(rng: np.random.Generator) -> str:
    """Any face; those without a colour come more often than a deck has them."""
    if rng.random() < 0.22:
        return COLOURLESS[int(rng.integers(len(COLOURLESS)))]
    weights = np.array([0.7] + [1.0] * 9 + [1.6] * 4)
    weights[[6, 9]] = 1.8
    face = COLOURED_FACES[int(rng.choice(len(COLOURED_FACES), p=weights / weights.sum()))]
    return COLOURS[int(rng.integers(4))] + face


def lay_solo_cards(
    rng: np.random.Generator, canvas: Canvas, cards: list[SoloCard], edition: SoloEdition,
    light_from: NDArray[np.float64], wear: float, gloss: float,
) -> None:  # fmt: skip
    """Lays cards in their order; the face of card i is marked ``i + 1``."""
    cover = rounded_cover(edition.base.radius_mm)
    px = canvas.plane.px_per_mm()
    for i, card in enumerate(cards):
        corners = card.corners_mm()
        lift = float(rng.uniform(0.3, 1.6)) + (25 if card.held_up else 0)
        canvas.shade(corners, light_from * lift * px, 0.7 * lift * px, 0.35)
        face = edition.card(card.label) if card.face_up else edition.back
        canvas.lay(worn(rng, face, wear, gloss), cover, corners)
        canvas.mark(card.corners_mm(FACE_MM), i + 1)


def draw_heap(
    rng: np.random.Generator, centre: tuple[float, float], count: int, *, face_up: bool,
    zone: str, sloppy_mm: float, sloppy_deg: float,
) -> list[SoloCard]:  # fmt: skip
    """A pile, lowest first; an untidy one shows rims and corners of what lies below."""
    angle = float(rng.choice([0, 90])) + float(rng.normal(0, 10))
    heap: list[SoloCard] = []
    for _ in range(count):
        x, y = np.array(centre) + rng.normal(0, sloppy_mm, 2)
        turn = angle + float(rng.normal(0, sloppy_deg)) + (180 if rng.random() < 0.4 else 0)
        heap.append(SoloCard(random_label(rng), float(x), float(y), turn, face_up, zone))
    return heap


def render_solo_scene(
    seed: int, *, use_held_out: bool = False, close: bool = False, figured: bool = False
) -> Scene:
    """The scene of a seed. With ``use_held_out`` its fonts are none that training saw, with
    ``figured`` the table has a cloth with printed figures.

    ``close`` gives a small picture of cards spread out near by, in an edition of its own.
    """
    rng = np.random.default_rng([seed, 611953])
    if close:
        size, view_mm = (640, 360), float(rng.uniform(380, 800))
    else:
        size = PICTURE_SIZES[int(rng.choice(4, p=[0.5, 0.4, 0.06, 0.04]))]
        view_mm = float(rng.uniform(550, 1500))
    px_per_mm = max(size[0] / view_mm, 0.55)
    plane = draw_camera(rng, size, px_per_mm=px_per_mm)
    canvas = Canvas(plane)
    edition = draw_solo_edition(seed if close else seed // 3, use_held_out=use_held_out)
    half_w, half_h = size[0] / px_per_mm / 2, size[1] / px_per_mm / 2
    view = (-half_w, -half_h, half_w, half_h)
    lay_table(rng, canvas, seed, figured=figured)
    light_from = rng.normal(0, 0.6, 2)

    spread = close or rng.random() < 0.5
    cards = _spread(rng, view) if spread else _game(rng, view)
    cards = [replace(card, size_mm=edition.size_mm) for card in cards]
    face_up = [_as_laid(card) for card in cards if card.face_up]
    lay_things(canvas, scatter(rng, view, face_up, int(rng.choice([0, 1, 2, 4]))), light_from)
    wear = float(rng.choice([0, rng.uniform(0, 1)]))
    gloss = float(rng.choice([0, rng.uniform(0.05, 0.5)]))
    lay_solo_cards(rng, canvas, cards, edition, light_from, wear, gloss)
    over = over_cards(rng, view, face_up)
    lay_things(canvas, over, light_from)
    tags = ["hand"] if over else []

    shown = np.bincount(canvas.shown.ravel(), minlength=len(cards) + 1)
    image = canvas.image
    if plane.distortion is not None:
        image = bend(image, plane)
        tags.append("distortion")
    image, conditions = expose(rng, image)
    halves = tuple(_truth(canvas, card, i, int(shown[i + 1])) for i, card in enumerate(cards))
    return Scene(image, plane, halves, (), (*tags, *conditions), edition.base.seed)


def _as_laid(card: SoloCard) -> LaidCard:
    """The same place, for what asks where cards lie."""
    halves = (card.label, card.label)
    return LaidCard(halves, card.x_mm, card.y_mm, card.angle_deg, card.face_up, card.zone)


def _spread(rng: np.random.Generator, view: tuple[float, float, float, float]) -> list[SoloCard]:
    """Cards side by side, strewn or in rows, some touching or overlapping a little."""
    step_x, step_y = float(rng.uniform(62, 95)), float(rng.uniform(94, 130))
    strewn = 20.0 if rng.random() < 0.5 else 1.5
    turned = float(rng.choice([0, 2, 8, 180]))
    columns, rows = (
        np.arange(view[0] + 20, view[2], step_x),
        np.arange(view[1] + 20, view[3], step_y),
    )
    places = [(x, y) for x in columns for y in rows]
    count = min(int(len(places) * float(rng.uniform(0.4, 0.9))), _MOST_SPREAD)
    cards: list[SoloCard] = []
    for i in rng.permutation(len(places))[:count]:
        x, y = np.array(places[int(i)]) + rng.normal(0, strewn, 2)
        angle = float(rng.normal(0, turned)) + (180 if rng.random() < 0.3 else 0)
        cards.append(SoloCard(random_label(rng), float(x), float(y), angle))
    return cards


def _game(rng: np.random.Generator, view: tuple[float, float, float, float]) -> list[SoloCard]:
    """A game under way: a discard pile, a draw pile, hands at the rim, a stray or two."""
    middle = (view[0] + view[2]) / 2, (view[1] + view[3]) / 2
    spread = (view[2] - view[0]) * 0.15
    discard = (middle[0] + float(rng.normal(0, spread)), middle[1] + float(rng.normal(0, 40)))
    side = float(rng.choice([-1, 1])) * float(rng.uniform(85, 260))
    pile = (discard[0] + side, discard[1] + float(rng.normal(0, 20)))
    sloppy = float(rng.choice([1.5, 6, 14, 30]))
    cards = draw_heap(rng, pile, int(rng.integers(1, 5)), face_up=False, zone="pile",
                      sloppy_mm=1.5, sloppy_deg=2.0)  # fmt: skip
    for _ in range(int(rng.integers(0, 4))):
        at, outward = edge_point(rng, view)
        turn = outward + 90 + float(rng.normal(0, 20))
        face_up, held_up = bool(rng.random() < 0.35), bool(rng.random() < 0.3)
        fan = draw_fan(rng, at, turn, int(rng.integers(1, 9)), face_up=face_up, held_up=held_up)
        cards += [SoloCard(random_label(rng), c.x_mm, c.y_mm, c.angle_deg, face_up, "hand", held_up)
                  for c in fan]  # fmt: skip
    for _ in range(int(rng.integers(0, 4))):
        at = (float(rng.uniform(view[0], view[2])), float(rng.uniform(view[1], view[3])))
        if np.hypot(at[0] - discard[0], at[1] - discard[1]) > 130:
            angle = float(rng.uniform(0, 360))
            cards.append(SoloCard(random_label(rng), *at, angle, bool(rng.random() < 0.8)))
    return cards + draw_heap(rng, discard, int(rng.integers(1, 12)), face_up=True, zone="discard",
                             sloppy_mm=sloppy, sloppy_deg=2 * sloppy)  # fmt: skip


def _truth(canvas: Canvas, card: SoloCard, index: int, shown_px: int) -> TrueHalf:
    up = card.up()
    up_deg = float(np.degrees(np.arctan2(up[1], up[0])))
    area = abs(cv2.contourArea(canvas.flat_px(card.corners_mm(FACE_MM))))
    return TrueHalf(
        label=card.label,
        centre_mm=(card.x_mm, card.y_mm),
        axis_deg=up_deg % 180,
        visible=min(1.0, shown_px / max(area, 1.0)),
        card=index,
        face_up=card.face_up,
        zone=card.zone,
        held_up=card.held_up,
        glyph_up_deg=None if card.label in _NO_TOP else up_deg % 360,
    )
