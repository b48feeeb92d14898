"""`table.json`: where the camera looks, who sits where, where the piles lie.

The format is described in `docs/contract.md`. Reading checks all of it at the door, so that
everything behind may trust a `Table`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.facts import CARD_MM
from vision.hands import Zone
from vision.line_match import Motion
from vision.plane import PlaneError, TablePlane

Polygon = tuple[tuple[float, float], ...]
"""Corners in pixels of the camera's picture."""


class TableError(ValueError):
    """A `table.json` that cannot be used: says which field, what was expected and found."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table."""

    name: str
    seat_mm: tuple[float, float] | None = None
    """Where they sit, outside the table's edge; None where nobody said."""


@dataclass(frozen=True, slots=True)
class Table:
    """All that is known of the table before the first picture."""

    plane: TablePlane
    players: tuple[Player, ...] = ()
    """Clockwise, seen from above."""
    zones: Mapping[str, Zone] = field(default_factory=dict)
    """By name: ``draw_pile``, in SOLO ``discard_pile`` too."""
    card_mm: tuple[float, float] = CARD_MM
    game: str = "solomino"
    deck: str = "solomino"
    options: Mapping[str, object] = field(default_factory=dict)
    """The rules that are played by at this table, where they are not the default."""
    masks_px: tuple[Polygon, ...] = ()
    """Parts of the camera's picture that are never stored or shown: black before anybody looks."""
    table_mm: tuple[float, float] | None = None
    """Width and depth of the table, or of what was measured on it, around the plane's origin."""
    assumed: Mapping[str, str] = field(default_factory=dict)
    """What nobody said and was assumed, and from what; empty where a person described the table."""
    seats_assumed: bool = False
    """Seats were spread evenly, since nobody and nothing told where players sit."""
    residual_mm: float | None = None
    """How well the plane fits what it was found from, where that is known."""

    def resized(self, image_size_px: tuple[int, int]) -> Table:
        """The same table in pictures of another size; raises `PlaneError` for another shape."""
        plane = self.plane.resized(image_size_px)
        across = image_size_px[0] / self.plane.image_size_px[0]
        down = image_size_px[1] / self.plane.image_size_px[1]
        masks = tuple(tuple((x * across, y * down) for x, y in mask) for mask in self.masks_px)
        return replace(self, plane=plane, masks_px=masks)

    def on_plane(self, plane: TablePlane, residual_mm: float | None) -> Table:
        """The same table by a plane that was found anew: seats and zones stay where the picture
        shows them, though the new plane counts its millimetres from another place.

        Raises `PlaneError` for a plane of pictures of another shape.
        """
        known = self.resized(plane.image_size_px)
        across, down = np.meshgrid(*(np.linspace(0.2, 0.8, 4) * s for s in plane.image_size_px))
        spots = np.column_stack([across.ravel(), down.ravel()])
        # Seats lie outside the picture, where pixels tell little: all moves as one rigid piece.
        moved = Motion.between(known.plane.to_mm(spots), plane.to_mm(spots))

        def at(spot_mm: tuple[float, float]) -> tuple[float, float]:
            x, y = moved.apply(np.array([spot_mm]))[0]
            return round(float(x), 1), round(float(y), 1)

        return replace(
            known,
            plane=plane,
            players=tuple(
                p if p.seat_mm is None else replace(p, seat_mm=at(p.seat_mm)) for p in known.players
            ),
            zones={
                name: replace(zone, centre_mm=at(zone.centre_mm))
                for name, zone in known.zones.items()
            },
            assumed={what: how for what, how in known.assumed.items() if what != "plane"},
            residual_mm=residual_mm,
        )


def load_table(path: Path) -> Table:
    """Read and check a table file; raises `TableError`, or `OSError` where there is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TableError(
            f"{path}: expected a JSON object, found something else ({error})"
        ) from None
    try:
        return table_from_json(data)
    except (TableError, PlaneError) as error:
        raise TableError(f"{path}: {error}") from None


def save_table(table: Table, path: Path) -> None:
    """Write a table file that `load_table` reads back as it was."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(json.dumps(table_to_json(table), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        error.filename = str(path)  # the name that somebody gave
        raise
    beside.replace(path)  # whoever is broken off here leaves the old file or the new, never half


def table_from_json(data: object) -> Table:
    """The table that a parsed `table.json` describes; raises `TableError` or `PlaneError`."""
    if not isinstance(data, dict):
        raise TableError(f"expected a JSON object, found {type(data).__name__}")
    width, height = (int(v) for v in _pair(_need(data, "image_size_px"), "image_size_px"))
    if width < 1 or height < 1:
        raise TableError(f"image_size_px: expected width and height, found {width} x {height}")
    lens = data.get("camera_matrix_px"), data.get("distortion")
    if (lens[0] is None) != (lens[1] is None):
        raise TableError("expected camera_matrix_px and distortion both or neither, found one")
    plane = TablePlane(
        mm_to_px=_numbers(_need(data, "mm_to_px"), "mm_to_px", (3, 3)),
        image_size_px=(width, height),
        camera_matrix_px=None if lens[0] is None else _numbers(lens[0], "camera_matrix_px", (3, 3)),
        distortion=None if lens[1] is None else _numbers(lens[1], "distortion", (5,)),
    )
    return Table(
        plane=plane,
        players=tuple(_player(p, i) for i, p in enumerate(_list(data, "players"))),
        zones={name: _zone(zone, name) for name, zone in _object(data, "zones").items()},
        card_mm=_pair(data.get("card_mm", list(CARD_MM)), "card_mm"),
        game=_text(data.get("game", "solomino"), "game"),
        deck=_text(data.get("deck", "solomino"), "deck"),
        options=_object(data, "options"),
        masks_px=tuple(
            _polygon(mask, f"masks_px[{i}]") for i, mask in enumerate(_list(data, "masks_px"))
        ),
        table_mm=None if data.get("table_mm") is None else _size(data["table_mm"], "table_mm"),
        assumed={
            str(what): _text(how, f"assumed.{what}")
            for what, how in _object(data, "assumed").items()
        },
        seats_assumed=data.get("seats_assumed") is True,
        residual_mm=_optional_number(data, "residual_mm"),
    )


def table_to_json(table: Table) -> dict[str, Any]:
    """The `table.json` of a table, ready for `json.dumps`."""
    plane = table.plane
    lens = plane.camera_matrix_px, plane.distortion
    further: dict[str, Any] = {
        "options": dict(table.options),
        "masks_px": [[list(corner) for corner in mask] for mask in table.masks_px],
        "table_mm": None if table.table_mm is None else list(table.table_mm),
        "assumed": dict(table.assumed),
        "seats_assumed": table.seats_assumed,
        "residual_mm": table.residual_mm,
    }
    return {
        "image_size_px": list(plane.image_size_px),
        "mm_to_px": plane.mm_to_px.tolist(),
        "camera_matrix_px": None if lens[0] is None else lens[0].tolist(),
        "distortion": None if lens[1] is None else lens[1].ravel().tolist(),
        "card_mm": list(table.card_mm),
        "game": table.game,
        "deck": table.deck,
        "players": [
            {"name": p.name} | ({} if p.seat_mm is None else {"seat_mm": list(p.seat_mm)})
            for p in table.players
        ],
        "zones": {
            name: {"centre_mm": list(zone.centre_mm), "size_mm": list(zone.size_mm)}
            for name, zone in table.zones.items()
        },
        **{name: value for name, value in further.items() if value},
    }


def _need(data: Mapping[str, Any], key: str, inside: str = "") -> Any:
    if data.get(key) is None:
        found = ", ".join(sorted(data)) or "no keys at all"
        raise TableError(f"{inside}expected the key {key!r}, found {found}")
    return data[key]


def _numbers(value: object, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    wanted = " x ".join(map(str, shape))
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"{name}: expected {wanted} numbers, found {value!r}") from None
    if array.shape != shape or not np.isfinite(array).all():
        raise TableError(f"{name}: expected {wanted} finite numbers, found {value!r}")
    return array


def _pair(value: object, name: str) -> tuple[float, float]:
    numbers = _numbers(value, name, (2,))
    return float(numbers[0]), float(numbers[1])


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TableError(f"{name}: expected a text, found {value!r}")
    return value


def _optional_number(data: Mapping[str, Any], key: str) -> float | None:
    value = data.get(key)
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not abs(value) <= sys.float_info.max:
        raise TableError(f"{key}: expected a number, found {value!r}")
    return float(value)


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key) or []
    if not isinstance(value, list):
        raise TableError(f"{key}: expected a list, found {type(value).__name__}")
    return value


def _object(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key) or {}
    if not isinstance(value, dict):
        raise TableError(f"{key}: expected an object, found {type(value).__name__}")
    return value


def _player(value: object, index: int) -> Player:
    if not isinstance(value, dict):
        raise TableError(f"players[{index}]: expected an object, found {type(value).__name__}")
    name = _text(_need(value, "name", f"players[{index}]: "), f"players[{index}].name")
    seat = value.get("seat_mm")
    return Player(name, None if seat is None else _pair(seat, f"players[{index}].seat_mm"))


def _zone(value: object, name: str) -> Zone:
    inside = f"zones.{name}"
    if not isinstance(value, dict):
        raise TableError(f"{inside}: expected an object, found {type(value).__name__}")
    centre = _pair(_need(value, "centre_mm", f"{inside}: "), f"{inside}.centre_mm")
    return Zone(centre, _size(_need(value, "size_mm", f"{inside}: "), f"{inside}.size_mm"))


def _size(value: object, name: str) -> tuple[float, float]:
    size = _pair(value, name)
    if min(size) <= 0 or not math.isfinite(sum(size)):
        raise TableError(f"{name}: expected a positive size, found {size}")
    return size


def _polygon(value: object, name: str) -> Polygon:
    if not isinstance(value, list) or len(value) < 3:
        raise TableError(f"{name}: expected three corners or more, found {value!r}")
    return tuple(_pair(corner, f"{name}[{i}]") for i, corner in enumerate(value))
