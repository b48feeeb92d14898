"""Before and after: how the table looked around a move that the referee finds fault with.

Pictures of the last seconds are kept small and few; when a fault or a doubt is called, the place
of the card is cut out of one from before the hand came and of the one from now.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import cv2
import numpy as np
from fastapi import APIRouter, HTTPException, Path, Response
from numpy.typing import NDArray

from referee.notation import is_observation
from referee.overlay.snapshot import move_key
from referee.overlay.source import Mark, Picture, Source, View
from referee.server.hub import Hub
from referee.server.pictures import annotated
from referee.store import Record

SAMPLE_S: Final = 0.7
"""How often a picture is kept, in case something happens."""
KEPT: Final = 10
"""How many of them, and how many moments."""
REACH_S: Final = 3.0
"""Where nobody tells of hands: they come no earlier than this before they let a card go."""

_WIDTH_PX: Final = 1280
_SHOWN_PX: Final = (480, 300)
"""Size of what is cut out, as it is shown."""
_AROUND: Final = 2.6
"""How much larger than the card the cut-out is."""
_QUALITY: Final = 84

Which = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class _Sample:
    """A picture from a moment ago, as JPEG."""

    at_s: float
    data: bytes
    scale: float
    """Its width to that of the camera's picture."""


class Moments:
    """Watches a game for faults and keeps their pictures."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._samples: deque[_Sample] = deque(maxlen=KEPT)
        self._sampled_s = float("-inf")
        self._kept: OrderedDict[str, dict[Which, bytes]] = OrderedDict()
        self._seen: str | None = None
        self._tells_hands = False

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch while the body runs."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def changed() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(woken.set)

        end: Callable[[], None] = self._source.subscribe(changed)
        task = loop.create_task(self._watch(woken))
        try:
            yield
        finally:
            end()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _watch(self, woken: asyncio.Event) -> None:
        while True:
            try:
                async with asyncio.timeout(SAMPLE_S):
                    await woken.wait()
            except TimeoutError:
                pass
            woken.clear()
            await asyncio.to_thread(self.look, time.monotonic())

    def look(self, now_s: float) -> None:
        """See whether there is a new fault; keep a picture where it is time for one."""
        picture = self._source.picture()
        if picture is None:
            return
        view = self._source.view()
        self._tells_hands |= view.light == "hand"
        if not view.log:  # another game, whose moves may have the same names
            self._kept.clear()
            self._seen = None
        move = _newest_move(view)
        if move is not None:
            key, observation, is_sound = move
            if key != self._seen:
                self._seen = key
                if not is_sound:
                    self._keep(key, observation, picture)
        if view.light == "watching" and now_s - self._sampled_s >= SAMPLE_S:
            self._sampled_s = now_s
            self._samples.append(_sample(picture))

    def get(self, key: str, which: Which) -> bytes | None:
        """A picture as JPEG, or None where there is none."""
        return self._kept.get(key, {}).get(which)

    def _keep(self, key: str, observation: Record, picture: Picture) -> None:
        box = _box(picture.marks, picture.image.shape)
        shown = annotated(picture.image, _at_fault(picture.marks))
        pictures: dict[Which, bytes] = {"after": _cut(shown, box, 1.0)}
        before = self._before(observation, picture)
        if before is not None:
            image = cv2.imdecode(np.frombuffer(before.data, np.uint8), cv2.IMREAD_COLOR)
            if image is not None:
                pictures["before"] = _cut(np.asarray(image, np.uint8), box, before.scale)
        self._kept[key] = pictures
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _before(self, observation: Record, picture: Picture) -> _Sample | None:
        laid_s = observation.get("t")
        done_s = picture.at_s if laid_s is None else float(laid_s)
        # Pictures are kept only while no hand is about, if the source tells of hands at all.
        reach_s = 0.0 if self._tells_hands else REACH_S
        early = [one for one in self._samples if one.at_s <= done_s - reach_s]
        if early:
            return early[-1]
        earlier = [one for one in self._samples if one.at_s < done_s]
        return earlier[0] if earlier else None


def _newest_move(view: View) -> tuple[str, Record, bool] | None:
    """The newest move that was ruled on: its key, the observation, whether all was well."""
    rulings: list[Record] = []
    for record in reversed(view.log):
        if record.get("type") == "ruling":
            rulings.append(record)
        elif is_observation(record) and rulings:
            is_sound = all(one.get("legal") is True for one in rulings)
            return move_key(view, record, int(rulings[0].get("of", 0))), record, is_sound
        elif is_observation(record):
            return None
    return None


def _at_fault(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    return tuple(replace(one, text="") for one in marks if one.kind in ("illegal", "unsure"))


def _box(marks: tuple[Mark, ...], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """What to cut out, x0, y0, x1, y1 in the camera's pixels: around the card at fault, in the
    proportions of `_SHOWN_PX`; the whole picture where no card is marked."""
    height, width = shape[:2]
    points = [point for mark in _at_fault(marks) for point in mark.polygon_px]
    aspect = _SHOWN_PX[0] / _SHOWN_PX[1]
    if points:
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        (x, y), (w, h) = (low + high) / 2, (high - low) * _AROUND
    else:
        (x, y), (w, h) = (width / 2, height / 2), (float(width), float(height))
    w = min(max(w, h * aspect), width, height * aspect)
    h = w / aspect
    x = min(max(x, w / 2), width - w / 2)
    y = min(max(y, h / 2), height - h / 2)
    return round(x - w / 2), round(y - h / 2), round(x + w / 2), round(y + h / 2)


def _sample(picture: Picture) -> _Sample:
    image, scale = picture.image, 1.0
    height, width = image.shape[:2]
    if width > _WIDTH_PX:
        scale = _WIDTH_PX / width
        size = (_WIDTH_PX, max(1, round(height * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _Sample(picture.at_s, _jpeg(image), scale)


def _cut(image: NDArray[np.uint8], box: tuple[int, int, int, int], scale: float) -> bytes:
    x0, y0, x1, y1 = (round(value * scale) for value in box)
    part = image[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    how = cv2.INTER_AREA if part.shape[1] > _SHOWN_PX[0] else cv2.INTER_CUBIC
    return _jpeg(np.asarray(cv2.resize(part, _SHOWN_PX, interpolation=how), np.uint8))


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise ValueError(f"expected a picture to encode, found an array of shape {image.shape}")
    return data.tobytes()


def moments_router(hub: Hub, moments: Moments) -> APIRouter:
    """The addresses of the pictures, for moves that viewers know of already."""
    router = APIRouter(tags=["picture"])

    @router.get(
        "/moments/{key}/{which}.jpg",
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}, 404: {"description": "no such picture"}},
    )
    async def moment(
        key: Annotated[str, Path(pattern=r"^[a-z][0-9.]{1,20}$", description="The entry's `key`.")],
        which: Which,
    ) -> Response:
        """The table before or after a move that was called illegal or doubtful."""
        known = any(entry.key == key for entry in hub.snapshot("en").entries)
        data = moments.get(key, which) if known else None
        if data is None:
            raise HTTPException(404, "there is no such picture")
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    return router
