"""Prints: what stays of a half when the light is taken away."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.deck.house import crop
from vision.facts import Image
from vision.prints import aligned, likeness, on_its_head, print_of


def under(light: Image, gains: tuple[float, float, float]) -> Image:
    return np.asarray(np.clip(light * np.array(gains), 0, 255), np.uint8)


@pytest.mark.parametrize("gains", [(0.5, 0.5, 0.5), (0.6, 0.9, 1.0), (1.0, 0.8, 0.55)])
def test_neither_lamp_nor_exposure_changes_a_print(gains: tuple[float, float, float]) -> None:
    plain, lit = print_of(crop("g4")), print_of(under(crop("g4"), gains))
    assert likeness(lit, plain.straight()[None])[0] > 0.97
    assert float(np.linalg.norm(lit.contrast - plain.contrast)) < 0.12


def test_a_drawing_is_the_same_in_every_colour() -> None:
    assert likeness(print_of(crop("r7")), print_of(crop("b7")).straight()[None])[0] > 0.9


def test_a_print_found_a_little_off_fits_still() -> None:
    plain = crop("y5")
    centre = (plain.shape[1] / 2, plain.shape[0] / 2)
    move = cv2.getRotationMatrix2D(centre, 2.5, 1.0)
    move[:, 2] += np.array([2.5, -2.0])
    askew = np.asarray(cv2.warpAffine(plain, move, plain.shape[1::-1], borderValue=(255,) * 3))
    fit = likeness(print_of(askew.astype(np.uint8)), print_of(plain).straight()[None])[0]
    assert fit > 0.9


def test_a_print_on_its_head_is_told() -> None:
    upright = print_of(crop("r4"))
    turned = print_of(np.ascontiguousarray(crop("r4")[::-1, ::-1]))
    laid, on_head, fit = aligned(turned, upright.straight())
    assert on_head
    assert fit > 0.97
    assert float(laid @ upright.straight()) > 0.97
    assert float(on_its_head(turned.straight()) @ upright.straight()) > 0.95


@pytest.mark.parametrize(("one", "other"), [("r3", "r8"), ("b6", "b9"), ("yS", "yP"), ("g1", "g7")])
def test_other_drawings_fit_worse(one: str, other: str) -> None:
    seen = print_of(crop(one))
    maps = np.stack([print_of(crop(label)).straight() for label in (one, other)])
    own, wrong = likeness(seen, maps)
    assert own > 0.99
    assert wrong < 0.93


def test_inks_part_the_colours() -> None:
    contrasts = [print_of(crop(colour + "2")).contrast for colour in "rygb"]
    apart = [
        float(np.linalg.norm(a - b)) for i, a in enumerate(contrasts) for b in contrasts[i + 1 :]
    ]
    assert min(apart) > 0.2
