"""`python -m datasets.evaluate.photographs FOLDER`: real photographs, read without calibration.

FOLDER holds `LABELS.jsonl` and the photographs that it names. Cards of UNO, SOLO's sister, are
to be read; playing cards, dominoes and boards are foreign and must not be. A card counts as
*told* where what `referee see` says of it is sure enough to count in a game.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.auto_cards import plane_from_cards
from datasets.evaluate.shares import Share, total
from referee.half_words import READABLE
from referee.placements_solo import PRINTED, guesses
from referee.reading import open_reader
from vision.facts import Half, Image, Reader

_NEAR = 0.35
"""A face nearer to a card's middle than this, in square roots of its area, is the card's."""
_COLOURS = {"red": "r", "yellow": "y", "green": "g", "blue": "b", "black": "k"}
_FACES = {"skip": "S", "reverse": "R", "draw2": "D", "wild": "W", "wild4": "F", "wild_blank": "W"}
_NOT_ASKED = ("back", "unknown")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A card in a photograph: what it is and where, in pixels."""

    label: str
    x_px: float
    y_px: float
    size_px: float


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: a label, its middle, and whether it counts."""

    label: str
    x_px: float
    y_px: float
    counts: bool


def labelled(row: Mapping[str, Any]) -> list[Labelled]:
    """The cards of a photograph that are wholly visible and have a face, from its line of
    `LABELS.jsonl`."""
    cards: list[Labelled] = []
    for card in row.get("cards") or ():
        corners = card.get("quad") or _box(card.get("bbox"))
        if corners is None or card["visible"] != "full" or card["face"] in _NOT_ASKED:
            continue
        points = np.array(corners, np.float32)
        x, y = points.mean(axis=0)
        size = math.sqrt(float(cv2.contourArea(points)))
        colour = _COLOURS.get(card.get("colour") or "", "k")
        face = _FACES.get(card["face"], card["face"])
        cards.append(Labelled(colour + face, float(x), float(y), size))
    return cards


def score(cards: Sequence[Labelled], reads: Sequence[Read]) -> dict[str, Share]:
    """Found, read right, told and right, told and wrong, of the cards."""
    found = right = told = wrong = 0
    for card in cards:
        near = min(reads, key=lambda one: _apart(card, one), default=None)
        if near is None or not on_card(card, near.x_px, near.y_px):
            continue
        found += 1
        right += near.label == card.label
        told += near.counts and near.label == card.label
        wrong += near.counts and near.label != card.label
    count = len(cards)
    return {"found": Share(found, count), "right": Share(right, count),
            "told right": Share(told, count), "told wrong": Share(wrong, count)}  # fmt: skip


def read_photograph(image: Image, reader: Reader, *, one_faced: bool) -> list[Read]:
    """All faces in a picture of a table that nobody calibrated."""
    found = plane_from_cards([image], reader, one_faced=one_faced)
    if found is None:
        return []
    faces = reader.read(image, found.plane)
    places = np.array([(face.x_mm, face.y_mm) for face in faces]).reshape(-1, 2)
    tell = _one_faced if one_faced else _half
    reads: list[Read] = []
    for face, (x, y) in zip(faces, found.plane.to_px(places), strict=True):
        label, counts = tell(face)
        reads.append(Read(label, float(x), float(y), counts))
    return reads


def on_card(card: Labelled, x_px: float, y_px: float) -> bool:
    """Whether a place is near enough to a card's middle to be of its face."""
    return math.hypot(card.x_px - x_px, card.y_px - y_px) <= _NEAR * card.size_px


def photographs(folder: Path, kind: str) -> Iterator[tuple[Mapping[str, Any], Image]]:
    """The photographs of a kind with their lines; raises ValueError where one is missing."""
    for text in (folder / "LABELS.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        if row["kind"] != kind:
            continue
        image = cv2.imread(str(folder / row["file"]))
        if image is None:
            raise ValueError(f"{folder / row['file']}: expected a picture, found none")
        yield row, np.asarray(image, np.uint8)


def labelled_folder(name: str) -> Path:
    """A folder of labelled photographs, as a command's argument names it."""
    labels = Path(name) / "LABELS.jsonl"
    if not labels.is_file():
        raise argparse.ArgumentTypeError(f"expected photographs with {labels}, found no such file")
    return Path(name)


def source_of(row: Mapping[str, Any]) -> str:
    """Whose photograph it is: one deck, one camera."""
    return Path(row["file"]).name.split("_")[0]


def main(argv: list[str] | None = None) -> int:
    """Read all photographs and print one table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.evaluate.photographs",
                                     description=__doc__)  # fmt: skip
    parser.add_argument("folder", type=labelled_folder)
    parser.add_argument("--deck", default="", help="an enrolled deck to read the cards with")
    asked = parser.parse_args(argv)
    console, progress = Console(), Console(stderr=True)
    solo, solomino = open_reader("solo", asked.deck), open_reader("solomino")
    parts: dict[str, list[dict[str, Share]]] = defaultdict(list)
    quiet: dict[str, list[bool]] = defaultdict(list)
    no_digit: dict[str, list[bool]] = defaultdict(list)
    with progress.status("reading") as status:
        for row, image in photographs(asked.folder, "uno-cards"):
            status.update(row["file"])
            cards = labelled(row)
            shares = score(cards, read_photograph(image, solo, one_faced=True))
            parts[source_of(row)].append(shares)
        for kind in ("playing-cards", "domino-lines", "calibration"):
            for row, image in photographs(asked.folder, kind):
                status.update(row["file"])
                for reader, one_faced in ((solomino, False), (solo, True)):
                    reads = read_photograph(image, reader, one_faced=one_faced)
                    told = [one.label for one in reads if one.counts]
                    name = f"{kind}, {'SOLO' if one_faced else 'SOLOmino'}"
                    quiet[name].append(not told)
                    no_digit[name].append(not any(label[1].isdigit() for label in told))
    console.print(table_of("Real photographs of one-faced cards (shares in %)", parts))
    for name, of in quiet.items():
        console.print(
            f"{name}: nothing told in {sum(of)} of {len(of)} photographs,"
            f" no digit in {sum(no_digit[name])}"
        )
    return 0


def table_of(title: str, parts: Mapping[str, Sequence[Mapping[str, Share]]]) -> Table:
    """A row for each source, and one for all."""
    table = Table(title=title)
    table.add_column("source")
    table.add_column("cards", justify="right")
    names = ("found", "right", "told right", "told wrong")
    for name in names:
        table.add_column(name, justify="right")
    every = [shares for group in parts.values() for shares in group]
    for source, group in [*sorted(parts.items()), ("all", every)]:
        shares = total(group)
        if shares and shares["found"].of:
            cells = [f"{100 * (shares[name].value or 0):.1f}" for name in names]
            table.add_row(source, str(shares["found"].of), *cells)
    return table


def _half(half: Half) -> tuple[str, bool]:
    """A half's reading, and whether it counts in a game."""
    return half.label, min(max(half.colour_p), max(half.face_p)) >= READABLE


def _one_faced(face: Half) -> tuple[str, bool]:
    """As `referee see --game solo` tells it, and whether it is sure enough to count."""
    guess = guesses(face, PRINTED)[0]
    return guess.card, guess.p * face.found >= READABLE


def _apart(card: Labelled, one: Read) -> float:
    return math.hypot(card.x_px - one.x_px, card.y_px - one.y_px)


def _box(bbox: Sequence[float] | None) -> list[list[float]] | None:
    if bbox is None:
        return None
    x, y, w, h = bbox
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


if __name__ == "__main__":
    sys.exit(main())
