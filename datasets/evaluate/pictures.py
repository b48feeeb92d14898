"""Scoring one picture: what was to be read against what was read.

Truth and answer are both a `Reading`, so that each can be scored against the other.

* A half *must be found* where at least 60 % of it is seen, its short side measures at least
  20 px in the picture, and nobody holds the card up. An answer finds it when it lies nearer to
  its centre than half its short side; of several answers the nearest counts.
* Answers that lie on a half which need not be found count neither way. All others are *false*.
* A found half is *right* where colour and face are.
* *Both ends* are scored where the truth has a line and shows both ends well; *the line* where
  it shows every half of it well, `line, roughly` wherever there is one: halves that are hidden
  may be wrong there, but not left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from datasets.evaluate.shares import Share

ENOUGH_SEEN = 0.6
HARDLY_SEEN = 0.02
SMALLEST_PX = 20.0


@dataclass(frozen=True, slots=True)
class SeenHalf:
    """A half card in a picture."""

    label: str
    x_px: float
    y_px: float
    short_side_px: float = 0.0
    """Mean of its two shorter sides in the picture; only the truth's is used."""
    visible: float = 1.0
    held_up: bool = False
    long_side_px: float = 0.0
    """Mean of the two longer sides; only the truth's, 0 where not known."""
    in_line: bool = False

    @property
    def is_due(self) -> bool:
        """Whether it must be found."""
        return (
            self.visible >= ENOUGH_SEEN and self.short_side_px >= SMALLEST_PX and not self.held_up
        )

    def distance_px(self, other: SeenHalf) -> float:
        """From centre to centre."""
        return math.hypot(self.x_px - other.x_px, self.y_px - other.y_px)


@dataclass(frozen=True, slots=True)
class SeenLine:
    """The halves of a line in order, from either end, and the share of each that is seen."""

    labels: tuple[str, ...]
    visible: tuple[float, ...]

    @property
    def ends(self) -> tuple[str, str]:
        """The two halves that a card may cover."""
        return self.labels[0], self.labels[-1]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture shows, or what somebody says that it shows."""

    halves: tuple[SeenHalf, ...] = ()
    line: SeenLine | None = None
    is_empty: bool = False
    """Truth only: no card lies face up on this table."""


@dataclass(frozen=True, slots=True)
class Match:
    """How an answer's halves fit the truth's."""

    found: tuple[tuple[SeenHalf, SeenHalf], ...]
    """Pairs of a true half that was due and its answer."""
    missed: tuple[SeenHalf, ...]
    false: tuple[SeenHalf, ...]

    @property
    def misread(self) -> tuple[tuple[SeenHalf, SeenHalf], ...]:
        """Pairs whose colour or face differs."""
        return tuple((t, a) for t, a in self.found if t.label != a.label)


def match(truth: Reading, answer: Reading) -> Match:
    """Pair answers with true halves, nearest first."""
    due = [half for half in truth.halves if half.is_due]
    excused = [h for h in truth.halves if not h.is_due and h.visible > HARDLY_SEEN]
    pairs = sorted(
        (distance, i, j)
        for i, said in enumerate(answer.halves)
        for j, half in enumerate(due)
        if (distance := said.distance_px(half)) < half.short_side_px / 2
    )
    answer_of: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in pairs:
        if i not in used and j not in answer_of:
            answer_of[j] = i
            used.add(i)
    rest = [said for i, said in enumerate(answer.halves) if i not in used]
    return Match(
        found=tuple((due[j], answer.halves[i]) for j, i in sorted(answer_of.items())),
        missed=tuple(half for j, half in enumerate(due) if j not in answer_of),
        false=tuple(
            said
            for said in rest
            if not any(said.distance_px(half) < half.short_side_px / 2 for half in excused)
        ),
    )


def score(truth: Reading, answer: Reading) -> dict[str, Share]:
    """Every measure of one picture."""
    matched = match(truth, answer)
    found, false = len(matched.found), len(matched.false)
    return {
        "recall": Share(found, found + len(matched.missed)),
        "precision": Share(found, found + false),
        "reading": _of_pairs(matched, slice(0, 2)),
        "colour": _of_pairs(matched, slice(0, 1)),
        "face": _of_pairs(matched, slice(1, 2)),
        "ends": _ends(truth.line, answer.line),
        "line": _line(truth.line, answer.line, hidden_count=False),
        "line, roughly": _line(truth.line, answer.line, hidden_count=True),
        "empty": Share(int(not false), 1) if truth.is_empty else Share(0, 0),
    }


def _of_pairs(matched: Match, part: slice) -> Share:
    right = sum(t.label[part] == a.label[part] for t, a in matched.found)
    return Share(right, len(matched.found))


def _ends(truth: SeenLine | None, answer: SeenLine | None) -> Share:
    if truth is None or min(truth.visible[0], truth.visible[-1]) < ENOUGH_SEEN:
        return Share(0, 0)
    return Share(int(answer is not None and sorted(answer.ends) == sorted(truth.ends)), 1)


def _line(truth: SeenLine | None, answer: SeenLine | None, *, hidden_count: bool) -> Share:
    """The whole sequence; with `hidden_count`, lines of which part is hidden count too."""
    if truth is None:
        return Share(0, 0)
    hidden = [visible < ENOUGH_SEEN for visible in truth.visible]
    if any(hidden) and not hidden_count:
        return Share(0, 0)
    said = () if answer is None else answer.labels
    right = _same(said, truth.labels, hidden) or _same(said[::-1], truth.labels, hidden)
    return Share(int(right), 1)


def _same(said: Sequence[str], true: Sequence[str], hidden: Sequence[bool]) -> bool:
    return len(said) == len(true) and all(
        free or a == t for a, t, free in zip(said, true, hidden, strict=True)
    )
