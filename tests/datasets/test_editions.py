"""Invented editions: the same seed gives the same deck, and faces can be told apart."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.editions import all_labels, draw_edition
from datasets.grounds import HALF_PX
from datasets.icons import icon_mask
from vision.facts import FACES


def test_the_same_seed_draws_the_same_deck() -> None:
    first, again = draw_edition(11), draw_edition(11)
    for label in ("r2", "b8", "yS", "gP"):
        assert np.array_equal(first.half(label), again.half(label))
    assert not np.array_equal(first.half("r2"), draw_edition(12).half("r2"))


@pytest.mark.parametrize("seed", range(6))
def test_every_face_of_an_edition_differs_from_every_other(seed: int) -> None:
    edition = draw_edition(seed)
    faces = [edition.half("r" + face).astype(int) for face in FACES]
    for i, one in enumerate(faces):
        assert one.shape == (*HALF_PX, 3)
        for other in faces[:i]:
            assert np.abs(one - other).max() > 40


@pytest.mark.parametrize("seed", range(8))
def test_six_and_nine_differ_though_the_half_is_turned(seed: int) -> None:
    edition = draw_edition(seed)
    six = edition.half("g6").astype(int)
    nine = edition.half("g9")[::-1, ::-1].astype(int)
    assert np.abs(six - nine).max() > 40


def test_the_sixty_four_labels_are_in_contract_notation() -> None:
    labels = all_labels()
    assert len(labels) == len(set(labels)) == 64
    assert labels[0] == "r0" and labels[-1] == "bC"


@pytest.mark.parametrize("face", "SRDXPC")
def test_an_icon_is_drawn_in_several_ways(face: str) -> None:
    masks = [icon_mask(face, np.random.default_rng(seed), "") for seed in range(6)]
    assert all((mask > 127).sum() > 30 for mask in masks)
    assert len({mask.tobytes() for mask in masks}) == 6


@pytest.mark.parametrize(
    ("reading", "first_upright", "second_upright"),
    [("outward", True, False), ("inward", False, True), ("same", True, True)],
)
def test_halves_read_as_the_edition_says(
    reading: str, first_upright: bool, second_upright: bool
) -> None:
    for seed in range(200):
        edition = draw_edition(seed)
        if edition.reading == reading and edition.border_mm == 0 and edition.divider == "none":
            break
    else:
        pytest.fail(f"no edition among 200 reads {reading}")
    card = edition.card("r4", "b7")
    top, bottom = card[: HALF_PX[0]], card[HALF_PX[0] :]
    as_drawn = {True: edition.half("r4"), False: edition.half("r4")[::-1, ::-1]}
    assert np.array_equal(top, as_drawn[first_upright])
    as_drawn = {True: edition.half("b7"), False: edition.half("b7")[::-1, ::-1]}
    assert np.array_equal(bottom, as_drawn[second_upright])
