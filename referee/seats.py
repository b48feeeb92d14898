"""Whose arm it is: the seat that lies on the arm's way back out of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot
from typing import Final

from vision.hands import Arm

_SPREAD_MM: Final = 90.0
"""Shoulders are this far, more or less, from where a seat was marked."""
_OTHER_SIDE_MM: Final = 300.0
"""What it counts, in distance, that an arm points at a right angle to a seat's side."""
_LEAST_REACH_MM: Final = 80.0
"""An arm that is seen less deep than this has no direction."""


class Seats:
    """The players' seats around the table."""

    def __init__(self, seats_mm: Sequence[tuple[float, float] | None]) -> None:
        """Seats in the players' order; None where it is not known where somebody sits."""
        self._seats_mm = [(i, seat) for i, seat in enumerate(seats_mm) if seat is not None]
        count = max(1, len(self._seats_mm))
        self._middle_mm = (
            sum(x for _, (x, _) in self._seats_mm) / count,
            sum(y for _, (_, y) in self._seats_mm) / count,
        )

    def player(self, arm: Arm | None) -> tuple[int | None, float]:
        """The player whose arm it is and how likely that is; (None, 1.0) where nobody knows."""
        if arm is None or not self._seats_mm:
            return None, 1.0
        costs = [(self._cost_mm(arm, seat), i) for i, seat in self._seats_mm]
        nearest_mm, player = min(costs)
        return player, 1.0 / sum(exp((nearest_mm - cost) / _SPREAD_MM) for cost, _ in costs)

    def _cost_mm(self, arm: Arm, seat_mm: tuple[float, float]) -> float:
        """How far a seat is from where the arm comes in and from the line that it lies on, and
        how little the arm points back to the seat's side of the table."""
        out_x, out_y = arm.entry_mm[0] - arm.deepest_mm[0], arm.entry_mm[1] - arm.deepest_mm[1]
        to_x, to_y = seat_mm[0] - arm.entry_mm[0], seat_mm[1] - arm.entry_mm[1]
        from_entry_mm = hypot(to_x, to_y)
        reach_mm = hypot(out_x, out_y)
        if reach_mm < _LEAST_REACH_MM:
            return from_entry_mm
        out_x, out_y = out_x / reach_mm, out_y / reach_mm
        along = max(0.0, to_x * out_x + to_y * out_y)
        aside_mm = hypot(to_x - along * out_x, to_y - along * out_y)
        side_x, side_y = seat_mm[0] - self._middle_mm[0], seat_mm[1] - self._middle_mm[1]
        cos = (side_x * out_x + side_y * out_y) / max(hypot(side_x, side_y), 1.0)
        return (from_entry_mm + aside_mm) / 2 + _OTHER_SIDE_MM * (1 - cos)
