"""Where a camera looks from, in as few numbers as a picture of cards can tell.

Assumed are square pixels, an optical axis through the middle of the picture and no lens
distortion. What is left are four numbers: scale, two for the lean of the table, focal length.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.plane import TablePlane

Floats = NDArray[np.float64]

USUAL_FOCAL = 0.8
"""Focal length in picture widths (the longer side) that webcams and phones have, about."""
FOCAL_SPREAD = 0.15
"""Standard deviation of its natural logarithm."""
USUAL_LEAN = (0.0, 0.35)
"""Cameras stand at one side of the table and look down at it: its far part is at the top."""
LEAN_SPREAD = (0.3, 0.5)
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

    def plane(self) -> TablePlane:
        """The table plane with its origin in the middle of the picture, x to the right."""
        width, height = self.size_px
        normal = np.array([*self.lean, 1.0])
        normal /= np.linalg.norm(normal)
        right = np.array([1.0, 0.0, 0.0]) - normal * normal[0]
        right /= np.linalg.norm(right)
        down = np.cross(normal, right)
        middle = np.array([0.0, 0.0, self.focal_px / self.px_per_mm])
        camera = np.array(
            [
                [self.focal_px, 0.0, (width - 1) / 2],
                [0.0, self.focal_px, (height - 1) / 2],
                [0.0, 0.0, 1.0],
            ]
        )
        homography = camera @ np.column_stack([right, down, middle])
        return TablePlane(homography / homography[2, 2], self.size_px)


def usual_view(size_px: tuple[int, int], px_per_mm: float, lean_down: float) -> View:
    """A view with the usual focal length, leaning straight away from who sits at the bottom."""
    return View(size_px, px_per_mm, (0.0, lean_down), USUAL_FOCAL * max(size_px))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Things of known size in the picture: n distances and m pairs of directions."""

    from_px: Floats
    to_px: Floats
    """End points of the distances, shape (n, 2)."""
    length_mm: Floats
    spread_mm: Floats
    """What the distances are on the table and how sure that is, shape (n,)."""
    first_px: Floats
    second_px: Floats
    """Pairs of directions that are parallel or at right angles on the table, each as two
    points, shape (m, 2, 2)."""
    spread_deg: float = 6.0

    def joined(self, other: Evidence) -> Evidence:
        """Both together."""
        return Evidence(
            np.concatenate([self.from_px, other.from_px]),
            np.concatenate([self.to_px, other.to_px]),
            np.concatenate([self.length_mm, other.length_mm]),
            np.concatenate([self.spread_mm, other.spread_mm]),
            np.concatenate([self.first_px, other.first_px]),
            np.concatenate([self.second_px, other.second_px]),
            self.spread_deg,
        )


def fit(view: View, evidence: Evidence, *, rounds: int = 12) -> View:
    """The view, near a first guess, that agrees best with the evidence.

    Robust least squares (Levenberg-Marquardt on four numbers) with what is usual for cameras
    as a weak prior, which decides what the evidence leaves open.
    """
    numbers = _numbers(view)
    damping = 1e-2
    rest = _residuals(view, evidence)
    cost = _cost(rest)
    for _ in range(rounds):
        slopes = np.column_stack(
            [
                (_residuals(_view(view, numbers + step), evidence) - rest) / 1e-5
                for step in np.eye(4) * 1e-5
            ]
        )
        weight = 1.0 / (1.0 + (rest / ROBUST) ** 2)
        weight[-3:] = 1.0  # what is usual is no measurement: it gives way, but is never dropped
        normal = slopes.T @ (slopes * weight[:, None])
        gradient = slopes.T @ (rest * weight)
        change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
        tried = numbers + np.clip(change, -0.3, 0.3)
        tried_rest = _residuals(_view(view, tried), evidence)
        if _cost(tried_rest) < cost:
            gain = cost - _cost(tried_rest)
            numbers, rest, cost = tried, tried_rest, _cost(tried_rest)
            damping = max(damping / 5, 1e-6)
            if gain < 1e-6 * (1 + cost):
                break
        else:
            damping *= 8
    return _view(view, numbers)


def implausible(view: View, evidence: Evidence) -> float:
    """How much speaks against a view: half the squared deviations, those of mistakes less."""
    return _cost(_residuals(view, evidence))


def misfit_mm(view: View, evidence: Evidence) -> Floats:
    """How much longer each distance is on the table than it should be, shape (n,)."""
    plane = view.plane()
    apart = plane.to_mm(evidence.to_px) - plane.to_mm(evidence.from_px)
    return np.asarray(np.hypot(apart[:, 0], apart[:, 1]) - evidence.length_mm, dtype=np.float64)


def _numbers(view: View) -> Floats:
    return np.array([np.log(view.px_per_mm), *view.lean, np.log(view.focal_px)])


def _view(like: View, numbers: Floats) -> View:
    scale, right, down, focal = (float(v) for v in numbers)
    return replace(
        like, px_per_mm=float(np.exp(scale)), lean=(right, down), focal_px=float(np.exp(focal))
    )


def _residuals(view: View, evidence: Evidence) -> Floats:
    """Deviations in standard deviations: distances, directions, then the three priors."""
    plane = view.plane()
    distances = misfit_mm(view, evidence) / evidence.spread_mm
    turns = [
        _angles_deg(plane, evidence.second_px) - _angles_deg(plane, evidence.first_px)
        if len(evidence.first_px)
        else np.zeros(0)
    ]
    quarter = (turns[0] + 45.0) % 90.0 - 45.0
    prior = [
        (view.lean[0] - USUAL_LEAN[0]) / LEAN_SPREAD[0],
        (view.lean[1] - USUAL_LEAN[1]) / LEAN_SPREAD[1],
        np.log(view.focal_px / (USUAL_FOCAL * max(view.size_px))) / FOCAL_SPREAD,
    ]
    return np.concatenate([distances, quarter / evidence.spread_deg, np.array(prior)])


def _angles_deg(plane: TablePlane, pairs_px: Floats) -> Floats:
    ends = plane.to_mm(pairs_px.reshape(-1, 2)).reshape(-1, 2, 2)
    step = ends[:, 1] - ends[:, 0]
    return np.asarray(np.degrees(np.arctan2(step[:, 1], step[:, 0])), dtype=np.float64)


def _cost(rest: Floats) -> float:
    """Cauchy's for the evidence, which may be mistaken; squares for what is usual."""
    evidence, usual = rest[:-3], rest[-3:]
    mistaken = ROBUST**2 / 2 * np.log1p((evidence / ROBUST) ** 2).sum()
    return float(mistaken + (usual**2).sum() / 2)
