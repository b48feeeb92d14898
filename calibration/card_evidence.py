"""What cards in a picture say of the view: `calibration.view.Evidence`.

Surest are the sides of the cards, 59 and 91 mm apart, if it is known which edges they are. That
is left open: for each half there are some pairs, and the view decides by how well they fit it.
Besides, the two halves of a card lie 45.5 mm apart, and so do, roughly, those of cards that were
laid onto each other; and cards of a line lie straight or square to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
CENTRED_MM = 0.7
BLOOM_MM = (0.22, 0.22)
"""How far a card's sides seem to lie outwards, and how much that varies: light and blur do it."""
STRAY = 0.15
"""What speaks for 'none of these edges', in the measure of `SidePairs.likely`."""
SHORT_SIDES = 2.5
"""Short sides are found so much less surely: other cards begin and end there."""
DIRECTIONS_COUNT = 0.5


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
    spread_mm: float = 1.0
    """How far from true the sides of the right pairs may be."""

    def joined(self, other: CardEvidence) -> CardEvidence:
        """Both together."""
        return CardEvidence(
            np.concatenate([self.halves_px, other.halves_px]),
            np.concatenate([self.apart_mm, other.apart_mm]),
            np.concatenate([self.apart_spread_mm, other.apart_spread_mm]),
            np.concatenate([self.directions_px, other.directions_px]),
            self.pairs.joined(other.pairs),
            self.spread_mm,
        )

    def within(self, spread_mm: float) -> CardEvidence:
        """The same, the sides held to another measure."""
        return replace(self, spread_mm=spread_mm)

    def deviations(self, view: View) -> Floats:
        first, second, middle = self._sides(view)
        bloom = self._bloom_mm(first, second, middle)
        spread = self._spreads()
        links = view.to_mm(self.halves_px)
        apart = np.linalg.norm(links[:, 1] - links[:, 0], axis=1) - self.apart_mm
        return np.concatenate(
            [
                (first - 2 * bloom) / spread,
                (second - 2 * bloom) / spread,
                middle / CENTRED_MM,
                [(bloom - BLOOM_MM[0]) / BLOOM_MM[1]],
                apart / self.apart_spread_mm,
                self._turns(view),
            ]
        )

    def weights(self, deviations: Floats) -> Floats:
        fits, total = self._support(deviations)
        chosen = fits / total[self.pairs.owner]
        links, turns = self._others(deviations)
        return np.concatenate(
            [
                # Either end of a pair counts half: they are one measurement.
                chosen / 2,
                chosen / 2,
                chosen,
                [1.0],
                cauchy_weights(links),
                DIRECTIONS_COUNT * cauchy_weights(turns),
            ]
        )

    def against(self, deviations: Floats) -> float:
        _, total = self._support(deviations)
        links, turns = self._others(deviations)
        bloom = float(deviations[3 * len(self.pairs.owner)])
        return (
            -float(np.log(total).sum())
            + bloom**2 / 2
            + cauchy(links)
            + DIRECTIONS_COUNT * cauchy(turns)
        )

    def misfit_mm(self, view: View) -> float:
        """Median deviation of the sides that fit best, or of the halves' distances without any."""
        deviations = self.deviations(view)
        fits, total = self._support(deviations)
        chosen = fits / total[self.pairs.owner] > 0.5
        if chosen.sum() >= 2:
            first = deviations[: len(chosen)] * self._spreads()
            return float(np.median(np.abs(first[chosen])))
        links, _ = self._others(deviations)
        return float(np.median(np.abs(links * self.apart_spread_mm)))

    def _sides(self, view: View) -> tuple[Floats, Floats, Floats]:
        """How much too far apart the pairs are at either end, and how far off their middle."""
        points = view.to_mm(self.pairs.points_px)
        left, right = points[:, 0:2], points[:, 2:4]
        along = (left[:, 1] - left[:, 0]) + (right[:, 1] - right[:, 0])
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        beside = np.stack([-along[:, 1], along[:, 0]], axis=1)
        apart = ((right - left) * beside[:, None]).sum(axis=2)
        apart *= np.sign(apart.sum(axis=1, keepdims=True))
        middle = ((points[:, :4].mean(axis=1) - points[:, 4]) * beside).sum(axis=1)
        length = self.pairs.length_mm
        return apart[:, 0] - length, apart[:, 1] - length, middle

    def _bloom_mm(self, first: Floats, second: Floats, middle: Floats) -> float:
        """By how much all sides seem shifted outwards: what fits the pairs that fit best."""
        (usual, varies), spread = BLOOM_MM, self._spreads()
        bloom = usual
        mean = (first + second) / 2
        for _ in range(3):
            off = (mean - 2 * bloom) / spread
            fits = self.pairs.likely * np.exp(-(off**2 + (middle / CENTRED_MM) ** 2) / 2)
            chosen = fits / self._totals(fits)[self.pairs.owner]
            sure = chosen * (2 / spread) ** 2
            bloom = float(
                ((sure * mean / 2).sum() + usual / varies**2) / (sure.sum() + 1 / varies**2)
            )
        return bloom

    def _spreads(self) -> Floats:
        short = self.pairs.length_mm > (59.0 + 91.0) / 2
        return np.where(short, SHORT_SIDES, 1.0) * self.spread_mm

    def _support(self, deviations: Floats) -> tuple[Floats, Floats]:
        """What speaks for each pair, and for all of each owner's and for none of them."""
        first, second, middle = deviations[: 3 * len(self.pairs.owner)].reshape(3, -1)
        off = (first**2 + second**2) / 2 + middle**2
        fits = self.pairs.likely * np.exp(-off / 2)
        return fits, self._totals(fits)

    def _totals(self, fits: Floats) -> Floats:
        total = np.full(max(self.pairs.owners, 1), STRAY)
        np.add.at(total, self.pairs.owner, fits)
        return total

    def _others(self, deviations: Floats) -> tuple[Floats, Floats]:
        rest = deviations[3 * len(self.pairs.owner) + 1 :]
        return rest[: len(self.apart_mm)], rest[len(self.apart_mm) :]

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
