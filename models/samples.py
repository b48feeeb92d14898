"""Training samples cut from rendered scenes: crops of halves and patches of tables.

A scene gives *crops* (one half card each, a margin around it, at the reader's scale) and
*patches* (pieces of the rectified table, turned at random, with the halves in them). Both
are cut by `vision.rectify.cut_view`, the way the product cuts them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes import Scene, TrueHalf
from vision.facts import PRINT_COLOURS, PRINT_FACES
from vision.halves import seen_region_mm
from vision.plane import TablePlane
from vision.rectify import cut_view

STORED_CROP_PX = (160, 138)
"""Width and height of a stored crop: larger and finer than what the reader looks at, so that
training can turn, shift and scale it."""
STORED_CROP_PX_PER_MM = 1.5
PATCH_PX = 256
"""Side of a stored patch."""
PATCH_PX_PER_MM = 1.0
LEAST_SEEN = 0.4
"""Halves less visible than this are not asked for."""
NOT_A_HALF = -1
UPRIGHT, ON_ITS_HEAD, EITHER_WAY = 0, 1, -1
"""Which way the face in a crop stands; EITHER_WAY where it has no top or none is told."""


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Crops of one scene."""

    pictures: list[NDArray[np.uint8]]
    """Each (height, width, 3)."""
    colour: NDArray[np.int8]
    face: NDArray[np.int8]
    """Index into PRINT_COLOURS and PRINT_FACES; `NOT_A_HALF` for both where no half lies there."""
    visible: NDArray[np.float32]
    way: NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A piece of the rectified table, PATCH_PX square, and the face-up halves in it."""

    picture: NDArray[np.uint8]
    halves: NDArray[np.float32]
    """(n, 4): x and y in the patch, axis in degrees, visible share."""


def _jittered(
    rng: np.random.Generator, centre: tuple[float, float], axis_deg: float
) -> tuple[tuple[float, float], float, float]:
    x, y = np.array(centre) + rng.normal(0, 0.8, 2)
    return (float(x), float(y)), axis_deg + float(rng.normal(0, 1.5)), float(rng.normal(1, 0.03))


def crop_at(
    scene: Scene, centre: tuple[float, float], axis_deg: float, scale: float
) -> NDArray[np.uint8]:
    """A stored crop around a place of a scene."""
    fine = STORED_CROP_PX_PER_MM * scale
    return cut_view(scene.image, scene.plane, centre, axis_deg - 90, STORED_CROP_PX, fine)


def way_of(half: TrueHalf, axis_deg: float) -> int:
    """Which way a half's face stands in a crop cut along ``axis_deg``."""
    if half.glyph_up_deg is None:
        return EITHER_WAY
    # The crop's lower edge lies in the direction of the axis.
    down = np.cos(np.radians(half.glyph_up_deg - axis_deg)) > 0
    return ON_ITS_HEAD if down else UPRIGHT


def cut_crops(rng: np.random.Generator, scene: Scene, *, background: float = 0.35) -> Crops:
    """Every half that is seen well enough, and a share of places where none is."""
    pictures: list[NDArray[np.uint8]] = []
    labels: list[tuple[int, int, float, int]] = []
    shown = [h for h in scene.halves if h.face_up and h.visible >= LEAST_SEEN]
    for half in shown:
        centre, axis, scale = _jittered(rng, half.centre_mm, half.axis_deg)
        pictures.append(crop_at(scene, centre, axis, scale))
        colour, face = PRINT_COLOURS.index(half.label[0]), PRINT_FACES.index(half.label[1])
        labels.append((colour, face, half.visible, way_of(half, axis)))
    hidden = [h for h in scene.halves if not h.face_up and h.visible > 0.3]
    count = int(np.ceil(background * max(4, len(shown))))
    x0, y0, x1, y1 = seen_region_mm(scene.plane)
    for _ in range(count):
        kind = rng.random()
        if hidden and kind < 0.3:
            half = hidden[int(rng.integers(len(hidden)))]
            place, axis = half.centre_mm, half.axis_deg
        elif shown and kind < 0.55:  # astride two halves, or half off a card
            half = shown[int(rng.integers(len(shown)))]
            a = np.radians(float(rng.uniform(0, 360)))
            far = float(rng.uniform(20, 26))
            place = (half.centre_mm[0] + far * float(np.cos(a)),
                     half.centre_mm[1] + far * float(np.sin(a)))  # fmt: skip
            axis = half.axis_deg + float(rng.choice([0, 90]))
        else:
            place = (float(rng.uniform(x0, x1)), float(rng.uniform(y0, y1)))
            axis = float(rng.uniform(0, 180))
        if any(np.hypot(h.centre_mm[0] - place[0], h.centre_mm[1] - place[1]) < 17 for h in shown):
            continue
        pictures.append(crop_at(scene, place, axis, 1.0))
        labels.append((NOT_A_HALF, NOT_A_HALF, 0.0, EITHER_WAY))
    table = np.array(labels, np.float32).reshape(-1, 4)
    return Crops(pictures, table[:, 0].astype(np.int8), table[:, 1].astype(np.int8), table[:, 2],
                 table[:, 3].astype(np.int8))  # fmt: skip


def _leaning(rng: np.random.Generator, plane: TablePlane, at: tuple[float, float]) -> TablePlane:
    """The plane a little wrong: scale and lean, as a plane found without calibration is."""
    scale = float(np.exp(rng.normal(0, 0.08)))
    lean = rng.normal(0, 0.00012, 2)
    x, y = at
    there, back = np.eye(3), np.eye(3)
    there[:2, 2], back[:2, 2] = (x, y), (-x, -y)
    wrong = np.array([[scale, 0, 0], [0, scale * float(np.exp(rng.normal(0, 0.03))), 0],
                      [lean[0], lean[1], 1]])  # fmt: skip
    return TablePlane(plane.mm_to_px @ there @ wrong @ back, plane.image_size_px,
                      plane.camera_matrix_px, plane.distortion)  # fmt: skip


def cut_patch(rng: np.random.Generator, scene: Scene) -> Patch:
    """A piece of the table around a half, a thing or nothing, turned at random."""
    wanted = [h for h in scene.halves if h.visible > 0.1]
    if wanted and rng.random() < 0.8:
        middle = np.array(wanted[int(rng.integers(len(wanted)))].centre_mm)
        middle = middle + rng.uniform(-90, 90, 2)
    else:
        x0, y0, x1, y1 = seen_region_mm(scene.plane)
        middle = rng.uniform((x0, y0), (x1, y1))
    at = (float(middle[0]), float(middle[1]))
    plane = _leaning(rng, scene.plane, at)
    right = float(rng.uniform(0, 360))
    picture = cut_view(scene.image, plane, at, right, (PATCH_PX, PATCH_PX), PATCH_PX_PER_MM)
    rows = [_in_patch(h, scene.plane, plane, at, right) for h in scene.halves if h.face_up]
    inside = [r for r in rows if -20 < r[0] < PATCH_PX + 20 and -20 < r[1] < PATCH_PX + 20]
    return Patch(picture, np.array(inside, np.float32).reshape(-1, 4))


def _in_patch(
    half: TrueHalf, true_plane: TablePlane, plane: TablePlane, at: tuple[float, float],
    right_deg: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Place and axis of a half in a patch cut with the (wrong) ``plane``."""
    a = np.radians(half.axis_deg)
    step = np.array([np.cos(a), np.sin(a)]) * 10
    centre = np.array(half.centre_mm)
    ends = plane.to_mm(true_plane.to_px(np.array([centre, centre - step, centre + step])))
    t = np.radians(right_deg)
    inverse = np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
    local = (ends - at) @ inverse.T * PATCH_PX_PER_MM + (PATCH_PX - 1) / 2
    d = local[2] - local[1]
    axis = float(np.degrees(np.arctan2(d[1], d[0]))) % 180
    return float(local[0, 0]), float(local[0, 1]), axis, half.visible


def encode(picture: NDArray[np.uint8]) -> bytes:
    """A picture packed for keeping in memory; nearly without loss."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 96])
    assert done
    return data.tobytes()


def decode(data: bytes) -> NDArray[np.uint8]:
    """The picture of `encode`."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
