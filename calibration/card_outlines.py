"""Outlines of whole cards in a picture, as four straight sides, whatever their scale.

Edges are traced at several strengths, and areas that stand out by brightness or colour; what
closes to a figure of four nearly straight sides with the proportions of a card, seen more or less
slantwise, is one candidate. Rounded corners do no harm: each side is a line through its own middle
part, and corners are where lines meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.card_edges import meet, on_edges
from vision.facts import Image

Floats = NDArray[np.float64]

_LOOK_PX: Final = 1000
"""Longer side of the copy in which edges are traced."""
_STRENGTHS: Final = ((20, 60), (50, 140), (110, 260))
"""Canny's lower and upper thresholds."""
_BRIDGE_PX: Final = 9
"""Gaps in an area that are narrower than this are closed."""
_LEAST_PART_PX: Final = 300
"""Area of half a card's ground, in that copy, at least."""
_BITTEN: Final = 0.88
"""A part of a ground fills less of its hull than this: the oval took a bite out of it."""
_MOST_PARTS: Final = 24
"""Among more figures than this no pairs are looked for."""
_LEAST_SIDE_PX: Final = 18.0
_MOST_SHARE: Final = 0.6
"""A figure that fills more of the picture than this is its frame or the table."""
_FILLS: Final = 0.86
"""Share of its smallest turned rectangle that a figure fills which is nearly one."""
_COARSE: Final = (0.015, 0.025, 0.04, 0.06)
"""Shares of a figure's circumference by which its reduction may depart from it."""
_ROUND: Final = 1.15
"""Most by which a figure and its four straight sides differ in area."""
_SIDES: Final = (0.85, 2.6)
"""Long side over short side: 1.54 from straight above, other where seen slantwise."""
_SQUARE: Final = 0.8
"""Least sine of a figure's angles; at a corner of a card it is 1 from straight above."""
_STRAIGHT: Final = 0.03
"""Most that the middle part of a side departs from its line, in lengths of the side."""
_SAME_PLACE: Final = 0.35
"""Outlines whose middles lie nearer than this many short sides are of one card."""
_LARGER: Final = 2.0
"""So much larger an outline may be a card around a figure on it that was found first."""


def card_outlines(image: Image) -> list[Floats]:
    """Corners of each outline, (4, 2) in pixels, clockwise; a short side comes first.

    Largest first; of outlines within one another only the outermost that is a card's.
    """
    scale = min(1.0, _LOOK_PX / max(image.shape[:2]))
    reduced = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.GaussianBlur(reduced, (0, 0), 1.0), np.uint8)
    kept: list[Floats] = []
    # Edges lie where the card ends; areas, less exact, only add what no edge went round.
    for shapes, in_two in ((_edges(small), False), (_areas(small), True)):
        found = [outline for shape in shapes for outline in _outlines(shape, in_two=in_two)]
        found.sort(key=lambda corners: -_area(corners))
        for corners in found:
            if not any(_same(corners, other) for other in kept):
                kept.append(corners)
    kept.sort(key=lambda corners: -_area(corners))
    return [on_edges(image, (corners + 0.5) / scale - 0.5) for corners in kept]


def _same(corners: Floats, known: Floats) -> bool:
    """Whether an outline is of the same card as a known one, or of something on that card."""
    apart = float(np.hypot(*(corners.mean(axis=0) - known.mean(axis=0))))
    return apart <= _SAME_PLACE * _shortest(corners) and _area(corners) < _LARGER * _area(known)


def _outlines(shape: Image, *, in_two: bool) -> list[Floats]:
    """The outlines of cards among the contours of a black and white picture; with ``in_two``
    of two contours together as well: a pale oval may cut a card's ground in two."""
    contours, _ = cv2.findContours(shape, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    figures = [np.asarray(contour, np.int32) for contour in contours]
    if in_two:
        most = _MOST_SHARE * shape.size
        parts = [one for one in figures if _LEAST_PART_PX < cv2.contourArea(one) < most]
        bitten = [one for one in parts if _solid(one) < _BITTEN]
        if len(bitten) <= _MOST_PARTS:
            figures += [np.concatenate(pair) for pair in combinations(bitten, 2)]
    outlines = (_outline(figure, shape.size) for figure in figures)
    return [outline for outline in outlines if outline is not None]


def _solid(figure: NDArray[np.int32]) -> float:
    """Share of its hull that a figure fills."""
    return cv2.contourArea(figure) / max(1.0, cv2.contourArea(cv2.convexHull(figure)))


def _edges(image: Image) -> Iterator[Image]:
    """Edges in any channel, as thin closed lines."""
    for low, high in _STRENGTHS:
        edges = np.max([cv2.Canny(channel, low, high) for channel in cv2.split(image)], axis=0)
        yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3))), np.uint8)


def _areas(image: Image) -> Iterator[Image]:
    """What stands out from the rest by lightness, hue or saturation, small gaps bridged."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    strength = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 1]
    bridge = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_BRIDGE_PX, _BRIDGE_PX))
    for channel in (*cv2.split(lab), strength):
        _, above = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for area in (above, 255 - above):
            yield np.asarray(cv2.morphologyEx(area, cv2.MORPH_CLOSE, bridge), np.uint8)


def _outline(contour: NDArray[np.int32], picture_area: int) -> Floats | None:
    """The four corners of a traced figure, or None where it is no card's outline."""
    if len(contour) < 4 * _LEAST_SIDE_PX:
        return None
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    area = cv2.contourArea(hull)
    if area > _MOST_SHARE * picture_area:
        return None
    rough = _rough_corners(hull, area)
    if rough is None:
        return None
    corners = _meeting_lines(hull[:, 0].astype(np.float64), rough)
    if corners is None or not 1 / _ROUND < _area(corners) / area < _ROUND:
        return None
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if across > along:
        corners, across, along = np.roll(corners, -1, axis=0), along, across
    return corners if _SIDES[0] <= along / across <= _SIDES[1] else None


def _rough_corners(hull: NDArray[np.int32], area: float) -> Floats | None:
    """About where the corners are: those of the smallest turned rectangle, where the figure
    fills it, else of the figure reduced to four corners, as coarsely as that takes."""
    box = cv2.minAreaRect(hull)
    if area > _FILLS * box[1][0] * box[1][1]:
        return _large_enough(cv2.boxPoints(box))
    around = cv2.arcLength(hull, True)
    for share in _COARSE:
        reduced = cv2.approxPolyDP(hull, share * around, True)
        if len(reduced) == 4:
            return _large_enough(reduced[:, 0])
    return None


def _large_enough(corners: NDArray[np.generic]) -> Floats | None:
    rough = corners.astype(np.float64)
    return rough if _shortest(rough) >= _LEAST_SIDE_PX else None


def _meeting_lines(hull: Floats, box: Floats) -> Floats | None:
    """Corners where lines through the middles of a figure's sides meet, clockwise."""
    points = _dense(hull)
    lines: list[tuple[Floats, Floats]] = []
    for i in range(4):
        start, step = box[i], box[(i + 1) % 4] - box[i]
        length = float(np.hypot(*step))
        along = (points - start) @ step / length**2
        aside = np.abs((points - start) @ np.array([-step[1], step[0]]) / length)
        mine = (np.abs(along - 0.5) < 0.32) & (aside < 0.16 * _shortest(box))
        if np.count_nonzero(mine) < 6:
            return None
        side = points[mine]
        middle = side.mean(axis=0)
        direction = np.linalg.eigh((side - middle).T @ (side - middle))[1][:, 1]
        off = np.abs((side - middle) @ np.array([-direction[1], direction[0]]))
        if float(np.percentile(off, 90)) > max(1.2, _STRAIGHT * length):
            return None
        lines.append((middle, direction))
    corners = [_meet(lines[i - 1], lines[i]) for i in range(4)]
    if any(corner is None for corner in corners):
        return None
    found = np.array(corners, dtype=np.float64)
    first, second = found[1] - found[0], found[2] - found[1]
    turn = first[0] * second[1] - first[1] * second[0]
    return found if turn > 0 else found[::-1].copy()


def _dense(hull: Floats) -> Floats:
    """Points along a polygon, one a pixel."""
    parts = [
        np.linspace(a, b, max(2, round(float(np.hypot(*(b - a))))), endpoint=False)
        for a, b in zip(hull, np.roll(hull, -1, axis=0), strict=True)
    ]
    return np.concatenate(parts)


def _meet(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats | None:
    (_, d), (_, e) = one, other
    return meet(one, other) if abs(d[0] * e[1] - d[1] * e[0]) >= _SQUARE else None


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _shortest(corners: Floats) -> float:
    return float(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).min())
