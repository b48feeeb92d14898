"""The table plane from the cards themselves: no page of markers, no clicks.

The size of a card is known. So a few usual views are tried until a reader finds half cards that
lie as neighbours; their distances tell the view roughly, the edges of the cards then finely. As
the view gets better, the cards are read again in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from calibration.card_evidence import CardEvidence, card_evidence, linked, loose_cards
from calibration.card_sides import side_pairs
from calibration.lens import Lens
from calibration.view import Fit, View, fit, usual_view
from vision.facts import Half, Image, Reader
from vision.plane import TablePlane

SCALES_PER_WIDTH = (0.72e-3, 0.55e-3, 0.93e-3, 0.42e-3, 1.2e-3)
"""Scales that are tried, in picture widths per millimetre, the usual first: tables 2.4 to 0.8 m
across."""
USUAL_LEAN = 0.4
LEANS = (0.0, 0.4, 0.8)
"""Leans from which the view is sought: from straight above to some 40 degrees."""
PLENTY = 8.0
"""So many halves found as neighbours need no other scale to be tried."""
MORE_LEANS = (-0.25, 0.25)
"""Leans, against the one found, from which the cards' edges are fitted too."""
COARSE_MM = (8.0, (1.5, 0.6))
FINE_MM = (4.0, (0.6, 0.4))
"""How far from where they should be edges are looked for, and to what the cards' sides are held
in turn: with a wide measure the view finds its way, with a narrow one it is exact."""
LEAST_PX_PER_MM = 0.5
"""Where less is seen of a card nobody can read it; dominoes in a small picture look like that."""
LEAST_HALVES = 3
"""Fewer halves that lie as neighbours are no evidence of a plane."""
OUTSIDE_MM = 120.0
"""How far outside the picture a player is taken to sit."""


@dataclass(frozen=True, slots=True)
class PlaneFit:
    """A table plane found from cards."""

    plane: TablePlane
    view: View
    halves: int
    """Number of halves that lie as neighbours in it, over all pictures."""
    residual_mm: float
    """Median deviation of the cards' widths from what they are."""
    told_by: str = "half cards"
    """What `halves` counts, for people."""


@dataclass(frozen=True, slots=True)
class _Guess:
    """A view and what a reader found in it."""

    view: View
    halves: list[Half]

    @property
    def support(self) -> float:
        return sum(self.halves[i].found for i in linked(self.halves))


def find_plane(
    images: Sequence[Image], reader: Reader, lens: Lens | None = None
) -> PlaneFit | None:
    """The plane in which the cards of some pictures of one view have their true size.

    The pictures must be of one size and from a camera that does not move; the last should show
    most cards. ``lens`` is the camera's, where it was measured. None where too few cards are
    found in any of the usual views.
    """
    if not images:
        return None
    view = _rough_view(images[-1], reader, lens)
    if view is None or view.px_per_mm < LEAST_PX_PER_MM:
        return None
    reach_mm, spreads_mm = COARSE_MM
    evidence, neighbours = _gather(images[-1:], reader, view, reach_mm)
    if evidence is None or neighbours < LEAST_HALVES:
        return None
    starts = [view] + [
        replace(view, lean=(view.lean[0], view.lean[1] + more)) for more in MORE_LEANS
    ]
    fits = [_narrowed(start, evidence, spreads_mm, bends=False) for start in starts]
    view = min(fits, key=lambda one: one.against).view
    reach_mm, spreads_mm = FINE_MM
    evidence, neighbours = _gather(images, reader, view, reach_mm)
    if evidence is None or neighbours < LEAST_HALVES:
        return None
    view = _narrowed(view, evidence, spreads_mm, bends=True).view
    return PlaneFit(view.plane(), view, neighbours, evidence.misfit_mm(view))


def default_seats(plane: TablePlane, players: int) -> list[tuple[float, float]]:
    """Seats in millimetres around what the picture shows, clockwise from its bottom."""
    width, height = plane.image_size_px
    corners = plane.to_mm(np.array([[0.0, height], [width, height], [width, 0.0], [0.0, 0.0]]))
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, reach = (low + high) / 2, (high - low) / 2 + OUTSIDE_MM
    # The first player sits at the bottom; clockwise in the picture comes the left side next.
    turns = [math.radians(90.0 + 360.0 * i / players) for i in range(players)]
    return [
        (
            round(float(middle[0] + reach[0] * math.cos(turn)), 1),
            round(float(middle[1] + reach[1] * math.sin(turn)), 1),
        )
        for turn in turns
    ]


def _rough_view(image: Image, reader: Reader, lens: Lens | None) -> View | None:
    """The view as far as the distances between halves tell it."""
    height, width = image.shape[:2]
    guesses: list[_Guess] = []
    for scale in SCALES_PER_WIDTH:
        view = usual_view((width, height), scale * width, USUAL_LEAN, lens)
        guesses.append(_Guess(view, reader.read(image, view.plane())))
        if guesses[-1].support >= PLENTY:
            break
    guess = max(guesses, key=lambda one: one.support)
    for leans in (LEANS, (None,)):
        if len(linked(guess.halves)) < LEAST_HALVES:
            return None
        evidence = card_evidence(guess.view.plane(), guess.halves)
        starts = [
            guess.view if lean is None else replace(guess.view, lean=(0.0, lean)) for lean in leans
        ]
        fits = [fit(start, evidence, bends=False) for start in starts]
        view = min(fits, key=lambda one: one.against).view
        guess = _Guess(view, reader.read(image, view.plane()))
    return guess.view


def _gather(
    images: Sequence[Image], reader: Reader, view: View, reach_mm: float
) -> tuple[CardEvidence | None, int]:
    """Everything of known size in the pictures, and how many halves it comes from."""
    plane = view.plane()
    found: list[CardEvidence] = []
    neighbours = 0
    for image in images:
        halves = reader.read(image, plane)
        near = linked(halves)
        if not near:
            continue
        neighbours += len(near)
        pairs = side_pairs(image, plane, [halves[i] for i in near], loose_cards(halves), reach_mm)
        found.append(card_evidence(plane, halves, pairs))
    return (reduce(CardEvidence.joined, found) if found else None), neighbours


def _narrowed(
    view: View, evidence: CardEvidence, spreads_mm: Sequence[float], *, bends: bool
) -> Fit:
    """The view fitted to ever narrower a measure."""
    best = Fit(view, 0.0)
    for spread_mm in spreads_mm:
        best = fit(best.view, evidence.within(spread_mm), bends=bends)
    return best
