"""`referee demo`: reviews, says where everything is, serves a game that is over."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from referee import cli
from referee.commands import demo
from referee.errors import RefereeError
from referee.server.app import create_app
from referee.store import read
from vision.facts import Half, Image
from vision.halves import HalfReader
from vision.plane import TablePlane


class Blind:
    """A reader that finds nothing."""

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """No halves."""
        return []


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
    monkeypatch.setattr(demo, "sample", lambda: path)
    monkeypatch.setattr(HalfReader, "load", lambda *_: Blind())
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
    def leave(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo.time, "sleep", leave)
    assert cli.main(["demo", "--out", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == f"record:  {tmp_path / 'out' / 'game.jsonl'}"
    assert lines[-1].startswith("overlay: http://127.0.0.1:")
    assert "/overlay" in lines[-1]


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


def test_the_finished_game_is_shown_as_it_ended(samples: Path) -> None:
    records = read(samples / "c1.game.jsonl").records
    image = np.zeros((720, 1280, 3), np.uint8)
    source = demo.Finished(records, image, 61.0)
    assert source.view().header == records[0]
    picture = source.picture()
    assert picture is not None
    assert picture.image is image
    with TestClient(create_app(source), base_url="http://127.0.0.1") as client:
        state = client.get("/api/state").json()
    last = [record for record in records if record["type"] == "ruling"][-1]
    assert str(last["ends"][0]) in str(state)


def test_the_sample_is_part_of_a_clone(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demo.sample() == samples / "c1.mp4"
    monkeypatch.setattr(demo, "SAMPLE", Path("samples", "none.mp4"))
    with pytest.raises(RefereeError, match=r"none\.mp4"):
        demo.sample()
