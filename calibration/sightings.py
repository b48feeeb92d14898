"""Views of a board out of pictures, a recording or a camera, as they come: only those that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.boards import Board, Sighting
from calibration.lens_fit import MOST_VIEWS, is_another_view
from vision.facts import Image

LOOK_EVERY_S = 0.25
"""A board that is moved by hand looks otherwise after this long, and not much before."""


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """How far the search has come."""

    sightings: tuple[Sighting, ...]
    size_px: tuple[int, int]
    looked: int
    """Pictures that were looked at."""
    found: int
    """Pictures in which the board was found."""


class MixedSizesError(ValueError):
    """Pictures of different sizes are not of one lens as it is used; says which sizes."""


def seek(images: Iterable[Image], board: Board, *, all_differ: bool = False) -> Iterator[Sought]:
    """Look for a board in one picture after the other; yields after each.

    Views much like one before are passed over, unless somebody chose the pictures one by one
    (``all_differ``). Stops after `calibration.lens_fit.MOST_VIEWS` different views. Raises `MixedSizesError`.
    """
    kept: list[Sighting] = []
    size: tuple[int, int] | None = None
    found = 0
    for looked, image in enumerate(images, 1):
        now = (image.shape[1], image.shape[0])
        if size is not None and now != size:
            raise MixedSizesError(
                f"expected pictures of one size, found {size[0]} x {size[1]} and {now[0]} x {now[1]}"
            )
        size = now
        seen = board.find(image)
        if seen is not None:
            found += 1
            if all_differ or is_another_view(seen, kept, size[0]):
                kept.append(seen)
        yield Sought(tuple(kept), size, looked, found)
        if len(kept) == MOST_VIEWS:
            return


def draw_coverage(size_px: tuple[int, int], sightings: Iterable[Sighting]) -> Image:
    """The picture's frame with every corner that was seen: what is bare was never covered."""
    width, height = size_px
    image = np.full((height, width, 3), 32, np.uint8)
    colours = [(92, 200, 250), (120, 220, 140), (250, 190, 90), (210, 140, 250), (140, 230, 230)]
    radius = max(2, width // 320)
    for i, view in enumerate(sightings):
        colour = colours[i % len(colours)]
        for x, y in view.picture_px:
            cv2.circle(image, (round(float(x)), round(float(y))), radius, colour, -1, cv2.LINE_AA)
    return image
