"""Lenses: measured from boards, refused where the views tell too little, kept in files."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.boards import CharucoBoard, Chessboard, Sighting
from calibration.lens import Lens, LensError, load_lens, save_lens
from calibration.lens_fit import LensFit, LensRefusal, is_another_view, measure_lens
from calibration.sightings import MixedSizesError, seek
from vision.facts import Image

SIZE = (1280, 720)
TRUE = Lens(
    SIZE,
    np.array([[1000.0, 0, 652.0], [0, 1004.0, 351.0], [0, 0, 1]]),
    np.array([-0.12, 0.02, 0.0, 0.0, 0.0]),
)


def sighting(turn: tuple[float, float, float], place: tuple[float, float, float]) -> Sighting:
    """The corners of a board of 6 x 8 inner ones, as the true lens shows them, with some noise."""
    x, y = np.meshgrid(np.arange(6) * 27.0, np.arange(8) * 27.0)
    board = np.column_stack([x.ravel() - 67.5, y.ravel() - 94.5])
    flat = np.column_stack([board, np.zeros(len(board))])
    seen, _ = cv2.projectPoints(
        flat, np.array(turn), np.array(place), TRUE.camera_matrix_px, TRUE.distortion
    )
    pixels = np.asarray(seen, np.float64).reshape(-1, 2)
    noise = np.random.default_rng(abs(hash(turn)) % 1000).normal(0, 0.1, pixels.shape)
    inside = ((pixels > 2) & (pixels < np.array(SIZE) - 2)).all(axis=1)
    return Sighting(board[inside], pixels[inside] + noise[inside])


def good_views() -> list[Sighting]:
    views = []
    for i in range(14):
        turn = (0.5 * np.cos(i * 1.1), 0.5 * np.sin(i * 1.7), 0.4 * (i % 3 - 1))
        place = (170.0 * (i % 3 - 1), 70.0 * (i % 2 * 2 - 1), 420.0 + 40.0 * (i % 4))
        views.append(sighting(turn, place))
    return views


def test_good_views_tell_the_lens() -> None:
    found = measure_lens(good_views(), SIZE)
    assert isinstance(found, LensFit)
    assert found.lens.camera_matrix_px[0, 0] == pytest.approx(1000.0, rel=0.01)
    assert found.lens.distortion[0] == pytest.approx(-0.12, abs=0.02)
    assert found.lens.error_px is not None and found.lens.error_px < 0.2
    assert found.covered > 0.6
    assert found.warnings == ()


def test_too_few_views_are_refused() -> None:
    found = measure_lens(good_views()[:2], SIZE)
    assert isinstance(found, LensRefusal)
    assert "3 views or more" in found.reason and "found it in 2" in found.reason


def test_views_that_are_alike_are_refused() -> None:
    # The board flat before the camera, only shifted: near and small, or far and long a lens?
    flat = [sighting((0.0, 0.0, 0.1 * i), (20.0 * i, 5.0 * i, 480.0)) for i in range(8)]
    found = measure_lens(flat, SIZE)
    assert isinstance(found, LensRefusal)
    assert "too much alike" in found.reason and "tilt the board" in found.reason


def test_bare_parts_and_few_views_are_warned_of() -> None:
    found = measure_lens(good_views()[3:7], SIZE)
    assert isinstance(found, LensFit)
    assert any("4 views are few" in warning for warning in found.warnings)


def test_a_misread_view_is_left_out() -> None:
    views = good_views()
    odd = Sighting(views[0].board_mm, views[0].picture_px[::-1] + 7.0)
    found = measure_lens([*views, odd], SIZE)
    assert isinstance(found, LensFit) and found.dropped == 1


def test_a_board_that_did_not_move_is_no_other_view() -> None:
    first, second = good_views()[:2]
    assert is_another_view(second, [first], SIZE[0])
    assert not is_another_view(first, [second, first], SIZE[0])


def chessboard_picture(columns: int, rows: int, side_px: int = 40) -> Image:
    squares = (np.indices((rows + 1, columns + 1)).sum(axis=0) % 2 * 255).astype(np.uint8)
    board = cv2.resize(squares, None, fx=side_px, fy=side_px, interpolation=cv2.INTER_NEAREST)
    picture = cv2.copyMakeBorder(board, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(200.0,))
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)


def test_a_plain_chessboard_is_found_by_its_inner_corners() -> None:
    seen = Chessboard(6, 5, 25.0).find(chessboard_picture(6, 5))
    assert seen is not None and len(seen.board_mm) == 30
    apart = np.linalg.norm(seen.picture_px[1] - seen.picture_px[0])
    assert apart == pytest.approx(40.0, abs=0.5)
    assert Chessboard(7, 5, 25.0).find(chessboard_picture(6, 5)) is None


def test_pictures_of_two_sizes_are_no_one_lens() -> None:
    images = [chessboard_picture(6, 5), chessboard_picture(6, 5, 50)]
    with pytest.raises(MixedSizesError, match="400 x 360 and 470 x 420"):
        list(seek(images, Chessboard(6, 5, 25.0)))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: CharucoBoard(dictionary="7x9"), "found '7x9'"),
        (lambda: CharucoBoard(2, 9), "3 x 3 squares"),
        (lambda: CharucoBoard(marker_mm=30.0), "smaller than the squares"),
        (lambda: CharucoBoard(30, 30, dictionary="5x5_50"), "at least 450 markers"),
        (lambda: Chessboard(9, 2, 25.0), "3 x 3 inner corners"),
        (lambda: Chessboard(9, 6, 0.0), "squares of a size"),
    ],
)
def test_boards_that_cannot_be_are_named(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=said):
        make()


def test_a_lens_file_is_read_as_it_was(tmp_path: Path) -> None:
    save_lens(Lens(SIZE, TRUE.camera_matrix_px, TRUE.distortion, 0.21, 12), tmp_path / "lens.json")
    again = load_lens(tmp_path / "lens.json")
    assert np.allclose(again.camera_matrix_px, TRUE.camera_matrix_px)
    assert (again.error_px, again.views) == (0.21, 12)
    half = again.resized((640, 360))
    assert half.camera_matrix_px[0, 0] == pytest.approx(500.0)
    with pytest.raises(LensError, match="1280 x 720 pixels"):
        again.resized((640, 480))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "expected a JSON object"),
        (b"[]", "found list"),
        (b'{"image_size_px": [1, 1]}', "expected the key 'camera_matrix_px'"),
        (json.dumps({"image_size_px": [9, 9], "camera_matrix_px": [[1, 2]],
                     "distortion": [0] * 5}).encode(), "3 x 3 camera matrix"),
        (json.dumps({"image_size_px": [9, 9], "camera_matrix_px": np.diag([0, 1, 1]).tolist(),
                     "distortion": [0] * 5}).encode(), "positive focal lengths"),
        (json.dumps({"image_size_px": [9, float("inf")], "camera_matrix_px": np.eye(3).tolist(),
                     "distortion": [0] * 5}).encode(), "the numbers of a lens"),
        (json.dumps({"image_size_px": 9, "camera_matrix_px": np.eye(3).tolist(),
                     "distortion": [0] * 5}).encode(), "the numbers of a lens"),
    ],
)  # fmt: skip
def test_a_broken_lens_file_is_named(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "lens.json"
    path.write_bytes(data)
    with pytest.raises(LensError, match=said) as caught:
        load_lens(path)
    assert str(path) in str(caught.value)


def test_the_real_board_is_measured(shared: Path) -> None:
    pictures = sorted((shared / "real" / "calibration").glob("opencv_img_0*.jpg"))
    if not pictures:
        pytest.skip("no calibration pictures here")
    board = CharucoBoard(5, 7, 40.0, 20.0, "6x6_250")
    images = [np.asarray(cv2.imread(str(path)), np.uint8) for path in pictures]
    *_, last = seek(images, board, all_differ=True)
    found = measure_lens(last.sightings, last.size_px)
    assert isinstance(found, LensFit)
    assert found.lens.error_px is not None and found.lens.error_px < 0.5
    assert any("few" in warning for warning in found.warnings)
