"""`referee rule`: streams, keeps the order, names malformed lines, compares options."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main

HEADER: dict[str, Any] = {
    "type": "game",
    "game": "solomino",
    "players": ["Ann", "Ben", "Cem"],
    "first_player": 0,
    "hands": [8, 8, 8],
    "draw_pile": 95,
}
START = {"type": "start", "card": "r5/g1", "t": 1.0}
INTERJECTION = {"type": "place", "player": 2, "card": "r5/b2", "onto": "r5", "with": "r5", "t": 2.5}
DRAW = {"type": "draw", "player": 0, "count": 1}


def record(path: Path, *lines: object) -> str:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return str(path)


def output(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_observation_is_followed_by_its_rulings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION)
    assert main(["rule", game]) == 0
    lines = output(capsys)
    assert [line["type"] for line in lines] == ["game", "start", "ruling", "place", "ruling"]
    assert (lines[0], lines[1], lines[3]) == (HEADER, START, INTERJECTION)
    assert (lines[4]["of"], lines[4]["violations"], lines[4]["rule"]) == (
        1,
        ["not_your_turn"],
        "1.5",
    )


def test_what_is_written_is_a_valid_input_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION, DRAW)
    main(["rule", game])
    first = output(capsys)
    assert main(["rule", record(tmp_path / "again.jsonl", *first)]) == 0
    assert output(capsys) == first


def test_malformed_lines_are_named_and_skipped_and_the_rest_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record(
        tmp_path / "game.jsonl",
        HEADER,
        START,
        "{not json",
        "[1]",
        {"type": "draw", "player": 9, "count": 1},
        {"type": "remark", "text": "a line of another program"},
        "",
        DRAW,
    )
    assert main(["rule", game]) == 1
    told = capsys.readouterr()
    lines = [json.loads(line) for line in told.out.splitlines()]
    errors = [line for line in lines if line["type"] == "error"]
    assert [error["line"] for error in errors] == [3, 4, 5]
    assert "expected a player from 0 to 2, found 9" in errors[2]["error"]
    assert f"{game}: line 5: draw: player" in told.err
    assert lines[-1]["of"] == 1  # malformed and unknown lines are not counted
    assert {"type": "remark", "text": "a line of another program"} in lines


def test_a_header_with_an_unknown_option_is_named_and_its_game_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = {**HEADER, "options": {"interjecting": True}}
    assert main(["rule", record(tmp_path / "game.jsonl", header, START)]) == 1
    kinds = [line["type"] for line in output(capsys)]
    assert kinds == ["error", "game", "start", "ruling"]


def test_without_a_header_there_is_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rule", record(tmp_path / "game.jsonl", START)]) == 1
    assert output(capsys)[0]["error"] == "expected a game's header first, found 'start'"


def test_several_files_keep_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = record(tmp_path / "1.jsonl", {**HEADER, "title": "one"}, START)
    two = record(tmp_path / "2.jsonl", {**HEADER, "title": "two"}, START)
    assert main(["rule", two, one]) == 0
    assert [line["title"] for line in output(capsys) if line["type"] == "game"] == ["two", "one"]


def test_several_games_in_one_file_are_counted_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, DRAW, HEADER, START)
    assert main(["rule", game]) == 0
    assert [line["of"] for line in output(capsys) if line["type"] == "ruling"] == [0, 1, 2]


def test_options_go_before_the_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION)
    assert main(["rule", game, "--options", "interject=true,rounds=3"]) == 0
    lines = output(capsys)
    assert lines[0]["options"] == {"interject": True, "length": {"rounds": 3}}
    assert lines[-1]["legal"] is True


@pytest.mark.parametrize(
    "options", ["interject", "interjecting=true", "interject=maybe", "chess.interject=true"]
)
def test_options_that_do_not_exist_are_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: str
) -> None:
    game = record(tmp_path / "game.jsonl", HEADER)
    assert main(["rule", game, "--options", options]) == 2
    assert "--options" in capsys.readouterr().err


def test_prose_is_a_sentence_an_observation_with_its_paragraph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION)
    assert main(["rule", game, "--explain"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("   0  ")
    assert first.endswith(" [1.3]")
    assert "Cem" in second
    assert second.endswith(" [1.5]")


def test_another_set_of_options_lists_what_would_be_ruled_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION, DRAW)
    assert main(["rule", "--under", "solomino.interject=true", game]) == 0
    (difference,) = output(capsys)
    assert (difference["type"], difference["of"]) == ("difference", 1)
    assert difference["rulings"][0]["violations"] == ["not_your_turn"]
    assert difference["under"][0]["legal"] is True


def test_that_set_may_stand_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION)
    options = record(tmp_path / "options.json", {"solomino": {"interject": True}})
    assert main(["rule", "--under", options, game]) == 0
    assert [line["of"] for line in output(capsys)] == [1]
    assert main(["rule", "--under", str(tmp_path / "none.json"), game]) == 2


def test_a_correction_in_the_record_judges_again_what_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    correction = {"type": "correction", "op": "delete", "of": 1}
    game = record(tmp_path / "game.jsonl", HEADER, START, INTERJECTION, DRAW, correction)
    assert main(["rule", game]) == 0
    lines = output(capsys)
    assert lines[-2] == correction
    assert (lines[-1]["of"], lines[-1]["hands"]) == (1, [9, 8, 8])


def test_it_streams_from_standard_input() -> None:
    command = [sys.executable, "-m", "referee.cli", "rule"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(HEADER) + "\n" + json.dumps(START) + "\n")
        running.stdin.flush()
        answered = [json.loads(running.stdout.readline()) for _ in range(3)]
        running.stdin.close()
    assert answered[2]["type"] == "ruling"
    assert running.returncode == 0
