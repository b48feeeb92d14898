"""A phone as camera: a real HTTP server of motion JPEG that dies, freezes and comes back."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from tests.sources.fakes import until
from vision.frames import CameraState
from vision.live import LiveSource, open_live


class Phone:
    """Serves /video as phones do; can be switched off, frozen, and on again at its port."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.frozen = threading.Event()
        self.off = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def switch_on(self) -> None:
        phone = self
        self.off.clear()
        self.frozen.clear()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                shade = 0
                while not phone.off.wait(0.03):
                    if phone.frozen.is_set():  # the connection stays, nothing comes
                        continue
                    shade = (shade + 3) % 200
                    image = np.full((48, 64, 3), shade, np.uint8)
                    data = cv2.imencode(".jpg", image)[1].tobytes()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}"
                    try:
                        self.wfile.write(head.encode() + b"\r\n\r\n" + data + b"\r\n")
                    except OSError:
                        return

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

        self._server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def switch_off(self) -> None:
        self.off.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone()
    yield phone
    phone.switch_off()


def seconds_until(camera: LiveSource, state: CameraState, within_s: float) -> float:
    began_s = time.monotonic()
    assert until(lambda: camera.status.state == state, within_s), camera.status
    return time.monotonic() - began_s


def test_a_phone_dies_freezes_and_comes_back(phone: Phone) -> None:
    """All with the times that the program has when people use it."""
    phone.switch_on()
    camera = open_live(phone.url)
    try:
        assert camera.wait(10.0)
        assert camera.size_px == (64, 48)
        frames = iter(camera)
        indices = [next(frames).index for _ in range(3)]
        assert indices == sorted(set(indices))

        phone.frozen.set()
        assert seconds_until(camera, "frozen", 5.0) <= 2.0
        phone.frozen.clear()
        seconds_until(camera, "ok", 15.0)

        phone.switch_off()
        seconds = seconds_until(camera, "gone", 5.0)
        assert seconds <= 2.0
        phone.switch_on()
        seconds_until(camera, "ok", 15.0)
        assert next(frames).index > indices[-1]
        assert camera.status.reopened >= 1
    finally:
        camera.close()
