"""What counts as found, as false, as read right, and what counts neither way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.evaluate.pictures import Reading, SeenHalf, SeenLine, match, score
from datasets.evaluate.shares import Share, total
from datasets.evaluate.sources import truth_from_json


def half(label: str, x_px: float, visible: float = 1.0, *, held_up: bool = False) -> SeenHalf:
    """A true half of 50 px."""
    return SeenHalf(label, x_px, 100.0, 50.0, visible, held_up)


def said(label: str, x_px: float) -> SeenHalf:
    """An answer."""
    return SeenHalf(label, x_px, 100.0)


def line(*labels: str, hidden: tuple[int, ...] = ()) -> SeenLine:
    """A line of which the halves `hidden` are covered by something."""
    return SeenLine(labels, tuple(0.3 if i in hidden else 1.0 for i in range(len(labels))))


@pytest.mark.parametrize(
    ("true", "answers", "recall", "precision"),
    [
        # found, though 24 px off its centre
        ([half("r2", 100)], [said("r2", 124)], Share(1, 1), Share(1, 1)),
        # 26 px off, more than half of its short side: missed, and a false one
        ([half("r2", 100)], [said("r2", 126)], Share(0, 1), Share(0, 1)),
        # said twice: the nearer one counts, the other is false
        ([half("r2", 100)], [said("r2", 110), said("r2", 103)], Share(1, 1), Share(1, 2)),
        # 59 % seen: need not be found, and finding it is no fault
        ([half("r2", 100, 0.59)], [], Share(0, 0), Share(0, 0)),
        ([half("r2", 100, 0.59)], [said("r2", 100)], Share(0, 0), Share(0, 0)),
        # 1 % seen: nobody can have read that
        ([half("r2", 100, 0.01)], [said("r2", 100)], Share(0, 0), Share(0, 1)),
        # held up in a hand: neither way
        ([half("r2", 100, held_up=True)], [said("r2", 100)], Share(0, 0), Share(0, 0)),
        # two halves side by side, one answer between them: the nearer takes it
        ([half("r2", 100), half("b8", 140)], [said("b8", 121)], Share(1, 2), Share(1, 1)),
        # nothing there, nothing said
        ([], [], Share(0, 0), Share(0, 0)),
    ],
)
def test_found(
    true: list[SeenHalf], answers: list[SeenHalf], recall: Share, precision: Share
) -> None:
    shares = score(Reading(tuple(true)), Reading(tuple(answers)))
    assert shares["recall"] == recall
    assert shares["precision"] == precision


def test_a_half_of_a_few_pixels_need_not_be_found() -> None:
    tiny = replace(half("r2", 100), short_side_px=19.0)
    shares = score(Reading((tiny,)), Reading())
    assert shares["recall"] == Share(0, 0)


@pytest.mark.parametrize(
    ("answer", "reading", "colour", "face"),
    [("r2", 1, 1, 1), ("g2", 0, 0, 1), ("r6", 0, 1, 0), ("g6", 0, 0, 0), ("??", 0, 0, 0)],
)
def test_read(answer: str, reading: int, colour: int, face: int) -> None:
    shares = score(Reading((half("r2", 100),)), Reading((said(answer, 100),)))
    assert (shares["reading"], shares["colour"], shares["face"]) == (
        Share(reading, 1),
        Share(colour, 1),
        Share(face, 1),
    )


@pytest.mark.parametrize(
    ("true", "answer", "ends", "whole", "roughly"),
    [
        (line("r2", "g1", "b8"), line("r2", "g1", "b8"), (1, 1), (1, 1), (1, 1)),
        (line("r2", "g1", "b8"), line("b8", "g1", "r2"), (1, 1), (1, 1), (1, 1)),  # from behind
        (line("r2", "g1", "b8"), line("r2", "g7", "b8"), (1, 1), (0, 1), (0, 1)),
        (line("r2", "g1", "b8"), line("r2", "b8"), (1, 1), (0, 1), (0, 1)),  # one left out
        (line("r2", "g1", "b8"), None, (0, 1), (0, 1), (0, 1)),
        # the middle is hidden: both ends still count, the line only roughly
        (line("r2", "g1", "b8", hidden=(1,)), line("r2", "?", "b8"), (1, 1), (0, 0), (1, 1)),
        # an end is hidden: neither ends nor line
        (line("r2", "g1", "b8", hidden=(0,)), line("?", "g1", "b8"), (0, 0), (0, 0), (1, 1)),
        (None, line("r2", "b8"), (0, 0), (0, 0), (0, 0)),
    ],
)
def test_line(
    true: SeenLine | None,
    answer: SeenLine | None,
    ends: tuple[int, int],
    whole: tuple[int, int],
    roughly: tuple[int, int],
) -> None:
    shares = score(Reading(line=true), Reading(line=answer))
    assert shares["ends"] == Share(*ends)
    assert shares["line"] == Share(*whole)
    assert shares["line, roughly"] == Share(*roughly)


def test_an_empty_table_stays_empty() -> None:
    empty = Reading(is_empty=True)
    assert score(empty, Reading())["empty"] == Share(1, 1)
    assert score(empty, Reading((said("r2", 100),)))["empty"] == Share(0, 1)


def test_what_is_misread_is_told() -> None:
    found = match(
        Reading((half("r2", 100), half("b8", 300))), Reading((said("r2", 100), said("b3", 301)))
    )
    assert [(t.label, a.label) for t, a in found.misread] == [("b8", "b3")]


def test_truth_against_itself_is_perfect(shared: Path) -> None:
    rows = (shared / "stills" / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    truths = [truth_from_json(json.loads(row)) for row in rows]
    # What is as good as hidden nobody can say.
    answers = [replace(t, halves=tuple(h for h in t.halves if h.visible > 0.1)) for t in truths]
    shares = total(score(t, a) for t, a in zip(truths, answers, strict=True))
    assert shares["recall"].of > 700
    assert shares["empty"].of == 8
    assert all(share.right == share.of for share in shares.values())
