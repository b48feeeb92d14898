"""The table plane from whole cards: for one-faced cards, which make up no line.

Cards lie anywhere and at any angle, so only their own outlines tell scale and lean. An outline
is a card's if a reader reads a face in its middle; of such cards those of about one size that
are read most surely give the plane.
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
_SHARES: Final = (1.0, 0.87)
"""An outline may be that of the coloured ground within a white rim: so much of the card."""
_SPREAD_MM: Final = 1.2
_SPREAD_DEG: Final = 2.0
_MIDDLE_MM: Final = 9.0
"""How far from a card's middle its face may be found."""
_MIDDLE_OF_CARD: Final = (-25.0, -25.0, 25.0, 25.0)
_MOST_LEAN_DEG: Final = 25.0
"""By so much may a face seem to lean against its card, which is seen slantwise."""
_LEAST_FACE: Final = 0.3
"""An outline with a less sure face in it is not taken for a card."""
_LEAST_WORTH: Final = 0.45
"""Cards whose faces are read less surely, all taken together, are none."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cards:
    """Outlines as evidence: sides of known length, at right angles (see `view.Evidence`)."""

    corners_px: Floats
    """(n, 4, 2), a short side first."""
    across_mm: float
    along_mm: float

    def misfit_mm(self, view: View) -> Floats:
        """How much longer each side is than it should be, (n, 4)."""
        sides = self._sides_mm(view)
        sizes = np.array([self.across_mm, self.along_mm] * 2)
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
    does not move; the distortion is that of ``lens``, if one is known. None where no outline
    of a card is found in which a face is read.
    """
    if not images:
        return None
    size_px = (images[0].shape[1], images[0].shape[0])
    seen = [card for image in images for card in _read_cards(image, reader)]
    cards = max(_groups(seen), key=_worth, default=[])
    if _worth(cards) < _LEAST_WORTH:
        return None
    view, evidence = _fitted(cards, size_px, lens)
    residual = float(np.median(np.abs(evidence.misfit_mm(view))))
    return PlaneFit(view.plane(), view, len(cards), residual, "cards")


@dataclass(frozen=True, slots=True, eq=False)
class _Card:
    """An outline in which a face is read."""

    corners_px: Floats
    share: float
    """What is outlined: 1 for the card, less for the ground within its rim."""
    worth: float
    """How surely a face is read in its middle."""

    def size_px(self) -> float:
        return float(np.sqrt(cv2.contourArea(self.corners_px.astype(np.float32))))


def _read_cards(image: Image, reader: Reader) -> list[_Card]:
    """The outlines of a picture in which a face is read: each is looked at on its own, as if
    it were a card seen from straight above."""
    seen: list[_Card] = []
    for corners in card_outlines(image)[:_MOST_READ]:
        for share in _SHARES:
            across_mm, along_mm = CARD_MM[0] * share, CARD_MM[1] * share
            upright = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (across_mm, along_mm) / 2
            to_px = cv2.getPerspectiveTransform(
                upright.astype(np.float32), corners.astype(np.float32)
            )
            plane = TablePlane(np.asarray(to_px, np.float64), (image.shape[1], image.shape[0]))
            worth = max(map(_as_middle, reader.read(image, plane, _MIDDLE_OF_CARD)), default=0.0)
            if worth >= _LEAST_FACE:
                seen.append(_Card(corners, share, worth))
    return seen


def _as_middle(face: Half) -> float:
    """How surely a face is that of a card in whose middle it should stand upright or head over."""
    leans_deg = abs(face.axis_deg % 180 - 90)
    there = math.hypot(face.x_mm, face.y_mm) < _MIDDLE_MM and leans_deg < _MOST_LEAN_DEG
    return face.found * face.confidence if there else 0.0


def _groups(seen: Sequence[_Card]) -> list[list[_Card]]:
    """Cards of about one size, outlined alike, as cards of one deck in one picture are."""
    groups: list[list[_Card]] = []
    for first in seen:
        low, high = first.size_px() / _ALIKE, first.size_px()
        alike = [card for card in seen if card.share == first.share]
        groups.append([card for card in alike if low <= card.size_px() <= high])
    return groups


def _worth(cards: Sequence[_Card]) -> float:
    return sum(card.worth for card in cards)


def _fitted(
    cards: Sequence[_Card], size_px: tuple[int, int], lens: Lens | None
) -> tuple[View, _Cards]:
    """The view in which cards that are outlined alike are as large as what is outlined."""
    across_mm, along_mm = CARD_MM[0] * cards[0].share, CARD_MM[1] * cards[0].share
    middle = float(np.median([card.size_px() for card in cards]))
    scale = middle / float(np.sqrt(across_mm * along_mm))
    evidence = _Cards(np.array([card.corners_px for card in cards]), across_mm, along_mm)
    tried = [fit(usual_view(size_px, scale, lean, lens), evidence, bends=False) for lean in _LEANS]
    return min(tried, key=lambda one: one.against).view, evidence
