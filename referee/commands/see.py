"""Read the cards in pictures: half cards, the line they form, its two ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TextIO

import cv2
import numpy as np
import typer

from calibration.auto_cards import plane_from_cards
from calibration.table import load_table
from referee.asking import DeckOption, GameOption, asked_game
from referee.errors import RefereeError
from referee.placements_solo import PRINTED, guesses
from referee.reading import QUICKLY, open_reader
from vision.chain import assemble
from vision.facts import Half, Image, Reader
from vision.hands import Zone
from vision.line import Line
from vision.pile import begin_pile
from vision.pile_watch import DISCARD_ZONE, may_be_pile
from vision.plane import PlaneError, TablePlane
from vision.standing import settled_picture

Answering = Callable[[str, Image, TablePlane, Reader], dict[str, Any]]
"""What makes an answer of a picture's name, the picture, the table's plane and a reader."""


def run(
    images: Annotated[
        list[Path],
        typer.Argument(
            exists=True,
            dir_okay=False,
            metavar="IMAGE...",
            help="Pictures of the table.",
        ),
    ],
    table: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="The table's calibration; without it the table is found from the cards.",
        ),
    ] = None,
    game: GameOption = None,
    deck: DeckOption = "",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the answer to a file instead of the terminal."),
    ] = None,
) -> None:
    """Read the cards in pictures and print one JSON object a picture.

    Each object has the picture's name, all half cards that lie face up (colour and face, where
    they lie in pixels and in millimetres, and how often such a reading is right), and the line
    in order with its two ends; 'line' is null where no line lies. With --game solo each card
    that lies face up is one entry, and 'top' is the top card of the discard pile. One table file
    serves all pictures of a call.

    \b
    Examples:
      referee see table.jpg --table table.json
      referee see table.jpg
      referee see *.jpg --table table.json --out answers.jsonl
      referee see table.jpg --table table.json | jq -r '.line.ends | join(" ")'
      referee see table.jpg --table table.json --game solo
      referee see table.jpg --deck house-solomino
    """
    known = None if table is None else load_table(table)
    played = asked_game(known, game)
    solo = played == "solo"
    reader = open_reader(played, deck, QUICKLY)
    zone = None if known is None else known.zones.get(DISCARD_ZONE)
    answering = partial(solo_answer_for, zone=zone) if solo else answer_for
    plane = None if known is None else known.plane
    failed = 0
    with nullcontext(sys.stdout) if out is None else out.open("w", encoding="utf-8") as sink:
        for path in images:
            try:
                answer = see(path, plane, reader, answering, one_faced=solo)
            except RefereeError as error:
                # One broken picture among many must not cost the answers for the others.
                print(f"referee see: {error}", file=sys.stderr)
                failed += 1
                continue
            if solo:
                answer.setdefault("top", None)
            _print(answer, sink)
    if failed:
        raise typer.Exit(1)


def see(
    path: Path,
    plane: TablePlane | None,
    reader: Reader,
    answering: Answering | None = None,
    *,
    one_faced: bool = False,
) -> dict[str, Any]:
    """The answer for one picture file, as `docs/contract.md` has it; ``answering`` makes it of
    a picture whose plane is known, by default `answer_for`; ``one_faced`` says what kind of cards
    are to tell the plane where none is known.

    Without a plane it is found from the cards; where too few lie face up for that, the picture
    is read as one of a table without any. Raises `RefereeError` for a file that is no picture,
    and for one of another shape than the pictures that the table was calibrated with.
    """
    image = _load(path)
    answering = answering or answer_for
    if plane is None:
        found = plane_from_cards([image], reader, one_faced=one_faced)
        if found is None:
            # An empty table is no failure; why cards that lie there are not told must be said.
            print(
                f"referee see: {path}: too few whole cards to find the table by, nothing read;"
                " --table reads it all the same ('referee calibrate' makes one)",
                file=sys.stderr,
            )
            return {"file": path.name, "halves": [], "line": None}
        return answering(path.name, image, found.plane, reader)
    try:
        resized = plane.resized((image.shape[1], image.shape[0]))
    except PlaneError as error:
        raise RefereeError(f"{path}: {error}") from None
    return answering(path.name, image, resized, reader)


def answer_for(name: str, image: Image, plane: TablePlane, reader: Reader) -> dict[str, Any]:
    """The answer for one picture."""
    halves = reader.read(image, plane)
    halves, line = settled_picture(halves, assemble(halves))
    return {"file": name, "halves": halves_to_json(halves, plane), "line": line_to_json(line)}


def solo_answer_for(
    name: str, image: Image, plane: TablePlane, reader: Reader, zone: Zone | None = None
) -> dict[str, Any]:
    """The answer for one picture of one-faced cards; ``zone`` is where the discard pile lies."""
    faces = reader.read(image, plane)
    told = halves_to_json(faces, plane)
    for entry, face in zip(told, _from_left(faces), strict=True):
        guess = guesses(face, PRINTED)[0]
        entry["half"] = guess.card
        entry["confidence"] = round(guess.p * face.found, 4)
    pile = begin_pile([face for face in faces if may_be_pile(face, plane, zone)])
    top = None if pile is None else guesses(pile.top, PRINTED)[0]
    return {
        "file": name,
        "halves": told,
        "line": None,
        "top": None if top is None else {"card": top.card, "confidence": round(top.p, 4)},
    }


def halves_to_json(halves: list[Half], plane: TablePlane) -> list[dict[str, Any]]:
    """Half cards with their places in pixels and millimetres, from left to right."""
    if not halves:
        return []
    ordered = _from_left(halves)
    pixels = plane.to_px(np.array([[half.x_mm, half.y_mm] for half in ordered]))
    return [
        {
            "half": half.label,
            "centre_px": [round(float(x), 1), round(float(y), 1)],
            "centre_mm": [round(half.x_mm, 1), round(half.y_mm, 1)],
            "confidence": round(half.confidence * half.found, 4),
        }
        for half, (x, y) in zip(ordered, pixels, strict=True)
    ]


def _from_left(halves: list[Half]) -> list[Half]:
    return sorted(halves, key=lambda half: (half.x_mm, half.y_mm))


def line_to_json(line: Line | None) -> dict[str, Any] | None:
    """The line in order and its two ends, or None where no line lies."""
    if line is None:
        return None
    labels = list(line.labels)
    return {
        "halves": labels,
        "ends": [labels[0], labels[-1]],
        "confidence": round(line.confidence, 4),
    }


def _load(path: Path) -> Image:
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise RefereeError(f"{path}: expected a picture (JPEG, PNG, ...), found something else")
    return np.asarray(image, dtype=np.uint8)


def _print(answer: dict[str, Any], sink: TextIO) -> None:
    print(json.dumps(answer, ensure_ascii=False), file=sink, flush=True)
