"""The whole evaluation, with readers that know the answer or nothing."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from rich.console import Console

from datasets.evaluate.misses import draw_misses
from datasets.evaluate.pictures import Reading, SeenHalf
from datasets.evaluate.report import WORST, Row, as_json, as_markdown, as_table, worst_of
from datasets.evaluate.run import score_pictures, score_recordings
from datasets.evaluate.shares import Share
from datasets.evaluate.sources import (
    Exhibit,
    Recording,
    answer_from_json,
    fresh_scenes,
    recordings,
    stills,
)


@pytest.fixture(scope="module")
def scenes() -> list[Exhibit]:
    """A few rendered scenes."""
    return list(fresh_scenes(3))


def oracle(exhibit: Exhibit) -> Reading:
    """Knows the answer, as far as it can be seen."""
    truth = exhibit.truth
    return replace(truth, halves=tuple(half for half in truth.halves if half.visible > 0.1))


def shown(rows: list[Row]) -> str:
    """The printed table."""
    console = Console(file=io.StringIO(), width=200)
    console.print(as_table(rows))
    text = console.file
    assert isinstance(text, io.StringIO)
    return text.getvalue()


def test_who_knows_the_answer_is_perfect(scenes: list[Exhibit], tmp_path: Path) -> None:
    rows = score_pictures("fresh", scenes, oracle, misses=tmp_path / "misses")
    assert rows[0].shares["recall"].of > 5
    assert all(share.right == share.of for share in rows[0].shares.values())
    assert not (tmp_path / "misses").exists()
    assert "100" in shown(rows)


def test_fresh_scenes_say_where_their_halves_lie(scenes: list[Exhibit]) -> None:
    for exhibit in scenes:
        width, height = exhibit.plane.image_size_px
        for half in exhibit.truth.halves:
            if half.is_due:
                assert -half.short_side_px < half.x_px < width + half.short_side_px
                assert -half.short_side_px < half.y_px < height + half.short_side_px


def test_who_knows_nothing_leaves_pictures_of_it(scenes: list[Exhibit], tmp_path: Path) -> None:
    rows = score_pictures("fresh", scenes, lambda _: Reading(), misses=tmp_path)
    assert rows[0].shares["recall"].right == 0
    missed = [e for e in scenes if any(h.is_due for h in e.truth.halves) or e.truth.line]
    assert len(list((tmp_path / "fresh").glob("*.jpg"))) == len(missed) > 0


def test_a_reader_that_breaks_is_a_row(scenes: list[Exhibit]) -> None:
    def read(exhibit: Exhibit) -> Reading:
        if exhibit is scenes[0]:
            raise RuntimeError("lens cap")
        return oracle(exhibit)

    row = score_pictures("fresh", scenes, read)[0]
    assert row.failures == ("scene-0: RuntimeError: lens cap",)
    assert row.count == len(scenes)


def test_tags_have_rows_of_their_own(scenes: list[Exhibit]) -> None:
    rows = score_pictures("fresh", scenes, oracle, by_tag=True)
    tags = {tag for exhibit in scenes for tag in exhibit.tags}
    assert {row.name for row in rows if row.is_part and not row.worst} == tags


def test_the_worst_tag_is_named_where_it_was_tried_often_enough() -> None:
    parts = [
        Row("dim", 9, {"recall": Share(17, 20), "empty": Share(0, 1)}, is_part=True),
        Row("warm", 9, {"recall": Share(19, 20)}, is_part=True),
        Row("rare", 1, {"recall": Share(0, 2)}, is_part=True),
    ]
    worst = worst_of(parts)
    assert worst == {"recall": ("dim", 0.85)}
    row = Row(WORST, 0, {}, is_part=True, worst=worst)
    assert "85.0" in shown([row])
    whole = Row("stills", 18, {"recall": Share(36, 40)})
    assert as_markdown([whole, row, *parts]).splitlines()[2:] == [
        "| stills | 18 | 90.0 | – |",
        "| worst tag |  | 85.0 dim | – |",
    ]


def test_misses_are_drawn_where_they_are() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    truth = Reading((SeenHalf("r2", 100, 100, 40),))
    wrong = Reading((SeenHalf("r7", 100, 100), SeenHalf("b1", 230, 100)))
    assert not draw_misses(image, truth, truth).any()
    drawn = draw_misses(image, truth, wrong)
    assert drawn[70:130, 70:130].any(), "the misread half has a ring"
    assert drawn[70:130, 200:260].any(), "the false half has a ring"
    assert not image.any(), "the picture itself stays as it was"


def test_answers_are_read_as_the_contract_has_them() -> None:
    answer = answer_from_json(
        {
            "file": "1.jpg",
            "halves": [{"half": "r2", "centre_px": [5.0, 6.0], "centre_mm": [0, 0]}],
            "line": {"halves": ["r2", "b8"], "ends": ["r2", "b8"]},
        }
    )
    assert answer.halves == (SeenHalf("r2", 5.0, 6.0),)
    assert answer.line is not None
    assert answer.line.ends == ("r2", "b8")
    assert answer_from_json({"halves": [], "line": None}) == Reading()


def test_recordings(samples: Path) -> None:
    assert [clip.name for clip in recordings(samples)] == ["c1", "house", "solo"]
    found = recordings(samples)[:1]
    perfect = score_recordings("clips", found, lambda clip: clip.truth)
    assert perfect[0].name == "clips"
    assert perfect[-1].name == "c1"
    assert {row.name for row in perfect[1:-1]} >= {"draw", "place"}
    assert sum(row.count for row in perfect[1:-1]) <= perfect[0].shares["recall"].of + 20
    assert perfect[0].shares["F1"].value == 1.0

    def fails(clip: Recording) -> Path:
        raise OSError(f"{clip.name} is gone")

    rows = score_recordings("clips", found, fails)
    assert rows[0].failures == ("c1: OSError: c1 is gone",)
    assert rows[0].shares["recall"].right == 0
    assert "clips" in shown(rows)


def test_json_has_counts_and_intervals() -> None:
    row = Row("stills", 3, {"recall": Share(9, 10)}, delays_s=(0.2, 0.4, 0.6))
    data = json.loads(json.dumps(as_json([row])))[0]
    assert data["measures"]["recall"]["right"] == 9
    low, high = data["measures"]["recall"]["interval_95"]
    assert low < 0.9 < high
    assert data["delay_s"] == {"median": 0.4, "p95": 0.6}


def test_markdown_shows_whole_bodies_of_data_and_what_was_measured() -> None:
    rows = [
        Row("stills", 3, {"recall": Share(9, 10), "player": Share(0, 0)}, delays_s=(0.2,)),
        Row("call", 1, {"recall": Share(1, 1)}, is_part=True),
    ]
    assert as_markdown(rows).splitlines() == [
        "|  | n | found | delay s (p50 p95) |",
        "| --- | ---: | ---: | ---: |",
        "| stills | 3 | 90.0 | 0.20 0.20 |",
    ]


def test_a_single_miss_in_ten_thousand_is_not_rounded_away() -> None:
    text = shown([Row("stills", 1, {"recall": Share(9999, 10000)})])
    assert "99.9" in text
    assert "100\n" not in text.split("99.9")[0]


def test_burnt_out_stills_are_left_out(shared: Path) -> None:
    exhibits = stills(shared / "stills")
    first = next(exhibits)
    assert first.image.shape[:2] == (1080, 1920)
    rows = (shared / "stills" / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    burnt = [row["file"] for row in map(json.loads, rows) if "over" in row["tags"]]
    assert burnt
    assert not {exhibit.name for exhibit in exhibits} & set(burnt)


def test_scene_pictures_are_pictures(scenes: list[Exhibit]) -> None:
    for exhibit in scenes:
        assert exhibit.image.dtype == np.uint8
        assert exhibit.image.shape[:2][::-1] == exhibit.plane.image_size_px
        assert cv2.Laplacian(exhibit.image, cv2.CV_64F).std() > 1, "there is something on it"
