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
from calibration.view import Fit, View, fit, misfit, usual_view
from vision.facts import Half, Image, Reader
from vision.plane import TablePlane
from vision.sides import SideFinder
from vision.weights import weights_folder

SCALES_PER_WIDTH = (0.72e-3, 0.55e-3, 0.93e-3, 0.42e-3, 1.2e-3)
"""Scales that are tried, in picture widths per millimetre, the usual first: tables 2.4 to 0.8 m
across."""
USUAL_LEAN = 0.4
LEANS = (0.0, 0.4, 0.8, -0.4)
"""Leans from which the view is sought: from straight above to some 40 degrees, and from behind."""
PLENTY = 8.0
"""So many halves found as neighbours need no other scale to be tried."""
MORE_LEANS = (-0.25, 0.25)
"""Leans, against the one found, from which the cards' sides are fitted too."""
ROUNDS = 5
"""So often the sides are looked for again in the view that they gave."""
AS_GOOD = 2.0
"""Of two views the second best is refined, too, where no more than so many times as much speaks
against it."""
APART = 0.2
"""Leans nearer to each other than this lead to the same view."""
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


@dataclass(frozen=True, slots=True)
class _Refined:
    """A view and the evidence found in it."""

    view: View
    evidence: CardEvidence
    neighbours: int


def find_plane(
    images: Sequence[Image], reader: Reader, lens: Lens | None = None
) -> PlaneFit | None:
    """The plane in which the cards of some pictures of one view have their true size.

    The pictures must be of one size and from a camera that does not move; the last should show
    most cards. ``lens`` is the camera's, where it was measured. None where too few cards are
    found in any of the usual views. Raises `WeightsError` where the weights that find the sides
    of cards are missing.
    """
    if not images:
        return None
    view = _rough_view(images[-1], reader, lens)
    if view is None or view.px_per_mm < LEAST_PX_PER_MM:
        return None
    sides = SideFinder.load(weights_folder())
    evidence, neighbours = _gather(images[-1:], reader, sides, view)
    if evidence is None or neighbours < LEAST_HALVES:
        return None
    across, down = view.lean
    leans = [(across, down + more) for more in (0.0, *MORE_LEANS)]
    starts = [replace(view, lean=lean) for lean in leans]
    near = min((fit(start, evidence, bends=False) for start in starts), key=_against)
    behind = fit(replace(near.view, lean=(-across, -down)), evidence, bends=False)
    tried = [near, behind] if _as_good(near, behind) else [min(near, behind, key=_against)]
    refined = [_refined(images, reader, sides, one.view) for one in tried]
    known = [one for one in refined if one is not None]
    if not known:
        return None
    # Each has found its own evidence; all of it decides.
    best = min(known, key=lambda one: sum(misfit(one.view, other.evidence) for other in known))
    return PlaneFit(
        best.view.plane(), best.view, best.neighbours, best.evidence.misfit_mm(best.view)
    )


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


def _against(one: Fit) -> float:
    return one.against


def _as_good(one: Fit, other: Fit) -> bool:
    """Whether two views are both worth a closer look: a table that leans away looks, with few
    cards, much like one that leans this way."""
    low, high = sorted((one.against, other.against))
    apart = math.dist(one.view.lean, other.view.lean)
    return high < AS_GOOD * low and apart > APART


def _refined(
    images: Sequence[Image], reader: Reader, sides: SideFinder, view: View
) -> _Refined | None:
    """The view fitted to what is found in it, over and over."""
    refined: _Refined | None = None
    for _ in range(ROUNDS):
        evidence, neighbours = _gather(images, reader, sides, view)
        if evidence is None or neighbours < LEAST_HALVES:
            return None
        view = fit(view, evidence).view
        refined = _Refined(view, evidence, neighbours)
    return refined


def _gather(
    images: Sequence[Image], reader: Reader, sides: SideFinder, view: View
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
        pairs = side_pairs(image, plane, sides, [halves[i] for i in near], loose_cards(halves))
        found.append(card_evidence(plane, halves, pairs))
    return (reduce(CardEvidence.joined, found) if found else None), neighbours
