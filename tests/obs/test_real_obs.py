"""The real OBS: set up, shows our picture, reacts; it and we may end and come back.

Debian's OBS 29 has no browser source and no chapters; `test_setup` and `test_director` ask a
fake for those.
"""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from referee.obs.client import Obs
from referee.obs.director import directing
from referee.obs.plan import Plan, Reaction
from referee.obs.setup import CAMERA, SCENE, check, install
from referee.overlay.source import Picture
from referee.server.serve import Serving, bind
from tests.obs.real import PASSWORD, RealObs
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling

pytestmark = pytest.mark.obs

RED, BLUE = (40, 40, 200), (200, 60, 40)


class Camera:
    """A desk whose picture moves on, in one colour."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.colour = RED
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        index = 0
        while not self._ended.wait(0.1):
            index += 1
            image = np.full((180, 320, 3), self.colour, np.uint8)
            self.desk.photo = Picture(image, index, index / 10)

    def end(self) -> None:
        self._ended.set()
        self._thread.join()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealObs]:
    obs = RealObs(tmp_path_factory.mktemp("obs"))
    try:
        obs.start()
        yield obs
    finally:
        obs.close()


@pytest.fixture
def camera() -> Iterator[Camera]:
    one = Camera()
    yield one
    one.end()


def until(holds: Callable[[], bool], timeout_s: float = 40.0) -> None:
    deadline_s = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline_s
        time.sleep(0.2)


def on_air(obs: Obs) -> tuple[int, ...]:
    """The mean colour of what the scene shows, blue, green, red."""
    shot = obs.ask("GetSourceScreenshot", sourceName=SCENE, imageFormat="png", imageWidth=64)
    data = base64.b64decode(shot["imageData"].split(",")[1])
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return tuple(int(value) for value in image.reshape(-1, 3).mean(axis=0))


def shows(obs: Obs, colour: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 25 for a, b in zip(on_air(obs), colour, strict=True))


def test_obs_from_set_up_to_restarts(real: RealObs, camera: Camera) -> None:
    desk = camera.desk
    listener = bind(port=0)
    port = int(listener.getsockname()[1])
    server = Serving(desk, listener)
    server.start()
    video, overlay = f"{server.url}/video?marked=0", f"{server.url}/overlay"
    plan = Plan(
        real.address,
        PASSWORD,
        "en",
        {
            "illegal": Reaction(
                chapter=True, replay=True, replay_after_s=1.0, scene="Alarm", back_s=1.0
            )
        },
    )
    try:
        # Set up, twice; the picture is on air.
        with real.connect() as obs:
            made = [one.what for one in install(obs, video=video, overlay=overlay)]
            assert made[:2] == [f"scene '{SCENE}' made", f"source '{CAMERA}' made"]
            again = [one.what for one in install(obs, video=video, overlay=overlay)]
            assert all("already" in what for what in again[:2])
            obs.ask("CreateScene", sceneName="Alarm")
            obs.ask("SetCurrentProgramScene", sceneName=SCENE)
            until(lambda: shows(obs, RED))
            well = {one.what for one in check(obs) if one.ok}
            assert {f"source '{CAMERA}' shows the picture", "the replay buffer is set up"} <= well
        desk.add(START, ruling(0, player=None, turn=0, ends=["r5", "g1"]))
        with directing(desk, plan) as director:
            # An illegal move: a replay is saved, the scene changes and comes back.
            until(lambda: director.state == "connected")
            time.sleep(2.0)  # the replay buffer needs something to keep
            desk.add(PLACE, ruling(1))
            desk.add(ILLEGAL, ruling(2, player=1, legal=False, violations=["no_match"]))
            with real.connect() as obs:
                until(lambda: program(obs) == "Alarm", 10)
                until(lambda: program(obs) == SCENE, 10)
            until(lambda: len(real.replays()) == 1)
            # OBS ends and comes back: scene and sources are there, and it reacts again.
            real.stop()
            until(lambda: director.state == "away")
            real.start()
            until(lambda: director.state == "connected")
            with real.connect() as obs:
                kept = [one.what for one in install(obs, video=video, overlay=overlay)]
                assert all("already" in what for what in kept[:2])
                obs.ask("SetCurrentProgramScene", sceneName=SCENE)
                until(lambda: shows(obs, RED))
            time.sleep(2.0)
            later = {**ILLEGAL, "t": 30.0}
            desk.add(later, ruling(3, player=1, legal=False, violations=["no_match"]))
            until(lambda: len(real.replays()) == 2)
        # We end and come back: the picture does too.
        server.stop()
        camera.colour = BLUE
        server = Serving(desk, bind(port=port))
        server.start()
        with real.connect() as obs:
            until(lambda: shows(obs, BLUE))
    finally:
        server.stop()


def program(obs: Obs) -> str:
    return str(obs.ask("GetCurrentProgramScene")["currentProgramSceneName"])
