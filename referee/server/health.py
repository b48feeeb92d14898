"""`/health`: whether all is well, for people, launchers and monitors."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import Literal

from fastapi import APIRouter, Request

from referee.server.guard import role_of
from referee.server.hub import Hub
from referee.server.links import Role
from vision.frames import CameraState


@dataclass(frozen=True, slots=True)
class Health:
    """How the server is."""

    status: Literal["ok", "safe_mode"]
    """`safe_mode`: something is wrong on the referee's side, and not all of it works."""
    trouble: str
    """What is wrong, in a sentence; told to whoever runs the game, empty for others."""
    version: str
    up_s: float
    feeds: int
    """Feeds that are open now."""
    revision: int
    light: str
    camera: CameraState
    """Whether the live picture still moves on."""
    picture_age_s: float | None
    """How long ago the newest frame was noticed; None without a picture."""


def health_router(hub: Hub) -> APIRouter:
    """The address; anybody may ask it."""
    router = APIRouter()
    began_s = time.monotonic()

    @router.get("/health", tags=["server"])
    async def health(request: Request) -> Health:
        """Whether the server is up, what vision is doing, how old the picture is."""
        picture, view = hub.source.picture(), hub.source.view()
        return Health(
            status="safe_mode" if view.is_limited else "ok",
            trouble=view.wrong if role_of(request.scope) is Role.CONTROL else "",
            version=version("table-referee"),
            up_s=round(time.monotonic() - began_s, 1),
            feeds=hub.clients,
            revision=hub.revision,
            light=view.light,
            camera=view.camera,
            picture_age_s=(
                None if picture is None else round(time.monotonic() - picture.arrived_s, 2)
            ),
        )

    return router
