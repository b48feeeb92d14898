"""Pictures of what went wrong, so that somebody can look at it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.evaluate.pictures import Match, Reading, SeenHalf, match, score
from vision.facts import Image

Colour = tuple[int, int, int]

MISSED: Colour = (0, 0, 255)
MISREAD: Colour = (0, 165, 255)
FALSE: Colour = (255, 0, 255)
TEXT_BACK: Colour = (0, 0, 0)


def has_miss(truth: Reading, answer: Reading) -> bool:
    """Whether any measure of this picture is less than whole."""
    return any(share.right < share.of for share in score(truth, answer).values())


def draw_misses(image: Image, truth: Reading, answer: Reading) -> Image:
    """The picture with red rings where a half was missed, orange ones where it was misread
    ('what it is > what was said'), violet ones where there is none, and both lines as text."""
    drawn = image.copy()
    matched = match(truth, answer)
    _rings(drawn, matched)
    if truth.line is not None:
        said = "no line" if answer.line is None else " ".join(answer.line.labels)
        if not {said, " ".join(reversed(said.split()))} & {" ".join(truth.line.labels)}:
            _text(drawn, "is:  " + " ".join(truth.line.labels), 10, drawn.shape[0] - 40)
            _text(drawn, "said: " + said, 10, drawn.shape[0] - 14)
    return drawn


def save_misses(folder: Path, name: str, image: Image, truth: Reading, answer: Reading) -> None:
    """Write the drawn picture as `NAME.jpg`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{Path(name).stem}.jpg"
    done, data = cv2.imencode(".jpg", draw_misses(image, truth, answer))
    if not done:
        raise ValueError(f"{path}: expected a picture that can be written, found {image.shape}")
    path.write_bytes(np.asarray(data).tobytes())


def _rings(image: Image, matched: Match) -> None:
    for half in matched.missed:
        _ring(image, half, half.short_side_px, MISSED, half.label)
    for half, said in matched.misread:
        _ring(image, half, half.short_side_px, MISREAD, f"{half.label} > {said.label}")
    for said in matched.false:
        _ring(image, said, 40, FALSE, said.label)


def _ring(image: Image, half: SeenHalf, size_px: float, colour: Colour, text: str) -> None:
    x, y, radius = round(half.x_px), round(half.y_px), max(8, round(size_px / 2))
    cv2.circle(image, (x, y), radius, colour, 2, cv2.LINE_AA)
    _text(image, text, x - radius, y - radius - 4, colour)


def _text(image: Image, text: str, x: int, y: int, colour: Colour = (255, 255, 255)) -> None:
    for shade, thick in ((TEXT_BACK, 4), (colour, 1)):
        cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, shade, thick, cv2.LINE_AA)
