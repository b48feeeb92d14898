"""The deck of the house as an edition, so that tables with it can be rendered."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.printing.faces import RADIUS_MM, back, half
from calibration.printing.icons import INKS
from calibration.printing.raster import picture
from calibration.printing.shapes import Drawing
from datasets.editions import Edition, Picture, all_labels, draw_edition
from datasets.grounds import HALF_PX, TEXTURE_PX_PER_MM, Colour
from vision.facts import CARD_MM, COLOURS


def house_edition() -> Edition:
    """Our own printed deck: its halves' tops point outward, as `calibration.printing` draws them."""
    halves = {label: _texture(half(label), HALF_PX[0], CARD_MM[1] / 2) for label in all_labels()}
    return replace(
        draw_edition(1),
        seed=-1,
        inks={colour: _bgr(INKS[colour]) for colour in COLOURS},
        reading="outward",
        border_mm=0.0,
        divider="none",
        radius_mm=RADIUS_MM,
        back=_texture(back(), 2 * HALF_PX[0], CARD_MM[1]),
        _halves=halves,
    )


def _texture(drawing: Drawing, tall_px: int, tall_mm: float) -> Picture:
    drawn = picture(drawing, (CARD_MM[0], tall_mm), TEXTURE_PX_PER_MM)
    resized = cv2.resize(drawn, (HALF_PX[1], tall_px), interpolation=cv2.INTER_AREA)
    return np.asarray(resized, np.uint8)


def _bgr(colour: str) -> Colour:
    return float(int(colour[5:7], 16)), float(int(colour[3:5], 16)), float(int(colour[1:3], 16))
