"""The camera's picture for others, OBS above all: who owns a camera must share it.

Each picture is encoded once for all who want it in the same size; a client that is slow gets the
newest picture when it is ready for one and never those in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query, Response

from referee.server.feeds import BOUNDARY, Feed, motion_jpeg
from referee.server.hub import Hub
from referee.server.pictures import Studio

MAX_VIDEOS: Final = 48
"""Moving pictures that are served at once; one more is refused."""

MAX_KINDS: Final = 6
"""Different sizes, clean or annotated, at once: each is encoded for itself, thirty times a
second."""

Width = Annotated[
    int | None, Query(ge=160, le=3840, description="Width in pixels; never enlarged.")
]
Marked = Annotated[
    bool,
    Query(
        description="1: annotated with what the referee sees (half cards with their reading, the "
        "ends of the line, zones, a doubtful card). 0: clean, as filmed."
    ),
]
Rate = Annotated[float, Query(ge=0.2, le=60, description="Pictures a second, at most.")]

Kind = tuple[int | None, bool]
"""Width, and whether annotated."""


class Videos:
    """Counts the moving pictures that are being served, by kind."""

    def __init__(self) -> None:
        self._open: Counter[Kind] = Counter()

    def refusal(self, kind: Kind) -> str | None:
        """Why one more of a kind cannot be served; None where it can."""
        if self._open.total() >= MAX_VIDEOS:
            return f"{MAX_VIDEOS} moving pictures are being served, no more are"
        if kind not in self._open and len(self._open) >= MAX_KINDS:
            return f"pictures are being served in {MAX_KINDS} sizes, ask for one of them"
        return None

    async def counted(self, kind: Kind, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks, counted as open from the first to the last."""
        self._open[kind] += 1
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            self._open[kind] -= 1
            if not self._open[kind]:
                del self._open[kind]


def video_router(hub: Hub, studio: Studio) -> APIRouter:
    """The addresses of the picture."""
    router = APIRouter(tags=["picture"])
    videos = Videos()

    @router.get(
        "/video",
        response_class=Response,
        responses={
            200: {"content": {"multipart/x-mixed-replace": {}}},
            503: {"description": "too many"},
        },
    )
    async def video(width: Width = None, marked: Marked = True, fps: Rate = 30) -> Response:
        """The camera's picture as motion JPEG: always the newest frame, never a queue."""
        refusal = videos.refusal((width, marked))
        if refusal is not None:
            raise HTTPException(503, refusal, headers={"Retry-After": "5"})
        chunks = videos.counted((width, marked), motion_jpeg(hub, studio, width, marked, fps))
        return Feed(chunks, f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}", hub)

    @router.get(
        "/picture.jpg",
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}, 404: {"description": "no picture yet"}},
    )
    async def picture(width: Width = None, marked: Marked = True) -> Response:
        """The newest frame alone."""
        jpeg = await studio.jpeg(width, marked)
        if jpeg is None:
            raise HTTPException(404, "there is no picture yet")
        return Response(jpeg.data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    return router
