"""The last pictures with arms over the table, for what only they have shown."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from vision.facts import Reader
from vision.frames import Frame
from vision.grid import Grid, Mask
from vision.plane import TablePlane

_EVERY_S: Final = 0.11
_REMEMBER_S: Final = 2.5
_MOST_BYTES: Final = 70e6


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A picture with arms in it."""

    frame: Frame
    arms: Mapping[int, Mask]
    """Where each arm was, by its number."""


class Moments:
    """The last moments, as long as the camera stands still."""

    def __init__(self, reader: Reader, plane: TablePlane, grid: Grid) -> None:
        self._reader = reader
        self.plane = plane
        self._grid = grid
        self._moments: deque[Moment] = deque()

    def keep(self, frame: Frame, arms: Mapping[int, Mask]) -> None:
        """Take in the next frame. Without arms nothing can come to be covered."""
        moments = self._moments
        while moments and (
            frame.at_s - moments[0].frame.at_s > _REMEMBER_S
            or len(moments) * frame.image.nbytes > _MOST_BYTES
        ):
            moments.popleft()
        if arms and (not moments or frame.at_s - moments[-1].frame.at_s >= _EVERY_S):
            moments.append(Moment(frame, dict(arms)))

    def forget(self) -> None:
        """What has been told of them needs no telling again."""
        self._moments.clear()
