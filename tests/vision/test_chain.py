"""The line found in a single picture: which halves belong to it, in which order."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.tabletop import (
    Card,
    Reading,
    Tabletop,
    polygon,
    probabilities,
    same_order,
)
from vision.chain import assemble, loose_cards
from vision.facts import Half
from vision.plane import TablePlane

seeds = st.integers(0, 10**6)
SHARP = Reading(noise_mm=1.0, noise_deg=1.5)


def laid(seed: int, cards: int, bends: float = 0.15, **how: Any) -> Tabletop:
    table = Tabletop(random.Random(seed), **how)
    table.start(turn_deg=table.rng.uniform(0, 360))
    table.grow(cards - 1, bends)
    return table


def row(labels: str, x_mm: float = 0.0, y_mm: float = 0.0) -> list[Half]:
    """A straight stretch from left to right, one half for each label."""
    return [
        Half(x_mm + 45.5 * i, y_mm, 0.0, *probabilities(label))
        for i, label in enumerate(labels.split())
    ]


def names(labels: str) -> tuple[str, ...]:
    return tuple(labels.split())


def at(half: Half, x_mm: float, y_mm: float, axis_deg: float) -> Half:
    return replace(half, x_mm=x_mm, y_mm=y_mm, axis_deg=axis_deg)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, cards=st.integers(1, 30), bends=st.sampled_from([0.0, 0.15, 0.3]))
def test_the_order_is_found(seed: int, cards: int, bends: float) -> None:
    table = laid(seed, cards, bends, offset_mm=2.0, askew_deg=2.0)
    line = assemble(table.read(SHARP))
    assert line is not None
    assert same_order(line.labels, table.labels)
    assert all(place.seen for place in line.places)


@settings(max_examples=25, deadline=None)
@given(
    seed=seeds,
    turn_deg=st.floats(0, 360),
    dx_mm=st.floats(-300, 300),
    dy_mm=st.floats(-300, 300),
)
def test_neither_place_nor_order_of_the_input_matters(
    seed: int, turn_deg: float, dx_mm: float, dy_mm: float
) -> None:
    table = laid(seed, 9)
    halves = table.read()
    before = assemble(halves)
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turned = [
        at(
            h,
            cos * h.x_mm - sin * h.y_mm + dx_mm,
            sin * h.x_mm + cos * h.y_mm + dy_mm,
            (h.axis_deg + turn_deg) % 180.0,
        )
        for h in halves
    ]
    random.Random(seed).shuffle(turned)
    after = assemble(turned)
    assert before is not None and after is not None
    assert same_order(after.labels, before.labels)


@settings(max_examples=25, deadline=None)
@given(seed=seeds, cards=st.integers(3, 20))
def test_a_stray_card_is_told_apart(seed: int, cards: int) -> None:
    table = laid(seed, cards, bends=0.0, offset_mm=2.0, askew_deg=2.0)
    # Beside the middle of a straight line and askew to it.
    middle = len(table.places) // 2
    x, y = table.spot_mm(middle)
    along_deg = table.outward_deg(1)
    side = math.radians(along_deg + 90.0)
    away_mm = 110.0 + seed % 100
    stray = Card(
        x + away_mm * math.cos(side), y + away_mm * math.sin(side), along_deg + 45.0, ("gC", "b4")
    )
    table.put(stray)
    line = assemble(table.read(SHARP))
    assert line is not None
    assert same_order(line.labels, table.labels)
    assert [{half.label for half in card.halves} for card in line.loose] == [{"gC", "b4"}]


@pytest.mark.parametrize(
    ("missing", "places"),
    [
        ((4,), "r0 r1 r2 r3 ? r5 r6 r7"),  # one half not found
        ((1,), "r0 ? r2 r3 r4 r5 r6 r7"),  # next to the end
        ((3, 4, 5), "r0 r1 r2 ? ? ? r6 r7"),  # an arm across the line
    ],
)
def test_a_gap_in_line_is_bridged(missing: tuple[int, ...], places: str) -> None:
    halves = row("r0 r1 r2 r3 r4 r5 r6 r7")
    line = assemble([h for i, h in enumerate(halves) if i not in missing])
    assert line is not None
    assert same_order(line.labels, names(places))
    unseen = [p for p in line.places if not p.seen]
    assert len(unseen) == len(missing)
    # The unseen places lie where the missing halves lay.
    for i, place in zip(missing, sorted(unseen, key=lambda p: p.half.x_mm), strict=True):
        assert math.dist((place.half.x_mm, place.half.y_mm), (45.5 * i, 0.0)) < 1.0


def test_a_missing_corner_is_bridged() -> None:
    across = [at(h, 45.5 * 5, 45.5 * (i + 1), 90.0) for i, h in enumerate(row("g0 g1 g2 g3"))]
    line = assemble([*row("r0 r1 r2 r3 r4"), *across])
    assert line is not None
    assert same_order(line.labels, names("r0 r1 r2 r3 r4 ? g0 g1 g2 g3"))


def test_two_stretches_side_by_side_touch() -> None:
    """A U-turn: out, two cards across, and back along itself; the cards nearly touch."""
    out = row("r0 r1 r2 r3 r4 r5")
    turn = [at(h, 45.5 * 5, 45.5 * (i + 1), 90.0) for i, h in enumerate(row("g0 g1"))]
    turn[1] = at(turn[1], 45.5 * 5, 91.0, 0.0)
    back = [at(h, 45.5 * (4 - i), 91.0, 0.0) for i, h in enumerate(row("b0 b1 b2 b3"))]
    line = assemble([*out, *turn, *back])
    assert line is not None
    assert same_order(line.labels, names("r0 r1 r2 r3 r4 r5 g0 g1 b0 b1 b2 b3"))


def test_the_first_card_covered_crosswise_at_both_halves() -> None:
    """Nothing of the card between the two is seen, and both lie across it, apart by hand."""
    up = [at(h, 0.0, -45.5 * i, 90.0) for i, h in enumerate(row("r0 r1 r2"))]
    down = [at(h, 52.0, 45.5 * i, 90.0) for i, h in enumerate(row("g0 g1 g2"))]
    line = assemble([*up, *down])
    assert line is not None
    assert same_order(line.labels, names("r2 r1 r0 g0 g1 g2"))


def test_one_axis_read_wrong_by_a_quarter_turn() -> None:
    """Halves are nearly square, so now and then an axis is read across."""
    halves = row("r0 r1 r2 r3 r4 r5")
    halves[3] = replace(halves[3], axis_deg=90.0)
    line = assemble(halves)
    assert line is not None
    assert same_order(line.labels, names("r0 r1 r2 r3 r4 r5"))


def test_what_peeps_out_from_below_is_no_place() -> None:
    below = replace(row("y9", x_mm=45.5 * 2 + 6, y_mm=15)[0], seen=0.35)
    line = assemble([*row("r0 r1 r2 r3 r4"), below])
    assert line is not None
    assert same_order(line.labels, names("r0 r1 r2 r3 r4"))
    assert line.loose == ()


def test_of_two_single_cards_the_one_in_the_middle_begins_the_line() -> None:
    line = assemble([*row("g1 g2", 300, 250), *row("r0 r1", -20, 10)])
    assert line is not None
    assert same_order(line.labels, ("r0", "r1"))
    line = assemble([*row("g1 g2", 300, 250), *row("r0 r1", -20, 10)], centre_mm=(300, 250))
    assert line is not None
    assert same_order(line.labels, ("g1", "g2"))


@pytest.mark.parametrize("halves", [[], row("r0"), [*row("r0"), *row("g0", 300)]])
def test_no_whole_card_no_line(halves: list[Half]) -> None:
    assert assemble(halves) is None


def test_loose_cards_pair_halves_of_one_axis() -> None:
    crossed = [replace(h, axis_deg=90.0) for h in row("b0 b1", 0, 400)]
    cards = loose_cards([*row("r0 r1"), *crossed])
    assert [card.label for card in cards] == ["r0/r1"]
    assert (cards[0].x_mm, cards[0].y_mm) == (22.75, 0.0)


def test_polygon_is_clockwise_in_the_picture() -> None:
    assert polygon((0, 0, 2, 1)).tolist() == [[0, 0], [2, 0], [2, 1], [0, 1]]


def true_halves(still: dict, plane: TablePlane, rng: random.Random) -> list[Half]:  # type: ignore[type-arg]
    """What a good reader finds in a still: halves seen to 60 % and some that are seen less."""
    halves: list[Half] = []
    for card in still["cards"]:
        # Cards held up in a hand lie on no plane and need not be read.
        if not card["face_up"] or card.get("held_up"):
            continue
        for half in card["halves"]:
            least = 0.6 if rng.random() < 0.8 else 0.3
            if half["visible"] < least:
                continue
            q = plane.to_mm(np.array(half["polygon_px"], dtype=np.float64))
            x, y = q.mean(axis=0)
            along = q[0] + q[1] - q[2] - q[3]
            halves.append(
                Half(
                    float(x) + rng.gauss(0, 2.0),
                    float(y) + rng.gauss(0, 2.0),
                    (math.degrees(math.atan2(along[1], along[0])) + rng.gauss(0, 3.0)) % 180.0,
                    *probabilities(half["half"]),
                    seen=half["visible"],
                )
            )
    return halves


def test_lines_of_the_stills_from_their_true_halves(shared: Path) -> None:
    """A floor under the figures: both ends >= 98 %, the whole line >= 97 % of the stills."""
    folder = shared / "stills"
    rng = random.Random(1)
    ends: list[bool] = []
    whole: list[bool] = []
    for text in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        still = json.loads(text)
        true = still["line"]
        if true is None:
            continue
        table = json.loads((folder / still["file"]).with_suffix(".table.json").read_text("utf-8"))
        matrix, distortion = table["camera_matrix_px"], table["distortion"]
        plane = TablePlane(
            np.array(table["mm_to_px"]),
            tuple(table["image_size_px"]),
            None if matrix is None else np.array(matrix),
            None if distortion is None else np.array(distortion),
        )
        line = assemble(true_halves(still, plane, rng))
        labels = line.labels if line else ("?", "?")
        if min(end["visible"] for end in true["ends"]) >= 0.6:
            ends.append(
                sorted((labels[0], labels[-1])) == sorted(end["half"] for end in true["ends"])
            )
        if min(true["visible"]) >= 0.6:
            whole.append(same_order(labels, tuple(true["halves"])))
    assert sum(ends) >= 0.98 * len(ends)
    assert sum(whole) >= 0.97 * len(whole)
