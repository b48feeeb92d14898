"""Whose arm it is: the seat that lies on the arm's way back out of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot
from typing import Final

from vision.hands import Arm

_SPREAD_MM: Final = 90.0
"""Shoulders are this far, more or less, from where a seat was marked."""
_LEAST_REACH_MM: Final = 80.0
"""An arm that is seen less deep than this has no direction."""


class Seats:
    """The players' seats around the table."""

    def __init__(self, seats_mm: Sequence[tuple[float, float] | None]) -> None:
        """Seats in the players' order; None where it is not known where somebody sits."""
        self._seats_mm = tuple(seats_mm)

    def player(self, arm: Arm | None) -> tuple[int | None, float]:
        """The player whose arm it is and how likely that is; (None, 1.0) where nobody knows."""
        known = [(i, seat) for i, seat in enumerate(self._seats_mm) if seat is not None]
        if arm is None or not known:
            return None, 1.0
        costs = [(_cost_mm(arm, seat), i) for i, seat in known]
        nearest_mm, player = min(costs)
        return player, 1.0 / sum(exp((nearest_mm - cost) / _SPREAD_MM) for cost, _ in costs)


def _cost_mm(arm: Arm, seat_mm: tuple[float, float]) -> float:
    """How far a seat is from where the arm comes in and from the line that it lies on."""
    out_x, out_y = arm.entry_mm[0] - arm.deepest_mm[0], arm.entry_mm[1] - arm.deepest_mm[1]
    to_x, to_y = seat_mm[0] - arm.entry_mm[0], seat_mm[1] - arm.entry_mm[1]
    from_entry_mm = hypot(to_x, to_y)
    reach_mm = hypot(out_x, out_y)
    if reach_mm < _LEAST_REACH_MM:
        return from_entry_mm
    along = max(0.0, (to_x * out_x + to_y * out_y) / reach_mm)
    aside_mm = hypot(to_x - along * out_x / reach_mm, to_y - along * out_y / reach_mm)
    return (from_entry_mm + aside_mm) / 2
