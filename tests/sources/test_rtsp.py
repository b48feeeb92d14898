"""A camera on the network: a real RTSP server that is killed, frozen and started again.

Run when asked for: `pytest -m rtsp`, with Debian's `python3-gi gir1.2-gst-rtsp-server-1.0
gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly`.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.fakes import until
from vision.frames import CameraState
from vision.live import LiveSource, open_live

pytestmark = pytest.mark.rtsp

PYTHON = "/usr/bin/python3"
PROBE = """
import gi
gi.require_version("Gst", "1.0"); gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
missing = [one for one in ("x264enc", "rtph264pay") if not Gst.ElementFactory.find(one)]
raise SystemExit(f"no {', '.join(missing)}" if missing else 0)
"""
NOTICED_S = 2.0
AGAIN_S = 15.0
"""How long it may take until the camera is picked up: an attempt at most every five seconds."""


class RtspCamera:
    """A camera on the network, that is its server."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/table"

    def switch_on(self) -> None:
        script = Path(__file__).with_name("rtsp_server.py")
        self._process = subprocess.Popen(
            [PYTHON, str(script), str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("rtsp://"), self._process.poll()

    def signal(self, number: int) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    probe = subprocess.run([PYTHON, "-c", PROBE], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"needs a GStreamer with an RTSP server: {probe.stderr.strip()[-200:]}")
    camera = RtspCamera()
    camera.switch_on()
    yield camera
    camera.kill()


def seconds_until(source: LiveSource, state: CameraState, within_s: float) -> float:
    began_s = time.monotonic()
    assert until(lambda: source.status.state == state, within_s), source.status
    return time.monotonic() - began_s


def test_it_is_killed_and_started_again(camera: RtspCamera) -> None:
    source = open_live(camera.url)
    try:
        assert source.wait(AGAIN_S), source.status
        assert source.size_px == (1280, 720)
        frames = iter(source)
        last = max(next(frames).index for _ in range(10))
        for _ in range(2):
            camera.kill()
            noticed_s = seconds_until(source, "gone", 3 * NOTICED_S)
            assert noticed_s <= NOTICED_S, source.status
            camera.switch_on()
            again_s = seconds_until(source, "ok", AGAIN_S)
            sys.stdout.write(
                f"noticed after {noticed_s:.2f} s, picked up again after {again_s:.2f} s\n"
            )
            now = next(frames).index
            assert now > last
            last = now
    finally:
        source.close()


def test_it_hangs_and_goes_on(camera: RtspCamera) -> None:
    """The connection stays, nothing comes: a camera that has crashed, a network that is down."""
    source = open_live(camera.url)
    try:
        assert source.wait(AGAIN_S), source.status
        frames = iter(source)
        next(frames)
        camera.signal(signal.SIGSTOP)
        noticed_s = seconds_until(source, "frozen", 3 * NOTICED_S)
        assert noticed_s <= NOTICED_S, source.status
        time.sleep(6.0)  # longer than a read is waited for: it is opened anew, in vain
        camera.signal(signal.SIGCONT)
        again_s = seconds_until(source, "ok", AGAIN_S)
        sys.stdout.write(
            f"noticed after {noticed_s:.2f} s, picked up again after {again_s:.2f} s\n"
        )
    finally:
        camera.signal(signal.SIGCONT)
        source.close()


def test_pictures_are_new_ones(camera: RtspCamera) -> None:
    """A buffer that fills up would make the table seconds old: what is read keeps pace."""
    source = open_live(camera.url)
    try:
        assert source.wait(AGAIN_S), source.status
        frames = iter(source)
        looked = []
        for _ in range(20):
            looked.append(next(frames).index)
            time.sleep(0.3)  # whoever looks is slow
        behind = source.status.frames - 1 - looked[-1]
        assert looked[-1] > 2 * len(looked)  # some were passed over
        assert behind < 12, "the newest picture is half a second old"
    finally:
        source.close()
