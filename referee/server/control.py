"""The operator's desk: its page, what it shows, and every action as one plain HTTP call.

Nothing here is for viewers: what the desk sees has hidden cards and doubts in it, and goes out
by addresses of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Response
from fastapi.responses import FileResponse

from referee import desk as desk_package
from referee.desk.desk import ENTRIES, Controlled, Desk
from referee.desk.table import DeskState, Entry
from referee.desk.words import Words, words
from referee.overlay.source import Source
from referee.server.control_actions import actions_router, found_entry, found_number
from referee.server.control_models import Asked, Number
from referee.server.feeds import BEAT_S, Feed, event
from referee.server.hub import Hub

FILES = {path.name: path for path in (Path(desk_package.__file__).parent / "static").iterdir()}
"""What the page loads, by name: no path from outside ever reaches the disk."""

MAX_ENTRIES = 500

_SLICE_S = 0.25

Many = Annotated[
    int, Query(ge=1, le=MAX_ENTRIES, description="How many of the newest moves to send.")
]
NO_GAME: dict[int | str, dict[str, Any]] = {
    404: {"description": "No game is being watched, or no such thing is in it."}
}


def control_router(hub: Hub) -> APIRouter:
    """The addresses of the desk over the hub's game."""

    def desk() -> Desk:
        found = desk_of(hub.source)
        if found is None:
            raise HTTPException(404, "expected a game that is being watched, found none")
        return found

    router = APIRouter(responses=NO_GAME)
    _page(router)
    _seeing(router, hub, desk)
    router.include_router(actions_router(desk))
    return router


def desk_of(source: Source) -> Desk | None:
    """The desk of a game that has one: a record that is played back has none."""
    return source.desk if isinstance(source, Controlled) else None


def seen(hub: Hub, desk: Desk, language: str, entries: int) -> DeskState:
    """The desk's state; how camera and recording are, the hub's source knows and the game not."""
    view = hub.source.view()
    return replace(desk.state(language, entries), light=view.light, trouble=view.wrong)


def _page(router: APIRouter) -> None:
    @router.get("/desk", tags=["pages"], response_class=FileResponse)
    async def desk_page() -> Response:
        """The operator's desk, for desktop and phone."""
        return FileResponse(FILES["desk.html"], headers={"Cache-Control": "no-cache"})

    @router.get("/desk/static/{name}", include_in_schema=False)
    async def desk_file(name: str) -> Response:
        path = FILES.get(name)
        if path is None:
            raise HTTPException(404, "there is no such file")
        return FileResponse(path, headers={"Cache-Control": "no-cache"})


def _seeing(router: APIRouter, hub: Hub, desk: Callable[[], Desk]) -> None:
    @router.get("/api/control/state", tags=["desk"])
    def state(lang: Asked = "en", entries: Many = ENTRIES) -> DeskState:
        """All that the desk shows: the log, what is open, what may be undone, what is seen."""
        return seen(hub, desk(), lang, entries)

    @router.get("/api/control/moves/{number}", tags=["desk"])
    def move(number: Number, lang: Asked = "en") -> Entry:
        """One move, with the cards that it may have been."""
        here = desk()
        return found_entry(here, found_number(here, number), lang)

    @router.get(
        "/api/control/moves/{number}/picture.jpg",
        tags=["desk"],
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}},
    )
    def crop(number: Number, when: Literal["after", "before"] = "after") -> Response:
        """The card of a move with what lies around it, after or before it was laid."""
        here = desk()
        data = here.crops.jpeg(found_number(here, number), when)
        if data is None:
            raise HTTPException(404, "there is no picture of this move")
        # A picture never changes, but the next game has other moves under the same numbers.
        tag = f'"{here.instance}-{number}-{when}"'
        headers = {"Cache-Control": "private, max-age=60", "ETag": tag}
        return Response(data, media_type="image/jpeg", headers=headers)

    @router.get("/api/control/words", tags=["desk"])
    def told(lang: Asked = "en") -> Words:
        """The words of the desk's page, and the rulebook's paragraphs (in English)."""
        return words(lang)

    @router.get(
        "/api/control/events",
        tags=["desk"],
        response_class=Response,
        responses={200: {"content": {"text/event-stream": {}}}},
    )
    async def feed(lang: Asked = "en", entries: Many = ENTRIES) -> Response:
        """The desk's state as server-sent events: `state` at once and after each change, `beat`
        every two seconds in between. A state is null while there is no game."""
        return Feed(_events(hub, lang, entries), "text/event-stream", hub)


async def _events(hub: Hub, language: str, entries: int) -> AsyncIterator[bytes]:
    """The state at once and after each change of what the hub's source shows."""
    loop = asyncio.get_running_loop()
    changed = asyncio.Event()

    def tell() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    end = hub.source.subscribe(tell)
    try:
        while not hub.closed:
            changed.clear()
            desk = desk_of(hub.source)
            if desk is None:
                yield b"event: state\ndata: null\n\n"
            else:
                now = await asyncio.to_thread(seen, hub, desk, language, entries)
                text = json.dumps(asdict(now), ensure_ascii=False, separators=(",", ":"))
                yield b"event: state\ndata: " + text.encode() + b"\n\n"
            beat_s = loop.time() + BEAT_S
            while not hub.closed and not changed.is_set():
                with contextlib.suppress(TimeoutError):
                    # In slices, so that a server that stops need not wait for the next beat.
                    async with asyncio.timeout(_SLICE_S):
                        await changed.wait()
                if not changed.is_set() and loop.time() >= beat_s:
                    beat_s = loop.time() + BEAT_S
                    yield event("beat", {})
    finally:
        end()
