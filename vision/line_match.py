"""Which half of a new reading is which place of the remembered line, however it was moved.

Hands nudge single cards, bend the line at the table's edge and shove all of it. So the line is
matched piece by piece: what lies where it lay first, then pieces that moved as one (found by
neighbours that read the same), then single halves near their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.facts import Half
from vision.line import HALF_MM, centres_mm
from vision.same_half import AGREES, CONTRADICTS, agreement

Floats = NDArray[np.float64]

PLACE_MM = 15.0
"""A half nearer than this to a remembered place lies on it."""
NUDGE_MM = 40.0
"""How far a single half is looked for from its place."""
MISSING_COST = 2.0
"""Log-odds that a place is found where a motion carries it; hands and misses are rarer."""
SHORT_LINE = 3
"""Places of a line so short that cards laid on its ends may leave only one of them to be seen."""
STAYED_BONUS = 4.0
"""Log-odds in favour of a line that nobody moved."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A rigid motion on the table: a turn about the origin, then a shift."""

    turn_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    def apply(self, points_mm: Floats) -> Floats:
        """Where points come to lie, shape (n, 2)."""
        angle = np.radians(self.turn_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        x, y = points_mm[:, 0], points_mm[:, 1]
        return np.column_stack(
            [cos * x - sin * y + self.shift_mm[0], sin * x + cos * y + self.shift_mm[1]]
        )

    @staticmethod
    def between(before_mm: Floats, after_mm: Floats) -> Motion:
        """The motion that carries the first points onto the second best (least squares)."""
        a, b = before_mm.mean(axis=0), after_mm.mean(axis=0)
        p, q = before_mm - a, after_mm - b
        sin = float((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum())
        cos = float((p * q).sum())
        turn = float(np.degrees(np.arctan2(sin, cos)))
        x, y = b - Motion(turn).apply(a[None])[0]
        return Motion(turn, (float(x), float(y)))


@dataclass(frozen=True, slots=True)
class Match:
    """The remembered places in the light of a new reading."""

    index: tuple[int | None, ...]
    """For each place the half of the new reading that lies there, or None."""
    expected: tuple[Half, ...]
    """For each place its remembered half, where it must lie now."""
    agreement: Floats
    """Log-odds that place i and new half j show the same, shape (places, halves)."""
    moved_mm: float
    """Largest distance that a matched place moved."""

    def agrees(self, place: int) -> bool:
        """Whether the place was found and reads as before."""
        j = self.index[place]
        return j is not None and bool(self.agreement[place, j] >= AGREES)

    def contradicts(self, place: int) -> bool:
        """Whether something else is read where the place must be."""
        j = self.index[place]
        return j is not None and bool(self.agreement[place, j] <= CONTRADICTS)


def match(places: Sequence[Half], halves: Sequence[Half]) -> Match:
    """Find the remembered halves ``places`` (in the line's order) among ``halves``."""
    before, after = centres_mm(tuple(places)), centres_mm(tuple(halves))
    agree = agreement(places, halves)
    index: list[int | None] = [None] * len(places)
    motions: list[Motion | None] = [None] * len(places)
    left = set(range(len(places)))
    free = set(range(len(halves)))
    stayed = _assign(Motion(), before, after, agree, left, free)
    for round_ in range(5):
        pairs, motion = stayed, Motion()
        score = _worth(stayed, agree, left) + STAYED_BONUS if round_ == 0 else 4.0
        # Votes are dear; a line that nobody moved needs none.
        alike = sum(agree[i, j] >= AGREES for i, j in stayed)
        still = round_ == 0 and alike >= 0.7 * len(left)
        votes = [] if still else _votes(before, after, agree, left, free)
        if not still and round_ == 0 and len(places) <= SHORT_LINE:
            votes += _single_votes(places, halves, agree)
        for candidate in votes:
            found = _assign(candidate, before, after, agree, left, free)
            worth = _worth(found, agree, left if round_ == 0 else set())
            if worth > score:
                score, pairs, motion = worth, found, candidate
        if round_ > 0 and pairs is stayed:
            break
        for i, j in pairs:
            # A place that reads otherwise may have moved as a part of another piece.
            if agree[i, j] > CONTRADICTS or round_ == 0:
                index[i], motions[i] = j, motion
        settled = [(i, j) for i, j in pairs if agree[i, j] > CONTRADICTS]
        left -= {i for i, _ in settled}
        free -= {j for _, j in settled}
        stayed = []
    _drop_rivals(index, agree)
    motions = [m if index[i] is not None else None for i, m in enumerate(motions)]
    expected = _expected(places, before, motions)
    _nudged(index, expected, after, agree)
    found_places = [i for i, j in enumerate(index) if j is not None]
    gone = [float(np.hypot(*(after[_at(index, i)] - before[i]))) for i in found_places]
    return Match(tuple(index), tuple(expected), agree, max(gone, default=0.0))


def _at(index: list[int | None], place: int) -> int:
    j = index[place]
    assert j is not None
    return j


def _assign(
    motion: Motion, before: Floats, after: Floats, agree: Floats, left: set[int], free: set[int]
) -> list[tuple[int, int]]:
    """Pairs of a place and a new half that lies on it, each used once."""
    if not left or not free:
        return []
    rows, cols = sorted(left), sorted(free)
    apart = np.hypot(*(after[cols][None] - motion.apply(before[rows])[:, None]).transpose(2, 0, 1))
    value = 1.5 * agree[np.ix_(rows, cols)] - apart
    near = np.argwhere(apart < PLACE_MM)
    pairs: list[tuple[int, int]] = []
    used_rows: set[int] = set()
    used_cols: set[int] = set()
    for r, c in sorted(near.tolist(), key=lambda rc: -value[rc[0], rc[1]]):
        if r not in used_rows and c not in used_cols:
            used_rows.add(r)
            used_cols.add(c)
            pairs.append((rows[r], cols[c]))
    return pairs


def _worth(pairs: list[tuple[int, int]], agree: Floats, places: set[int]) -> float:
    """How well a motion explains the new reading, given the places that it should explain."""
    missing = len(places) - len(pairs) if places else 0
    return float(sum(max(agree[i, j], -3.0) + 0.5 for i, j in pairs)) - MISSING_COST * missing


def _single_votes(places: Sequence[Half], halves: Sequence[Half], agree: Floats) -> list[Motion]:
    """Motions that carry one place onto one half that reads the same: of a line of two cards
    that was shoved and then covered, no two neighbours are left."""
    motions: list[Motion] = []
    for i, j in np.argwhere(agree >= AGREES).tolist():
        turn = (halves[j].axis_deg - places[i].axis_deg + 90.0) % 180.0 - 90.0
        at = Motion(turn).apply(np.array([[places[i].x_mm, places[i].y_mm]]))[0]
        motions.append(Motion(turn, (halves[j].x_mm - float(at[0]), halves[j].y_mm - float(at[1]))))
    return motions


def _votes(
    before: Floats, after: Floats, agree: Floats, left: set[int], free: set[int]
) -> list[Motion]:
    """Motions that carry two neighbouring places onto two halves that read the same."""
    motions: list[Motion] = []
    alike = {i: [j for j in free if agree[i, j] >= AGREES] for i in left}
    for i in sorted(left):
        for k in (i + 1, i + 2):
            if k not in left:
                continue
            length = float(np.hypot(*(before[k] - before[i])))
            if length < HALF_MM / 2:
                continue
            motions += [
                Motion.between(before[[i, k]], after[[a, b]])
                for a in alike[i]
                for b in alike[k]
                if a != b and abs(float(np.hypot(*(after[b] - after[a]))) - length) < 8.0
            ]
    return motions


def _drop_rivals(index: list[int | None], agree: Floats) -> None:
    """Where two places claim one half, leave it to the one that reads more alike."""
    holder: dict[int, int] = {}
    for i, j in enumerate(index):
        if j is None:
            continue
        rival = holder.get(j)
        if rival is None or agree[i, j] > agree[rival, j]:
            if rival is not None:
                index[rival] = None
            holder[j] = i
        else:
            index[i] = None


def _expected(places: Sequence[Half], before: Floats, motions: list[Motion | None]) -> list[Half]:
    """Each remembered half as its piece, or the nearest piece of the line, has moved it."""
    known = [i for i, m in enumerate(motions) if m is not None]
    halves: list[Half] = []
    for i, half in enumerate(places):
        nearest = min(known, key=lambda k: abs(k - i), default=None)
        motion = Motion() if nearest is None else motions[nearest] or Motion()
        x, y = motion.apply(before[i : i + 1])[0]
        halves.append(half.moved(float(x), float(y), half.axis_deg + motion.turn_deg))
    return halves


def _nudged(index: list[int | None], expected: list[Half], after: Floats, agree: Floats) -> None:
    """Find single places that moved by themselves, reading as before."""
    free = set(range(len(after))) - {j for j in index if j is not None}
    for i, j in enumerate(index):
        if j is not None:
            continue
        spot = np.array([expected[i].x_mm, expected[i].y_mm])
        near = [
            k
            for k in free
            if agree[i, k] >= AGREES and float(np.hypot(*(after[k] - spot))) < NUDGE_MM
        ]
        if near:
            index[i] = min(near, key=lambda k: float(np.hypot(*(after[k] - spot))))
            free.discard(_at(index, i))
