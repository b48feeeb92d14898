"""The check list of the set-up page: a light, a figure and what to do, for each thing that matters."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from calibration.picture_checks import (
    LightWatch,
    brightness,
    burnt_out_share,
    edge_width_px,
    half_size_px,
)
from referee.announce import Language
from referee.server.setup_draft import Draft
from referee.server.setup_shown import CheckState, Light, ReadHalf
from referee.server.setup_words import Decimal, Said, said, word
from vision.camera import Status
from vision.camera_names import cameras
from vision.facts import Image

_EVERY_S: Final = 0.9
"""Pictures are measured no more often, however many pages ask."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list, in no language yet."""

    name: str
    light: Light
    value: Said | None
    """What was measured, with its unit."""
    advice: Said | None = None
    """What to do about it; None where it is good."""

    def shown(self, language: Language) -> CheckState:
        """The line in a language."""
        return CheckState(
            self.name,
            word(f"check.{self.name}", language),
            self.light,
            "" if self.value is None else self.value.text(language),
            "" if self.advice is None else self.advice.text(language),
        )


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


def seats_check(draft: Draft) -> Check:
    """Whether anybody said who sits where: whose arm it is follows from that."""
    if draft.seats_assumed:
        return Check("seats", "poor", said("check.seats.assumed"), said("check.seats.drag"))
    if "players" in draft.assumed:
        return Check("seats", "fair", said("check.seats.seen"), said("check.seats.drag"))
    return Check("seats", "good", said("check.seats.placed"))


def cards_check(halves: Sequence[ReadHalf]) -> Check:
    """Whether the cards that lay there were read, and what somebody said of the readings."""
    name = "cards"
    if not halves:
        return Check(name, "unknown", said("check.cards.none"), said("check.cards.lay"))
    wrong = sum(half.right is False for half in halves)
    right = sum(half.right is True for half in halves)
    if wrong:
        value = said("check.cards.wrong", wrong=wrong, all=len(halves))
        return Check(name, "poor", value, said("check.cards.better"))
    if right < len(halves):
        value = said("check.cards.read", all=len(halves))
        return Check(name, "fair", value, said("check.cards.compare"))
    return Check(name, "good", said("check.cards.right", all=right))


def _camera(status: Status, is_recording: bool) -> Check:
    name = "camera"
    if status.state == "ok":
        size = status.size_px
        value = said("check.camera.size", width=size[0], height=size[1]) if size else None
        return Check(name, "good", value)
    if is_recording:
        return Check(name, "fair", said("check.camera.ended"), said("check.camera.again"))
    if status.state == "gone":
        value = said("check.camera.wrong", why=status.text)
        advice = said("check.camera.cable") if status.size_px else _instead()
    else:
        value, advice = said("check.camera.still", why=status.text), said("check.camera.replug")
    return Check(name, "poor", value, advice)


def _instead() -> Said:
    """What to do where there never was a picture."""
    here = ", ".join(f"{one.number} ({one.name})" for one in cameras())
    return said("check.camera.others", cameras=here) if here else said("check.camera.nothing")


def _sharpness(width_px: float | None) -> Check:
    if width_px is None:
        nothing = said("check.sharpness.none")
        return Check("sharpness", "unknown", nothing, said("check.sharpness.lay"))
    return _figure("sharpness", EDGE_PX.light(width_px), px=Decimal(width_px, 1))


def _glare(share: float) -> Check:
    return _figure("glare", BURNT.light(share), share=Decimal(100 * share, 1))


def _exposure(level: float) -> Check:
    dark, bright = DARK.light(level), BRIGHT.light(level)
    value = said("check.exposure.value", share=Decimal(100 * level / 255))
    if dark != "good":
        return Check("exposure", dark, value, said("check.exposure.dark"))
    if bright != "good":
        return Check("exposure", bright, value, said("check.exposure.bright"))
    return Check("exposure", "good", value)


def _size(size_px: float | None) -> Check:
    if size_px is None:
        return Check("size", "unknown", said("check.size.none"))
    return _figure("size", HALF_PX.light(size_px), px=Decimal(size_px))


def _rate(rate_hz: float) -> Check:
    return _figure("rate", RATE_HZ.light(rate_hz), rate=Decimal(rate_hz))


def _flicker(share: float | None) -> Check:
    if share is None:
        return Check("flicker", "unknown", said("check.flicker.none"))
    return _figure("flicker", FLICKER.light(share), share=Decimal(100 * share, 1))


def _figure(name: str, light: Light, **values: Decimal) -> Check:
    """A figure that was measured, with advice where it is not good."""
    advice = None if light == "good" else said(f"check.{name}.advice")
    return Check(name, light, said(f"check.{name}.value", **values), advice)
