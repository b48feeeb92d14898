"""Naming the faces of some prints: what is read, what they look like, what was told."""

from __future__ import annotations

from calibration.deck_groups import drawings, name_faces
from tests.deck.house import crop
from vision.prints import print_of

SURELY_7 = [(0.98, 0.02)] * 2


def test_prints_unlike_the_face_that_they_are_read_as_are_drawings_of_their_own() -> None:
    """Two prints are named 7 and look nothing like it: neither goes with the other sevens."""
    _, looks = name_faces([print_of(crop("gX")), print_of(crop("bX"))], SURELY_7, "71", {})
    odd = [print_of(crop("r1")), print_of(crop("y1"))]
    naming, _ = name_faces(odd, SURELY_7, "71", {})
    found = drawings(odd, SURELY_7, "71", {}, naming, looks)
    assert sorted(one.looks for one in found) == [(0,), (1,)]
