"""With a delay, viewers see the picture of then."""

from __future__ import annotations

import io
import time
from typing import Any

import httpx2
import numpy as np
import pytest

from referee.overlay.source import Mark, Picture
from referee.server.late import LatePictures
from referee.server.serve import bind, serving
from tests.server.desk import Desk

END = (Mark(((1.0, 1.0), (9.0, 1.0), (9.0, 9.0)), "end", "r5"),)


class Photos:
    """Pictures of one grey each, as the test takes them."""

    def __init__(self) -> None:
        self.newest: Picture | None = None

    def picture(self) -> Picture | None:
        return self.newest

    def take(self, index: int, size: tuple[int, int] = (36, 64)) -> None:
        noise = np.random.default_rng(index).integers(0, 40, (*size, 3))
        self.newest = Picture((noise + index).astype(np.uint8), index, index / 10, END)


def seen(late: LatePictures, at_s: float) -> int | None:
    picture = late.picture_at(at_s)
    return None if picture is None else picture.index


@pytest.fixture
def photos() -> Photos:
    return Photos()


def test_a_picture_is_shown_when_it_is_due(photos: Photos, monkeypatch: Any) -> None:
    late = LatePictures(photos, 30.0)
    monkeypatch.setattr("referee.server.late.RATE_HZ", 0.01)  # the test keeps them itself
    with late.running():
        for i in range(1, 6):
            photos.take(i)
            late._next_s = 0.0
            late.keep(float(i))
        assert seen(late, 30.9) is None
        assert seen(late, 31.0) == 1
        assert seen(late, 33.5) == 3  # whoever comes late gets the newest of what is due
        assert seen(late, 33.6) == 3
        shown = late.picture_at(100.0)
        assert shown is not None
        assert (shown.index, shown.at_s, shown.marks) == (5, 0.5, END)
        assert abs(float(shown.image.mean()) - 24.5) < 3


def test_what_waits_takes_no_more_room_than_it_may(photos: Photos, monkeypatch: Any) -> None:
    monkeypatch.setattr("referee.server.late.RATE_HZ", 0.01)
    room = 20_000
    late = LatePictures(photos, 600.0, room)
    with late.running():
        for i in range(1, 41):
            photos.take(i)
            late._next_s = 0.0
            late.keep(i * 10.0)
        assert late._file is not None
        late._file.seek(0, 2)
        assert late._file.tell() <= room
        assert all(one.offset + one.size_bytes <= room for one in late._waiting)
        # What had to make room is passed over; what is left is whole.
        index = seen(late, 2000.0)
        assert index == 40


def test_a_long_delay_keeps_fewer_pictures(photos: Photos, monkeypatch: Any) -> None:
    monkeypatch.setattr("referee.server.late.RATE_HZ", 1.0)
    late = LatePictures(photos, 600.0, 200_000)
    late._file = io.BytesIO()
    photos.take(1)
    late.keep(0.0)
    assert late._next_s > 5.0


def test_overlay_and_picture_are_late_alike(desk: Desk) -> None:
    with serving(desk, bind(port=0), 2.5) as url:
        desk.take(1)
        desk.show(light="hand")
        assert httpx2.get(f"{url}/picture.jpg").status_code == 404
        assert httpx2.get(f"{url}/api/state").json()["light"] == "watching"
        deadline_s = time.monotonic() + 10
        while httpx2.get(f"{url}/picture.jpg").status_code != 200:
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
        assert httpx2.get(f"{url}/api/state").json()["light"] == "hand"
