"""Weights of a run to ONNX, with calibrated temperatures: `python -m models.export DATA RUN`.

The temperatures and thresholds are fitted on the validation scenes and travel inside
``reader.onnx`` (metadata ``calibration``), so that weights and thresholds cannot part.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from models.batches import CropStore, crop_to_input, to_tensor
from models.build_data import CLOSE_SEED
from models.card import write_card
from models.mine import MINED_SEED
from models.networks import Finder, Reader
from vision.facts import COLOURS, FACES
from vision.halves import CROP_SIZE_PX, FINDER_FILE, READER_FILE

LEAST_FOUND = 0.79
LEAST_SEEN = 0.42


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


def calibrate(model: Reader, store: CropStore) -> dict[str, float]:
    """Temperatures of both heads on scenes never trained on, read both ways up as at work."""
    model.eval()
    hues, shapes, colours, faces = [], [], [], []
    with torch.no_grad():
        for chunk, rows in store.scenes:
            cuts = np.stack([crop_to_input(store.pictures[chunk][r]) for r in rows])
            one = model(to_tensor(cuts))
            two = model(to_tensor(np.ascontiguousarray(cuts[:, ::-1, ::-1])))
            labels = torch.from_numpy(store.labels[chunk][rows])
            keep = (labels[:, 0] >= 0) & (labels[:, 2] >= 0.6)
            hues.append(((one[0] + two[0]) / 2)[keep])
            shapes.append(((one[1] + two[1]) / 2)[keep])
            colours.append(labels[keep, 0].long())
            faces.append(labels[keep, 1].long())
    hue, shape = torch.cat(hues), torch.cat(shapes)
    colour, face = torch.cat(colours), torch.cat(faces)
    t_colour, t_face = temperature(hue, colour), temperature(shape, face)
    colour_right, face_right = hue.argmax(1) == colour, shape.argmax(1) == face
    return {
        "temperature_colour": t_colour,
        "temperature_face": t_face,
        "validation_halves": len(colour),
        "colour_right": float(colour_right.float().mean()),
        "face_right": float(face_right.float().mean()),
        "both_right": float((colour_right & face_right).float().mean()),
        "calibration_error_colour": calibration_error(hue, colour, t_colour),
        "calibration_error_face": calibration_error(shape, face, t_face),
    }


def count_scenes(data: Path) -> dict[str, int]:
    """How many scenes of each kind a folder of samples holds."""
    kinds = {"tables": 0, "close": 0, "mined": 0, "validation": 0}
    for labels in data.glob("*.labels.npz"):
        seeds = np.unique(np.load(labels)["scene"])
        if labels.name.startswith("val"):
            kind = "validation"
        elif seeds[0] >= MINED_SEED:
            kind = "mined"
        else:
            kind = "close" if seeds[0] >= CLOSE_SEED else "tables"
        kinds[kind] += len(seeds)
    return kinds


def _write(network: nn.Module, example: Tensor, path: Path, names: tuple[str, list[str]],
           axes: dict[str, dict[int, str]]) -> None:  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own deprecation
        torch.onnx.export(
            _FromBytes(network).eval(), (example,), str(path), input_names=[names[0]],
            output_names=names[1], dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    parser.add_argument("--finder-only", action="store_true", help="for `models.mine`")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    finder = Finder()
    finder.load_state_dict(torch.load(chosen.run / "finder.pt", weights_only=True))
    table = torch.zeros((1, 256, 256, 3), dtype=torch.uint8)
    _write(finder, table, chosen.out / FINDER_FILE, ("table", ["cells"]),
           {"table": {1: "height", 2: "width"}, "cells": {2: "rows", 3: "columns"}})  # fmt: skip
    if chosen.finder_only:
        return
    reader = Reader()
    reader.load_state_dict(torch.load(chosen.run / "reader.pt", weights_only=True))
    scores = calibrate(reader, CropStore(chosen.data, "val"))
    scores |= {"least_found": LEAST_FOUND, "least_seen": LEAST_SEEN}
    crops = torch.zeros((2, CROP_SIZE_PX[1], CROP_SIZE_PX[0], 3), dtype=torch.uint8)
    many = {0: "halves"}
    _write(reader, crops, chosen.out / READER_FILE, ("crops", ["colour", "face", "present"]),
           {"crops": many, "colour": many, "face": many, "present": many})  # fmt: skip
    notes = onnx.load(str(chosen.out / READER_FILE))
    for key, value in (("calibration", json.dumps(scores)), ("colours", COLOURS), ("faces", FACES)):
        notes.metadata_props.add(key=key, value=value)
    onnx.save(notes, str(chosen.out / READER_FILE))
    parameters = tuple(sum(p.numel() for p in net.parameters()) for net in (finder, reader))
    kinds = count_scenes(chosen.data)
    write_card(chosen.out, chosen.run, scores, (parameters[0], parameters[1]), kinds)
    print(json.dumps(scores, indent=1))


if __name__ == "__main__":
    main()
