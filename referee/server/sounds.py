"""The addresses of what the overlay sounds like: chimes, and sentences that were spoken."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Response

from referee.announce import Language
from referee.overlay.cues import Cue
from referee.server.hub import Hub
from referee.sound.chimes import chime
from referee.sound.speech import Pack, SpeechError, load_packs, packs_folder

_LOG = logging.getLogger(__name__)

_A_DAY = {"Cache-Control": "max-age=86400"}
_WAV: dict[int | str, dict[str, Any]] = {200: {"content": {"audio/wav": {}}}}
_MISSING: dict[int | str, dict[str, Any]] = {404: {"description": "no such recording"}}


def packs_at_hand() -> dict[str, Pack]:
    """The user's packs; none, with a warning, where one of them is broken: a game goes on."""
    try:
        return load_packs(packs_folder())
    except SpeechError as error:
        _LOG.warning("no speech: %s", error)
        return {}


def sounds_router(hub: Hub, packs: Mapping[str, Pack]) -> APIRouter:
    """The addresses; `packs` are the recordings by language."""
    router = APIRouter(prefix="/sounds", tags=["sound"])

    @router.get("/{cue}.wav", response_class=Response, responses=_WAV)
    async def sound(cue: Cue) -> Response:
        """The chime of a kind of event."""
        return Response(chime(cue), media_type="audio/wav", headers=_A_DAY)

    @router.get("/speech/{language}/{name}.wav", response_class=Response, responses=_WAV | _MISSING)
    async def speech(
        language: Language,
        name: Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="A sentence's `id`.")],
    ) -> Response:
        """A sentence of the state, spoken; 404 where no recording and no voice is there.

        Only what was said is spoken: there is no way to have it say something else.
        """
        pack = packs.get(language)
        said = hub.snapshot(language).entries if pack is not None else []
        text = next((one.text for entry in said for one in entry.said if one.id == name), None)
        data = None if pack is None else await asyncio.to_thread(pack.get, name, text)
        if data is None:
            raise HTTPException(404, "there is no such recording")
        return Response(data, media_type="audio/wav", headers=_A_DAY)

    return router
