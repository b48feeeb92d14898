"""The camera's picture for viewers: the line, its ends and a doubtful card drawn in, as JPEG."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.meter import timed
from referee.overlay.source import Mark, Picture, Pictures

QUALITY = 82
"""Of the JPEG: below this, the edges of the cards begin to show blocks."""

Colour = tuple[int, int, int]

INKS: dict[str, Colour] = {
    # blue, green, red: the overlay's own palette
    "zone": (190, 170, 150),
    "line": (235, 225, 215),
    "provisional": (220, 220, 220),
    "end": (255, 214, 92),
    "unsure": (64, 176, 255),
    "illegal": (70, 64, 255),
}
"""In the order in which marks are drawn: what matters most ends up on top."""


@dataclass(frozen=True, slots=True)
class Jpeg:
    """An encoded picture."""

    index: int
    data: bytes


class Studio:
    """Encodes each picture once for all who want it in the same size, outside the event loop."""

    def __init__(self, source: Pictures) -> None:
        self._source = source
        self._lock = asyncio.Lock()
        self._current: Picture | None = None
        self._made: dict[tuple[int | None, bool], Jpeg] = {}

    async def jpeg(self, width_px: int | None = None, marked: bool = True) -> Jpeg | None:
        """The newest picture, or None while there is none."""
        picture = self._source.picture()
        if picture is None:
            return None
        async with self._lock:
            if self._current is None or not _same(self._current, picture):
                self._current = picture
                self._made.clear()
            jpeg = self._made.get((width_px, marked))
            if jpeg is None:
                jpeg = await asyncio.to_thread(encode, picture, width_px, marked)
                self._made[width_px, marked] = jpeg
        return jpeg


def _same(one: Picture, other: Picture) -> bool:
    return one is other or (one.index == other.index and one.marks == other.marks)


def encode(picture: Picture, width_px: int | None = None, marked: bool = True) -> Jpeg:
    """The picture as JPEG, no wider than `width_px`, with its marks drawn in if `marked`."""
    image = picture.image
    height, width = image.shape[:2]
    scale = 1.0
    if width_px is not None and width_px < width:
        scale = width_px / width
        size = (width_px, max(1, round(height * scale)))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    if marked and picture.marks:
        image = annotated(image, picture.marks, scale)
    with timed("encode"):
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise ValueError(f"expected a picture to encode, found an array of shape {image.shape}")
    return Jpeg(picture.index, data.tobytes())


def annotated(
    image: NDArray[np.uint8], marks: Sequence[Mark], scale: float = 1.0
) -> NDArray[np.uint8]:
    """A copy of the picture with the marks drawn in, in the order of `INKS`.

    `scale` turns the marks' pixels into the picture's. Outlines stay thin so that the cards can
    be read under them; only a card at fault is tinted as well.
    """
    drawn = image.copy()
    unit = max(1.0, image.shape[0] / 540)
    for mark in sorted(marks, key=lambda mark: list(INKS).index(mark.kind)):
        corners = np.round(np.array(mark.polygon_px) * scale).astype(np.int32)
        ink = INKS[mark.kind]
        if mark.kind in ("illegal", "unsure"):
            _tint(drawn, corners, ink)
        thin = mark.kind in ("line", "zone")
        width = round(unit * (1.0 if thin else 2.0))
        if not thin:  # a dark rim keeps the outline apart from any background
            cv2.polylines(drawn, [corners], True, (20, 20, 20), width + 2, cv2.LINE_AA)
        cv2.polylines(drawn, [corners], True, ink, max(1, width), cv2.LINE_AA)
        if mark.text and mark.kind == "line":
            _small_label(drawn, corners, mark.text, unit)
        elif mark.text:
            _label(drawn, corners, mark.text, ink, unit)
    return drawn


def _tint(image: NDArray[np.uint8], corners: NDArray[np.int32], ink: Colour) -> None:
    x, y, w, h = cv2.boundingRect(corners)
    height, width = image.shape[:2]
    x0, y0, x1, y1 = max(0, x), max(0, y), min(width, x + w), min(height, y + h)
    if x0 >= x1 or y0 >= y1:
        return
    patch = image[y0:y1, x0:x1]
    tinted = patch.copy()
    cv2.fillPoly(tinted, [corners - np.array([x0, y0], np.int32)], ink)
    patch[:] = cv2.addWeighted(patch, 0.7, tinted, 0.3, 0)


def _small_label(
    image: NDArray[np.uint8], corners: NDArray[np.int32], text: str, unit: float
) -> None:
    """A reading at a half's middle, small: between the ends there are many of them."""
    font, size, weight = cv2.FONT_HERSHEY_DUPLEX, 0.32 * unit, max(1, round(0.7 * unit))
    (w, h), _ = cv2.getTextSize(text, font, size, weight)
    middle = corners.mean(axis=0)
    x, y = round(float(middle[0]) - w / 2), round(float(middle[1]) + h / 2)
    pad = round(2 * unit)
    cv2.rectangle(image, (x - pad, y - h - pad), (x + w + pad, y + pad), (24, 20, 18), -1)
    cv2.putText(image, text, (x, y), font, size, (245, 245, 245), weight, cv2.LINE_AA)


def _label(
    image: NDArray[np.uint8], corners: NDArray[np.int32], text: str, ink: Colour, unit: float
) -> None:
    """A small plate above the topmost corner, kept inside the picture."""
    font, size, weight = cv2.FONT_HERSHEY_DUPLEX, 0.45 * unit, max(1, round(unit))
    (w, h), _ = cv2.getTextSize(text, font, size, weight)
    pad = round(4 * unit)
    middle = int(corners[:, 0].mean())
    x = int(np.clip(middle - w // 2, pad, max(pad, image.shape[1] - w - pad)))
    y = int(np.clip(corners[:, 1].min() - 2 * pad, h + pad, image.shape[0] - pad))
    cv2.rectangle(image, (x - pad, y - h - pad), (x + w + pad, y + pad), (24, 20, 18), -1)
    cv2.rectangle(image, (x - pad, y + pad - 2), (x + w + pad, y + pad), ink, -1)
    cv2.putText(image, text, (x, y), font, size, (245, 245, 245), weight, cv2.LINE_AA)
