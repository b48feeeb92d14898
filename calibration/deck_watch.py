"""Finds the cards of a deck that is shown: in photographs, in a film, before a camera."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.auto_cards import plane_from_cards
from calibration.deck_cards import (
    CardCounter,
    SeenCard,
    ShownCard,
    cards_in,
    same_order,
    same_spread,
)
from vision.facts import Image, Reader
from vision.frames import Frame
from vision.plane import TablePlane

Tell = Callable[[str], None]
"""Told what is being done, for people."""

_EVERY_S: Final = 0.12
_SMALL_PX: Final = 240
"""Width of the grey picture in which changes are looked for."""
_CHANGED: Final = 9
"""Levels of grey, of 255, that are more than noise."""
_LEAST_PX: Final = 12
"""Changed pixels that are worth a reading; a card has hundreds."""
_AROUND_MM: Final = 70.0


def cards_of_pictures(
    pictures: Iterable[tuple[str, Image]],
    plane: TablePlane | None,
    reader: Reader,
    *,
    one_faced: bool,
    tell: Tell,
) -> list[ShownCard]:
    """The cards in some photographs, named for people.

    Each picture shows other cards, but for those that show the same spread once more. Without a
    plane each picture's is found from its own cards, so that a hand may hold the camera; a
    picture in which that fails is told of and left out.
    """
    spreads: list[tuple[list[SeenCard], list[ShownCard]]] = []
    for name, image in pictures:
        known = plane
        if known is None:
            found = plane_from_cards([image], reader, one_faced=one_faced)
            known = None if found is None else found.plane
        if known is None:
            tell(f"{name}: too few cards found to tell how the camera looks at them; left out")
            continue
        resized = known.resized((image.shape[1], image.shape[0]))
        seen = cards_in(image, resized, reader.read(image, resized), one_faced=one_faced)
        again = _looked_again(spreads, seen)
        tell(f"{name}: {len(seen)} cards" + (", the same as before" if again else ""))
        if not again:
            spreads.append((seen, [ShownCard([card], name) for card in seen]))
    return [card for _, shown in spreads for card in shown]


def _looked_again(
    spreads: list[tuple[list[SeenCard], list[ShownCard]]], seen: list[SeenCard]
) -> bool:
    """Whether this spread was seen before; then its cards have a further look each."""
    for i, (before, shown) in enumerate(spreads):
        pairs = same_spread(before, seen)
        if not pairs:
            continue
        for k, m in pairs:
            halves = same_order(shown[k].looks[0], seen[m])
            if halves is not None:
                card = seen[m]
                shown[k].looks.append(SeenCard(halves, card.x_mm, card.y_mm, card.axis_deg))
        fresh = [seen[m] for m in range(len(seen)) if m not in {m for _, m in pairs}]
        spreads[i] = (before, shown)
        if fresh:
            spreads.append((fresh, [ShownCard([card], shown[0].source) for card in fresh]))
        return True
    return False


def cards_of_film(
    frames: Iterable[Frame],
    plane: TablePlane,
    reader: Reader,
    *,
    one_faced: bool,
    tell: Tell,
) -> list[ShownCard]:
    """The cards that are laid before a camera that does not move.

    One after another, on one pile or side by side, a table full at a time: whatever has come to
    lie still is read. Ends with the frames, or when the iteration is interrupted.
    """
    watch = _Stillness()
    counter = CardCounter()
    looked_s = -1.0
    try:
        for frame in frames:
            if frame.at_s - looked_s < _EVERY_S:
                continue
            looked_s = frame.at_s
            box = watch.changed(frame.image)
            if box is None:
                continue
            halves = reader.read(frame.image, plane, _region(box, plane))
            seen = cards_in(frame.image, plane, halves, one_faced=one_faced)
            counter.see(seen, frame.at_s)
            tell(f"{frame.at_s:.0f} s: {len(counter.cards())} cards")
    except KeyboardInterrupt:
        tell("stopped")
    return counter.cards()


def _region(box: tuple[int, int, int, int], plane: TablePlane) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    corners = plane.to_mm(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64))
    low, high = corners.min(axis=0) - _AROUND_MM, corners.max(axis=0) + _AROUND_MM
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


class _Stillness:
    """Where a picture differs from what was read last, and nothing moves any more."""

    def __init__(self) -> None:
        self._read: NDArray[np.int16] | None = None
        self._last: Sequence[NDArray[np.int16]] = ()

    def changed(self, image: Image) -> tuple[int, int, int, int] | None:
        """The box, in the picture's pixels, of what has come to lie still; None for nothing."""
        scale = _SMALL_PX / image.shape[1]
        size = (_SMALL_PX, max(1, round(image.shape[0] * scale)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.int16)
        if self._read is None:
            self._read, self._last = grey, (grey,)
            return (0, 0, image.shape[1], image.shape[0])
        moving = np.zeros(grey.shape, np.uint8)
        for before in self._last:
            moving |= (np.abs(grey - before) > _CHANGED).astype(np.uint8)
        self._last = (*self._last[-1:], grey)
        moving = np.asarray(cv2.dilate(moving, np.ones((7, 7), np.uint8)), np.uint8)
        ready = ((np.abs(grey - self._read) > _CHANGED) & (moving == 0)).astype(np.uint8)
        if cv2.countNonZero(ready) < _LEAST_PX:
            return None
        rows, columns = np.nonzero(ready)
        x0, x1 = int(columns.min()), int(columns.max()) + 1
        y0, y1 = int(rows.min()), int(rows.max()) + 1
        still = moving[y0:y1, x0:x1] == 0
        self._read[y0:y1, x0:x1][still] = grey[y0:y1, x0:x1][still]
        return (
            round(x0 / scale), round(y0 / scale), round(x1 / scale), round(y1 / scale)
        )  # fmt: skip
