"""Follow the line from reading to reading: what changed physically, and what lies below.

`follow` compares the remembered line with the halves of a new reading and says which cards
were laid and taken, at an end or elsewhere. It knows how cards lie on each other, not which
play is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chain import card_misfit, loose_cards
from vision.facts import Half
from vision.line import (
    HALF_MM,
    Line,
    LooseCard,
    Place,
    centres_mm,
    is_unread,
    unread_half,
)
from vision.line_match import PLACE_MM, Match, match
from vision.line_steps import Change, Laid, Step, Taken
from vision.same_half import AGREES, CONTRADICTS, agreement, fused, lies_like

Region = NDArray[np.float64]
"""A polygon on the table in millimetres, shape (n, 2)."""

MOVED_MM = 9.0
"""A line none of whose places moved further than this was not moved."""
ON_TOP_MM = 24.0
"""A half nearer than this to a place lies on it."""
HIDDEN_MARGIN_MM = 20.0
"""A half is called hidden if something covers it to within this of its centre."""
CARD_MISFIT = 5.0
"""Most misfit at which two halves are taken for one card."""
BACKWARDS = -0.7
"""Cosine of the angle from which on a card leads back over the line."""
SLID_MM = 30.0
"""How far a loose card may have slid to be the same card still."""


def follow(line: Line, halves: Sequence[Half], *, hidden_mm: Sequence[Region] = ()) -> Step:
    """What changed since ``line``, given all face-up ``halves`` of a new reading.

    ``hidden_mm`` are the parts of the table that the reading could not see: hands, and what
    lies outside the picture. A half that is missing there may still lie where it lay; one that
    is missing in plain sight may have been taken or just not been found, so that the half that
    shows below it decides.
    """
    found = tuple(sorted(halves, key=lambda h: (h.x_mm, h.y_mm)))
    now = match([place.half for place in line.places], found)
    if not _fits(now, hidden_mm):
        unseen = tuple(replace(place, seen=False) for place in line.places)
        reason = "the halves on the table are not those of the remembered line"
        return Step(Change.OUT_OF_SYNC, replace(line, places=unseen), reason=reason)
    return _Follower(line, found, now, hidden_mm).step()


def is_hidden(x_mm: float, y_mm: float, hidden_mm: Sequence[Region]) -> bool:
    """Whether a half around this point is, at least in part, in a hidden region."""
    return any(
        cv2.pointPolygonTest(np.asarray(region, dtype=np.float32), (x_mm, y_mm), True)
        >= -HIDDEN_MARGIN_MM
        for region in hidden_mm
    )


def _fits(now: Match, hidden_mm: Sequence[Region]) -> bool:
    """Whether enough of what should be in sight is there and reads as remembered."""
    n = len(now.index)
    agreeing = sum(now.agrees(i) for i in range(n))
    against = sum(now.contradicts(i) for i in range(n))
    in_sight = sum(not is_hidden(h.x_mm, h.y_mm, hidden_mm) for h in now.expected)
    if n <= 3:
        # A short line is mostly ends: two cards may cover all that was seen of it.
        return any(j is not None for j in now.index) or in_sight < n
    return agreeing >= 0.3 * in_sight and agreeing >= against


class _Follower:
    """One comparison. `places` starts as the remembered line and becomes the new one."""

    def __init__(
        self, line: Line, found: tuple[Half, ...], now: Match, hidden_mm: Sequence[Region]
    ) -> None:
        self.line = line
        self.found = found
        self.now = now
        self.hidden_mm = hidden_mm
        self.where = centres_mm(found)
        self.misfit = card_misfit(found)
        self.places = [
            Place(half, False, _carried(place, half))
            for place, half in zip(line.places, now.expected, strict=True)
        ]
        self.origin: list[int | None] = list(range(len(line.places)))
        """For each of `places` its index in the remembered line; None once a card came or went."""
        self.fresh = self._unexplained()
        self.doubts: list[str] = []

    def _unexplained(self) -> set[int]:
        """New halves that neither the line nor the loose cards of before explain."""
        known = [half for card in self.line.loose for half in card.halves]
        lay_there = {
            j
            for half in known
            for j in self._near(half, PLACE_MM)
            if agreement([half], [self.found[j]])[0, 0] >= AGREES
        }
        on_line = {
            j for i, j in enumerate(self.now.index) if j is not None and not self.now.contradicts(i)
        }
        return set(range(len(self.found))) - lay_there - on_line

    def _near(self, half: Half, radius_mm: float) -> list[int]:
        """New halves within a radius, the nearest first."""
        if not len(self.where):
            return []
        apart = np.hypot(self.where[:, 0] - half.x_mm, self.where[:, 1] - half.y_mm)
        return [int(j) for j in np.argsort(apart) if apart[j] < radius_mm]

    def _hidden(self, half: Half) -> bool:
        return is_hidden(half.x_mm, half.y_mm, self.hidden_mm)

    def step(self) -> Step:
        """Taken cards first, then cards laid at the ends, then elsewhere, then the readings."""
        taken = [t for t in (self._take(end) for end in (0, 1)) if t is not None]
        laid = [card for end in (1, 0) for card in self._lay(end)]
        # Places are counted in the new line, which cards at end 0 have shifted.
        grown = sum(card.end == 0 for card in laid)
        laid = [replace(c, place=c.place + grown) if c.end == 1 else c for c in laid]
        laid += self._lay_elsewhere()
        self._doubt_strays()
        self._reread()
        beside = tuple(loose_cards([self.found[j] for j in sorted(self._beside())]))
        appeared = tuple(card for card in beside if not self._lay_there(card))
        change = Change.NOTHING
        if laid or taken:
            change = Change.REPLACED if laid and taken else Change.ADDED
            change = change if laid else Change.REMOVED
        elif self.doubts:
            change = Change.CANNOT_TELL
        elif self.now.moved_mm > MOVED_MM:
            change = Change.MOVED
        line = replace(self.line, places=tuple(self.places), loose=beside)
        return Step(
            change,
            line,
            tuple(laid),
            tuple(taken),
            appeared,
            self.now.moved_mm,
            "; ".join(self.doubts),
        )

    def _ends(self, end: int) -> tuple[int, int]:
        """Indices of the last place at an end and of the one before it."""
        return (0, 1) if end == 0 else (len(self.places) - 1, len(self.places) - 2)

    # Cards that went

    def _take(self, end: int) -> Taken | None:
        """Lift the last card at an end, if it is gone and what it covered shows again."""
        last, inner = self._ends(end)
        if len(self.places) < 3 or not self.places[inner].covered:
            return None
        origin, outer = self.origin[inner], self.origin[last]
        if origin is None or outer is None:
            return None
        top, below, free = self.places[inner].half, self.places[inner].covered[-1], outer
        gone = self.places[last].half
        if self._swapped(below, top, origin):
            self._lift(last, inner, below)
            return Taken(end, top, gone, 0.6)
        if self.now.index[free] is not None or self._near(gone, ON_TOP_MM):
            return None
        shown = self._near(top, ON_TOP_MM)
        if not shown and not self._hidden(gone) and not self._hidden(top):
            self.doubts.append(f"the last two halves at end {end} of the line are missing")
        for j in shown:
            under, over = agreement([below, top], [self.found[j]])[:, 0]
            if agreement([below], [top])[0, 0] > CONTRADICTS:
                # Both read much the same: how it lies must tell, and what is gone in sight.
                if under < AGREES or self._hidden(gone):
                    continue
                certain = _sure(lies_like(below, top, self.found[j]) + 1.0)
            elif under < AGREES or under < over + 2.0:
                continue
            else:
                certain = _sure(float(under - over))
            if certain < 0.5:
                self.doubts.append(f"the half at end {end} of the line is missing")
                continue
            self._lift(last, inner, fused(below, self.found[j]), seen=True)
            self.fresh.discard(j)
            return Taken(end, top, gone, certain)
        return None

    def _lift(self, last: int, inner: int, below: Half, *, seen: bool = False) -> None:
        self.places[inner] = Place(below, seen, self.places[inner].covered[:-1])
        self.origin[inner] = None
        del self.places[last], self.origin[last]

    def _swapped(self, below: Half, top: Half, origin: int) -> bool:
        """Whether another card lies where the last card lay, on the half that it covered."""
        j = self.now.index[origin]
        if j is None or j not in self.fresh:
            return False
        if agreement([below, top], [self.found[j]]).max() > CONTRADICTS:
            return False
        return any(self.misfit[j, k] < CARD_MISFIT for k in self.fresh - {j})

    # Cards that came

    def _lay(self, end: int) -> list[Laid]:
        """Lay the new cards at one end, the innermost first."""
        laid: list[Laid] = []
        for covering, free, certain in self._outward(end):
            last, _ = self._ends(end)
            covered, lower = self.places[last].half, self.places[last].covered
            laid.append(Laid(end, last, covered, covering, free, certain))
            below = lower if is_unread(covered) else (*lower, covered)
            self.places[last] = Place(covering, not is_unread(covering), below)
            self.origin[last] = None
            at = 0 if end == 0 else len(self.places)
            self.places.insert(at, Place(free, not is_unread(free)))
            self.origin.insert(at, None)
            self.fresh -= {j for j, h in enumerate(self.found) if h is covering or h is free}
        if end == 0:
            # The covered places were pushed away from 0 by the cards that came after.
            return [replace(c, place=len(laid) - i) for i, c in enumerate(laid)]
        return laid

    def _outward(self, end: int) -> list[tuple[Half, Half, float]]:
        """(covering, free, confidence) of the cards that go on from an end."""
        last, inner = self._ends(end)
        spot = self.places[last].half
        away = _step(self.places[inner].half, spot)
        best: tuple[float, int, int] | None = None
        for j in self._near(spot, ON_TOP_MM):
            for k in sorted(self.fresh - {j}):
                if self.misfit[j, k] > CARD_MISFIT:
                    continue
                if _cosine(self.where[k] - self.where[j], away) < BACKWARDS:
                    continue
                # What lies at the end now is rather a half that was not there.
                cost = float(self.misfit[j, k]) + (0.0 if j in self.fresh else 1.5)
                if best is None or cost < best[0]:
                    best = (cost, j, k)
        if best is None:
            return self._outward_unseen(spot, away)
        cost, j, k = best
        further = self._further(j, k)
        if further is None:
            return [(self.found[j], self.found[k], _sure(6.0 - cost))]
        x, y = self.where[k]
        below = unread_half(float(x), float(y), self.found[j].axis_deg)
        certain = _sure(4.0 - cost)
        return [
            (self.found[j], below, certain),
            (self.found[k], self.found[further], certain),
        ]

    def _further(self, j: int, k: int) -> int | None:
        """A half beyond ``k`` that makes up a second card with it."""
        step = self.where[k] - self.where[j]
        beyond = [
            m
            for m in sorted(self.fresh - {j, k})
            if self.misfit[k, m] <= CARD_MISFIT
            and _cosine(self.where[m] - self.where[k], step) > BACKWARDS
        ]
        return min(beyond, key=lambda m: float(self.misfit[k, m]), default=None)

    def _outward_unseen(
        self, spot: Half, away: NDArray[np.float64]
    ) -> list[tuple[Half, Half, float]]:
        """A card of which only the free half was found: a hand is on its covering half."""
        if self._near(spot, ON_TOP_MM) or not self._hidden(spot):
            return []
        for k in sorted(self.fresh):
            free = self.found[k]
            step = _step(spot, free)
            axis = np.radians(free.axis_deg)
            side = abs(float(step[0] * np.sin(axis) - step[1] * np.cos(axis)))
            off = max(abs(float(np.hypot(*step)) - HALF_MM), side)
            if off < 12.0 and _cosine(step, away) > BACKWARDS:
                return [(unread_half(spot.x_mm, spot.y_mm, free.axis_deg), free, 0.8)]
        return []

    def _lay_elsewhere(self) -> list[Laid]:
        """Cards that cover a place which is no end."""
        laid: list[Laid] = []
        for at, origin in enumerate(self.origin):
            j = None if origin is None else self.now.index[origin]
            if origin is None or j is None:
                continue
            covered = self.places[at].half
            turned = abs((self.found[j].axis_deg - covered.axis_deg + 90.0) % 180.0 - 90.0) > 45.0
            if not (turned or j in self.fresh):
                continue
            partners = [k for k in sorted(self.fresh - {j}) if self.misfit[j, k] < CARD_MISFIT]
            if not partners:
                if j in self.fresh:
                    self._doubt(at, origin)
                continue
            k = min(partners, key=lambda m: float(self.misfit[j, m]))
            sure = _sure(5.0 - float(self.misfit[j, k]))
            laid.append(Laid(None, at, covered, self.found[j], self.found[k], sure))
            for half in (j, k):
                self._cover(half)
            self.fresh -= {j, k}
        return laid

    def _cover(self, j: int) -> None:
        """Put a half of a card that was laid elsewhere on the place where it lies, if any."""
        for at, origin in enumerate(self.origin):
            if origin is not None and self.now.index[origin] == j:
                place = self.places[at]
                self.places[at] = Place(self.found[j], True, (*place.covered, place.half))
                self.origin[at] = None

    def _doubt(self, at: int, origin: int) -> None:
        """Another reading than remembered where no second half of a new card is in sight."""
        half = self.places[at].half
        is_end = at in (0, len(self.places) - 1)
        reach = HALF_MM + HIDDEN_MARGIN_MM
        near_hidden = any(
            cv2.pointPolygonTest(np.asarray(region, dtype=np.float32), (half.x_mm, half.y_mm), True)
            >= -reach
            for region in self.hidden_mm
        )
        if is_end or near_hidden:
            self.doubts.append(
                f"place {origin} of the line reads otherwise than before, "
                "and no second half of a new card is in sight"
            )
        if near_hidden:
            self.origin[at] = None  # what is read there may be a new card: keep the memory

    def _doubt_strays(self) -> None:
        """Single halves near an end that nothing explains: half of a card that is not read yet."""
        paired = {
            id(h)
            for card in loose_cards([self.found[j] for j in sorted(self.fresh)])
            for h in card.halves
        }
        for end in (0, 1):
            last, _ = self._ends(end)
            spot = self.places[last].half
            for j in self._near(spot, 1.3 * HALF_MM):
                if j in self.fresh and id(self.found[j]) not in paired:
                    self.doubts.append(f"half a card lies at end {end} of the line")

    # What stayed

    def _reread(self) -> None:
        """Take the new readings of the places that no card covered or bared."""
        for at, origin in enumerate(self.origin):
            if origin is None:
                continue
            j = self.now.index[origin]
            if j is not None:
                place = self.places[at]
                self.places[at] = replace(place, half=fused(place.half, self.found[j]), seen=True)

    def _beside(self) -> set[int]:
        """New halves that lie on no place of the line."""
        on_line = {j for place in self.places for j in self._near(place.half, ON_TOP_MM)}
        return set(range(len(self.found))) - on_line

    def _lay_there(self, card: LooseCard) -> bool:
        return any(
            float(np.hypot(card.x_mm - other.x_mm, card.y_mm - other.y_mm)) < SLID_MM
            and float(agreement(card.halves, other.halves).max(axis=1).min()) > CONTRADICTS
            for other in self.line.loose
        )


def _carried(place: Place, now: Half) -> tuple[Half, ...]:
    """The covered halves, moved as the half above them."""
    dx, dy = now.x_mm - place.half.x_mm, now.y_mm - place.half.y_mm
    turn = now.axis_deg - place.half.axis_deg
    return tuple(
        replace(h, x_mm=h.x_mm + dx, y_mm=h.y_mm + dy, axis_deg=(h.axis_deg + turn) % 180.0)
        for h in place.covered
    )


def _step(a: Half, b: Half) -> NDArray[np.float64]:
    return np.array([b.x_mm - a.x_mm, b.y_mm - a.y_mm])


def _cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(a @ b) / max(float(np.hypot(*a) * np.hypot(*b)), 1e-9)


def _sure(log_odds: float) -> float:
    return float(1.0 / (1.0 + np.exp(-log_odds)))
