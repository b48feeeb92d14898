"""A short game on the drawn table, for the tests of session and review."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.table import Player, Table
from tests.stage import PILE, PLANE, ZONES, Stage
from vision.frames import Frame, SourceError

TABLE = Table(
    plane=PLANE,
    players=(
        Player("Ann", (0.0, 420.0)),
        Player("Ben", (-600.0, 0.0)),
        Player("Cem", (0.0, -420.0)),
    ),
    zones=ZONES,
)
SOUTH, WEST, NORTH = (0.0, 420.0), (-600.0, 0.0), (0.0, -420.0)


class Play:
    """Cem starts, Ann lays, Ben lays what does not match, Cem draws. A frame source."""

    live = False
    duration_s: float | None = 8.0
    size_px = PLANE.image_size_px

    def __init__(self, stage: Stage, breaks_off: bool = False) -> None:
        self._stage = stage
        self._breaks_off = breaks_off

    def __iter__(self) -> Iterator[Frame]:
        stage = self._stage
        yield from stage.wait(0.6)
        yield from stage.reach(NORTH, (0.0, -10.0), brings=("r5/g1", 0.0, 0.0))
        yield from stage.wait(0.6)
        yield from stage.reach(SOUTH, (45.5, 10.0), brings=("g7/g6", 45.5, 0.0))
        yield from stage.wait(0.6)
        if self._breaks_off:
            raise SourceError("play.mp4: expected 8.0 s of video, found it broken off after 3.7 s")
        yield from stage.reach(WEST, (-45.5, 0.0), brings=("b2/y4", -45.5, 0.0))
        yield from stage.wait(0.6)
        yield from stage.reach(NORTH, PILE.centre_mm, travel_s=0.6)
        yield from stage.wait(0.6)

    def close(self) -> None:
        """Nothing to let go of."""
