"""What waits while cards are read: in order, none twice, and no more than there is room for."""

from __future__ import annotations

import threading

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.backlog import Backlog
from vision.frames import Frame


def frame(index: int, shape: tuple[int, int] = (90, 160)) -> Frame:
    return Frame(np.zeros((*shape, 3), np.uint8), index / 12.5, index)


@given(st.integers(0, 40))
def test_what_waits_is_the_newest_in_order(count: int) -> None:
    backlog = Backlog()
    for index in range(count):
        backlog.put(frame(index))
    backlog.close()
    seen = [waiting.index for waiting in backlog]
    assert seen == list(range(count))[-14:]
    assert backlog.dropped == count - len(seen)


def test_large_pictures_have_room_for_fewer() -> None:
    backlog = Backlog()
    image = np.zeros((2160, 3840, 3), np.uint8)
    for index in range(8):
        backlog.put(Frame(image, float(index), index))
    assert backlog.dropped == 4


def test_who_waits_gets_the_next_frame() -> None:
    backlog, seen = Backlog(), list[int]()
    looking = threading.Thread(target=lambda: seen.extend(f.index for f in backlog))
    looking.start()
    for index in range(5):
        backlog.put(frame(index))
    backlog.close()
    looking.join(5)
    assert seen == list(range(5))


def test_at_once_means_at_once() -> None:
    backlog = Backlog()
    backlog.put(frame(0))
    backlog.close(at_once=True)
    assert list(backlog) == []
