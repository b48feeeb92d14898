"""Weights of a run to ONNX, with calibrated temperatures: `python -m models.export DATA RUN`.

The temperatures and thresholds are fitted on the validation scenes and travel inside
``reader.onnx`` (metadata ``calibration``), so that weights and thresholds cannot part.
"""

from __future__ import annotations

import argparse
import json
import pickle
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from models.batches import CropStore, crop_to_input, to_tensor
from models.build_data import CLOSE_SEED, SOLO_SEED
from models.card import write_card
from models.mine import MINED_SEED
from models.networks import Finder, Reader
from models.samples import EITHER_WAY
from models.train import FACE_FINDER_WEIGHTS, face_logit, head_over
from vision.facts import COLOURS, FACES, PRINT_COLOURS, PRINT_FACES
from vision.halves import CROP_SIZE_PX, FACE_FINDER_FILE, FINDER_FILE, READER_FILE

LEAST_FOUND = 0.79
LEAST_SEEN = 0.42
_TOLD_OF_ONE_FACED = (
    "temperature_colour", "temperature_face", "validation_halves", "colour_right", "face_right",
    "both_right", "calibration_error_colour", "calibration_error_face",
)  # fmt: skip
_TURNED_ALIKE = "0689SRDXP"
"""Faces that often look alike, or like another face, on their heads."""


class _FromBytes(nn.Module):
    """Takes pictures as they come, uint8 (n, h, w, 3) blue-green-red."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, pictures: Tensor) -> object:
        return self.network(pictures.permute(0, 3, 1, 2).float() / 255)


def temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature that makes the probabilities honest: least log loss, by search."""
    grid = np.exp(np.linspace(np.log(0.3), np.log(4), 121))
    losses = [float(nn.functional.cross_entropy(logits / t, labels)) for t in grid]
    return float(grid[int(np.argmin(losses))])


def calibration_error(logits: Tensor, labels: Tensor, t: float) -> float:
    """Expected calibration error over 15 bins of equal width (Guo et al. 2017)."""
    p = torch.softmax(logits / t, dim=1)
    confidence, answer = p.max(dim=1)
    right = (answer == labels).float()
    error = 0.0
    for low in np.linspace(0, 1, 16)[:-1]:
        inside = (confidence > low) & (confidence <= low + 1 / 15)
        if inside.any():
            gap = (confidence[inside].mean() - right[inside].mean()).abs()
            error += float(gap) * float(inside.float().mean())
    return error


def calibrate(model: Reader, store: CropStore, *, one_faced: bool = False) -> dict[str, float]:
    """Temperatures and scores on scenes never trained on, read both ways up as at work.

    Of half cards, guesses count over the classes that they may have; of one-faced cards, all.
    """
    colours = len(PRINT_COLOURS if one_faced else COLOURS)
    faces = len(PRINT_FACES if one_faced else FACES)
    model.eval()
    hues, joints, rows_kept = [], [], []
    with torch.no_grad():
        for seed, (chunk, rows) in zip(store.seeds, store.scenes, strict=True):
            if (seed >= SOLO_SEED) != one_faced:
                continue
            cuts = np.stack([crop_to_input(store.picture(chunk, int(r))) for r in rows])
            one = model(to_tensor(cuts))
            two = model(to_tensor(np.ascontiguousarray(cuts[:, ::-1, ::-1])))
            labels = torch.from_numpy(store.labels[chunk][rows])
            keep = (labels[:, 0] >= 0) & (labels[:, 2] >= 0.6)
            hues.append(((one[0] + two[0]) / 2)[keep])
            joints.append(((one[1] + head_over(two[1])) / 2)[keep])
            rows_kept.append(labels[keep])
    labels = torch.cat(rows_kept)
    colour, face, way = labels[:, 0].long(), labels[:, 1].long(), labels[:, 3].long()
    hue = torch.cat(hues)[:, :colours]
    joint = torch.cat(joints).unflatten(1, (2, -1))[:, :, :faces].flatten(1)
    told = way != EITHER_WAY
    t_colour = temperature(hue, colour)
    t_face = temperature(joint[told], (face + way * faces)[told])
    shape = face_logit(joint / t_face)
    colour_right, face_right = hue.argmax(1) == colour, shape.argmax(1) == face
    clear = told & ~torch.isin(face, torch.tensor([PRINT_FACES.index(f) for f in _TURNED_ALIKE]))
    stands = joint.unflatten(1, (2, -1)).logsumexp(2).argmax(1)
    return {
        "temperature_colour": t_colour,
        "temperature_face": t_face,
        "validation_halves": len(colour),
        "colour_right": float(colour_right.float().mean()),
        "face_right": float(face_right.float().mean()),
        "both_right": float((colour_right & face_right).float().mean()),
        "way_right": float((stands == way)[clear].float().mean()),
        "calibration_error_colour": calibration_error(hue, colour, t_colour),
        "calibration_error_face": calibration_error(shape, face, 1.0),
    }


def count_scenes(data: Path) -> dict[str, int]:
    """How many scenes of each kind a folder of samples holds."""
    kinds = {"tables": 0, "close": 0, "mined": 0, "solo": 0, "validation": 0}
    for stored in data.glob("*.crops.pkl"):
        _, rows = pickle.loads(stored.read_bytes())
        seeds = np.unique(rows[:, 4])
        if stored.name.startswith("val"):
            kind = "validation"
        elif seeds[0] >= SOLO_SEED:
            kind = "solo"
        elif seeds[0] >= MINED_SEED:
            kind = "mined"
        else:
            kind = "close" if seeds[0] >= CLOSE_SEED else "tables"
        kinds[kind] += len(seeds)
    return kinds


def write_network(
    network: nn.Module, example: Tensor, path: Path, names: tuple[str, list[str]],
    axes: dict[str, dict[int, str]],
) -> None:  # fmt: skip
    """A network to ONNX, made to take pictures as they come.

    ``names`` are those of its input and of its outputs, ``axes`` which of their dimensions vary.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own deprecation
        torch.onnx.export(
            _FromBytes(network).eval(), (example,), str(path), input_names=[names[0]],
            output_names=names[1], dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip


def _write_finder(finder: Finder, path: Path) -> None:
    table = torch.zeros((1, 256, 256, 3), dtype=torch.uint8)
    write_network(finder, table, path, ("table", ["cells"]),
           {"table": {1: "height", 2: "width"}, "cells": {2: "rows", 3: "columns"}})  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    parser.add_argument("--finders-only", action="store_true", help="for `models.mine`")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    finder = Finder()
    finder.load_state_dict(torch.load(chosen.run / "finder.pt", weights_only=True))
    _write_finder(finder, chosen.out / FINDER_FILE)
    if (chosen.run / FACE_FINDER_WEIGHTS).exists():
        finder.load_state_dict(torch.load(chosen.run / FACE_FINDER_WEIGHTS, weights_only=True))
        _write_finder(finder, chosen.out / FACE_FINDER_FILE)
    if chosen.finders_only:
        return
    reader = Reader()
    reader.load_state_dict(torch.load(chosen.run / "reader.pt", weights_only=True))
    check = CropStore(chosen.data, "val")
    scores = calibrate(reader, check)
    if any(seed >= SOLO_SEED for seed in check.seeds):
        one_faced = calibrate(reader, check, one_faced=True)
        scores |= {f"one_faced_{k}": one_faced[k] for k in _TOLD_OF_ONE_FACED}
    scores |= {"least_found": LEAST_FOUND, "least_seen": LEAST_SEEN}
    crops = torch.zeros((2, CROP_SIZE_PX[1], CROP_SIZE_PX[0], 3), dtype=torch.uint8)
    many = {0: "halves"}
    write_network(reader, crops, chosen.out / READER_FILE, ("crops", ["colour", "face", "present"]),
           {"crops": many, "colour": many, "face": many, "present": many})  # fmt: skip
    notes = onnx.load(str(chosen.out / READER_FILE))
    for key, value in (
        ("calibration", json.dumps(scores)),
        ("colours", PRINT_COLOURS),
        ("faces", PRINT_FACES),
    ):
        notes.metadata_props.add(key=key, value=value)
    onnx.save(notes, str(chosen.out / READER_FILE))
    parameters = tuple(sum(p.numel() for p in net.parameters()) for net in (finder, reader))
    kinds = count_scenes(chosen.data)
    write_card(chosen.out, chosen.run, scores, (parameters[0], parameters[1]), kinds)
    print(json.dumps(scores, indent=1))


if __name__ == "__main__":
    main()
