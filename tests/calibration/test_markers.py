"""The printed page of markers: true to size, and found again on a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibration.boards import CharucoBoard
from calibration.lens import Lens
from calibration.markers import MarkerFit, MarkerRefusal, find_markers, page_markers
from calibration.prints import PAPERS, print_board, print_markers
from calibration.view import View
from datasets.evaluate.planes import off_mm, with_page
from vision.facts import Image
from vision.line_match import Motion
from vision.plane import TablePlane

SIZE = (960, 540)


def drawn(path: Path, page: int = 0, dots_per_inch: float = 100.0) -> Image:
    document = pypdfium2.PdfDocument(str(path))
    try:
        pixels = document[page].render(scale=dots_per_inch / 72).to_numpy()
    finally:
        document.close()
    return np.ascontiguousarray(pixels[..., :3], dtype=np.uint8)


def table(grey: int = 110) -> Image:
    noise = np.random.default_rng(2).normal(grey, 6.0, (SIZE[1], SIZE[0], 3))
    return np.asarray(np.clip(noise, 0, 255), np.uint8)


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_printed_page_has_its_true_size(paper: str, tmp_path: Path) -> None:
    print_markers(tmp_path / "m.pdf", paper, pages=2)
    for page in (0, 1):
        found = find_markers(drawn(tmp_path / "m.pdf", page))
        assert isinstance(found, MarkerFit)
        assert sorted(found.markers) == sorted(page_markers(page))
        # Looked at from straight above, a page at 100 dots an inch has 100 / 25.4 px a millimetre.
        assert found.view.px_per_mm == pytest.approx(100 / 25.4, rel=2e-3)
        assert found.worst_mm < 0.3


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_printed_board_is_the_one_that_is_looked_for(paper: str, tmp_path: Path) -> None:
    board = CharucoBoard()
    print_board(tmp_path / "b.pdf", paper, board)
    seen = board.find(drawn(tmp_path / "b.pdf"))
    assert seen is not None and len(seen.board_mm) == board.corners
    apart = np.linalg.norm(seen.picture_px[1:] - seen.picture_px[:-1], axis=1)
    assert np.median(apart) == pytest.approx(27.0 * 100 / 25.4, rel=3e-3)


def test_the_same_page_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        print_markers(tmp_path / name, "a4")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_what_cannot_be_printed_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="papers a4, letter, found 'a3'"):
        print_markers(tmp_path / "m.pdf", "a3")
    with pytest.raises(ValueError, match="1 to 8 pages, found 9"):
        print_markers(tmp_path / "m.pdf", "a4", pages=9)
    with pytest.raises(ValueError, match="board of at most"):
        print_board(tmp_path / "b.pdf", "a4", CharucoBoard(square_mm=40.0, marker_mm=30.0))


@pytest.mark.parametrize("lean", [(0.0, 0.0), (0.2, 0.6)])
def test_the_page_on_the_table_tells_the_plane(lean: tuple[float, float]) -> None:
    true = View(SIZE, 0.9, lean, 0.95 * SIZE[0]).plane()
    image = with_page(table(), true, Motion(33.0, (20.0, -15.0)), np.random.default_rng(3))
    found = find_markers(image)
    assert isinstance(found, MarkerFit)
    assert found.pages == 1 and found.residual_mm < 1.0
    spots = np.array([[x, y] for x in (-200.0, 0.0, 200.0) for y in (-120.0, 0.0, 120.0)])
    assert off_mm(found.plane, true, spots).max() < 2.0


def test_a_measured_lens_straightens_the_page() -> None:
    bent = View(SIZE, 0.9, (0.0, 0.3), 0.8 * SIZE[0], bend=-0.15).plane()
    assert bent.camera_matrix_px is not None and bent.distortion is not None
    lens = Lens(SIZE, bent.camera_matrix_px, bent.distortion)
    image = with_page(table(), bent, Motion(80.0), np.random.default_rng(4))
    found = find_markers(image, lens)
    assert isinstance(found, MarkerFit)
    spots = np.array([[x, y] for x in (-300.0, 0.0, 300.0) for y in (-150.0, 150.0)])
    assert off_mm(found.plane, bent, spots).max() < 2.0


def test_a_page_that_the_printer_shrank_is_told_by_its_ruler() -> None:
    true = View(SIZE, 0.9, (0.0, 0.2), 0.9 * SIZE[0]).plane()
    # A table seen 4 % smaller is the same picture as a page printed 4 % smaller.
    small = TablePlane(true.mm_to_px @ np.diag([0.96, 0.96, 1.0]), SIZE)
    image = with_page(table(), small, Motion(10.0), np.random.default_rng(5))
    found = find_markers(image, print_scale=0.96)
    assert isinstance(found, MarkerFit)
    spots = np.array([[-150.0, -100.0], [150.0, -100.0], [150.0, 100.0], [-150.0, 100.0]])
    assert off_mm(found.plane, true, spots).max() < 2.0


def test_no_page_no_plane() -> None:
    found = find_markers(table())
    assert isinstance(found, MarkerRefusal)
    assert "found none of its markers" in found.reason


def test_a_page_too_far_away_is_refused() -> None:
    true = View(SIZE, 0.19, (0.0, 0.0), 0.9 * SIZE[0]).plane()
    found = find_markers(with_page(table(), true, Motion(), np.random.default_rng(6)))
    assert isinstance(found, MarkerRefusal)
