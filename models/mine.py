"""Hard negatives: what the finder takes for halves and is none, for the reader to refuse.

    python -m models.mine DATA FINDER.onnx --scenes 450
    python -m models.mine DATA FACE-FINDER.onnx --scenes 450 --solo

Renders scenes, every other one on a cloth with printed figures, runs the exported finder on them
and stores a crop of each false candidate beside the true halves, as `models.build_data` stores
its own.
"""

from __future__ import annotations

import argparse
import pickle
from pathlib import Path

import cv2
import numpy as np

from datasets.scenes import render_scene
from datasets.solo_scenes import render_solo_scene
from models.build_data import CHUNK, label_rows
from models.samples import EITHER_WAY, NOT_A_HALF, Crops, crop_at, cut_crops, encode
from vision.halves import HalfFinder, seen_region_mm

MINED_SEED = 40_000_000
MINED_SOLO_SEED = 45_000_000
_CLEAR_MM = 30.0
"""A candidate farther than this from every half that shows at all is false."""


def mine(seed: int, finder: HalfFinder, most: int = 8) -> Crops:
    """The crops of a scene: its halves, and up to ``most`` false candidates."""
    render = render_solo_scene if seed >= MINED_SOLO_SEED else render_scene
    scene = render(seed, figured=seed // 5 % 2 > 0)
    rng = np.random.default_rng([seed, 6091])
    true = cut_crops(rng, scene, background=0.0)
    places = np.array([h.centre_mm for h in scene.halves if h.visible > 0.02]).reshape(-1, 2)
    false = [
        (c.x_mm, c.y_mm, c.axis_deg)
        for c in finder.find(scene.image, scene.plane, seen_region_mm(scene.plane))
        if not len(places) or np.hypot(*(places - (c.x_mm, c.y_mm)).T).min() > _CLEAR_MM
    ][:most]
    if not false:
        return true
    pictures = [crop_at(scene, (x, y), axis, 1.0) for x, y, axis in false]
    none = np.full(len(false), NOT_A_HALF, np.int8)
    return Crops(
        [*true.pictures, *pictures],
        np.concatenate([true.colour, none]),
        np.concatenate([true.face, none]),
        np.concatenate([true.visible, np.zeros(len(false), np.float32)]),
        np.concatenate([true.way, np.full(len(false), EITHER_WAY, np.int8)]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("finder", type=Path)
    parser.add_argument("--scenes", type=int, default=450)
    parser.add_argument("--solo", action="store_true", help="scenes of one-faced cards")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    finder = HalfFinder.load(chosen.finder)
    begin = MINED_SOLO_SEED if chosen.solo else MINED_SEED
    for first in range(begin, begin + chosen.scenes, CHUNK):
        stem = chosen.data / f"train-{first:08d}"
        mined = [(seed, mine(seed, finder)) for seed in range(first, first + CHUNK)]
        pictures = [encode(picture) for _, crops in mined for picture in crops.pictures]
        labels = np.concatenate([label_rows(crops, seed) for seed, crops in mined])
        stem.with_suffix(".crops.pkl").write_bytes(pickle.dumps((pictures, labels)))
        stem.with_suffix(".patches.pkl").write_bytes(pickle.dumps([]))
        stem.with_suffix(".done").touch()


if __name__ == "__main__":
    main()
