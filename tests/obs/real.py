"""A real OBS for tests: of its own home, without a screen, started and ended at will."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from referee.obs.client import Obs, ObsError

PASSWORD = "queen of hearts"
WIDTH, HEIGHT = 640, 360
START_S = 90.0
"""How long OBS may take to answer, on a machine that has other things to do."""

_GLOBAL = """[General]
FirstRun=true
LastVersion=486539266
EnableAutoUpdates=false
Pre19Defaults=false
Pre21Defaults=false
Pre23Defaults=false
Pre24.1Defaults=false

[Basic]
Profile=Untitled
ProfileDir=Untitled
SceneCollection=Untitled
SceneCollectionFile=Untitled

[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort={port}
AuthRequired=true
ServerPassword={password}
AlertsEnabled=false
"""
_PROFILE = """[General]
Name=Untitled

[Output]
Mode=Simple

[SimpleOutput]
FilePath={out}
RecFormat=mkv
VBitrate=800
StreamEncoder=x264
Preset=ultrafast
RecQuality=Stream
RecRB=true
RecRBTime=5
RecRBSize=32

[Video]
BaseCX={width}
BaseCY={height}
OutputCX={width}
OutputCY={height}
FPSType=1
FPSInt=10
"""


class RealObs:
    """One OBS with its settings in a folder."""

    def __init__(self, folder: Path) -> None:
        """Skips the test where OBS or a screen without a screen is missing."""
        for program, package in (("obs", "obs-studio"), ("Xvfb", "xvfb")):
            if shutil.which(program) is None:
                pytest.skip(f"needs {program} (Debian's package {package})")
        self.folder = folder
        self.out = folder / "out"
        self.out.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        config = folder / ".config" / "obs-studio"
        profile = config / "basic" / "profiles" / "Untitled"
        profile.mkdir(parents=True)
        (config / "global.ini").write_text(_GLOBAL.format(port=self.port, password=PASSWORD))
        (profile / "basic.ini").write_text(
            _PROFILE.format(out=self.out, width=WIDTH, height=HEIGHT)
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._screen: subprocess.Popen[bytes] | None = None
        self._number = ""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start OBS and wait until it answers."""
        environment = os.environ | {
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / ".config"),
            "LP_NUM_THREADS": "1",
            "DISPLAY": self._start_screen(),
        }
        with (self.folder / "obs.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["obs", "--multi", "--minimize-to-tray", "--disable-updater",
                 "--disable-missing-files-check"],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )  # fmt: skip
        deadline_s = time.monotonic() + START_S
        while True:
            try:
                self.connect().close()
                return
            except ObsError:
                assert self._process.poll() is None, self.log()
                assert time.monotonic() < deadline_s, self.log()
                time.sleep(0.3)

    def _start_screen(self) -> str:
        """A screen of its own, ready to be drawn on. (`xvfb-run` waits for a signal that it may
        have missed, and then waits for ever.)"""
        if self._screen is None:
            reads, writes = os.pipe()
            self._screen = subprocess.Popen(
                ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1280x800x24",
                 "-nolisten", "tcp"],
                pass_fds=[writes],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
            os.close(writes)
            # Xvfb takes a number that is free, and writes it down once it can be used.
            with os.fdopen(reads) as told:
                self._number = told.readline().strip()
            assert self._number, "Xvfb has ended"
        return f":{self._number}"

    def stop(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End it, and its screen."""
        self.stop()
        if self._screen is not None:
            self._screen.terminate()  # it then removes its lock
            self._screen.wait()
            self._screen = None

    def connect(self) -> Obs:
        return Obs(self.address, PASSWORD)

    def replays(self) -> list[Path]:
        """The replays that it has saved."""
        return sorted(self.out.glob("Replay*.mkv"))

    def log(self) -> str:
        """The last of what it said."""
        return (self.folder / "obs.log").read_text(errors="replace")[-2000:]
