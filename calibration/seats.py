"""Who sits where, as the arms tell that reach over a table.

Each side of the picture from which arms come in again and again is a player's. Two who sit at one
side are taken for one: that only a person can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from vision.events import ArmLeft
from vision.facts import Half, Image
from vision.frames import Frame, open_recording
from vision.hands import Arm
from vision.plane import TablePlane
from vision.watch import Watcher

SIDES: Final = ("Bottom", "Left", "Top", "Right")
"""Sides of the picture, clockwise: players are called by where they sit."""
LEAST_REACH_MM: Final = 80.0
"""An arm that reaches less far over the table tells nothing."""
WATCH_S: Final = 240.0
"""So much of a recording tells who sits where."""
_WATCH_EVERY_S: Final = 0.079
_FRAMES: Final = int(WATCH_S / _WATCH_EVERY_S)
_LEAST_ARMS: Final = 2
_LEAST_SHARE: Final = 0.08
"""Of all arms: fewer from one side are a helper, or a mistake."""
_BEYOND_MM: Final = 120.0
"""How far outside the picture somebody sits whose arm comes in."""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A side from which arms came in, and where their owner sits."""

    side: int
    """Index into `SIDES`."""
    seat_mm: tuple[float, float]


class ArmWatch:
    """Follows arms over a table whose cards nobody reads yet."""

    def __init__(self, plane: TablePlane) -> None:
        """``plane`` for pictures of the size of those that `see` is given."""
        self.plane = plane
        self.arms: list[Arm] = []
        """Those that have left, in that order."""
        self._watcher = Watcher(_Blind(), plane)

    def see(self, frame: Frame) -> bool:
        """Take in one picture; whether an arm has left the table in it."""
        left = [f.arm for f in self._watcher.see(frame) if isinstance(f, ArmLeft) and f.arm]
        self.arms += left
        return bool(left)

    def seats(self) -> list[SeatSeen]:
        """The seats that the arms tell so far."""
        return seats_of(self.arms, self.plane)


def arms_in(video: Path, plane: TablePlane) -> list[Arm]:
    """The arms that reach over the table in a recording's first minutes, in order of leaving."""
    source = open_recording(video, _WATCH_EVERY_S)
    watch = ArmWatch(plane.resized(source.size_px))
    try:
        for frame in islice(source, _FRAMES):
            watch.see(frame)
    finally:
        source.close()
    return watch.arms


class _Blind:
    """A reader that reads nothing: arms are followed without."""

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        del image, plane, region_mm
        return []


def seats_of(arms: Sequence[Arm], plane: TablePlane) -> list[SeatSeen]:
    """One seat for each side of the picture from which arms come in again and again, clockwise
    from the bottom."""
    width, height = plane.image_size_px
    by_side: dict[int, list[Arm]] = {}
    reaching = [arm for arm in arms if reach_mm(arm) >= LEAST_REACH_MM]
    for arm in reaching:
        x, y = plane.to_px(np.array([arm.entry_mm]))[0]
        # As bottom, left, top, right: how near to each border the arm comes in.
        gaps = (height - y, x, y, width - x)
        by_side.setdefault(int(np.argmin(gaps)), []).append(arm)
    least = max(_LEAST_ARMS, _LEAST_SHARE * len(reaching))
    seats = []
    for side, members in sorted(by_side.items()):
        if len(members) < least:
            continue
        entry = np.median([arm.entry_mm for arm in members], axis=0)
        inwards = np.median([arm.deepest_mm for arm in members], axis=0) - entry
        outwards = -inwards / max(float(np.hypot(*inwards)), 1.0)
        x, y = entry + _BEYOND_MM * outwards
        seats.append(SeatSeen(side, (round(float(x), 1), round(float(y), 1))))
    return seats


def reach_mm(arm: Arm) -> float:
    """How far an arm came over the table."""
    return float(np.hypot(*(np.array(arm.deepest_mm) - np.array(arm.entry_mm))))
