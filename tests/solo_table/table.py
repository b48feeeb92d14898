"""A table with a discard pile drawn for tests, and a reader that knows what lies there.

As `tests.stage`: two millimetres are one pixel, the table's origin is the middle of the picture.
Cards are plain rectangles with a letter; what the tests ask is what happened and when.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Player, Table
from tests.stage import HIGH, PILE, PLANE, STEP_S, WIDE, Arm
from vision.facts import CARD_MM, PRINT_COLOURS, PRINT_FACES, Half, Image
from vision.frames import Frame
from vision.hands import Zone
from vision.plane import TablePlane

DISCARD = Zone((0.0, 0.0), (100.0, 130.0))
TABLE = Table(
    plane=PLANE,
    players=(
        Player("Ann", (0.0, 420.0)),
        Player("Ben", (-600.0, 0.0)),
        Player("Cem", (0.0, -420.0)),
    ),
    zones={"draw_pile": PILE, "discard_pile": DISCARD},
    game="solo",
    deck="solo",
)
ANN, BEN, CEM = (0.0, 420.0), (-600.0, 0.0), (0.0, -420.0)
_INKS = {
    "r": (40, 40, 200),
    "y": (40, 200, 220),
    "g": (60, 160, 40),
    "b": (200, 90, 40),
    "k": (25, 25, 25),
    "n": (110, 110, 110),
}
_GROUND = np.clip(
    np.array([70, 110, 150])
    + 12 * np.sin(np.arange(WIDE) / 5.0)[None, :, None]
    + np.zeros((HIGH, 1, 1)),
    0,
    255,
).astype(np.uint8)
_NOISE = np.random.default_rng(7).normal(0, 2, (5, HIGH, WIDE, 3)).astype(np.float32)
_LEAST_SEEN = 0.45
_HELD_MM = 26.0
"""A card in a hand sticks out so far from between its fingers."""
_REMEMBERED = 40


@dataclass(frozen=True)
class Lying:
    """A face-up card on the table."""

    card: str
    x_mm: float = 0.0
    y_mm: float = 0.0
    angle_deg: float = 0.0

    def moved(self, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> Lying:
        """The card, pushed."""
        return replace(
            self,
            x_mm=self.x_mm + x_mm,
            y_mm=self.y_mm + y_mm,
            angle_deg=self.angle_deg + turn_deg,
        )

    def corners_mm(self, length_mm: float = CARD_MM[1]) -> NDArray[np.float64]:
        """Corners of the card, or of its middle part."""
        a = np.radians(self.angle_deg)
        up = np.array([np.sin(a), -np.cos(a)]) * length_mm / 2
        right = np.array([np.cos(a), np.sin(a)]) * CARD_MM[0] / 2
        middle = np.array([self.x_mm, self.y_mm])
        return np.array([middle - right + up, middle + right + up,
                         middle + right - up, middle - right - up])  # fmt: skip


def face(card: str, x_mm: float = 0.0, y_mm: float = 0.0, angle_deg: float = 0.0,
         sure: float = 0.99, seen: float = 1.0) -> Half:  # fmt: skip
    """A one-faced card that reads as its label."""

    def spread(letters: str, letter: str) -> tuple[float, ...]:
        rest = (1 - sure) / (len(letters) - 1)
        return tuple(sure if one == letter else rest for one in letters)

    colour, symbol = spread(PRINT_COLOURS, card[0]), spread(PRINT_FACES, card[1])
    return Half(x_mm, y_mm, (angle_deg + 90.0) % 180.0, colour, symbol, seen=seen)


@dataclass
class SoloTable:
    """What lies on the table, drawn again for every frame. Also the reader of that picture."""

    cards: list[Lying] = field(default_factory=list)
    """Later ones lie on top."""
    arms: list[Arm] = field(default_factory=list)
    sure: float = 0.99
    light: float = 1.0
    at_s: float = 0.0
    readings: int = 0
    _index: int = 0
    _taken: deque[tuple[Image, list[Lying], list[Arm]]] = field(
        default_factory=lambda: deque(maxlen=_REMEMBERED)
    )
    """The last pictures, each with what it shows."""

    def frame(self) -> Frame:
        """The next frame, 1/15 s after the one before."""
        image = _GROUND.copy()
        for card in self.cards:
            _draw_card(image, card)
        for arm in self.arms:
            if (held := _held(arm)) is not None:
                _draw_card(image, held)
            start, tip = _px(arm.shoulder_mm, arm.tip_mm)
            cv2.line(image, start, tip, (120, 150, 215), 23)
        self._index += 1
        self.at_s = self._index * STEP_S
        grain = _NOISE[self._index % len(_NOISE)]
        lit = np.clip(image * np.float32(self.light) + grain, 0, 255).astype(np.uint8)
        self._taken.append((lit, list(self.cards), [replace(arm) for arm in self.arms]))
        return Frame(lit, self.at_s, self._index)

    def wait(self, seconds: float = 1.0) -> Iterator[Frame]:
        """Frames in which nothing moves."""
        for _ in range(round(seconds / STEP_S)):
            yield self.frame()

    def reach(
        self,
        shoulder_mm: tuple[float, float],
        to_mm: tuple[float, float],
        *,
        brings: str | None = None,
        does: Callable[[], str | None] = lambda: None,
        stay_s: float = 0.3,
    ) -> Iterator[Frame]:
        """An arm that comes in, stays, does something to the cards and goes.

        ``does`` returns the card that leaves with the hand, if one does.
        """
        steps = round(0.4 / STEP_S)
        arm = Arm(shoulder_mm, shoulder_mm, brings)
        self.arms.append(arm)
        for i in range(1, steps + 1):
            arm.tip_mm = _between(shoulder_mm, to_mm, i / steps)
            yield self.frame()
        for _ in range(round(stay_s / STEP_S)):
            yield self.frame()
        arm.card = does()
        for i in range(steps - 1, -1, -1):
            arm.tip_mm = _between(shoulder_mm, to_mm, i / steps)
            yield self.frame()
        self.arms.remove(arm)

    def lay(self, shoulder_mm: tuple[float, float], card: Lying) -> Iterator[Frame]:
        """A hand lays a card."""
        yield from self.reach(
            shoulder_mm,
            (card.x_mm, card.y_mm),
            brings=card.card,
            does=lambda: self.cards.append(card),
        )
        yield from self.wait()

    def take(self, shoulder_mm: tuple[float, float]) -> Iterator[Frame]:
        """A hand takes the top card back."""
        top = self.cards[-1]
        spot = (top.x_mm, top.y_mm)
        yield from self.reach(shoulder_mm, spot, does=lambda: self.cards.pop().card)
        yield from self.wait()

    def push(
        self,
        shoulder_mm: tuple[float, float],
        change: Callable[[Lying], Lying],
        whole: bool = True,
    ) -> Iterator[Frame]:
        """A hand moves the pile, or its top card alone."""
        top = self.cards[-1]

        def does() -> None:
            first = 0 if whole else len(self.cards) - 1
            self.cards[first:] = [change(card) for card in self.cards[first:]]

        yield from self.reach(shoulder_mm, (top.x_mm, top.y_mm), does=does)
        yield from self.wait()

    def draw(self, shoulder_mm: tuple[float, float]) -> Iterator[Frame]:
        """A hand takes a card from the draw pile."""
        yield from self.reach(shoulder_mm, PILE.centre_mm)
        yield from self.wait(0.6)

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """The faces that are seen well enough, cards in hands among them, when the picture was
        taken; of a mean of pictures, now. `vision.facts.Reader`."""
        del plane
        self.readings += 1
        cards, arms = self.cards, self.arms
        for taken, lay, reached in self._taken:
            if taken is image:
                cards, arms = lay, reached
        cards = cards + [held for arm in arms if (held := _held(arm)) is not None]
        shown = np.zeros((HIGH, WIDE), np.int32)
        for i, card in enumerate(cards, 1):
            cv2.fillConvexPoly(shown, _corners_px(card, CARD_MM[1]), 0)
            cv2.fillConvexPoly(shown, _corners_px(card, CARD_MM[1] / 2), i)
        for arm in arms:
            start, tip = _px(arm.shoulder_mm, arm.tip_mm)
            cv2.line(shown, start, tip, 0, 23)
        found: list[Half] = []
        for i, card in enumerate(cards, 1):
            whole = np.zeros((HIGH, WIDE), np.uint8)
            cv2.fillConvexPoly(whole, _corners_px(card, CARD_MM[1] / 2), 1)
            area = int(np.count_nonzero(whole))
            seen = int(np.count_nonzero(shown == i)) / max(1, area)
            if seen >= _LEAST_SEEN:
                at = (card.x_mm, card.y_mm, card.angle_deg)
                found.append(face(card.card, *at, sure=self.sure, seen=seen))
        if region_mm is None:
            return found
        x0, y0, x1, y1 = region_mm
        return [one for one in found if x0 <= one.x_mm <= x1 and y0 <= one.y_mm <= y1]


def _held(arm: Arm) -> Lying | None:
    """The card in a hand."""
    if arm.card is None:
        return None
    tip = np.array(arm.tip_mm)
    reach = tip - arm.shoulder_mm
    x, y = tip + _HELD_MM * reach / max(1.0, float(np.hypot(*reach)))
    return Lying(arm.card, float(x), float(y))


def _between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _px(*points_mm: tuple[float, float]) -> list[list[int]]:
    return [[int(v) for v in point] for point in np.round(PLANE.to_px(np.array(points_mm)))]


def _corners_px(card: Lying, length_mm: float) -> NDArray[np.int32]:
    return np.round(PLANE.to_px(card.corners_mm(length_mm))).astype(np.int32)


def _draw_card(image: Image, card: Lying) -> None:
    cv2.fillConvexPoly(image, _corners_px(card, CARD_MM[1]), (235, 240, 240), cv2.LINE_AA)
    field_px = np.round(PLANE.to_px(_inner_mm(card))).astype(np.int32)
    cv2.fillConvexPoly(image, field_px, _INKS[card.card[0]], cv2.LINE_AA)
    a = np.radians(card.angle_deg)
    middle = np.array([card.x_mm, card.y_mm])
    foot = middle + 12 * np.array([-np.sin(a), np.cos(a)]) - 8 * np.array([np.cos(a), np.sin(a)])
    at = _px((float(foot[0]), float(foot[1])))[0]
    cv2.putText(image, card.card[1], at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (250, 250, 250), 2)


def _inner_mm(card: Lying) -> NDArray[np.float64]:
    """The corners of the coloured field inside a card's white border."""
    corners = card.corners_mm()
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * 0.86, np.float64)
