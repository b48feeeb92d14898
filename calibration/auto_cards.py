"""The table plane from whole cards: for one-faced cards, which make up no line.

Cards lie anywhere and at any angle, so only their own outlines tell scale and lean. Outlines
of about one size are taken to be cards of one deck; the group in which a reader reads most
faces is right.
"""

from __future__ import annotations

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
from vision.facts import CARD_MM, Image, Reader

Floats = NDArray[np.float64]

_ALIKE: Final = 1.3
"""Outlines of one deck differ in size by this factor at most, near and far."""
_GROUPS: Final = 3
"""How many groups of outlines, the most numerous, are read."""
_LEANS: Final = (0.1, 0.8)
_INNER: Final = 0.87
"""An outline may be that of the coloured ground within a white rim: so much of the card."""
_SPREAD_MM: Final = 1.2
_SPREAD_DEG: Final = 2.0
_MIDDLE_MM: Final = 9.0
"""How far from a card's middle its face may be found."""
_LEAST_SUPPORT: Final = 0.5
"""A plane in which not even one face is read half surely is none."""


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
    does not move; the distortion is that of ``lens``, if one is known. None where no outline of a card is found in which a face is read.
    """
    if not images:
        return None
    size_px = (images[0].shape[1], images[0].shape[0])
    outlines = [corners for image in images for corners in card_outlines(image)]
    best: tuple[float, View, _Cards] | None = None
    for group in _groups(outlines)[:_GROUPS]:
        for inner in (1.0, _INNER):
            view, cards = _fitted(group, size_px, inner, lens)
            support = _support(images[-1], reader, view, cards)
            if best is None or support > best[0]:
                best = support, view, cards
    if best is None or best[0] < _LEAST_SUPPORT:
        return None
    _, view, cards = best
    residual = float(np.median(np.abs(cards.misfit_mm(view))))
    return PlaneFit(view.plane(), view, len(cards.corners_px), residual, "cards")


def _support(image: Image, reader: Reader, view: View, cards: _Cards) -> float:
    """How many faces are read, each as far as it is sure, in the middle of the group's cards."""
    plane = view.plane()
    faces = reader.read(image, plane)
    if not faces:
        return 0.0
    middles = plane.to_mm(cards.corners_px.mean(axis=1))
    places = np.array([(face.x_mm, face.y_mm) for face in faces])
    apart = np.hypot(*(middles[:, None] - places[None]).transpose(2, 0, 1))
    worth = np.array([face.found * face.confidence for face in faces])
    return float(worth[(apart < _MIDDLE_MM).any(axis=0)].sum())


def _groups(outlines: Sequence[Floats]) -> list[list[Floats]]:
    """Groups of outlines of about one size, most numerous first, each with others in it."""
    sized = sorted(((_size(corners), i) for i, corners in enumerate(outlines)), reverse=True)
    groups: list[list[int]] = []
    for size, _ in sized:
        members = [i for other, i in sized if size / _ALIKE <= other <= size]
        if all(set(members) - set(group) for group in groups):
            groups.append(members)
    groups.sort(key=len, reverse=True)
    return [[outlines[i] for i in group] for group in groups]


def _size(corners: Floats) -> float:
    return float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))


def _fitted(
    group: Sequence[Floats], size_px: tuple[int, int], inner: float, lens: Lens | None
) -> tuple[View, _Cards]:
    """The view in which a group's outlines are as large as cards, or as their inner grounds."""
    across_mm, along_mm = CARD_MM[0] * inner, CARD_MM[1] * inner
    middle = float(np.median([_size(corners) for corners in group]))
    scale = middle / float(np.sqrt(across_mm * along_mm))
    cards = _Cards(np.array(group), across_mm, along_mm)
    tried = [fit(usual_view(size_px, scale, lean, lens), cards, bends=False) for lean in _LEANS]
    return min(tried, key=lambda one: one.against).view, cards
