"""Invented editions and scenes of one-faced cards."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.solo_editions import CARD_PX, SoloEdition, all_solo_labels, draw_solo_edition
from datasets.solo_scenes import SoloCard, draw_heap, render_solo_scene
from referee.rules.deck import CLASSIC_SOLO
from vision.facts import PRINT_COLOURS, PRINT_FACES


@pytest.fixture(scope="module")
def edition() -> SoloEdition:
    return draw_solo_edition(3)


def test_every_card_of_the_deck_can_be_drawn(edition: SoloEdition) -> None:
    assert set(CLASSIC_SOLO) <= set(all_solo_labels())
    for label in all_solo_labels():
        assert label[0] in PRINT_COLOURS
        assert label[1] in PRINT_FACES
    for label in ("r5", "g6", "bX", "yD", "kW", "kF", "nP"):
        card = edition.card(label)
        assert card.shape == (*CARD_PX, 3)
        middle = card[CARD_PX[0] // 4 : -CARD_PX[0] // 4].reshape(-1, 3)
        assert middle.std(axis=0).max() > 8, f"{label} has no face"


def test_an_edition_is_the_same_every_time(edition: SoloEdition) -> None:
    again = draw_solo_edition(3)
    assert all((again.card(label) == edition.card(label)).all() for label in ("r5", "kF", "nP"))


def test_a_wild_shows_all_four_colours(edition: SoloEdition) -> None:
    card = edition.card("kW").astype(float)
    for ink in edition.base.inks.values():
        apart = np.abs(card - np.array(ink)).max(axis=2)
        assert np.count_nonzero(apart < 60) > 200


def test_an_untidy_pile_hides_its_lower_cards() -> None:
    scene = render_solo_scene(3)
    pile = [card for card in scene.halves if card.zone == "discard"]
    assert pile, "seed 3 is a game under way"
    assert all(card.label in all_solo_labels() for card in scene.halves)
    covered = sum(card.visible < 0.5 for card in pile)
    assert len(pile) == 1 or covered >= 1
    assert scene.line == ()


def test_a_heap_lies_together_and_its_cards_turn() -> None:
    heap = draw_heap(np.random.default_rng(1), (10.0, 20.0), 30, face_up=True, zone="discard",
                     sloppy_mm=5.0, sloppy_deg=10.0)  # fmt: skip
    places = np.array([(card.x_mm, card.y_mm) for card in heap])
    assert np.allclose(places.mean(axis=0), (10.0, 20.0), atol=4.0)
    assert len({card.label for card in heap}) > 10


@pytest.mark.parametrize("angle_deg", [0.0, 90.0, 217.0])
def test_the_corners_of_a_card(angle_deg: float) -> None:
    card = SoloCard("r5", 3.0, 4.0, angle_deg)
    corners = card.corners_mm()
    assert np.allclose(corners.mean(axis=0), (3.0, 4.0))
    assert np.hypot(*(corners[1] - corners[0])) == pytest.approx(59.0)
    assert np.hypot(*(corners[2] - corners[1])) == pytest.approx(91.0)
