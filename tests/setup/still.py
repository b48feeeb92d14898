"""A live source whose pictures are those of a stage, taken when the test wants one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from fastapi.testclient import TestClient

from referee.games import Games
from referee.live import Live
from referee.server.app import STATIC, create_app
from referee.server.hub import Hub
from referee.server.pictures import Studio
from referee.server.setup import setup_routes
from referee.server.setup_state import FirstDraft, SetUp
from referee.server.video import video_router
from tests.stage import HIGH, WIDE, Stage
from vision.camera import Status
from vision.capture import Granted, Wish
from vision.frames import CameraState, Frame, SourceError
from vision.newest import AtEnd


class StillCamera:
    """`vision.live.LiveSource`: there is a picture once the test has taken one."""

    live = True
    name = "camera 0"
    can_lock = True
    duration_s: float | None = None
    granted: tuple[Granted, ...] = ()

    def __init__(self) -> None:
        self.wish = Wish()
        self.at_end: AtEnd = "stop"
        self.state: CameraState = "ok"
        self.seen = False
        self.changed: list[Callable[[], None]] = []

    @property
    def size_px(self) -> tuple[int, int]:
        if not self.seen:
            raise SourceError("camera 0: expected a picture, found none yet")
        return WIDE, HIGH

    @property
    def status(self) -> Status:
        text = "" if self.state == "ok" else "no picture for 3 s"
        return Status(self.state, text, self.size_px if self.seen else None, rate_hz=15.0)

    def ask(self, wish: Wish) -> None:
        self.wish = wish

    def subscribe(self, changed: Callable[[], None]) -> None:
        self.changed.append(changed)

    def rewind(self, to_s: float = 0.0) -> float:
        return 0.0

    def expect(self, size_px: tuple[int, int]) -> None:
        pass

    def wait(self, timeout_s: float) -> bool:
        return self.seen

    def __iter__(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None:
        pass


class Room:
    """A table with a camera over it, a server, and somebody at the set-up page."""

    def __init__(
        self, folder: Path, first: FirstDraft | None = None, *, whole: bool = False
    ) -> None:
        """With ``whole``, the server has all its addresses; making them takes a second."""
        self.stage = Stage()
        self.camera = StillCamera()
        self.live = Live(self.camera)
        self.games = Games(self.live, lambda game: self.stage, folder / "out")
        self.file = folder / "table.json"
        self.setup = SetUp(self.games, lambda game: self.stage, self.file, first)
        routes = setup_routes(self.setup)
        if whole:
            app = create_app(self.live, routers=[routes])
        else:
            app, hub = FastAPI(), Hub(self.live)
            app.include_router(routes(hub))
            app.include_router(video_router(hub, Studio(self.live)))
            app.mount("/static", StaticFiles(directory=STATIC))
        self.client = TestClient(app, base_url="http://127.0.0.1")

    def see(self, frames: Iterator[Frame] | None = None) -> None:
        """Let the camera see some pictures, one where none are given."""
        for frame in frames or iter([self.stage.frame()]):
            self.camera.seen = True
            self.live.take(frame)

    def state(self) -> dict[str, Any]:
        answer = self.client.get("/api/setup")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def lights(self) -> dict[str, str]:
        return {one["name"]: one["light"] for one in self.client.get("/api/setup/checks").json()}
