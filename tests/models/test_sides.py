"""Strips for the network that finds sides: the label is where the picture has the side."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from datasets.scenes import render_scene  # noqa: E402
from models.networks import Sides  # noqa: E402
from models.samples import encode  # noqa: E402
from models.sides import STORED_PX, SideStore, cut_halves, side_batch  # noqa: E402
from models.train import sides_loss  # noqa: E402
from vision.sides import ALONG_MM, STRIP_PX_PER_MM, STRIP_SIZE_PX  # noqa: E402


@pytest.fixture
def store(tmp_path: Path) -> SideStore:
    """One half: white on black, 59 mm wide, its outer end 22.75 mm below its middle."""
    picture = np.zeros((STORED_PX[1], STORED_PX[0], 3), np.uint8)
    x, y = (np.array(STORED_PX) - 1) / 2
    wide, down = 29.5 * STRIP_PX_PER_MM, 22.75 * STRIP_PX_PER_MM
    picture[: round(y + down + 0.5), round(x - wide + 0.5) : round(x + wide + 0.5)] = 255
    (tmp_path / "sides-train-00000000.pkl").write_bytes(pickle.dumps([encode(picture)]))
    return SideStore(tmp_path, "train")


def test_a_label_is_where_white_ends(store: SideStore) -> None:
    strips, places = side_batch(np.random.default_rng(2), store, 40)
    width, height = STRIP_SIZE_PX
    off: list[float] = []
    for strip, place in zip(strips.numpy(), places.numpy(), strict=True):
        for at_mm, told_mm in zip((-ALONG_MM, ALONG_MM), place, strict=True):
            row = strip[round((height - 1) / 2 + at_mm * STRIP_PX_PER_MM)].mean(axis=1)
            bright = int((row > 127).sum())  # white lies on the left
            if 4 < bright < width - 4:
                off.append((bright - width / 2) / STRIP_PX_PER_MM - told_mm)
    assert len(off) > 250
    # Blur and light brighter than white move some of them; none of that may move the middle.
    assert abs(np.median(off)) < 0.4
    assert np.percentile(np.abs(off), 75) < 0.9


def test_chunks_rendered_meanwhile_are_taken_in(store: SideStore) -> None:
    again = pickle.dumps([store.packed[0]] * 3)
    (store.folder / "sides-train-00000150.pkl").write_bytes(again)
    store.refresh()
    store.refresh()
    assert len(store.packed) == 4


def test_a_scene_gives_halves_with_their_outer_end_down() -> None:
    scene = render_scene(81_000_001, close=True)
    pictures = cut_halves(np.random.default_rng(1), scene)
    assert len(pictures) >= 3
    assert all(picture.shape == (STORED_PX[1], STORED_PX[0], 3) for picture in pictures)


def test_being_unsure_costs_less_where_one_is_wrong() -> None:
    place = torch.tensor([[0.0, 0.0]])
    right, wrong = torch.tensor([[0.1, 0.1]]), torch.tensor([[4.0, 4.0]])
    sure, unsure = torch.full((1, 2), -2.0), torch.full((1, 2), 1.5)
    assert sides_loss((right, sure), place) < sides_loss((right, unsure), place)
    assert sides_loss((wrong, unsure), place) < sides_loss((wrong, sure), place)


def test_places_lie_within_the_strip() -> None:
    torch.manual_seed(1)
    wide, high = STRIP_SIZE_PX
    with torch.no_grad():
        place, unsure = Sides().eval()(torch.rand(5, 3, high, wide))
    assert place.shape == unsure.shape == (5, 2)
    assert float(place.abs().max()) < wide / STRIP_PX_PER_MM
