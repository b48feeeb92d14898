"""Cards to print: true size, backs behind fronts, told apart without colours."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.printing.faces import back, card, half
from calibration.printing.icons import badge
from calibration.printing.raster import picture
from calibration.printing.sheets import Flip, Grid, Order, print_deck, print_list
from tests.deck.house import crop
from vision.facts import CARD_MM
from vision.prints import likeness, on_its_head, print_of


@pytest.mark.parametrize(("paper", "cells"), [("a4", 9), ("letter", 8)])
def test_a_page_holds_whole_cards_edge_to_edge_with_room_for_the_printer(
    paper: str, cells: int
) -> None:
    grid = Grid.on(paper)
    assert grid.cells == cells
    corners = [grid.corner_mm(cell) for cell in range(cells)]
    assert corners[1][0] - corners[0][0] == pytest.approx(CARD_MM[0])
    assert corners[grid.columns][1] - corners[0][1] == pytest.approx(CARD_MM[1])
    assert min(min(corner) for corner in corners) >= 6
    assert max(x for x, _ in corners) + CARD_MM[0] <= grid.page_mm[0] - 6
    assert max(y for _, y in corners) + CARD_MM[1] <= grid.page_mm[1] - 6


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("flip", ["long", "short"])
def test_each_back_falls_behind_its_front(paper: str, flip: Flip) -> None:
    """Turning a sheet over an edge mirrors it along that edge's normal."""
    grid = Grid.on(paper)
    wide, tall = grid.page_mm
    upright_edge = (flip == "long") == (tall > wide)
    for cell in range(grid.cells):
        x, y = (a + b / 2 for a, b in zip(grid.corner_mm(cell), CARD_MM, strict=True))
        seen = (wide - x, y) if upright_edge else (x, tall - y)
        behind = grid.corner_mm(grid.behind(cell, flip))
        centre = tuple(a + b / 2 for a, b in zip(behind, CARD_MM, strict=True))
        assert centre == pytest.approx(seen)


def test_backs_look_the_same_on_their_heads() -> None:
    drawn = picture(back(), CARD_MM, 4.0).astype(np.int16)
    assert float(np.abs(drawn - drawn[::-1, ::-1]).mean()) < 1.5


def test_a_deck_has_a_cover_and_all_its_sheets(tmp_path: Path) -> None:
    cards = ("r1/b2", "g3/y4") * 10
    path = tmp_path / "deck.pdf"
    assert print_deck(Order("some deck", "made for a test", cards), path) == 8
    data = path.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", data)) == 8
    assert b"595.2756 841.8898" in data  # A4 in points
    assert print_deck(Order("some deck", "", cards, "letter", backs=False), path) == 4
    assert b"792 612" in path.read_bytes()


def test_the_same_deck_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        print_deck(Order("deck", "", ("r1/b2",)), tmp_path / name)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_a_list_shows_every_card_once(tmp_path: Path) -> None:
    cards = {f"r{n}/b{n}": 2 for n in range(1, 10)}
    assert print_list("mine", "", cards, "a4", tmp_path / "list.pdf") == 1


def test_colours_are_told_apart_without_seeing_them() -> None:
    """Printed grey, each colour still has a shape of its own, however it is turned."""
    drawn = {}
    for colour in "rygb":
        shape = np.array(badge(colour)[0].path)
        canvas = np.zeros((60, 60), np.uint8)
        cv2.fillPoly(canvas, [np.round(shape * 40 + 30).astype(np.int32)], 255)
        drawn[colour] = canvas
    for one, a in drawn.items():
        for other, b in drawn.items():
            if one < other:
                turned = (cv2.warpAffine(b, cv2.getRotationMatrix2D((30, 30), t, 1), (60, 60))
                          for t in range(0, 360, 15))  # fmt: skip
                shared = max(
                    float(np.minimum(a, t).sum() / max(1, np.maximum(a, t).sum())) for t in turned
                )
                assert shared < 0.9, (one, other)


def test_6_and_9_are_marked() -> None:
    """A 6 on its head is no 9: the bar would lie above."""
    six, nine = print_of(crop("b6")), print_of(crop("b9"))
    assert likeness(six, on_its_head(nine.straight())[None])[0] < 0.93


def test_every_half_and_card_of_both_games_can_be_drawn() -> None:
    for face in "0123456789SRDXPC":
        assert len(half("r" + face)) > 3
    for text in ("r5", "yD", "bX", "nP", "kW", "kF"):
        drawn = picture(card(text), CARD_MM, 1.0)
        assert drawn.shape == (91, 59, 3)
        assert float(drawn.std()) > 20


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs pdftoppm (poppler-utils)")
def test_the_printed_page_shows_the_cards_where_and_as_they_are_drawn(tmp_path: Path) -> None:
    cards = ("r1/b2", "g3/y4", "b6/r9", "yS/gX")
    print_deck(Order("deck", "", cards, backs=False), tmp_path / "deck.pdf")
    command = ["pdftoppm", "-r", "101.6", "-f", "2", "-l", "2", "-png", "deck.pdf", "page"]
    subprocess.run(command, cwd=tmp_path, check=True)
    page = cv2.imread(str(next(tmp_path.glob("page*.png"))))  # 4 px/mm
    assert page is not None
    for cell, text in enumerate(cards):
        x, y = (round(v * 4) for v in Grid.on("a4").corner_mm(cell))
        printed = page[y : y + 364, x : x + 236].astype(np.int16)
        drawn = picture(card(text), CARD_MM, 4.0).astype(np.int16)
        apart = np.abs(printed - drawn).mean()
        assert apart < 6, text
