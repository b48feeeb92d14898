"""Follow the line from reading to reading: what changed physically, and what lies below.

`follow` compares the remembered line with the halves of a new reading and says which cards
were laid and taken, at an end or elsewhere. It knows how cards lie on each other, not which
play is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chain import card_misfit, loose_cards
from vision.facts import Half
from vision.line import HALF_MM, Line, LooseCard, Place, centres_mm, is_unread, unread_half
from vision.line_match import AGREES, CONTRADICTS, PLACE_MM, Match, agreement, match

Region = NDArray[np.float64]
"""A polygon on the table in millimetres, shape (n, 2)."""

MOVED_MM = 6.0
"""A line that moved less than this was not moved."""
ON_TOP_MM = 24.0
"""A half nearer than this to a place lies on it."""
HIDDEN_MARGIN_MM = 20.0
"""A half is called hidden if something covers it to within this of its centre."""
CARD_MISFIT = 5.0
"""Most misfit at which two halves are taken for one card."""
READING_FLOOR = 0.02
"""No single reading makes another reading less likely than this."""
MEMORY_FLOOR = 1e-4
"""However often it was read: a memory that the table contradicts must be able to yield."""


class Change(StrEnum):
    """What happened to the line between two readings."""

    NOTHING = "nothing"
    MOVED = "moved"
    """Nudged, bent or shoved; no card came or went."""
    ADDED = "added"
    """One or several cards came, at an end or elsewhere: `Step.laid`."""
    REMOVED = "removed"
    """One or several cards went: `Step.taken`."""
    REPLACED = "replaced"
    """Cards went and others came since the last reading."""
    CANNOT_TELL = "cannot tell"
    """Something changed that this reading does not show well enough; look again."""
    OUT_OF_SYNC = "out of sync"
    """The table does not fit the remembered line; nothing is said of it."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that came onto the line."""

    end: int | None
    """0 or 1: the end that it was laid on; None: it lies elsewhere on the line."""
    place: int
    """The place of the line *before* that its covering half lies on."""
    covered: Half
    """What lay on top there, as remembered."""
    covering: Half
    """The half of the new card that lies on `covered`; unread where it was not seen."""
    free: Half
    """The other half of the new card; unread where a further card already covers it."""
    confidence: float
    """How often such a card was laid just so (its readings aside)."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A card that was the last one at an end and is gone."""

    end: int
    covering: Half
    free: Half
    """Its halves as remembered; `covering` lay on the half that is the end now."""
    confidence: float


@dataclass(frozen=True, slots=True)
class Step:
    """What a new reading says of the line."""

    change: Change
    line: Line
    """The line now. Where the change cannot be told: the line before, its places marked as
    seen or not."""
    laid: tuple[Laid, ...] = ()
    """Cards that came, at each end in the order in which they lie."""
    taken: tuple[Taken, ...] = ()
    appeared: tuple[LooseCard, ...] = ()
    """Face-up cards beside the line that were not there before."""
    moved_mm: float = 0.0
    """Median distance by which the line's places moved."""
    reason: str = ""
    """Why it cannot be told, for people."""


def follow(line: Line, halves: Sequence[Half], *, hidden_mm: Sequence[Region] = ()) -> Step:
    """What changed since ``line``, given all face-up ``halves`` of a new reading.

    ``hidden_mm`` are the parts of the table that the reading could not see: hands, and what
    lies outside the picture. A half that is missing there may still lie where it lay; one that
    is missing in plain sight may have been taken or just not been found, so that only the half
    that shows below it proves that it was taken.
    """
    found = tuple(sorted(halves, key=lambda h: (h.x_mm, h.y_mm)))
    now = match([place.half for place in line.places], found)
    if not _fits(line, now, hidden_mm):
        unseen = tuple(replace(place, seen=False) for place in line.places)
        reason = "the halves on the table are not those of the remembered line"
        return Step(Change.OUT_OF_SYNC, replace(line, places=unseen), reason=reason)
    return _Follower(line, found, now, hidden_mm).step()


def _fits(line: Line, now: Match, hidden_mm: Sequence[Region]) -> bool:
    """Whether enough of what should be in sight is there and reads as remembered."""
    n = len(line.places)
    agreeing = sum(now.agrees(i) for i in range(n))
    against = sum(now.contradicts(i) for i in range(n))
    in_sight = sum(
        not is_hidden(now.expected[i].x_mm, now.expected[i].y_mm, hidden_mm) for i in range(n)
    )
    if in_sight == 0:
        return True
    # A short line is mostly end: one card may cover all of what was seen of it.
    if n <= 3:
        return any(j is not None for j in now.index) or in_sight < n
    return agreeing >= 0.3 * in_sight and agreeing > against


def is_hidden(x_mm: float, y_mm: float, hidden_mm: Sequence[Region]) -> bool:
    """Whether a half around this point is, at least in part, in a hidden region."""
    return any(
        cv2.pointPolygonTest(np.asarray(region, dtype=np.float32), (x_mm, y_mm), True)
        >= -HIDDEN_MARGIN_MM
        for region in hidden_mm
    )


def fused(before: Half, after: Half) -> Half:
    """One half from the memory of it and a new reading that is taken to be of the same.

    The probabilities are multiplied, the new ones tempered by how much of the half is seen and
    by a floor: readings of one still view share their errors.
    """
    weight = 0.6 * after.seen
    return replace(
        after,
        colour_p=_product(before.colour_p, after.colour_p, weight),
        face_p=_product(before.face_p, after.face_p, weight),
        found=max(before.found, after.found),
    )


def _product(
    before: tuple[float, ...], after: tuple[float, ...], weight: float
) -> tuple[float, ...]:
    evidence = np.maximum(np.array(after), READING_FLOOR) ** weight
    both = np.array(before) * evidence
    both = np.maximum(both / both.sum(), MEMORY_FLOOR)
    return tuple(float(p) for p in both / both.sum())


class _Follower:
    """One comparison; holds what its steps share."""

    def __init__(
        self, line: Line, found: tuple[Half, ...], now: Match, hidden_mm: Sequence[Region]
    ) -> None:
        self.line = line
        self.found = found
        self.now = now
        self.hidden_mm = hidden_mm
        self.where = centres_mm(found)
        self.misfit = card_misfit(found)
        known = [half for card in line.loose for half in card.halves]
        lay_there = {
            j
            for half in known
            for j in self._near(half.x_mm, half.y_mm, PLACE_MM)
            if agreement([half], [found[j]])[0, 0] >= AGREES
        }
        on_line = {j for i, j in enumerate(now.index) if j is not None and not now.contradicts(i)}
        self.fresh = set(range(len(found))) - lay_there - on_line
        """New halves that nothing remembered explains."""

    def _near(self, x_mm: float, y_mm: float, radius_mm: float) -> list[int]:
        if not len(self.where):
            return []
        apart = np.hypot(self.where[:, 0] - x_mm, self.where[:, 1] - y_mm)
        return [int(j) for j in np.argsort(apart) if apart[j] < radius_mm]

    def step(self) -> Step:
        """Taken cards first, then cards laid at both ends, then the rest."""
        places = self._places_now()
        taken: list[Taken] = []
        laid: list[Laid] = []
        shift = 0  # how many places came before the first one
        for end in (0, 1):
            gone = self._taken(places, end)
            if gone is not None:
                taken.append(gone)
                places = _without_last(places, end)
        for end in (0, 1):
            added, places = self._laid_at(places, end)
            laid += added
            shift += len(added) if end == 0 else 0
        elsewhere, places, doubt = self._laid_elsewhere(places, shift, laid)
        laid += elsewhere
        beside = tuple(loose_cards([self.found[j] for j in sorted(self._beside(places))]))
        new_line = replace(self.line, places=tuple(places), loose=beside)
        appeared = tuple(card for card in beside if not self._was_there(card))
        change = _kind(laid, taken, doubt, self.now.moved_mm)
        return Step(change, new_line, tuple(laid), tuple(taken), appeared, self.now.moved_mm, doubt)

    def _places_now(self) -> list[Place]:
        """The remembered places, moved and with what was read of them."""
        places: list[Place] = []
        for i, place in enumerate(self.line.places):
            j = self.now.index[i]
            if j is None or self.now.contradicts(i):
                places.append(replace(place, half=self.now.expected[i], seen=False))
            else:
                places.append(replace(place, half=fused(place.half, self.found[j]), seen=True))
        return places

    def _taken(self, places: list[Place], end: int) -> Taken | None:
        """The last card at an end, if it is gone and what it covered shows again."""
        last, inner = _last_two(len(places), end)
        if len(places) < 3 or not places[inner].covered or places[last].seen:
            return None
        below = places[inner].covered[-1]
        top = places[inner].half
        spot = self.now.expected[inner]
        for j in self._near(spot.x_mm, spot.y_mm, ON_TOP_MM):
            odds = agreement([below, top], [self.found[j]])[:, 0]
            if odds[0] >= AGREES and odds[0] > odds[1] + 2.0:
                gap = float(odds[0] - odds[1])
                return Taken(end, top, places[last].half, _sure(gap))
            if odds[1] >= AGREES:
                return None
        return None

    def _laid_at(self, places: list[Place], end: int) -> tuple[list[Laid], list[Place]]:
        """Cards laid at one end, the innermost first, and the places with them."""
        chain = self._outward(places, end)
        laid: list[Laid] = []
        for covering, free, certain in chain:
            last = 0 if end == 0 else len(places) - 1
            covered = places[last].half
            laid.append(Laid(end, last, covered, covering, free, certain))
            places = list(places)
            below = places[last].covered if is_unread(covered) else (*places[last].covered, covered)
            places[last] = Place(covering, not is_unread(covering), below)
            outer = Place(free, not is_unread(free))
            places = [outer, *places] if end == 0 else [*places, outer]
            self.fresh -= {j for j, h in enumerate(self.found) if h is covering or h is free}
        return laid, places

    def _outward(self, places: list[Place], end: int) -> list[tuple[Half, Half, float]]:
        """(covering, free, confidence) of the cards that go on from an end."""
        last, inner = _last_two(len(places), end)
        spot = places[last].half
        away = np.array([spot.x_mm, spot.y_mm]) - np.array(
            [places[inner].half.x_mm, places[inner].half.y_mm]
        )
        best: tuple[float, int, int] | None = None
        for j in self._near(spot.x_mm, spot.y_mm, ON_TOP_MM):
            for k in self.fresh:
                step = self.where[k] - self.where[j]
                if k == j or self.misfit[j, k] > CARD_MISFIT:
                    continue
                if float(step @ away) < -0.3 * HALF_MM * float(np.hypot(*away)):
                    continue  # back over the line
                # What lies at the end now is rather a half that was not there.
                cost = float(self.misfit[j, k]) + (0.0 if j in self.fresh else 1.5)
                if best is None or cost < best[0]:
                    best = (cost, j, k)
        if best is None:
            return self._outward_unseen(places, end, away)
        cost, j, k = best
        further = self._further(j, k)
        if further is None:
            return [(self.found[j], self.found[k], _sure(6.0 - cost))]
        x, y = self.where[k]
        hidden_free = unread_half(float(x), float(y), self.found[j].axis_deg)
        certain = _sure(4.0 - cost)
        return [
            (self.found[j], hidden_free, certain),
            (self.found[k], self.found[further], certain),
        ]

    def _further(self, j: int, k: int) -> int | None:
        """A half beyond ``k`` that makes one card with it better than ``j`` does."""
        step = self.where[k] - self.where[j]
        for m in sorted(self.fresh - {j, k}, key=lambda m: float(self.misfit[k, m])):
            if self.misfit[k, m] > CARD_MISFIT:
                return None
            on = self.where[m] - self.where[k]
            if float(on @ step) > -0.3 * HALF_MM**2:
                return m
        return None

    def _outward_unseen(
        self, places: list[Place], end: int, away: NDArray[np.float64]
    ) -> list[tuple[Half, Half, float]]:
        """A card of which only the free half was found: a hand is on its covering half."""
        last = 0 if end == 0 else len(places) - 1
        spot = places[last].half
        if self._near(spot.x_mm, spot.y_mm, ON_TOP_MM) or not is_hidden(
            spot.x_mm, spot.y_mm, self.hidden_mm
        ):
            return []
        centre = np.array([spot.x_mm, spot.y_mm])
        for k in sorted(self.fresh):
            step = self.where[k] - centre
            length = float(np.hypot(*step))
            axis = np.radians(self.found[k].axis_deg)
            side = abs(float(step[0] * np.sin(axis) - step[1] * np.cos(axis)))
            outward = float(step @ away) > -0.3 * HALF_MM * float(np.hypot(*away))
            if abs(length - HALF_MM) < 12.0 and side < 12.0 and outward:
                covering = unread_half(spot.x_mm, spot.y_mm, self.found[k].axis_deg)
                return [(covering, self.found[k], 0.8)]
        return []

    def _laid_elsewhere(
        self, places: list[Place], shift: int, laid: list[Laid]
    ) -> tuple[list[Laid], list[Place], str]:
        """Cards that cover a place which is no end, and what remains unexplained."""
        n = len(self.line.places)
        explained = {one.place for one in laid}
        against = [i for i in range(n) if self.now.contradicts(i)]
        elsewhere: list[Laid] = []
        doubts: list[int] = []
        for i in against:
            at = i + shift
            j = self.now.index[i]
            if j is None or j not in self.fresh or at >= len(places) or i in explained:
                continue
            partner = min(
                (k for k in self.fresh - {j} if self.misfit[j, k] < CARD_MISFIT),
                key=lambda k: float(self.misfit[j, k]),
                default=None,
            )
            if partner is None:
                doubts.append(i)
                continue
            covering, free = self.found[j], self.found[partner]
            covered = places[at].half
            elsewhere.append(
                Laid(None, i, covered, covering, free, _sure(5.0 - self.misfit[j, partner]))
            )
            places = list(places)
            places[at] = Place(covering, True, (*places[at].covered, covered))
            self.fresh -= {j, partner}
        doubt = ""
        if doubts:
            names = ", ".join(str(i) for i in doubts)
            doubt = f"another half than remembered is read at place {names} of the line"
        return elsewhere, places, doubt

    def _beside(self, places: list[Place]) -> set[int]:
        """New halves that lie on no place of the line."""
        on_line = {
            j for place in places for j in self._near(place.half.x_mm, place.half.y_mm, ON_TOP_MM)
        }
        return set(range(len(self.found))) - on_line

    def _was_there(self, card: LooseCard) -> bool:
        return any(
            np.hypot(card.x_mm - other.x_mm, card.y_mm - other.y_mm) < NUDGED_CARD_MM
            and agreement(card.halves, other.halves).max(axis=1).min() > CONTRADICTS
            for other in self.line.loose
        )


NUDGED_CARD_MM = 30.0
"""How far a loose card may have slid to be the same card still."""


def _last_two(count: int, end: int) -> tuple[int, int]:
    return (0, 1) if end == 0 else (count - 1, count - 2)


def _without_last(places: list[Place], end: int) -> list[Place]:
    """The places once the last card at an end was lifted."""
    last, inner = _last_two(len(places), end)
    shown = replace(
        places[inner], half=places[inner].covered[-1], covered=places[inner].covered[:-1]
    )
    kept = [shown if i == inner else place for i, place in enumerate(places)]
    del kept[last]
    return kept


def _sure(log_odds: float) -> float:
    return float(1.0 / (1.0 + np.exp(-log_odds)))


def _kind(laid: list[Laid], taken: list[Taken], doubt: str, moved_mm: float) -> Change:
    if laid and taken:
        return Change.REPLACED
    if laid:
        return Change.ADDED
    if taken:
        return Change.REMOVED
    if doubt:
        return Change.CANNOT_TELL
    return Change.MOVED if moved_mm > MOVED_MM else Change.NOTHING
