"""The pile's watcher and its camera: a bump is followed, a shoved pile is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.solo_table.table import ANN, BEN, CEM, TABLE, Lying, SoloTable
from tests.stage import HIGH, PLANE, WIDE
from vision.events import ArmLeft, Fact
from vision.facts import Half, Image
from vision.frames import Frame
from vision.pile_events import CardsDiscarded, PileBegan, PileMoved
from vision.pile_watch import PileWatcher
from vision.plane import TablePlane


@dataclass
class BumpedTable(SoloTable):
    """A table on which small things lie about, seen by a camera that is knocked."""

    camera: NDArray[np.float64] = field(default_factory=lambda: np.eye(3))
    """From pixels of `PLANE` to pixels of the picture."""

    def frame(self) -> Frame:
        frame = super().frame()
        image = frame.image.copy()
        rng = np.random.default_rng(5)
        for _ in range(160):
            spot = (int(rng.integers(WIDE)), int(rng.integers(HIGH)))
            if abs(spot[0] - WIDE / 2) > 70 or abs(spot[1] - HIGH / 2) > 70:
                shade = [int(v) for v in rng.integers(30, 240, 3)]
                cv2.circle(image, spot, int(rng.integers(3, 7)), shade, -1)
        seen = cv2.warpPerspective(image, self.camera, (WIDE, HIGH), borderMode=cv2.BORDER_REFLECT)
        return replace(frame, image=np.asarray(seen, np.uint8))

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """The faces where ``plane`` has them, which need not be where they are."""
        found = []
        for half in super().read(image, plane):
            px = PLANE.to_px(np.array([[half.x_mm, half.y_mm]])).reshape(-1, 1, 2)
            now_px = cv2.perspectiveTransform(px, self.camera).reshape(-1, 2)
            x, y = plane.to_mm(np.asarray(now_px, np.float64))[0]
            found.append(replace(half, x_mm=float(x), y_mm=float(y)))
        if region_mm is None:
            return found
        x0, y0, x1, y1 = region_mm
        return [one for one in found if x0 <= one.x_mm <= x1 and y0 <= one.y_mm <= y1]


class Game:
    """Two cards on the pile, and what the watcher says of what follows."""

    def __init__(self) -> None:
        self.table = BumpedTable()
        self.watcher = PileWatcher(self.table, TABLE.plane, TABLE.zones)
        self.see(self.table.wait(0.6))
        first = self.see(self.table.lay(CEM, Lying("g9")))
        second = self.see(self.table.lay(ANN, Lying("g5", 6.0, -4.0, 5.0)))
        assert [type(fact) for fact in (*first, *second)] == [PileBegan, CardsDiscarded]

    def see(self, frames: Iterable[Frame]) -> list[Fact]:
        told = [fact for frame in frames for fact in self.watcher.see(frame)]
        return [fact for fact in told if not isinstance(fact, ArmLeft)]


def knocked(dx_px: float, dy_px: float, turn_deg: float) -> NDArray[np.float64]:
    angle = np.radians(turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, dx_px], [sin, cos, dy_px], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("dx_px", "dy_px", "turn_deg"),
    [(-9.0, 7.0, 0.0), (5.0, -8.0, 1.5)],
    ids=["shifted", "turned"],
)
def test_a_bumped_camera_is_followed(dx_px: float, dy_px: float, turn_deg: float) -> None:
    game = Game()
    for shake in (0.4, 1.3, 0.8):
        game.table.camera = knocked(dx_px * shake, dy_px * shake, turn_deg * shake)
        assert game.see([game.table.frame()]) == []
    game.table.camera = knocked(dx_px, dy_px, turn_deg)
    assert game.see(game.table.wait(2.0)) == []  # nothing came, went or was moved
    (fact,) = game.see(game.table.lay(BEN, Lying("r5", -7.0, 3.0, -8.0)))
    assert isinstance(fact, CardsDiscarded)
    assert fact.onto.label == "g5" and fact.arm is not None
    assert fact.arm.entry_mm[0] < -400
    # Where cards lie on the table has not changed: only the picture has.
    card = fact.cards[0]
    assert (card.x_mm, card.y_mm) == pytest.approx((-7.0, 3.0), abs=4.0)


def test_a_pile_that_is_shoved_is_no_bump() -> None:
    game = Game()
    plane = game.watcher.plane
    facts = game.see(game.table.push(BEN, lambda card: card.moved(20.0, 12.0)))
    assert facts and all(isinstance(fact, PileMoved) for fact in facts)
    assert game.watcher.plane is plane
