"""A capture that does what the test says, and a way to wait that ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.camera import Camera, Patience
from vision.capture import Wish

QUICK = Patience(
    look_s=0.01,
    lost_s=0.1,
    silent_s=0.15,
    same_s=0.15,
    abandon_s=0.3,
    same_reopen_s=0.4,
    first_retry_s=0.03,
    longest_retry_s=0.1,
)
"""A tenth of what people are asked to wait."""


def until(true: Callable[[], bool], within_s: float = 5.0) -> bool:
    """Wait until something holds; whether it did in time."""
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        if true():
            return True
        time.sleep(0.005)
    return true()


class Device:
    """A camera on the desk: it can be unplugged, can freeze, and can hang its driver."""

    def __init__(self, size_px: tuple[int, int] = (64, 48)) -> None:
        self.size_px = size_px
        self.plugged = True
        self.same = False
        """Whether it gives the very same picture again and again."""
        self.hangs = threading.Event()
        """Set while a read does not return."""
        self.free = threading.Event()
        self.opened = 0
        self.released = 0
        self.values: dict[int, float] = {}
        self.fixed: set[int] = set()
        """Properties that the driver does not let anybody change."""
        self._shade = 0

    def open(self, address: str | int, wish: Wish) -> DeviceCapture:
        self.opened += 1
        return DeviceCapture(self)

    def camera(self, wish: Wish | None = None, patience: Patience = QUICK) -> Camera:
        return Camera("camera 0", lambda: 0, wish, patience, self.open)

    def picture(self) -> np.ndarray[Any, Any]:
        if not self.same:
            self._shade = (self._shade + 1) % 200
        width, height = self.size_px
        return np.full((height, width, 3), self._shade, np.uint8)


class DeviceCapture:
    """`vision.capture.Capture` of a `Device`."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._there = device.plugged

    def isOpened(self) -> bool:  # noqa: N802
        return self._there

    def read(self) -> tuple[bool, Any]:
        time.sleep(0.005)
        device = self._device
        while device.hangs.is_set():  # as long as the driver likes
            device.free.wait(0.01)
        if not device.plugged:
            self._there = False
        return (True, device.picture()) if self._there else (False, None)

    def get(self, prop: int, /) -> float:
        device = self._device
        sizes = {
            cv2.CAP_PROP_FRAME_WIDTH: device.size_px[0],
            cv2.CAP_PROP_FRAME_HEIGHT: device.size_px[1],
        }
        return float(sizes.get(prop, device.values.get(prop, 0.0)))

    def set(self, prop: int, value: float, /) -> bool:
        if prop in self._device.fixed:
            return False
        self._device.values[prop] = value
        return True

    def release(self) -> None:
        self._device.released += 1
