"""Batches for training: stored samples, turned, shifted, re-lit at random."""

from __future__ import annotations

import pickle
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.samples import (
    EITHER_WAY,
    NOT_A_HALF,
    ON_ITS_HEAD,
    PATCH_PX,
    PATCH_PX_PER_MM,
    STORED_CROP_PX,
    STORED_CROP_PX_PER_MM,
    UPRIGHT,
    decode,
)
from vision.halves import (
    CROP_PX_PER_MM,
    CROP_SIZE_PX,
    FIND_PX_PER_MM,
    FIND_STRIDE_PX,
)

FIND_PX = 192
"""Side of the patches that the finder trains on."""
GROUP = 8
"""Halves of one picture in a batch."""

Pictures = NDArray[np.uint8]


class CropStore:
    """Stored crops by scene; `refresh` takes in what has been rendered meanwhile."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.names: set[str] = set()
        self.packed: list[list[bytes]] = []
        self.labels: list[NDArray[np.float32]] = []
        """(n, 4) each: colour, face, visible share, way."""
        self.scenes: list[tuple[int, NDArray[np.int64]]] = []
        self.seeds: list[int] = []
        self.refresh()

    def refresh(self) -> None:
        """Reads the chunks that are finished and not yet known."""
        for done in sorted(self.folder.glob(f"{self.kind}-*.done")):
            if done.stem in self.names:
                continue
            self.names.add(done.stem)
            packed, rows = pickle.loads((self.folder / f"{done.stem}.crops.pkl").read_bytes())
            self.packed.append(packed)
            self.labels.append(rows[:, :4].astype(np.float32))
            for seed in np.unique(rows[:, 4]):
                self.scenes.append((len(self.packed) - 1, np.flatnonzero(rows[:, 4] == seed)))
                self.seeds.append(int(seed))

    def picture(self, chunk: int, row: int) -> Pictures:
        """A stored crop."""
        return decode(self.packed[chunk][row])


class PatchStore:
    """Stored patches, packed."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.names: set[str] = set()
        self.patches: list[tuple[bytes, NDArray[np.float32]]] = []
        self.refresh()

    def refresh(self) -> None:
        """Reads the chunks that are finished and not yet known."""
        for done in sorted(self.folder.glob(f"{self.kind}-*.done")):
            if done.stem not in self.names:
                self.names.add(done.stem)
                packed = (self.folder / f"{done.stem}.patches.pkl").read_bytes()
                self.patches.extend(pickle.loads(packed))


def crop_to_input(
    picture: Pictures, turn_deg: float = 0, scale: float = 1, shift_px: tuple[float, float] = (0, 0)
) -> Pictures:
    """A stored crop at the reader's size, turned and shifted about its middle."""
    width, height = CROP_SIZE_PX
    middle = ((STORED_CROP_PX[0] - 1) / 2, (STORED_CROP_PX[1] - 1) / 2)
    move = cv2.getRotationMatrix2D(middle, turn_deg, scale * CROP_PX_PER_MM / STORED_CROP_PX_PER_MM)
    shift = np.array([(width - 1) / 2, (height - 1) / 2]) - middle + shift_px
    move = move + np.column_stack([np.zeros((2, 2)), shift])
    return np.asarray(cv2.warpAffine(picture, move, (width, height)), np.uint8)


def _relight(rng: np.random.Generator, x: Tensor, groups: int) -> Tensor:
    """Changes white balance, exposure, contrast and noise, alike within a picture."""
    n = x.shape[0] // groups
    gain = torch.from_numpy(rng.normal(1, 0.07, (groups, 3)).astype(np.float32))
    bright = torch.from_numpy(np.exp(rng.normal(0, 0.22, (groups, 1))).astype(np.float32))
    lift = torch.from_numpy(rng.normal(0, 0.03, (groups, 1)).astype(np.float32))
    factor = (gain * bright).repeat_interleave(n, 0)[:, :, None, None]
    x = torch.addcmul(lift.repeat_interleave(n, 0)[:, :, None, None], x, factor)
    level = np.abs(rng.normal(0, 0.02, groups)).astype(np.float32)
    noise = torch.from_numpy(level).repeat_interleave(n, 0)[:, None, None, None]
    grain = torch.from_numpy(rng.standard_normal(tuple(x.shape), np.float32))
    return x.addcmul_(grain, noise).clamp_(0, 1)


def to_tensor(pictures: Pictures) -> Tensor:
    """uint8 (n, h, w, 3) -> float (n, 3, h, w), 0...1, channels last in memory."""
    tensor = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    return tensor.contiguous(memory_format=torch.channels_last)


def crop_batch(
    rng: np.random.Generator, store: CropStore, groups: int
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """A training batch of ``groups`` pictures: crops, colour, face, visible share, way."""
    pictures, labels = [], []
    for _ in range(groups):
        chunk, rows = store.scenes[int(rng.integers(len(store.scenes)))]
        for row in rng.choice(rows, GROUP, replace=len(rows) < GROUP):
            label = store.labels[chunk][row].copy()
            head_over = rng.random() < 0.5
            if head_over and label[3] != EITHER_WAY:
                label[3] = UPRIGHT + ON_ITS_HEAD - label[3]
            turn = float(rng.normal(0, 3)) + 180 * head_over
            scale = float(np.exp(rng.normal(0, 0.05)))
            shift = (float(rng.normal(0, 1.6)), float(rng.normal(0, 1.6)))
            cut = crop_to_input(store.picture(chunk, int(row)), turn, scale, shift)
            pictures.append(_spoil(rng, cut))
            labels.append(label)
    x = _relight(rng, to_tensor(np.stack(pictures)), groups)
    table = torch.from_numpy(np.stack(labels))
    return x, table[:, 0].long(), table[:, 1].long(), table[:, 2], table[:, 3].long()


def _spoil(rng: np.random.Generator, cut: Pictures) -> Pictures:
    """Now and then blurs a crop, lets a shadow's edge fall on it, lays a finger over its rim or
    washes it out."""
    chance = rng.random()
    if chance < 0.14:
        return np.asarray(cv2.GaussianBlur(cut, (0, 0), float(rng.uniform(0.5, 1.7))), np.uint8)
    height, width = cut.shape[:2]
    if chance < 0.3:
        dark = float(rng.uniform(0.3, 0.8))
        soft = float(rng.uniform(0.5, 8))
        a = float(rng.uniform(0, 2 * np.pi))
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        way = (x - width / 2) * np.cos(a) + (y - height / 2) * np.sin(a)
        edge = 1 / (1 + np.exp(-np.clip((way - float(rng.normal(0, 14))) / soft, -30, 30)))
        return np.asarray(cut * (1 - (1 - dark) * edge)[..., None], np.uint8)
    if chance < 0.4:
        a = float(rng.uniform(0, 2 * np.pi))
        rim = np.array([width / 2 + 55 * np.cos(a), height / 2 + 48 * np.sin(a)])
        tip = rim + (np.array([width, height]) / 2 - rim) * float(rng.uniform(0.3, 0.85))
        shade = rng.uniform(0.25, 1.0) * np.array([140.0, 165.0, 215.0]) + rng.normal(0, 12, 3)
        thick = int(rng.uniform(9, 22))
        ends = np.round(np.stack([rim, tip])).astype(int)
        colour = tuple(float(v) for v in np.clip(shade, 0, 255))
        spoilt = cut.copy()
        cv2.line(spoilt, tuple(ends[0]), tuple(ends[1]), colour, thick, cv2.LINE_AA)
        return spoilt
    if chance < 0.47:  # a lamp mirrored dully: the whole card looks washed out
        veil = float(rng.uniform(0.15, 0.6))
        lamp = np.clip(rng.normal(245, 12, 3), 0, 255)
        return np.asarray(cut * (1 - veil) + lamp * veil, np.uint8)
    return cut


def is_half(colour: Tensor) -> Tensor:
    """Which crops show a half at all."""
    return colour != NOT_A_HALF


def finder_targets(halves: NDArray[np.float32], cells: int) -> NDArray[np.float32]:
    """Per cell: heat, weight of the rest, offset x, y, cos, sin of twice the axis, visible.

    ``halves`` in pixels of the finder's patch. Heat is 1 at a centre and falls off; cells of
    halves too hidden to be asked for have heat -1 (left out of the loss).
    """
    target = np.zeros((8, cells, cells), np.float32)
    gy, gx = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for x, y, axis, visible in halves[np.argsort(halves[:, 3])] if len(halves) else halves:
        cx, cy = x / FIND_STRIDE_PX - 0.5, y / FIND_STRIDE_PX - 0.5
        squared = (gx - cx) ** 2 + (gy - cy) ** 2
        if visible < 0.12:
            continue
        near = squared < 2.6
        if visible < 0.45:
            target[0][near] = -1
            continue
        heat = np.exp(-squared / (2 * 0.75**2))
        target[0][near] = np.maximum(target[0], heat)[near]
        radius = squared < 1.6
        target[1][radius] = 1
        target[2][radius], target[3][radius] = (cx - gx)[radius], (cy - gy)[radius]
        a = 2 * np.radians(axis)
        target[4][radius], target[5][radius] = np.cos(a), np.sin(a)
        target[6][radius] = visible
        best = np.unravel_index(np.argmin(squared), squared.shape)
        target[7][best] = 1
    return target


def patch_batch(
    rng: np.random.Generator | None, store: PatchStore, rows: NDArray[np.int64]
) -> tuple[Tensor, Tensor]:
    """Patches and their `finder_targets`; turned and re-lit where ``rng`` is given."""
    pictures, targets = [], []
    base = FIND_PX_PER_MM / PATCH_PX_PER_MM
    middle = ((PATCH_PX - 1) / 2, (PATCH_PX - 1) / 2)
    for row in rows:
        packed, halves = store.patches[row]
        turn = scale = 0.0
        shift = np.zeros(2)
        if rng is not None:
            turn, scale = float(rng.uniform(0, 360)), float(rng.normal(0, 0.05))
            shift = rng.uniform(-20, 20, 2)
        move = cv2.getRotationMatrix2D(middle, turn, base * float(np.exp(scale)))
        centred = (FIND_PX - 1) / 2 - np.array(middle) + shift
        move = move + np.column_stack([np.zeros((2, 2)), centred])
        picture = cv2.warpAffine(decode(packed), move, (FIND_PX, FIND_PX))
        placed = halves.copy()
        if len(halves):
            placed[:, :2] = halves[:, :2] @ move[:, :2].T + move[:, 2]
            placed[:, 2] = (halves[:, 2] - turn) % 180
        pictures.append(picture)
        targets.append(finder_targets(placed, FIND_PX // FIND_STRIDE_PX))
    x = to_tensor(np.stack(pictures))
    if rng is not None:
        x = _relight(rng, x, len(rows))
    return x, torch.from_numpy(np.stack(targets))
