"""A camera's lens as it was measured, and the file that it is kept in.

`lens.json` holds a subset of `table.json`'s fields (`image_size_px`, `camera_matrix_px`,
`distortion`) and how well they were measured; so each may be read as the other's lens.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class LensError(ValueError):
    """A lens file that cannot be used: says what was expected and what was found."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Focal length, optical axis and distortion of a camera."""

    size_px: tuple[int, int]
    """Width and height of the pictures that it was measured in."""
    camera_matrix_px: Floats
    """3x3."""
    distortion: Floats
    """OpenCV's k1 k2 p1 p2 k3, shape (5,)."""
    error_px: float | None = None
    """Root mean square distance of the board's corners from where the lens puts them."""
    views: int | None = None
    """How many pictures it was measured from."""

    def __post_init__(self) -> None:
        matrix = np.asarray(self.camera_matrix_px, dtype=np.float64)
        bends = np.asarray(self.distortion, dtype=np.float64).ravel()
        if matrix.shape != (3, 3) or bends.shape != (5,):
            raise LensError(
                f"expected a 3 x 3 camera matrix and 5 distortion numbers, found shapes"
                f" {matrix.shape} and {bends.shape}"
            )
        if not np.isfinite(matrix).all() or not np.isfinite(bends).all():
            raise LensError("expected finite numbers in the lens, found nan or inf")
        if matrix[0, 0] <= 0 or matrix[1, 1] <= 0:
            raise LensError(
                f"expected positive focal lengths, found {matrix[0, 0]:g} and {matrix[1, 1]:g}"
            )
        object.__setattr__(self, "camera_matrix_px", matrix)
        object.__setattr__(self, "distortion", bends)

    def resized(self, size_px: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size; raises `LensError` for another shape."""
        if size_px == self.size_px:
            return self
        (width, height), (old_width, old_height) = size_px, self.size_px
        if abs(width * old_height - height * old_width) > max(width, old_width):
            raise LensError(
                f"expected pictures of {old_width} x {old_height} pixels, which the lens was"
                f" measured in, or of the same shape, found {width} x {height}"
            )
        across, down = width / old_width, height / old_height
        # Pixel centres lie half a pixel in from the border, whatever the size.
        scale = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
        return Lens(
            size_px, scale @ self.camera_matrix_px, self.distortion, self.error_px, self.views
        )


def save_lens(lens: Lens, path: Path) -> None:
    """Write a lens file that `load_lens` reads back as it was."""
    data = {
        "image_size_px": list(lens.size_px),
        "camera_matrix_px": lens.camera_matrix_px.tolist(),
        "distortion": lens.distortion.tolist(),
        "reprojection_error_px": lens.error_px,
        "views": lens.views,
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def load_lens(path: Path) -> Lens:
    """Read the lens of a `lens.json` or `table.json`.

    Raises `LensError` for anything else, `OSError` where there is no such file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise LensError(f"{path}: expected a JSON object, found something else ({error})") from None
    if not isinstance(data, dict):
        raise LensError(f"{path}: expected a JSON object, found {type(data).__name__}")
    try:
        return _lens(data)
    except LensError as error:
        raise LensError(f"{path}: {error}") from None


def _lens(data: dict[str, Any]) -> Lens:
    for key in ("image_size_px", "camera_matrix_px", "distortion"):
        if data.get(key) is None:
            raise LensError(f"expected the key {key!r}, found {', '.join(sorted(data)) or 'none'}")
    try:
        width, height = (int(v) for v in data["image_size_px"])
        matrix = np.asarray(data["camera_matrix_px"], dtype=np.float64)
        distortion = np.asarray(data["distortion"], dtype=np.float64)
        error_px, views = data.get("reprojection_error_px"), data.get("views")
        return Lens(
            (width, height),
            matrix,
            distortion,
            None if error_px is None else float(error_px),
            None if views is None else int(views),
        )
    except LensError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise LensError(f"expected the numbers of a lens, found others ({error})") from None
