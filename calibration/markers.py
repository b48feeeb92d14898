"""Finds the printed page of markers: the table plane from one picture, no clicks.

A page carries six AprilTags of known size and place. Several pages with markers of their own may
lie about; each is a rigid piece of the plane, and how they lie to each other need not be known.
The farther apart they lie, the surer the plane is at the table's rim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.view import Floats, View, cauchy, cauchy_weights, fit, usual_view
from vision.facts import Image
from vision.line_match import Motion
from vision.plane import TablePlane

MARKER_MM: Final = 70.0
"""Side of a marker's black square."""
PAGES: Final = 8
"""So many pages have markers of their own."""
_CENTRES_MM: Final = tuple((x, y) for y in (-80.0, 0.0, 80.0) for x in (-60.0, 60.0))
_DICTIONARY: Final = cv2.aruco.DICT_APRILTAG_36h11
_SPREAD_MM: Final = 0.3
_LEAST_MARKERS: Final = 2
"""Of a page: a single marker is too small to tell how the whole table leans."""
MOST_RESIDUAL_MM: Final = 2.0
"""Beyond it the page does not lie flat, or is another one."""
_LEAST_SIDE_PX: Final = 16.0
_SPREAD_OUT: Final = 0.45
"""Share of the picture's width that markers must span to tell how much the lens bends."""
_LEANS: Final = ((0.0, 0.0), (0.0, 0.4), (0.0, 0.9), (0.4, 0.2), (-0.4, 0.2))


@dataclass(frozen=True, slots=True, eq=False)
class MarkerFit:
    """A table plane found from markers."""

    plane: TablePlane
    view: View
    markers: tuple[int, ...]
    """Numbers of the markers that were found."""
    pages: int
    """How many pages they belong to."""
    residual_mm: float
    """Root mean square distance of the markers' corners from where they should be."""
    worst_mm: float
    corners_px: Floats
    """Where their corners are in the picture, shape (markers, 4, 2)."""


@dataclass(frozen=True, slots=True)
class MarkerRefusal:
    """No plane can be told from the markers."""

    reason: str
    """One sentence: what was expected, what was found, what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Rigid things on the table whose points are known: `calibration.view.Evidence`."""

    known_mm: tuple[Floats, ...]
    """For each thing the places of its points on it, shape (n, 2)."""
    seen_px: tuple[Floats, ...]
    spread_mm: float = _SPREAD_MM

    def off_mm(self, view: View) -> Floats:
        """Each point's way from where it should be, shape (all points, 2)."""
        steps = []
        for known, seen in zip(self.known_mm, self.seen_px, strict=True):
            told = view.to_mm(seen)
            steps.append(told - Motion.between(known, told).apply(known))
        return np.concatenate(steps)

    def deviations(self, view: View) -> Floats:
        return self.off_mm(view).ravel() / self.spread_mm

    def weights(self, deviations: Floats) -> Floats:
        return cauchy_weights(deviations)

    def against(self, deviations: Floats) -> float:
        return cauchy(deviations)


def find_markers(
    image: Image, lens: Lens | None = None, print_scale: float = 1.0
) -> MarkerFit | MarkerRefusal:
    """The plane on which the printed pages lie flat, or why none can be told.

    ``lens`` is the camera's, where it was measured. ``print_scale`` is how much larger than true
    size the page came out of the printer (its ruler's length / 100 mm).
    """
    height, width = image.shape[:2]
    numbers, corners = _detect(image)
    by_page: dict[int, list[int]] = {}
    for i, number in enumerate(numbers):
        by_page.setdefault(number // len(_CENTRES_MM), []).append(i)
    pages = [found for page, found in sorted(by_page.items()) if len(found) >= _LEAST_MARKERS]
    if not pages:
        return MarkerRefusal(_too_few(len(numbers)))
    used = [i for page in pages for i in page]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)[used]
    if float(sides.min(axis=1).mean()) < _LEAST_SIDE_PX:
        return MarkerRefusal(
            f"expected markers at least {_LEAST_SIDE_PX:.0f} pixels wide, found them"
            f" {float(sides.mean()):.0f} wide; move the camera nearer, or film at a larger size"
        )
    shapes = Shapes(
        tuple(
            np.concatenate([_corners_mm(numbers[i]) for i in page]) * print_scale for page in pages
        ),
        tuple(np.concatenate([corners[i] for i in page]) for page in pages),
    )
    # How much the lens bends shows only where markers lie far apart.
    spans = np.ptp(corners[used].reshape(-1, 2), axis=0).max() / max(width, height)
    scale = float(sides.mean()) / (MARKER_MM * print_scale)
    fitted = fit_shapes(shapes, (width, height), scale, lens, bends=bool(spans > _SPREAD_OUT))
    off = np.hypot(*shapes.off_mm(fitted).T)
    residual = float(np.sqrt((off**2).mean()))
    if residual > MOST_RESIDUAL_MM:
        return MarkerRefusal(
            f"expected the markers' corners within {MOST_RESIDUAL_MM:g} mm of a flat page, found"
            f" them {residual:.1f} mm off; the page must lie flat, printed whole and at 100 %"
        )
    found = tuple(numbers[i] for i in used)
    return MarkerFit(
        fitted.plane(), fitted, found, len(pages), residual, float(off.max()), corners[used]
    )


def fit_shapes(
    shapes: Shapes,
    size_px: tuple[int, int],
    px_per_mm: float,
    lens: Lens | None = None,
    *,
    bends: bool = False,
) -> View:
    """The view in which things have their true shape, from a rough idea of the scale."""
    starts = [usual_view(size_px, px_per_mm, down, lens) for _, down in _LEANS]
    starts = [
        View(s.size_px, s.px_per_mm, lean, s.focal_px, lens=lens)
        for s, lean in zip(starts, _LEANS, strict=True)
    ]
    tried = [fit(start, shapes, bends=False) for start in starts]
    best = min(tried, key=lambda one: one.against)
    return fit(best.view, shapes, bends=bends).view


def page_markers(page: int) -> dict[int, tuple[float, float]]:
    """The markers of a page (counted from 0) and their centres, in millimetres from its middle,
    x to the right, y downwards."""
    first = page * len(_CENTRES_MM)
    return {first + i: centre for i, centre in enumerate(_CENTRES_MM)}


@cache
def marker_cells(number: int) -> NDArray[np.bool_]:
    """Which of a marker's 8 x 8 cells are black, its border included."""
    bits = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(_DICTIONARY), number, 8, borderBits=1
    )
    return np.asarray(np.asarray(bits) < 128, np.bool_)


def _corners_mm(number: int) -> Floats:
    """A marker's corners on its page: clockwise from the top left."""
    x, y = _CENTRES_MM[number % len(_CENTRES_MM)]
    half = MARKER_MM / 2
    return np.array(
        [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    )


def _detect(image: Image) -> tuple[list[int], Floats]:
    """Numbers and corners (n, 4, 2) of our markers in a picture."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY), settings)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found, numbers, _ = detector.detectMarkers(grey)
    if numbers is None:
        return [], np.zeros((0, 4, 2))
    ours = PAGES * len(_CENTRES_MM)
    kept = [(int(n), c) for n, c in zip(numbers.ravel(), found, strict=True) if n < ours]
    # A marker that shows twice (a mirror, a second print) cannot be told apart: leave it out.
    known = [n for n, _ in kept]
    kept = [(n, c) for n, c in kept if known.count(n) == 1]
    rough = np.array([c for _, c in kept], np.float64).reshape(-1, 4, 2)
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    corners = np.array([_by_sides(soft, square) for square in rough]).reshape(-1, 4, 2)
    return [n for n, _ in kept], corners


def _by_sides(grey: NDArray[np.float32], corners: Floats) -> Floats:
    """A marker's corners where lines through its four sides meet, from roughly where they are.

    A side is seen along all its length, a corner at one point: lines are the surer.
    """
    for _ in range(2):
        lines = []
        for start, stop in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = stop - start
            length = float(np.hypot(*along))
            outwards = np.array([along[1], -along[0]]) / max(length, 1e-9)
            reach = length / 10
            t = np.arange(-reach, reach + 0.01, 0.25)
            base = start + np.linspace(0.12, 0.88, 25)[:, None] * along
            spots = (base[:, None] + t[None, :, None] * outwards).astype(np.float32)
            rows = cv2.remap(grey, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
            # Black within, white without: the steepest rise, by its centre of gravity.
            rise = np.maximum(np.gradient(np.asarray(rows, np.float64), axis=1), 0.0)
            near = np.abs(t[None] - t[rise.argmax(axis=1)][:, None]) < 1.6
            weight = np.where(near, rise, 0.0) + 1e-9
            off = (weight * t).sum(axis=1) / weight.sum(axis=1)
            points = (base + off[:, None] * outwards).astype(np.float32)
            vx, vy, x, y = np.asarray(
                cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01), np.float64
            ).ravel()
            lines.append(np.array([vy, -vx, vx * y - vy * x]))
        met = [np.cross(lines[i - 1], lines[i]) for i in range(4)]
        if any(abs(point[2]) < 1e-9 for point in met):
            return corners
        corners = np.array([point[:2] / point[2] for point in met])
    return corners


def _too_few(markers: int) -> str:
    found = "none of its markers" if markers == 0 else "only one of its markers"
    return (
        f"expected the printed page of markers in the picture, found {found}; lay it flat in the"
        " middle of the table, wholly in view, without glare on it"
        " ('referee calibrate page' makes it)"
    )


def outline_px(corners_px: Floats) -> Sequence[NDArray[np.int32]]:
    """The markers' outlines as polygons to draw, in 1/16 of a pixel."""
    return [np.round(corners * 16).astype(np.int32) for corners in corners_px]
