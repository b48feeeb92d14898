"""Table files: what is read is what was meant, and what is wrong is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.table import TableError, load_table, save_table, table_from_json
from vision.hands import Zone
from vision.plane import PlaneError

GOOD: dict[str, Any] = {
    "image_size_px": [1920, 1080],
    "mm_to_px": [[1.2, 0.0, 960.0], [0.0, 1.2, 540.0], [0.0, 0.0, 1.0]],
    "camera_matrix_px": [[1500, 0, 960], [0, 1500, 540], [0, 0, 1]],
    "distortion": [-0.1, 0.01, 0.0, 0.0, 0.0],
    "card_mm": [59, 91],
    "game": "solomino",
    "deck": "solomino",
    "players": [{"name": "Ann", "seat_mm": [0, 420]}, {"name": "Ben"}],
    "zones": {"draw_pile": {"centre_mm": [-250, 0], "size_mm": [90, 120]}},
    "options": {"interject": True},
    "masks_px": [[[0, 0], [300, 0], [300.5, 200]]],
    "table_mm": [1200, 800],
    "camera": "a field that nobody knows is passed over",
}


def test_reads_what_the_sample_says(samples: Path) -> None:
    table = load_table(samples / "c1.table.json")
    assert [p.name for p in table.players] == ["Ann", "Ben", "Cem"]
    assert table.players[0].seat_mm == (42, 356)
    assert table.zones["draw_pile"] == Zone((-436, 120), (120, 90))
    assert table.plane.image_size_px == (1280, 720)


def test_round_trip(tmp_path: Path) -> None:
    table = table_from_json(GOOD)
    save_table(table, tmp_path / "table.json")
    again = load_table(tmp_path / "table.json")
    assert again.players == table.players
    assert again.zones == table.zones
    assert again.card_mm == (59, 91)
    assert again.options == {"interject": True}
    assert again.masks_px == (((0, 0), (300, 0), (300.5, 200)),)
    assert again.table_mm == (1200, 800)
    where = np.array([[-300.0, 200.0], [10.0, -40.0]])
    assert np.allclose(again.plane.to_px(where), table.plane.to_px(where))


def test_in_a_picture_of_another_size_all_keeps_its_place() -> None:
    small = table_from_json(GOOD).resized((960, 540))
    assert small.plane.image_size_px == (960, 540)
    assert small.masks_px == (((0, 0), (150, 0), (150.25, 100)),)
    assert small.players == table_from_json(GOOD).players  # millimetres stay what they are
    with pytest.raises(PlaneError, match="of the same shape"):
        table_from_json(GOOD).resized((1080, 1920))


def test_a_plane_alone_is_a_table() -> None:
    table = table_from_json({k: GOOD[k] for k in ("image_size_px", "mm_to_px")})
    assert table.players == ()
    assert table.plane.distortion is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mm_to_px": None}, "expected the key 'mm_to_px'"),
        ({"image_size_px": None}, "expected the key 'image_size_px'"),
        ({"mm_to_px": [[1, 0, 0], [0, 1, 0]]}, "mm_to_px: expected 3 x 3"),  # a row is missing
        ({"mm_to_px": [[1, 2, 3], [2, 4, 6], [0, 0, 1]]}, "singular"),
        ({"mm_to_px": [["a", 0, 0], [0, 1, 0], [0, 0, 1]]}, "mm_to_px: expected 3 x 3"),
        ({"image_size_px": [0, 1080]}, "0 x 1080"),
        ({"distortion": None}, "both or neither"),
        ({"players": {"name": "Ann"}}, "players: expected a list"),
        ({"players": [{"seat_mm": [0, 1]}]}, "players[0]: expected the key 'name'"),
        ({"players": [{"name": "Ann", "seat_mm": [0]}]}, "players[0].seat_mm"),
        ({"zones": {"draw_pile": {"centre_mm": [0, 0]}}}, "zones.draw_pile: expected the key"),
        (
            {"zones": {"draw_pile": {"centre_mm": [0, 0], "size_mm": [0, 9]}}},
            "zones.draw_pile.size_mm",
        ),
        ({"game": 7}, "game: expected a text"),
        ({"options": [True]}, "options: expected an object"),
        ({"masks_px": [[[0, 0], [9, 9]]]}, "masks_px[0]: expected three corners or more"),
        ({"masks_px": [[[0, 0], [9, 9], [1]]]}, "masks_px[0][2]: expected 2"),
        ({"table_mm": [1200, 0]}, "table_mm: expected a positive size"),
        ({"table_mm": [10**400, 800]}, "table_mm: expected 2 numbers"),
        ({"residual_mm": "small"}, "residual_mm: expected a number"),
        ({"residual_mm": 10**400}, "residual_mm: expected a number"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(TableError) as caught:
        load_table(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[1, 2]", b"\xff\xfe\x00", b"{", b"null"])
def test_no_table_at_all(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(content)
    with pytest.raises(TableError, match="expected a JSON object"):
        load_table(path)
