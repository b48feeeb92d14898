"""Before and after: pictures of a move that was called illegal or doubtful."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import cv2
import httpx2
import numpy as np
import pytest

from referee.overlay.source import Mark, Picture
from referee.server.moments import KEPT, Moments
from referee.server.serve import bind, serving
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling

CARD = ((500.0, 300.0), (560.0, 300.0), (560.0, 400.0), (500.0, 400.0))
FAULT = (Mark(CARD, "illegal"),)
BEGUN = (START, ruling(0, player=None, turn=0), PLACE, ruling(1))
WRONG = (ILLEGAL, ruling(2, player=1, legal=False, violations=["no_match"]))


def table(index: int, card: bool) -> Picture:
    """A grey table, with a red card on it or not."""
    image = np.full((720, 1280, 3), 90, np.uint8)
    if card:
        cv2.rectangle(image, (500, 300), (560, 400), (30, 30, 220), -1)
    return Picture(image, index, index / 2, FAULT if card else ())


def read(data: bytes | None) -> Any:
    assert data is not None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image


@pytest.fixture
def watched(desk: Desk) -> Moments:
    """Moments that have seen a table until shortly before an illegal card came, at 9.0 s."""
    moments = Moments(desk)
    desk.add(*BEGUN)
    for index in range(10, 19):  # 5.0 ... 9.0 s of the recording
        desk.photo = table(index, card=index == 18)
        moments.look(float(index))
    return moments


def test_a_fault_is_shown_without_the_card_and_with_it(watched: Moments, desk: Desk) -> None:
    desk.add(*WRONG)
    desk.photo = table(19, card=True)
    watched.look(19.0)
    before, after = read(watched.get("t9.0", "before")), read(watched.get("t9.0", "after"))
    assert before.shape == after.shape == (300, 480, 3)
    middle = (slice(120, 180), slice(220, 260))
    assert before[middle][..., 2].mean() < 120
    assert after[middle][..., 2].mean() > 180
    # It is cut out around the card, not the whole table.
    assert (after[..., 2].astype(int) > 160).mean() > 0.05


def test_no_hand_is_in_the_picture_from_before(desk: Desk) -> None:
    moments = Moments(desk)
    desk.add(*BEGUN)
    for index in range(10, 19):
        desk.show(light="watching" if index < 17 else "hand")
        desk.photo = table(index, card=index >= 17)  # a hand with the card, from 8.5 s on
        moments.look(float(index))
    desk.add(*WRONG)
    moments.look(19.0)
    before = read(moments.get("t9.0", "before"))
    assert before[120:180, 220:260, 2].mean() < 120


def test_a_sound_move_leaves_no_picture(watched: Moments, desk: Desk) -> None:
    desk.add({**ILLEGAL}, ruling(2, player=1))
    watched.look(20.0)
    assert watched.get("t9.0", "after") is None


def test_a_doubt_has_pictures_too(watched: Moments, desk: Desk) -> None:
    desk.add(ILLEGAL, ruling(2, player=1, legal=None))
    watched.look(20.0)
    assert watched.get("t9.0", "after") is not None


def test_a_card_that_is_not_marked_shows_the_whole_table(watched: Moments, desk: Desk) -> None:
    desk.add(*WRONG)
    desk.photo = table(19, card=False)
    watched.look(20.0)
    assert abs(float(read(watched.get("t9.0", "after")).mean()) - 90) < 2


def test_old_moments_go(watched: Moments, desk: Desk) -> None:
    for i in range(KEPT + 3):
        move = ILLEGAL | {"t": 20.0 + i}
        desk.add(move, ruling(2 + i, player=1, legal=False, violations=["no_match"]))
        watched.look(30.0 + i)
    assert watched.get("t20.0", "after") is None
    assert watched.get(f"t{20.0 + KEPT + 2}", "after") is not None


def test_another_game_has_no_pictures_of_the_last(watched: Moments, desk: Desk) -> None:
    desk.add(*WRONG)
    watched.look(20.0)
    assert watched.get("t9.0", "after") is not None
    desk.show(log=())
    watched.look(21.0)
    assert watched.get("t9.0", "after") is None


@pytest.fixture
def delayed(desk: Desk) -> Iterator[str]:
    with serving(desk, bind(port=0), 2.5) as url:
        yield url


def test_viewers_get_them_when_they_learn_of_the_move(delayed: str, desk: Desk) -> None:
    desk.photo = table(18, card=True)
    desk.add(*BEGUN, *WRONG)
    address = f"{delayed}/moments/t9.0/after.jpg"
    time.sleep(0.3)
    assert httpx2.get(address).status_code == 404  # it is there, but nobody may know yet
    deadline_s = time.monotonic() + 10
    while httpx2.get(address).status_code != 200:
        assert time.monotonic() < deadline_s
        time.sleep(0.05)
    assert httpx2.get(address.replace("after", "between")).status_code == 422
    assert httpx2.get(f"{delayed}/moments/t1.0/after.jpg").status_code == 404
