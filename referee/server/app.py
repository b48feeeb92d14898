"""The addresses that the server answers; `referee.server.access` says who may ask for them.

Nothing takes a path from the outside, and no page loads anything from elsewhere.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Header, HTTPException, Query, Response
from fastapi.responses import FileResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from referee import overlay
from referee.announce import Language
from referee.overlay.snapshot import Snapshot
from referee.overlay.source import Source
from referee.server.access import Access
from referee.server.control import control_router
from referee.server.feeds import Feed, events
from referee.server.guard import Guard, Guests
from referee.server.health import health_router
from referee.server.hub import Hub
from referee.server.late import LatePictures
from referee.server.metrics import metrics_router
from referee.server.moments import Moments, moments_router
from referee.server.pictures import Studio
from referee.server.sounds import packs_at_hand, sounds_router
from referee.server.video import video_router

STATIC = Path(overlay.__file__).parent / "static"
"""The pages with all that they load."""

MAX_FEEDS = 200
"""Feeds open at once; one more is refused."""

Asked = Annotated[Language, Query(description="Language of all sentences and labels.")]


def create_app(
    source: Source,
    *,
    delay_s: float = 0.0,
    access: Access | None = None,
    hub: Hub | None = None,
    routers: Sequence[Callable[[Hub], APIRouter]] = (),
) -> FastAPI:
    """The server's application over a game.

    `access` says who may come in; without it, this machine alone. `hub` is given by a caller who
    wants to close the feeds. `routers` are what only some games have, such as a desk.
    """
    hub = hub or Hub(source, delay_s)
    moments = Moments(source)
    late = LatePictures(source, hub.delay_s) if hub.delay_s else None
    guests = Guests(access or Access())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        hub.open()
        async with guests.watching(), moments.watching():
            with nullcontext() if late is None else late.running():
                yield
        hub.close()

    app = FastAPI(
        title="Table Referee",
        summary="A card game as a referee sees it, live.",
        version=version("table-referee"),
        lifespan=lifespan,
        # FastAPI's own page loads its scripts from elsewhere; ours is under static.
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(Guard, guests=guests)
    _state(app, hub)
    app.include_router(health_router(hub))
    app.include_router(metrics_router(hub, guests))
    app.include_router(video_router(hub, Studio(late or source)))
    app.include_router(moments_router(hub, moments))
    app.include_router(sounds_router(hub, packs_at_hand()))
    app.include_router(control_router(hub))
    for router in routers:
        app.include_router(router(hub))
    _pages(app)
    return app


def _state(app: FastAPI, hub: Hub) -> None:
    @app.get("/api/state", tags=["state"])
    async def state(lang: Asked = "en") -> Snapshot:
        """The game now: seats, turn, ends, the newest entries of the log with what was said."""
        return hub.snapshot(lang)

    @app.get(
        "/api/events",
        tags=["state"],
        response_class=Response,
        responses={200: {"content": {"text/event-stream": {}}}, 503: {"description": "too many"}},
    )
    async def feed(
        lang: Asked = "en", last_event_id: Annotated[str | None, Header()] = None
    ) -> Response:
        """The same as a stream of server-sent events.

        `hello` comes once with the labels of the overlay, then `state` with the whole snapshot,
        at first and after each change, and `beat` every two seconds in between. A client need
        not remember anything: the newest snapshot is all there is to know.
        """
        _room(hub)
        return Feed(events(hub, lang, last_event_id), "text/event-stream", hub)


def _pages(app: FastAPI) -> None:
    def page(name: str) -> FileResponse:
        # Pages and scripts are asked for again each time: they are small, and a stale one in
        # OBS's cache after an update would be a riddle.
        return FileResponse(STATIC / name, headers={"Cache-Control": "no-cache"})

    @app.get("/", include_in_schema=False)
    async def root() -> Response:
        return RedirectResponse("/overlay")

    @app.get("/overlay", tags=["pages"], response_class=FileResponse)
    async def overlay_page() -> Response:
        """The overlay for a browser source of 1920 x 1080; parameters: docs/overlay.md."""
        return page("overlay.html")

    @app.get("/docs", include_in_schema=False)
    async def docs_page() -> Response:
        return page("docs.html")

    app.mount("/static", _Static(directory=STATIC), name="static")


class _Static(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _room(hub: Hub) -> None:
    if hub.clients >= MAX_FEEDS:
        raise HTTPException(
            503, f"{MAX_FEEDS} feeds are open, no more are served", headers={"Retry-After": "5"}
        )
