"""`referee calibrate` as one types it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import assumed
from calibration.auto import PlaneFit
from calibration.table import Player, Table, load_table, save_table
from calibration.view import View
from datasets.evaluate.planes import with_page
from referee import cli
from referee.commands import calibrate
from tests.stage import Blind
from vision.hands import Zone
from vision.line_match import Motion

SIZE = (960, 540)
TRUE = View(SIZE, 0.9, (0.0, 0.3), 0.95 * SIZE[0])

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def page(tmp_path: Path) -> str:
    """A picture of a table with the printed page on it."""
    grey = np.full((SIZE[1], SIZE[0], 3), 110, np.uint8)
    turn = Motion(33.0, (20.0, -15.0))
    path = tmp_path / "page.png"
    cv2.imwrite(str(path), with_page(grey, TRUE.plane(), turn, np.random.default_rng(3)))
    return str(path)


def test_the_table_file_has_its_residual_and_a_picture_to_check_by(
    page: str, tmp_path: Path, capsys: Printed
) -> None:
    out = tmp_path / "t.json"
    assert cli.main(["calibrate", "table", page, "--out", str(out)]) == 0
    residual_mm = load_table(out).residual_mm
    assert residual_mm is not None and 0 < residual_mm < 1.0
    assert f"residual: {residual_mm:.2f} mm (6 markers)" in capsys.readouterr().out
    check = cv2.imread(str(tmp_path / "t.check.jpg"))
    assert check is not None and check.shape == (SIZE[1], SIZE[0], 3)


def test_what_is_kept_stays_where_the_picture_shows_it(page: str, tmp_path: Path) -> None:
    # The same view, whose millimetres were counted from a corner, askew, and a little too small.
    before = TRUE.plane()
    shift = np.array([[0.0, -1.0, 150.0], [1.0, 0.0, -80.0], [0.0, 0.0, 1.0]]) @ np.diag(
        [1.01, 1.01, 1.0]
    )
    kept = Table(
        type(before)(before.mm_to_px @ shift, SIZE),
        (Player("Ann", (0.0, 400.0)), Player("Ben")),
        {"draw_pile": Zone((120.0, 40.0), (90.0, 120.0))},
        game="solo",
        assumed={"plane": "from two cards", "players": "as they sat"},
        residual_mm=2.9,
    )
    save_table(kept, tmp_path / "kept.json")
    out = tmp_path / "new.json"
    command = ["calibrate", "table", page, "--keep", str(tmp_path / "kept.json")]
    assert cli.main([*command, "--out", str(out)]) == 0
    now = load_table(out)
    assert (now.game, now.players[1]) == ("solo", Player("Ben"))
    was = kept.plane.to_px(np.array([kept.zones["draw_pile"].centre_mm]))
    shown = now.plane.to_px(np.array([now.zones["draw_pile"].centre_mm]))
    assert np.abs(was - shown).max() < 3.0
    assert now.zones["draw_pile"].size_mm == (90.0, 120.0)
    # Nothing is said any more of a plane that was thrown away.
    assert now.assumed == {"players": "as they sat"}
    assert now.residual_mm is not None and now.residual_mm < 1.0


def test_corners_tell_no_residual_and_keep_none(page: str, tmp_path: Path) -> None:
    save_table(Table(TRUE.plane(), residual_mm=2.9), tmp_path / "kept.json")
    command = ["calibrate", "table", page, "--keep", str(tmp_path / "kept.json")]
    command += ["--corners", "200,100 700,100 800,450 100,450", "--size", "800x500"]
    assert cli.main([*command, "--out", str(tmp_path / "new.json")]) == 0
    assert "residual_mm" not in json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", ["solo", "solomino"])
def test_a_table_found_by_its_cards_knows_which_game_they_are_of(
    game: str, page: str, tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = PlaneFit(TRUE.plane(), TRUE, 4, 3.1, "cards")
    monkeypatch.setattr(assumed, "plane_from_cards", lambda *_, **__: found)
    monkeypatch.setattr(calibrate, "open_reader", lambda *_: Blind())
    out = tmp_path / "t.json"
    assert cli.main(["calibrate", "auto", page, "--game", game, "--out", str(out)]) == 0
    assert (load_table(out).game, load_table(out).deck) == (game, game)
    # So far off, sizes on the table are not to be relied on.
    assert (
        "3.1 mm of their width, which is badly; a printed page is surer" in capsys.readouterr().out
    )


def test_a_picture_that_is_not_there_is_not_waited_for_like_a_camera(capsys: Printed) -> None:
    for command in (["table"], ["auto"], ["lens"]):
        assert cli.main(["calibrate", *command, "gone.jpg"]) == 1
        assert "gone.jpg: expected a picture's file, found none" in capsys.readouterr().err


def test_a_file_that_is_no_video_says_so(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "text.mp4"
    path.write_text("no video", encoding="utf-8")
    assert cli.main(["calibrate", "auto", str(path)]) == 1
    assert "expected a video that can be decoded, found none in it" in capsys.readouterr().err


def test_a_wrong_call_names_the_help_that_explains_it(capsys: Printed) -> None:
    assert cli.main(["calibrate", "page", "--pages", "9"]) == 2
    assert "('referee calibrate page --help' explains)" in capsys.readouterr().err
