"""`referee see`: what it answers for pictures, and for what is no picture."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.table import load_table
from referee import cli
from referee.commands import see
from vision.facts import COLOURS, FACES, Half, Image
from vision.halves import HalfReader
from vision.plane import TablePlane
from vision.weights import OVERRIDE

LINE = ("r2", "g1", "b8")
"""Two cards: g1/b8 lies with its g1 on the second half of the first card."""


def half(label: str, x_mm: float, y_mm: float = 0.0, sure: float = 0.99) -> Half:
    """A half card that reads as `label`, its long axis along x."""
    return Half(
        x_mm,
        y_mm,
        0.0,
        tuple(sure if c == label[0] else (1 - sure) / 3 for c in COLOURS),
        tuple(1.0 if f == label[1] else 0.0 for f in FACES),
    )


class Answers:
    """Reads the same halves from every picture."""

    def __init__(self, halves: list[Half]) -> None:
        self.halves = halves

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """The halves."""
        return self.halves


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture as large as the sample's."""
    path = tmp_path / "1.jpg"
    cv2.imwrite(str(path), np.full((720, 1280, 3), 90, np.uint8))
    return path


@pytest.fixture
def table(samples: Path) -> str:
    """The sample's table file."""
    return str(samples / "c1.table.json")


@pytest.fixture
def line_lies_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads a picture finds `LINE` in it."""
    halves = [half(label, 45.5 * i) for i, label in enumerate(LINE)]
    monkeypatch.setattr(HalfReader, "load", lambda *_, **__: Answers(halves))


def answers(text: str) -> list[dict[str, Any]]:
    """The lines of an output."""
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.usefixtures("line_lies_there")
def test_one_object_a_picture(
    picture: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    second = picture.with_name("2.png")
    cv2.imwrite(str(second), np.zeros((720, 1280, 3), np.uint8))
    assert cli.main(["see", str(picture), str(second), "--table", table]) == 0
    said = answers(capsys.readouterr().out)
    assert [answer["file"] for answer in said] == ["1.jpg", "2.png"]
    assert [h["half"] for h in said[0]["halves"]] == list(LINE)
    ends = said[0]["line"]["ends"]
    assert sorted(ends) == ["b8", "r2"]
    assert said[0]["line"]["halves"] in (list(LINE), list(LINE)[::-1])
    assert [said[0]["line"]["halves"][i] for i in (0, -1)] == ends


@pytest.mark.usefixtures("line_lies_there")
def test_a_half_lies_where_the_picture_shows_it(
    picture: Path, table: str, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["see", str(picture), "--table", table])
    said = answers(capsys.readouterr().out)[0]["halves"]
    plane = load_table(samples / "c1.table.json").plane
    for answer in said:
        assert plane.to_mm(np.array([answer["centre_px"]]))[0] == pytest.approx(
            answer["centre_mm"], abs=0.2
        )
        assert answer["confidence"] == pytest.approx(0.99)


def test_one_faced_cards_may_show_the_zero_that_solo_itself_does_not_have(
    picture: Path, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lying = [half("r0", 0.0), half("b7", 200.0)]
    monkeypatch.setattr(HalfReader, "load", lambda *_, **__: Answers(lying))
    assert cli.main(["see", str(picture), "--table", table, "--game", "solo"]) == 0
    (said,) = answers(capsys.readouterr().out)
    assert [(h["half"], h["confidence"]) for h in said["halves"]] == [("r0", 0.99), ("b7", 0.99)]


def test_without_a_table_file_the_plane_is_found(
    picture: Path,
    samples: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plane = load_table(samples / "c1.table.json").plane
    halves = [half(label, 45.5 * i) for i, label in enumerate(LINE)]
    monkeypatch.setattr(HalfReader, "load", lambda *_, **__: Answers(halves))
    monkeypatch.setattr(see, "plane_from_cards", lambda *_, **__: SimpleNamespace(plane=plane))
    assert cli.main(["see", str(picture)]) == 0
    assert answers(capsys.readouterr().out)[0]["line"]["halves"] in (list(LINE), list(LINE)[::-1])
    monkeypatch.setattr(see, "plane_from_cards", lambda *_, **__: None)
    assert cli.main(["see", str(picture)]) == 0
    shown = capsys.readouterr()
    assert answers(shown.out)[0]["line"] is None
    assert f"{picture}: too few whole cards to find the table by" in shown.err


@pytest.mark.usefixtures("line_lies_there")
def test_out_writes_a_file_and_nothing_else(
    picture: Path, table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answers.jsonl"
    assert cli.main(["see", str(picture), "--table", table, "--out", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert answers(out.read_text(encoding="utf-8"))[0]["file"] == "1.jpg"


def test_an_empty_table_has_no_line(
    picture: Path,
    table: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(HalfReader, "load", lambda *_, **__: Answers([]))
    assert cli.main(["see", str(picture), "--table", table]) == 0
    assert answers(capsys.readouterr().out) == [{"file": "1.jpg", "halves": [], "line": None}]


@pytest.mark.usefixtures("line_lies_there")
@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0 broken off"])
def test_what_is_no_picture_is_named_and_the_others_are_read(
    content: bytes,
    picture: Path,
    table: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(content)
    assert cli.main(["see", str(broken), str(picture), "--table", table]) == 1
    shown = capsys.readouterr()
    assert [answer["file"] for answer in answers(shown.out)] == ["1.jpg"]
    expected = "expected a picture (JPEG, PNG, ...), found something else"
    assert shown.err == f"referee see: {broken}: {expected}\n"


@pytest.mark.usefixtures("line_lies_there")
def test_a_picture_of_another_shape_is_refused(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.png"
    cv2.imwrite(str(path), np.zeros((480, 640, 3), np.uint8))
    assert cli.main(["see", str(path), "--table", table]) == 1
    assert "expected pictures of 1280 x 720 pixels" in capsys.readouterr().err


@pytest.mark.usefixtures("line_lies_there")
def test_a_smaller_picture_of_the_same_camera_is_read(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.png"
    cv2.imwrite(str(path), np.zeros((360, 640, 3), np.uint8))
    assert cli.main(["see", str(path), "--table", table]) == 0
    first = answers(capsys.readouterr().out)[0]["halves"][0]
    # The plane's origin lies in the middle of the sample's pictures.
    assert first["centre_px"] == pytest.approx([319.5, 179.5], abs=0.3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "IMAGE"),
        (["{picture}", "--table", "nowhere.json"], "nowhere.json"),
        (["nowhere.jpg", "--table", "{table}"], "nowhere.jpg"),
        (["{picture}", "--colour"], "--colour"),
    ],
)
def test_called_wrongly(
    arguments: list[str],
    said: str,
    picture: Path,
    table: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    filled = [a.format(picture=picture, table=table) for a in arguments]
    assert cli.main(["see", *filled]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1


@pytest.mark.usefixtures("line_lies_there")
def test_a_table_file_with_a_missing_key(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.json"
    table.write_text('{"image_size_px": [1280, 720]}')
    assert cli.main(["see", str(picture), "--table", str(table)]) == 1
    assert "expected the key 'mm_to_px'" in capsys.readouterr().err


def test_missing_weights_are_named(
    picture: Path,
    table: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(OVERRIDE, str(tmp_path))
    assert cli.main(["see", str(picture), "--table", table]) == 1
    assert "expected the weights" in capsys.readouterr().err
    monkeypatch.setenv(OVERRIDE, str(tmp_path / "nowhere"))
    assert cli.main(["see", str(picture), "--table", table]) == 1
    assert OVERRIDE in capsys.readouterr().err


def test_halves_are_listed_from_left_to_right(samples: Path) -> None:
    plane = load_table(samples / "c1.table.json").plane
    listed = see.halves_to_json([half("b8", 80), half("r2", -80), half("g1", 0)], plane)
    assert [h["half"] for h in listed] == ["r2", "g1", "b8"]
