"""Rendered scenes: their truth agrees with the picture and with the rules of geometry."""

from __future__ import annotations

import functools
from itertools import pairwise

import cv2
import numpy as np
import pytest

from datasets.cameras import draw_camera
from datasets.layouts import draw_line, with_matches
from datasets.scenes import Scene, bend, render_scene
from vision.plane import TablePlane


@functools.cache
def scene(seed: int) -> Scene:
    return render_scene(seed)


SEEDS = (3, 8, 14, 21)


@pytest.mark.parametrize("seed", SEEDS)
def test_truth_is_within_its_bounds(seed: int) -> None:
    shown = scene(seed)
    assert shown.image.dtype == np.uint8 and shown.image.ndim == 3
    assert shown.image.shape[1::-1] == shown.plane.image_size_px
    for half in shown.halves:
        assert 0 <= half.visible <= 1
        assert 0 <= half.axis_deg < 180


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbours_in_the_line_lie_half_a_card_apart(seed: int) -> None:
    shown = scene(seed)
    places = [np.array(shown.halves[i].centre_mm) for i in shown.line]
    for here, there in pairwise(places):
        assert 30 < np.hypot(*(here - there)) < 72


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_later_card_covers_is_not_visible(seed: int) -> None:
    shown = scene(seed)
    in_line = set(shown.line)
    covered = [h for i, h in enumerate(shown.halves) if h.zone == "line" and i not in in_line]
    assert all(h.visible < 0.45 for h in covered)


def test_the_same_seed_renders_the_same_picture() -> None:
    assert np.array_equal(scene(8).image, render_scene(8).image)


def test_a_held_out_scene_uses_a_held_out_font() -> None:
    from datasets.editions import draw_edition
    from datasets.fonts import font_names, held_out

    if not any(held_out(name) for name in font_names()):
        pytest.skip("this machine has no held-out font")
    assert held_out(draw_edition(5, use_held_out=True).font)
    assert not held_out(draw_edition(5).font)


@pytest.mark.parametrize("seed", range(20))
def test_a_line_stays_in_its_area_and_never_crosses_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    line = draw_line(rng, 24, (-500, -300, 500, 300))
    assert len(line.order) == len(line.cards) + 1
    places = [line.cards[h.card].half_centre_mm(h.half) for h in line.order]
    for i, here in enumerate(places):
        assert -500 < here[0] < 500 and -300 < here[1] < 300
        for there in places[i + 2 :]:
            assert np.hypot(*(here - there)) > 45


@pytest.mark.parametrize("seed", range(12))
def test_a_camera_maps_there_and_back(seed: int) -> None:
    plane = draw_camera(np.random.default_rng(seed), (1280, 720), px_per_mm=1.0)
    points = np.array([[0.0, 0.0], [120.0, -80.0], [-200.0, 90.0]])
    assert np.abs(plane.to_mm(plane.to_px(points)) - points).max() < 0.05
    assert 0.7 < plane.px_per_mm() < 1.3


def test_cards_cover_a_half_of_their_own_colour_where_asked() -> None:
    line = draw_line(np.random.default_rng(5), 12, (-900.0, -500.0, 900.0, 500.0))
    matched = with_matches(np.random.default_rng(5), line, 1.0)
    assert matched.order == line.order
    for before, after in zip(line.cards, matched.cards, strict=True):
        assert (before.x_mm, before.y_mm, before.angle_deg) == (
            after.x_mm, after.y_mm, after.angle_deg
        )  # fmt: skip
    for k, card in enumerate(matched.cards[1:], 1):
        below = [
            lower.halves[which][0]
            for lower in matched.cards[:k]
            for which in (0, 1)
            if np.hypot(*(lower.half_centre_mm(which) - card.half_centre_mm(1))) < 12
        ]
        assert card.halves[1][0] in below
    assert with_matches(np.random.default_rng(5), line, 0.0) == line


@pytest.mark.parametrize("k1", [-0.16, -0.03, 0.08])
@pytest.mark.parametrize("size", [(640, 360), (1280, 720)])
def test_a_bent_picture_shows_things_where_its_plane_says(k1: float, size: tuple[int, int]) -> None:
    """At the rim as in the middle: the whole truth of a scene rests on it."""
    width, height = size
    camera = np.array([[width * 0.9, 0, width / 2], [0, width * 0.9, height / 2], [0, 0, 1.0]])
    plane = TablePlane(np.eye(3), size, camera, np.array([k1, 0.02, 0, 0, 0.0]))
    across, down = np.linspace(0.12, 0.88, 7) * width, np.linspace(0.12, 0.88, 5) * height
    spots = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
    flat = np.zeros((height, width, 3), np.uint8)
    for x, y in np.round(16 * spots).astype(int).tolist():
        cv2.circle(flat, (x, y), 16 * 3, (255, 255, 255), -1, cv2.LINE_AA, 4)
    bent = bend(flat, plane)[..., 0].astype(float)
    for told_x, told_y in plane.to_px(spots):
        x0, y0 = int(told_x) - 9, int(told_y) - 9
        patch = bent[y0 : y0 + 19, x0 : x0 + 19]
        y, x = np.mgrid[0:19, 0:19]
        seen = np.array([(patch * x).sum(), (patch * y).sum()]) / patch.sum() + (x0, y0)
        assert np.hypot(*(seen - (told_x, told_y))) < 0.2
