"""How well the table is found without a calibration: `python -m datasets.evaluate.planes`.

For every still that shows at least two whole cards, and for every recording, the plane is found
from the cards alone, turned and shifted onto the true one (never scaled), and the halves' places
compared. `--markers` measures the printed page instead, put into each still by its true plane.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.auto import find_plane
from calibration.lens import Lens
from calibration.markers import MARKER_MM, MarkerRefusal, find_markers, marker_cells, page_markers
from calibration.printing.sheets import PAPERS_MM
from calibration.sources import table_pictures
from calibration.table import load_table
from datasets.evaluate.sources import FIRST_FRESH_SEED, recordings
from datasets.scenes import render_scene
from vision.facts import Image
from vision.halves import HalfReader
from vision.line_match import Motion
from vision.plane import TablePlane
from vision.weights import weights_folder

WHOLE = 0.9
"""A card both of whose halves are seen so far is whole."""
SEEN = 0.6
GOOD_MM = 3.0
_PAGE_PX_PER_MM = 6.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Pictures of one table, its true plane, and where half cards lie in truth."""

    name: str
    images: tuple[Image, ...]
    plane: TablePlane
    halves_mm: Floats


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far halves are placed from where they lie, or None where no plane was found."""

    name: str
    mean_mm: float | None
    worst_mm: float | None
    cpu_s: float


def off_mm(found: TablePlane, true: TablePlane, halves_mm: Floats) -> Floats:
    """How far from true each half is placed, one plane turned and shifted onto the other."""
    told = found.to_mm(true.to_px(halves_mm))
    step = Motion.between(told, halves_mm).apply(told) - halves_mm
    return np.asarray(np.hypot(step[:, 0], step[:, 1]), np.float64)


def still_cases(folder: Path) -> Iterator[Case]:
    """The stills that show at least two whole cards."""
    for text in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        lying = [c for c in row["cards"] if c["face_up"] and not c.get("held_up")]
        whole = [c for c in lying if min(h["visible"] for h in c["halves"]) >= WHOLE]
        if len(whole) < 2:
            continue
        path = folder / row["file"]
        plane = load_table(path.with_suffix(".table.json")).plane
        seen = [h["polygon_px"] for c in lying for h in c["halves"] if h["visible"] >= SEEN]
        middles = [plane.to_mm(np.array(corners)).mean(axis=0) for corners in seen]
        yield Case(row["file"], (np.asarray(cv2.imread(str(path)), np.uint8),), plane,
                   np.array(middles))  # fmt: skip


def fresh_cases(count: int) -> Iterator[Case]:
    """Scenes of our own that show at least two whole cards, in type that no training saw."""
    for number in range(count):
        scene = render_scene(FIRST_FRESH_SEED + number, use_held_out=True)
        lying = [h for h in scene.halves if h.face_up and not h.held_up]
        whole = Counter(h.card for h in lying if h.visible >= WHOLE)
        if sum(seen == 2 for seen in whole.values()) < 2:
            continue
        middles = np.array([h.centre_mm for h in lying if h.visible >= SEEN])
        yield Case(f"scene-{number}", (scene.image,), scene.plane, middles)


def clip_cases(folder: Path) -> Iterator[Case]:
    """The recordings; their halves are taken where the reader finds them by the true plane."""
    reader = HalfReader.load(weights_folder())
    for recording in recordings(folder):
        plane = load_table(recording.table).plane
        images = table_pictures(str(recording.video))
        halves = reader.read(images[-1], plane)
        yield Case(recording.name, tuple(images), plane,
                   np.array([[h.x_mm, h.y_mm] for h in halves]))  # fmt: skip


def from_cards(case: Case, reader: HalfReader) -> Outcome:
    """The plane from the cards alone."""
    began_s = time.process_time()
    found = find_plane(case.images, reader)
    cpu_s = time.process_time() - began_s
    if found is None:
        return Outcome(case.name, None, None, cpu_s)
    off = off_mm(found.plane, case.plane, case.halves_mm)
    return Outcome(case.name, float(off.mean()), float(off.max()), cpu_s)


def from_markers(case: Case, seed: int) -> Outcome:
    """The plane from the page of markers, laid into the picture at the table's middle."""
    rng = np.random.default_rng(seed)
    turn = Motion(float(rng.uniform(0, 360)), tuple(rng.uniform(-40, 40, 2)))
    image = with_page(case.images[0], case.plane, turn, rng)
    lens = None
    if case.plane.camera_matrix_px is not None and case.plane.distortion is not None:
        size = case.plane.image_size_px
        lens = Lens(size, case.plane.camera_matrix_px, case.plane.distortion)
    began_s = time.process_time()
    found = find_markers(image, lens)
    cpu_s = time.process_time() - began_s
    if isinstance(found, MarkerRefusal):
        return Outcome(case.name, None, None, cpu_s)
    off = off_mm(found.plane, case.plane, case.halves_mm)
    return Outcome(case.name, float(off.mean()), float(off.max()), cpu_s)


def with_page(image: Image, plane: TablePlane, lies: Motion, rng: np.random.Generator) -> Image:
    """A picture with the printed page lying on its table, blurred and noisy as a camera is."""
    wide, high = PAPERS_MM["a4"]
    size = (round(wide * _PAGE_PX_PER_MM), round(high * _PAGE_PX_PER_MM))
    page = np.full((size[1], size[0]), 235, np.uint8)
    for number, centre in page_markers(0).items():
        side = round(MARKER_MM * _PAGE_PX_PER_MM)
        cells = np.where(marker_cells(number), 25, 235).astype(np.uint8)
        x = round((centre[0] + wide / 2 - MARKER_MM / 2) * _PAGE_PX_PER_MM)
        y = round((centre[1] + high / 2 - MARKER_MM / 2) * _PAGE_PX_PER_MM)
        page[y : y + side, x : x + side] = cv2.resize(
            cells, (side, side), interpolation=cv2.INTER_NEAREST
        )
    # For each pixel of the camera, at twice its size, where on the page it looks.
    height, width = image.shape[:2]
    column, row = np.meshgrid(np.arange(width * 2), np.arange(height * 2))
    pixels = np.column_stack([column.ravel(), row.ravel()]) / 2 - 0.25
    spots = plane.to_mm(pixels)
    back = Motion(-lies.turn_deg)
    on_page = back.apply(spots - np.array(lies.shift_mm))
    maps = ((on_page + np.array([wide / 2, high / 2])) * _PAGE_PX_PER_MM - 0.5).astype(np.float32)
    maps = maps.reshape(height * 2, width * 2, 2)
    flat = (0, 0)
    layer = cv2.remap(cv2.GaussianBlur(page, flat, 2.0), maps[..., 0], maps[..., 1],
                      cv2.INTER_LINEAR, borderValue=(0.0,))  # fmt: skip
    light = np.asarray(cv2.resize(layer, (width, height), interpolation=cv2.INTER_AREA), float)
    cover = (np.abs(maps[..., 0] / size[0] - 0.5) < 0.5) & (
        np.abs(maps[..., 1] / size[1] - 0.5) < 0.5
    )
    share = cv2.resize(cover.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
    mixed = image * (1 - share[..., None]) + light[..., None]
    mixed = cv2.GaussianBlur(mixed, flat, float(rng.uniform(0.5, 1.1)))
    mixed = mixed + rng.normal(0, 3.0, mixed.shape)
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def summary(outcomes: list[Outcome]) -> str:
    """One line: how many were found, and how far off they are."""
    means = np.array([o.mean_mm for o in outcomes if o.mean_mm is not None])
    worst = np.array([o.worst_mm for o in outcomes if o.worst_mm is not None])
    of = len(outcomes)
    if not len(means):
        return f"found in 0 of {of}"
    return (
        f"found in {len(means)} of {of}; halves off by {means.mean():.2f} mm on average (median"
        f" {np.median(means):.2f}, worst picture {means.max():.2f}); within {GOOD_MM:g} mm on"
        f" average in {(means <= GOOD_MM).sum()}, the farthest half too in"
        f" {(worst <= GOOD_MM).sum()}; {np.mean([o.cpu_s for o in outcomes]):.1f} s each"
    )


def main(argv: list[str] | None = None) -> int:
    """Measure, and print a line for each case and one for all; 1 where nothing is there."""
    parser = argparse.ArgumentParser(prog="python -m datasets.evaluate.planes", description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--markers", action="store_true", help="measure the printed page")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these cases alone")
    parser.add_argument("--every", type=int, default=1, help="each n-th still alone")
    parser.add_argument("--scenes", type=int, default=0, help="so many fresh scenes as well")
    asked = parser.parse_args(argv)
    if not (asked.shared / "stills" / "truth.jsonl").is_file():
        print(f"{asked.shared}: expected stills/truth.jsonl, found none", file=sys.stderr)
        return 1
    reader = HalfReader.load(weights_folder())
    groups = {"stills": still_cases(asked.shared / "stills")}
    if not asked.markers:
        groups["clips"] = clip_cases(asked.shared / "clips")
    if asked.scenes:
        groups["fresh scenes"] = fresh_cases(asked.scenes)
    for name, cases in groups.items():
        outcomes = []
        for i, case in enumerate(cases):
            if (asked.only and case.name not in asked.only) or i % asked.every:
                continue
            outcome = from_markers(case, i) if asked.markers else from_cards(case, reader)
            outcomes.append(outcome)
            off = "none" if outcome.mean_mm is None else f"{outcome.mean_mm:.2f} mm"
            far = "" if outcome.worst_mm is None else f", farthest {outcome.worst_mm:.2f} mm"
            print(f"{case.name}: {off}{far}", flush=True)
        if outcomes:
            print(f"{name}: {summary(outcomes)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
