"""Renders the training and validation samples: `python -m models.build_data OUT --scenes N`.

Scene k of the training set has seed k; validation scenes have seeds from 10,000,000 up and
fonts that training never sees. Output: ``NAME.crops.pkl`` and ``NAME.patches.pkl`` per chunk,
and ``sides-NAME.pkl`` for the network that finds the sides of cards.
Nothing of it is ever committed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
from pathlib import Path

import cv2
import numpy as np

from datasets.scenes import render_scene
from datasets.solo_scenes import render_solo_scene
from models.samples import Crops, cut_crops, cut_patch, encode
from models.sides import (
    SIDES_MATCHING_SEED,
    SIDES_SEED,
    SIDES_SOLO_SEED,
    SIDES_VALIDATION_SEED,
    build_sides,
)

VALIDATION_SEED = 10_000_000
CLOSE_SEED = 20_000_000
"""Close-up scenes have the seeds from here up; they give crops alone."""
SOLO_SEED = 60_000_000
"""Scenes of one-faced cards have the seeds from here up; their patches train a finder of their
own and are kept apart."""
SOLO_VALIDATION_SEED = 70_000_000
PATCHES_A_SCENE = 5
CHUNK = 150


def label_rows(crops: Crops, seed: int) -> np.ndarray:
    """What a store keeps of a scene's crops: (n, 5) colour, face, visible, way, seed."""
    scene = np.full(len(crops.colour), seed, np.float64)
    return np.stack([crops.colour, crops.face, crops.visible, crops.way, scene], axis=1)


def build_chunk(job: tuple[int, int, bool, Path]) -> str:
    """Renders scenes ``first`` ... and writes one pair of files."""
    first, count, validation, out = job
    cv2.setNumThreads(1)
    one_faced = first >= SOLO_SEED
    kind = "val" if validation else "train"
    name = f"{kind}-{first:08d}"
    done = out / f"{name}.done"
    if done.exists():
        return name
    pictures: list[bytes] = []
    labels: list[np.ndarray] = []
    patches: list[tuple[bytes, np.ndarray]] = []
    for seed in range(first, first + count):
        close = CLOSE_SEED <= seed < CLOSE_SEED + CLOSE_SEED
        if one_faced:
            scene = render_solo_scene(seed, use_held_out=validation, close=seed % 3 > 0)
        else:
            scene = render_scene(seed, use_held_out=validation, close=close)
        rng = np.random.default_rng([seed, 6091])
        crops = cut_crops(rng, scene)
        pictures.extend(encode(picture) for picture in crops.pictures)
        labels.append(label_rows(crops, seed))
        for _ in range(0 if close else PATCHES_A_SCENE):
            patch = cut_patch(rng, scene)
            patches.append((encode(patch.picture), patch.halves))
    (out / f"{name}.crops.pkl").write_bytes(pickle.dumps((pictures, np.concatenate(labels))))
    if one_faced:
        (out / f"{name}.patches.pkl").write_bytes(pickle.dumps([]))
        (out / f"solo-{name}.patches.pkl").write_bytes(pickle.dumps(patches))
        (out / f"solo-{name}.done").touch()
    else:
        (out / f"{name}.patches.pkl").write_bytes(pickle.dumps(patches))
    done.touch()
    return name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=6000)
    parser.add_argument("--close", type=int, default=4500)
    parser.add_argument("--solo", type=int, default=2250)
    parser.add_argument("--sides", type=int, default=3000)
    parser.add_argument("--matching", type=int, default=3000)
    parser.add_argument("--solo-sides", type=int, default=600)
    parser.add_argument("--validation", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    jobs = [(VALIDATION_SEED + k, CHUNK, True, chosen.out)
            for k in range(0, chosen.validation, CHUNK)]  # fmt: skip
    train = [(k, CHUNK, False, chosen.out) for k in range(0, chosen.scenes, CHUNK)]
    train += [(CLOSE_SEED + k, CHUNK, False, chosen.out) for k in range(0, chosen.close, CHUNK)]
    train += [(SOLO_SEED + k, CHUNK, False, chosen.out) for k in range(0, chosen.solo, CHUNK)]
    jobs.append((SOLO_VALIDATION_SEED, CHUNK, True, chosen.out))
    sides = [
        (first + k, CHUNK, False, chosen.out)
        for first, count in (
            (SIDES_SEED, chosen.sides),
            (SIDES_MATCHING_SEED, chosen.matching),
            (SIDES_SOLO_SEED, chosen.solo_sides),
        )
        for k in range(0, count, CHUNK)
    ]
    if sides:
        sides.insert(0, (SIDES_VALIDATION_SEED, CHUNK, True, chosen.out))
    with multiprocessing.Pool(chosen.workers) as pool:
        for name in pool.imap(build_chunk, [*train[:2], *jobs, *train[2:]]):
            print(name, flush=True)
        for name in pool.imap(build_sides, sides):
            print(name, flush=True)


if __name__ == "__main__":
    main()
