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


def test_a_face_that_looks_different_in_other_light_has_several_looks() -> None:
    """Five cards bear one face; in some pictures it shows itself by other tones."""
    usual = [print_of(crop(label)) for label in ("gX", "bX", "rX")]
    other = [print_of(crop(label)) for label in ("r1", "y1")]
    _, looks = name_faces([*usual, *other], [(0.98, 0.02)] * 5, "71", dict.fromkeys(range(5), "7"))
    assert [one.looks for one in looks["7"]] == [3, 2]


def test_a_single_odd_look_is_no_other_look_of_a_face() -> None:
    prints = [print_of(crop(label)) for label in ("gX", "bX", "rX", "r1")]
    _, looks = name_faces(prints, [(0.98, 0.02)] * 4, "71", dict.fromkeys(range(4), "7"))
    assert [one.looks for one in looks["7"]] == [3]
