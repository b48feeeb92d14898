"""A table on film: what lies on it, the arms over it, and how the camera and the light behave.

The picture is drawn with a margin all around and cut out, so that the camera can be bumped and
can drift: a plane seen by a camera that moves is the same plane under another homography.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cameras import draw_camera
from datasets.canvas import Canvas
from datasets.clutter import Thing, draw_hand
from datasets.editions import Edition, Picture, draw_edition
from datasets.layouts import LaidCard, draw_fan, draw_stack, random_half
from datasets.light import Camera, draw_light
from datasets.scenes import lay_cards, lay_table, lay_things, scatter
from vision.plane import TablePlane

Point = tuple[float, float]

_MARGIN_PX: Final = 72
_LIGHT_FROM: Final = np.array([0.3, 0.4])
_SIZES: Final = ((1280, 720), (960, 540), (960, 540), (720, 1280))
_ARM_HALF_MM: Final = 46.0
"""Half an arm's width, sleeve and shadow included."""


@dataclass(frozen=True, slots=True)
class Reach:
    """One arm in one picture."""

    player: int
    at_mm: Point
    """Its fingertips."""
    card: LaidCard | None = None
    """What it carries, wherever it lies between the fingers."""


class Film:
    """Takes pictures of one table. The seed's generator decides everything that chance does."""

    def __init__(self, rng: np.random.Generator, seed: int, edition: Edition | None = None) -> None:
        """``edition``: the cards that are played with; an invented one where none is given."""
        self._rng = rng
        size = _SIZES[int(rng.integers(len(_SIZES)))]
        px_per_mm = max(size) / float(rng.uniform(950, 1350))
        plane = draw_camera(rng, size, px_per_mm=px_per_mm, max_tilt_deg=35)
        self.plane = TablePlane(plane.mm_to_px, size)
        """The table as the camera sees it at first; without distortion."""
        self.half_view_mm = (size[0] / px_per_mm / 2, size[1] / px_per_mm / 2)
        self.seats = _seats(rng, int(rng.integers(2, 5)), *self.half_view_mm)
        half_w, half_h = self.half_view_mm
        self.pile: Point = (float(rng.choice([-1, 1])) * half_w * 0.78,
                            float(rng.uniform(-0.3, 0.3)) * half_h)  # fmt: skip
        self._edition = edition or draw_edition(seed, use_held_out=True)
        self._hands = tuple(draw_hand(rng, (0.0, 0.0), float(np.degrees(np.arctan2(y, x))))
                            for x, y in self.seats)  # fmt: skip
        # A video's codec smooths what noise there is; at full strength it would only fill disks.
        camera = draw_light(rng, size[1], size[0])
        self._camera: Camera = replace(camera, noise=min(camera.noise, 0.012))
        self.cards: list[LaidCard] = []
        """The face-up cards on the table, the lowest first; tell `changed` of every change."""
        self.sway: NDArray[np.float64] = np.eye(3)
        """How the camera has moved: homography from pixels of `plane` to pixels of now."""
        self.gain = 1.0
        """Exposure, beside what it was at first."""
        self.blur_px = 0.0
        """Blur of a lens that hunts for focus."""
        self._base: Picture | None = None
        self._ground: Canvas | None = None
        self._seed = seed

    @property
    def edition(self) -> Edition:
        """The cards that are played with."""
        return self._edition

    def furnish(self, keep_clear: Sequence[LaidCard]) -> None:
        """Put the pile and what else lies about on the table, away from where cards will lie."""
        rng, canvas = self._rng, Canvas(self._wide_plane())
        half_w, half_h = self.half_view_mm
        view = (-half_w, -half_h, half_w, half_h)
        lay_table(rng, canvas, self._seed * 5 + 11)
        far = [t for t in scatter(rng, view, list(keep_clear), int(rng.integers(0, 5)))
               if np.hypot(*(t.corners_mm.mean(axis=0) - self.pile)) > 170]  # fmt: skip
        lay_things(canvas, far, _LIGHT_FROM)
        cards = draw_stack(rng, self.pile, 4, face_up=False, zone="pile")
        for x, y in self.seats:
            # Hands of cards lie face down before their players; a few are open.
            if rng.random() < 0.4:
                outward = float(np.degrees(np.arctan2(y, x))) + 90 + float(rng.normal(0, 15))
                cards += draw_fan(rng, (x * 0.93, y * 0.93), outward, int(rng.integers(2, 7)),
                                  face_up=bool(rng.random() < 0.3), held_up=False)  # fmt: skip
        self._lay(rng, canvas, cards, _LIGHT_FROM)
        self._ground = canvas

    def changed(self) -> None:
        """The cards on the table are others now, or lie otherwise."""
        self._base = None

    def shoot(self, reaches: Sequence[Reach], now_s: float) -> Picture:
        """The picture at a time, with the arms that reach over the table."""
        wide = self._wide(reaches)
        flicker = 1 + 0.01 * float(np.sin(now_s * 7))
        width, height = self.plane.image_size_px
        back = np.array([[1, 0, -_MARGIN_PX], [0, 1, -_MARGIN_PX], [0, 0, 1]], np.float64)
        if np.allclose(self.sway, np.eye(3)):
            cut = wide[_MARGIN_PX : _MARGIN_PX + height, _MARGIN_PX : _MARGIN_PX + width]
        else:
            cut = np.asarray(cv2.warpPerspective(wide, self.sway @ back, (width, height)), np.uint8)
        if self.blur_px > 0.3:
            cut = np.asarray(cv2.GaussianBlur(cut, (0, 0), self.blur_px), np.uint8)
        return self._camera.take(self._rng, cut, flicker * self.gain)

    def hides(self, reach: Reach, card: LaidCard) -> bool:
        """Whether an arm covers any of a card."""
        tip = np.array(reach.at_mm)
        way = np.array(self.seats[reach.player])
        way = way / np.linalg.norm(way)
        for point in (*card.corners_mm(), card.half_centre_mm(0), card.half_centre_mm(1)):
            along = float((point - tip) @ way)
            nearest = tip + way * min(max(along, 0.0), 900.0)
            if float(np.hypot(*(point - nearest))) < _ARM_HALF_MM:
                return True
        return False

    def sees(self, at_mm: Point) -> bool:
        """Whether a point of the table is in the picture."""
        x, y = self.plane.to_px(np.array([at_mm]))[0]
        width, height = self.plane.image_size_px
        return bool(-6 <= x < width + 6 and -6 <= y < height + 6)

    def place_before(self, player: int, line: Sequence[LaidCard]) -> Point:
        """A free place in front of a player, away from the line and from the pile."""
        x, y = self.seats[player]
        places = [
            (near * x + aside * y, near * y - aside * x)
            for near in (0.6, 0.72)
            for aside in (-0.45, -0.25, 0.0, 0.25, 0.45)
        ]

        def room_mm(at: Point) -> float:
            things = [self.pile, *((card.x_mm, card.y_mm) for card in line)]
            near_mm = min(float(np.hypot(one[0] - at[0], one[1] - at[1])) for one in things)
            return near_mm if self.sees((at[0] * 1.25, at[1] * 1.25)) else 0.0

        return max(places, key=room_mm)

    def _wide_plane(self) -> TablePlane:
        width, height = self.plane.image_size_px
        shift = np.array([[1, 0, _MARGIN_PX], [0, 1, _MARGIN_PX], [0, 0, 1]], np.float64)
        return TablePlane(
            shift @ self.plane.mm_to_px, (width + 2 * _MARGIN_PX, height + 2 * _MARGIN_PX)
        )

    def _wide(self, reaches: Sequence[Reach]) -> Picture:
        """The table with its margin, as it lies, under the arms."""
        assert self._ground is not None
        rng = np.random.default_rng(41)  # cards keep their own sheen from frame to frame
        if self._base is None:
            canvas = _copy(self._ground)
            self._lay(rng, canvas, self.cards, _LIGHT_FROM)
            self._base = canvas.image
        if not reaches:
            return self._base
        canvas = Canvas(self._ground.plane)
        canvas.image = self._base.copy()
        for reach in reaches:
            if reach.card is not None:
                self._lay(rng, canvas, [reach.card], _LIGHT_FROM * 6)
            lay_things(canvas, [self._hand(reach)], _LIGHT_FROM)
        return canvas.image

    def _lay(
        self, rng: np.random.Generator, canvas: Canvas, cards: list[LaidCard],
        light_from: NDArray[np.float64],
    ) -> None:  # fmt: skip
        """Lay cards into a picture."""
        lay_cards(rng, canvas, cards, self._edition, 0, light_from, 0.0, 0.1)

    def _hand(self, reach: Reach) -> Thing:
        hand = self._hands[reach.player]
        return replace(hand, corners_mm=hand.corners_mm + np.array(reach.at_mm))


def open_card(rng: np.random.Generator, at_mm: Point, face_up: bool) -> LaidCard:
    """Any card, as a hand carries it or turns it up."""
    return LaidCard((random_half(rng), random_half(rng)), *at_mm, float(rng.normal(0, 10)),
                    face_up, "hand")  # fmt: skip


def _copy(canvas: Canvas) -> Canvas:
    copy = Canvas(canvas.plane)
    copy.image = canvas.image.copy()
    return copy


def _seats(
    rng: np.random.Generator, players: int, half_w: float, half_h: float
) -> tuple[Point, ...]:
    """Places around the table, clockwise in the picture, one a side."""
    sides = [(0.0, half_h), (-half_w, 0.0), (0.0, -half_h), (half_w, 0.0)]
    chosen = sorted(rng.choice(4, players, replace=False)) if players < 4 else range(4)
    seats = []
    for k in chosen:
        x, y = sides[int(k)]
        slide = float(rng.uniform(-0.25, 0.25))
        seats.append((x + slide * half_w, y) if x == 0 else (x, y + slide * half_h))
    return tuple(seats)
