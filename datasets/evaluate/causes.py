"""Why something was missed: one likely cause for each miss, measured in the picture itself.

Causes are tried in the order of `CAUSES`, the ones that leave the reader no chance first; the
first whose measure passes its bound names the miss. What none explains is put down to the
edition: its face, its icons, its inks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.evaluate.pictures import ENOUGH_SEEN, Reading, SeenHalf, match
from vision.facts import Image

CAUSES = {
    "held up": "the card is held above the table",
    "glare": "a fifth of the half is burnt out",
    "covered": "less than 85 % of the half is seen",
    "dim": "the half is darker than a fifth of full white",
    "small": "its short side measures less than 26 px",
    "tilt": "seen so slantwise that its sides are off by a quarter",
    "blur": "its sharpest edges are soft",
    "six or nine": "one was taken for the other",
    "hue": "the face was right, the colour not",
    "crowding": "face-up cards that are not the line's lie right beside it",
    "course": "the line's course was not followed: a bend, a gap, an end at the border",
    "a half": "an end or a place was missed or misread, as its own entry says",
    "order": "all halves were read, their order was not",
    "no card": "something else was taken for a half",
    "edition": "none of these: its print was not read",
}

_GLARE_SHARE = 0.2
_DIM = 51
_SMALL_PX = 26.0
_TILTED = 1.25
_SOFT = 0.1
"""Steepest steps between neighbouring pixels, as a share of the half's own contrast."""
_CARD_SIDES = 59.0 / 45.5
_NEAR_HALVES = 1.6
"""Centres closer than this many short sides are right beside each other."""


@dataclass(frozen=True, slots=True)
class Miss:
    """Something that was not seen as it is."""

    picture: str
    measure: str
    """found, precise, read or line."""
    cause: str
    is_label: str
    said_label: str
    x_px: float
    y_px: float
    short_side_px: float
    tags: tuple[str, ...] = ()


def misses_of(
    picture: str, image: Image, truth: Reading, answer: Reading, tags: tuple[str, ...] = ()
) -> list[Miss]:
    """Every miss of one picture with its cause."""
    matched = match(truth, answer)
    found: list[Miss] = []

    def add(measure: str, cause: str, half: SeenHalf, is_label: str, said_label: str) -> None:
        size = half.short_side_px or 40.0
        found.append(Miss(picture, measure, cause, is_label, said_label, half.x_px, half.y_px,
                          size, tags))  # fmt: skip

    for half in matched.missed:
        add("found", _of_half(image, half) or "edition", half, half.label, "")
    for half, said in matched.misread:
        add("read", _of_reading(image, half, said), half, half.label, said.label)
    for said in matched.false:
        near = [half for half in truth.halves if half.held_up and half.distance_px(said) < 60]
        add("precise", "held up" if near else "no card", said, "", said.label)
    found += _of_line(picture, truth, answer, bool(found), tags)
    return found


def _of_half(image: Image, half: SeenHalf) -> str | None:
    """What in the picture made a half hard to see."""
    view = _upright(image, half)
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)
    burnt = float((view.min(axis=2) >= 253).mean())
    if burnt > _GLARE_SHARE:
        return "glare"
    if half.visible < 0.85:
        return "covered"
    if float(np.percentile(view.max(axis=2), 75)) < _DIM:
        return "dim"
    if half.short_side_px < _SMALL_PX:
        return "small"
    if half.long_side_px and _tilt(half) > _TILTED:
        return "tilt"
    if _sharpness(grey) < _SOFT:
        return "blur"
    return None


def _of_reading(image: Image, half: SeenHalf, said: SeenHalf) -> str:
    hard = _of_half(image, half)
    if half.label[0] == said.label[0] and {half.label[1], said.label[1]} == {"6", "9"}:
        return "six or nine"
    if hard is not None:
        return hard
    return "hue" if half.label[1] == said.label[1] else "edition"


def _of_line(
    picture: str, truth: Reading, answer: Reading, has_half: bool, tags: tuple[str, ...]
) -> list[Miss]:
    """The line, where it is not what it should be; halves that are hidden may be wrong."""
    line, said = truth.line, answer.line
    if line is None or min(line.visible) < ENOUGH_SEEN:
        return []
    labels = said.labels if said is not None else ()
    if labels in (line.labels, line.labels[::-1]):
        return []
    if has_half:
        cause = "a half"
    elif sorted(labels) == sorted(line.labels):
        cause = "order"
    else:
        cause = "crowding" if _is_crowded(truth) else "course"
    first = truth.halves[0] if truth.halves else SeenHalf("", 0, 0)
    return [Miss(picture, "line", cause, " ".join(line.labels), " ".join(labels),
                 first.x_px, first.y_px, 0.0, tags)]  # fmt: skip


def _is_crowded(truth: Reading) -> bool:
    """Whether a face-up card that is not the line's lies right beside it."""
    line = [half for half in truth.halves if half.in_line]
    for other in truth.halves:
        if not other.in_line and other.visible > ENOUGH_SEEN:
            near = (half.distance_px(other) < _NEAR_HALVES * half.short_side_px for half in line)
            if any(near):
                return True
    return False


def _tilt(half: SeenHalf) -> float:
    sides = half.long_side_px / max(half.short_side_px, 1e-6) / _CARD_SIDES
    return max(sides, 1 / max(sides, 1e-6))


def _upright(image: Image, half: SeenHalf) -> Image:
    """The square around a half's middle, in the picture as it is; never empty."""
    reach = max(4, round(half.short_side_px * 0.45))
    height, width = image.shape[:2]
    x = min(max(round(half.x_px), 0), width - 1)
    y = min(max(round(half.y_px), 0), height - 1)
    return image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]


def _sharpness(grey: NDArray[np.float32]) -> float:
    contrast = float(np.percentile(grey, 98) - np.percentile(grey, 2))
    if contrast < 8 or min(grey.shape) < 3:
        return 0.0
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    steps = np.abs(np.diff(soft, axis=1))
    return float(np.percentile(steps, 98)) / contrast


def by_cause(misses: Iterable[Miss]) -> list[tuple[str, list[Miss]]]:
    """Groups of misses, the largest first; of equal ones the order of `CAUSES`."""
    groups: dict[str, list[Miss]] = {cause: [] for cause in CAUSES}
    for miss in misses:
        groups[miss.cause].append(miss)
    return sorted(
        ((cause, group) for cause, group in groups.items() if group), key=lambda g: -len(g[1])
    )
