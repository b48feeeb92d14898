"""A game that a test moves on by hand, and some lines of a record to move it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from referee.overlay.source import Mark, Picture, View

HEADER: dict[str, Any] = {
    "type": "game",
    "game": "solomino",
    "players": ["Ann", "Ben", "Cem"],
    "first_player": 0,
    "options": {},
    "hands": [8, 8, 8],
    "draw_pile": 95,
}


class Desk:
    """A `Source` whose state is set by the test."""

    def __init__(self) -> None:
        self.shown = View(header=HEADER)
        self.photo: Picture | None = None
        self.subscribers: list[Callable[[], None]] = []

    def view(self) -> View:
        return self.shown

    def picture(self) -> Picture | None:
        return self.photo

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        self.subscribers.append(changed)
        return lambda: self.subscribers.remove(changed)

    def show(self, **changes: Any) -> None:
        """Change what is shown, and tell."""
        self.shown = replace(self.shown, **changes)
        for changed in list(self.subscribers):
            changed()

    def add(self, *lines: dict[str, Any]) -> None:
        """More lines of the record."""
        self.show(log=(*self.shown.log, *lines))

    def take(self, index: int = 1, marks: tuple[Mark, ...] = ()) -> None:
        """A new frame, plain grey."""
        image = np.full((90, 160, 3), 120, np.uint8)
        self.photo = Picture(image, index, float(index), marks)


def ruling(of: int, **changes: Any) -> dict[str, Any]:
    """A ruling on a legal move of Ann's, after which it is Ben's turn."""
    plain: dict[str, Any] = {
        "type": "ruling",
        "of": of,
        "player": 0,
        "legal": True,
        "violations": [],
        "effects": [],
        "turn": 1,
        "direction": "left",
        "must_draw": 0,
        "hands": [7, 8, 8],
        "draw_pile": 95,
        "ends": ["r5", "g6"],
        "finished": False,
        "winners": [],
    }
    return plain | changes


START = {"type": "start", "t": 4.0, "card": "r5/g1"}
PLACE = {
    "type": "place",
    "t": 6.0,
    "player": 0,
    "card": "g7/g6",
    "onto": "g1",
    "with": "g7",
}
ILLEGAL = {"type": "place", "t": 9.0, "player": 1, "card": "y4/y1", "onto": "g6", "with": "y4"}
