"""Where a camera looks from, in as few numbers as a picture of known things can tell.

Assumed are square pixels and an optical axis through the middle of the picture, unless a lens
was measured. What is left are five numbers: scale, two for the lean of the table, focal length
and how much the lens bends. What a picture leaves open is decided by what cameras usually are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from vision.plane import TablePlane

Floats = NDArray[np.float64]

USUAL_FOCAL = 0.85
"""Focal length in picture widths (the longer side) that webcams and phones have, about."""
FOCAL_SPREAD = 0.25
"""Standard deviation of its natural logarithm."""
USUAL_LEAN = (0.0, 0.35)
"""Cameras stand at one side of the table and look down at it: its far part is at the top."""
LEAN_SPREAD = (0.3, 0.5)
UPSIDE_DOWN = 0.12
"""Few cameras look from the far side: then the nearest player would be at the picture's top. But
phones that hang above a table turn their pictures as they like, so that cards can overrule it."""
BEND_SPREAD = 0.06
MOST_BEND = 0.4
"""Beyond it, a single number does not describe a lens."""
ROBUST = 2.0
"""Deviations beyond this many standard deviations count less and less."""


@dataclass(frozen=True, slots=True)
class View:
    """A camera over a table."""

    size_px: tuple[int, int]
    px_per_mm: float
    """Scale in the middle of the picture, across the direction of the lean."""
    lean: tuple[float, float]
    """Slope of the table against the picture, to the right and downwards: 0 looking straight
    down, and the second positive where the far part of the table is at the picture's top."""
    focal_px: float
    bend: float = 0.0
    """OpenCV's k1: the lens draws the corners outwards where positive, inwards where negative."""
    lens: Lens | None = field(default=None, compare=False)
    """A lens that was measured; it goes before ``focal_px`` and ``bend``."""

    def plane(self) -> TablePlane:
        """The table plane with its origin in the middle of the picture, x to the right."""
        right, down, middle = self._pose()
        camera = self._camera()
        homography = camera @ np.column_stack([right, down, middle])
        homography /= homography[2, 2]
        if self.lens is not None:
            return TablePlane(homography, self.size_px, camera, self.lens.distortion)
        if self.bend == 0.0:
            return TablePlane(homography, self.size_px)
        bend = np.array([self.bend, 0.0, 0.0, 0.0, 0.0])
        return TablePlane(homography, self.size_px, camera, bend)

    def to_mm(self, points_px: Floats) -> Floats:
        """Where points of the picture lie on the table, any shape that ends in 2.

        Like that of `plane`, but quick enough to be asked a hundred times.
        """
        rays = self._rays(points_px)
        right, down, middle = self._pose()
        normal = np.cross(right, down)
        facing = rays[..., 0] * normal[0] + rays[..., 1] * normal[1] + normal[2]
        depth = normal[2] * middle[2] / facing
        spots = np.stack([rays[..., 0] * depth, rays[..., 1] * depth, depth - middle[2]], axis=-1)
        return np.stack([spots @ right, spots @ down], axis=-1)

    def _rays(self, points_px: Floats) -> Floats:
        """Directions of points, undistorted, at a distance of 1."""
        if self.lens is not None:
            flat = cv2.undistortPoints(
                points_px.reshape(-1, 1, 2), self.lens.camera_matrix_px, self.lens.distortion
            )
            return np.asarray(flat, np.float64).reshape(points_px.shape)
        middle = (np.array(self.size_px) - 1.0) / 2
        bent = (points_px - middle) / self.focal_px
        rays = bent
        if self.bend != 0.0:
            for _ in range(6):
                squared = (rays**2).sum(axis=-1, keepdims=True)
                rays = bent / np.maximum(1.0 + self.bend * squared, 0.3)
        return rays

    def _pose(self) -> tuple[Floats, Floats, Floats]:
        """The table's x and y axes and its origin, as the camera sees them."""
        normal = np.array([*self.lean, 1.0])
        normal /= np.linalg.norm(normal)
        right = np.array([1.0, 0.0, 0.0]) - normal * normal[0]
        right /= np.linalg.norm(right)
        away_mm = self._camera()[0, 0] / self.px_per_mm
        return right, np.cross(normal, right), np.array([0.0, 0.0, away_mm])

    def _camera(self) -> Floats:
        if self.lens is not None:
            return self.lens.camera_matrix_px
        width, height = self.size_px
        return np.array(
            [
                [self.focal_px, 0.0, (width - 1) / 2],
                [0.0, self.focal_px, (height - 1) / 2],
                [0.0, 0.0, 1.0],
            ]
        )


def usual_view(
    size_px: tuple[int, int], px_per_mm: float, lean_down: float, lens: Lens | None = None
) -> View:
    """A view with the usual focal length, leaning straight away from who sits at the bottom."""
    return View(size_px, px_per_mm, (0.0, lean_down), USUAL_FOCAL * max(size_px), lens=lens)


class Evidence(Protocol):
    """Things of known size in the picture, as far as they speak for or against a view."""

    def deviations(self, view: View) -> Floats:
        """How far each thing is from what it should be, in standard deviations, shape (n,)."""
        ...

    def weights(self, deviations: Floats) -> Floats:
        """How much each deviation counts (0...1), given all of them: mistakes count little."""
        ...

    def against(self, deviations: Floats) -> float:
        """How much speaks against the view: half the squared deviations, those of mistakes less."""
        ...


class Counted(Evidence, Protocol):
    """Evidence that knows how many deviations it gives."""

    @property
    def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Together:
    """Evidence of two kinds."""

    one: Counted
    other: Evidence
    other_counts: float = 1.0
    """What the other counts beside the one."""

    def deviations(self, view: View) -> Floats:
        return np.concatenate([self.one.deviations(view), self.other.deviations(view)])

    def weights(self, deviations: Floats) -> Floats:
        first, second = self._parts(deviations)
        return np.concatenate(
            [self.one.weights(first), self.other_counts * self.other.weights(second)]
        )

    def against(self, deviations: Floats) -> float:
        first, second = self._parts(deviations)
        return self.one.against(first) + self.other_counts * self.other.against(second)

    def _parts(self, deviations: Floats) -> tuple[Floats, Floats]:
        return deviations[: self.one.count], deviations[self.one.count :]


@dataclass(frozen=True, slots=True)
class Fit:
    """A view and how much speaks against it."""

    view: View
    against: float


def misfit(view: View, evidence: Evidence) -> float:
    """How much speaks against a view: what was found, and what cameras usually are."""
    return evidence.against(evidence.deviations(view)) + _unusual(view)


def fit(view: View, evidence: Evidence, *, bends: bool = True, rounds: int = 25) -> Fit:
    """The view, near a first guess, that agrees best with the evidence.

    Robust least squares (Levenberg-Marquardt) with what is usual for cameras as a weak prior,
    which decides what the evidence leaves open. ``bends`` says whether the lens may bend.
    """
    free = _free(view, bends)
    best, damping = view, 1e-2
    rest = evidence.deviations(best)
    cost = misfit(best, evidence)
    for _ in range(rounds):
        slopes = np.column_stack(
            [(evidence.deviations(_moved(best, step)) - rest) / 1e-5 for step in free * 1e-5]
        )
        usual = np.column_stack(
            [(_prior(_moved(best, step)) - _prior(best)) / 1e-5 for step in free * 1e-5]
        )
        weights = evidence.weights(rest)
        normal = slopes.T @ (slopes * weights[:, None]) + usual.T @ usual
        gradient = slopes.T @ (rest * weights) + usual.T @ _prior(best)
        gain = 0.0
        for _ in range(6):
            damped = normal + damping * np.diag(np.diag(normal) + 1e-9)
            change = np.clip(np.linalg.solve(damped, -gradient), -0.3, 0.3)
            tried = _moved(best, change @ free)
            tried_rest = evidence.deviations(tried)
            tried_cost = evidence.against(tried_rest) + _unusual(tried)
            if tried_cost < cost:
                gain = cost - tried_cost
                best, rest, cost = tried, tried_rest, tried_cost
                damping = max(damping / 5, 1e-6)
                break
            damping *= 8
        if gain < 1e-5 * (1 + cost):
            break
    return Fit(best, cost)


def cauchy(deviations: Floats, robust: float = ROBUST) -> float:
    """Half the squares of small deviations; large ones, which may be mistakes, count less."""
    return float(robust**2 / 2 * np.log1p((deviations / robust) ** 2).sum())


def cauchy_weights(deviations: Floats, robust: float = ROBUST) -> Floats:
    """What each deviation counts by that measure."""
    return np.asarray(1.0 / (1.0 + (deviations / robust) ** 2), np.float64)


def _free(view: View, bends: bool) -> Floats:
    """Rows of the unit matrix: scale, two leans, focal length, bend, as far as they are open."""
    unknown = 5 if bends else 4
    return np.eye(5)[: 3 if view.lens is not None else unknown]


def _moved(view: View, change: Floats) -> View:
    scale, right, down, focal, bend = (float(v) for v in change)
    return replace(
        view,
        px_per_mm=view.px_per_mm * float(np.exp(scale)),
        lean=(view.lean[0] + right, view.lean[1] + down),
        focal_px=view.focal_px * float(np.exp(focal)),
        bend=float(np.clip(view.bend + bend, -MOST_BEND, MOST_BEND)),
    )


def _prior(view: View) -> Floats:
    return np.array(
        [
            (view.lean[0] - USUAL_LEAN[0]) / LEAN_SPREAD[0],
            (view.lean[1] - USUAL_LEAN[1]) / LEAN_SPREAD[1],
            _capped(min(view.lean[1], 0.0) / UPSIDE_DOWN),
            np.log(view.focal_px / (USUAL_FOCAL * max(view.size_px))) / FOCAL_SPREAD,
            view.bend / BEND_SPREAD,
        ]
    )


def _capped(deviation: float) -> float:
    """What counts like a deviation while it is small, and hardly more once it is large."""
    return math.copysign(math.sqrt(2 * cauchy(np.array([deviation]))), deviation)


def _unusual(view: View) -> float:
    return float((_prior(view) ** 2).sum() / 2)
