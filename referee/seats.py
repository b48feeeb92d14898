"""Whose arm it is: the seat that lies on the arm's way back out of the picture, and the sleeve.

Where an arm comes from tells the player nearly always; between two neighbours at a corner it
does not. What each player's arm looks like is therefore learnt from the reaches that leave no
doubt, and speaks where the seats alone do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.hands import Arm
from vision.sleeves import SHAPE, Colours

_SPREAD_MM: Final = 90.0
"""Shoulders are this far, more or less, from where a seat was marked."""
_OTHER_SIDE_MM: Final = 300.0
"""What it counts, in distance, that an arm points at a right angle to a seat's side."""
_LEAST_REACH_MM: Final = 80.0
"""An arm that is seen less deep than this has no direction."""
_SURE: Final = 0.9
"""Sleeves are learnt from arms that their way alone gives to a player as surely as this."""
_NEWEST: Final = 0.3
"""Weight of the newest reach in what a player's arm looks like: a jacket may be taken off."""
_OTHERWISE: Final = 0.1
"""Share of an arm's colours that may be anything: shadows, a card, the table."""
_SAME_LOOKS: Final = 0.35
"""How likely somebody whose arm was not seen yet is to look like somebody whose arm was: often
no more is seen than a hand and a wrist."""
_PATCHES: Final = 2.5
"""An arm's cells are alike: all of them say as much as so many that are not."""
_MOST_TOLD: Final = 20.0
"""However unlike two sleeves look, they count no more than this against each other."""


class Seats:
    """The players' seats around the table."""

    def __init__(self, seats_mm: Sequence[tuple[float, float] | None]) -> None:
        """Seats in the players' order; None where it is not known where somebody sits."""
        self._seats_mm = [(i, seat) for i, seat in enumerate(seats_mm) if seat is not None]
        self._worn: dict[int, Colours] = {}
        """What each player's arm looks like, as far as it was seen."""
        count = max(1, len(self._seats_mm))
        self._middle_mm = (
            sum(x for _, (x, _) in self._seats_mm) / count,
            sum(y for _, (_, y) in self._seats_mm) / count,
        )

    def player(self, arm: Arm | None) -> tuple[int | None, float]:
        """The player whose arm it is and how likely that is; (None, 1.0) where nobody knows."""
        if arm is None or not self._seats_mm:
            return None, 1.0
        likely = self._by_way(arm)
        if arm.colours is not None and self._worn:
            likely = likely * self._by_sleeve(arm.colours)
        best = int(np.argmax(likely))
        return self._seats_mm[best][0], float(likely[best] / likely.sum())

    def learn(self, arm: Arm | None) -> None:
        """Remember what an arm that has left looked like, if it is clear whose it was."""
        if arm is None or arm.colours is None or not self._seats_mm:
            return
        likely = self._by_way(arm)
        best = int(np.argmax(likely))
        if likely[best] < _SURE * likely.sum():
            return
        player = self._seats_mm[best][0]
        known = self._worn.get(player, arm.colours)
        self._worn[player] = (1 - _NEWEST) * known + _NEWEST * arm.colours

    def _by_way(self, arm: Arm) -> NDArray[np.float64]:
        """How likely each seat is by where the arm came from; the likeliest has 1."""
        costs = np.array([self._cost_mm(arm, seat) for _, seat in self._seats_mm])
        return np.asarray(np.exp((costs.min() - costs) / _SPREAD_MM), np.float64)

    def _by_sleeve(self, colours: Colours) -> NDArray[np.float64]:
        """How likely each seat's player is to look like this; the likeliest has 1."""
        anything = 1.0 / np.prod(SHAPE)
        told = {
            player: _PATCHES
            * float((colours * np.log((1 - _OTHERWISE) * worn + _OTHERWISE * anything)).sum())
            for player, worn in self._worn.items()
        }
        # Somebody not seen yet is dressed like one who was, or in anything.
        alike = float(np.mean(np.exp(list(told.values()))))
        stranger = _SAME_LOOKS * alike + (1 - _SAME_LOOKS) * anything**_PATCHES
        likely = [exp(told[i]) if i in told else stranger for i, _ in self._seats_mm]
        return np.maximum(np.array(likely) / max(likely), 1 / _MOST_TOLD)

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
