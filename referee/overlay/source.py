"""What the overlay and its server need to know, and from whom: the seam to a running game.

Whoever holds a game (a live session, a finished record played again, a test) answers these
three questions; the server asks from its own thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.store import Record
from vision.frames import CameraState

Light = Literal["watching", "hand", "checking", "out_of_sync", "no_camera"]
"""What vision is doing, as a lamp shows it. `checking`: something lies there that has not been
called yet; `out_of_sync`: the table does not fit the record; `no_camera`: the picture stopped."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The newest correction by hand."""

    revision: int
    """Another one with each correction."""
    moves: tuple[int, ...]
    """The moves that are judged differently now, by the numbers in `View.ids`: of all that may
    have shifted, these alone are news."""


@dataclass(frozen=True, slots=True)
class View:
    """A game at one moment. Whole and frozen, so that it can be read from any thread."""

    header: Record | None = None
    """The record's first line, or None before a game was set up."""
    log: tuple[Record, ...] = ()
    """Observations, each followed by its rulings, and scores: in the order of the record."""
    ids: tuple[int, ...] = ()
    """For each observation in the log the number that it keeps, wherever corrections push it;
    empty where nobody corrects anything."""
    light: Light = "watching"
    camera: CameraState = "ok"
    """Whether the live picture still moves on; of a recording always ok."""
    paused: bool = False
    """Whether what the camera sees is no move at present."""
    safe_mode: bool = False
    """Whether something is wrong on the referee's side, such as a full disk, so that not all of
    it works."""
    trouble: str = ""
    """What is wrong, in a sentence for whoever runs the game; empty where nothing is."""
    notice: str = ""
    """What does not work beside the game, such as its recording, in a sentence for whoever runs
    the game; viewers miss nothing, and are not told."""
    provisional: Record | None = None
    """An observation that is being checked, as far as it has been read; not official."""
    corrected: Corrected | None = None
    """What an operator last put right; None where nothing was."""
    clock_s: float | None = None
    """Where the recording's clock stands."""

    @property
    def is_limited(self) -> bool:
        """Whether anything at all does not work, as whoever runs the game sees it."""
        return self.safe_mode or bool(self.notice)

    @property
    def wrong(self) -> str:
        """All that is wrong, for whoever runs the game; empty where nothing is."""
        return "; ".join(filter(None, (self.trouble, self.notice)))


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw into the camera's picture."""

    polygon_px: tuple[tuple[float, float], ...]
    kind: Literal["zone", "line", "end", "illegal", "unsure", "provisional"]
    text: str = ""
    """What to write beside it, such as ``r2``; ASCII, as OpenCV's fonts have nothing else."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The newest frame and what to draw into it."""

    image: NDArray[np.uint8]
    """Height x width x 3, blue-green-red. Whoever gets it draws on a copy."""
    index: int
    """Counts up with each new frame; the same index is the same picture."""
    at_s: float
    """When it was taken, on the source's clock."""
    marks: tuple[Mark, ...] = ()
    arrived_s: float = field(default_factory=time.monotonic)
    """When it came in, by `time.monotonic`."""


class Pictures(Protocol):
    """Where pictures come from; may be asked from any thread."""

    def picture(self) -> Picture | None:
        """The newest frame, or None while there is no picture."""
        ...


class Source(Pictures, Protocol):
    """A game that can be watched. All methods may be called from any thread."""

    def view(self) -> View:
        """The game as it stands."""
        ...

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have `changed` called (from any thread, briefly) after each change of `view`.

        Returns the function that ends it. New frames alone are no change.
        """
        ...
