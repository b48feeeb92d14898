"""Misses and their causes: drawn halves, each spoilt in one way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.table import load_table
from datasets.evaluate.causes import CAUSES, by_cause, misses_of
from datasets.evaluate.gallery import Gallery
from datasets.evaluate.pictures import Reading, SeenHalf, SeenLine
from datasets.evaluate.sources import Exhibit
from vision.facts import Image

HALF = SeenHalf("r6", 150, 150, 60, 1.0, long_side_px=60 * 59 / 45.5, in_line=True)


def picture(face: int = 255, ground: int = 90) -> Image:
    """A half's middle: a sharp bright bar on a darker ground."""
    image = np.full((300, 300, 3), ground, np.uint8)
    cv2.rectangle(image, (143, 130), (157, 170), (face, face, face - 10), -1)
    return image


def cause_of(image: Image, half: SeenHalf, said: str) -> str:
    answer = Reading((SeenHalf(said, half.x_px, half.y_px),) if said else ())
    (miss,) = misses_of("p", image, Reading((half,)), answer)
    return miss.cause


@pytest.mark.parametrize(
    ("image", "half", "said", "cause"),
    [
        (picture(), HALF, "r8", "edition"),
        (picture(), HALF, "b6", "hue"),
        (picture(), HALF, "r9", "six or nine"),
        (picture(), HALF, "b9", "edition"),
        (picture(), HALF, "", "edition"),
        (picture(), replace(HALF, visible=0.7), "r8", "covered"),
        (picture(face=40, ground=20), HALF, "r8", "dim"),
        (np.full((300, 300, 3), 255, np.uint8), HALF, "r8", "glare"),
        (cv2.GaussianBlur(picture(), (0, 0), 6), HALF, "r8", "blur"),
        (picture(), replace(HALF, long_side_px=60 * 59 / 45.5 * 1.4), "r8", "tilt"),
        (picture(), replace(HALF, short_side_px=22, long_side_px=28.5), "r8", "small"),
    ],
)  # fmt: skip
def test_a_half_is_put_down_to_what_spoilt_it(
    image: Image, half: SeenHalf, said: str, cause: str
) -> None:
    assert cause_of(image, half, said) == cause


def test_a_false_half_is_no_card_or_one_held_up() -> None:
    said = Reading((SeenHalf("r2", 50, 50),))
    (miss,) = misses_of("p", picture(), Reading(), said)
    assert (miss.measure, miss.cause) == ("precise", "no card")
    held = replace(HALF, x_px=80, y_px=50, held_up=True)
    (miss,) = misses_of("p", picture(), Reading((held,)), said)
    assert miss.cause == "held up"


@pytest.mark.parametrize(
    ("said", "beside", "cause"),
    [("b2 r6", (), None), ("b2", (), "course"), ("b2 r6", (), None),
     ("b2", (SeenHalf("g4", 150, 190, 60),), "crowding")],
)  # fmt: skip
def test_a_line(said: str, beside: tuple[SeenHalf, ...], cause: str | None) -> None:
    other = replace(HALF, label="b2", x_px=210)
    halves = (HALF, other, *beside)
    truth = Reading(halves, SeenLine(("r6", "b2"), (1.0, 1.0)))
    labels = tuple(said.split())
    answer = Reading(halves, SeenLine(labels, (1.0,) * len(labels)))
    assert [miss.cause for miss in misses_of("p", picture(), truth, answer)] == (
        [] if cause is None else [cause]
    )


def test_a_line_in_the_wrong_order_or_with_a_misread_half() -> None:
    halves = tuple(replace(HALF, label=label, x_px=60 + 60 * i)
                   for i, label in enumerate(("r6", "b2", "g4")))  # fmt: skip
    truth = Reading(halves, SeenLine(("r6", "b2", "g4"), (1.0,) * 3))
    wrong_order = Reading(halves, SeenLine(("b2", "r6", "g4"), (1.0,) * 3))
    assert [m.cause for m in misses_of("p", picture(), truth, wrong_order)] == ["order"]
    misread = (replace(halves[0], label="r8"), *halves[1:])
    answer = Reading(misread, SeenLine(("r8", "b2", "g4"), (1.0,) * 3))
    causes = [m.cause for m in misses_of("p", picture(), truth, answer)]
    assert len(causes) == 2
    assert causes[1] == "a half"


def test_the_page_shows_every_miss_in_the_group_of_its_cause(samples: Path, tmp_path: Path) -> None:
    plane = load_table(samples / "c1.table.json").plane
    truth = Reading((HALF, replace(HALF, label="y3", x_px=60)))
    exhibit = Exhibit("one.jpg", picture(), plane, truth, ("dim",))
    gallery = Gallery(tmp_path, "stills")
    gallery.add(exhibit, truth)
    assert gallery.write() is None, "nothing was missed"
    gallery.add(exhibit, Reading((replace(HALF, label="r9"),)))
    page = gallery.write()
    assert page is not None
    text = page.read_text(encoding="utf-8")
    assert "six or nine: 1" in text
    assert text.count("<img") == 2 == len(list(page.parent.glob("cut-*.png")))
    assert (page.parent / "one.jpg").is_file()
    assert dict(gallery.counts())["six or nine"] == 1


def test_groups_come_largest_first_and_every_cause_is_explained() -> None:
    image = picture()
    misses = [
        miss
        for said in ("r9", "r8", "r7")
        for miss in misses_of("p", image, Reading((HALF,)), Reading((replace(HALF, label=said),)))
    ]
    groups = by_cause(misses)
    assert [(cause, len(group)) for cause, group in groups] == [("edition", 2), ("six or nine", 1)]
    assert {miss.cause for miss in misses} <= set(CAUSES)
