"""Follow the line from reading to reading: what changed physically, and what lies below.

`follow` compares the remembered line with the halves of a new reading and says which cards
were laid and taken, at an end or elsewhere. It knows how cards lie on each other, not which
play is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.chain import loose_cards
from vision.facts import Half
from vision.line import HALF_MM, Line, LooseCard, Place, is_unread
from vision.line_ends import (
    CARD_MISFIT,
    HIDDEN_MARGIN_MM,
    ON_TOP_MM,
    Region,
    Scene,
    Story,
    after_takes,
    agrees,
    best_story,
    is_hidden,
)
from vision.line_match import PLACE_MM, Match, match
from vision.line_steps import Change, Laid, Step, Taken
from vision.same_half import AGREES, CONTRADICTS, agreement, fused

MOVED_MM = 9.0
"""A line none of whose places moved further than this was not moved."""
CLEAR = 1.0
"""Log-odds by which a story must be ahead of all others to be told."""
SLID_MM = 30.0
"""How far a loose card may have slid to be the same card still."""


def follow(
    line: Line,
    halves: Sequence[Half],
    *,
    hidden_mm: Sequence[Region] = (),
    insists: bool = False,
) -> Step:
    """What changed since ``line``, given all face-up ``halves`` of a new reading.

    ``hidden_mm`` are the parts of the table that the reading could not see: hands, and what
    lies outside the picture. A half that is missing there may still lie where it lay; one that
    is missing in plain sight may have been taken or just not been found, so that the half that
    shows below it decides. ``insists``: this is the last look, and a card may be told of which
    only the covering half could be read.
    """
    found = tuple(sorted(halves, key=lambda h: (h.x_mm, h.y_mm)))
    now = match([place.half for place in line.places], found)
    if not _fits(now, hidden_mm):
        unseen = tuple(replace(place, seen=False) for place in line.places)
        reason = "the halves on the table are not those of the remembered line"
        return Step(Change.OUT_OF_SYNC, replace(line, places=unseen), reason=reason)
    return _Follower(line, now, Scene(found, hidden_mm, insists=insists)).step()


def _fits(now: Match, hidden_mm: Sequence[Region]) -> bool:
    """Whether enough of what should be in sight is there and reads as remembered."""
    n = len(now.index)
    in_sight = [i for i, h in enumerate(now.expected) if not is_hidden(h.x_mm, h.y_mm, hidden_mm)]
    if n <= 3:
        # A short line is mostly ends: two cards may cover all that was seen of it.
        return any(j is not None for j in now.index) or len(in_sight) < n
    agreeing = sum(now.agrees(i) for i in range(n))
    # At each end a card may have been taken and another one laid: only what lies within counts.
    within = range(2, n - 2)
    against = sum(now.contradicts(i) for i in within)
    enough = 0.3 * len([i for i in in_sight if i in within])
    return agreeing >= max(1.0, enough) and agreeing >= against


class _Follower:
    """One comparison. `places` starts as the remembered line and becomes the new one."""

    def __init__(self, line: Line, now: Match, scene: Scene) -> None:
        self.line = line
        self.scene = scene
        self.found = scene.found
        self.now = now
        self.misfit = self.scene.misfit
        self.places = [
            Place(half, False, _carried(place, half))
            for place, half in zip(line.places, now.expected, strict=True)
        ]
        self.origin: list[int | None] = list(range(len(line.places)))
        """For each of `places` its index in the remembered line; None once a card came or went."""
        self.fresh = self._unexplained()
        self.laid: list[Laid] = []
        self.taken: list[Taken] = []
        self.doubts: list[str] = []

    def _unexplained(self) -> set[int]:
        """New halves that neither the line nor the loose cards of before explain."""
        known = [half for card in self.line.loose for half in card.halves]
        lay_there = {
            j
            for half in known
            for j in self.scene.near(half, PLACE_MM)
            if agreement([half], [self.found[j]])[0, 0] >= AGREES
        }
        on_line = {
            j for i, j in enumerate(self.now.index) if j is not None and not self.now.contradicts(i)
        }
        return set(range(len(self.found))) - lay_there - on_line

    def step(self) -> Step:
        """What happened at the ends first, then elsewhere, then the readings."""
        self._tell_ends()
        taken = self.taken
        # Places are counted in the new line, in which cards at end 0 come before all others.
        outer = [card for card in self.laid if card.end == 0]
        inner = [card for card in self.laid if card.end == 1]
        laid = [replace(card, place=len(outer) - i) for i, card in enumerate(outer)]
        fewer = len(self.places) - len(inner) - 1
        laid = [*(replace(card, place=fewer + i) for i, card in enumerate(inner)), *laid]
        laid += self._lay_elsewhere()
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

    # Cards that went and came at the ends

    def _tell_ends(self) -> None:
        """Take what the best story of each end says, the clearer one first."""
        clearer = max((0, 1), key=lambda end: self._story(end)[2])
        for end in (clearer, 1 - clearer):
            story, ahead, _ = self._story(end)
            if ahead < CLEAR or story.left_over:
                self.doubts.append(
                    f"half a card lies at end {end} of the line"
                    if story.left_over
                    else f"what came or went at end {end} of the line is not clear"
                )
                if ahead < CLEAR:
                    continue
            sure = _sure(ahead + 1.0)
            for _ in range(story.takes):
                self._take(end, sure)
            for covering, free in story.laid:
                self._lay(end, covering, free, sure)
            self.fresh -= story.used
            if story.missing and not story.laid:
                self.doubts.append(f"the half at end {end} of the line is missing")

    def _story(self, end: int) -> tuple[Story, float, float]:
        inward = self.places[:6] if end == 0 else self.places[:-7:-1]
        fresh = frozenset(self.fresh)
        near = self.origin[:6] if end == 0 else self.origin[:-7:-1]
        found = {self.now.index[i] for i in near if i is not None} - {None}
        own = fresh | {j for j in found if j is not None}
        return best_story(self.scene, inward, fresh, own)

    def _take(self, end: int, sure: float) -> None:
        """Lift the last card at an end."""
        last, inner = self._ends(end)
        top, gone = self.places[inner].half, self.places[last].half
        bared = after_takes(self.places[::-1] if end else self.places, 1)
        assert bared is not None
        self.taken.append(Taken(end, top, gone, sure))
        below = bared[0].half
        near = self.scene.near(below, ON_TOP_MM)
        shown = [j for j in near if is_unread(below) or agrees(below, self.found[j])]
        if shown:
            below = fused(below, self.found[shown[0]])
            self.fresh.discard(shown[0])
        self.places[inner] = Place(below, bool(shown), bared[0].covered)
        self.origin[inner] = None
        del self.places[last], self.origin[last]

    def _lay(self, end: int, covering: Half, free: Half, sure: float) -> None:
        """Lay a card on an end."""
        last, _ = self._ends(end)
        covered, lower = self.places[last].half, self.places[last].covered
        self.laid.append(Laid(end, last, covered, covering, free, sure))
        self.places[last] = Place(covering, not is_unread(covering), (*lower, covered))
        self.origin[last] = None
        at = 0 if end == 0 else len(self.places)
        self.places.insert(at, Place(free, not is_unread(free)))
        self.origin.insert(at, None)

    # Cards that came elsewhere

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
        near_hidden = self.scene.hides(half, HALF_MM + HIDDEN_MARGIN_MM)
        if is_end or near_hidden:
            self.doubts.append(
                f"place {origin} of the line reads otherwise than before, "
                "and no second half of a new card is in sight"
            )
        if near_hidden:
            self.origin[at] = None  # what is read there may be a new card: keep the memory

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
        on_line = {j for place in self.places for j in self.scene.near(place.half, ON_TOP_MM)}
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


def _sure(log_odds: float) -> float:
    return float(1.0 / (1.0 + np.exp(-log_odds)))
