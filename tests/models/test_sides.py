"""Strips for the network that finds sides: the label is where the picture has the side."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from datasets.scenes import render_scene  # noqa: E402
from datasets.solo_scenes import render_solo_scene  # noqa: E402
from models.networks import Sides  # noqa: E402
from models.samples import decode, encode  # noqa: E402
from models.sides import STORED_PX, SideStore, StoredCard, cut_cards, side_batch  # noqa: E402
from models.train import sides_loss  # noqa: E402
from vision.facts import CARD_MM  # noqa: E402
from vision.sides import ALONG_MM, STRIP_PX_PER_MM, STRIP_SIZE_PX  # noqa: E402


@pytest.fixture
def store(tmp_path: Path) -> SideStore:
    """One card: white on black, upright in its picture's middle."""
    picture = np.zeros((STORED_PX[1], STORED_PX[0], 3), np.uint8)
    x, y = (np.array(STORED_PX) - 1) / 2
    wide, high = np.array(CARD_MM) / 2 * STRIP_PX_PER_MM
    rows = slice(round(y - high + 0.5), round(y + high + 0.5))
    picture[rows, round(x - wide + 0.5) : round(x + wide + 0.5)] = 255
    card = StoredCard(encode(picture), (True, True))
    (tmp_path / "sides-train-00000000.pkl").write_bytes(pickle.dumps([card]))
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


def test_each_two_strips_lie_at_opposite_sides_of_a_card(store: SideStore) -> None:
    picture = decode(store.cards[0].picture).copy()
    middle = STORED_PX[0] // 2
    picture[:, :middle, 0] = 0  # the left of the card is yellow, the right is blue
    picture[:, middle:, 1:] = 0
    store.cards = [StoredCard(encode(picture), (True, False))]
    strips, _ = side_batch(np.random.default_rng(3), store, 20)
    within = strips.numpy()[:, :, :8].astype(float).mean(axis=(1, 2))
    blue = within[:, 0] > within[:, 1]
    assert (blue[::2] != blue[1::2]).all()


def test_chunks_rendered_meanwhile_are_taken_in(store: SideStore) -> None:
    again = pickle.dumps([store.cards[0]] * 3)
    (store.folder / "sides-train-00000150.pkl").write_bytes(again)
    store.refresh()
    store.refresh()
    assert len(store.cards) == 4


def test_a_scene_gives_upright_cards_of_which_half_may_be_covered() -> None:
    cards = cut_cards(np.random.default_rng(1), render_scene(81_000_000))
    assert len(cards) >= 3
    assert {sum(card.seen) for card in cards} == {1, 2}
    assert all(decode(card.picture).shape == (STORED_PX[1], STORED_PX[0], 3) for card in cards)


def test_one_faced_cards_are_seen_whole() -> None:
    cards = cut_cards(np.random.default_rng(1), render_solo_scene(85_000_001, close=True))
    assert cards
    assert all(card.seen == (True, True) for card in cards)


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
        place, unsure = Sides().eval()(torch.rand(6, 3, high, wide))
    assert place.shape == unsure.shape == (6, 2)
    assert float(place.abs().max()) < wide / STRIP_PX_PER_MM


def test_a_strip_is_seen_beside_its_opposite_alone() -> None:
    """What the network says of a card depends on both its strips and on no other card's."""
    torch.manual_seed(1)
    wide, high = STRIP_SIZE_PX
    model = Sides().eval()
    for weight in model.body[-1].second[1].parameters():
        torch.nn.init.normal_(weight)  # it begins as no more than a shortcut
    strips = torch.rand(4, 3, high, wide)
    changed = strips.clone()
    changed[1] = 0.5
    with torch.no_grad():
        before, after = model(strips)[0], model(changed)[0]
    assert not torch.allclose(before[0], after[0])
    assert torch.equal(before[2:], after[2:])
