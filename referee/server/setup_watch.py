"""What shows by itself while a table is set up: where people sit, and where the draw pile lies.

Both may be hidden in the one picture in which the table was found, under an arm for instance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from calibration.seats import ArmWatch
from referee.server.setup_draft import DRAW_PILE, Draft, Point
from vision.frames import LOOK_EVERY_S, Frame

_SEEK_EVERY_S: Final = 3.0
"""Looking for the pile takes a reading of the whole table."""


class TableWatch:
    """Looks on while nobody has said where people sit and where the pile lies. Not for use from
    several threads at once."""

    def __init__(self) -> None:
        self._arms: ArmWatch | None = None
        self._followed_s = 0.0
        self._sought_s = -math.inf

    def rest(self) -> None:
        """A game is being watched: let go of the pictures that are kept."""
        self._arms = None

    def seats_seen(self, frame: Frame, draft: Draft) -> Sequence[Point]:
        """Take in the next picture; where people sit, as millimetres on the table, if there is
        news of at least two of them."""
        if draft.plane is None or "players" not in draft.assumed:
            return ()
        arms, since_s = self._arms, frame.at_s - self._followed_s
        if arms is None or arms.plane is not draft.plane or since_s < 0:
            arms = self._arms = ArmWatch(draft.plane)
        elif since_s < LOOK_EVERY_S:
            return ()
        self._followed_s = frame.at_s
        if frame.image.shape[1::-1] != draft.image_size_px or not arms.see(frame):
            return ()
        seats = arms.seats()
        return [seat.seat_mm for seat in seats] if len(seats) >= 2 else ()

    def pile_is_due(self, frame: Frame, draft: Draft) -> bool:
        """Whether the draw pile should be looked for in this picture: nobody has found it."""
        pile = draft.piles.get(DRAW_PILE)
        if draft.plane is None or pile is None or pile.placed:
            return False
        if frame.image.shape[1::-1] != draft.image_size_px:
            return False
        if 0.0 <= frame.at_s - self._sought_s < _SEEK_EVERY_S:
            return False
        self._sought_s = frame.at_s
        return True
