"""The check list of the set-up page: a light, a figure and what to do, for each thing that matters."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Final, Literal

from calibration.picture_checks import (
    LightWatch,
    brightness,
    burnt_out_share,
    edge_width_px,
    half_size_px,
)
from referee.server.setup_draft import Draft
from vision.camera import Status
from vision.facts import Image

Light = Literal["good", "fair", "poor", "unknown"]

_EVERY_S: Final = 0.9
"""Pictures are measured no more often, however many pages ask."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list."""

    name: str
    title: str
    light: Light
    value: str
    """What was measured, with its unit."""
    advice: str
    """What to do about it; empty where it is good."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Up to where a figure is good, and up to where it is fair."""

    good: float
    fair: float

    def light(self, value: float | None) -> Light:
        """Small figures are good ones where ``good`` is the smaller limit, else large ones."""
        if value is None:
            return "unknown"
        sign = 1.0 if self.good <= self.fair else -1.0
        if sign * value <= sign * self.good:
            return "good"
        return "fair" if sign * value <= sign * self.fair else "poor"


EDGE_PX: Final = Limit(2.5, 3.0)
BURNT: Final = Limit(0.003, 0.02)
HALF_PX: Final = Limit(26.0, 20.0)
"""Below 20 pixels the networks do not read."""
RATE_HZ: Final = Limit(12.0, 8.0)
FLICKER: Final = Limit(0.008, 0.025)
DARK, BRIGHT = Limit(60.0, 35.0), Limit(200.0, 225.0)


class Checks:
    """Measures the newest picture. From any thread."""

    def __init__(self, light: LightWatch) -> None:
        self._light = light
        self._lock = threading.Lock()
        self._made_s = float("-inf")
        self._made: list[Check] = []

    def made(
        self, status: Status, image: Image | None, draft: Draft | None, *, is_recording: bool
    ) -> list[Check]:
        """All checks but that of the cards, measured anew about once a second."""
        with self._lock:
            if time.monotonic() - self._made_s > _EVERY_S:
                self._made = [
                    _camera(status, is_recording),
                    *self._of_picture(status, image, draft),
                ]
                self._made_s = time.monotonic()
            return self._made

    def _of_picture(self, status: Status, image: Image | None, draft: Draft | None) -> list[Check]:
        if image is None or draft is None:
            return []
        within = draft.corners_px if draft.plane is not None else None
        return [
            _sharpness(edge_width_px(image, within)),
            _glare(burnt_out_share(image, within)),
            _exposure(brightness(image, within)),
            _size(None if draft.plane is None else half_size_px(draft.plane, draft.size_mm)),
            _rate(status.rate_hz),
            _flicker(self._light.flicker()),
        ]


def _camera(status: Status, is_recording: bool) -> Check:
    if status.state == "ok":
        size = status.size_px
        return Check("camera", "Camera", "good", f"{size[0]} × {size[1]}" if size else "", "")
    if is_recording:
        return Check("camera", "Camera", "fair", status.text, "Back to set-up plays it again.")
    advice = (
        "Check cable and power; it is picked up again by itself as soon as it is back."
        if status.state == "gone"
        else "It is opened anew by itself; if it stays so, unplug it and plug it in again."
    )
    return Check("camera", "Camera", "poor", status.text, advice)


def _sharpness(width_px: float | None) -> Check:
    light = EDGE_PX.light(width_px)
    value = "nothing to measure it on" if width_px is None else f"edges {width_px:.1f} px wide"
    advice = {
        "good": "",
        "unknown": "Lay some cards on the table.",
    }.get(light, "Focus on the table, then lock the focus. Clean the lens.")
    return Check("sharpness", "Sharpness", light, value, advice)


def _glare(share: float) -> Check:
    light = BURNT.light(share)
    advice = "" if light == "good" else "Move or dim the lamp that mirrors on the cards."
    return Check("glare", "Glare", light, f"{100 * share:.1f} % burnt out", advice)


def _exposure(level: float) -> Check:
    dark, bright = DARK.light(level), BRIGHT.light(level)
    light = dark if dark != "good" else bright
    advice = ""
    if light != "good":
        advice = "More light on the table." if dark != "good" else "Less light, or less exposure."
    return Check("exposure", "Brightness", light, f"{100 * level / 255:.0f} %", advice)


def _size(size_px: float | None) -> Check:
    light = HALF_PX.light(size_px)
    value = "place the table first" if size_px is None else f"{size_px:.0f} px"
    advice = {
        "good": "",
        "unknown": "",
    }.get(light, "Move the camera nearer, or film at a larger size.")
    return Check("size", "Size of a half card", light, value, advice)


def _rate(rate_hz: float) -> Check:
    light = RATE_HZ.light(rate_hz)
    advice = "" if light == "good" else "More light, or a smaller picture; close other programs."
    return Check("rate", "Pictures a second", light, f"{rate_hz:.0f}", advice)


def _flicker(share: float | None) -> Check:
    light = FLICKER.light(share)
    value = "being measured" if share is None else f"{100 * share:.1f} %"
    advice = (
        ""
        if light in ("good", "unknown")
        else "Set the camera to the mains' frequency (50 or 60 Hz), or use another lamp."
    )
    return Check("flicker", "Flicker of the light", light, value, advice)
