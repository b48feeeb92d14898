"""The scale of a picture told by its faces, where no outline of a card can be found."""

from __future__ import annotations

import numpy as np
import pytest

from calibration import auto_cards
from calibration.auto_cards import find_card_plane
from calibration.view import usual_view
from tests.calibration.test_card_outlines import PLACES, SIZE, Knows, corners_mm
from vision.facts import CARD_MM, Image
from vision.plane import TablePlane

CLOTH: Image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)


@pytest.fixture(autouse=True)
def no_outlines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cloth on which nothing has a clear outline."""
    monkeypatch.setattr(auto_cards, "card_outlines", lambda _: [])


@pytest.mark.parametrize("px_per_mm", [1.2, 1.7, 3.2])
def test_faces_that_are_read_at_several_scales_tell_it(px_per_mm: float) -> None:
    true = usual_view(SIZE, px_per_mm, 0.1).plane()
    found = find_card_plane([CLOTH], Knows(true, within=0.3))
    assert found is not None
    assert (found.halves, found.told_by) == (len(PLACES), "faces without outlines")
    seen = found.plane.to_mm(true.to_px(corners_mm(*PLACES[1])))
    sides = np.hypot(*(np.roll(seen, -1, axis=0) - seen).T)
    assert sides == pytest.approx([CARD_MM[1], CARD_MM[0]] * 2, rel=0.12)
    assert found.residual_mm == 5.0, "no more exact than that"


def test_faces_that_are_read_at_one_scale_only_are_none() -> None:
    """Figures on a cloth look like a face from just one distance."""
    true = usual_view(SIZE, 1.7, 0.1).plane()
    assert find_card_plane([CLOTH], Knows(true, within=0.1)) is None


def test_what_is_smaller_than_can_be_read_is_no_face() -> None:
    true: TablePlane = usual_view(SIZE, 0.4, 0.1).plane()
    assert find_card_plane([CLOTH], Knows(true, within=0.3)) is None
