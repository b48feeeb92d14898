"""`referee deck` as one types it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from calibration.deck import load_deck
from calibration.table import Table, save_table
from referee import cli
from tests.deck.house import PX_PER_MM, plane, table

Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's real decks are looked at or written."""
    monkeypatch.setattr("calibration.deck_shelf.user_folder", lambda: tmp_path / "shelf")
    monkeypatch.setattr("referee.commands.deck.user_folder", lambda: tmp_path / "shelf")
    monkeypatch.chdir(tmp_path)


def test_list_names_the_decks_that_come_with_the_program(capsys: Printed) -> None:
    assert cli.main(["deck", "list", "--json"]) == 0
    found = {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["house-solomino"]["cards"] == 120
    assert found["house-solo"]["game"] == "solo"
    assert not found["house-solo"]["own"]


def test_show_counts_each_half(capsys: Printed, tmp_path: Path) -> None:
    sheet = tmp_path / "faces.png"
    assert cli.main(["deck", "show", "house-solomino", "--sheet", str(sheet)]) == 0
    out = capsys.readouterr().out
    assert "120 cards, 120 different ones" in out
    assert "  r  5  5  5  5  5  5  5  5  5  3  3  3  2  2  2" in out
    assert cv2.imread(str(sheet)) is not None


def test_print_writes_a_pdf(capsys: Printed, tmp_path: Path) -> None:
    assert cli.main(["deck", "print", "house-solo", "--list", "--paper", "letter"]) == 0
    assert (tmp_path / "house-solo-list.pdf").read_bytes().startswith(b"%PDF")
    assert cli.main(["deck", "print", "house-solo", "--shift", "x"]) == 2
    assert "expected two numbers such as 0.5,-1, found 'x'" in capsys.readouterr().err


def test_a_broken_deck_is_named_with_line_and_field(capsys: Printed, tmp_path: Path) -> None:
    path = tmp_path / "mine.deck.toml"
    path.write_text('format = 1\nname = "mine"\ngame = "chess"\n', encoding="utf-8")
    assert cli.main(["deck", "show", str(path)]) == 1
    assert (
        f"{path}: line 3: game: expected solomino or solo, found chess" in capsys.readouterr().err
    )


def test_an_unknown_deck_is_refused_with_those_that_are_known(capsys: Printed) -> None:
    assert cli.main(["deck", "show", "nobody"]) == 1
    assert "(house-solo, house-solomino)" in capsys.readouterr().err


SPREADS = [
    ["r1/b2", "g3/y4", "b5/r7", "yS/g8"],
    ["rX/b9", "gD/y6", "y2/b1", "bC/g5"],
]


@pytest.fixture
def photographs(tmp_path: Path) -> list[str]:
    """Two photographs of four printed cards each, and the table's file."""
    paths = []
    for k, cards in enumerate(SPREADS):
        laid = [
            (c, 60 + 85.0 * i, 120 + 6.0 * (i % 2), 3.0 * i + 180 * k) for i, c in enumerate(cards)
        ]
        paths.append(str(tmp_path / f"{k}.png"))
        cv2.imwrite(paths[-1], table(laid))
    save_table(Table(plane()), tmp_path / "table.json")
    return paths


def test_enrolling_photographs_makes_a_deck_that_is_known_by_name(
    photographs: list[str], capsys: Printed, tmp_path: Path
) -> None:
    command = ["deck", "enrol", *photographs, "--name", "My deck", "--assume"]
    command += ["--table", str(tmp_path / "table.json")]
    assert cli.main(command) == 0
    out = capsys.readouterr().out
    assert "8 cards, 8 different ones" in out
    assert "8 cards were seen; a deck of solomino has 120" in out
    assert "From now on: --deck My-deck\n" in out
    deck = load_deck(tmp_path / "shelf" / "My-deck.deck.toml")
    wanted = {"/".join(sorted(card.split("/"))) for cards in SPREADS for card in cards}
    assert set(deck.cards) == wanted
    assert (tmp_path / "My-deck-faces" / "faces.png").is_file()
    assert cli.main(command) == 1
    assert "--replace writes over it" in capsys.readouterr().err
    assert cli.main(["deck", "list"]) == 0
    assert "My-deck" in capsys.readouterr().out
    for called in ("My deck", "My-deck"):
        assert cli.main(["deck", "show", called]) == 0


@pytest.mark.parametrize("name", ["", "../mine", "a/b", "x" * 61, "_"])
def test_a_name_that_no_file_can_have_is_refused_before_anything_is_read(
    name: str, capsys: Printed, tmp_path: Path
) -> None:
    assert cli.main(["deck", "enrol", str(tmp_path / "gone.jpg"), "--name", name]) == 2
    assert "--name: expected a letter or digit, then" in capsys.readouterr().err


@pytest.fixture
def film(tmp_path: Path) -> str:
    """A film of four cards laid side by side, and of three more on the last one; the last but
    one is laid a second time."""
    laid: list[tuple[str, float, float, float]] = []
    path = tmp_path / "cards.mp4"
    empty = table([])
    video = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (empty.shape[1], empty.shape[0])
    )
    for i, card in enumerate(["r1/b2", "g3/y4", "b5/r7", "yS/g8", "rX/b9", "gD/y6", "rX/b9"]):
        before, at_mm = table(laid), 60 + 85.0 * min(i, 3)
        laid.append((card, at_mm, 130 + 3.0 * (i % 2), 2.0 * i))
        for reach in (2, 3, 2, 1):  # a sleeve comes and goes
            frame = (before if reach < 3 else table(laid)).copy()
            at_px = round(at_mm * PX_PER_MM)
            frame[: 90 * reach, at_px - 40 : at_px + 40] = (60, 40, 40)
            video.write(frame)
        for _ in range(8):
            video.write(table(laid))
    video.release()
    return str(path)


def test_enrolling_a_film_counts_what_was_laid_side_by_side_and_on_a_pile(
    film: str, capsys: Printed, tmp_path: Path
) -> None:
    command = ["deck", "enrol", film, "--name", "filmed", "--assume"]
    assert cli.main([*command, "--table", str(tmp_path / "gone.json")]) == 2
    save_table(Table(plane()), tmp_path / "table.json")
    assert cli.main([*command, "--table", str(tmp_path / "table.json")]) == 0
    out = capsys.readouterr().out
    assert load_deck(tmp_path / "shelf" / "filmed.deck.toml").cards == {
        "b2/r1": 1,
        "g3/y4": 1,
        "b5/r7": 1,
        "g8/yS": 1,
        "gD/y6": 1,
        "b9/rX": 2,
    }
    assert "seen more than once: b9/rX (2 times)" in out


def test_answers_from_a_file_rename_a_drawing(
    photographs: list[str], capsys: Printed, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text('"face 1" = "0"\n', encoding="utf-8")
    command = ["deck", "enrol", *photographs, "--name", "odd", "--answers", str(answers)]
    command += ["--table", str(tmp_path / "table.json"), "--out", str(tmp_path / "odd.deck.toml")]
    assert cli.main(command) == 0
    deck = load_deck(tmp_path / "odd.deck.toml")
    # The first drawing in the picture is the 1, twice there.
    assert sum(half[1] == "0" for card in deck.cards for half in card.split("/")) == 2
    answers.write_text('"face 99" = "0"\n', encoding="utf-8")
    assert cli.main([*command, "--replace"]) == 2
    assert "expected answers to what was asked, found face 99" in capsys.readouterr().err


def test_who_is_asked_puts_a_drawing_right_or_breaks_off(
    photographs: list[str], capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts: list[str] = []
    typed = ["77=1", "1=Q", "1=0", ""]  # no such drawing, no such face, a correction, all right

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        if not typed:
            raise EOFError
        return typed.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    command = ["deck", "enrol", *photographs, "--name", "asked"]
    command += ["--table", str(tmp_path / "table.json"), "--out", str(tmp_path / "asked.toml")]
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    assert "expected a number from the picture, found '77=1'" in told
    assert "face 1: expected one of" in told and "found 'Q'" in told
    assert all("named rightly?" in prompt for prompt in prompts)
    cards = load_deck(tmp_path / "asked.toml").cards
    assert sum(half[1] == "0" for card in cards for half in card.split("/")) == 2
    assert cli.main([*command, "--replace"]) == 1
    assert "found the end of the input; --assume asks nothing" in capsys.readouterr().err


def test_a_source_that_is_nothing_is_refused(capsys: Printed) -> None:
    assert cli.main(["deck", "enrol", "gone.mp4", "--name", "x"]) == 2
    assert "expected a picture, a video, a camera or an address" in capsys.readouterr().err
