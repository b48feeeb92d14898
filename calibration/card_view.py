"""The view in which outlines of one-faced cards have the size of cards.

Some outlines are of cards laid askew onto others, of fans in hands, of things. So each outline on
its own tells a view, and the one in which most of the others are cards, too, is taken: cards that
lie face down count, though less than those in which a face is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.view import View, cauchy, cauchy_weights, fit, usual_view

Floats = NDArray[np.float64]

_LEANS: Final = (0.1, 0.8)
_SPREAD_MM: Final = 1.2
_SPREAD_DEG: Final = 2.0
_ALONE: Final = 2.0
"""By how much a single outline is less sure than one of many."""
_AGREES_MM: Final = 3.5
"""How far the sides of a card's outline are from what they should be, about."""
_BELONGS_MM: Final = 6.5
"""An outline whose sides are farther off is none of a card, or of several."""
_FACE_DOWN: Final = 0.6
"""What an outline without a face counts, of one with a face."""
_MOST_ASKED: Final = 16
"""So many outlines are asked for a view, those with the surest faces first."""
_MOST_LOOKED_THROUGH: Final = 4
"""In so many views it is tried what can be read."""
_SAME_PLACE: Final = 0.5
"""Outlines whose middles lie nearer than this, of the root of their area, are of one place."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """What may be a card's outline."""

    corners_px: Floats
    """(4, 2), clockwise, a short side first."""
    size_mm: tuple[float, float]
    """Of what is outlined if it is a card's: the card, or the ground within its rim."""
    worth: float
    """How surely a face is read in its middle, 0 for one without."""

    def px_per_mm(self) -> float:
        """How large it is seen."""
        return math.sqrt(self._area_px() / math.prod(self.size_mm))

    def is_where(self, other: Outline) -> bool:
        """Whether both are of one place: a pile seen in two pictures."""
        apart = self.corners_px.mean(axis=0) - other.corners_px.mean(axis=0)
        return float(np.hypot(*apart)) < _SAME_PLACE * math.sqrt(self._area_px())

    def _area_px(self) -> float:
        return float(cv2.contourArea(self.corners_px.astype(np.float32)))


@dataclass(frozen=True, slots=True, eq=False)
class Quadrangles:
    """Outlines as evidence: sides of known length, at right angles (see `view.Evidence`)."""

    corners_px: Floats
    """(n, 4, 2), a short side first."""
    size_mm: Floats
    """(n, 2), across and along what is outlined."""

    @staticmethod
    def of(outlines: Sequence[Outline]) -> Quadrangles:
        return Quadrangles(
            np.array([one.corners_px for one in outlines]),
            np.array([one.size_mm for one in outlines]),
        )

    def misfit_mm(self, view: View) -> Floats:
        """How much longer each side is than it should be, (n, 4)."""
        sides = self._sides_mm(view)
        sizes = np.tile(self.size_mm, 2)
        return np.asarray(np.hypot(sides[..., 0], sides[..., 1]) - sizes, np.float64)

    def off_deg(self, view: View) -> Floats:
        """How far from square each corner is, (n, 4)."""
        sides = self._sides_mm(view)
        after = np.roll(sides, -1, axis=1)
        lengths = np.hypot(sides[..., 0], sides[..., 1])
        lean = (sides * after).sum(-1) / np.maximum(lengths * np.roll(lengths, -1, axis=1), 1e-9)
        return np.asarray(np.degrees(np.arcsin(np.clip(lean, -1, 1))), np.float64)

    def deviations(self, view: View) -> Floats:
        # One outline alone would be believed to the last millimetre: its lean is as unsure.
        unsure = 1.0 + _ALONE / len(self.size_mm)
        misfit, off = self.misfit_mm(view) / _SPREAD_MM, self.off_deg(view) / _SPREAD_DEG
        return np.concatenate([misfit.ravel(), off.ravel()]) / unsure

    def weights(self, deviations: Floats) -> Floats:
        return cauchy_weights(deviations)

    def against(self, deviations: Floats) -> float:
        return cauchy(deviations)

    def _sides_mm(self, view: View) -> Floats:
        corners = view.to_mm(self.corners_px)
        return np.asarray(np.roll(corners, -1, axis=1) - corners, np.float64)


def agreed_view(
    outlines: Sequence[Outline],
    size_px: tuple[int, int],
    legible: Callable[[View], float],
    lens: Lens | None = None,
) -> tuple[View, list[Outline], float]:
    """The view in which most of some outlines are cards', those outlines, and how far their
    sides are from what they should be, the median in millimetres.

    ``legible`` tells how much can be read in a view: of things alike that are no cards, face
    down, nothing can.
    """
    asked = sorted(outlines, key=lambda one: -one.worth)[:_MOST_ASKED]
    views = [_fitted([one], size_px, lens) for one in asked]
    views.append(_fitted([one for one in outlines if one.worth > 0], size_px, lens))
    jury = _Jury(outlines)
    best: dict[tuple[int, ...], View] = {}
    for view in sorted(views, key=jury.support):
        best[tuple(jury.agreeing(view))] = view  # of those with the same cards the best supported
    contest = sorted(best.values(), key=jury.support)[-_MOST_LOOKED_THROUGH:]
    refined = [jury.refined(view, size_px, lens) for view in contest]
    view = max(refined, key=lambda one: jury.support(one) * legible(one))
    chosen = [outlines[i] for i in jury.agreeing(view)] or [outlines[jury.nearest(view)]]
    return view, chosen, float(np.median(np.abs(Quadrangles.of(chosen).misfit_mm(view))))


class _Jury:
    """Some outlines, asked which view makes them cards'."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines
        self._sides = Quadrangles.of(outlines)
        self._places = _places(outlines)
        self._count = np.array([1.0 if one.worth > 0 else _FACE_DOWN for one in outlines])

    def support(self, view: View) -> float:
        """How many cards there are in a view, about: what lies at one place in several pictures
        counts less than so many."""
        fits = self._count * np.exp(-((self._off_mm(view) / _AGREES_MM) ** 2) / 2)
        return sum(float(np.linalg.norm(fits[place])) for place in self._places)

    def agreeing(self, view: View) -> list[int]:
        """Which of the outlines are cards' in a view."""
        return np.flatnonzero(self._off_mm(view) < _BELONGS_MM).tolist()

    def nearest(self, view: View) -> int:
        """Which is nearest to being one."""
        return int(self._off_mm(view).argmin())

    def refined(self, view: View, size_px: tuple[int, int], lens: Lens | None) -> View:
        """The view fitted to all outlines that agree with it, if that pleases more of them."""
        for _ in range(2):
            chosen = [self._outlines[i] for i in self.agreeing(view)]
            fitted = _fitted(chosen, size_px, lens, start=view) if chosen else view
            if self.support(fitted) <= self.support(view):
                break
            view = fitted
        return view

    def _off_mm(self, view: View) -> Floats:
        """How far from a card's each outline is, in mm, (n,)."""
        misfit = self._sides.misfit_mm(view)
        askew = np.radians(self._sides.off_deg(view))
        askew_mm = askew * self._sides.size_mm.mean(axis=1)[:, None]
        return np.asarray(np.sqrt((misfit**2 + askew_mm**2).mean(axis=1)), np.float64)


def _fitted(
    outlines: Sequence[Outline],
    size_px: tuple[int, int],
    lens: Lens | None,
    start: View | None = None,
) -> View:
    """The view in which all of these are cards' as far as may be."""
    evidence = Quadrangles.of(outlines)
    scale = float(np.median([one.px_per_mm() for one in outlines]))
    starts = [start] if start else [usual_view(size_px, scale, lean, lens) for lean in _LEANS]
    tried = [fit(one, evidence, bends=False) for one in starts]
    return min(tried, key=lambda one: one.against).view


def _places(outlines: Sequence[Outline]) -> list[list[int]]:
    """The outlines by place: what lies at one place in several pictures is no further card."""
    places: list[list[int]] = []
    for i, one in enumerate(outlines):
        for place in places:
            if one.is_where(outlines[place[0]]):
                place.append(i)
                break
        else:
            places.append([i])
    return places
