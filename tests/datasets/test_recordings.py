"""Filmed games: pictures of one size, a truth that the rules accept, times that move on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from datasets.recordings import write_recording
from referee.game import load
from referee.notation import parse_header


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recording(4, tmp_path_factory.mktemp("film"), moves=1)


def truth(film: Path) -> list[dict[str, Any]]:
    text = film.with_suffix(".game.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_video_lasts_as_long_as_its_truth(film: Path) -> None:
    video = cv2.VideoCapture(str(film))
    seconds = video.get(cv2.CAP_PROP_FRAME_COUNT) / video.get(cv2.CAP_PROP_FPS)
    lines = truth(film)
    times = [line["t"] for line in lines if "t" in line]
    assert times == sorted(times)
    assert 0 < times[0] < times[-1] < seconds
    clear = [line["t_clear"] - line["t"] for line in lines if "t_clear" in line]
    assert clear and all(0 <= wait_s < 1.5 for wait_s in clear)


def test_the_truth_is_a_record_that_judges_to_the_same(film: Path) -> None:
    lines = truth(film)
    told = [line for line in lines if line["type"] == "ruling"]
    game = load(parse_header(lines[0]), [x for x in lines[1:] if x["type"] != "ruling"])
    again = [line for line in game.record() if line["type"] == "ruling"]
    assert told and told == again
    kinds = [move.observation.__class__.__name__ for move in game.moves]
    assert kinds[0] == "Start" and "Place" in kinds
