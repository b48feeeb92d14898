"""Whole scenes: a table with a game on it, its picture and its exact truth."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cameras import draw_camera
from datasets.canvas import Canvas
from datasets.clutter import Thing, draw_hand, draw_thing
from datasets.editions import Edition, Picture, draw_edition
from datasets.grounds import TEXTURE_PX_PER_MM
from datasets.layouts import LaidCard, draw_fan, draw_line, draw_stack, random_half, with_matches
from datasets.light import expose
from datasets.surfaces import draw_surface
from vision.facts import CARD_MM
from vision.plane import TablePlane

PICTURE_SIZES = ((960, 540), (1280, 720), (1600, 900), (1920, 1080))
_TABLE_MM = (1900.0, 1300.0)
_GUEST_SEED = 50_000_000
"""Close-up scenes show cards of a second edition, whose seed lies this much higher."""


@dataclass(frozen=True, slots=True)
class TrueHalf:
    """One half of a card in a scene, with the place and the share of it that is seen."""

    label: str
    centre_mm: tuple[float, float]
    axis_deg: float
    """Direction of the card's long axis, 0 <= axis < 180."""
    visible: float
    """Share of the whole half that the picture shows, 0...1."""
    card: int
    face_up: bool
    zone: str
    held_up: bool
    glyph_up_deg: float | None = None
    """Direction in which the top of the printed face points, degrees from +x, clockwise as
    ``axis_deg``; None where a face has no top."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered picture and what is on it."""

    image: Picture
    plane: TablePlane
    halves: tuple[TrueHalf, ...]
    line: tuple[int, ...]
    """Indices into ``halves``, from one end of the line to the other; empty without a line."""
    tags: tuple[str, ...]
    edition: int


_surfaces: OrderedDict[tuple[int, bool], Picture] = OrderedDict()


def _surface(seed: int, figured: bool) -> Picture:
    """A table top; the last few are kept, since neighbouring scenes share theirs."""
    key = (seed, figured)
    if key not in _surfaces:
        rng = np.random.default_rng([seed, 31])
        _surfaces[key] = draw_surface(rng, *_TABLE_MM, figured=figured)
        while len(_surfaces) > 4:
            _surfaces.popitem(last=False)
    return _surfaces[key]


_editions: OrderedDict[tuple[int, bool], Edition] = OrderedDict()


def _edition(seed: int, use_held_out: bool) -> Edition:
    key = (seed, use_held_out)
    if key not in _editions:
        _editions[key] = draw_edition(seed, use_held_out=use_held_out)
        while len(_editions) > 4:
            _editions.popitem(last=False)
    return _editions[key]


def rounded_cover(radius_mm: float) -> NDArray[np.uint8]:
    width = round(CARD_MM[0] * TEXTURE_PX_PER_MM)
    height = 2 * round(CARD_MM[1] / 2 * TEXTURE_PX_PER_MM)
    cover = np.zeros((height, width), np.uint8)
    r = int(radius_mm * TEXTURE_PX_PER_MM)
    cv2.rectangle(cover, (r, 0), (width - r, height), 255, -1)
    cv2.rectangle(cover, (0, r), (width, height - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(cover, (x, y), r, 255, -1, cv2.LINE_AA)
    return cover


def worn(rng: np.random.Generator, picture: Picture, wear: float, gloss: float) -> Picture:
    """A copy with the sheen, bend and scratches of one card of the deck."""
    worn = picture.astype(np.float32)
    if gloss:
        height, width = picture.shape[:2]
        y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
        slope = (x * rng.normal(0, 1) / width + y * rng.normal(0, 1) / height) * gloss
        sheen = cv2.resize(slope + float(rng.normal(0, gloss * 0.6)), (width, height))
        worn += sheen[..., None] * 60
    worn *= 1 + float(rng.normal(0, 0.03))
    if wear and rng.random() < 0.6:
        for _ in range(int(rng.integers(1, 8))):
            a = rng.uniform(0, 1, 2) * picture.shape[1::-1]
            b = a + rng.normal(0, 60, 2)
            shade = float(rng.uniform(150, 240)) if rng.random() < 0.7 else 60.0
            cv2.line(
                worn, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (shade,) * 3, 1, cv2.LINE_AA
            )
        edge = max(1, int(wear * 5))
        for strip in (worn[:edge], worn[-edge:], worn[:, :edge], worn[:, -edge:]):
            strip += (225 - strip) * wear * float(rng.uniform(0, 0.8))
    return np.clip(worn, 0, 255).astype(np.uint8)


def lay_cards(
    rng: np.random.Generator, canvas: Canvas, cards: list[LaidCard], edition: Edition,
    first: int, light_from: NDArray[np.float64], wear: float, gloss: float,
) -> None:  # fmt: skip
    """Lays cards in their order; half h of card i is marked ``2 * (first + i) + h + 1``."""
    cover = rounded_cover(edition.radius_mm)
    px = canvas.plane.px_per_mm()
    for i, card in enumerate(cards):
        corners = card.corners_mm()
        lift = float(rng.uniform(0.3, 1.6)) + (25 if card.held_up else 0)
        canvas.shade(corners, light_from * lift * px, 0.7 * lift * px, 0.35)
        face = edition.card(*card.halves) if card.face_up else edition.back
        canvas.lay(worn(rng, face, wear, gloss), cover, corners)
        for half in (0, 1):
            canvas.mark(card.half_polygon_mm(half), 2 * (first + i) + half + 1)


def lay_things(canvas: Canvas, things: list[Thing], light_from: NDArray[np.float64]) -> None:
    px = canvas.plane.px_per_mm()
    for thing in things:
        shift = light_from * thing.lift_mm * 0.5 * px
        if thing.cover.min() > 0:
            soft = max(1.0, thing.lift_mm * 0.3 * px)
            canvas.shade(thing.corners_mm, shift, soft, 0.4)
        else:  # a cut-out shape throws its own shape of shadow
            dark = np.zeros_like(thing.picture)
            shown = canvas.shown.copy()
            moved = thing.corners_mm + light_from * thing.lift_mm * 0.5
            soft_cover = cv2.GaussianBlur(thing.cover, (0, 0), 2 + thing.lift_mm * 0.25)
            canvas.lay(dark, (soft_cover * 0.35).astype(np.uint8), moved)
            canvas.shown = shown
        canvas.lay(thing.picture, thing.cover, thing.corners_mm)


def edge_point(
    rng: np.random.Generator, view: tuple[float, float, float, float]
) -> tuple[tuple[float, float], float]:
    """A place at the rim of the view and the direction outward from it, degrees from +x."""
    x0, y0, x1, y1 = view
    side = int(rng.integers(4))
    along = float(rng.uniform(0.15, 0.85))
    if side == 0:
        return (x0 + (x1 - x0) * along, y0), -90.0
    if side == 1:
        return (x1, y0 + (y1 - y0) * along), 0.0
    if side == 2:
        return (x0 + (x1 - x0) * along, y1), 90.0
    return (x0, y0 + (y1 - y0) * along), 180.0


def render_scene(
    seed: int,
    *,
    use_held_out: bool = False,
    close: bool = False,
    figured: bool = False,
    matching: float = 0.0,
) -> Scene:
    """The scene of a seed. With ``use_held_out`` its fonts are none that training saw, with
    ``figured`` the table has a cloth with printed figures. Such a share as ``matching`` of the
    line's cards surely covers a half of its own colour.

    ``close`` gives a small picture of a short line from near by, in an edition of its own: for
    the same time many more editions than whole tables show.
    """
    rng = np.random.default_rng([seed, 104729])
    if close:
        size = (640, 360)
        view_mm = float(rng.uniform(380, 800))
    else:
        size = PICTURE_SIZES[int(rng.choice(4, p=[0.5, 0.4, 0.06, 0.04]))]
        view_mm = float(rng.uniform(650, 1650))
    px_per_mm = max(size[0] / view_mm, 0.55)
    plane = draw_camera(rng, size, px_per_mm=px_per_mm)
    canvas = Canvas(plane)
    edition = _edition(seed if close else seed // 3, use_held_out)
    tags: list[str] = []

    half_w, half_h = size[0] / px_per_mm / 2, size[1] / px_per_mm / 2
    view = (-half_w, -half_h, half_w, half_h)
    lay_table(rng, canvas, seed, figured=figured)
    light_from = rng.normal(0, 0.6, 2)

    lengths = [rng.integers(1, 5), rng.integers(3, 12), rng.integers(10, 31)]
    count = 0 if rng.random() < 0.06 else int(rng.choice(lengths, p=[0.3, 0.4, 0.3]))
    if close:
        count = 3 + count % 6
    inner = (view[0] * 0.82, view[1] * 0.78, view[2] * 0.82, view[3] * 0.78)
    laid = draw_line(rng, count, inner) if count else None
    if laid and matching:
        laid = with_matches(np.random.default_rng([seed, 15_877]), laid, matching)
    cards: list[LaidCard] = list(laid.cards) if laid else []

    under = scatter(rng, view, cards, int(rng.choice([0, 1, 2, 4, 7])))
    lay_things(canvas, under, light_from)
    wear = float(rng.choice([0, rng.uniform(0, 1)]))
    gloss = float(rng.choice([0, rng.uniform(0.05, 0.5)]))

    others = _other_cards(rng, view, cards)
    guests = _strays(rng, view, cards, 7) if close else []
    other_edition = _edition(seed + _GUEST_SEED, use_held_out) if close else edition
    everything = [*guests, *others, *cards]
    editions = [other_edition] * len(guests) + [edition] * (len(others) + len(cards))
    lay_cards(rng, canvas, guests, other_edition, 0, light_from, wear, gloss)
    lay_cards(rng, canvas, everything[len(guests) :], edition, len(guests), light_from, wear, gloss)
    over = over_cards(rng, view, cards)
    if over:
        tags.append("hand")
    lay_things(canvas, over, light_from)

    shown = np.bincount(canvas.shown.ravel(), minlength=2 * len(everything) + 1)
    image = canvas.image
    if plane.distortion is not None:
        image = bend(image, plane)
        tags.append("distortion")
    image, conditions = expose(rng, image)
    halves = _truth(canvas, everything, editions, shown)
    base = len(guests) + len(others)
    order = tuple(2 * (base + h.card) + h.half for h in laid.order) if laid else ()
    return Scene(image, plane, halves, order, (*tags, *conditions), edition.seed)


def lay_table(
    rng: np.random.Generator, canvas: Canvas, seed: int, *, figured: bool = False
) -> None:
    floor = rng.uniform(20, 200) + rng.normal(0, 10, 3)
    canvas.image[:] = np.clip(floor, 0, 255).astype(np.uint8)
    surface = _surface(seed // 5, figured)
    grow = float(rng.choice([1.0, rng.uniform(0.5, 0.9)]))  # a small table shows the floor
    width, height = _TABLE_MM[0] * grow, _TABLE_MM[1] * grow
    x, y = rng.normal(0, 40, 2)
    w, h = int(surface.shape[1] * grow), int(surface.shape[0] * grow)
    corners = np.array([[x - width / 2, y - height / 2], [x + width / 2, y - height / 2],
                        [x + width / 2, y + height / 2], [x - width / 2, y + height / 2]])  # fmt: skip
    top = np.ascontiguousarray(surface[:h, :w])
    canvas.lay(top, np.full(top.shape[:2], 255, np.uint8), corners)


def scatter(
    rng: np.random.Generator, view: tuple[float, float, float, float], cards: list[LaidCard],
    count: int,
) -> list[Thing]:  # fmt: skip
    """Things on the table, most of them clear of the line."""
    things: list[Thing] = []
    for _ in range(count):
        at = (float(rng.uniform(view[0], view[2])), float(rng.uniform(view[1], view[3])))
        near = min((np.hypot(c.x_mm - at[0], c.y_mm - at[1]) for c in cards), default=1e9)
        if near > 120 or rng.random() < 0.15:
            things.append(draw_thing(rng, at))
    return things


def _other_cards(
    rng: np.random.Generator, view: tuple[float, float, float, float], cards: list[LaidCard]
) -> list[LaidCard]:
    """The draw pile, a call pile, hands at the rim, strays: cards that are not the line's."""

    def free_place() -> tuple[float, float] | None:
        for _ in range(12):
            x, y = float(rng.uniform(view[0], view[2])), float(rng.uniform(view[1], view[3]))
            if all(np.hypot(c.x_mm - x, c.y_mm - y) > 130 for c in cards):
                return x, y
        return None

    others: list[LaidCard] = []
    place = free_place()
    if place and rng.random() < 0.8:
        others += draw_stack(rng, place, int(rng.integers(1, 6)), face_up=False, zone="pile")
    place = free_place()
    if place and rng.random() < 0.2:
        others += draw_stack(rng, place, int(rng.integers(1, 4)), face_up=True, zone="call",
                             sloppy_mm=float(rng.uniform(1, 8)))  # fmt: skip
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        place = free_place()
        if place:
            others.append(LaidCard((random_half(rng), random_half(rng)), *place,
                                   float(rng.uniform(0, 360)), bool(rng.random() < 0.8), "stray"))  # fmt: skip
    for _ in range(int(rng.integers(0, 4))):
        at, outward = edge_point(rng, view)
        face_up = bool(rng.random() < 0.25)
        if all(np.hypot(c.x_mm - at[0], c.y_mm - at[1]) > 140 for c in cards):
            others += draw_fan(rng, at, outward + 90 + float(rng.normal(0, 20)),
                               int(rng.integers(1, 9)), face_up=face_up,
                               held_up=bool(rng.random() < 0.3))  # fmt: skip
    return others


def _strays(
    rng: np.random.Generator, view: tuple[float, float, float, float], cards: list[LaidCard],
    most: int,
) -> list[LaidCard]:  # fmt: skip
    """Single face-up cards strewn beside the line."""
    strays: list[LaidCard] = []
    for _ in range(4 * most):
        at = (float(rng.uniform(view[0], view[2])), float(rng.uniform(view[1], view[3])))
        clear = all(np.hypot(c.x_mm - at[0], c.y_mm - at[1]) > 75 for c in [*cards, *strays])
        if clear and len(strays) < most:
            halves = (random_half(rng), random_half(rng))
            strays.append(LaidCard(halves, *at, float(rng.uniform(0, 360)), True, "stray"))
    return strays


def over_cards(
    rng: np.random.Generator, view: tuple[float, float, float, float], cards: list[LaidCard]
) -> list[Thing]:
    """Hands over the table, now and then a small thing on top of the cards."""
    over: list[Thing] = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.68, 0.26, 0.06]))):
        rim, _ = edge_point(rng, view)
        if cards and rng.random() < 0.6:
            card = cards[int(rng.integers(len(cards)))]
            tip = (card.x_mm + float(rng.normal(0, 40)), card.y_mm + float(rng.normal(0, 40)))
        else:
            tip = (float(rng.uniform(view[0], view[2])), float(rng.uniform(view[1], view[3])))
        towards = float(np.degrees(np.arctan2(rim[1] - tip[1], rim[0] - tip[0])))
        over.append(draw_hand(rng, tip, towards))
    if cards and rng.random() < 0.1:
        card = cards[int(rng.integers(len(cards)))]
        over.append(draw_thing(rng, (card.x_mm + 50, card.y_mm + 40)))
    return over


def bend(image: Picture, plane: TablePlane) -> Picture:
    """Applies the lens's distortion to a picture that has none."""
    width, height = plane.image_size_px
    assert plane.camera_matrix_px is not None
    # A coarse grid is enough: distortion is smooth.
    grid = np.stack(np.meshgrid(np.linspace(0, width - 1, 65), np.linspace(0, height - 1, 37)), -1)
    source = cv2.undistortPoints(grid.reshape(-1, 1, 2), plane.camera_matrix_px, plane.distortion,
                                 P=plane.camera_matrix_px).reshape(grid.shape)  # fmt: skip
    # `cv2.resize` would take the grid's rim for half a cell from the picture's, and `cv2.remap`
    # knows 32 steps within a cell: here a pixel each.
    full = _spread(_spread(np.asarray(source, np.float64), height, 0), width, 1)
    maps = full.astype(np.float32)
    return np.asarray(
        cv2.remap(image, np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1]),
                  cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)  # fmt: skip


def _spread(values: NDArray[np.float64], count: int, axis: int) -> NDArray[np.float64]:
    """Values along an axis, of which the first and last stay so, as ``count`` values."""
    at = np.linspace(0, values.shape[axis] - 1, count)
    low = np.minimum(at.astype(int), values.shape[axis] - 2)
    share = np.expand_dims(at - low, tuple(i for i in range(values.ndim) if i != axis))
    below, above = values.take(low, axis), values.take(low + 1, axis)
    return np.asarray(below + share * (above - below), np.float64)


def _truth(
    canvas: Canvas, cards: list[LaidCard], editions: list[Edition], shown: NDArray[np.int64]
) -> tuple[TrueHalf, ...]:
    halves: list[TrueHalf] = []
    for i, (card, edition) in enumerate(zip(cards, editions, strict=True)):
        up = card.up()
        up_deg = float(np.degrees(np.arctan2(up[1], up[0])))
        axis = up_deg % 180
        for half in (0, 1):
            area = abs(cv2.contourArea(canvas.flat_px(card.half_polygon_mm(half))))
            seen = float(shown[2 * i + half + 1]) / max(area, 1.0)
            centre = card.half_centre_mm(half)
            halves.append(TrueHalf(card.halves[half], (float(centre[0]), float(centre[1])), axis,
                                   min(1.0, seen), i, card.face_up, card.zone, card.held_up,
                                   (up_deg + 180 * edition.stands_on_its_head(half)) % 360))  # fmt: skip
    return tuple(halves)
