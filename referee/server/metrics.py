"""`/metrics`: how the referee does, for Prometheus and whoever reads its format."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Final, get_args

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.live import Live
from referee.overlay.source import Light, Source
from referee.server.guard import Guests
from referee.server.hub import Hub
from vision.camera import Status
from vision.frames import CameraState

VERDICTS: Final = {True: "legal", False: "illegal", None: "cannot tell"}


def metrics_router(hub: Hub, guests: Guests) -> APIRouter:
    """The address that Prometheus asks."""
    router = APIRouter()
    here = CollectorRegistry()
    here.register(Now(hub, guests))

    @router.get(
        "/metrics",
        tags=["server"],
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}}},
    )
    async def metrics() -> Response:
        """Camera age and rate, latency of each stage, drops, clients, rulings, in Prometheus'
        text format."""
        text = generate_latest(here) + generate_latest(REGISTRY)
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return router


class Now(Collector):
    """What is so at the moment of asking."""

    def __init__(self, hub: Hub, guests: Guests) -> None:
        self._hub = hub
        self._guests = guests

    def collect(self) -> Iterator[Metric]:
        """All figures that are no histories."""
        yield from _game(self._hub.source)
        yield _gauge("feeds", "Feeds that are open.", self._hub.clients)
        yield _gauge(
            "requests", "Requests that are being answered, feeds included.", len(self._guests)
        )
        yield _gauge("revision", "Changes that viewers were shown.", self._hub.revision)
        picture = self._hub.source.picture()
        if picture is not None:
            age_s = time.monotonic() - picture.arrived_s
            yield _gauge("picture_age_seconds", "How old the newest picture is.", age_s)
        if isinstance(self._hub.source, Live):
            yield from _camera(self._hub.source.camera.status)
            missed = self._hub.source.backlog.dropped
            yield _count("looks_missed", "Pictures that the game came too late for.", missed)


def _game(source: Source) -> Iterator[Metric]:
    view = source.view()
    yield _gauge("safe_mode", "1 while something is wrong on the referee's side.", view.is_limited)
    light = GaugeMetricFamily("referee_light", "1 for what vision is doing.", labels=["light"])
    for name in get_args(Light):
        light.add_metric([name], float(view.light == name))
    yield light
    said = Counter(VERDICTS[line["legal"]] for line in view.log if line["type"] == "ruling")
    rulings = GaugeMetricFamily(
        "referee_rulings", "Rulings that hold in this game.", labels=["verdict"]
    )
    for verdict in VERDICTS.values():
        rulings.add_metric([verdict], said[verdict])
    yield rulings


def _camera(status: Status) -> Iterator[Metric]:
    state = GaugeMetricFamily("referee_camera", "1 for how the camera is.", labels=["state"])
    for name in get_args(CameraState):
        state.add_metric([name], float(status.state == name))
    yield state
    yield _gauge("camera_rate_hz", "Pictures a second over the last two seconds.", status.rate_hz)
    yield _count("camera_pictures", "Pictures that the camera gave.", status.frames)
    yield _count("camera_dropped", "Of them, those that nobody looked at.", status.dropped)
    yield _count("camera_reopened", "How often the camera was picked up again.", status.reopened)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"referee_{name}", text, value=float(value))


def _count(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"referee_{name}", text, value=float(value))
