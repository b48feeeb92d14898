"""Finds and reads half cards: two small networks, one after the other.

The *finder* looks at the rectified table at 0.75 px/mm and tells where half cards lie and how
they are turned. The *reader* looks at each half upright, finer, and tells colour and face by
separate heads; it sees all halves of the picture together, so that a colour is judged in the
light of the others. It tells the face together with the way it stands, since a 6 is a 9 on
its head; what the deck's other faces say of that, `vision.standing` adds.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.facts import COLOURS, FACES, PRINT_COLOURS, PRINT_FACES, Half, Image
from vision.plane import TablePlane
from vision.rectify import cut_view
from vision.weights import WeightsError, load_network

FIND_PX_PER_MM = 0.75
"""Scale of the rectified table that the finder looks at."""
FIND_STRIDE_PX = 8
CROP_PX_PER_MM = 1.25
"""Scale of the crops that the reader looks at."""
CROP_SIZE_PX = (96, 80)
"""Width and height of a crop: across the card, along the card."""

FINDER_FILE = "finder.onnx"
FACE_FINDER_FILE = "face-finder.onnx"
"""Finds the large faces of one-faced cards."""
READER_FILE = "reader.onnx"

_LEAST_HEAT = 0.22
"""Below this the finder's guess is not worth a closer look."""
_LEAST_SCALE_PX_PER_MM = 0.3
"""Where the camera sees the table more coarsely than this, no face can be read."""
_APART_MM = 21.0
"""Two halves that can both be seen well lie farther apart than this."""
_TILE_PX = 1536
_DOUBT = 0.08
"""By how much surer a half must be found whose face nobody would swear to: what looks like no
face in particular is often no card."""

_EAGER = 0.7
"""Share of the usual sureness that an eager reader asks for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where the finder would look closer."""

    x_mm: float
    y_mm: float
    axis_deg: float
    heat: float
    """How sure the finder is that a half lies there, 0...1."""
    seen: float


class HalfFinder:
    """The first of the two networks: where half cards may lie."""

    def __init__(self, session: ort.InferenceSession) -> None:
        self._session = session

    @classmethod
    def load(cls, path: Path, threads: int = 1) -> HalfFinder:
        """The network in a file; raises `WeightsError` where it is missing or broken."""
        return cls(load_network(path, threads))

    def find(
        self, image: Image, plane: TablePlane, region_mm: tuple[float, float, float, float]
    ) -> list[Candidate]:
        """Candidates whose centre lies within a region, no two in the same place."""
        x0, y0, x1, y1 = region_mm
        found = [c for tile in _tiles(region_mm) for c in self._look(image, plane, tile)]
        return _one_each([c for c in found if x0 <= c.x_mm <= x1 and y0 <= c.y_mm <= y1])

    def _look(
        self, image: Image, plane: TablePlane, tile: tuple[float, float, float, float]
    ) -> list[Candidate]:
        x0, y0, x1, y1 = tile
        # A margin of a card, so that halves at the rim are seen with what is around them.
        width = _multiple((x1 - x0 + 90) * FIND_PX_PER_MM)
        height = _multiple((y1 - y0 + 90) * FIND_PX_PER_MM)
        centre = ((x0 + x1) / 2, (y0 + y1) / 2)
        view = cut_view(image, plane, centre, 0.0, (width, height), FIND_PX_PER_MM)
        (cells,) = self._session.run(None, {"table": view[None]})
        return _decode(cells[0], centre, (width, height))


class HalfReader:
    """The trained `vision.facts.Reader`. Reading is deterministic; not for several threads."""

    def __init__(
        self, finder: HalfFinder, reader: ort.InferenceSession, *, one_faced: bool = False
    ) -> None:
        self._finder, self._reader = finder, reader
        self._colours = len(PRINT_COLOURS if one_faced else COLOURS)
        self._faces = len(PRINT_FACES if one_faced else FACES)
        told = reader.get_modelmeta().custom_metadata_map
        if "calibration" not in told:
            raise WeightsError("expected calibrated weights, found none of the program's own notes")
        calibration = json.loads(told["calibration"])
        kind = "one_faced_" if one_faced else ""
        self._cool_colour = 1.0 / float(calibration[f"{kind}temperature_colour"])
        self._cool_face = 1.0 / float(calibration[f"{kind}temperature_face"])
        self._least_found = float(calibration["least_found"])
        self._least_seen = float(calibration["least_seen"])
        self._doubt = _DOUBT

    @classmethod
    def load(cls, folder: Path, threads: int = 1, *, one_faced: bool = False) -> HalfReader:
        """The weights of a folder.

        With ``one_faced`` it finds whole cards with one large face, by a finder of its own, and
        guesses over `PRINT_COLOURS` and `PRINT_FACES`. Raises `WeightsError` where a file is
        missing or broken.
        """
        finder = HalfFinder.load(folder / (FACE_FINDER_FILE if one_faced else FINDER_FILE), threads)
        return cls(finder, load_network(folder / READER_FILE, threads), one_faced=one_faced)

    def eager(self) -> HalfReader:
        """The same reader, which tells also what it is less sure of that it is a half at all:
        for those who have other means to know, such as that halves come in pairs."""
        reader = copy.copy(self)
        reader._doubt, reader._least_found = 0.0, _EAGER * self._least_found
        return reader

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """See `vision.facts.Reader.read`."""
        region = seen_region_mm(plane) if region_mm is None else region_mm
        return self._read(image, plane, self._finder.find(image, plane, region))

    def _read(self, image: Image, plane: TablePlane, candidates: list[Candidate]) -> list[Half]:
        if not candidates:
            return []
        crops = np.stack(
            [
                cut_view(
                    image, plane, (c.x_mm, c.y_mm), c.axis_deg - 90, CROP_SIZE_PX, CROP_PX_PER_MM
                )
                for c in candidates
            ]
        )
        # Each half once as it is and once on its head: the mean is steadier than either.
        colour, joint, present = self._reader.run(None, {"crops": crops})
        other = self._reader.run(None, {"crops": np.ascontiguousarray(crops[:, ::-1, ::-1])})
        colour, present = (colour + other[0]) / 2, (present + other[2]) / 2
        ways = joint.reshape(len(joint), 2, -1)
        ways = (ways + other[1].reshape(ways.shape)[:, ::-1]) / 2
        colour_p = _softmax(colour[:, : self._colours] * self._cool_colour)
        ways = ways[:, :, : self._faces]
        joint_p = _softmax(ways.reshape(len(ways), -1) * self._cool_face).reshape(ways.shape)
        face_p = joint_p.sum(axis=1)
        upright_p = joint_p[:, 0] / face_p
        there = _sigmoid(present[:, 0])
        halves: list[Half] = []
        for i, c in enumerate(candidates):
            found = float(np.sqrt(c.heat * there[i]))
            doubt = 1 - float(colour_p[i].max() * face_p[i].max())
            if found < self._least_found + self._doubt * doubt**2 or c.seen < self._least_seen:
                continue
            halves.append(
                Half(
                    x_mm=c.x_mm,
                    y_mm=c.y_mm,
                    axis_deg=c.axis_deg,
                    colour_p=tuple(float(p) for p in colour_p[i]),
                    face_p=tuple(float(p) for p in face_p[i]),
                    found=found,
                    seen=c.seen,
                    upright_p=tuple(float(p) for p in upright_p[i]),
                )
            )
        return halves


def seen_region_mm(plane: TablePlane) -> tuple[float, float, float, float]:
    """The smallest rectangle of the table that holds all that can be read in the picture."""
    width, height = plane.image_size_px
    gx, gy = np.meshgrid(np.linspace(0, width, 33), np.linspace(0, height, 19))
    pixels = np.column_stack([gx.ravel(), gy.ravel()])
    points = plane.to_mm(pixels)
    right = plane.to_mm(pixels + np.array([1.0, 0.0])) - points
    down = plane.to_mm(pixels + np.array([0.0, 1.0])) - points
    area = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    fine = np.isfinite(area) & (area < 1 / _LEAST_SCALE_PX_PER_MM**2)
    if not fine.any():
        return (0.0, 0.0, 0.0, 0.0)
    low, high = points[fine].min(axis=0), points[fine].max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _multiple(length: float) -> int:
    return max(FIND_STRIDE_PX * 4, int(np.ceil(length / FIND_STRIDE_PX)) * FIND_STRIDE_PX)


def _tiles(
    region: tuple[float, float, float, float],
) -> list[tuple[float, float, float, float]]:
    """Parts of a region small enough to be looked at in one go."""
    x0, y0, x1, y1 = region
    side = _TILE_PX / FIND_PX_PER_MM
    nx, ny = max(1, int(np.ceil((x1 - x0) / side))), max(1, int(np.ceil((y1 - y0) / side)))
    xs, ys = np.linspace(x0, x1, nx + 1), np.linspace(y0, y1, ny + 1)
    return [
        (float(xs[i]), float(ys[j]), float(xs[i + 1]), float(ys[j + 1]))
        for i in range(nx)
        for j in range(ny)
    ]


def _decode(
    cells: NDArray[np.float32],
    centre_mm: tuple[float, float],
    size_px: tuple[int, int],
) -> list[Candidate]:
    """Peaks of the finder's cells (6, h, w), see `models.networks.FINDER_OUTPUTS`."""
    heat = _sigmoid(cells[0])
    padded = np.pad(heat, 1)
    h, w = heat.shape
    around = np.max(
        [padded[dy : dy + h, dx : dx + w] for dy in range(3) for dx in range(3)], axis=0
    )
    rows, columns = np.nonzero((heat >= around) & (heat >= _LEAST_HEAT))
    picked = cells[:, rows, columns]
    x_px = (columns + 0.5 + picked[1]) * FIND_STRIDE_PX
    y_px = (rows + 0.5 + picked[2]) * FIND_STRIDE_PX
    x_mm = centre_mm[0] + (x_px - (size_px[0] - 1) / 2) / FIND_PX_PER_MM
    y_mm = centre_mm[1] + (y_px - (size_px[1] - 1) / 2) / FIND_PX_PER_MM
    axis = (np.degrees(np.arctan2(picked[4], picked[3])) / 2) % 180
    seen = _sigmoid(picked[5])
    return [
        Candidate(float(x_mm[i]), float(y_mm[i]), float(axis[i]), float(heat[r, c]), float(seen[i]))
        for i, (r, c) in enumerate(zip(rows, columns, strict=True))
    ]


def _one_each(candidates: list[Candidate]) -> list[Candidate]:
    """Leaves one candidate of those that lie too close to be two halves: the surest."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.heat):
        if all(
            np.hypot(candidate.x_mm - k.x_mm, candidate.y_mm - k.y_mm) > _APART_MM for k in kept
        ):
            kept.append(candidate)
    return kept


def _softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    shifted = np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), np.float64)


def _sigmoid(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logits.astype(np.float64))), np.float64)
