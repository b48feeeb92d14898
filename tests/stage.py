"""A table drawn for tests: flat cards, an arm, noise; and a reader that knows what lies there.

Two millimetres are one pixel, the table's origin is the middle of the picture. Nothing here looks
like a real card: what the tests ask is what happened and when, not how cards read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import COLOURS, FACES, Half, Image
from vision.frames import Frame
from vision.hands import Zone
from vision.plane import TablePlane

WIDE, HIGH = 480, 320
"""Size of the picture in pixels; it shows 960 x 640 mm."""
SCALE = 0.5
STEP_S = 1 / 15
PLANE = TablePlane(
    np.array([[SCALE, 0.0, WIDE / 2], [0.0, SCALE, HIGH / 2], [0.0, 0.0, 1.0]]), (WIDE, HIGH)
)
PILE = Zone((-380.0, 120.0), (90.0, 120.0))
ZONES = {"draw_pile": PILE}
_TABLE = np.clip(
    np.array([70, 110, 150])
    + 12 * np.sin(np.arange(WIDE) / 5.0)[None, :, None]
    + np.zeros((HIGH, 1, 1)),
    0,
    255,
).astype(np.uint8)
_NOISE = np.random.default_rng(7).normal(0, 1, (5, HIGH, WIDE, 3)).astype(np.float32)
INKS = {"r": (40, 40, 200), "y": (40, 200, 220), "g": (60, 160, 40), "b": (200, 90, 40)}


def half(label: str, x_mm: float, y_mm: float, axis_deg: float = 0.0, sure: float = 0.99) -> Half:
    """A half that reads as its label; ``sure`` is the probability of its colour and its face."""

    def spread(letters: str, letter: str) -> tuple[float, ...]:
        rest = (1 - sure) / (len(letters) - 1)
        return tuple(sure if one == letter else rest for one in letters)

    return Half(x_mm, y_mm, axis_deg, spread(COLOURS, label[0]), spread(FACES, label[1]))


def lying(card: str, x_mm: float, y_mm: float) -> list[Half]:
    """The halves of a card that lies lengthwise along x around a point, left half first."""
    left, right = card.split("/")
    return [half(left, x_mm - 22.75, y_mm), half(right, x_mm + 22.75, y_mm)]


class Blind:
    """A reader that finds nothing."""

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """No halves."""
        return []


@dataclass
class Arm:
    """An arm from outside the picture to its fingertips, with a card in them or not."""

    shoulder_mm: tuple[float, float]
    tip_mm: tuple[float, float]
    card: str | None = None


@dataclass
class Stage:
    """What lies on the table, drawn again for every frame. Also the reader of that picture."""

    cards: list[tuple[str, float, float]] = field(default_factory=list)
    """Card, and where its middle lies; later ones lie on top."""
    arms: list[Arm] = field(default_factory=list)
    light: float = 1.0
    noise: float = 2.0
    blur_px: float = 0.0
    """Of a lens that hunts for focus."""
    camera: NDArray[np.float64] = field(default_factory=lambda: np.eye(3))
    """How the camera has moved: from pixels of `PLANE` to pixels of the picture."""
    pile: bool = False
    """Whether a face-down card lies where `PILE` is."""
    things: bool = False
    """Whether small things lie about, by which a moved camera can be told."""
    lasts_s: Iterator[float] = field(default_factory=lambda: repeat(STEP_S))
    """How long each frame lasts."""
    at_s: float = 0.0
    readings: int = 0
    _index: int = 0

    def frame(self) -> Frame:
        """The next frame, as a rule 1/15 s after the one before."""
        image = _TABLE.copy()
        if self.things:
            _draw_things(image)
        if self.pile:
            _draw_pile(image)
        for card, x, y in self.cards:
            _draw_card(image, card, x, y)
        for arm in self.arms:
            _draw_arm(image, arm)
        if not np.array_equal(self.camera, np.eye(3)):
            size = (WIDE, HIGH)
            image = cv2.warpPerspective(image, self.camera, size, borderMode=cv2.BORDER_REFLECT)
        if self.blur_px:
            image = cv2.GaussianBlur(image, (0, 0), self.blur_px)
        self._index += 1
        self.at_s += next(self.lasts_s)
        grain = _NOISE[self._index % len(_NOISE)] * self.noise
        lit = np.clip(image * np.float32(self.light) + grain, 0, 255)
        return Frame(lit.astype(np.uint8), self.at_s, self._index)

    def wait(self, seconds: float) -> Iterator[Frame]:
        """Frames in which nothing moves."""
        until_s = self.at_s + seconds - STEP_S / 2
        while self.at_s < until_s:
            yield self.frame()

    def reach(
        self,
        shoulder_mm: tuple[float, float],
        to_mm: tuple[float, float],
        *,
        stay_s: float = 0.3,
        brings: tuple[str, float, float] | None = None,
        takes: bool = False,
        travel_s: float = 0.4,
    ) -> Iterator[Frame]:
        """An arm that comes in, stays and goes; it lays a card, or takes the last one."""
        arm = Arm(shoulder_mm, shoulder_mm, brings[0] if brings else None)
        self.arms.append(arm)
        yield from self._travel(arm, shoulder_mm, to_mm, travel_s)
        yield from self.wait(stay_s)
        if brings:
            self.cards.append(brings)
            arm.card = None
        if takes:
            arm.card = self.cards.pop()[0]
        yield from self._travel(arm, to_mm, shoulder_mm, travel_s)
        self.arms.remove(arm)

    def _travel(
        self, arm: Arm, start: tuple[float, float], stop: tuple[float, float], seconds: float
    ) -> Iterator[Frame]:
        began_s, share = self.at_s, 0.0
        while share < 1:
            share = min(1.0, (self.at_s - began_s + STEP_S) / seconds)
            arm.tip_mm = _between(start, stop, share)
            yield self.frame()

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """The halves that lie on top and under no arm; `vision.facts.Reader`."""
        self.readings += 1
        seen: list[Half] = []
        for card, x, y in self.cards:
            fresh = lying(card, x, y)
            seen = [one for one in seen if all(_apart(one, other) > 24 for other in fresh)]
            seen += fresh
        spots = [_px([(one.x_mm, one.y_mm)])[0] for one in seen]
        hidden = np.zeros((HIGH, WIDE, 3), np.uint8)
        for arm in self.arms:
            _draw_arm(hidden, arm)
        seen = [one for one, (x, y) in zip(seen, spots, strict=True) if not hidden[y, x].any()]
        seen = [self._as_seen(one, plane) for one in seen]
        if region_mm is not None:
            x0, y0, x1, y1 = region_mm
            seen = [h for h in seen if x0 <= h.x_mm <= x1 and y0 <= h.y_mm <= y1]
        return seen

    def _as_seen(self, one: Half, plane: TablePlane) -> Half:
        """Where a half seems to lie to who believes in a plane."""
        px = PLANE.to_px(np.array([[one.x_mm, one.y_mm]])).reshape(1, 1, 2)
        moved = np.asarray(cv2.perspectiveTransform(px, self.camera), np.float64).reshape(1, 2)
        x, y = plane.to_mm(moved)[0]
        return replace(one, x_mm=float(x), y_mm=float(y))


def _apart(one: Half, other: Half) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def _between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _px(points: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
    return np.round(PLANE.to_px(np.array(points))).astype(np.int32)


def _draw_things(image: Image) -> None:
    rng = np.random.default_rng(5)
    for _ in range(70):
        spot = (int(rng.integers(WIDE)), int(rng.integers(HIGH)))
        shade = [int(v) for v in rng.integers(30, 240, 3)]
        cv2.circle(image, spot, int(rng.integers(2, 6)), shade, -1)


def _draw_card(image: Image, card: str, x: float, y: float) -> None:
    for one in lying(card, x, y):
        low, high = _px([(one.x_mm - 22, one.y_mm - 29), (one.x_mm + 22, one.y_mm + 29)]).tolist()
        cv2.rectangle(image, low, high, INKS[one.colour], -1)
        middle = _px([(one.x_mm - 8, one.y_mm + 10)])[0].tolist()
        cv2.putText(image, one.face, middle, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (250, 250, 250), 2)


def _draw_pile(image: Image) -> None:
    (x, y), (wide, high) = PILE.centre_mm, (59.0, 91.0)
    low, high_px = _px([(x - wide / 2, y - high / 2), (x + wide / 2, y + high / 2)]).tolist()
    cv2.rectangle(image, low, high_px, (230, 230, 230), -1)
    cv2.rectangle(image, np.add(low, 3).tolist(), np.add(high_px, -3).tolist(), (110, 40, 40), -1)


def _draw_arm(image: Image, arm: Arm) -> None:
    if arm.card is not None:
        _draw_card(image, arm.card, *arm.tip_mm)
    start, tip = _px([arm.shoulder_mm, arm.tip_mm]).tolist()
    cv2.line(image, start, tip, (120, 150, 215), 23)
