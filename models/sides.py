"""Training samples for the network that finds the sides of cards (`vision.sides`).

A scene gives pictures of half cards, cut exactly where they lie; a batch cuts strips around their
sides from these, at places and turns that are a little wrong, in other light. What a strip shows
beside the side does not matter: where it runs is known.
"""

from __future__ import annotations

import pickle
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
SIDES_SOLO_SEED = 85_000_000
SIDES_VALIDATION_SEED = 91_000_000
"""Scenes for the sides of cards have the seeds from here up; the second are of one-faced cards."""
STORED_PX = (224, 192)
"""Width and height of a stored picture: a half card and what lies around it."""
MOST_HALVES = 24
"""So many halves of a scene are kept."""

_HALF_MM = (CARD_MM[0] / 2, CARD_MM[1] / 4)
"""From a half's middle to its long sides and to its outer end."""
_OUTWARDS = (0.0, 180.0, 90.0)
"""Where a half's sides lie in a stored picture, degrees clockwise from its right: both long ones
and the outer end."""
_MIDDLE = (np.array(STORED_PX) - 1) / 2

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


def cut_halves(rng: np.random.Generator, scene: Scene) -> list[Picture]:
    """Halves of a scene, each with its outer end towards the lower edge of its picture. Of cards
    with one face it is either half."""
    seen = [h for h in scene.halves if h.face_up and not h.held_up and h.visible >= LEAST_SEEN]
    if len(seen) > MOST_HALVES:
        seen = [seen[i] for i in rng.choice(len(seen), MOST_HALVES, replace=False)]
    return [_cut(rng, scene, half) for half in seen]


def _cut(rng: np.random.Generator, scene: Scene, half: TrueHalf) -> Picture:
    centre = np.array(half.centre_mm)
    other = next((h for h in scene.halves if h.card == half.card and h is not half), None)
    if other is None:
        outer_deg = half.axis_deg + 180.0 * float(rng.integers(2))
        angle = np.radians(outer_deg)
        centre = centre + _HALF_MM[1] * np.array([np.cos(angle), np.sin(angle)])
    else:
        x, y = centre - other.centre_mm
        outer_deg = float(np.degrees(np.arctan2(y, x)))
    at = (float(centre[0]), float(centre[1]))
    return cut_view(scene.image, scene.plane, at, outer_deg - 90, STORED_PX, STRIP_PX_PER_MM)


def build_sides(job: tuple[int, int, bool, Path]) -> str:
    """Renders scenes ``first`` ... and writes one file; two of three are close-ups."""
    first, count, validation, out = job
    cv2.setNumThreads(1)
    name = f"sides-{'val' if validation else 'train'}-{first:08d}"
    path = out / f"{name}.pkl"
    if path.exists():
        return name
    one_faced = SIDES_SOLO_SEED <= first < SIDES_VALIDATION_SEED
    kept: list[bytes] = []
    for seed in range(first, first + count):
        close = seed % 3 > 0 and not validation
        if one_faced:
            edition = draw_solo_edition(seed if close else seed // 3)
            if edition.size_mm != CARD_MM:
                continue  # whoever asks for sides takes cards to be of that size
            scene = render_solo_scene(seed, close=close)
        else:
            scene = render_scene(seed, use_held_out=validation, close=close, figured=seed % 7 == 0)
        rng = np.random.default_rng([seed, 77])
        kept.extend(encode(picture) for picture in cut_halves(rng, scene))
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps(kept))
    unfinished.rename(path)
    return name


class SideStore:
    """Stored pictures of halves; `refresh` takes in what has been rendered meanwhile."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.names: set[str] = set()
        self.packed: list[bytes] = []
        self.refresh()

    def refresh(self) -> None:
        """Reads the chunks that are not yet known."""
        for path in sorted(self.folder.glob(f"sides-{self.kind}-*.pkl")):
            if path.name not in self.names:
                self.names.add(path.name)
                self.packed.extend(pickle.loads(path.read_bytes()))


def side_batch(rng: np.random.Generator, store: SideStore, halves: int) -> tuple[Tensor, Tensor]:
    """Strips uint8 (n, height, width, 3) and where the side is in each, in mm from the strip's
    middle at its upper and its lower place, (n, 2); n is 4 for each of ``halves``."""
    strips, places = [], []
    for k in rng.integers(len(store.packed), size=halves):
        picture = _relit(rng, decode(store.packed[k]))
        for side in (0, 1, 2, int(rng.integers(2))):
            strip, place = _strip(rng, picture, side)
            grain = rng.standard_normal(strip.shape, np.float32) * abs(float(rng.normal(0, 7)))
            strips.append(np.clip(strip + grain, 0, 255).astype(np.uint8))
            places.append(place)
    return torch.from_numpy(np.stack(strips)), torch.from_numpy(np.array(places, np.float32))


def _relit(rng: np.random.Generator, picture: Picture) -> NDArray[np.float32]:
    """The picture in other light, 0...255: often brighter than white, where edges spread."""
    grey = picture.astype(np.float32)
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


def _strip(
    rng: np.random.Generator, picture: NDArray[np.float32], side: int
) -> tuple[NDArray[np.float32], tuple[float, float]]:
    """A strip about where a side is, and where the side is in it."""
    angle = np.radians(_OUTWARDS[side])
    out = np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-out[1], out[0]])
    away = _HALF_MM[1] if side == 2 else _HALF_MM[0]
    wrong = float(rng.normal(0, 1.5) if rng.random() < 0.7 else rng.uniform(-7, 7))
    turn = np.radians(rng.normal(0, 2.2))
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    sheared = np.array([[1, rng.normal(0, 0.02)], [0, 1]])
    frame = np.column_stack([out, along]) @ turned @ sheared
    frame = frame @ np.diag(np.exp(rng.normal(0, 0.04, 2)))
    middle = (away - wrong) * out + float(rng.normal(0, 2.5)) * along
    width, height = STRIP_SIZE_PX
    shift = (
        _MIDDLE + STRIP_PX_PER_MM * middle - frame @ np.array([(width - 1) / 2, (height - 1) / 2])
    )
    strip = cv2.warpAffine(
        picture, np.column_stack([frame, shift]), (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )  # fmt: skip
    # Where along the strip's own x axis, at either place, the side is crossed.
    low, high = (
        float((away - (middle + frame[:, 1] * v) @ out) / (frame[:, 0] @ out))
        for v in (-ALONG_MM, ALONG_MM)
    )
    if rng.random() < 0.5:
        return np.asarray(strip[::-1], np.float32), (high, low)
    return np.asarray(strip, np.float32), (low, high)
