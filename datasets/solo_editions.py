"""Invented editions of one-faced cards: SOLO's and its sisters'.

They share inks, typeface, wear and back with the editions of half cards (`datasets.editions`);
what is their own is the ground of a whole card, one large face in its middle, and the cards
without a colour: wild, wild plus four and the change of cards all round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.editions import Edition, Picture, draw_edition, slanted
from datasets.fonts import text_mask
from datasets.grounds import TEXTURE_PX_PER_MM, Colour, blend, rounded
from datasets.icons import icon_mask
from datasets.solo_icons import (
    Emblem,
    all_round,
    choose_colour,
    take_four,
    take_two,
    turn_round,
)
from vision.facts import CARD_MM, COLOURS

CARD_PX: Final = (round(CARD_MM[1] * TEXTURE_PX_PER_MM), round(CARD_MM[0] * TEXTURE_PX_PER_MM))
"""Height and width of a card's texture."""
COLOURLESS: Final = ("kW", "kF", "nP")
"""SOLO's cards without a colour of their own."""
COLOURED_FACES: Final = "0123456789SRDX"
"""What coloured cards show; SOLO itself has no 0, its sisters do."""

_GROUNDS = ("full", "framed", "oval", "disc", "panel", "shaded", "rays", "paper", "ring")


@dataclass(frozen=True, slots=True)
class SoloEdition:
    """The look of one print run; `card` draws its faces."""

    base: Edition
    """Inks, typeface, marks of 6 and 9, corners and back."""
    ground: str
    face_height: float
    """Height of the large face as a share of the card's height."""
    symbol_scale: float
    """How large symbols are beside digits; sisters print them small on a large oval."""
    border_mm: float
    index: bool
    """Small copies of the face in two corners."""
    index_height: float
    """Their height as a share of the card's."""
    wide: bool
    """Cards without a colour have an oval as large as the card: quartered, or pale under four
    cards."""
    block_mm: float
    """How far the face stands out: a dark edge below and beside it, as if it were a block."""
    size_mm: tuple[float, float]
    """SOLO's cards are as large as SOLOmino's here; sisters are a little smaller."""
    black: Colour
    grey: Colour
    """Ground of the card that passes all hands around: grey, or black as the wilds'."""
    masks: dict[str, NDArray[np.uint8]] = field(repr=False)
    corner_masks: dict[str, NDArray[np.uint8]] = field(repr=False)
    """What stands in the corners instead of a copy of the face, by face."""
    emblems: dict[str, Emblem] = field(repr=False)
    corner_emblems: dict[str, Emblem] = field(repr=False)
    _cards: dict[str, Picture] = field(default_factory=dict, repr=False)

    def card(self, label: str) -> Picture:
        """The card ``label`` (such as ``r5`` or ``kW``), upright; corners still square."""
        if label not in self._cards:
            self._cards[label] = _draw_card(self, label)
        return self._cards[label]

    @property
    def back(self) -> Picture:
        """The back, which all cards share."""
        return self.base.back


def draw_solo_edition(seed: int, *, use_held_out: bool = False) -> SoloEdition:
    """The edition of a seed; ``use_held_out`` sets digits in fonts that training never sees."""
    base = draw_edition(seed, use_held_out=use_held_out)
    rng = np.random.default_rng([seed, 15331])
    inks = tuple(base.inks[colour] for colour in COLOURS)
    order = rng.permutation(4)
    shuffled = tuple(inks[int(i)] for i in order)
    black = float(rng.uniform(12, 42))
    grey = float(rng.uniform(95, 185)) if rng.random() < 0.6 else black
    masks = {face: icon_mask(face, rng, base.font) for face in "SRX"}
    if rng.random() < 0.5:
        masks["R"] = turn_round(rng)
    masks["D"], two = take_two(rng, base.font)
    four, plus_four = take_four(rng, base.font, shuffled)
    wild = choose_colour(rng, base.font, shuffled)
    round_ = all_round(rng, shuffled, base.white if grey < 150 else (30.0, 26.0, 26.0))
    small = rng.random() < 0.4
    return SoloEdition(
        base=base,
        ground=str(rng.choice(_GROUNDS, p=[0.09, 0.13, 0.22, 0.09, 0.07, 0.06, 0.05, 0.06, 0.23])),
        face_height=float(rng.uniform(0.28, 0.52)),
        symbol_scale=float(rng.choice([1.15, rng.uniform(0.6, 1.1)], p=[0.4, 0.6])),
        border_mm=float(rng.choice([0.0, rng.uniform(1.5, 5)], p=[0.35, 0.65])),
        index=bool(rng.random() < 0.75),
        size_mm=(56.0, 87.0) if small else CARD_MM,
        black=(black, black, black),
        grey=(grey, grey, grey),
        index_height=float(rng.uniform(0.08, 0.15)),
        wide=bool(rng.random() < 0.45),
        block_mm=float(rng.choice([0.0, rng.uniform(0.4, 2.0)], p=[0.6, 0.4])),
        masks=masks,
        corner_masks={**masks, "D": two},
        emblems={"kW": wild, "kF": four, "nP": round_},
        corner_emblems={"kW": wild, "kF": plus_four, "nP": round_},
    )


def all_solo_labels() -> tuple[str, ...]:
    """Every face of such decks: the coloured ones, then those without a colour."""
    return (*(colour + face for colour in COLOURS for face in COLOURED_FACES), *COLOURLESS)


def _draw_card(e: SoloEdition, label: str) -> Picture:
    if label in COLOURLESS:
        picture = _draw_colourless(e, label)
    else:
        picture = _draw_coloured(e, label[0], label[1])
    if e.base.texture:
        rng = np.random.default_rng([e.base.seed, ord(label[0]), ord(label[1])])
        grain = rng.normal(0, e.base.texture * 255, (CARD_PX[0] // 3, CARD_PX[1] // 3))
        picture += cv2.resize(grain.astype(np.float32), CARD_PX[::-1])[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def _draw_coloured(e: SoloEdition, colour: str, face: str) -> NDArray[np.float32]:
    ink, pale = e.base.inks[colour], e.base.pale[colour]
    picture, on_ground = _ground(e, ink, pale)
    mask = _glyph(e, face)
    centre = (CARD_PX[1] / 2, CARD_PX[0] / 2)
    if e.block_mm:
        way = 1 if e.base.seed % 2 else -1
        for k in range(int(e.block_mm * TEXTURE_PX_PER_MM) + 1, 0, -2):
            _stamp(picture, mask, (centre[0] + way * k, centre[1] + k), (26.0, 22.0, 22.0))
    if e.base.outline_mm:
        pad = int(e.base.outline_mm * TEXTURE_PX_PER_MM) + 2
        wide = cv2.dilate(np.pad(mask, pad), np.ones((2 * pad - 1, 2 * pad - 1), np.uint8))
        edge = (30.0, 26.0, 26.0) if sum(on_ground) > 380 else e.base.white
        _stamp(picture, wide.astype(np.uint8), centre, edge)
    _stamp(picture, mask, centre, on_ground)
    if e.index:
        shade = ink if e.ground == "paper" else e.base.white
        _indices(e, picture, e.corner_masks.get(face, mask), shade)
    return picture


def _draw_colourless(e: SoloEdition, label: str) -> NDArray[np.float32]:
    ground = e.grey if label == "nP" else e.black
    picture = _flat(ground)
    if e.wide and (label == "kW" or (label == "kF" and _is_colourful(e.emblems[label]))):
        _wide_oval(e, picture, quartered=label == "kW")
    _border(e, picture)
    side = int(min(e.face_height * (e.symbol_scale + 0.1), 0.6) * CARD_PX[0])
    side = min(side, int(CARD_PX[1] * 0.98))
    for scale, centre, turned in _places(e, side):
        if e.wide and label == "kW" and scale == 1.0:
            continue
        emblem = (e.emblems if scale == 1.0 else e.corner_emblems)[label]
        size = max(4, int(side * scale))
        drawn = cv2.resize(emblem.picture, (size, size), interpolation=cv2.INTER_AREA)
        cover = cv2.resize(emblem.cover, (size, size), interpolation=cv2.INTER_AREA)
        if turned:
            drawn, cover = drawn[::-1, ::-1], cover[::-1, ::-1]
        x, y = int(centre[0] - size / 2), int(centre[1] - size / 2)
        patch = picture[y : y + size, x : x + size]
        share = cover[..., None].astype(np.float32) / 255
        patch += share * (drawn.astype(np.float32) - patch)
    return picture


def _is_colourful(emblem: Emblem) -> bool:
    """Whether an emblem would show on a pale ground."""
    drawn = emblem.picture[emblem.cover > 0].astype(int)
    return float((drawn.max(axis=1) - drawn.min(axis=1)).mean()) > 60


def _wide_oval(e: SoloEdition, picture: NDArray[np.float32], *, quartered: bool) -> None:
    """An oval nearly as large as the card, leaning, with a pale rim."""
    rng = np.random.default_rng([e.base.seed, 2207])
    height, width = CARD_PX
    middle = (width // 2, height // 2)
    lean = float(rng.choice([0.0, rng.uniform(10, 32), rng.uniform(10, 32)]))
    axes = np.array(
        [width * float(rng.uniform(0.36, 0.42)), height * float(rng.uniform(0.38, 0.43))]
    )
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = np.radians(lean)
    along = (x - middle[0]) * np.cos(turn) + (y - middle[1]) * np.sin(turn)
    across = -(x - middle[0]) * np.sin(turn) + (y - middle[1]) * np.cos(turn)
    away = np.hypot(along / axes[0], across / axes[1])
    rim = float(rng.choice([0.0, rng.uniform(0.03, 0.09)]))
    picture[away < 1 + rim] = np.array(e.base.white, np.float32)
    if not quartered or rng.random() < 0.06:  # one that is left blank, to write on
        return
    cut = np.radians(float(rng.choice([0.0, lean, rng.uniform(0, 90)])))
    side = ((x - middle[0]) * np.cos(cut) + (y - middle[1]) * np.sin(cut) > 0).astype(int)
    above = (-(x - middle[0]) * np.sin(cut) + (y - middle[1]) * np.cos(cut) > 0).astype(int)
    inks = np.array([e.base.inks[colour] for colour in COLOURS], np.float32)
    quarter = inks[rng.permutation(4)][2 * above + side]
    inside = away < 1
    picture[inside] = quarter[inside]


def _places(e: SoloEdition, side: int) -> list[tuple[float, tuple[float, float], bool]]:
    """Scale, centre and whether upside down: the large face and its copies in the corners."""
    places = [(1.0, (CARD_PX[1] / 2, CARD_PX[0] / 2), False)]
    if e.index:
        small = (e.index_height + 0.01) * CARD_PX[0]
        edge = (e.border_mm + 2.2) * TEXTURE_PX_PER_MM + small / 2
        places.append((small / side, (edge, edge), False))
        places.append((small / side, (CARD_PX[1] - edge, CARD_PX[0] - edge), True))
    return places


def _flat(colour: Colour) -> NDArray[np.float32]:
    return np.broadcast_to(np.array(colour, np.float32), (*CARD_PX, 3)).copy()


def _border(e: SoloEdition, picture: NDArray[np.float32]) -> None:
    if e.border_mm <= 0:
        return
    edge = int(e.border_mm * TEXTURE_PX_PER_MM)
    inner = np.zeros(CARD_PX, np.uint8)
    rounded(inner, edge, edge, CARD_PX[1] - edge, CARD_PX[0] - edge, edge * 2, 255)
    picture[inner == 0] = np.array(e.base.white, np.float32)


def _ground(e: SoloEdition, ink: Colour, pale: Colour) -> tuple[NDArray[np.float32], Colour]:
    """A coloured card's ground, and the colour that its face has on it."""
    height, width = CARD_PX
    light = e.base.white if e.base.glyph_white else (28.0, 24.0, 24.0)
    picture, mask = _flat(ink), np.zeros(CARD_PX, np.uint8)
    middle, choice = (width // 2, height // 2), e.base.seed % 5
    if e.ground == "paper":
        picture = _flat(e.base.white)
        light = ink
        for x, y in ((0, 0), (width, height)):
            cv2.circle(mask, (x, y), int(width * (0.2 + 0.04 * choice)), 255, -1, cv2.LINE_AA)
        if choice > 2:
            blend(picture, mask.astype(np.float32) / 255, pale)
        return picture, light
    if e.ground in ("oval", "disc", "panel"):
        if e.ground == "oval":
            axes = (int(width * (0.34 + 0.02 * choice)), int(height * 0.4))
            cv2.ellipse(mask, middle, axes, 12.0 * (choice - 1), 0, 360, 255, -1, cv2.LINE_AA)
        elif e.ground == "disc":
            cv2.circle(mask, middle, int(width * (0.36 + 0.02 * choice)), 255, -1, cv2.LINE_AA)
        else:
            aside, above = int(width * 0.14), int(height * (0.16 + 0.02 * choice))
            rounded(mask, aside, above, width - aside, height - above, width // 8, 255)
        blend(picture, mask.astype(np.float32) / 255, e.base.white)
        light = ink if e.base.seed % 4 else (30.0, 26.0, 26.0)
    elif e.ground == "ring":
        axes = (int(width * (0.36 + 0.02 * choice)), int(height * 0.43))
        line = max(3, int((0.4 + 0.25 * choice) * TEXTURE_PX_PER_MM))
        cv2.ellipse(mask, middle, axes, 12.0 * (choice - 1), 0, 360, 255, line, cv2.LINE_AA)
        blend(picture, mask.astype(np.float32) / 255, e.base.white)
    elif e.ground == "shaded":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        away = np.hypot(x / width - 0.5, y / height - 0.5) * 1.4 if choice % 2 else y / height
        blend(picture, np.clip(away, 0, 1).astype(np.float32), pale)
    elif e.ground == "rays":
        for k in range(0, 24, 2):
            a, b = np.radians(15.0 * k), np.radians(15.0 * (k + 1))
            tip = np.array([[0, 0], [np.cos(a), np.sin(a)], [np.cos(b), np.sin(b)]]) * height
            cv2.fillPoly(mask, [(tip + middle).astype(np.int32)], 255, cv2.LINE_AA)
        blend(picture, mask.astype(np.float32) / 255, pale)
    _border(e, picture)
    return picture, light


def _glyph(e: SoloEdition, face: str) -> NDArray[np.uint8]:
    """Coverage of the large face, cropped to its ink."""
    height = int(e.face_height * CARD_PX[0])
    if face.isdigit():
        mask = slanted(text_mask(face, e.base.font, height), e.base.slant)
        if face in "69":
            mask = _underlined(mask, e.base.mark)
    else:
        side = int(min(height * e.symbol_scale, CARD_PX[1] * 0.8))
        mask = cv2.resize(e.masks[face], (side, side), interpolation=cv2.INTER_AREA).astype(
            np.uint8
        )
    scale = min(1.0, CARD_PX[1] * 0.8 / mask.shape[1])
    size = (max(2, int(mask.shape[1] * scale)), max(2, int(mask.shape[0] * scale)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _underlined(mask: NDArray[np.uint8], mark: str) -> NDArray[np.uint8]:
    """The digit with what tells 6 from 9 below it."""
    height, width = mask.shape
    gap, thick = max(3, height // 12), max(3, height // 14)
    tall = np.zeros((height + gap + thick, width), np.uint8)
    tall[:height] = mask
    if mark == "bar":
        tall[height + gap :, width // 8 : width - width // 8] = 255
    else:
        cv2.circle(tall, (width // 2, height + gap + thick // 2), thick // 2 + 1, 255, -1)
    return tall


def _indices(
    e: SoloEdition, picture: NDArray[np.float32], mask: NDArray[np.uint8], shade: Colour
) -> None:
    """Small copies of the face in two opposite corners, each upright from its own side."""
    height = int(e.index_height * CARD_PX[0])
    width = max(2, int(mask.shape[1] * height / mask.shape[0]))
    small = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    edge = (e.border_mm + 2.4) * TEXTURE_PX_PER_MM
    x, y = edge + width / 2, edge + height / 2
    _stamp(picture, small, (x, y), shade)
    turned = np.ascontiguousarray(small[::-1, ::-1])
    _stamp(picture, turned, (CARD_PX[1] - x, CARD_PX[0] - y), shade)


def _stamp(
    picture: NDArray[np.float32], mask: NDArray[np.uint8], centre: tuple[float, float],
    colour: Colour,
) -> None:  # fmt: skip
    height, width = mask.shape
    y, x = round(centre[1] - height / 2), round(centre[0] - width / 2)
    y0, x0, y1, x1 = max(0, y), max(0, x), min(CARD_PX[0], y + height), min(CARD_PX[1], x + width)
    cover = mask[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.float32) / 255
    blend(picture[y0:y1, x0:x1], cover, colour)
