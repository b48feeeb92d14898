"""Which way the faces of a deck stand, and what that says of faces that look alike on their heads.

A 9 without its mark is a 6 on its head, and a small mark drowns in noise. But a deck is printed
one way: the faces' tops point to the card's short edges (outward), to its middle (inward), or
on both halves the same way. The faces that have a clear top tell which of these it is, and that
tells how the others stand.

Which way along the line a half's own card goes on follows from how a line grows: the cards to
the one side of the first card go on to that side, those to the other side to the other; only
the two ends go on inward. So for each place of the first card and each habit there is one
picture of how all faces would stand, and they are weighed by how well they fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.facts import Half
from vision.line import Line, LooseCard, axes, centres_mm
from vision.line_steps import Step

Floats = NDArray[np.float64]

_HABITS = {"outward": 0.4, "inward": 0.25, "same": 0.35}
"""How likely each is before anything was seen."""
_SLIP = 0.03
"""Probability that a half stands otherwise than its deck's habit and the line's growth say: a
card that was put in between, a half of another deck, a step missed."""
_MOST_AGAINST = 6.0
"""Log-odds that the cards before may speak against a habit, at most: some of another deck, or
misread ones, must be outweighed by the next."""
_ALONG = 0.7
"""Cosine from which a step of the line runs along a card's axis."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """One picture of how a group's faces stand."""

    fit: float
    """Likelihood of the readings."""
    upright: Floats
    """(n,) probability that each half's top points against its axis, its own reading aside."""
    without: Floats
    """(n,) the fit without each half's own reading."""


class Habits:
    """How a deck's faces stand, as far as the cards tell that came in the course of a game.

    A card counts once, as it was read when it came: a habit that was concluded must not speak for
    itself.
    """

    def __init__(self) -> None:
        self._log = dict.fromkeys(_HABITS, 0.0)

    def note(self, card: Sequence[Half]) -> None:
        """Take in a card's two halves."""
        for habit in self._log:
            (alone,) = _weigh(card, habit)
            self._log[habit] += float(np.log(alone.fit))
        most = max(self._log.values())
        self._log = {h: max(value - most, -_MOST_AGAINST) for h, value in self._log.items()}

    def likely(self) -> dict[str, float]:
        """What is to be expected of each habit, not normalised."""
        return {h: usual * float(np.exp(self._log[h])) for h, usual in _HABITS.items()}


def settled(groups: Sequence[Sequence[Half]], habits: Habits | None = None) -> list[list[Half]]:
    """The same halves, their guesses at faces sharpened by how the deck's faces stand.

    Each group is a line in its order, or a card's two halves; ``habits`` is what the cards before
    told. Halves without `Half.upright_p`, and all halves where nothing clear is seen, come back
    as they are.
    """
    expected = Habits().likely() if habits is None else habits.likely()
    weighed = {habit: [_weigh(group, habit) for group in groups] for habit in _HABITS}
    fits = {
        habit: [sum(w.fit for w in pictures) / len(pictures) for pictures in of_habit]
        for habit, of_habit in weighed.items()
    }
    answer: list[list[Half]] = []
    for g, group in enumerate(groups):
        upright = np.zeros(len(group))
        total = np.zeros(len(group))
        for habit, prior in expected.items():
            elsewhere = float(np.prod([fit for k, fit in enumerate(fits[habit]) if k != g]))
            pictures = weighed[habit][g]
            for picture in pictures:
                weight = prior * elsewhere * picture.without / len(pictures)
                upright += weight * picture.upright
                total += weight
        sure = np.divide(upright, total, out=np.full(len(group), 0.5), where=total > 0)
        answer.append([_with(half, float(p)) for half, p in zip(group, sure, strict=True)])
    return answer


def _with(half: Half, upright: float) -> Half:
    """A half whose top, as is known from elsewhere, points against its axis."""
    if not half.upright_p:
        return half
    face, up = np.array(half.face_p), np.array(half.upright_p)
    one_way, other_way = face * up * upright, face * (1 - up) * (1 - upright)
    both = one_way + other_way
    if not both.sum() > 0:
        return half
    stands = np.divide(one_way, both, out=np.full(len(both), 0.5), where=both > 0)
    return replace(
        half,
        face_p=tuple(float(p) for p in both / both.sum()),
        upright_p=tuple(float(p) for p in stands),
    )


def _weigh(group: Sequence[Half], habit: str) -> list[_Weighed]:
    """Every way in which a group may have grown, under one habit."""
    n = len(group)
    upright = np.array([_upright(half) for half in group])
    if n < 2:
        return [_Weighed(1.0, np.full(n, 0.5), np.ones(n))]
    halves = list(group)
    where, axis = centres_mm(halves), axes(halves)
    steps = np.diff(where, axis=0)
    steps = steps / np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-6)[:, None]
    onward = np.append((steps * axis[:-1]).sum(axis=1), np.nan)
    back = np.insert(-(steps * axis[1:]).sum(axis=1), 0, np.nan)
    # The last half before `first` goes back, the first from there on goes onward.
    pictures: list[_Weighed] = []
    for first in range(1, n) if n > 2 else (1,):
        goes_on = np.arange(n) >= first
        goes_on[0], goes_on[-1] = True, False
        towards = np.where(goes_on, onward, back)
        if habit == "same":
            prior = _one_way(upright, goes_on, axis)
        else:
            tops = -towards if habit == "outward" else towards
            # The top points against the axis where the way it points has a negative cosine.
            prior = np.where(np.abs(tops) < _ALONG, 0.5, np.where(tops < 0, 1 - _SLIP, _SLIP))
        own = prior * upright + (1 - prior) * (1 - upright)
        fit = float(np.prod(own))
        pictures.append(_Weighed(fit, prior, fit / own))
    return pictures


def _one_way(upright: Floats, goes_on: NDArray[np.bool_], axis: Floats) -> Floats:
    """How halves stand whose card's other half shows too, where both stand the same way."""
    n = len(upright)
    prior = np.full(n, 0.5)
    pairs = [(0, 1)] if n == 2 or not goes_on[1] else []
    if n > 2 and goes_on[n - 2]:
        pairs.append((n - 2, n - 1))
    for a, b in pairs:
        alike = float(axis[a] @ axis[b]) > 0
        for one, other in ((a, b), (b, a)):
            p = upright[other] if alike else 1 - upright[other]
            prior[one] = _SLIP + (1 - 2 * _SLIP) * p
    return prior


def _upright(half: Half) -> float:
    """Probability by the half's own reading that its top points against its axis."""
    if not half.upright_p:
        return 0.5
    own = float(np.dot(half.face_p, half.upright_p))
    return min(max(own, _SLIP), 1 - _SLIP)


def settled_line(line: Line, habits: Habits | None = None) -> Line:
    """A line and the cards beside it, read again by how all their faces stand, and those of the
    cards before."""
    groups = [[place.half for place in line.places], *(card.halves for card in line.loose)]
    first, *others = settled(groups, habits)
    return replace(
        line,
        places=tuple(
            replace(place, half=half) for place, half in zip(line.places, first, strict=True)
        ),
        loose=tuple(LooseCard((a, b)) for a, b in others),
    )


def settled_picture(halves: Sequence[Half], line: Line | None) -> tuple[list[Half], Line | None]:
    """All halves of a picture and its line, which was put together from them, likewise."""
    if line is None:
        return list(halves), None
    better = settled_line(line)
    now = _renewed(line, better)
    return [now.get(id(half), half) for half in halves], better


def settled_step(step: Step, habits: Habits | None = None) -> Step:
    """What a reading says of the line, its new halves read again by how all faces stand.

    This is for telling; whoever follows the line should remember the step as it was, or a
    mistaken habit would feed itself.
    """
    better = settled_line(step.line, habits)
    now = _renewed(step.line, better)
    laid = tuple(
        replace(
            one,
            covering=now.get(id(one.covering), one.covering),
            free=now.get(id(one.free), one.free),
        )
        for one in step.laid
    )
    appeared = tuple(
        LooseCard((now.get(id(card.halves[0]), card.halves[0]),
                   now.get(id(card.halves[1]), card.halves[1])))
        for card in step.appeared
    )  # fmt: skip
    return replace(step, line=better, laid=laid, appeared=appeared)


def _renewed(before: Line, after: Line) -> dict[int, Half]:
    """By the identity of each half of a line and the cards beside it, the half that it became."""
    one, other = _halves(before), _halves(after)
    return {id(was): half for was, half in zip(one, other, strict=True)}


def _halves(line: Line) -> list[Half]:
    halves = [place.half for place in line.places]
    return halves + [half for card in line.loose for half in card.halves]
