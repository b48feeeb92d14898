"""Whether what is outlined is a card, or the coloured ground within its white rim."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.card_rims import has_rim_outside
from tests.calibration.test_card_outlines import Floats
from vision.facts import CARD_MM, Image

PX_PER_MM = 3.0
MIDDLE = np.array([320.0, 240.0])
GROUND_MM = (CARD_MM[0] - 8.0, CARD_MM[1] - 8.0)
WOOD, PAPER, PALE_CLOTH = (60, 90, 130), (205, 208, 206), (215, 205, 190)


def corners(size_mm: tuple[float, float], turn_deg: float = 20.0) -> Floats:
    a = np.radians(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size_mm) / 2 * PX_PER_MM
    return np.asarray(MIDDLE + around @ turn.T, np.float64)


def pictured(table: tuple[int, int, int], *, rim: bool = True) -> Image:
    """A red card with a white symbol on it, with or without a white rim."""
    image = np.full((480, 640, 3), table, np.uint8)
    outer = (225, 228, 226) if rim else (30, 30, 190)
    for size, colour in ((CARD_MM, outer), (GROUND_MM, (30, 30, 190)), ((20.0, 30.0), (230,) * 3)):
        points = np.round(corners(size) * 16).astype(np.int32)
        cv2.fillPoly(image, [points], colour, cv2.LINE_AA, 4)
    noise = np.random.default_rng(2).normal(0, 2, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("table", [WOOD, PAPER])
def test_around_a_ground_runs_a_rim(table: tuple[int, int, int]) -> None:
    """On paper the card's outer edge is hardly seen, and still it is there."""
    assert has_rim_outside(pictured(table), corners(GROUND_MM))


@pytest.mark.parametrize("table", [WOOD, PAPER, PALE_CLOTH])
def test_around_a_whole_card_is_only_the_table(table: tuple[int, int, int]) -> None:
    assert not has_rim_outside(pictured(table), corners(CARD_MM))


@pytest.mark.parametrize("table", [WOOD, PALE_CLOTH])
def test_a_card_without_a_rim_has_none(table: tuple[int, int, int]) -> None:
    assert not has_rim_outside(pictured(table, rim=False), corners(CARD_MM))
