"""What the watchers of either game share: how a frame is taken in, and a camera that is bumped.

The small picture, what moves in it, arms and the closer look all belong to one plane. When the
camera has moved and stands still again they are carried over to the plane as it is seen now.
What has come to lie still is read at once, and again when it is not clear; what is known is
checked after hands have left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

import cv2

from vision.activity import Activity, Look
from vision.closer import CloserLook, Rectangle
from vision.events import ArmLeft, Fact
from vision.facts import Half, Reader
from vision.frames import Frame
from vision.grid import Grid, Mask
from vision.hands import Arm, Hands, Zone
from vision.line import centres_mm
from vision.plane import TablePlane
from vision.settled import SETTLE_S, SPECK_MM2, Parts, grown, parts
from vision.steady import Steady, is_knock, moved_plane
from vision.witness import CHECK_S, FIRST_S, Attempt, Phase, Witness

Seen = TypeVar("Seen")
"""What a watcher tells of a card before it is a fact."""

_AROUND_CARD_MM: Final = 50.0
"""How far from its middle a half card's surroundings may show it."""
_AT_ONCE_S: Final = 0.2
_NO_REACH_S: Final = 0.5
_NEVER_SO_MANY: Final = 3
"""So many arms do not come at once, or one of them not for so short a time."""
_READ_BY_S: Final = 1.0
"""What an arm has left is read by now, or never will be."""
_SHAKES_S: Final = 0.8
"""A camera that stands still again was knocked no longer ago than this."""


class Onlooker(ABC, Generic[Seen]):
    """One camera over one table. Not for use from several threads at once."""

    def __init__(
        self, reader: Reader, plane: TablePlane, zones: Mapping[str, Zone] | None = None
    ) -> None:
        self.plane = plane
        """The table as the camera sees it now: it may have been bumped."""
        self.phase = Phase.QUIET
        self.tentative: Seen | None = None
        """A card that seems to have been laid and is read once more before that is a fact."""
        self._grid = Grid(plane)
        self._activity = Activity(self._grid)
        self._hands = Hands(self._grid, zones or {})
        self._reader = reader
        self._closer = CloserLook(reader, plane)
        self._steady = Steady()
        self._zones = dict(zones or {})
        self._leaving: list[Arm] = []
        """Arms that have left while the camera moved: were they any?"""
        self._unread: list[Arm] = []
        """Arms that have left what is not read yet."""
        self._attempt: Attempt | None = None
        self._ready_since_s: float | None = None
        self._began_s: float | None = None
        self._check_due = True
        self._check_from_s = 0.0

    @property
    def arms(self) -> Sequence[Arm]:
        """The arms that are over the table now."""
        return self._hands.present

    def see(self, frame: Frame) -> list[Fact]:
        """Take in the next frame; returns what has become sure with it, in order."""
        if self._began_s is None:
            self._began_s = frame.at_s
        look = self._activity.look(frame)
        self._leaving += self._hands.follow(look)
        self._keep(frame)
        now = parts(self._grid, look, self._hands.mask, self._activity.resting)
        if self._camera_moves(look, now, frame):
            self._set_phase(now)
            return []
        left, self._leaving = [arm for arm in self._leaving if not self._is_shake(arm)], []
        if cv2.countNonZero(now.specks | now.uncovered):
            self._activity.settle(now.specks | now.uncovered, look)
        if cv2.countNonZero(now.resting):
            self._activity.rest(now.resting, look)
        self._check_due |= look.relit or bool(left)
        facts = self._read_changes(frame, look, now)
        facts += self._arms_left(left, look)
        if not facts and self._is_quiet(look, now):
            facts += self._check(frame, look)
        self._set_phase(now)
        return facts

    # -- what each game has its own way for

    @property
    @abstractmethod
    def _has_begun(self) -> bool:
        """Whether the game's line or pile is known."""

    @abstractmethod
    def _known(self) -> list[Half]:
        """The half cards, or faces, that lie on top, as remembered."""

    @abstractmethod
    def _read_changes(self, frame: Frame, look: Look, now: Parts) -> list[Fact]:
        """Read what has come to lie still, if anything has."""

    @abstractmethod
    def _check(self, frame: Frame, look: Look) -> list[Fact]:
        """Read what is known (at first: the whole table) and compare."""

    @abstractmethod
    def _set_phase(self, now: Parts) -> None:
        """Say what the watcher is about."""

    # -- what they share

    def _keep(self, frame: Frame) -> None:
        """Keep the frame for readings to come."""
        self._closer.keep(frame)

    @property
    def _hidden(self) -> Mask:
        """What arms hide, and what rests on the table."""
        return self._hands.mask | self._activity.resting

    @property
    def _witness(self) -> Witness:
        return Witness(self._grid, self._activity, self._hands)

    def _read(self, frame: Frame, look: Look, region: Rectangle | None) -> list[Half]:
        # With an arm about, older frames would leave its ghost in the mean.
        since_s = look.at_s if self._hands.present else look.at_s - SETTLE_S
        return self._closer.read(frame, region, self._known(), since_s)

    def _is_shake(self, arm: Arm) -> bool:
        """Whether an arm was the edges of things, seen by a camera that shook and stands as before:
        several come at once then, and none stays."""
        came = [
            other for other in self._hands.known if abs(other.came_s - arm.came_s) <= _AT_ONCE_S
        ]
        short = (arm.left_s or arm.seen_s) - arm.came_s <= _NO_REACH_S
        return short and len(came) >= _NEVER_SO_MANY

    def _arms_left(self, left: Sequence[Arm], look: Look) -> list[Fact]:
        """The arms that have left; one that was at a pile only once it is read what else it did.

        Whoever lays a card beside the draw pile is at that pile, too: told before its card, the
        hand would seem to have drawn one.
        """
        left = [*self._unread, *left]
        self._unread = [arm for arm in left if self._has_left_something(arm, look)]
        return [
            ArmLeft(arm.left_s or look.at_s, look.at_s, arm)
            for arm in left
            if arm not in self._unread
        ]

    def _has_left_something(self, arm: Arm, look: Look) -> bool:
        """Whether the table looks otherwise beside the piles where an arm was over it last."""
        if not arm.visits or look.at_s - (arm.left_s or look.at_s) > _READ_BY_S:
            return False
        beside = look.changed.copy()
        beside[self._hands.mask > 0] = 0
        for zone in self._zones.values():
            beside[self._grid.inside(zone.centre_mm, zone.size_mm)] = 0
        if self._grid.area_mm2(beside) < SPECK_MM2:
            return False
        last = self._hands.who(beside, arm.came_s)
        return last is not None and last.number == arm.number

    def _settled(self, ready: Mask, look: Look, facts: list[Fact]) -> list[Fact]:
        """What was read belongs to the table from now on; gives on the facts in it."""
        self._activity.settle(grown(ready), look)
        self._drop_attempt()
        self._check_due = True
        return facts

    def _drop_attempt(self) -> None:
        self._ready_since_s = self._attempt = self.tentative = None

    def _is_quiet(self, look: Look, now: Parts) -> bool:
        """Whether a check is due and nothing is in its way."""
        assert self._began_s is not None
        if not self._check_due or self._hands.present or now.waiting or self._attempt is not None:
            return False
        if look.at_s < self._check_from_s:
            return False
        wait_s = CHECK_S if self._has_begun else FIRST_S
        moved_s = max(self._began_s, float(look.still_since_s.max()))
        return look.at_s - moved_s >= wait_s

    def _camera_moves(self, look: Look, now: Parts, frame: Frame) -> bool:
        """Whether the camera moves, or has just moved and was followed: nothing is read then."""
        asks = any(cv2.countNonZero(m) for m in (now.ready, now.specks, now.uncovered, now.resting))
        began_s = self._steady.moving_since_s
        motion = self._steady.look(look, self._hands.mask, self._card_cells, now=asks)
        if motion is None:
            return self._steady.moving_since_s is not None
        self.plane = moved_plane(self.plane, motion, self._grid.px_per_cell)
        self._grid = self._grid.moved(self.plane)
        # A knock makes the whole picture seem to be arms; a slow drift does not.
        sank = not is_knock(motion, look)
        knock_s = look.at_s if sank else (began_s or look.at_s) - _SHAKES_S
        self._activity.camera_moved(self._grid, motion, look, sank=sank)
        self._hands.camera_moved(self._grid, motion, knock_s, sank=sank)
        self._leaving = [arm for arm in self._leaving if arm.came_s < knock_s]
        self._closer = CloserLook(self._reader, self.plane)
        self._keep(frame)
        self._drop_attempt()
        self._check_due = True
        return True

    def _card_cells(self) -> Mask:
        """Where the cards of the game lie, which players push about."""
        return self._grid.around(centres_mm(self._known()), _AROUND_CARD_MM)
