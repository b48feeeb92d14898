"""Invented editions of the cards: every seed gives a whole deck's look.

An edition fixes what a print run fixes: the four inks, the ground, the typeface, the six
icons, corner indices, how 6 and 9 are told apart, which way the halves read, and the back.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.fonts import font_names, held_out, text_mask
from datasets.grounds import GROUNDS, HALF_PX, TEXTURE_PX_PER_MM, Colour, Paint, blend, rounded
from datasets.icons import icon_mask
from vision.facts import COLOURS, FACES

Picture = NDArray[np.uint8]

_GROUND_NAMES = ("full", "framed", "oval", "panel", "split", "shaded", "band", "paper")
READINGS = ("outward", "inward", "same")

_SHOWY = ("aenigma", "larabie", "dustin", "isabella", "femkeklaver", "ecolier")

# Hue ranges in degrees: what people still call by the four names.
_HUES = {"r": (-14.0, 13.0), "y": (36.0, 62.0), "g": (76.0, 168.0), "b": (194.0, 248.0)}


def _bgr(hue_deg: float, saturation: float, value: float) -> Colour:
    r, g, b = colorsys.hsv_to_rgb((hue_deg % 360) / 360, saturation, value)
    return (b * 255, g * 255, r * 255)


@dataclass(frozen=True, slots=True)
class Edition:
    """The look of one print run; `half` and `card` draw its faces."""

    seed: int
    held_out: bool
    inks: dict[str, Colour]
    pale: dict[str, Colour]
    """A second, lighter or darker shade of each ink, for split and shaded grounds."""
    white: Colour
    ground: str
    reading: str
    font: str
    glyph_height: float
    """Height of the digit as a share of the half's height."""
    icon_scale: float
    glyph_white: bool
    """Whether the glyph is light on the ink, where the ground leaves the choice."""
    outline_mm: float
    shadow: bool
    slant: float
    border_mm: float
    radius_mm: float
    corner_index: str
    """none, one, two: small copies of the face in the half's corners."""
    mark: str
    """What tells 6 from 9: a bar or a dot below, or none: only how the deck's faces stand."""
    divider: str
    texture: float
    icons: dict[str, NDArray[np.uint8]] = field(repr=False)
    back: Picture = field(repr=False)
    _glyphs: dict[str, NDArray[np.uint8]] = field(default_factory=dict, repr=False)
    _halves: dict[str, Picture] = field(default_factory=dict, repr=False)

    def half(self, label: str) -> Picture:
        """The half ``label`` (such as ``r2``), its short outer edge at the top."""
        if label not in self._halves:
            drawn = _draw_half(self, label[0], label[1])
            self._halves[label] = drawn
        return self._halves[label]

    def stands_on_its_head(self, half: int) -> bool:
        """Whether the face of half 0 (at the card's top) or 1 points away from the top."""
        return (self.reading, half) in (("inward", 0), ("outward", 1))

    def card(self, first: str, second: str) -> Picture:
        """A whole card, ``first`` at the top; no transparency, corners still square."""
        halves = [
            self.half(label)[::-1, ::-1] if self.stands_on_its_head(i) else self.half(label)
            for i, label in enumerate((first, second))
        ]
        card = np.ascontiguousarray(np.vstack(halves))
        middle = HALF_PX[0]
        if self.divider == "line":
            cv2.line(card, (0, middle), (HALF_PX[1], middle), self.white, 3)
        elif self.divider == "dark":
            cv2.line(card, (12, middle), (HALF_PX[1] - 12, middle), (40, 40, 40), 2)
        if self.border_mm > 0:
            edge = int(self.border_mm * TEXTURE_PX_PER_MM)
            frame = np.zeros(card.shape[:2], np.uint8)
            rounded(frame, edge, edge, card.shape[1] - edge, card.shape[0] - edge, edge * 2, 255)
            card[frame == 0] = np.array(self.white, np.uint8)
        return card


def draw_edition(seed: int, *, use_held_out: bool = False) -> Edition:
    """The edition of a seed: the same seed and the same fonts give the same deck.

    ``use_held_out`` draws the digits in fonts that training never sees.
    """
    rng = np.random.default_rng([seed, 7919])
    font = _choose_font(rng, use_held_out)
    saturation = float(rng.choice([rng.uniform(0.35, 0.6), rng.uniform(0.6, 1.0)], p=[0.22, 0.78]))
    brightness = float(rng.uniform(0.55, 1.0))
    inks: dict[str, Colour] = {}
    pale: dict[str, Colour] = {}
    for colour in COLOURS:
        low, high = _HUES[colour]
        hue = float(rng.uniform(low, high))
        sat = float(np.clip(saturation + rng.normal(0, 0.08), 0.3, 1))
        value = float(np.clip(brightness + rng.normal(0, 0.1), 0.4, 1))
        if colour == "y":
            value = max(value, 0.72)
        inks[colour] = _bgr(hue, sat, value)
        lighter = rng.random() < 0.5
        factor = float(rng.uniform(1.1, 1.35) if lighter else rng.uniform(0.72, 0.9))
        pale[colour] = _bgr(hue, sat * (0.8 if lighter else 1), min(1.0, value * factor))
    warm = float(rng.uniform(0, 22))
    white = float(rng.uniform(225, 255))
    ground = str(rng.choice(_GROUND_NAMES, p=[0.24, 0.14, 0.15, 0.1, 0.1, 0.1, 0.07, 0.1]))
    icons = {face: icon_mask(face, rng, font) for face in "SRDXPC"}
    return Edition(
        seed=seed,
        held_out=use_held_out,
        inks=inks,
        pale=pale,
        white=(white - warm, white - warm * 0.4, white),
        ground=ground,
        reading=str(rng.choice(READINGS, p=[0.45, 0.25, 0.3])),
        font=font,
        glyph_height=float(rng.uniform(0.42, 0.78)),
        icon_scale=float(rng.uniform(0.55, 0.86)),
        glyph_white=bool(rng.random() < 0.72),
        outline_mm=float(rng.choice([0, 0, rng.uniform(0.3, 1.2)])),
        shadow=bool(rng.random() < 0.2),
        slant=float(rng.choice([0, 0, rng.uniform(-0.25, 0.25)])),
        border_mm=float(rng.choice([0, 0, rng.uniform(1, 4)])),
        radius_mm=float(rng.uniform(1.5, 5.5)),
        corner_index=str(rng.choice(["none", "one", "two"], p=[0.5, 0.15, 0.35])),
        mark=str(rng.choice(["bar", "dot", "none"], p=[0.78, 0.16, 0.06])),
        divider=str(rng.choice(["none", "line", "dark"], p=[0.6, 0.28, 0.12])),
        texture=float(rng.choice([0, 0, rng.uniform(0.02, 0.08)])),
        icons=icons,
        back=_draw_back(rng),
    )


def _choose_font(rng: np.random.Generator, use_held_out: bool) -> str:
    """A typeface: four times in five a plain one, else one of the showy families."""
    fonts = [name for name in font_names() if held_out(name) == use_held_out]
    showy = [name for name in fonts if any(word in name for word in _SHOWY)]
    plain = [name for name in fonts if name not in set(showy)]
    pool = showy if showy and (rng.random() < 0.2 or not plain) else plain
    return pool[int(rng.integers(len(pool)))] if pool else font_names()[0]


def _glyph(edition: Edition, face: str) -> NDArray[np.uint8]:
    """Coverage of the face's drawing, cropped to its ink, at the edition's size."""
    if face in edition._glyphs:
        return edition._glyphs[face]
    if face.isdigit():
        height = int(edition.glyph_height * HALF_PX[0])
        mask = slanted(text_mask(face, edition.font, height), edition.slant)
        if face in "69" and edition.mark != "none":
            mask = _with_mark(mask, edition.mark, np.random.default_rng([edition.seed, 69]))
    else:
        side = int(edition.icon_scale * HALF_PX[0])
        mask = cv2.resize(edition.icons[face], (side, side), interpolation=cv2.INTER_AREA).astype(
            np.uint8
        )
    limit_h, limit_w = int(HALF_PX[0] * 0.9), int(HALF_PX[1] * 0.8)
    scale = min(1.0, limit_h / mask.shape[0], limit_w / mask.shape[1])
    if scale < 1:
        size = (max(2, int(mask.shape[1] * scale)), max(2, int(mask.shape[0] * scale)))
        mask = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    edition._glyphs[face] = mask
    return mask


def slanted(mask: NDArray[np.uint8], slant: float) -> NDArray[np.uint8]:
    """A digit's coverage leaning to the right, or to the left where ``slant`` is negative."""
    if not slant:
        return mask
    height = mask.shape[0]
    width = mask.shape[1] + int(abs(slant) * height) + 2
    shear = np.array([[1, -slant, max(0.0, slant) * height], [0, 1, 0]], np.float64)
    return np.asarray(cv2.warpAffine(mask, shear, (width, height)), np.uint8)


def _with_mark(mask: NDArray[np.uint8], mark: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The digit with a bar or dot below that tells 6 from 9; how large, the edition decides."""
    height, width = mask.shape
    gap = max(2, int(height * rng.uniform(0.05, 0.14)))
    thick = max(2, int(height * rng.uniform(0.045, 0.11)))
    tall = np.zeros((height + gap + thick, width), np.uint8)
    tall[:height] = mask
    if mark == "bar":
        inset = int(width * rng.uniform(0.0, 0.25))
        tall[height + gap :, inset : width - inset] = 255
    else:
        centre = (width // 2, height + gap + thick // 2)
        cv2.circle(tall, centre, max(2, int(thick * 0.75)), 255, -1, cv2.LINE_AA)
    return tall


def _stamp(
    picture: NDArray[np.float32], mask: NDArray[np.uint8], centre: tuple[float, float],
    colour: Colour,
) -> None:  # fmt: skip
    """Lays a glyph's coverage on the picture, clipped at its edges."""
    height, width = mask.shape
    y, x = round(centre[1] - height / 2), round(centre[0] - width / 2)
    y0, x0 = max(0, y), max(0, x)
    y1, x1 = min(picture.shape[0], y + height), min(picture.shape[1], x + width)
    if y1 <= y0 or x1 <= x0:
        return
    cover = mask[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.float32) / 255
    blend(picture[y0:y1, x0:x1], cover, colour)


def _draw_half(e: Edition, colour: str, face: str) -> Picture:
    paint = Paint(e.inks[colour], e.pale[colour], e.white, e.glyph_white, e.seed)
    picture, ink = GROUNDS[e.ground](paint)
    mask = _glyph(e, face)
    centre = (HALF_PX[1] / 2, HALF_PX[0] / 2)
    if e.shadow:
        _stamp(picture, mask, (centre[0] + 4, centre[1] + 4), (45.0, 40.0, 40.0))
    if e.outline_mm:
        pad = int(e.outline_mm * TEXTURE_PX_PER_MM) + 1
        wide = cv2.dilate(np.pad(mask, pad), np.ones((2 * pad - 1, 2 * pad - 1), np.uint8))
        light = sum(ink) > 380
        edge = (30.0, 26.0, 26.0) if light else e.white
        _stamp(picture, wide.astype(np.uint8), centre, edge)
    _stamp(picture, mask, centre, ink)
    if e.corner_index != "none":
        small_height = int(HALF_PX[0] * 0.15)
        scale = small_height / mask.shape[0]
        small = cv2.resize(
            mask, (max(2, int(mask.shape[1] * scale)), small_height), interpolation=cv2.INTER_AREA
        ).astype(np.uint8)
        edge_px = (e.border_mm + 2.2) * TEXTURE_PX_PER_MM
        x, y = edge_px + small.shape[1] / 2, edge_px + small_height / 2
        on_ink = e.ground in ("oval", "panel", "band")
        shade = e.white if on_ink else ink
        _stamp(picture, small, (x, y), shade)
        if e.corner_index == "two" and e.seed % 3:
            far = (HALF_PX[1] - x, HALF_PX[0] - y)
            _stamp(picture, np.ascontiguousarray(small[::-1, ::-1]), far, shade)
        elif e.corner_index == "two":  # side by side, both upright
            _stamp(picture, small, (HALF_PX[1] - x, y), shade)
    if e.texture:
        rng = np.random.default_rng([e.seed, ord(colour), ord(face)])
        grain = rng.normal(0, e.texture * 255, (HALF_PX[0] // 3, HALF_PX[1] // 3))
        grown = cv2.resize(grain.astype(np.float32), (HALF_PX[1], HALF_PX[0]))
        picture += grown[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def _draw_back(rng: np.random.Generator) -> Picture:
    """A card back: one ground, a pattern, perhaps a frame and a small emblem."""
    height, width = 2 * HALF_PX[0], HALF_PX[1]
    base = np.array(_bgr(float(rng.uniform(0, 360)), float(rng.uniform(0, 1)),
                         float(rng.uniform(0.12, 0.85))))  # fmt: skip
    back = np.broadcast_to(base, (height, width, 3)).astype(np.uint8).copy()
    accent = tuple(float(v) for v in np.clip(base + rng.uniform(-70, 70), 0, 255))
    kind, step = int(rng.integers(5)), int(rng.integers(10, 40))
    if kind == 1:
        for k in range(-height, width + height, step):
            cv2.line(back, (k, 0), (k + height, height), accent, 3, cv2.LINE_AA)
            cv2.line(back, (k, 0), (k - height, height), accent, 3, cv2.LINE_AA)
    elif kind == 2:
        for y in range(step // 2, height, step):
            for x in range(step // 2, width, step):
                cv2.circle(back, (x, y), step // 4, accent, -1, cv2.LINE_AA)
    elif kind == 3:
        for radius in range(step, height, step):
            cv2.circle(back, (width // 2, height // 2), radius, accent, 3, cv2.LINE_AA)
    elif kind == 4:
        for y in range(0, height, step):
            cv2.line(back, (0, y), (width, y), accent, step // 3)
    if rng.random() < 0.6:
        for y_sign in (-1, 1):
            for x_sign in (-1, 1):
                hue = float(rng.uniform(0, 360))
                x, y = width // 2 + x_sign * 12, height // 2 + y_sign * 12
                cv2.rectangle(back, (x - 10, y - 10), (x + 10, y + 10), _bgr(hue, 0.8, 0.9), -1)
    if rng.random() < 0.65:
        edge = int(rng.uniform(1, 4) * TEXTURE_PX_PER_MM)
        cv2.rectangle(back, (0, 0), (width - 1, height - 1), (245, 248, 250), edge * 2)
    return back


def all_labels() -> tuple[str, ...]:
    """The 64 half faces, colours in the order of `COLOURS`, faces of `FACES`."""
    return tuple(colour + face for colour in COLOURS for face in FACES)
