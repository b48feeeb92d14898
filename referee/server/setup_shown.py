"""What the set-up page is shown: the answers of its API, as they go over the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from referee.rules.options import GameName
from referee.server.setup_draft import Draft, Found, Point
from vision.capture import Granted, Lock

Light = Literal["good", "fair", "poor", "unknown"]


@dataclass(frozen=True, slots=True)
class CheckState:
    """One line of the check list."""

    name: str
    title: str
    light: Light
    value: str
    """What was measured, with its unit."""
    advice: str
    """What to do about it; empty where it is good."""


@dataclass(frozen=True, slots=True)
class PictureState:
    """The camera."""

    source: str
    size_px: tuple[int, int] | None
    granted: list[Granted]
    """What its driver made of each wish."""
    locks: list[Lock]
    """What is held as it is."""
    lockable: bool
    """Whether it is a camera that can be asked to."""
    is_recording: bool
    """Whether it is a recording, played as if it were live."""


@dataclass(frozen=True, slots=True)
class ZoneState:
    """Where a pile lies."""

    name: str
    at_px: Point
    size_mm: tuple[float, float]
    outline_px: list[Point]
    placed: bool
    """Whether it was found there or put there; else the frame is of no use yet."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """A player."""

    name: str
    at_px: Point


@dataclass(frozen=True, slots=True)
class GameState:
    """The game that is being watched, or the last one."""

    running: bool
    record: str
    players: list[str]
    moves: int
    over: bool
    """Whether the round has ended."""


@dataclass(frozen=True, slots=True)
class DraftState:
    """The table as it is being set up; pixels are those of the whole picture."""

    found: Found | None
    corners_px: list[Point]
    grid_px: list[list[Point]]
    size_mm: tuple[float, float]
    seats: list[SeatState]
    zones: list[ZoneState]
    masks_px: list[list[Point]]
    game: GameName
    options: dict[str, Any]
    first: str | None


@dataclass(frozen=True, slots=True)
class ReadHalf:
    """One half card that was read."""

    label: str
    text: str
    """What it reads, as one says it."""
    confidence: float
    outline_px: list[Point]
    right: bool | None = None
    """What the person says; None: nothing yet."""


@dataclass(frozen=True, slots=True)
class SetUpState:
    """All that the page shows."""

    revision: int
    """Goes up with each change, whoever made it."""
    picture: PictureState
    draft: DraftState | None
    """None before the first picture."""
    note: str
    """What came of the last attempt to find the table."""
    problems: list[str]
    """What is missing before a game can begin."""
    trouble: str
    """What is wrong with the referee itself, such as a table file that cannot be read; empty where
    nothing is."""
    file: str
    saved: bool
    """Whether the file holds the table as it is now."""
    game: GameState | None
    read: list[ReadHalf]
    """The half cards of the test layout."""


def draft_state(draft: Draft) -> DraftState:
    """A draft as the page is shown it."""
    return DraftState(
        found=draft.found,
        corners_px=list(draft.corners_px),
        grid_px=[list(line) for line in draft.grid_px],
        size_mm=draft.size_mm,
        seats=[SeatState(seat.name, seat.at_px) for seat in draft.seats],
        zones=[
            ZoneState(
                name, pile.at_px, pile.size_mm, list(draft.pile_outline_px(pile)), pile.placed
            )
            for name, pile in draft.piles.items()
        ],
        masks_px=[list(mask) for mask in draft.masks_px],
        game=draft.game,
        options=dict(draft.options),
        first=draft.first,
    )
