"""From frames to facts: what came to lie, what went, whose arm was there.

`Watcher.see` takes each frame at a glance (`vision.activity`, `vision.hands`); only where
something changed and lies still and free is the table read, and the reading compared with the
line as it was (`vision.line_memory`). A fact is told once it is sure, or after a short while
with what doubt remains: each carries how sure it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.activity import Activity, Grid, Look, Mask
from vision.chain import assemble
from vision.facts import Half, Image, Reader
from vision.frames import Frame
from vision.hands import Arm, Hands, Zone
from vision.line import Line, LooseCard, is_unread
from vision.line_memory import Change, Laid, Region, Step, Taken, follow
from vision.plane import TablePlane
from vision.settled import SETTLE_S, WAIT_FOR_REST_S, Parts, parts

Stamp = tuple[float, float, Arm | None]
"""`Fact.at_s`, `Fact.reported_s` and `Fact.arm`."""

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 on the table, millimetres."""

_AROUND_MM: Final = 75.0
"""What is read around a change: enough for the cards that it touches."""
_BLEND: Final = 3
"""Still frames that are averaged for a reading."""
_BLEND_APART_S: Final = 0.05
_SURE: Final = 0.9
"""A reading this sure is told at once; others are read again."""
_RETRY_S: Final = 0.25
_GIVE_UP_S: Final = 1.2
_FIRST_S: Final = 0.3
_CHECK_S: Final = 0.6
"""The line is read as a whole when all has been quiet for this long after something happened."""
_ARM_MEMORY_S: Final = 4.0
_LATE_S: Final = 15.0
_SAME_CARD_MM: Final = 30.0
_LIES_SHARE: Final = 0.6


class Phase(StrEnum):
    """What the watcher is doing, for people."""

    QUIET = "quiet"
    HANDS = "hands"
    CHECKING = "checking"
    OUT_OF_SYNC = "out of sync"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened on the table."""

    at_s: float
    """When it was done: the hand had let go (or, for what was taken, had gone)."""
    reported_s: float
    """The frame at which it was sure."""
    arm: Arm | None
    """The arm that did it; None where none was seen."""


@dataclass(frozen=True, slots=True)
class LineBegan(Fact):
    """A line lies where none was known: its first card, or a game that is joined late."""

    line: Line


@dataclass(frozen=True, slots=True)
class CardLaid(Fact):
    """A card came onto the line."""

    laid: Laid
    line: Line


@dataclass(frozen=True, slots=True)
class CardTaken(Fact):
    """The last card at an end of the line is gone."""

    taken: Taken
    line: Line


@dataclass(frozen=True, slots=True)
class LineMoved(Fact):
    """The line was nudged, bent or shoved; no card came or went."""

    line: Line


@dataclass(frozen=True, slots=True)
class LooseLaid(Fact):
    """A face-up card came to lie beside the line."""

    card: LooseCard
    onto: LooseCard | None
    """The card that lay there before and is under it now."""


@dataclass(frozen=True, slots=True)
class LooseGone(Fact):
    """A face-up card beside the line is there no more, nor what lay under it."""

    card: LooseCard


@dataclass(frozen=True, slots=True)
class ArmLeft(Fact):
    """An arm has left the picture; `arm` tells where it was."""


@dataclass(frozen=True, slots=True)
class OutOfSync(Fact):
    """The table does not fit the remembered line; it is taken anew from here."""

    line: Line | None


@dataclass(slots=True)
class _Attempt:
    """A change that is being read."""

    since_s: float
    mask: Mask
    next_s: float
    began_s: float
    arm: Arm | None


class Watcher:
    """Watches one table. Not for use from several threads at once."""

    def __init__(
        self, reader: Reader, plane: TablePlane, zones: Mapping[str, Zone] | None = None
    ) -> None:
        self._reader = reader
        self._plane = plane
        self._grid = Grid(plane)
        self._activity = Activity(self._grid)
        self._hands = Hands(self._grid, zones or {})
        self._frames: deque[Frame] = deque(maxlen=_BLEND)
        self._halves: list[Half] = []
        """Face-up halves as last read, all over the table."""
        self._attempt: _Attempt | None = None
        self._ready_since_s: float | None = None
        self._check_due = True
        self._began_s: float | None = None
        self._failed_checks = 0
        self.line: Line | None = None
        self.phase = Phase.QUIET

    @property
    def arms(self) -> Sequence[Arm]:
        """The arms that are over the table now."""
        return self._hands.present

    def see(self, frame: Frame) -> list[Fact]:
        """Take in the next frame; returns what has become sure with it, in order."""
        if self._began_s is None:
            self._began_s = frame.at_s
        look = self._activity.look(frame)
        left = self._hands.follow(look)
        if not self._frames or frame.at_s - self._frames[-1].at_s >= _BLEND_APART_S:
            self._frames.append(frame)
        now = parts(self._grid, look, self._hands.mask | self._activity.resting)
        if cv2.countNonZero(now.specks):
            self._activity.settle(now.specks, look)
        if cv2.countNonZero(now.resting):
            self._activity.rest(now.resting, look)
        self._check_due |= look.relit or bool(left)
        facts = self._read_changes(frame, look, now)
        facts += [ArmLeft(arm.left_s or look.at_s, look.at_s, arm) for arm in left]
        if not facts and self._is_quiet(look, now):
            facts += self._check(frame, look)
        self._set_phase(now)
        return facts

    # -- changes

    def _read_changes(self, frame: Frame, look: Look, now: Parts) -> list[Fact]:
        """Read what has come to lie still, if anything has."""
        if not cv2.countNonZero(now.ready):
            self._ready_since_s = self._attempt = None
            return []
        if self._ready_since_s is None:
            self._ready_since_s = look.at_s
        if now.waiting and look.at_s - self._ready_since_s < WAIT_FOR_REST_S:
            return []
        attempt = self._attempt
        if attempt is None or not _same(attempt.mask, now.ready):
            began_s = self._activity.lies_since_s(now.ready, look, _LIES_SHARE)
            arm = self._hands.who(now.ready, look.at_s - _ARM_MEMORY_S)
            attempt = _Attempt(look.at_s, now.ready, look.at_s, began_s, arm)
            self._attempt = attempt
        if look.at_s < attempt.next_s:
            return []
        last_try = look.at_s - attempt.since_s >= _GIVE_UP_S
        region = self._region(now.ready)
        facts = self._adopt(
            self._read(frame, region, attempt.began_s), look, attempt, patient=not last_try
        )
        if facts is None:
            attempt.next_s = look.at_s + _RETRY_S
            return []
        self._activity.settle(_grown(now.ready), look)
        self._ready_since_s = self._attempt = None
        self._check_due = True
        return facts

    def _adopt(
        self, halves: list[Half], look: Look, attempt: _Attempt, patient: bool
    ) -> list[Fact] | None:
        """Facts from a reading of the whole table, or None where another one is wanted."""
        stamp = (attempt.began_s, look.at_s, attempt.arm)
        if self.line is None:
            return self._begin(halves, stamp, patient)
        step = follow(self.line, halves, hidden_mm=self._hidden_mm())
        unclear = step.change in (Change.CANNOT_TELL, Change.OUT_OF_SYNC)
        if patient and (unclear or not _is_sure(step)):
            return None
        if unclear:
            self._check_due = True
            return []
        return self._take_step(step, halves, stamp)

    def _begin(self, halves: list[Half], stamp: Stamp, patient: bool) -> list[Fact] | None:
        self._halves = halves
        line = assemble(halves)
        if line is None:
            return []
        if patient and min(place.half.confidence for place in line.places) < _SURE:
            return None
        self.line = line
        return [LineBegan(*stamp, line)]

    def _take_step(self, step: Step, halves: list[Half], stamp: Stamp) -> list[Fact]:
        """Adopt what a reading says; returns the facts in it."""
        assert self.line is not None
        before = self.line
        self.line, self._halves = step.line, halves
        self._failed_checks = 0
        facts: list[Fact] = [CardTaken(*stamp, one, step.line) for one in step.taken]
        facts += [CardLaid(*stamp, one, step.line) for one in step.laid]
        if step.change is Change.MOVED:
            facts.append(LineMoved(*stamp, step.line))
        facts += _loose_changes(before.loose, step.line.loose, stamp)
        return facts

    # -- checks

    def _is_quiet(self, look: Look, now: Parts) -> bool:
        """Whether a check of the whole line is due and nothing is in its way."""
        assert self._began_s is not None
        if not self._check_due or self._hands.present or now.waiting:
            return False
        wait_s = _CHECK_S if self.line is not None else _FIRST_S
        moved_s = max(self._began_s, float(look.still_since_s.max()))
        return look.at_s - moved_s >= wait_s and self._attempt is None

    def _check(self, frame: Frame, look: Look) -> list[Fact]:
        """Read the whole line (at first: the whole table) and compare."""
        self._check_due = False
        stamp: Stamp = (look.at_s, look.at_s, None)
        if self.line is None:
            halves = self._read(frame, None, look.at_s - SETTLE_S)
            return self._begin(halves, stamp, patient=False) or []
        halves = self._read(frame, self._line_region(), look.at_s - SETTLE_S)
        step = follow(self.line, halves, hidden_mm=self._hidden_mm())
        if step.change not in (Change.CANNOT_TELL, Change.OUT_OF_SYNC):
            return self._take_step(step, halves, self._late_stamp(step, look))
        self._failed_checks += 1
        if self._failed_checks < 2:
            self._check_due = True
            return []
        self._failed_checks = 0
        halves = self._read(frame, None, look.at_s - SETTLE_S)
        line = assemble(halves)
        self._halves = halves
        if line is not None:
            self.line = line
        return [OutOfSync(*stamp, self.line)]

    def _late_stamp(self, step: Step, look: Look) -> Stamp:
        """When and by whom a change was made that only a check has shown."""
        spots = [one.free for one in step.laid] + [one.free for one in step.taken]
        if not spots:
            return look.at_s, look.at_s, None
        around = self._grid.near(spots[0].x_mm, spots[0].y_mm, _SAME_CARD_MM)
        arm = self._hands.who(around, look.at_s - _LATE_S)
        return (look.at_s if arm is None else arm.left_s or arm.seen_s), look.at_s, arm

    # -- readings

    def _read(self, frame: Frame, region: Rectangle | None, since_s: float) -> list[Half]:
        """Halves all over the table: read within the region, remembered elsewhere."""
        image = self._blended(frame, region, since_s)
        fresh = self._reader.read(image, self._plane, region)
        if region is None:
            return list(fresh)
        kept = [half for half in self._known() if not _inside(half, region)]
        return kept + list(fresh)

    def _known(self) -> list[Half]:
        """The halves that lie on top, as remembered."""
        if self.line is None:
            return self._halves
        known = [place.half for place in self.line.places if not is_unread(place.half)]
        return known + [half for card in self.line.loose for half in card.halves]

    def _blended(self, frame: Frame, region: Rectangle | None, since_s: float) -> Image:
        """The frame, averaged within the region with other frames since a time."""
        others = [f.image for f in self._frames if since_s < f.at_s and f is not frame]
        others = [image for image in others if image.shape == frame.image.shape]
        if not others:
            return frame.image
        x0, y0, x1, y1 = self._box_px(region, frame.image)
        stack = [image[y0:y1, x0:x1] for image in (*others, frame.image)]
        total = stack[0].astype(np.uint16)
        for part in stack[1:]:
            total += part
        image = frame.image.copy()
        image[y0:y1, x0:x1] = (total + len(stack) // 2) // len(stack)
        return image

    def _box_px(self, region: Rectangle | None, image: Image) -> tuple[int, int, int, int]:
        rows, columns = image.shape[:2]
        if region is None:
            return 0, 0, columns, rows
        x0, y0, x1, y1 = region
        corners = self._plane.to_px(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        low = np.clip(np.floor(corners.min(axis=0)) - 8, 0, [columns, rows]).astype(int)
        high = np.clip(np.ceil(corners.max(axis=0)) + 8, 0, [columns, rows]).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _region(self, mask: Mask) -> Rectangle:
        x0, y0, x1, y1 = self._grid.bounds_mm(mask)
        return x0 - _AROUND_MM, y0 - _AROUND_MM, x1 + _AROUND_MM, y1 + _AROUND_MM

    def _line_region(self) -> Rectangle:
        assert self.line is not None
        x = [place.half.x_mm for place in self.line.places]
        y = [place.half.y_mm for place in self.line.places]
        margin = 2 * _AROUND_MM
        return min(x) - margin, min(y) - margin, max(x) + margin, max(y) + margin

    def _hidden_mm(self) -> list[Region]:
        """Outlines of what arms hide, and of what rests on the table."""
        hidden = self._hands.mask | self._activity.resting
        outlines, _ = cv2.findContours(hidden, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [
            self._grid.mm[o[:, 0, 1], o[:, 0, 0]].astype(np.float64) for o in outlines if len(o) > 2
        ]

    def _set_phase(self, now: Parts) -> None:
        if self._failed_checks:
            self.phase = Phase.OUT_OF_SYNC
        elif self._attempt is not None:
            self.phase = Phase.CHECKING
        elif self._hands.present or now.waiting:
            self.phase = Phase.HANDS
        else:
            self.phase = Phase.QUIET


def _is_sure(step: Step) -> bool:
    """Whether what came and went was read clearly."""
    halves: list[Half] = []
    for one in step.laid:
        halves += (one.covering, one.free)
    for card in step.appeared:
        halves += card.halves
    sure = [one.confidence for one in step.laid] + [one.confidence for one in step.taken]
    return all(h.confidence >= _SURE for h in halves) and all(p >= _SURE for p in sure)


def _loose_changes(
    before: Sequence[LooseCard],
    after: Sequence[LooseCard],
    stamp: Stamp,
) -> list[Fact]:
    """Cards that came and went beside the line."""
    facts: list[Fact] = []
    for card in after:
        there = [other for other in before if _apart_mm(card, other) < _SAME_CARD_MM]
        if not any(_reads_alike(card, other) for other in there):
            facts.append(LooseLaid(*stamp, card, there[0] if there else None))
    facts += [
        LooseGone(*stamp, card)
        for card in before
        if all(_apart_mm(card, other) >= _SAME_CARD_MM for other in after)
    ]
    return facts


def _apart_mm(one: LooseCard, other: LooseCard) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def _reads_alike(one: LooseCard, other: LooseCard) -> bool:
    return sorted(h.label for h in one.halves) == sorted(h.label for h in other.halves)


def _same(one: Mask, other: Mask) -> bool:
    """Whether two masks are about the same part of the table."""
    both = cv2.countNonZero(one & other)
    return both > 0.7 * max(cv2.countNonZero(one), cv2.countNonZero(other))


def _grown(mask: Mask) -> Mask:
    return cv2.dilate(mask, np.ones((5, 5), np.uint8))  # type: ignore[return-value]


def _inside(half: Half, region: Rectangle) -> bool:
    return region[0] <= half.x_mm <= region[2] and region[1] <= half.y_mm <= region[3]
