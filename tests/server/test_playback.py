"""A record played again, and the commands that serve."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from calibration.table import load_table
from referee.cli import application, main
from referee.errors import RefereeError
from referee.games import set_aside
from referee.overlay.source import View
from referee.server.playback import Playback
from referee.server.serve import bind
from referee.store import read


def played(playback: Playback) -> list[View]:
    """All that viewers were shown."""
    seen: list[View] = []
    end = playback.subscribe(lambda: seen.append(playback.view()))
    playback.play(threading.Event())
    end()
    return seen


def test_every_move_is_shown_in_order_with_its_rulings(
    sample_record: list[dict[str, Any]],
) -> None:
    seen = played(Playback(sample_record, speed=100))
    sizes = [len(view.log) for view in seen]
    assert sizes == sorted(sizes)
    assert len({view.clock_s for view in seen}) > 5
    fields = ("of", "player", "legal", "violations", "turn", "hands", "ends")
    told = [line for line in seen[-1].log if line["type"] == "ruling"]
    truth = [line for line in sample_record if line["type"] == "ruling"]
    assert [[line[f] for f in fields] for line in told] == [
        [line[f] for f in fields] for line in truth
    ]


def test_a_move_is_checked_until_the_referee_was_sure(
    sample_record: list[dict[str, Any]],
) -> None:
    header = sample_record[0]
    start = {"type": "start", "card": "r5/g1", "t": 4.0, "t_reported": 12.0}
    seen = played(Playback([header, start], speed=40))
    assert [(view.light, len(view.log), view.provisional is not None) for view in seen] == [
        ("watching", 0, False),
        ("checking", 0, True),
        ("watching", 2, False),
    ]


def test_corrections_are_carried_out(sample_record: list[dict[str, Any]]) -> None:
    header = sample_record[0]
    start = {"type": "start", "card": "r5/g1", "t": 1.0}
    wrong = {"type": "place", "player": 0, "card": "y2/y3", "onto": "g1", "with": "y2", "t": 2.0}
    right = wrong | {"card": "g2/y3", "with": "g2"}
    correction = {"type": "correction", "op": "replace", "of": 1, "observation": right}
    last = played(Playback([header, start, wrong, correction], speed=100))[-1]
    assert [line["card"] for line in last.log if "card" in line] == ["r5/g1", "g2/y3"]
    assert all(line["legal"] for line in last.log if line["type"] == "ruling")


@pytest.mark.parametrize("slanting", [False, True])
def test_a_card_at_fault_is_marked_in_the_picture(
    sample_record: list[dict[str, Any]], samples: Path, slanting: bool
) -> None:
    known = load_table(samples / "c1.table.json")
    table = replace(known, masks_px=(((0, 0), (200, 0), (200, 100)),))
    wrong: dict[str, Any] = {
        "type": "place",
        "player": 0,
        "card": "y2/y3",
        "onto": "g1",
        "with": "y2",
        "t": 0.2,
        "evidence": {"region_mm": [-60.0, -30.0, 60.0, 30.0]},
    }
    outline = [[-60.0, 0.0], [0.0, -30.0], [60.0, 0.0], [0.0, 30.0]]
    if slanting:
        wrong["evidence"] |= {"outline_mm": outline}
    records = [sample_record[0], {"type": "start", "card": "r5/g1", "t": 0.1}, wrong]
    playback = Playback(records, samples / "c1.mp4", table, speed=50)
    playback.play(threading.Event())
    picture = playback.picture()
    assert picture is not None and picture.image.shape == (720, 1280, 3)
    assert picture.image[10, 150].max() == 0  # what was masked is not shown now either
    (mark,) = picture.marks
    assert mark.kind == "illegal"
    xs = [x for x, _ in mark.polygon_px]
    assert 560 < min(xs) < max(xs) < 720
    if slanting:
        expected = table.plane.to_px(np.array(outline))
        assert np.allclose(mark.polygon_px, expected)


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(RefereeError, match="first line is the game's header"):
        Playback([{"type": "start", "card": "r5/g1"}])


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["replay", "nowhere"], 2, "nowhere"),
        (["replay", "."], 1, "expected a game.jsonl in this folder, found none"),
        (["live", "0", "--table", "nowhere.json"], 2, "nowhere.json"),
        (["live", "0", "--table", "{table}", "--size", "big"], 2, "such as 1920x1080"),
        (["live", "0", "--table", "{table}", "--lock", "zoom"], 2, "white-balance, found 'zoom'"),
        (["live", "no.mp4", "--table", "{table}"], 1, "no.mp4"),
        (["live", "0", "--table", "{table}", "--options", "fun=yes"], 2, "fun"),
        (["live", "0", "--table", "{table}", "--players", "Ann"], 2, "3 players"),
        (["live", "0", "--table", "{table}", "--port", "{port}"], 1, "is in use"),
        (["replay", "{record}", "--port", "{port}"], 1, "is in use"),
        (["overlay-page", "--url", "ftp://x"], 2, "http://"),
    ],
)
def test_a_wrong_call_is_one_clear_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    samples: Path,
    arguments: list[str],
    code: int,
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with bind(port=0) as taken:
        known = {
            "table": samples / "c1.table.json",
            "record": samples / "c1.game.jsonl",
            "port": taken.getsockname()[1],
        }
        assert main([argument.format(**known) for argument in arguments]) == code
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1 and "Traceback" not in error


def test_help_tells_how_to_begin() -> None:
    for command in ("live", "replay", "overlay-page"):
        done = CliRunner().invoke(application(command), [command, "--help"])
        assert done.exit_code == 0
        assert "Examples:" in done.output


def test_a_record_from_before_isset_aside(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert set_aside(path) is None
    path.write_text('{"type": "game"}\n')
    kept = set_aside(path)
    assert kept is not None and not path.exists()
    assert read(kept).records == ({"type": "game"},)
