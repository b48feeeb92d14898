"""What the watchers of either game stand on: a camera that may be bumped, and arms over the table.

The small picture, what moves in it, arms and the closer look all belong to one plane. When the
camera has moved and stands still again they are carried over to the plane as it is seen now.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

import cv2

from vision.activity import Activity, Look
from vision.closer import CloserLook
from vision.facts import Reader
from vision.frames import Frame
from vision.grid import Grid, Mask
from vision.hands import Arm, Hands, Zone
from vision.plane import TablePlane
from vision.settled import Parts
from vision.steady import Steady, is_knock, moved_plane
from vision.witness import Witness

AROUND_CARD_MM: Final = 50.0
"""How far from its middle a half card's surroundings may show it."""
_SHAKES_S: Final = 0.8
"""A camera that stands still again was knocked no longer ago than this."""


class Onlooker(ABC):
    """One camera over one table. Not for use from several threads at once."""

    def __init__(
        self, reader: Reader, plane: TablePlane, zones: Mapping[str, Zone] | None = None
    ) -> None:
        self.plane = plane
        """The table as the camera sees it now: it may have been bumped."""
        self._grid = Grid(plane)
        self._activity = Activity(self._grid)
        self._hands = Hands(self._grid, zones or {})
        self._reader = reader
        self._closer = CloserLook(reader, plane)
        self._steady = Steady()
        self._leaving: list[Arm] = []
        """Arms that have left while the camera moved: were they any?"""

    @property
    def arms(self) -> Sequence[Arm]:
        """The arms that are over the table now."""
        return self._hands.present

    @property
    def _witness(self) -> Witness:
        return Witness(self._grid, self._activity, self._hands)

    @abstractmethod
    def _card_cells(self) -> Mask:
        """Where the cards of the game lie, which players push about."""

    @abstractmethod
    def _look_anew(self) -> None:
        """Drop what was about to be read: the camera sees it elsewhere now."""

    def _camera_moves(self, look: Look, now: Parts, frame: Frame) -> bool:
        """Whether the camera moves, or has just moved and was followed: nothing is read then."""
        asks = any(cv2.countNonZero(m) for m in (now.ready, now.specks, now.uncovered, now.resting))
        began_s = self._steady.moving_since_s
        motion = self._steady.look(look, self._hands.mask, self._card_cells, now=asks)
        if motion is None:
            return self._steady.moving_since_s is not None
        self.plane = moved_plane(self.plane, motion, self._grid.px_per_cell)
        self._grid = self._grid.moved(self.plane)
        self._activity.camera_moved(self._grid, motion, look)
        # A knock makes the whole picture seem to be arms; a slow drift does not.
        knock_s = (began_s or look.at_s) - _SHAKES_S if is_knock(motion, look) else look.at_s
        self._hands.camera_moved(self._grid, motion, knock_s)
        self._leaving = [arm for arm in self._leaving if arm.came_s < knock_s]
        self._closer = CloserLook(self._reader, self.plane)
        self._closer.keep(frame)
        self._look_anew()
        return True
