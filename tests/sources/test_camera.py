"""A camera that dies, freezes or hangs is noticed, told of, and picked up again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import cv2
import pytest

from tests.sources.fakes import QUICK, Device, until
from vision.camera import Camera, Patience
from vision.capture import Wish
from vision.frames import SourceError


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def open_it(device: Device) -> Iterator[Callable[..., Camera]]:
    """Opens the device; closed after the test, and nothing hangs on."""
    cameras: list[Camera] = []

    def opened(**changes: object) -> Camera:
        camera = device.camera(**changes)  # type: ignore[arg-type]
        cameras.append(camera)
        return camera

    yield opened
    device.hangs.clear()
    for camera in cameras:
        camera.close()


def test_what_people_are_asked_to_wait_is_two_seconds_at_most() -> None:
    patience = Patience()
    longest_s = max(patience.lost_s, patience.silent_s, patience.same_s) + 2 * patience.look_s
    assert longest_s <= 2.0


def test_the_newest_frame_and_no_queue(open_it: Callable[..., Camera]) -> None:
    camera = open_it()
    seen: list[int] = []
    for frame in camera:
        seen.append(frame.index)
        time.sleep(0.05)
        if len(seen) == 6:
            break
    assert seen == sorted(set(seen))
    assert seen[-1] - seen[0] > 10  # a slow viewer skips
    status = camera.status
    assert (status.state, status.size_px) == ("ok", (64, 48))
    assert 0 < status.dropped < status.frames
    assert status.rate_hz > 20


def test_times_are_those_of_arrival(open_it: Callable[..., Camera]) -> None:
    began_s = time.monotonic()
    frames = iter(open_it())
    first, second = next(frames), next(frames)
    assert 0 <= first.at_s < second.at_s <= time.monotonic() - began_s + 0.01


def test_unplugged_and_plugged_in_again(device: Device, open_it: Callable[..., Camera]) -> None:
    camera = open_it()
    told: list[str] = []
    camera.subscribe(lambda: told.append(camera.status.state))
    assert until(lambda: camera.status.state == "ok")
    device.plugged = False
    assert until(lambda: camera.status.state == "gone", 1.0)
    assert "camera 0" in camera.status.text
    tries = device.opened
    assert until(lambda: device.opened > tries + 2)  # it goes on trying
    device.plugged = True
    assert until(lambda: camera.status.state == "ok", 2.0)
    assert camera.status.text == ""
    assert camera.status.reopened > 2
    assert until(lambda: told[-2:] == ["gone", "ok"])
    assert next(iter(camera)).index > 0


def test_attempts_become_rarer_but_never_end(device: Device) -> None:
    device.plugged = False
    patience = Patience(look_s=0.005, first_retry_s=0.02, longest_retry_s=0.16)
    camera = device.camera(patience=patience)
    time.sleep(1.0)
    camera.close()
    # at 0, 20, 60, 140, 300 ms and every 160 ms from then on: some nine in a second, not fifty
    assert 5 <= device.opened <= 14


def test_a_read_that_never_returns(device: Device, open_it: Callable[..., Camera]) -> None:
    camera = open_it()
    assert until(lambda: camera.status.state == "ok")
    device.hangs.set()
    assert until(lambda: camera.status.state == "frozen", 1.0)
    assert until(lambda: camera.status.state == "gone", 1.0)  # given up, to be opened anew
    device.hangs.clear()
    assert until(lambda: camera.status.state == "ok", 2.0)


def test_reads_that_hang_do_not_pile_up(device: Device, open_it: Callable[..., Camera]) -> None:
    camera = open_it()
    assert until(lambda: camera.status.state == "ok")
    device.hangs.set()
    time.sleep(1.5)
    reading = [t for t in threading.enumerate() if t.name == "camera read"]
    assert len(reading) <= 4
    device.hangs.clear()
    assert until(lambda: camera.status.state == "ok", 2.0)
    assert until(
        lambda: len([t for t in threading.enumerate() if t.name == "camera read"]) == 1, 2.0
    )
    assert device.released == device.opened - 1


def test_a_late_picture_of_a_read_that_was_given_up_is_not_shown(
    device: Device, open_it: Callable[..., Camera]
) -> None:
    camera = open_it()
    assert until(lambda: camera.status.frames > 3)
    device.hangs.set()
    assert until(lambda: camera.status.state == "gone", 2.0)
    frames = camera.status.frames
    device.plugged = False  # what returns now is of the old reading only
    device.hangs.clear()
    time.sleep(0.2)
    assert camera.status.frames == frames


def test_the_very_same_picture_is_no_live_picture(
    device: Device, open_it: Callable[..., Camera]
) -> None:
    camera = open_it()
    assert until(lambda: camera.status.state == "ok")
    device.same = True
    assert until(lambda: camera.status.state == "frozen", 1.0)
    assert "the very same picture" in camera.status.text
    opened = device.opened
    assert until(lambda: device.opened > opened, 2.0)  # opening it anew may help
    device.same = False
    assert until(lambda: camera.status.state == "ok", 1.0)


def test_no_camera_at_the_start_is_waited_for(
    device: Device, open_it: Callable[..., Camera]
) -> None:
    device.plugged = False
    camera = open_it()
    assert not camera.wait(0.2)
    assert camera.status.state == "gone"
    assert "cannot be opened" in camera.status.text
    with pytest.raises(SourceError, match="found none yet"):
        _ = camera.size_px
    device.plugged = True
    assert camera.wait(2.0)
    assert camera.size_px == (64, 48)


def test_a_camera_that_cannot_be_found_by_its_name_yet() -> None:
    device, there = Device(), threading.Event()

    def find() -> int:
        if not there.is_set():
            raise SourceError("Cam: expected a camera, found none of that name")
        return 3

    camera = Camera("Cam", find, patience=QUICK, opener=device.open)
    assert until(lambda: "none of that name" in camera.status.text)
    there.set()
    assert camera.wait(2.0)
    camera.close()


def test_pictures_keep_their_size_when_the_camera_changes_it(
    device: Device, open_it: Callable[..., Camera]
) -> None:
    camera = open_it()
    frames = iter(camera)
    next(frames)
    device.size_px = (128, 96)
    time.sleep(0.05)
    next(frames)
    assert next(frames).image.shape == (48, 64, 3)
    device.size_px = (48, 64)  # a phone was turned: that picture shows another part of the table
    assert until(lambda: camera.status.state != "ok", 1.0)
    assert "found 48 x 64: was the camera turned?" in camera.status.text
    device.size_px = (64, 48)
    assert until(lambda: camera.status.state == "ok", 1.0)


def test_a_camera_that_comes_late_fits_the_table_that_was_measured(device: Device) -> None:
    device.plugged = False
    camera = device.camera()
    camera.expect((32, 24))
    device.plugged = True
    assert camera.wait(2.0)
    assert next(iter(camera)).image.shape == (24, 32, 3)
    camera.close()


def test_closing_ends_the_iteration_and_frees_the_camera(
    device: Device, open_it: Callable[..., Camera]
) -> None:
    camera = open_it()
    threading.Timer(0.2, camera.close).start()
    assert len(list(camera)) > 1
    assert until(lambda: device.released == device.opened)


def test_a_camera_is_locked_once_it_has_found_its_exposure(device: Device) -> None:
    device.values |= {cv2.CAP_PROP_AUTO_EXPOSURE: 3, cv2.CAP_PROP_EXPOSURE: 157}
    device.fixed = {cv2.CAP_PROP_AUTOFOCUS}
    device.values[cv2.CAP_PROP_AUTOFOCUS] = 1
    camera = device.camera(Wish((1920, 1080), 30, frozenset({"exposure", "focus"})))
    try:
        assert until(lambda: len(camera.granted) == 4)
        answers = {one.what: (one.asked, one.got, one.granted) for one in camera.granted}
        assert answers == {
            "size": ("1920 x 1080", "64 x 48", False),
            "rate": ("30", "30", True),
            "focus": ("locked", "refused", False),
            "exposure": ("locked", "locked", True),
        }
        assert device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        assert device.values[cv2.CAP_PROP_EXPOSURE] == 157
        camera.ask(camera.wish.locked("exposure", False))
        assert until(lambda: device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3)
    finally:
        camera.close()
