"""The table plane from whole cards: for one-faced cards, which make up no line.

Cards lie anywhere and at any angle, so only their own outlines tell scale and lean. An outline
is a card's if a reader reads a face in its middle; of such cards those of about one size that
are read most surely give the plane, together with those face down that agree with them. What is
outlined may be the card or the coloured ground within its white rim.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Final

import cv2
import numpy as np

from calibration.auto import ROUNDS, PlaneFit, find_plane
from calibration.card_evidence import sides_alone
from calibration.card_outlines import card_outlines
from calibration.card_rims import has_rim_outside
from calibration.card_scale import view_of_faces
from calibration.card_sides import SidePairs, whole_card_pairs
from calibration.card_view import Outline, Quadrangles, agreed_view
from calibration.lens import Lens
from calibration.view import Together, View, fit
from vision.facts import CARD_MM, Half, Image, Reader
from vision.plane import TablePlane
from vision.sides import SideFinder
from vision.weights import weights_folder

_ALIKE: Final = 1.3
"""Outlines of one deck differ in size by this factor at most, near and far."""
_NEAR_AND_FAR: Final = 1.7
"""By so much larger or smaller than the others a card may lie face down: nearer or farther, or
beside a heap whose outline is larger than a card."""
_MOST_READ: Final = 48
"""So many outlines of a picture, the largest, are looked at more closely."""
_RIM_MM: Final = 4.0
"""How wide the white rim around a card's coloured ground usually is."""
_MIDDLE_MM: Final = 9.0
"""How far from a card's middle its face may be found."""
_MIDDLE_OF_CARD: Final = (-25.0, -25.0, 25.0, 25.0)
_MOST_LEAN_DEG: Final = 25.0
"""By so much may a face seem to lean against its card, which is seen slantwise."""
_LEAST_FACE: Final = 0.3
"""An outline with a less sure face in it is not taken for a card."""
_MOST_FACE_DOWN: Final = 10
"""More outlines of one size in a picture, without faces, are those of a pattern."""
_LOOKED_AT: Final = 2
"""In so many pictures, the last ones, faces are read in one view after the other."""
_ROUGHLY_MM: Final = 5.0
"""By how much a card's width is off where faces alone tell the scale: a twelfth."""
_LEAST_PX_PER_MM: Final = 0.65
"""Where less is seen of a face, anything looks like one."""
_MOST_ACROSS: Final = 34
"""A table that is wider than so many cards side by side is none: what looks like a card is part
of something printed."""
_OUTLINES_COUNT: Final = 0.05
"""What an outline's side counts beside a card's that was looked for."""
_LEAST_WORTH: Final = 0.5
"""Cards whose faces are read less surely, all taken together, are none."""


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
    pictures = [_outlines(image, reader) for image in images]
    seen = [one for outlines in pictures for one in outlines if one.worth]
    cards = max(_groups(seen), key=_worth, default=[])
    if _worth(cards) < _LEAST_WORTH:
        rough = view_of_faces(images[-_LOOKED_AT:], reader, lens)
        if rough is None:
            return None
        view, count = rough
        return PlaneFit(view.plane(), view, count, _ROUGHLY_MM, "faces without outlines")
    every = [*cards, *_face_down(pictures, cards)]

    def legible(view: View) -> float:
        plane = view.plane()
        faces = [face for image in images[-_LOOKED_AT:] for face in reader.read(image, plane)]
        return sum(face.found * face.confidence for face in faces)

    view, agreeing, residual_mm = agreed_view(every, size_px, legible, lens)
    outlines = Quadrangles.of(agreeing)
    view, residual_mm = _on_sides(images[-_LOOKED_AT:], reader, view, outlines) or (
        view,
        residual_mm,
    )
    return PlaneFit(view.plane(), view, len(agreeing), residual_mm, "cards")


def _on_sides(
    images: Sequence[Image], reader: Reader, view: View, outlines: Quadrangles
) -> tuple[View, float] | None:
    """The view fitted to where the cards end whose faces are read, and how far off these are; None
    where no face is read. It is fitted to ``outlines`` as well, a little: they are traced around
    what stands out, which may be a heap or less than the card."""
    sides = SideFinder.load(weights_folder())
    fitted: tuple[View, float] | None = None
    for _ in range(ROUNDS):
        plane = view.plane()
        pairs = reduce(
            SidePairs.joined,
            (whole_card_pairs(image, plane, sides, reader.read(image, plane)) for image in images),
        )
        if not len(pairs.length_mm):
            break
        evidence = sides_alone(pairs)
        view = fit(view, Together(evidence, outlines, _OUTLINES_COUNT), bends=False).view
        fitted = view, evidence.misfit_mm(view)
    return fitted


def _outlines(image: Image, reader: Reader) -> list[Outline]:
    """The outlines of a picture that may be cards': each is looked at on its own, as if it were
    a card seen from straight above, for a face in its middle."""
    ground_mm = (CARD_MM[0] - 2 * _RIM_MM, CARD_MM[1] - 2 * _RIM_MM)
    least = max(_LEAST_PX_PER_MM, image.shape[1] / (_MOST_ACROSS * CARD_MM[0]))
    found: list[Outline] = []
    for corners in card_outlines(image)[:_MOST_READ]:
        size_mm = ground_mm if has_rim_outside(image, corners) else CARD_MM
        if Outline(corners, size_mm, 0.0).px_per_mm() < least:
            continue
        upright = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size_mm / 2
        to_px = cv2.getPerspectiveTransform(upright.astype(np.float32), corners.astype(np.float32))
        plane = TablePlane(np.asarray(to_px, np.float64), (image.shape[1], image.shape[0]))
        worth = max(map(_as_middle, reader.read(image, plane, _MIDDLE_OF_CARD)), default=0.0)
        found.append(Outline(corners, size_mm, worth if worth >= _LEAST_FACE else 0.0))
    return found


def _as_middle(face: Half) -> float:
    """How surely a face is that of a card in whose middle it should stand upright or head over."""
    leans_deg = abs(face.axis_deg % 180 - 90)
    there = math.hypot(face.x_mm, face.y_mm) < _MIDDLE_MM and leans_deg < _MOST_LEAN_DEG
    return face.found * face.confidence if there else 0.0


def _groups(seen: Sequence[Outline]) -> list[list[Outline]]:
    """Cards of about one size, as cards of one deck in one picture are."""
    groups: list[list[Outline]] = []
    for first in seen:
        low, high = first.px_per_mm() / _ALIKE, first.px_per_mm()
        groups.append([card for card in seen if low <= card.px_per_mm() <= high])
    return groups


def _face_down(pictures: Sequence[Sequence[Outline]], cards: Sequence[Outline]) -> list[Outline]:
    """Outlines without a face that may be cards face down: about as large as the others. Where
    there are many they are a pattern."""
    sizes = [card.px_per_mm() for card in cards]
    low, high = min(sizes) / _NEAR_AND_FAR, max(sizes) * _NEAR_AND_FAR
    found: list[Outline] = []
    for outlines in pictures:
        alike = [one for one in outlines if not one.worth and low <= one.px_per_mm() <= high]
        found += alike if len(alike) <= _MOST_FACE_DOWN else []
    return found


def _worth(cards: Sequence[Outline]) -> float:
    return sum(card.worth for card in cards)
