"""Where truth comes from: scenes rendered for the occasion, stills and recordings on disk."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.table import load_table
from datasets.evaluate.pictures import Reading, SeenHalf, SeenLine
from datasets.scenes import Scene, render_scene
from vision.facts import CARD_MM, Image
from vision.plane import TablePlane

FIRST_FRESH_SEED = 900_000_000
"""Training draws its scenes from smaller seeds; fonts and icons of these are held out, too."""

Corners = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """A picture with its truth."""

    name: str
    image: Image
    plane: TablePlane
    truth: Reading
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording with its truth beside it."""

    name: str
    video: Path
    table: Path
    truth: Path


def fresh_scenes(count: int) -> Iterator[Exhibit]:
    """Scenes that no training saw, of invented editions that no training saw."""
    for seed in range(FIRST_FRESH_SEED, FIRST_FRESH_SEED + count):
        scene = render_scene(seed, use_held_out=True)
        yield Exhibit(
            f"scene-{seed - FIRST_FRESH_SEED}",
            scene.image,
            scene.plane,
            truth_of(scene),
            scene.tags,
        )


def truth_of(scene: Scene) -> Reading:
    """What is to be read in a rendered scene."""
    seen = [half for half in scene.halves if half.face_up]
    corners = {id(half): _corners_px(half.centre_mm, half.axis_deg, scene.plane) for half in seen}
    line = [scene.halves[i] for i in scene.line]
    return Reading(
        halves=tuple(
            _half(
                half.label,
                corners[id(half)],
                half.visible,
                held_up=half.held_up,
                in_line=half.zone == "line",
            )
            for half in seen
        ),
        line=SeenLine(tuple(h.label for h in line), tuple(h.visible for h in line))
        if line
        else None,
        is_empty=not seen,
    )


def stills(folder: Path) -> Iterator[Exhibit]:
    """The pictures of a folder with `truth.jsonl`, without those that are burnt out."""
    for text in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        if "over" in row["tags"]:
            continue
        path = folder / row["file"]
        image = cv2.imread(str(path))
        if image is None:
            raise ValueError(f"{path}: expected a picture, found none")
        yield Exhibit(
            row["file"],
            np.asarray(image, dtype=np.uint8),
            load_table(path.with_suffix(".table.json")).plane,
            truth_from_json(row),
            (f"edition {row['edition']}", *row["tags"]),
        )


def truth_from_json(row: Mapping[str, Any]) -> Reading:
    """What is to be read in a still, from its line of `truth.jsonl`."""
    line = row["line"]
    return Reading(
        halves=tuple(
            _half(
                half["half"],
                half["polygon_px"],
                half["visible"],
                held_up=bool(card.get("held_up")),
                in_line=card.get("zone") == "line",
            )
            for card in row["cards"]
            for half in card["halves"]
        ),
        line=SeenLine(tuple(line["halves"]), tuple(line["visible"])) if line else None,
        is_empty=any(tag.startswith("empty") for tag in row["tags"]),
    )


def recordings(folder: Path) -> list[Recording]:
    """The recordings of a folder that have a table file and a record beside them."""
    found = []
    for video in sorted(folder.glob("*.mp4")):
        table, truth = video.with_suffix(".table.json"), video.with_suffix(".game.jsonl")
        if table.is_file() and truth.is_file():
            found.append(Recording(video.stem, video, table, truth))
    return found


def answer_from_json(answer: Mapping[str, Any]) -> Reading:
    """What `referee see` said of a picture."""
    line = answer["line"]
    labels = tuple(line["halves"]) if line else ()
    return Reading(
        halves=tuple(SeenHalf(h["half"], *h["centre_px"]) for h in answer["halves"]),
        line=SeenLine(labels, (1.0,) * len(labels)) if labels else None,
    )


def _half(
    label: str, corners: Corners, visible: float, *, held_up: bool, in_line: bool
) -> SeenHalf:
    """A half from its corners: clockwise, a 59 mm side first."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    sides = sorted(
        ((math.dist(a, b) + math.dist(c, d)) / 2, (math.dist(b, c) + math.dist(d, a)) / 2)
    )
    return SeenHalf(
        label=label,
        x_px=(a[0] + b[0] + c[0] + d[0]) / 4,
        y_px=(a[1] + b[1] + c[1] + d[1]) / 4,
        short_side_px=sides[0],
        visible=visible,
        held_up=held_up,
        long_side_px=sides[1],
        in_line=in_line,
    )


def _corners_px(centre_mm: tuple[float, float], axis_deg: float, plane: TablePlane) -> Corners:
    angle = math.radians(axis_deg)
    along = np.array([math.cos(angle), math.sin(angle)]) * CARD_MM[1] / 4
    across = np.array([-math.sin(angle), math.cos(angle)]) * CARD_MM[0] / 2
    middle = np.array(centre_mm)
    square = np.array(
        [
            middle + along - across,
            middle + along + across,
            middle - along + across,
            middle - along - across,
        ]
    )
    corners: Corners = plane.to_px(square).tolist()
    return corners
