"""The set-up page and its addresses: everything that it can do is a documented HTTP call.

What changes something is a POST under `/api/setup`. No call takes the name of a file.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

import referee
from calibration.table import TableError, table_to_json
from referee.announce import Language, labels
from referee.errors import RefereeError, explain
from referee.notation import NotationError
from referee.rules.options import OptionError
from referee.server.control_models import Asked
from referee.server.feeds import BOUNDARY, Feed, motion_jpeg
from referee.server.hub import Hub
from referee.server.pictures import Studio
from referee.server.setup_draft import Draft, DraftError, Pile
from referee.server.setup_options import GameText, game_texts
from referee.server.setup_shown import CheckState, SetUpState
from referee.server.setup_state import BusyError, SetUp
from referee.server.video import Rate, Width
from referee.store import StoreError
from vision.capture import Lock
from vision.plane import PlaneError

FILES = {
    path.name: path
    for path in (Path(referee.__file__).parent / "setup").iterdir()
    if path.is_file()
}
"""What the page loads, by name: no path from outside ever reaches the disk."""

Pixel = Annotated[float, Field(ge=-20_000, le=20_000, allow_inf_nan=False)]
Spot = tuple[Pixel, Pixel]
Millimetres = Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)]
Size = tuple[Millimetres, Millimetres]
Name = Annotated[str, Field(min_length=1, max_length=40)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SeatBody(_Body):
    """A player; without a place, one is chosen."""

    name: Name
    at_px: Spot | None = None


class PileBody(_Body):
    """Where a pile lies."""

    at_px: Spot
    size_mm: Size | None = None


class Change(_Body):
    """What is to change; what is left out stays as it is."""

    corners_px: Annotated[list[Spot], Field(min_length=4, max_length=4)] | None = None
    """Of the rectangle on the table: top left, top right, bottom right, bottom left."""
    size_mm: Size | None = None
    """Of that rectangle: along its upper edge, and down."""
    seats: Annotated[list[SeatBody], Field(min_length=1, max_length=10)] | None = None
    zones: dict[Literal["draw_pile", "discard_pile"], PileBody] | None = None
    game: Literal["solomino", "solo"] | None = None
    options: dict[Annotated[str, Field(max_length=40)], Any] | None = None
    first: Name | None = None
    """The name of who begins; empty text is not allowed, leave it out and set `anyone_first`."""
    anyone_first: bool = False
    """Whoever acts first begins."""


class Masks(_Body):
    """Outlines of what is never stored or shown."""

    masks_px: Annotated[
        list[Annotated[list[Spot], Field(min_length=3, max_length=40)]], Field(max_length=20)
    ]


class Locks(_Body):
    """What the camera is to hold as it is."""

    locks: Annotated[list[Lock], Field(max_length=3)]


class Words(_Body):
    """Of each half that was read, whether it is right; null: not looked at."""

    right: Annotated[list[bool | None], Field(max_length=500)]


REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"description": "a game is being watched, or is not"},
    422: {"description": "it cannot be done, and why"},
}


def setup_routes(setup: SetUp) -> Callable[[Hub], APIRouter]:
    """The addresses over a table's set-up, to be given to the server."""

    def routes(hub: Hub) -> APIRouter:
        router = APIRouter(tags=["set-up"], responses=REFUSED)
        _page(router)
        _picture(router, hub)
        _asks(router, setup)
        _changes(router, setup)
        _games(router, setup)
        return router

    return routes


def _page(router: APIRouter) -> None:
    @router.get("/setup", tags=["pages"], response_class=FileResponse)
    async def setup_page() -> Response:
        """The page on which a table is set up and a game begins."""
        return FileResponse(FILES["setup.html"], headers={"Cache-Control": "no-cache"})

    @router.get("/setup/{name}", include_in_schema=False)
    async def setup_file(name: str) -> Response:
        path = FILES.get(name)
        if path is None:
            raise HTTPException(404, "there is no such file")
        return FileResponse(path, headers={"Cache-Control": "no-cache"})


def _picture(router: APIRouter, hub: Hub) -> None:
    studio = Studio(hub.source)

    @router.get(
        "/api/setup/video",
        response_class=Response,
        responses={200: {"content": {"multipart/x-mixed-replace": {}}}},
    )
    async def video(width: Width = None, fps: Rate = 10) -> Response:
        """The clean picture as motion JPEG, never delayed: `/video` may be, for viewers."""
        chunks: AsyncIterator[bytes] = motion_jpeg(hub, studio, width, False, fps)
        return Feed(chunks, f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}", hub)


def _asks(router: APIRouter, setup: SetUp) -> None:
    @router.get("/api/setup")
    def state(lang: Asked = "en") -> SetUpState:
        """All that the page shows, but for the check list and the options' texts."""
        return setup.state(lang)

    @router.get("/api/setup/checks")
    def checks(lang: Asked = "en") -> list[CheckState]:
        """The check list, measured anew about once a second."""
        return [check.shown(lang) for check in setup.checks()]

    @router.get("/api/setup/games")
    def games(lang: Asked = "en") -> list[GameText]:
        """The games and their options, with what each value means."""
        return game_texts(lang)

    @router.get("/api/setup/words")
    def words(lang: Asked = "en") -> dict[str, str]:
        """The words of the page itself, by their keys."""
        return dict(labels("setup", lang))

    @router.get("/api/setup/table.json")
    def table() -> Response:
        """The table as it would be saved, as a file."""
        with _refusals():
            data = table_to_json(setup.table())
        head = {"Content-Disposition": 'attachment; filename="table.json"'}
        return Response(
            json.dumps(data, indent=1) + "\n", media_type="application/json", headers=head
        )


def _changes(router: APIRouter, setup: SetUp) -> None:
    @router.post("/api/setup/table")
    def change(body: Change, lang: Asked = "en") -> SetUpState:
        """Change the table; nothing is saved yet."""
        with _refusals(lang):
            setup.change(lambda draft: _changed(draft, body))
        return setup.state(lang)

    @router.post("/api/setup/masks")
    def masks(body: Masks, lang: Asked = "en") -> SetUpState:
        """Black out parts of the picture, at once and for everybody; during a game too."""
        with _refusals(lang):
            setup.change(lambda draft: draft.with_masks(body.masks_px), at_any_time=True)
        return setup.state(lang)

    @router.post("/api/setup/find")
    def find(lang: Asked = "en") -> SetUpState:
        """Find the table by the page of markers or by the cards that lie there. Takes seconds."""
        with _refusals(lang):
            setup.find()
        return setup.state(lang)

    @router.post("/api/setup/read")
    def read(lang: Asked = "en") -> SetUpState:
        """Read the cards that lie there now."""
        with _refusals(lang):
            setup.read()
        return setup.state(lang)

    @router.post("/api/setup/read/right")
    def judge(body: Words, lang: Asked = "en") -> SetUpState:
        """Say of the halves that were read last, in their order, which are right."""
        with _refusals(lang):
            setup.judge(body.right)
        return setup.state(lang)

    @router.post("/api/setup/camera")
    def camera(body: Locks, lang: Asked = "en") -> SetUpState:
        """Have the camera hold its focus, exposure or white balance as they are now."""
        setup.lock(frozenset(body.locks))
        return setup.state(lang)

    @router.post("/api/setup/save")
    def save(lang: Asked = "en") -> SetUpState:
        """Write the table's file, where the referee was told to."""
        with _refusals(lang):
            setup.save()
        return setup.state(lang)


def _games(router: APIRouter, setup: SetUp) -> None:
    @router.post("/api/setup/start")
    def start(lang: Asked = "en") -> SetUpState:
        """Save the table and begin a game at it."""
        with _refusals(lang):
            setup.start()
        return setup.state(lang)

    @router.post("/api/setup/go-on")
    def go_on(lang: Asked = "en") -> SetUpState:
        """Go on with the last game, at the table as it is set up now."""
        with _refusals(lang):
            setup.go_on()
        return setup.state(lang)

    @router.post("/api/setup/stop")
    def stop(lang: Asked = "en") -> SetUpState:
        """Stop watching the game and come back to set-up; its record stays and it may go on."""
        setup.stop()
        return setup.state(lang)


def _changed(draft: Draft, body: Change) -> Draft:
    """The draft with all that a body asks for. The size comes first: corners are of that size."""
    if body.size_mm is not None:
        draft = draft.with_size(body.size_mm)
    if body.corners_px is not None:
        draft = draft.with_corners(body.corners_px)
    if body.seats is not None:
        draft = draft.with_seats([(seat.name, seat.at_px) for seat in body.seats])
    if body.game is not None or body.options is not None:
        options = draft.options if body.options is None else body.options
        game = body.game or draft.game
        draft = draft.with_game(game, options if game == draft.game or body.options else {})
    if body.zones is not None:
        piles = dict(draft.piles)
        for name, pile in body.zones.items():
            known = piles.get(name, Pile(pile.at_px))
            piles[name] = Pile(pile.at_px, pile.size_mm or known.size_mm)
        draft = draft.with_piles(piles)
    if body.first is not None or body.anyone_first:
        draft = draft.with_first(None if body.anyone_first else body.first)
    return draft


@contextmanager
def _refusals(language: Language = "en") -> Iterator[None]:
    """Turns what cannot be done into an answer that says why."""
    try:
        yield
    except BusyError as error:
        raise HTTPException(409, error.why.text(language)) from error
    except DraftError as error:
        raise HTTPException(422, error.why.text(language)) from error
    except (
        PlaneError,
        TableError,
        OptionError,
        NotationError,
        StoreError,
        RefereeError,
        OSError,
    ) as error:
        raise HTTPException(422, explain(error)) from error
