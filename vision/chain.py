"""From half cards to the line: which halves belong to it, and in which order.

Every step along the line is one card, whose two halves lie 45.5 mm apart on its long axis.
On top of a half lies, by hand and therefore a few millimetres off and perhaps turned by 90
degrees, half of the next card. So two neighbours of the line are about 45.5 mm apart along
the axis of one of them (`_links`), and the line is the best path through such links; places
that a hand or a missed half left empty are bridged where the halves around them line up
(`_bridges`). Nothing here knows what the cards mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.facts import Half
from vision.line import HALF_MM, Line, LooseCard, Place, axes, centres_mm, unread_half

Floats = NDArray[np.float64]

SAME_PLACE_MM = 26.0
"""Nearer than this, one half lies on the other."""
LINK_REWARD = 9.0
"""Log-odds that two halves which fit as neighbours exactly are neighbours."""
CARD_REWARD = 11.0
"""Log-odds that two halves which fit as one card are one, beside the line."""
HALF_REWARD = 2.5
"""Log-odds that a half belongs to the line rather than beside it, before any geometry."""
LAID_MM = 5.0
"""Standard deviation of how far people lay a card off its place, reading noise included."""
CROSSWISE_MM = 7.0
"""The same where both neighbours lie crosswise on a card that is not seen at all."""
ASKEW_DEG = 7.0
"""Standard deviation of how far people turn a card off the one below, noise included."""
OFF_AXIS_COST = 5.0
"""What it costs to believe that neighbours lie across both their axes: the first card of the
line where both halves were covered crosswise, or an axis read 90 degrees wrong."""
BRIDGE_REWARD = 2.5
"""Log-odds that two halves with one place between them, exactly in line, are one line."""
UNSEEN_COST = 2.0
"""What each further place between them costs."""
LONE_COST = 2.5
"""What each place but the first costs on the way from the line to a lone half: a stray, rather."""
BEND_COST = 3.5
"""What it costs to suppose a bend that was not seen."""
LEAST_SCORE = 3.0
"""Log-odds below which what was found is rather no line at all."""
LONGEST_GAP = 8
"""Most places in a row that may be bridged."""
SHARPEST_TURN_COS = -0.35
"""Cosine of the sharpest turn of the line; beyond it cards would lie on their predecessors."""
OPEN_SEEN = 0.85
"""An end of which this much is seen has nothing on it: readers estimate a little low."""
BEAM = 8
"""Unfinished paths that are kept from each first half."""


@dataclass(frozen=True, slots=True)
class _Edge:
    to: int
    score: float
    missing: tuple[tuple[float, float], ...] = ()
    """Centres of the unseen places between the two halves."""


@dataclass(frozen=True, slots=True)
class _Path:
    score: float
    halves: tuple[int, ...]
    edges: tuple[_Edge, ...] = ()


def assemble(
    halves: Sequence[Half],
    *,
    centre_mm: tuple[float, float] = (0.0, 0.0),
) -> Line | None:
    """The line in a single picture, or None where not even one card of it is seen.

    ``halves`` are all face-up halves found, in any order, also those that are no part of the
    line. Among cards that could all be the line's beginning the one nearest to ``centre_mm``
    (the middle of the table) is taken.
    """
    # An order that does not depend on the order of the input.
    found = tuple(sorted(halves, key=lambda h: (h.x_mm, h.y_mm)))
    if len(found) < 2:
        return None
    overlaps = _overlaps(found)
    edges = _edges(found)
    path = _best_path(found, edges, overlaps, centre_mm)
    if path is None or path.score < LEAST_SCORE:
        return None
    taken = {i for part in path.halves for i in np.flatnonzero(overlaps[part])}
    beside = [half for i, half in enumerate(found) if i not in taken]
    return Line(
        places=_places(found, path),
        confidence=_confidence(path, edges) * _ends_are_open(found, path),
        loose=tuple(loose_cards(beside)),
    )


def loose_cards(halves: Sequence[Half]) -> list[LooseCard]:
    """Pairs of halves that make up one card: same axis, 45.5 mm apart along it."""
    tops = tuple(halves)
    return [LooseCard((tops[i], tops[j])) for i, j in _single_cards(tops)]


def _single_cards(halves: tuple[Half, ...]) -> list[tuple[int, int]]:
    """Pairs that fit as one card, best first, no half in two of them."""
    if len(halves) < 2:
        return []
    fit = card_misfit(halves)
    pairs = sorted(
        (fit[i, j], i, j) for i in range(len(halves)) for j in range(i) if fit[i, j] < 4.0
    )
    cards: list[tuple[int, int]] = []
    used: set[int] = set()
    for _, i, j in pairs:
        if i not in used and j not in used:
            used |= {i, j}
            cards.append((j, i))
    return cards


def _overlaps(halves: tuple[Half, ...]) -> NDArray[np.bool_]:
    """Which halves lie on the same place (each on its own, too), shape (n, n)."""
    where = centres_mm(halves)
    apart = np.hypot(*(where[None] - where[:, None]).transpose(2, 0, 1))
    return np.asarray(apart < SAME_PLACE_MM, dtype=np.bool_)


def _quarter_deg(angle_deg: Floats) -> Floats:
    """How far angles are from the nearest multiple of 90 degrees."""
    return np.abs((angle_deg + 45.0) % 90.0 - 45.0)


def card_misfit(halves: tuple[Half, ...]) -> Floats:
    """Misfit of each pair as the two halves of one card (half the squared deviations)."""
    where, axis = centres_mm(halves), axes(halves)
    step = where[None] - where[:, None]
    along = np.abs((step * axis[:, None]).sum(-1))
    across = np.abs(step[..., 0] * axis[:, None, 1] - step[..., 1] * axis[:, None, 0])
    angle = np.array([h.axis_deg for h in halves])
    turn = np.abs((angle[None] - angle[:, None] + 90.0) % 180.0 - 90.0)
    one_way = ((along - HALF_MM) / 4.0) ** 2 + (across / 5.0) ** 2
    misfit = (np.minimum(one_way, one_way.T) + (turn / 6.0) ** 2) / 2
    return np.asarray(misfit, dtype=np.float64)


def link_scores(halves: tuple[Half, ...]) -> Floats:
    """Log-odds that each two halves are neighbours in the line, shape (n, n)."""
    where, axis = centres_mm(halves), axes(halves)
    step = where[None] - where[:, None]
    apart = np.hypot(step[..., 0], step[..., 1])
    along = np.abs((step * axis[:, None]).sum(-1))
    across = np.abs(step[..., 0] * axis[:, None, 1] - step[..., 1] * axis[:, None, 0])
    angle = np.array([h.axis_deg for h in halves])
    askew = _quarter_deg(angle[None] - angle[:, None])

    def misfit(stretch: Floats, side: Floats, slack_mm: float) -> Floats:
        return np.asarray(
            ((stretch - HALF_MM) / slack_mm) ** 2 / 2 + (side / slack_mm) ** 2 / 2,
            dtype=np.float64,
        )

    own_axis = misfit(along, across, LAID_MM)
    crosswise = misfit(across, along, CROSSWISE_MM) + OFF_AXIS_COST
    best = np.minimum(np.minimum(own_axis, own_axis.T), np.minimum(crosswise, crosswise.T))
    turned = np.minimum((askew / ASKEW_DEG) ** 2 / 2, 4.0)
    score = LINK_REWARD - best - turned
    score[(apart < SAME_PLACE_MM) | (apart > 1.5 * HALF_MM)] = -np.inf
    return np.asarray(score, dtype=np.float64)


def _bridges(halves: tuple[Half, ...], a: int, b: int) -> _Edge | None:
    """The way from half ``a`` to half ``b`` over unseen places, where there is just one.

    Straight on along an axis of ``a``, or with one bend; the number of unseen places follows
    from the distance.
    """
    start = np.array([halves[a].x_mm, halves[a].y_mm])
    step = np.array([halves[b].x_mm, halves[b].y_mm]) - start
    askew = float(_quarter_deg(np.array(halves[b].axis_deg - halves[a].axis_deg)))
    if askew > 3 * ASKEW_DEG:
        return None
    # Both axes have an error; their mean, modulo 90 degrees, has less.
    turn = (halves[b].axis_deg - halves[a].axis_deg + 45.0) % 90.0 - 45.0
    angle = np.radians(halves[a].axis_deg + turn / 2)
    u = np.array([np.cos(angle), np.sin(angle)])
    v = np.array([-u[1], u[0]])
    parts = [float(step @ u), float(step @ v)]
    counts = [round(abs(part) / HALF_MM) for part in parts]
    total = sum(counts)
    if not 2 <= total <= LONGEST_GAP + 1:
        return None
    # Offsets of the unseen cards add up like a walk; the error of the direction grows with length.
    slack = float(np.hypot(4.0 * total**0.5, 1.7 * total))
    rest = [abs(part) - count * HALF_MM for part, count in zip(parts, counts, strict=True)]
    misfit = sum((r / slack) ** 2 for r in rest) / 2 + (askew / ASKEW_DEG) ** 2 / 2
    bent = min(counts) > 0
    score = BRIDGE_REWARD - UNSEEN_COST * (total - 2) - (BEND_COST if bent else 0.0) - misfit
    # Which of two corners a bend takes is told by the axis of the half before it; the number
    # of places is the same either way.
    first, second = (u, v) if counts[0] else (v, u)
    legs = [(first, parts[0] if counts[0] else parts[1], counts[0] or counts[1])]
    if bent:
        legs.append((second, parts[1], counts[1]))
    spots: list[tuple[float, float]] = []
    at = start
    for direction, length, count in legs:
        for _ in range(count):
            at = at + direction * length / count
            spots.append((float(at[0]), float(at[1])))
    return _Edge(b, score, tuple(spots[:-1]))


def _edges(halves: tuple[Half, ...]) -> list[list[_Edge]]:
    """For each half the links and bridges that leave it, best first."""
    scores = link_scores(halves)
    where = centres_mm(halves)
    n = len(halves)
    edges: list[list[_Edge]] = [[] for _ in range(n)]
    for a in range(n):
        for b in range(n):
            if scores[a, b] > 0:
                edges[a].append(_Edge(b, float(scores[a, b])))
    linked = [sum(e.score > LINK_REWARD / 2 for e in out) for out in edges]
    open_ends = [i for i in range(n) if linked[i] < 2]
    for a in open_ends:
        for b in open_ends:
            if a == b or scores[a, b] > 0:
                continue
            bridge = _bridges(halves, a, b)
            if bridge is None or not _is_empty(bridge, where, a, b):
                continue
            if bool(linked[a]) != bool(linked[b]):
                bridge = replace(bridge, score=bridge.score - LONE_COST * (len(bridge.missing) - 1))
            edges[a].append(bridge)
    for out in edges:
        out.sort(key=lambda e: -e.score)
    return edges


def _is_empty(bridge: _Edge, where: Floats, a: int, b: int) -> bool:
    """Whether no half lies where the bridge supposes that one is unseen."""
    for spot in bridge.missing:
        near = np.hypot(*(where - np.array(spot)).T) < SAME_PLACE_MM
        near[[a, b]] = False
        if near.any():
            return False
    return True


def _turns_back(where: Floats, path: tuple[int, ...], to: int) -> bool:
    if len(path) < 2:
        return False
    before = where[path[-1]] - where[path[-2]]
    after = where[to] - where[path[-1]]
    lengths = float(np.hypot(*before) * np.hypot(*after))
    return float(before @ after) < SHARPEST_TURN_COS * lengths


def _best_path(
    halves: tuple[Half, ...],
    edges: list[list[_Edge]],
    overlaps: NDArray[np.bool_],
    centre_mm: tuple[float, float],
) -> _Path | None:
    """The path that explains most halves best: a beam search from every possible first half."""
    where = centres_mm(halves)
    strong = [sum(e.score > LINK_REWARD / 2 for e in out) for out in edges]
    starts = [i for i, count in enumerate(strong) if count < 2] or list(range(len(halves)))
    away = np.hypot(*(where - np.array(centre_mm)).T) / 100.0
    reward = [HALF_REWARD + 2.0 * float(np.log(max(h.found * h.seen, 0.05))) for h in halves]
    cards = _single_cards(halves)
    below = [set(np.flatnonzero(row)) for row in overlaps]
    best: _Path | None = None
    best_value = -np.inf
    for start in starts:
        beam = [_Path(reward[start], (start,))]
        while beam:
            grown: list[_Path] = []
            for path in beam:
                taken = set().union(*(below[i] for i in path.halves))
                if len(path.halves) > 1:
                    beside = sum(not taken.intersection(card) for card in cards)
                    value = path.score + beside * CARD_REWARD
                    value -= float(away[list(path.halves)].min())
                    if value > best_value:
                        best, best_value = path, value
                for edge in edges[path.halves[-1]]:
                    if edge.to in taken or _turns_back(where, path.halves, edge.to):
                        continue
                    grown.append(
                        _Path(
                            path.score + edge.score + reward[edge.to],
                            (*path.halves, edge.to),
                            (*path.edges, edge),
                        )
                    )
            grown.sort(key=lambda p: -p.score)
            beam = grown[:BEAM]
    return best


def _places(halves: tuple[Half, ...], path: _Path) -> tuple[Place, ...]:
    places = [Place(halves[path.halves[0]])]
    for i, edge in enumerate(path.edges):
        axis_deg = halves[path.halves[i]].axis_deg
        places += [Place(unread_half(x, y, axis_deg), seen=False) for x, y in edge.missing]
        places.append(Place(halves[edge.to]))
    return tuple(places)


def _confidence(path: _Path, edges: list[list[_Edge]]) -> float:
    """Product over the steps of how likely each is a step, given the other ways to go on."""
    sure = 1.0
    inside = set(path.halves)
    for i, edge in enumerate(path.edges):
        left = path.halves[i]
        rivals = [
            other.score
            for node, follow in ((left, edge.to), (edge.to, left))
            for other in edges[node]
            if other.to != follow and other.to not in inside
        ]
        odds = edge.score + HALF_REWARD - max(rivals, default=0.0)
        sure *= 1.0 / (1.0 + float(np.exp(-max(min(odds, 30.0), -30.0))))
    return sure


def _ends_are_open(halves: tuple[Half, ...], path: _Path) -> float:
    """How likely the line goes on under nothing: an end of which a part is covered often does."""
    seen = [halves[end].seen for end in (path.halves[0], path.halves[-1])]
    return float(np.prod([1.0 if share >= OPEN_SEEN else max(share, 0.5) for share in seen]))
