"""The lights of the check list tell good pictures from bad ones."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from calibration.picture_checks import (
    LightWatch,
    brightness,
    burnt_out_share,
    edge_width_px,
    half_size_px,
)
from tests.stage import PLANE, Stage
from vision.facts import Image
from vision.frames import Frame

RNG = np.random.default_rng(11)


def printed(seed: int = 3) -> Image:
    """Something with sharp print on it, grainy as a camera's picture is."""
    rng = np.random.default_rng(seed)
    image = np.full((360, 640, 3), 90, np.uint8)
    for _ in range(24):
        x, y = int(rng.integers(20, 560)), int(rng.integers(20, 300))
        ink = rng.integers(0, 255, 3).tolist()
        cv2.rectangle(image, (x, y), (x + 46, y + 36), ink, -1)
        cv2.putText(image, "7", (x + 10, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 1, (250, 250, 250), 3)
    grain = rng.normal(0, 2, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def blurred(image: Image, sigma: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def width(image: Image) -> float:
    found = edge_width_px(image)
    assert found is not None
    return found


def test_edges_grow_wider_as_the_picture_blurs() -> None:
    widths = [width(blurred(printed(), sigma)) for sigma in (0.4, 1.0, 2.0, 4.0)]
    assert widths == sorted(widths)
    assert widths[0] < 2.0 and widths[2] > 3.0


def test_what_lies_on_the_table_does_not_matter() -> None:
    widths = [width(blurred(printed(seed), 1.0)) for seed in (1, 2, 3, 4)]
    assert max(widths) - min(widths) < 0.3


def test_movement_along_one_direction_is_no_sharp_picture() -> None:
    smear = np.asarray(cv2.blur(printed(), (9, 1)), np.uint8)
    assert width(smear) > 3.0


def test_an_empty_table_has_no_edges() -> None:
    assert edge_width_px(np.full((360, 640, 3), 120, np.uint8)) is None


def test_glare_is_what_is_white_without_detail() -> None:
    image = printed()
    assert burnt_out_share(image) < 0.001
    cv2.circle(image, (320, 180), 60, (255, 255, 255), -1)
    share = np.pi * 60**2 / (360 * 640)
    assert burnt_out_share(image) == pytest.approx(share, rel=0.1)
    half = ((0, 0), (319, 0), (319, 359), (0, 359))
    assert burnt_out_share(image, half) == pytest.approx(share, rel=0.15)
    beside = ((0, 0), (100, 0), (100, 100), (0, 100))
    assert burnt_out_share(image, beside) < 0.001


def test_brightness_is_that_of_the_table() -> None:
    image = np.full((400, 400, 3), 30, np.uint8)
    image[:, 200:] = 180
    assert brightness(image) == pytest.approx(105, abs=1)
    assert brightness(image, ((200, 0), (400, 0), (400, 400), (200, 400))) == pytest.approx(180)


def test_the_size_of_a_half_is_its_short_side_where_it_is_smallest() -> None:
    assert half_size_px(PLANE, (800.0, 500.0)) == pytest.approx(22.75)


def flicker(frames: Iterator[Frame]) -> float:
    watch = LightWatch()
    for frame in frames:
        watch.keep(frame)
    found = watch.flicker()
    assert found is not None
    return found


def lit(gain: float, band: float = 0.0, frames: int = 40) -> Iterator[Frame]:
    """Pictures under a lamp that beats by ``gain``, or sends a band down the picture."""
    base = printed().astype(np.float32)
    rows = np.arange(360)[:, None, None]
    for i in range(frames):
        factor = 1 + gain * np.sin(2.1 * i) + band * np.sin(rows / 40 + 1.7 * i)
        grain = RNG.normal(0, 2, base.shape)
        yield Frame(np.clip(base * factor + grain, 0, 255).astype(np.uint8), i / 15, i)


def test_a_steady_lamp_does_not_flicker() -> None:
    assert flicker(lit(0.0)) < 0.004


@pytest.mark.parametrize(("gain", "band"), [(0.06, 0.0), (0.0, 0.06)])
def test_mains_flicker_and_bands_show(gain: float, band: float) -> None:
    assert flicker(lit(gain, band)) > 0.02


def test_an_arm_across_the_table_is_no_flicker() -> None:
    stage = Stage()
    frames = [*stage.wait(0.8), *stage.reach((0.0, 420.0), (0.0, 0.0)), *stage.wait(0.4)]
    assert flicker(iter(frames)) < 0.008


def test_too_few_pictures_tell_nothing() -> None:
    watch = LightWatch()
    for frame in lit(0.0, frames=5):
        watch.keep(frame)
    assert watch.flicker() is None
