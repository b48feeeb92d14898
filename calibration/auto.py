"""The table plane from the cards themselves: no page of markers, no clicks.

The size of a card is known. So a few usual views are tried, the one in which a reader finds
most half cards that lie as neighbours is taken, and scale, lean and focal length are fitted
until the halves are 45.5 mm apart and the cards 59 mm wide; then it is read and fitted again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from calibration.card_sides import card_lengths, card_widths, printed_inset_mm
from calibration.table import Player, Table
from calibration.view import Evidence, View, fit, implausible, misfit_mm, usual_view
from vision.facts import Half, Image, Reader
from vision.line import HALF_MM, LooseCard, axes, centres_mm
from vision.plane import TablePlane

SCALES_PER_WIDTH = (0.42e-3, 0.55e-3, 0.72e-3, 0.93e-3, 1.2e-3)
"""Scales that are tried, in picture widths per millimetre: tables 2.4 to 0.8 m across."""
LEANS = (0.15, 0.8)
"""Leans that are tried: nearly from above, and some 40 degrees."""
TRIES = 3
"""How many of them, those with most support, are fitted before one is chosen."""
FIRST_ROUNDS = (False, True, True)
LAST_ROUNDS = (True, True)
"""Rounds of reading and fitting: whether the cards' sides are measured too."""
LEAST_HALVES = 3
"""Fewer halves that lie as neighbours are no evidence of a plane."""
LINK_SPREAD_MM = 6.0
"""How far neighbours are from 45.5 mm apart: laid by hand, and each pair counted twice."""
HALF_WORTH = 3.0
"""What a half that is found speaks for a view, in the measure of `implausible`."""
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
    """Median deviation of their distances and widths from what they are."""


def find_plane(images: Sequence[Image], reader: Reader) -> PlaneFit | None:
    """The plane in which the cards of some pictures of one view have their true size.

    The pictures must be of one size and from a camera that does not move; those that show more
    cards tell more. None where too few cards are found in any of the usual views.
    """
    if not images:
        return None
    height, width = images[0].shape[:2]
    guesses = [
        usual_view((width, height), scale * width, lean)
        for lean in LEANS
        for scale in SCALES_PER_WIDTH
    ]
    # The last picture shows most cards; looking at it alone is enough to choose a view.
    last = images[-1:]
    by_support = sorted(guesses, key=lambda guess: -_support(last[0], reader, guess))
    tried = [_fitted(last, reader, guess, FIRST_ROUNDS) for guess in by_support[:TRIES]]
    fits = [one for one in tried if one is not None]
    if not fits:
        return None
    # Each half found is worth more than a better fit of the others.
    best = min(fits, key=lambda one: one[1] - HALF_WORTH * _support(last[0], reader, one[0]))[0]
    final = _fitted(images, reader, best, LAST_ROUNDS)
    if final is None:
        return None
    view = final[0]
    plane = view.plane()
    readings = [reader.read(image, plane) for image in images]
    neighbours = sum(len(_neighbours(halves)) for halves in readings)
    supposed = _gather(images, plane, readings, sizes=True)
    if not supposed or neighbours < LEAST_HALVES:
        return None
    evidence = min(supposed, key=lambda one: implausible(view, one))
    residual = float(np.median(np.abs(misfit_mm(view, evidence))))
    return PlaneFit(plane, view, neighbours, residual)


def _fitted(
    images: Sequence[Image], reader: Reader, view: View, rounds: Sequence[bool]
) -> tuple[View, float] | None:
    """The view after some rounds of reading and fitting and what speaks against it, or None
    where no cards are found."""
    against = 0.0
    for measured in rounds:
        plane = view.plane()
        readings = [reader.read(image, plane) for image in images]
        supposed = _gather(images, plane, readings, sizes=measured)
        if not supposed:
            return None
        fits = [(fit(view, evidence), evidence) for evidence in supposed]
        view, evidence = min(fits, key=lambda one: implausible(*one))
        against = implausible(view, evidence)
    return view, against


def find_table(images: Sequence[Image], reader: Reader, names: Sequence[str] = ()) -> Table | None:
    """A table as far as pictures of it tell: the plane, and a seat for each of ``names``.

    Seats are a guess: the first player at the bottom of the picture, then clockwise around it.
    """
    found = find_plane(images, reader)
    if found is None:
        return None
    seats = default_seats(found.plane, len(names))
    players = tuple(Player(name, seat) for name, seat in zip(names, seats, strict=True))
    return Table(found.plane, players)


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


def _support(image: Image, reader: Reader, view: View) -> float:
    """How much a picture speaks for a view: halves that lie as neighbours."""
    halves = reader.read(image, view.plane())
    return sum(halves[i].found for i in _neighbours(halves))


def _links(halves: Sequence[Half]) -> list[tuple[int, int, float]]:
    """(i, j, way): the half j lies about 45.5 mm from i, ``way`` along the axis of i."""
    if len(halves) < 2:
        return []
    found = tuple(halves)
    where, axis = centres_mm(found), axes(found)
    step = where[None] - where[:, None]
    way = (step * axis[:, None]).sum(-1)
    across = np.abs(step[..., 0] * axis[:, None, 1] - step[..., 1] * axis[:, None, 0])
    near = (np.abs(np.abs(way) - HALF_MM) < 0.22 * HALF_MM) & (across < 0.25 * HALF_MM)
    return [(int(i), int(j), float(way[i, j])) for i, j in np.argwhere(near)]


def _neighbours(halves: Sequence[Half]) -> set[int]:
    return {i for link in _links(halves) for i in link[:2]}


def _whole_cards(
    halves: Sequence[Half], links: Sequence[tuple[int, int, float]]
) -> list[LooseCard]:
    """Cards of which both halves are on top: those at the line's ends and beside the line."""
    beside: dict[int, set[int]] = {}
    for i, j, _ in links:
        beside.setdefault(i, set()).add(j)
        beside.setdefault(j, set()).add(i)
    pairs = {
        (min(i, j), max(i, j))
        for i, j, _ in links
        if len(beside[i]) == 1
        and abs((halves[i].axis_deg - halves[j].axis_deg + 90.0) % 180.0 - 90.0) < 20.0
    }
    return [LooseCard((halves[i], halves[j])) for i, j in sorted(pairs)]


def _gather(
    images: Sequence[Image],
    plane: TablePlane,
    readings: Sequence[list[Half]],
    *,
    sizes: bool,
) -> list[Evidence]:
    """Everything of known size in the pictures: one or two ways to understand it, or none."""
    links: list[Evidence] = []
    wide: list[Evidence] = []
    long: list[Evidence] = []
    for image, halves in zip(images, readings, strict=True):
        near = _links(halves)
        if not near:
            continue
        links.append(_distances(plane, halves, near))
        if sizes:
            linked = [halves[i] for i in sorted(_neighbours(halves))]
            wide.append(card_widths(image, plane, linked))
            long.append(card_lengths(image, plane, _whole_cards(halves, near)))
    if not links:
        return []
    near_by = reduce(Evidence.joined, links)
    if not sizes:
        return [near_by]
    lengths = reduce(Evidence.joined, long)
    measured = reduce(Evidence.joined, [*wide, lengths])
    whole = near_by.joined(measured)
    inset = printed_inset_mm(plane, lengths, near_by)
    if inset == 0.0:
        return [whole]
    framed = replace(measured, length_mm=measured.length_mm - inset)
    return [whole, near_by.joined(framed)]


def _distances(
    plane: TablePlane, halves: Sequence[Half], links: list[tuple[int, int, float]]
) -> Evidence:
    """Neighbours lie 45.5 mm apart along an axis, and square to each other."""
    found = tuple(halves)
    where, axis = centres_mm(found), axes(found)
    start = np.array([where[i] for i, _, _ in links])
    stop = np.array([where[i] + axis[i] * way for i, _, way in links])
    ahead = where + axis * 15.0
    directions = np.stack([plane.to_px(where), plane.to_px(ahead)], axis=1)
    return Evidence(
        plane.to_px(start),
        plane.to_px(stop),
        np.full(len(links), HALF_MM),
        np.full(len(links), LINK_SPREAD_MM),
        np.array([directions[i] for i, _, _ in links]),
        np.array([directions[j] for _, j, _ in links]),
    )
