"""Arms over the table: where each comes from, how deep it reaches, which zones it visits.

An arm is a moving part of what differs from the settled table. It comes in over the border of
the picture; the far end from there is its hand. Arms are followed by the overlap of one look
with the next. Shadows that hang on an arm count as part of it, which does no harm: they too
hide what lies below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.activity import REMEMBER_S, Look
from vision.arm_masks import nearest_share, without_strips
from vision.grid import Grid, Mask, window_of
from vision.sleeves import FRONT_MM, Colours, arm_colours

_LEAST_AREA_MM2: Final = 700.0
"""Smaller than two fingers is no arm."""
_MOVED_S: Final = 0.12
_MOVING_SHARE: Final = 0.3
"""A part that touches no border is an arm (its sleeve looks like the table) while it moves."""
BLIND_S: Final = 0.6
"""In a longer time without a look a hand may have come, drawn a card and gone."""
_SAME_SHAPE: Final = 0.8
"""A part that covers so much of what an arm covered a look ago, and little else, may be that arm
at rest, if it is also as large as the arm ever was. What an arm has put down or uncovered is
smaller than both together were."""
_AT_REST_MM2: Final = 8_000.0
"""A hand and its wrist; a card covers less."""
_STILL_S: Final = 5.0
"""No hand is held still for longer; what stays longer was put down."""
_LOST_S: Final = 0.2
"""An arm unseen for this long has gone; shorter gaps are breaks in its mask."""
_REACH_OVER_MM: Final = 25.0
"""Fingertips overshoot what they take: a zone is this much larger for a visit."""
_FORGET_S: Final = 30.0
_JOIN_MM: Final = 15.0
_ONE_ARM_MM: Final = 150.0
"""Parts that come in nearer to each other than this and then join are one arm."""
_SAME_STAY_S: Final = 0.15
_FARTHEST: Final = 0.99
"""Of an arm's cells by distance from its entry: beyond this it is a speck."""


@dataclass(frozen=True, slots=True)
class Zone:
    """An upright rectangle of the table in which a pile lies."""

    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]

    def contains(self, x_mm: float, y_mm: float, margin_mm: float = 0.0) -> bool:
        """Whether a point lies in the zone, its border included, or within a margin around it."""
        return (
            abs(x_mm - self.centre_mm[0]) <= self.size_mm[0] / 2 + margin_mm
            and abs(y_mm - self.centre_mm[1]) <= self.size_mm[1] / 2 + margin_mm
        )


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand stayed at a zone."""

    zone: str
    from_s: float
    to_s: float
    slowest_mm_s: float
    """Lowest speed of the fingertips there: a hand that passes over does not slow down."""
    turned_back: bool
    """The hand went no farther: it came, stayed and went back to where it came from."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One reach of an arm into the picture, from coming to leaving."""

    number: int
    entry_mm: tuple[float, float]
    """Where it crosses the border of the picture at its deepest reach."""
    tip_mm: tuple[float, float]
    """Where its fingertips are now, or were last."""
    deepest_mm: tuple[float, float]
    """Fingertips at the deepest reach; from ``entry_mm`` to here is the arm's direction."""
    came_s: float
    seen_s: float
    left_s: float | None = None
    """First look without it; None while it is there."""
    visits: tuple[Visit, ...] = ()
    colours: Colours | None = field(default=None, compare=False, repr=False)
    """What it looks like behind the hand, at the deepest reach; None where too little is seen."""


@dataclass(slots=True)
class _Track:
    arm: Arm
    mask: Mask
    reach_mm: float = 0.0
    tips: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Time, tip x, tip y, reach."""
    moved_s: float = 0.0
    """When it last came in over the border, or moved."""
    largest: int = 0
    """The most cells that it has covered."""


class Hands:
    """Follows the arms from look to look."""

    def __init__(self, grid: Grid, zones: Mapping[str, Zone]) -> None:
        self._grid = grid
        self._zones = dict(zones)
        self._tracks: list[_Track] = []
        self._gone: dict[int, Arm] = {}
        self._count = 0
        self._looked_s = float("-inf")
        self._past: dict[float, dict[int, Mask]] = {}
        """Where the arms were in the looks of the last seconds, by the look's time."""
        self._last_arm: NDArray[np.int32] = np.zeros(grid.shape, np.int32)
        self._last_at_s: NDArray[np.float32] = np.full(grid.shape, -1e9, np.float32)
        self.mask: Mask = np.zeros(grid.shape, np.uint8)
        """Where arms are in the newest look."""

    @property
    def present(self) -> list[Arm]:
        """The arms in the newest look."""
        return [track.arm for track in self._tracks]

    def over(self, spot: Mask, at_s: float) -> Arm | None:
        """The arm that hid most of a spot in an earlier look, if one hid any of it."""
        best, most = None, 0
        for number, mask in self._past.get(at_s, {}).items():
            hidden = cv2.countNonZero(cv2.bitwise_and(mask, spot))
            if hidden > most:
                best, most = number, hidden
        return None if best is None else self.arm(best)

    @property
    def known(self) -> list[Arm]:
        """The arms that are there or have left lately."""
        return [*self.present, *self._gone.values()]

    @property
    def masks(self) -> dict[int, Mask]:
        """Where each arm is in the newest look, by its number."""
        return {
            track.arm.number: track.mask
            for track in self._tracks
            if track.arm.seen_s == self._looked_s
        }

    def arm(self, number: int) -> Arm | None:
        """An arm that is there or has left lately."""
        for track in self._tracks:
            if track.arm.number == number:
                return track.arm
        return self._gone.get(number)

    def follow(self, look: Look) -> list[Arm]:
        """Take in the next look; returns the arms that have left.

        After a time without looks, arms that are there are others than those that were.
        """
        left: list[Arm] = []
        if look.at_s - self._looked_s > BLIND_S:
            left = [replace(track.arm, left_s=look.at_s) for track in self._tracks]
            self._gone |= {arm.number: arm for arm in left}
            self._tracks = []
        self._looked_s = look.at_s
        self.mask = np.zeros(self._grid.shape, np.uint8)
        loose: list[Mask] = []
        for part, contact in self._parts(look):
            if not cv2.countNonZero(contact):
                loose.append(part)
                continue
            self.mask |= part
            owners = self._one_arm_each(self._touching(part)) or [self._new(contact, look.at_s)]
            for track, own in _shared_out(part, owners):
                self._see(track, own, contact, look)
                track.moved_s = look.at_s
        for part in loose:
            self._see_loose(part, look)
        self._past[look.at_s] = self.masks
        while next(iter(self._past)) < look.at_s - REMEMBER_S:
            del self._past[next(iter(self._past))]
        return left + self._let_go(look)

    def camera_moved(
        self, grid: Grid, motion: NDArray[np.float64], since_s: float, *, sank: bool
    ) -> None:
        """The camera has moved, and what seemed to come in since a time was the table itself.
        If it only ``sank`` a little, arms were where they were, but for that."""
        rows, columns = grid.shape

        def carried(cells: NDArray[Any], outside: float) -> NDArray[Any]:
            return cv2.warpPerspective(
                cells.astype(np.float64), motion, (columns, rows), flags=cv2.INTER_NEAREST,
                borderMode=cv2.BORDER_CONSTANT, borderValue=outside,
            ).astype(cells.dtype)  # fmt: skip

        self._grid = grid
        past = self._past.items() if sank else ()
        self._past = {
            at_s: {number: carried(mask, 0) for number, mask in arms.items()} for at_s, arms in past
        }
        self._tracks = [track for track in self._tracks if track.arm.came_s < since_s]
        for track in self._tracks:
            track.mask = carried(track.mask, 0)
        self._last_arm = carried(self._last_arm, 0)
        self._last_at_s = carried(self._last_at_s, -1e9)

    def who(self, mask: Mask, not_before_s: float) -> Arm | None:
        """The arm that was last over most of a mask, if any was since a time."""
        inside = (mask > 0) & (self._last_at_s >= not_before_s)
        if not inside.any():
            return None
        numbers, counts = np.unique(self._last_arm[inside], return_counts=True)
        for number in numbers[np.argsort(-counts)]:
            arm = self.arm(int(number))
            if arm is not None:  # else it was none: the camera was knocked
                return arm
        return None

    def _parts(self, look: Look) -> list[tuple[Mask, Mask]]:
        """Connected parts that may be arms, each with its cells at the picture's border."""
        rows, columns = self._grid.shape
        parts: list[tuple[Mask, Mask]] = []
        for found in look.parts:
            left, top, wide, high = found.box
            if found.area * self._grid.mm_per_cell**2 < _LEAST_AREA_MM2:
                continue
            whole = found.inside.astype(np.uint8) * 255
            rim = np.zeros_like(whole)
            if left <= 1 or top <= 1 or left + wide >= columns - 1 or top + high >= rows - 1:
                rim[:2], rim[-2:] = whole[:2], whole[-2:]
                rim[:, :2], rim[:, -2:] = whole[:, :2], whole[:, -2:]
            elif not self._moves(whole, look) and not self._rests(whole, look.at_s):
                continue
            self.mask |= whole  # strips are no arm, but they hide, too
            part = without_strips(whole)
            if cv2.countNonZero(part) * self._grid.mm_per_cell**2 >= _LEAST_AREA_MM2:
                parts.append((part, rim & part))
        return parts

    def _moves(self, part: Mask, look: Look) -> bool:
        lately = look.still_since_s[part > 0] > look.at_s - _MOVED_S
        return bool(lately.mean() > _MOVING_SHARE)

    def _rests(self, part: Mask, at_s: float) -> bool:
        """Whether an arm that a look ago was where a part is holds still there."""
        area = cv2.countNonZero(part)
        if area * self._grid.mm_per_cell**2 < _AT_REST_MM2:
            return False
        for track in self._tracks:
            if at_s - track.moved_s >= _STILL_S or area < _SAME_SHAPE * track.largest:
                continue
            both = cv2.countNonZero(cv2.bitwise_and(part, track.mask))
            if both >= _SAME_SHAPE * (area + cv2.countNonZero(track.mask) - both):
                return True
        return False

    def _touching(self, part: Mask) -> list[_Track]:
        """The arms seen before that this part continues."""
        size = 2 * self._grid.cells(_JOIN_MM) + 1
        near = cv2.dilate(part, np.ones((size, size), np.uint8))
        return [
            track for track in self._tracks if cv2.countNonZero(cv2.bitwise_and(near, track.mask))
        ]

    def _one_arm_each(self, owners: list[_Track]) -> list[_Track]:
        """Fingers that came in one by one turn out to be one hand: keep the oldest track."""
        kept: list[_Track] = []
        for track in sorted(owners, key=lambda t: t.arm.number):
            entry = track.arm.entry_mm
            if any(_apart_mm(entry, other.arm.entry_mm) < _ONE_ARM_MM for other in kept):
                self._tracks.remove(track)
                continue
            kept.append(track)
        return kept

    def _new(self, contact: Mask, at_s: float) -> _Track:
        self._count += 1
        entry = self._middle_mm(contact)
        assert entry is not None  # an arm that is new comes in over the border
        track = _Track(Arm(self._count, entry, entry, entry, at_s, at_s), contact)
        self._tracks.append(track)
        return track

    def _see_loose(self, part: Mask, look: Look) -> None:
        """A moving part without contact to the border: it hides, and may be all that is seen
        of an arm; it never is a new arm (a reflection, a card that slides)."""
        at_s = look.at_s
        owners = self._touching(part)
        if not owners:
            return
        self.mask |= part
        for track, own in _shared_out(part, owners):
            if track.arm.seen_s < at_s:
                self._see(track, own, np.zeros_like(part), look)
                if self._moves(own, look):
                    track.moved_s = at_s

    def _see(self, track: _Track, part: Mask, contact: Mask, look: Look) -> None:
        arm, at_s = track.arm, look.at_s
        entry = self._entry_mm(contact & part, arm)
        window = window_of(part)
        inside = part[window] > 0
        cells = self._grid.mm[window][inside]
        across, down = cells[:, 0] - entry[0], cells[:, 1] - entry[1]
        away = np.sqrt(across * across + down * down)
        farthest = int(_FARTHEST * (len(away) - 1))
        reach = float(np.partition(away, farthest)[farthest])
        tip = cells[away >= 0.96 * reach].mean(axis=0)
        tip_mm = (float(tip[0]), float(tip[1]))
        track.tips.append((at_s, *tip_mm, reach))
        track.mask = part
        track.largest = max(track.largest, len(cells))
        if reach >= track.reach_mm:
            track.reach_mm = reach
            colours = arm_colours(look.small[window][inside][away <= reach - FRONT_MM])
            arm = replace(arm, entry_mm=entry, deepest_mm=tip_mm, colours=colours)
        track.arm = replace(arm, tip_mm=tip_mm, seen_s=at_s)
        track.arm = replace(track.arm, visits=self._visits(track))
        self._last_arm[window][inside] = arm.number
        self._last_at_s[window][inside] = at_s

    def _entry_mm(self, contact: Mask, arm: Arm) -> tuple[float, float]:
        """Where an arm crosses the border: where it came in, not where its hand goes out again
        to a pile at the rim."""
        if not cv2.countNonZero(contact):
            return arm.entry_mm
        window = window_of(contact)
        count, labels = cv2.connectedComponents(contact[window])
        cells = self._grid.mm[window]
        middles = [cells[labels == k].mean(axis=0) for k in range(1, count)]
        crossings = [(float(x), float(y)) for x, y in middles]
        return min(crossings, key=lambda one: _apart_mm(one, arm.entry_mm))

    def _middle_mm(self, mask: Mask) -> tuple[float, float] | None:
        """The middle of a mask on the table; None where it is empty."""
        window = window_of(mask)
        cells = self._grid.mm[window][mask[window] > 0]
        if not len(cells):
            return None
        x, y = cells.mean(axis=0)
        return float(x), float(y)

    def _visits(self, track: _Track) -> tuple[Visit, ...]:
        """Stays of the fingertips in zones, in order."""
        found: list[Visit] = []
        for name, zone in self._zones.items():
            inside = [zone.contains(x, y, _REACH_OVER_MM) for _, x, y, _ in track.tips]
            stays: list[tuple[int, int]] = []
            for i, is_in in enumerate(inside):
                if not is_in:
                    continue
                if stays and track.tips[i][0] - track.tips[stays[-1][1]][0] <= _SAME_STAY_S:
                    stays[-1] = (stays[-1][0], i)
                else:
                    stays.append((i, i))
            found += [_visit(name, track.tips, begin, last) for begin, last in stays]
        return tuple(sorted(found, key=lambda visit: visit.from_s))

    def _let_go(self, look: Look) -> list[Arm]:
        left: list[Arm] = []
        for track in list(self._tracks):
            arm = track.arm
            if arm.seen_s == look.at_s:
                continue
            if arm.left_s is None:
                arm = track.arm = replace(arm, left_s=look.at_s)
            if look.at_s - arm.seen_s >= _LOST_S:
                self._tracks.remove(track)
                self._gone[arm.number] = arm
                left.append(arm)
        self._gone = {n: a for n, a in self._gone.items() if a.seen_s > look.at_s - _FORGET_S}
        return left


def _apart_mm(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _visit(
    zone: str, tips: list[tuple[float, float, float, float]], begin: int, last: int
) -> Visit:
    stay = tips[begin : last + 1]
    speeds = [
        float(np.hypot(b[1] - a[1], b[2] - a[2])) / max(b[0] - a[0], 1e-3)
        for a, b in pairwise(stay)
    ]
    outside = [tips[i][3] for i in (begin - 1, last + 1) if 0 <= i < len(tips)]
    return Visit(
        zone,
        stay[0][0],
        stay[-1][0],
        min(speeds, default=float("inf")),
        max(reach for *_, reach in stay) >= max(outside, default=0.0),
    )


def _shared_out(part: Mask, owners: list[_Track]) -> list[tuple[_Track, Mask]]:
    shares = nearest_share(part, [track.mask for track in owners])
    return [(t, own) for t, own in zip(owners, shares, strict=True) if cv2.countNonZero(own)]
