"""Drawings of SOLO's own symbols: take two, take four, choose a colour, change cards all round.

What they show follows public words on the game (a hand with two or four raised fingers, a
square in four coloured quarters, four packs linked by arrows) and on its sisters (a plus and a
number, so many cards, a quartered oval); how they look is invented anew for every edition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.fonts import text_mask
from datasets.grounds import Colour

SIZE = 256
"""Emblems are drawn at this size and reduced afterwards."""

Mask = NDArray[np.uint8]
_WHITE: Colour = (240.0, 244.0, 244.0)
Points = list[tuple[float, float]]
"""In units of the emblem's half side, -1...1, y down."""


@dataclass(frozen=True, slots=True, eq=False)
class Emblem:
    """A symbol in colours, as large as `SIZE`."""

    picture: NDArray[np.uint8]
    cover: Mask


class _Sheet:
    """An emblem under construction."""

    def __init__(self) -> None:
        self.picture = np.zeros((SIZE, SIZE, 3), np.uint8)
        self.cover: Mask = np.zeros((SIZE, SIZE), np.uint8)

    def lay(self, mask: Mask, colour: Colour) -> None:
        share = mask[..., None].astype(np.float32) / 255
        mixed = self.picture + share * (np.array(colour, np.float32) - self.picture)
        self.picture = np.where(self.cover[..., None] > 0, mixed, np.array(colour)).astype(np.uint8)
        self.cover = np.maximum(self.cover, mask)

    def emblem(self) -> Emblem:
        return Emblem(self.picture, self.cover)


def _px(points: Points) -> NDArray[np.int32]:
    return np.round((np.array(points) + 1) * (SIZE / 2)).astype(np.int32)


def _blank() -> Mask:
    return np.zeros((SIZE, SIZE), np.uint8)


def _polygon(points: Points) -> Mask:
    mask = _blank()
    cv2.fillPoly(mask, [_px(points)], 255, cv2.LINE_AA)
    return mask


def _stroke(points: Points, width: float) -> Mask:
    mask = _blank()
    cv2.polylines(mask, [_px(points)], False, 255, max(2, int(width * SIZE / 2)), cv2.LINE_AA)
    return mask


def _card(x: float, y: float, half_height: float, tilt_deg: float) -> Points:
    a = np.radians(tilt_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    half_width = half_height * 0.65
    corners = np.array([[-half_width, -half_height], [half_width, -half_height],
                        [half_width, half_height], [-half_width, half_height]])  # fmt: skip
    return [(float(px + x), float(py + y)) for px, py in corners @ turn.T]


def _text(text: str, font: str, height: float) -> Mask:
    """Text in the middle, at most as wide as the emblem."""
    ink = text_mask(text, font, int(height * SIZE / 2))
    scale = min(1.0, 0.96 * SIZE / ink.shape[1], 0.96 * SIZE / ink.shape[0])
    size = (max(2, int(ink.shape[1] * scale)), max(2, int(ink.shape[0] * scale)))
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    mask = _blank()
    y, x = (SIZE - ink.shape[0]) // 2, (SIZE - ink.shape[1]) // 2
    mask[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    return mask


def _palm(rng: np.random.Generator, fingers: int) -> tuple[list[Mask], Mask]:
    """A hand with so many raised fingers: a mask for each finger, one for the rest."""
    width = float(rng.uniform(0.17, 0.24))
    palm = _polygon([(-0.42, 0.05), (0.42, 0.05), (0.36, 0.85), (-0.36, 0.85)])
    raised: list[Mask] = []
    first = 0 if fingers == 4 else int(rng.integers(0, 2))
    for i in range(4):
        base = (i - 1.5) * 0.26
        up = first <= i < first + fingers
        lift = (0.72, 0.9, 0.85, 0.65)[i] * float(rng.uniform(0.9, 1.1)) if up else -0.02
        spread = (i - 1.5) * float(rng.uniform(0.05, 0.16)) * (2 if fingers == 2 else 1)
        finger = _stroke([(base, 0.15), (base + spread, -lift)], width)
        if up:
            raised.append(finger)
        else:
            palm = np.maximum(palm, finger)
    thumb = [(-0.38, 0.5), (-0.75, 0.2)] if fingers == 4 and rng.random() < 0.4 else [
        (-0.36, 0.55), (0.1, 0.45)]  # fmt: skip
    return raised, np.maximum(palm, _stroke(thumb, width))


def take_two(rng: np.random.Generator, font: str) -> tuple[Mask, Mask]:
    """Coverage of 'take two', and of its copy in the corners: a hand with two raised fingers, +2,
    or two cards; cards often have +2 in the corners."""
    kind = rng.random()
    if kind < 0.25:
        raised, rest = _palm(rng, 2)
        palm = np.asarray(np.maximum.reduce([*raised, rest]), np.uint8)
        return palm, palm
    words = _text("+2", font, float(rng.uniform(0.9, 1.4)))
    if kind < 0.55:
        return words, words
    mask = _blank()
    half = float(rng.uniform(0.5, 0.65))
    aside, tilt = float(rng.uniform(0.15, 0.3)), float(rng.choice([0, 8, 14]))
    slant = float(rng.choice([0, rng.uniform(0.1, 0.4)]))
    outlined = rng.random() < 0.5
    drop = float(rng.choice([0.6, -0.6, rng.uniform(-1.2, 1.2)]))
    for sign in (-1, 1):
        card = _card(sign * aside, sign * aside * drop, half, sign * tilt)
        points = _px([(x - slant * y, y) for x, y in card])
        cv2.fillPoly(mask, [points], 0 if outlined else 255, cv2.LINE_AA)
        cv2.polylines(mask, [points], True, 255 if outlined else 0, 12, cv2.LINE_AA)
    return mask, words if rng.random() < 0.7 else mask


def turn_round(rng: np.random.Generator) -> Mask:
    """Coverage of 'change of direction' as sisters draw it: two fat arrows past each other."""
    if rng.random() < 0.4:
        return _linked_arrows(rng)
    mask = _blank()
    a = np.radians(float(rng.choice([0, 90, rng.uniform(-60, 60), -45, -45])))
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    thick, aside = float(rng.uniform(0.14, 0.24)), float(rng.uniform(0.28, 0.4))
    head, long = thick * float(rng.uniform(1.7, 2.3)), float(rng.uniform(0.62, 0.85))
    hook = float(rng.choice([0.0, rng.uniform(0.3, 0.9)]))
    start, neck = long, 0.1
    if rng.random() < 0.5:  # short ones, past each other only with their tails
        start, aside = float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.08, 0.24))
        neck, long, head = 0.3, 0.95, head * 1.2
    for sign in (1, -1):
        arrow = np.array([(-start, -thick), (neck, -thick), (neck, -head), (long, 0.0), (neck, head),
                          (neck, thick), (-start * (1 - hook * 0.4), thick)])  # fmt: skip
        placed = (sign * (arrow + np.array([0.0, aside]))) @ turn.T
        cv2.fillPoly(mask, [_px([(float(x), float(y)) for x, y in placed])], 255, cv2.LINE_AA)
        if hook:  # a tail bent round, as if the arrow came from behind
            tail = (sign * np.array([-start + thick, aside])) @ turn.T
            at = _px([(float(tail[0]), float(tail[1]))])[0].tolist()
            cv2.circle(mask, at, int(thick * SIZE / 2 * 1.05), 255, -1, cv2.LINE_AA)
    return mask


def _linked_arrows(rng: np.random.Generator) -> Mask:
    """Two short fat arrows, each with its tail bent towards the other's, a gap between them."""
    a = np.radians(float(rng.choice([-45.0, -55.0, -35.0, 45.0, rng.uniform(-90, 90)])))
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    thick, aside = float(rng.uniform(0.16, 0.28)), float(rng.uniform(0.1, 0.22))
    neck, tail = float(rng.uniform(0.15, 0.4)), float(rng.uniform(0.2, 0.45))
    head = thick * float(rng.uniform(1.3, 1.9))
    bent, gap = float(rng.uniform(0.1, 0.35)), int(rng.uniform(5, 22))
    mask = _blank()
    for sign in (1, -1):
        shaft = np.array([(-tail - bent * 0.6, -aside + bent), (-tail, -aside), (neck, -aside)])
        tip = np.array([(neck, -aside - head), (0.97, -aside * 0.4), (neck, -aside + head)])
        arrow = _stroke([(float(x), float(y)) for x, y in sign * shaft @ turn.T], thick)
        arrow = np.maximum(arrow, _polygon([(float(x), float(y)) for x, y in sign * tip @ turn.T]))
        mask[cv2.dilate(arrow, np.ones((gap, gap), np.uint8)) > 0] = 0
        mask = np.maximum(mask, arrow)
    return mask


def take_four(
    rng: np.random.Generator, font: str, inks: tuple[Colour, ...]
) -> tuple[Emblem, Emblem]:
    """'Take four and choose a colour', and its copy in the corners: a hand with four fingers, +4,
    or four cards, perhaps on a pale oval; cards and hands often have +4 in the corners."""
    sheet, kind = _Sheet(), rng.random()
    words = _Sheet()
    words.lay(_text("+4", font, float(rng.uniform(1.0, 1.5))), _WHITE)
    if kind < 0.2:
        raised, rest = _palm(rng, 4)
        coloured = rng.random() < 0.5
        for finger, ink in zip(raised, inks, strict=True):
            sheet.lay(finger, ink if coloured else _WHITE)
        sheet.lay(rest, _WHITE)
    elif kind < 0.6:
        if rng.random() < 0.4:
            sheet.lay(_oval(rng), _WHITE)
        _fan(sheet, rng, inks)
        if rng.random() < 0.2:
            _overprint(sheet, _text("+4", font, float(rng.uniform(0.6, 0.9))), _WHITE)
    elif kind < 0.85:
        quarters(sheet, rng, inks)
        _overprint(sheet, _text("+4", font, float(rng.uniform(0.8, 1.2))), _WHITE)
    else:
        return words.emblem(), words.emblem()
    return sheet.emblem(), (words if rng.random() < 0.7 else sheet).emblem()


def choose_colour(rng: np.random.Generator, font: str, inks: tuple[Colour, ...]) -> Emblem:
    """'Choose a colour': something in four coloured parts."""
    sheet, kind = _Sheet(), rng.random()
    if kind < 0.75:
        quarters(sheet, rng, inks)
        if rng.random() < 0.15:
            word = str(rng.choice(["?", "W", "WILD", "JOKER", "COLOR"]))
            _overprint(sheet, _text(word, font, 0.6), _WHITE)
    elif kind < 0.88:  # four drops or discs around the middle
        radius, away = float(rng.uniform(0.28, 0.42)), float(rng.uniform(0.42, 0.52))
        turn = float(rng.choice([0.0, 45.0]))
        for i, ink in enumerate(inks):
            a = np.radians(turn + 90 * i)
            mask = _blank()
            at = _px([(away * float(np.cos(a)), away * float(np.sin(a)))])[0]
            cv2.circle(mask, at.tolist(), int(radius * SIZE / 2), 255, -1, cv2.LINE_AA)
            sheet.lay(mask, ink)
    else:  # stripes
        level = rng.random() < 0.5
        for i, ink in enumerate(inks):
            a, b = -0.8 + 0.4 * i, -0.4 + 0.4 * i
            band: Points = [(a, -0.7), (b, -0.7), (b, 0.7), (a, 0.7)]
            sheet.lay(_polygon([(y, x) for x, y in band] if level else band), ink)
    return sheet.emblem()


def all_round(rng: np.random.Generator, inks: tuple[Colour, ...], plain: Colour) -> Emblem:
    """'Change cards all round': four packs linked by arrows, coloured or not."""
    sheet = _Sheet()
    coloured = rng.random() < 0.4
    away, half = float(rng.uniform(0.5, 0.6)), float(rng.uniform(0.24, 0.34))
    start = float(rng.choice([0.0, 45.0]))
    width = float(rng.uniform(0.06, 0.11))
    turn = 1 if rng.random() < 0.7 else -1
    for i in range(4):
        centre = np.radians(start + 90 * i)
        x, y = away * float(np.cos(centre)), away * float(np.sin(centre))
        tilt = start + 90 * i + 90 if rng.random() < 0.5 else 0.0
        pack = _blank()
        for k in range(int(rng.integers(1, 3))):
            shift = 0.05 * k
            cv2.fillPoly(pack, [_px(_card(x + shift, y - shift, half, tilt))], 255, cv2.LINE_AA)
        sheet.lay(pack, inks[i] if coloured else plain)
        angles = np.radians(start + 90 * i + 45 + turn * np.linspace(-20, 16, 9))
        arc = [(0.8 * float(np.cos(a)), 0.8 * float(np.sin(a))) for a in angles]
        sheet.lay(_stroke(arc, width), plain)
        (ax, ay), (bx, by) = arc[-3], arc[-1]
        way = np.array([bx - ax, by - ay]) / max(1e-6, float(np.hypot(bx - ax, by - ay)))
        side = np.array([-way[1], way[0]])
        tip = [np.array(arc[-1]) + way * 0.2, np.array(arc[-1]) + side * 0.13,
               np.array(arc[-1]) - side * 0.13]  # fmt: skip
        sheet.lay(_polygon([(float(p[0]), float(p[1])) for p in tip]), plain)
    return sheet.emblem()


def quarters(sheet: _Sheet, rng: np.random.Generator, inks: tuple[Colour, ...]) -> None:
    """A square, disc, oval or diamond in four coloured quarters, perhaps with a rim."""
    outline = _OUTLINES[int(rng.integers(len(_OUTLINES)))](rng)
    turn = float(rng.choice([0.0, 45.0, rng.uniform(0, 90)]))
    grown = np.asarray(cv2.dilate(outline, np.ones((13, 13), np.uint8)), np.uint8)
    if rng.random() < 0.4:
        sheet.lay(grown, _WHITE)
    for i, ink in enumerate(inks):
        a, b = np.radians(turn + 90 * i), np.radians(turn + 90 * i + 90)
        far = 3.0
        wedge = _polygon([(0, 0), (far * float(np.cos(a)), far * float(np.sin(a))),
                          (far * float(np.cos((a + b) / 2)), far * float(np.sin((a + b) / 2))),
                          (far * float(np.cos(b)), far * float(np.sin(b)))])  # fmt: skip
        sheet.lay(np.minimum(wedge, outline), ink)


def _fan(sheet: _Sheet, rng: np.random.Generator, inks: tuple[Colour, ...]) -> None:
    """Four cards, one of each colour: fanned out, in a row, or strewn around the middle."""
    half = float(rng.uniform(0.34, 0.52))
    step, lean = float(rng.uniform(0.2, 0.3)), float(rng.uniform(0, 18))
    slant = float(rng.choice([0.0, rng.uniform(0.1, 0.4)]))
    strewn = rng.random() < 0.5
    around = ((0.32, -0.42), (-0.05, -0.12), (0.05, 0.15), (-0.34, 0.4))
    rim = (25.0, 22.0, 22.0) if rng.random() < 0.4 else _WHITE
    for i, ink in enumerate(inks):
        x, y = (i - 1.5) * step, float(rng.choice([0, 1])) * (i - 1.5) * 0.1
        if strewn:
            x, y = around[i]
        card = _card(x, y, half, 0.0 if strewn else (i - 1.5) * lean)
        card = [(px - slant * (py - y), py) for px, py in card]
        edge = _blank()
        cv2.polylines(edge, [_px(card)], True, 255, 9, cv2.LINE_AA)
        sheet.lay(_polygon(card), ink)
        sheet.lay(edge, rim)


def _overprint(sheet: _Sheet, mask: Mask, colour: Colour) -> None:
    rim = np.asarray(cv2.dilate(mask, np.ones((11, 11), np.uint8)), np.uint8)
    sheet.lay(rim, (25.0, 22.0, 22.0))
    sheet.lay(mask, colour)


def _square(rng: np.random.Generator) -> Mask:
    half = float(rng.uniform(0.6, 0.85))
    return _polygon([(-half, -half), (half, -half), (half, half), (-half, half)])


def _diamond(rng: np.random.Generator) -> Mask:
    half = float(rng.uniform(0.75, 0.95))
    return _polygon([(0, -half), (half * 0.8, 0), (0, half), (-half * 0.8, 0)])


def _oval(rng: np.random.Generator) -> Mask:
    mask = _blank()
    axes = (int(SIZE * float(rng.uniform(0.26, 0.42))), int(SIZE * float(rng.uniform(0.36, 0.46))))
    tilt = float(rng.choice([0, 25, 35, -25]))
    cv2.ellipse(mask, (SIZE // 2, SIZE // 2), axes, tilt, 0, 360, 255, -1, cv2.LINE_AA)
    return mask


_OUTLINES: tuple[Callable[[np.random.Generator], Mask], ...] = (_square, _diamond, _oval, _oval)
