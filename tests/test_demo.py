"""`referee demo`: reviews, and says where everything is."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import cv2
import pytest

from referee import cli
from referee.commands import demo
from referee.errors import RefereeError
from referee.server.playback import Playback
from referee.store import read
from tests.stage import Blind
from vision.halves import HalfReader


@pytest.fixture
def short(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first second of the sample, in place of all of it, read by nobody."""
    source = cv2.VideoCapture(str(samples / "c1.mp4"))
    path = tmp_path / "c1.mp4"
    sink = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, (1280, 720))
    for _ in range(15):
        sink.write(source.read()[1])
    sink.release()
    source.release()
    shutil.copy(samples / "c1.table.json", path.with_suffix(".table.json"))
    monkeypatch.setattr(demo, "sample", lambda *_: path)
    monkeypatch.setattr(HalfReader, "load", lambda *_, **__: Blind())
    return path


def test_just_finishing(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--no-serve", "--out", str(tmp_path / "out")]) == 0
    record = tmp_path / "out" / "game.jsonl"
    assert read(record).records[0]["players"] == ["Ann", "Ben", "Cem"]
    assert f"record:  {record}" in capsys.readouterr().out


def test_serving_says_both_addresses(
    short: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def leave(*_: object, again: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Playback, "play", leave)
    assert cli.main(["demo", "--out", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == f"record:  {tmp_path / 'out' / 'game.jsonl'}"
    assert lines[-1].startswith("overlay: http://127.0.0.1:")
    assert "/overlay?video=1" in lines[-1]


def test_one_recording_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--solo", "--unseen"]) == 2
    assert "found both" in capsys.readouterr().err


def test_a_port_in_use_is_one_sentence(
    short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert cli.main(["demo", "--port", str(port), "--out", str(tmp_path / "out")]) == 1
    shown = capsys.readouterr().err
    assert f"port {port}" in shown
    assert shown.count("\n") == 1
    assert not (tmp_path / "out").exists(), "the port is taken before the work begins"


def test_the_sample_is_part_of_a_clone(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demo.sample() == samples / "house.mp4"
    assert demo.sample(demo.UNSEEN_SAMPLE) == samples / "c1.mp4"
    assert demo.sample(demo.SOLO_SAMPLE) == samples / "solo.mp4"
    monkeypatch.setattr(demo, "SAMPLE", Path("samples", "none.mp4"))
    with pytest.raises(RefereeError, match=r"none\.mp4"):
        demo.sample()
