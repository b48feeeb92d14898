"""Training samples for the network that finds the sides of cards (`vision.sides`).

A scene gives pictures of cards, cut exactly where they lie; a batch cuts strips around two opposite
sides of each from these, at places and turns that are a little wrong, in other light. What a strip
shows beside the side does not matter: where it runs is known.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets.scenes import Scene, TrueHalf, render_scene
from datasets.solo_editions import draw_solo_edition
from datasets.solo_scenes import render_solo_scene
from models.samples import LEAST_SEEN, decode, encode
from vision.facts import CARD_MM
from vision.rectify import cut_view
from vision.sides import ALONG_MM, STRIP_PX_PER_MM, STRIP_SIZE_PX

SIDES_SEED = 81_000_000
SIDES_MATCHING_SEED = 83_000_000
SIDES_SOLO_SEED = 85_000_000
SIDES_VALIDATION_SEED = 91_000_000
"""Scenes for the sides of cards have the seeds from here up; in those from the second, most cards
cover a half of their own colour; those from the third are of one-faced cards."""
MATCHING = 0.8
FRAMED = 0.3
"""Share of the cards on which a thin frame is printed besides."""
STORED_PX = (224, 288)
"""Width and height of a stored picture: an upright card and what lies around it."""
MOST_CARDS = 20
"""So many cards of a scene are kept."""

_MIDDLE = (np.array(STORED_PX) - 1) / 2

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card as it is kept for training."""

    picture: bytes
    """Packed by `models.samples.encode`; the card stands upright in its middle."""
    seen: tuple[bool, bool]
    """Whether its upper and its lower half are."""


def cut_cards(rng: np.random.Generator, scene: Scene) -> list[StoredCard]:
    """Cards of a scene of which a half at least is seen. Of one-faced cards both halves are."""
    by_card: dict[int, list[TrueHalf]] = {}
    for half in scene.halves:
        by_card.setdefault(half.card, []).append(half)
    seen = [card for card in by_card.values() if any(map(_is_seen, card))]
    if len(seen) > MOST_CARDS:
        seen = [seen[i] for i in rng.choice(len(seen), MOST_CARDS, replace=False)]
    return [_cut(scene, card) for card in seen]


def _is_seen(half: TrueHalf) -> bool:
    return half.face_up and not half.held_up and half.visible >= LEAST_SEEN


def _cut(scene: Scene, card: list[TrueHalf]) -> StoredCard:
    """``card`` as one or two halves: those of one-faced cards lie in their middle."""
    centre = np.mean([half.centre_mm for half in card], axis=0)
    if len(card) == 1:
        upright_deg, seen = card[0].axis_deg - 90, (True, True)
    else:
        (x, y), (to_x, to_y) = (half.centre_mm for half in card)
        upright_deg = float(np.degrees(np.arctan2(to_y - y, to_x - x))) - 90
        seen = (_is_seen(card[0]), _is_seen(card[1]))
    at = (float(centre[0]), float(centre[1]))
    view = cut_view(scene.image, scene.plane, at, upright_deg, STORED_PX, STRIP_PX_PER_MM)
    return StoredCard(encode(view), seen)


def build_sides(job: tuple[int, int, bool, Path]) -> str:
    """Renders scenes ``first`` ... and writes one file; two of three are close-ups."""
    first, count, validation, out = job
    cv2.setNumThreads(1)
    name = f"sides-{'val' if validation else 'train'}-{first:08d}"
    path = out / f"{name}.pkl"
    if path.exists():
        return name
    one_faced = SIDES_SOLO_SEED <= first < SIDES_VALIDATION_SEED
    kept: list[StoredCard] = []
    for seed in range(first, first + count):
        close = seed % 3 > 0 and not validation
        if one_faced:
            edition = draw_solo_edition(seed if close else seed // 3)
            if edition.size_mm != CARD_MM:
                continue  # whoever asks for sides takes cards to be of that size
            scene = render_solo_scene(seed, close=close)
        else:
            scene = render_scene(
                seed, use_held_out=validation, close=close, figured=seed % 7 == 0,
                matching=MATCHING if SIDES_MATCHING_SEED <= first < SIDES_SOLO_SEED else 0.0,
            )  # fmt: skip
        rng = np.random.default_rng([seed, 77])
        kept.extend(cut_cards(rng, scene))
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps(kept))
    unfinished.rename(path)
    return name


class SideStore:
    """Stored cards; `refresh` takes in what has been rendered meanwhile."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.names: set[str] = set()
        self.cards: list[StoredCard] = []
        self.refresh()

    def refresh(self) -> None:
        """Reads the chunks that are not yet known."""
        for path in sorted(self.folder.glob(f"sides-{self.kind}-*.pkl")):
            if path.name not in self.names:
                self.names.add(path.name)
                self.cards.extend(pickle.loads(path.read_bytes()))


def side_batch(rng: np.random.Generator, store: SideStore, cards: int) -> tuple[Tensor, Tensor]:
    """Strips uint8 (n, height, width, 3), of which each two lie at opposite sides of a card, and
    where the side is in each, in mm from the strip's middle at its upper and its lower place,
    (n, 2); n is 4 for each of ``cards``."""
    strips, places = [], []
    for k in rng.integers(len(store.cards), size=cards):
        card = store.cards[k]
        picture = decode(card.picture).astype(np.float32)
        if rng.random() < FRAMED:
            picture = _framed(rng, picture)
        picture = _relit(rng, picture)
        for ends in (False, all(card.seen) and rng.random() < 0.6):
            for strip, place in _pair(rng, picture, card, ends):
                grain = rng.standard_normal(strip.shape, np.float32) * abs(float(rng.normal(0, 7)))
                strips.append(np.clip(strip + grain, 0, 255).astype(np.uint8))
                places.append(place)
    return torch.from_numpy(np.stack(strips)), torch.from_numpy(np.array(places, np.float32))


def _framed(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The picture with a thin frame printed on the card, or on each of its halves: a line that
    runs along all sides, and is none."""
    inset = float(rng.uniform(1.5, 10))
    line = max(1, round(STRIP_PX_PER_MM * float(rng.uniform(0.3, 1.8))))
    across, along = (side / 2 - inset for side in CARD_MM)
    boxes = [(-along, along)]
    if rng.random() < 0.5:
        boxes = [(-along, -inset / 2), (inset / 2, along)]
    ink = np.zeros(picture.shape[:2], np.float32)
    for top, bottom in boxes:
        corners = _MIDDLE + STRIP_PX_PER_MM * np.array([[-across, top], [across, bottom]])
        (x0, y0), (x1, y1) = np.round(16 * corners).astype(int).tolist()
        cv2.rectangle(ink, (x0, y0), (x1, y1), (1.0,), line, cv2.LINE_AA, 4)
    ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), float(rng.uniform(0.3, 1.2))), np.float32)
    ink *= np.float32(rng.uniform(0.4, 1.0))
    grey = float(rng.choice([15, 128, 245]))
    colour = np.clip(rng.normal(grey, 60, 3), 0, 255).astype(np.float32)
    return np.asarray(picture + ink[..., None] * (colour - picture), np.float32)


def _relit(rng: np.random.Generator, grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """The picture in other light, 0...255: often brighter than white, where edges spread."""
    if rng.random() < 0.7:
        light = np.square(grey / 255)
        if rng.random() < 0.3:
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.5, 2.2))))
        bright = rng.uniform(0, 1.6) if rng.random() < 0.5 else rng.normal(0, 0.3)
        gain = np.exp(bright + rng.normal(0, 0.06, 3)).astype(np.float32)
        grey = 255 * np.clip(light * gain, 0, 1) ** np.float32(0.5 * np.exp(rng.normal(0, 0.12)))
    if rng.random() < 0.15:
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), float(rng.uniform(0.5, 1.8))))
    if rng.random() < 0.3:  # as cameras sharpen
        soft = cv2.GaussianBlur(grey, (0, 0), float(rng.uniform(0.5, 2)))
        grey = grey + np.float32(rng.uniform(0.2, 1)) * (grey - soft)
    return np.asarray(np.clip(grey, 0, 255), np.float32)


def _pair(
    rng: np.random.Generator, picture: NDArray[np.float32], card: StoredCard, ends: bool
) -> list[tuple[NDArray[np.float32], tuple[float, float]]]:
    """Strips about where two opposite sides are, and where the side is in each.

    They are cut as from a rough plane, in which a card is a little too large, askew and not quite
    in its place: both strips of a card in the same way.
    """
    away = (CARD_MM[1] if ends else CARD_MM[0]) / 2
    out = np.array([0.0, 1.0]) if ends else np.array([1.0, 0.0])
    along = np.array([-out[1], out[0]])
    centre = np.zeros(2)
    if not ends:
        half = int(rng.choice(np.flatnonzero(card.seen)))
        centre = along * (half - 0.5) * CARD_MM[1] / 2
    turn = np.radians(rng.normal(0, 2.2))
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    sheared = np.array([[1, rng.normal(0, 0.02)], [0, 1]])
    frame = np.column_stack([out, along]) @ turned @ sheared
    frame = frame @ np.diag(np.exp(rng.normal(0, 0.04, 2)))
    beside, wider = (
        float(rng.normal(0, spread) if rng.random() < 0.65 else rng.uniform(-most, most))
        for spread, most in ((1.2, 7.0), (0.7, 3.0))
    )
    middle = centre + beside * out + float(rng.normal(0, 2.5)) * along
    mirrored = rng.random() < 0.5
    pair = []
    for way in (1, -1):
        x, y = way * frame.T
        at = middle + (away + wider) * x
        strip = _strip(picture, at, way * frame)
        # Where along the strip's own x axis, at either place, the side is crossed.
        low, high = (
            float((away - (at - centre + v * y) @ (way * out)) / (x @ (way * out)))
            for v in (-ALONG_MM, ALONG_MM)
        )
        pair.append((strip[::-1], (high, low)) if mirrored else (strip, (low, high)))
    return pair


def _strip(picture: NDArray[np.float32], middle: Floats, frame: Floats) -> NDArray[np.float32]:
    """What lies around ``middle``, in mm from the card's; ``frame`` gives the strip's x and y."""
    size = np.array(STRIP_SIZE_PX)
    shift = _MIDDLE + STRIP_PX_PER_MM * middle - frame @ ((size - 1) / 2)
    strip = cv2.warpAffine(
        picture, np.column_stack([frame, shift]), STRIP_SIZE_PX,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(strip, np.float32)
