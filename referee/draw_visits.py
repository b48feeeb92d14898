"""Draws, told from hands that stay at the draw pile."""

from __future__ import annotations

from typing import Any, Final

from referee.seats import Seats
from vision.hands import Arm, Visit

DRAW_PILE: Final = "draw_pile"

_GRASP_S: Final = (0.12, 5.0)
"""A hand takes a card in no less and no more."""
_GRASP_MM_S: Final = 200.0
_AT_ONCE_S: Final = 0.3
"""A card laid or taken this near in time to a stay at the pile is what the hand was there for."""
_DRAW_SURE: Final = 0.95


class DrawVisits:
    """Remembers which stays at the draw pile were told, and tells the others as draws."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        self._told: set[tuple[int, float]] = set()
        """Arm's number, and when it came to the pile."""

    def draws(self, arm: Arm, at_s: float, reported_s: float) -> list[dict[str, Any]]:
        """The observation of the cards that an arm has drawn since it was last asked for."""
        fresh = [
            visit
            for visit in arm.visits
            if visit.zone == DRAW_PILE
            and (arm.number, visit.from_s) not in self._told
            and _is_grasp(visit)
        ]
        self._told |= {(arm.number, visit.from_s) for visit in fresh}
        if not fresh:
            return []
        player, sure = self._seats.player(arm)
        return [
            {
                "type": "draw",
                "player": player,
                "count": len(fresh),
                "t": round(at_s, 3),
                "t_reported": round(reported_s, 3),
                "confidence": round(_DRAW_SURE * sure, 4),
                "evidence": {"frame_s": round(fresh[-1].to_s, 3), "zone": DRAW_PILE},
            }
        ]

    def forget(self, arm: Arm | None, at_s: float | None = None) -> None:
        """What the hand did at the pile (at a time) was something else there: no draw."""
        if arm is None:
            return
        for visit in arm.visits:
            if at_s is None or visit.from_s - _AT_ONCE_S <= at_s <= visit.to_s + _AT_ONCE_S:
                self._told.add((arm.number, visit.from_s))


def _is_grasp(visit: Visit) -> bool:
    """Whether a hand that was over the pile took a card, rather than passing over it."""
    stay_s = visit.to_s - visit.from_s
    if not _GRASP_S[0] <= stay_s <= _GRASP_S[1]:
        return False
    return visit.turned_back or visit.slowest_mm_s <= _GRASP_MM_S
