"""The table plane from whole cards: for one-faced cards, which make up no line.

Cards lie anywhere and at any angle, so only their own outlines tell scale and lean. An outline
is a card's if a reader reads a face in its middle; of such cards those of about one size that
are read most surely give the plane. What is outlined may be the card or the coloured ground
within its white rim.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.auto import PlaneFit, find_plane
from calibration.card_outlines import card_outlines
from calibration.card_rims import has_rim_outside
from calibration.card_scale import view_of_faces
from calibration.lens import Lens
from calibration.view import View, cauchy, cauchy_weights, fit, usual_view
from vision.facts import CARD_MM, Half, Image, Reader
from vision.plane import TablePlane

Floats = NDArray[np.float64]

_ALIKE: Final = 1.3
"""Outlines of one deck differ in size by this factor at most, near and far."""
_MOST_READ: Final = 48
"""So many outlines of a picture, the largest, are looked at more closely."""
_LEANS: Final = (0.1, 0.8)
_RIM_MM: Final = 4.0
"""How wide the white rim around a card's coloured ground usually is."""
_SPREAD_MM: Final = 1.2
_SPREAD_DEG: Final = 2.0
_MIDDLE_MM: Final = 9.0
"""How far from a card's middle its face may be found."""
_MIDDLE_OF_CARD: Final = (-25.0, -25.0, 25.0, 25.0)
_MOST_LEAN_DEG: Final = 25.0
"""By so much may a face seem to lean against its card, which is seen slantwise."""
_LEAST_FACE: Final = 0.3
"""An outline with a less sure face in it is not taken for a card."""
_LOOKED_AT: Final = 2
"""In so many pictures faces are read at all scales where no outline was found."""
_ROUGHLY_MM: Final = 5.0
"""By how much a card's width is off where faces alone tell the scale: a twelfth."""
_LEAST_PX_PER_MM: Final = 0.65
"""Where less is seen of a face, anything looks like one."""
_MOST_ACROSS: Final = 34
"""A table that is wider than so many cards side by side is none: what looks like a card is part
of something printed."""
_LEAST_WORTH: Final = 0.5
"""Cards whose faces are read less surely, all taken together, are none."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cards:
    """Outlines as evidence: sides of known length, at right angles (see `view.Evidence`)."""

    corners_px: Floats
    """(n, 4, 2), a short side first."""
    size_mm: Floats
    """(n, 2), across and along what is outlined."""

    def misfit_mm(self, view: View) -> Floats:
        """How much longer each side is than it should be, (n, 4)."""
        sides = self._sides_mm(view)
        sizes = np.tile(self.size_mm, 2)
        return np.asarray(np.hypot(sides[..., 0], sides[..., 1]) - sizes, np.float64)

    def deviations(self, view: View) -> Floats:
        sides = self._sides_mm(view)
        after = np.roll(sides, -1, axis=1)
        lengths = np.hypot(sides[..., 0], sides[..., 1])
        lean = (sides * after).sum(-1) / np.maximum(lengths * np.roll(lengths, -1, axis=1), 1e-9)
        off_deg = np.degrees(np.arcsin(np.clip(lean, -1, 1)))
        misfit = self.misfit_mm(view) / _SPREAD_MM
        return np.concatenate([misfit.ravel(), (off_deg / _SPREAD_DEG).ravel()])

    def weights(self, deviations: Floats) -> Floats:
        return cauchy_weights(deviations)

    def against(self, deviations: Floats) -> float:
        return cauchy(deviations)

    def _sides_mm(self, view: View) -> Floats:
        corners = view.plane().to_mm(self.corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
        return np.asarray(np.roll(corners, -1, axis=1) - corners, np.float64)


def plane_from_cards(
    images: Sequence[Image], reader: Reader, lens: Lens | None = None, *, one_faced: bool = False
) -> PlaneFit | None:
    """The plane in which the cards of some pictures of one view have their true size.

    Half cards tell it by their neighbours (`auto.find_plane`), ``one_faced`` ones by their
    outlines (`find_card_plane`); ``reader`` must read cards of that kind.
    """
    return (find_card_plane if one_faced else find_plane)(images, reader, lens)


def find_card_plane(
    images: Sequence[Image], reader: Reader, lens: Lens | None = None
) -> PlaneFit | None:
    """The plane in which the one-faced cards of some pictures of one view have their true size.

    ``reader`` reads one-faced cards. The pictures must be of one size and from a camera that
    does not move; the distortion is that of ``lens``, if one is known. Where no outline of a
    card is found in which a face is read, the faces alone tell the scale, roughly. None where
    there are none.
    """
    if not images:
        return None
    size_px = (images[0].shape[1], images[0].shape[0])
    seen = [card for image in images for card in _read_cards(image, reader)]
    cards = max(_groups(seen), key=_worth, default=[])
    if _worth(cards) < _LEAST_WORTH:
        rough = view_of_faces(images[-_LOOKED_AT:], reader, lens)
        if rough is None:
            return None
        view, count = rough
        return PlaneFit(view.plane(), view, count, _ROUGHLY_MM, "faces without outlines")
    view, evidence = _fitted(cards, size_px, lens)
    residual = float(np.median(np.abs(evidence.misfit_mm(view))))
    return PlaneFit(view.plane(), view, len(cards), residual, "cards")


@dataclass(frozen=True, slots=True, eq=False)
class _Card:
    """An outline in which a face is read."""

    corners_px: Floats
    size_mm: tuple[float, float]
    """Of what is outlined: the card, or the ground within its rim."""
    worth: float
    """How surely a face is read in its middle."""

    def px_per_mm(self) -> float:
        """How large it is seen."""
        return _px_per_mm(self.corners_px, self.size_mm)


def _px_per_mm(corners_px: Floats, size_mm: tuple[float, float]) -> float:
    area_px = cv2.contourArea(corners_px.astype(np.float32))
    return math.sqrt(area_px / math.prod(size_mm))


def _read_cards(image: Image, reader: Reader) -> list[_Card]:
    """The outlines of a picture in which a face is read: each is looked at on its own, as if
    it were a card seen from straight above."""
    ground_mm = (CARD_MM[0] - 2 * _RIM_MM, CARD_MM[1] - 2 * _RIM_MM)
    least = max(_LEAST_PX_PER_MM, image.shape[1] / (_MOST_ACROSS * CARD_MM[0]))
    seen: list[_Card] = []
    for corners in card_outlines(image)[:_MOST_READ]:
        size_mm = ground_mm if has_rim_outside(image, corners) else CARD_MM
        if _px_per_mm(corners, size_mm) < least:
            continue
        upright = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size_mm / 2
        to_px = cv2.getPerspectiveTransform(upright.astype(np.float32), corners.astype(np.float32))
        plane = TablePlane(np.asarray(to_px, np.float64), (image.shape[1], image.shape[0]))
        worth = max(map(_as_middle, reader.read(image, plane, _MIDDLE_OF_CARD)), default=0.0)
        if worth >= _LEAST_FACE:
            seen.append(_Card(corners, size_mm, worth))
    return seen


def _as_middle(face: Half) -> float:
    """How surely a face is that of a card in whose middle it should stand upright or head over."""
    leans_deg = abs(face.axis_deg % 180 - 90)
    there = math.hypot(face.x_mm, face.y_mm) < _MIDDLE_MM and leans_deg < _MOST_LEAN_DEG
    return face.found * face.confidence if there else 0.0


def _groups(seen: Sequence[_Card]) -> list[list[_Card]]:
    """Cards of about one size, as cards of one deck in one picture are."""
    groups: list[list[_Card]] = []
    for first in seen:
        low, high = first.px_per_mm() / _ALIKE, first.px_per_mm()
        groups.append([card for card in seen if low <= card.px_per_mm() <= high])
    return groups


def _worth(cards: Sequence[_Card]) -> float:
    return sum(card.worth for card in cards)


def _fitted(
    cards: Sequence[_Card], size_px: tuple[int, int], lens: Lens | None
) -> tuple[View, _Cards]:
    """The view in which what is outlined is as large as it is."""
    scale = float(np.median([card.px_per_mm() for card in cards]))
    evidence = _Cards(
        np.array([card.corners_px for card in cards]), np.array([card.size_mm for card in cards])
    )
    tried = [fit(usual_view(size_px, scale, lean, lens), evidence, bends=False) for lean in _LEANS]
    return min(tried, key=lambda one: one.against).view, evidence
