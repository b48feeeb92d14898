"""What happened at an end of the line: the story that explains best what lies there now.

A story says how many cards were taken from an end and which halves of the new reading are the
cards that were laid there since. Each is weighed by how well it accounts for what is in sight:
halves that should be seen and are, that read and lie as they should, and none left over. How
far the best is ahead of any other that tells something else is how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import hypot
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chain import card_misfit, link_scores
from vision.facts import Half
from vision.line import HALF_MM, Place, centres_mm, is_unread, unread_half
from vision.same_half import AGREES, CONTRADICTS, agreement

Region = NDArray[np.float64]
"""A polygon on the table in millimetres, shape (n, 2)."""

ON_TOP_MM: Final = 24.0
"""A half nearer than this to a place lies on it."""
HIDDEN_MARGIN_MM: Final = 20.0
"""A half is called hidden if something covers it to within this of its centre."""
CARD_MISFIT: Final = 5.0
"""Most misfit at which two halves are taken for one card."""
BACKWARDS: Final = -0.7
"""Cosine of the angle from which on a card leads back over the line."""

# Log-odds of what a story asks to believe.
_TAKE_COST: Final = 2.5
_LAY_COST: Final = 1.5
_SECOND_COST: Final = 3.0
"""A second card at the same end between two looks."""
_MISSING_COST: Final = 4.0
"""A half in plain sight that the reading lacks."""
_LEFT_OVER_COST: Final = 7.0
"""A half beside the end that no card accounts for."""
_PEEKING_COST: Final = 1.5
"""A covered half that still shows."""
_UNSEEN_COST: Final = 0.5
_UNPROVEN_COST: Final = 3.0
"""A card taken where nobody sees what it bared."""
_UNREADABLE_COST: Final = 1.0
_LENGTHWISE: Final = 0.8
"""Cosine to the line from which on it is clear to which side a card's free half lies."""
_READ_SURELY: Final = 0.9
_LOOSE_COST: Final = 1.0
_OTHERWISE: Final = -4.0
_ALIKE: Final = 2.0
"""Least and most that the reading of one half counts."""
_LIES_MM: Final = 4.0
_LIES_DEG: Final = 5.0
_ASTRAY: Final = 1.0
"""Most that the lie of one half counts, each for its place and its turn."""
_DEPTH: Final = 4
"""How many places from the end are looked at."""
_BESIDE_MM: Final = 1.3 * HALF_MM


Card = tuple[Half, Half]
"""The covering half and the free half of a card that was laid."""


class Scene:
    """A new reading, as stories about the line look at it."""

    def __init__(
        self, found: tuple[Half, ...], hidden_mm: Sequence[Region], *, insists: bool = False
    ) -> None:
        self.found = found
        self.hidden_mm = hidden_mm
        self.insists = insists
        """Whether this is the last look: what could not be read by now will not be."""
        self.where = centres_mm(found)
        self._spots = self.where.tolist()
        self.misfit = card_misfit(found)
        """Of each pair as the two halves of one card, shape (n, n)."""
        self.links = link_scores(found)
        """Log-odds of each pair as neighbours of the line, shape (n, n)."""

    def near(self, half: Half, radius_mm: float) -> list[int]:
        """Halves within a radius, the nearest first."""
        # Asked thousands of times of a few halves: plain numbers are ten times as fast as arrays.
        apart = [hypot(x - half.x_mm, y - half.y_mm) for x, y in self._spots]
        within = [j for j, away in enumerate(apart) if away < radius_mm]
        return sorted(within, key=apart.__getitem__)

    def hides(self, half: Half, reach_mm: float = HIDDEN_MARGIN_MM) -> bool:
        """Whether a half is, at least in part, where the reading could not see."""
        return is_hidden(half.x_mm, half.y_mm, self.hidden_mm, reach_mm)


def is_hidden(
    x_mm: float, y_mm: float, hidden_mm: Sequence[Region], reach_mm: float = HIDDEN_MARGIN_MM
) -> bool:
    """Whether a point lies in a hidden region, or nearer to one than ``reach_mm``."""
    return any(
        cv2.pointPolygonTest(np.asarray(region, dtype=np.float32), (x_mm, y_mm), True) >= -reach_mm
        for region in hidden_mm
    )


@dataclass(frozen=True, slots=True)
class Story:
    """What may have happened at an end."""

    takes: int
    """Cards that were taken first, the outermost first."""
    laid: tuple[Card, ...]
    """Covering and free half of the cards that were laid then, the innermost first."""
    used: frozenset[int]
    """The halves of the reading that these cards are."""
    score: float
    left_over: bool
    """Whether half a card lies there that nothing accounts for."""
    missing: bool
    """Whether the outermost half should be in sight and is not."""

    @property
    def outcome(self) -> tuple[int, tuple[int, ...]]:
        """What it tells: stories of one outcome differ in nothing that matters."""
        return self.takes, tuple(sorted(self.used))


def best_story(
    scene: Scene, places: Sequence[Place], fresh: frozenset[int], own: frozenset[int]
) -> tuple[Story, float, float]:
    """The best story of an end, how far it is ahead of the next one, and of 'nothing happened'.

    ``places`` lead from the end inwards, where they must lie now; ``fresh`` are the halves of
    the reading that nothing known explains, ``own`` these and those found on the places.
    """
    stories = sorted(_stories(scene, places, fresh, own), key=lambda story: -story.score)
    best = stories[0]
    others = [story.score for story in stories if story.outcome != best.outcome]
    nothing = max(s.score for s in stories if not s.takes and not s.laid)
    return best, best.score - max(others, default=best.score - 9.0), best.score - nothing


def _stories(
    scene: Scene, places: Sequence[Place], fresh: frozenset[int], own: frozenset[int]
) -> Iterator[Story]:
    for takes in range(3):
        left = after_takes(places, takes)
        if left is None:
            return
        for laid, used, cost in _layings(scene, left, fresh):
            yield _Telling(scene, places, left, takes, laid, used, own).weighed(cost)


def after_takes(places: Sequence[Place], takes: int) -> list[Place] | None:
    """The places once so many cards are gone from the end; None where that cannot be."""
    left = list(places)
    for _ in range(takes):
        if len(left) < 3:
            return None
        gone, inner = left[0], left[1]
        if not inner.covered and len(left) < 4:
            return None  # the line's first card: it covers nothing
        below = inner.covered[-1] if inner.covered else _unknown(inner.half)
        del gone
        left = [Place(below, False, inner.covered[:-1]), *left[2:]]
    return left


def _unknown(above: Half) -> Half:
    return unread_half(above.x_mm, above.y_mm, above.axis_deg)


def _layings(
    scene: Scene, left: list[Place], fresh: frozenset[int]
) -> Iterator[tuple[tuple[Card, ...], frozenset[int], float]]:
    """Ways in which no, one or two new cards may lie on the end: cards, halves used, cost."""
    yield (), frozenset(), 0.0
    spot, away = left[0].half, step_mm(left[1].half, left[0].half)
    found, where = scene.found, scene.where
    on_top = scene.near(spot, ON_TOP_MM)
    for j, k in product(on_top, sorted(fresh)):
        if j == k or _cosine(where[k] - where[j], away) < BACKWARDS:
            continue
        # What lies at the end now is rather a half that was not there.
        known = 0.0 if j in fresh else 0.5
        if scene.misfit[j, k] <= CARD_MISFIT:
            cost = _LAY_COST + float(scene.misfit[j, k]) + known
            yield ((found[j], found[k]),), frozenset({j, k}), cost
        if scene.links[j, k] <= 0:
            continue
        onward = where[k] - where[j]
        for m in sorted(fresh - {j, k}):
            fits = float(scene.misfit[k, m])
            if fits > CARD_MISFIT or _cosine(where[m] - where[k], onward) < BACKWARDS:
                continue
            x, y = where[k]
            below = unread_half(float(x), float(y), found[j].axis_deg)
            link = max(0.0, (6.0 - float(scene.links[j, k])) / 2)
            yield (
                ((found[j], below), (found[k], found[m])),
                frozenset({j, k, m}),
                _LAY_COST + _SECOND_COST + fits + link + known,
            )
    if not on_top and scene.hides(spot):
        yield from _half_hidden(scene, spot, away, fresh)
    if scene.insists:
        yield from _free_unread(scene, spot, away, fresh)


def _half_hidden(
    scene: Scene, spot: Half, away: NDArray[np.float64], fresh: frozenset[int]
) -> Iterator[tuple[tuple[Card, ...], frozenset[int], float]]:
    """A card of which only the free half was found: a hand is on its covering half."""
    for k in sorted(fresh):
        free = scene.found[k]
        step = step_mm(spot, free)
        axis = np.radians(free.axis_deg)
        side = abs(float(step[0] * np.sin(axis) - step[1] * np.cos(axis)))
        off = max(abs(float(np.hypot(*step)) - HALF_MM), side)
        if off < 12.0 and _cosine(step, away) > BACKWARDS:
            covering = unread_half(spot.x_mm, spot.y_mm, free.axis_deg)
            cost = _LAY_COST + _UNSEEN_COST + (off / 6.0) ** 2 / 2
            yield ((covering, free),), frozenset({k}), cost


def _free_unread(
    scene: Scene, spot: Half, away: NDArray[np.float64], fresh: frozenset[int]
) -> Iterator[tuple[tuple[Card, ...], frozenset[int], float]]:
    """A card whose free half nobody can make out, in a glare or a shadow."""
    for j in scene.near(spot, ON_TOP_MM):
        covering = scene.found[j]
        angle = np.radians(covering.axis_deg)
        onward = np.array([np.cos(angle), np.sin(angle)])
        ahead = _cosine(onward, away)
        if j not in fresh or abs(ahead) < _LENGTHWISE or covering.confidence < _READ_SURELY:
            continue
        x, y = scene.where[j] + onward * np.sign(ahead) * HALF_MM
        free = unread_half(float(x), float(y), covering.axis_deg)
        if not scene.near(free, ON_TOP_MM):
            yield ((covering, free),), frozenset({j}), _LAY_COST + _UNREADABLE_COST


@dataclass(slots=True)
class _Telling:
    """A story while it is compared with what is in sight."""

    scene: Scene
    places: Sequence[Place]
    """The end as it was, inwards."""
    left: Sequence[Place]
    """The end once cards were taken."""
    takes: int
    laid: tuple[Card, ...]
    used: frozenset[int]
    own: frozenset[int]

    def weighed(self, cost: float) -> Story:
        """The story with its score: what it costs, and how well the rest of the end fits it."""
        worth, seen, missing = self._remaining()
        too_much, left_over = self._left_over(seen)
        score = worth - cost - _TAKE_COST * self.takes - too_much
        return Story(self.takes, self.laid, self.used, score, left_over, missing)

    def _remaining(self) -> tuple[float, set[int], bool]:
        """How well the places that stayed read and lie as they should, the halves that they
        are, and whether the outermost of them is missing."""
        scene, seen = self.scene, set(self.used)
        worth, missing = 0.0, False
        for i, place in enumerate(self.left[: _DEPTH - self.takes]):
            if i == 0 and self.laid:
                continue
            bared = i == 0 and self.takes > 0
            there = [j for j in scene.near(place.half, ON_TOP_MM) if j not in seen]
            if not there:
                if not scene.hides(place.half):
                    worth -= _MISSING_COST
                    missing |= i == 0
                elif bared:
                    worth -= _UNPROVEN_COST
                continue
            likely, j = max((self._likely(place.half, j, bared), j) for j in there)
            worth += likely
            seen.add(j)
        return worth, seen, missing

    def _likely(self, known: Half, j: int, bared: bool) -> float:
        if bared and is_unread(known):
            # Nobody knows what was below; it hardly read as what lay on it.
            above = self.places[self.takes].half
            return -min(max(_likeness(above, self.scene.found[j]) * 2, 0.0), -_OTHERWISE)
        return _likeness(known, self.scene.found[j])

    def _left_over(self, seen: set[int]) -> tuple[float, bool]:
        """What halves cost that the story does not account for, and whether any are."""
        cost, left_over = 0.0, False
        for j in sorted((self._beside() & self.own) - seen):
            if self._peeks(j):
                cost += _PEEKING_COST
                continue
            partners = [k for k in self.own - seen - {j} if self.scene.misfit[j, k] < CARD_MISFIT]
            if any(not self._touching() & {j, k} for k in partners):
                cost += _LOOSE_COST  # a card beside the line
                continue
            cost += _LEFT_OVER_COST
            left_over = True
        return cost, left_over

    def _peeks(self, j: int) -> bool:
        """Whether a half is what a card covers, and still shows."""
        under = [half for place in self.left[:_DEPTH] for half in place.covered[-1:]]
        if self.laid:
            under.append(self.left[0].half)
            under += [free for _, free in self.laid[:-1]]
        return any(
            j in self.scene.near(half, ON_TOP_MM)
            and (is_unread(half) or agreement([half], [self.scene.found[j]])[0, 0] > CONTRADICTS)
            for half in under
        )

    def _tips(self) -> list[Half]:
        """Where the line ends in the story, and where it did before."""
        tips = [self.left[0].half, self.places[0].half]
        return [*tips, self.laid[-1][1]] if self.laid else tips

    def _beside(self) -> set[int]:
        """Halves on the places of the end, as they were, or right beside it."""
        scene = self.scene
        near = {j for tip in self._tips() for j in scene.near(tip, _BESIDE_MM)}
        return near | {j for p in self.places[:3] for j in scene.near(p.half, ON_TOP_MM)}

    def _touching(self) -> set[int]:
        """Halves that lie on the end or go on from there: no card that lies beside."""
        scene = self.scene
        on = {j for p in self.places[:3] for j in scene.near(p.half, ON_TOP_MM)}
        at_tips = {j for tip in self._tips() for j in scene.near(tip, ON_TOP_MM)}
        return on | at_tips | {int(k) for j in at_tips for k in np.flatnonzero(scene.links[j] > 0)}


def _likeness(known: Half, found: Half) -> float:
    """Log-odds that a half is the known one, by what it shows and how it lies."""
    apart = float(np.hypot(found.x_mm - known.x_mm, found.y_mm - known.y_mm))
    turn = (found.axis_deg - known.axis_deg + 90.0) % 180.0 - 90.0
    lies = min((apart / _LIES_MM) ** 2 / 2, _ASTRAY) + min((turn / _LIES_DEG) ** 2 / 2, _ASTRAY)
    if is_unread(known):
        return -min((apart / 10.0) ** 2 / 2, _ASTRAY)
    reads = float(agreement([known], [found])[0, 0])
    return min(max(reads, _OTHERWISE), _ALIKE) - lies


def step_mm(a: Half, b: Half) -> NDArray[np.float64]:
    """The way from one half's centre to another's."""
    return np.array([b.x_mm - a.x_mm, b.y_mm - a.y_mm])


def _cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(a @ b) / max(float(np.hypot(*a) * np.hypot(*b)), 1e-9)


def agrees(one: Half, other: Half) -> bool:
    """Whether two readings are of the same half, most likely."""
    return bool(agreement([one], [other])[0, 0] >= AGREES)
