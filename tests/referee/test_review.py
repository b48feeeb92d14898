"""Review: one recording, one record; and what is said where something is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.table import save_table
from referee.cli import main
from referee.commands import review as command
from referee.review import RECORD, Progress, review
from referee.session import header_for
from referee.store import read
from tests.referee.play import TABLE, Play
from tests.stage import HIGH, WIDE, Stage
from vision.frames import SourceError


def reviewed(folder: Path, breaks_off: bool = False) -> Progress:
    stage = Stage()
    return review(Play(stage, breaks_off), TABLE, header_for(TABLE), stage, folder).progress


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Progress]:
    folder = tmp_path_factory.mktemp("review")
    return folder, reviewed(folder)


def test_the_summary_counts_moves_and_faults(done: tuple[Path, Progress]) -> None:
    _, progress = done
    assert (progress.moves, progress.flagged, progress.unsure) == (4, 1, 0)
    assert progress.at_s == pytest.approx(8.0, abs=1.5)


def test_whatever_is_not_legal_is_told_with_its_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, video, table = Stage(), tmp_path / "play.mp4", tmp_path / "table.json"
    video.touch()
    save_table(TABLE, table)
    monkeypatch.setattr(command, "open_recording", lambda path: Play(stage))
    monkeypatch.setattr(command, "open_reader", lambda *_: stage)
    arguments = ["review", str(video), "--table", str(table), "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    counts, fault, record = capsys.readouterr().out.splitlines()
    assert counts.startswith("4 moves in 0:0") and "1 of them illegal" in counts
    assert re.match(r" +0:0\d  illegal +Ben plays ", fault)
    assert "Ben's card matches in neither colour nor symbol" in fault
    assert fault.endswith("[2.2]") and record == str(tmp_path / "out" / RECORD)

    stage.cards.clear()
    stage.at_s = 0.0
    assert main([*arguments, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["to_look_at"]
    assert (one["of"], one["legal"], one["rule"]) == (2, False, "2.2")
    assert 3 < one["t"] < 8 and "Ben plays" in one["text"]


def test_the_same_recording_gives_the_same_record(
    done: tuple[Path, Progress], tmp_path: Path
) -> None:
    reviewed(tmp_path)
    assert (tmp_path / RECORD).read_bytes() == (done[0] / RECORD).read_bytes()


def test_a_record_from_before_is_replaced(tmp_path: Path) -> None:
    (tmp_path / RECORD).write_text('{"type": "game", "old": true}\n')
    reviewed(tmp_path)
    assert "old" not in read(tmp_path / RECORD).records[0]


def test_moves_carry_both_clocks(done: tuple[Path, Progress]) -> None:
    moves = [r for r in read(done[0] / RECORD).records if "t" in r]
    assert len(moves) == 4
    for move in moves:
        assert 0 <= move["t_reported"] - move["t"] < 1.5


def test_what_was_seen_before_a_recording_breaks_off_is_kept(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="broken off"):
        reviewed(tmp_path, breaks_off=True)
    kinds = [record["type"] for record in read(tmp_path / RECORD).records]
    assert kinds == ["game", "start", "ruling", "place", "ruling"]


# -- at the command line


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.json"
    save_table(TABLE, path)
    return path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "game.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, (WIDE, HIGH))
    for _ in range(5):
        writer.write(np.full((HIGH, WIDE, 3), 90, np.uint8))
    writer.release()
    return path


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["review", *arguments])
    text = capsys.readouterr().err
    assert "Traceback" not in text
    assert text.count("\n") == 1 and text.endswith("\n")
    return code, text.strip()


def test_no_video(capsys: pytest.CaptureFixture[str], tmp_path: Path, table: Path) -> None:
    path = tmp_path / "letter.mp4"
    path.write_text("Dear referee,")
    code, text = failure(capsys, str(path), "--table", str(table), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "letter.mp4: expected a video" in text


def test_a_table_file_with_a_missing_key(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: Path, video: Path
) -> None:
    data = json.loads(table.read_text())
    del data["mm_to_px"]
    table.write_text(json.dumps(data))
    code, text = failure(capsys, str(video), "--table", str(table), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "mm_to_px" in text


def test_a_table_file_whose_homography_is_singular(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: Path, video: Path
) -> None:
    data = json.loads(table.read_text())
    data["mm_to_px"] = [[1, 0, 0], [2, 0, 0], [0, 0, 1]]
    table.write_text(json.dumps(data))
    code, text = failure(capsys, str(video), "--table", str(table), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "singular" in text


def test_an_option_that_does_not_exist(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: Path, video: Path
) -> None:
    code, text = failure(
        capsys,
        *(str(video), "--table", str(table), "--out", str(tmp_path / "out")),
        *("--options", "mercy=true"),
    )
    assert code == 2
    assert "mercy" in text


def test_a_recording_that_shows_no_cards_needs_a_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, video: Path
) -> None:
    code, text = failure(capsys, str(video), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "found too few" in text
    assert "--table" in text


def test_a_recording_that_breaks_off_before_it_shows_the_table_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole = tmp_path / "whole.mkv"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*"mp4v"), 15, (WIDE, HIGH))
    grain = np.random.default_rng(5)
    for _ in range(150):
        writer.write(grain.integers(0, 255, (HIGH, WIDE, 3)).astype(np.uint8))
    writer.release()
    data = whole.read_bytes()
    part = tmp_path / "part.mkv"
    part.write_bytes(data[: len(data) // 3])
    code, text = failure(capsys, str(part), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "expected 10.0 s of video, found it broken off" in text
