"""What cards in a picture say of the view: `calibration.view.Evidence`.

Surest are the sides of the cards, 59 and 91 mm apart, each as sure as the network that found it says
(`card_sides`). Besides, the two halves of a card lie 45.5 mm apart, and so do, roughly, those of
cards that were laid onto each other; and cards of a line lie straight or square to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.card_sides import NO_PAIRS, SidePairs
from calibration.view import Floats, View, cauchy, cauchy_weights
from vision.facts import Half
from vision.line import HALF_MM, LooseCard, axes, centres_mm
from vision.plane import TablePlane

OWN_HALVES_MM = (45.6, 1.2)
"""How far apart the reader finds the two halves of one card, and how much that varies."""
LAID_HALVES_MM = (46.1, 2.6)
"""The same for halves of cards that somebody laid onto each other."""
SQUARE_DEG = 6.0
BLOOM_MM = (0.1, 0.15)
"""How far a card's sides seem to lie outwards, and how much that varies between pictures: light
brighter than white does it."""
SIDE_MM = 0.25
"""By how much the distance of two sides varies besides what is told of each: no card is cut and
none lies flat to the last bit."""
SURE_MM = 1.5
"""Sides less sure than this say nothing of how well a view fits."""
DIRECTIONS_COUNT = 0.5
SIDES_COUNT = 0.5
"""Both ends of a pair of sides are hardly two measurements."""
MISTAKES = 1.0
"""Sides farther off, in standard deviations, count less and less: what peeps out from below a
card is taken for its side now and then."""


@dataclass(frozen=True, slots=True, eq=False)
class CardEvidence:
    """Cards in one or several pictures of a view."""

    halves_px: Floats
    """Centres of neighbouring halves, shape (n, 2, 2)."""
    apart_mm: Floats
    apart_spread_mm: Floats
    """How far apart they should be, and how sure that is, shape (n,)."""
    directions_px: Floats
    """The long axes of neighbours as two points each, shape (n, 2, 2, 2)."""
    pairs: SidePairs = NO_PAIRS

    def joined(self, other: CardEvidence) -> CardEvidence:
        """Both together."""
        return CardEvidence(
            np.concatenate([self.halves_px, other.halves_px]),
            np.concatenate([self.apart_mm, other.apart_mm]),
            np.concatenate([self.apart_spread_mm, other.apart_spread_mm]),
            np.concatenate([self.directions_px, other.directions_px]),
            self.pairs.joined(other.pairs),
        )

    @property
    def count(self) -> int:
        return self.pairs.unsure_mm.size + 1 + len(self.apart_mm) + len(self.directions_px)

    def deviations(self, view: View) -> Floats:
        widths, spread = self._widths(view), self._spread_mm()
        bloom = self._bloom_mm(widths)
        links = view.to_mm(self.halves_px)
        apart = np.linalg.norm(links[:, 1] - links[:, 0], axis=1) - self.apart_mm
        return np.concatenate(
            [
                ((widths - 2 * bloom) / spread).ravel(),
                [(bloom - BLOOM_MM[0]) / BLOOM_MM[1]],
                apart / self.apart_spread_mm,
                self._turns(view),
            ]
        )

    def weights(self, deviations: Floats) -> Floats:
        sides, _, links, turns = self._parts(deviations)
        return np.concatenate(
            [
                SIDES_COUNT * cauchy_weights(sides, MISTAKES),
                [1.0],
                cauchy_weights(links),
                DIRECTIONS_COUNT * cauchy_weights(turns),
            ]
        )

    def against(self, deviations: Floats) -> float:
        sides, bloom, links, turns = self._parts(deviations)
        return (
            SIDES_COUNT * cauchy(sides, MISTAKES)
            + bloom**2 / 2
            + cauchy(links)
            + DIRECTIONS_COUNT * cauchy(turns)
        )

    def misfit_mm(self, view: View) -> float:
        """Median deviation of the sides that are told surely; where there are hardly any, of the
        halves' distances, or of all sides of cards that have no halves."""
        sides, _, links, _ = self._parts(self.deviations(view))
        spread = self._spread_mm()
        sure = (spread < SURE_MM).ravel()
        off_mm = np.abs(sides * spread.ravel())
        if sure.sum() >= 2:
            return float(np.median(off_mm[sure]))
        if not len(links):
            return float(np.median(off_mm))
        return float(np.median(np.abs(links * self.apart_spread_mm)))

    def _widths(self, view: View) -> Floats:
        """By how much the pairs are too far apart at both places, shape (n, 2)."""
        left, right = np.moveaxis(view.to_mm(self.pairs.points_px), 1, 0)
        along = (left[:, 1] - left[:, 0]) + (right[:, 1] - right[:, 0])
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        beside = np.stack([-along[:, 1], along[:, 0]], axis=1)
        apart = ((right - left) * beside[:, None]).sum(axis=2)
        apart *= np.sign(apart.sum(axis=1, keepdims=True))
        return np.asarray(apart - self.pairs.length_mm[:, None], np.float64)

    def _bloom_mm(self, widths: Floats) -> float:
        """By how much all sides seem shifted outwards: what fits most of them best."""
        (usual, varies), spread = BLOOM_MM, self._spread_mm()
        bloom = usual
        for _ in range(4):
            agree = cauchy_weights((widths - 2 * bloom) / spread, MISTAKES)
            sure = SIDES_COUNT * agree * (2 / spread) ** 2
            bloom = float(
                ((sure * widths / 2).sum() + usual / varies**2) / (sure.sum() + 1 / varies**2)
            )
        return bloom

    def _spread_mm(self) -> Floats:
        return np.asarray(np.hypot(self.pairs.unsure_mm, SIDE_MM), np.float64)

    def _parts(self, deviations: Floats) -> tuple[Floats, float, Floats, Floats]:
        """Those of the sides, of their bloom, of the halves' distances and of their directions."""
        sides = 2 * len(self.pairs.length_mm)
        rest = deviations[sides + 1 :]
        links = len(self.apart_mm)
        return deviations[:sides], float(deviations[sides]), rest[:links], rest[links:]

    def _turns(self, view: View) -> Floats:
        """How far neighbours are from lying straight or square to each other."""
        points = view.to_mm(self.directions_px)
        step = points[:, :, 1] - points[:, :, 0]
        angle = np.degrees(np.arctan2(step[..., 1], step[..., 0]))
        return ((angle[:, 1] - angle[:, 0] + 45.0) % 90.0 - 45.0) / SQUARE_DEG


def card_evidence(
    plane: TablePlane, halves: Sequence[Half], pairs: SidePairs = NO_PAIRS
) -> CardEvidence:
    """What ``halves``, as they lie in ``plane``, say by their distances and directions."""
    near = links(halves)
    where, axis = centres_mm(list(halves)), axes(list(halves))
    own = {frozenset((i, j)) for i, j in whole_cards(halves)}
    ends = np.array([[where[i], where[j]] for i, j in near]).reshape(-1, 2)
    rays = np.array(
        [[[where[k], where[k] + 15.0 * axis[k]] for k in link] for link in near]
    ).reshape(-1, 2)
    known = np.array(
        [OWN_HALVES_MM if frozenset(link) in own else LAID_HALVES_MM for link in near]
    ).reshape(-1, 2)
    return CardEvidence(
        plane.to_px(ends).reshape(-1, 2, 2),
        known[:, 0],
        known[:, 1],
        plane.to_px(rays).reshape(-1, 2, 2, 2),
        pairs,
    )


def sides_alone(pairs: SidePairs) -> CardEvidence:
    """What sides say by themselves, of cards that do not make up a line."""
    none = np.zeros((0, 2, 2))
    return CardEvidence(none, np.zeros(0), np.zeros(0), np.zeros((0, 2, 2, 2)), pairs)


def links(halves: Sequence[Half]) -> list[tuple[int, int]]:
    """Pairs (i, j), i < j: the halves lie about 45.5 mm apart along the axis of one of them."""
    if len(halves) < 2:
        return []
    where, axis = centres_mm(list(halves)), axes(list(halves))
    step = where[None] - where[:, None]
    way = (step * axis[:, None]).sum(-1)
    across = np.abs(step[..., 0] * axis[:, None, 1] - step[..., 1] * axis[:, None, 0])
    near = (np.abs(np.abs(way) - HALF_MM) < 0.22 * HALF_MM) & (across < 0.25 * HALF_MM)
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(near | near.T, 1))]


def linked(halves: Sequence[Half]) -> list[int]:
    """The halves that have a neighbour."""
    return sorted({i for link in links(halves) for i in link})


def whole_cards(halves: Sequence[Half]) -> list[tuple[int, int]]:
    """Pairs that may be one card's: those at a line's ends and those that lie by themselves."""
    near = links(halves)
    count: dict[int, int] = {}
    for i, j in near:
        count[i] = count.get(i, 0) + 1
        count[j] = count.get(j, 0) + 1
    return [
        (i, j)
        for i, j in near
        if min(count[i], count[j]) == 1
        and abs((halves[i].axis_deg - halves[j].axis_deg + 90.0) % 180.0 - 90.0) < 20.0
    ]


def loose_cards(halves: Sequence[Half]) -> list[LooseCard]:
    """The same as cards."""
    return [LooseCard((halves[i], halves[j])) for i, j in whole_cards(halves)]
