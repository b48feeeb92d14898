"""One picture of all drawings of a deck with what they are taken for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.deck_enrol import Question
from vision.facts import Image

_CELL_PX: Final = (220, 170)
_COLUMNS: Final = 6
_BACK: Final = 245
_SURE: Final = (40, 40, 40)
_DOUBTFUL: Final = (0, 60, 220)


def contact_sheet(questions: Sequence[Question]) -> Image:
    """The first look at each drawing, its number and its name; doubtful ones in red."""
    cells = [_cell(question) for question in questions]
    blank = np.full((_CELL_PX[1], _CELL_PX[0], 3), _BACK, np.uint8)
    cells += [blank] * (-len(cells) % _COLUMNS or (0 if cells else _COLUMNS))
    rows = [np.hstack(cells[i : i + _COLUMNS]) for i in range(0, len(cells), _COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _cell(question: Question) -> Image:
    cell = np.full((_CELL_PX[1], _CELL_PX[0], 3), _BACK, np.uint8)
    height = _CELL_PX[1] - 44
    picture = question.picture
    # A question's picture has several looks side by side; one is enough here.
    width = min(picture.shape[1], round(picture.shape[0] * 59 / 45.5))
    first = cv2.resize(
        picture[:, :width], (round(height * width / picture.shape[0]), height),
        interpolation=cv2.INTER_AREA,
    )  # fmt: skip
    first = first[:, : _CELL_PX[0] - 20]
    cell[36 : 36 + height, 10 : 10 + first.shape[1]] = first
    colour = _DOUBTFUL if question.doubtful else _SURE
    number = question.key.split()[1] if not question.asks_colour else question.key
    text = number if number == question.likely[:2] else f"{number} = {question.likely[0]}"
    if question.doubtful:
        text += " ?"
    if len(question.looks) > 1:
        text += f"   ({len(question.looks)})"
    cv2.putText(cell, text, (10, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.7, colour, 2, cv2.LINE_AA)
    return cell


def picture_of(image: Image, path: Path) -> None:
    """Write a picture as PNG."""
    done, data = cv2.imencode(".png", image)
    if not done:
        raise ValueError(f"{path}: expected a picture that can be written, found {image.shape}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(np.asarray(data).tobytes())
