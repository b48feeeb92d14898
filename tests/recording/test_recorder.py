"""Recording: true times, pieces, crashes, and a disk that runs low."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import wave
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import RefereeError
from referee.recording.of_games import recording
from referee.recording.recorder import KEEP_FREE_BYTES, PIECES, Recorder
from referee.recording.sinks import OpenCvSink, Sink, best_sink
from referee.store import read
from vision.facts import Image
from vision.frames import Frame

RATE_HZ = 10.0
PATIENCE_S = 20.0


class Kept:
    """A sink that keeps the pictures."""

    has_sound = False

    def __init__(self, path: Path, size_px: tuple[int, int], rate_hz: float) -> None:
        self.path = path.with_suffix(".kept")
        self.path.touch()
        self.size_px = size_px
        self.shown: list[int] = []
        self.is_closed = False

    def write(self, image: Image) -> None:
        self.shown.append(int(image[0, 0, 0]))

    def close(self) -> None:
        self.is_closed = True


class Taken:
    """A recorder into sinks that keep, given frames one at a time."""

    def __init__(self, folder: Path, free_bytes: int = 2 * KEEP_FREE_BYTES) -> None:
        self.sinks: list[Kept] = []
        self.free_bytes = free_bytes
        self.folder = folder
        self.told: list[str] = []
        self.recorder = Recorder(
            folder,
            rate_hz=RATE_HZ,
            piece_s=3.0,
            since_s=100.0,
            open_sink=self._open,
            free_bytes=lambda _: self.free_bytes,
            told=lambda: self.told.append(self.recorder.state.trouble),
        )

    def _open(self, path: Path, size_px: tuple[int, int], rate_hz: float) -> Sink:
        self.sinks.append(Kept(path, size_px, rate_hz))
        return self.sinks[-1]

    def show(self, *times_s: float, width: int = 64) -> None:
        """Frames at these times; the first pixel of each is its tenth of a second."""
        for at_s in times_s:
            image = np.full((48, width, 3), round(at_s * 10), np.uint8)
            self.recorder.take(Frame(image, at_s, round(at_s * 30)))
            until(lambda: self.recorder._newest is None)
        until(lambda: self.recorder._newest is None)


def until(done: Callable[[], bool]) -> None:
    """Wait for another thread."""
    began_s = time.monotonic()
    while not done():
        assert time.monotonic() - began_s < PATIENCE_S
        time.sleep(0.002)


def test_the_time_in_a_piece_is_true_though_pictures_are_missing(tmp_path: Path) -> None:
    taken = Taken(tmp_path)
    taken.show(0.0, 0.033, 0.1, 0.2, 0.6, 0.7)
    taken.recorder.close()
    (piece,) = taken.sinks
    assert piece.shown == [0, 1, 2, 6, 6, 6, 6, 7]
    assert piece.is_closed
    state = taken.recorder.state
    assert (state.pieces, state.pictures, state.skipped, state.trouble) == (1, 8, 3, "")


def test_a_new_piece_begins_when_one_is_long_the_camera_was_gone_or_the_size_changed(
    tmp_path: Path,
) -> None:
    taken = Taken(tmp_path)
    taken.show(0.0, 1.0, 2.0, 3.0)  # longer than a piece
    taken.show(9.0)  # gone for six seconds
    taken.show(9.1, width=80)
    taken.recorder.close()
    assert [len(sink.shown) for sink in taken.sinks] == [21, 1, 1, 1]
    assert all(sink.is_closed for sink in taken.sinks)
    listed = read(tmp_path / "recording" / PIECES).records
    assert [piece["from_s"] for piece in listed] == [100.0, 103.0, 109.0, 109.1]
    assert len({piece["file"] for piece in listed}) == len(listed)


def test_pieces_of_a_game_that_goes_on_follow_those_before(tmp_path: Path) -> None:
    (tmp_path / "recording").mkdir()
    (tmp_path / "recording" / "0007.mkv").write_bytes(b"")
    taken = Taken(tmp_path)
    taken.show(0.0)
    taken.recorder.close()
    assert taken.sinks[0].path.stem == "0008"


def test_recording_stops_before_the_disk_is_full_for_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.recording.recorder._LOOK_S", 0.0)
    monkeypatch.setattr("referee.recording.recorder._RETRY_S", 0.0)
    taken = Taken(tmp_path)
    taken.show(0.0)
    taken.free_bytes = KEEP_FREE_BYTES // 2
    taken.show(0.1)
    until(lambda: taken.recorder.state.trouble != "")
    assert "the game's record is" in taken.recorder.state.trouble
    assert taken.sinks[0].is_closed and len(taken.sinks) == 1
    taken.free_bytes = 2 * KEEP_FREE_BYTES
    taken.show(0.2)
    taken.recorder.close()
    assert taken.recorder.state.trouble == ""
    assert taken.sinks[1].shown == [2]
    assert [trouble != "" for trouble in taken.told] == [True, False]  # each change, once


def test_a_sink_that_fails_is_told_and_holds_nobody_up(tmp_path: Path) -> None:
    def fails(path: Path, size_px: tuple[int, int], rate_hz: float) -> Sink:
        raise RefereeError(f"{path}: no codec")

    with Recorder(tmp_path, open_sink=fails, free_bytes=lambda _: 10**12) as recorder:
        recorder.take(Frame(np.zeros((4, 4, 3), np.uint8), 0.0, 0))
        until(lambda: recorder.state.trouble.endswith("no codec"))
        recorder.take(Frame(np.zeros((4, 4, 3), np.uint8), 0.1, 1))
    assert recorder.state.pictures == 0


def pictures_in(path: Path) -> list[int]:
    """The grey of each picture in a video."""
    capture = cv2.VideoCapture(str(path))
    shown = []
    while (answer := capture.read())[0]:
        shown.append(int(np.mean(answer[1])))
    capture.release()
    return shown


def test_what_opencv_wrote_is_read_back(tmp_path: Path) -> None:
    sink = OpenCvSink(tmp_path / "0001", (64, 48), RATE_HZ)
    for grey in (30, 120, 210):
        sink.write(np.full((48, 64, 3), grey, np.uint8))
    sink.close()
    assert sink.path.suffix == ".mkv"
    assert np.allclose(pictures_in(sink.path), [30, 120, 210], atol=8)


needs_av = pytest.mark.skipif(find_spec("av") is None, reason="needs PyAV (the extra 'record')")


@needs_av
def test_sound_is_recorded_with_the_picture(tmp_path: Path) -> None:
    import av

    source = tmp_path / "sound.wav"
    tone = (np.sin(np.arange(44100) * 0.06) * 9000).astype("<i2")
    with wave.open(str(source), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes(tone.tobytes())
    with best_sink(str(source)) as open_sink:
        sink = open_sink(tmp_path / "0001", (64, 48), RATE_HZ)
        assert sink.has_sound
        for _ in range(10):
            sink.write(np.full((48, 64, 3), 120, np.uint8))
        sink.close()
    with av.open(str(sink.path)) as written:
        assert [stream.type for stream in written.streams] == ["video", "audio"]
        assert sum(1 for _ in written.decode(video=0)) == 10


@needs_av
def test_where_there_is_no_sound_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="expected a sound input"), best_sink("nowhere.wav"):
        pass


def test_sound_needs_more_than_opencv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.recording.sinks.find_spec", lambda _: None)
    with pytest.raises(RefereeError, match="PyAV is needed"), best_sink("default"):
        pass
    with best_sink() as open_sink:
        assert open_sink is OpenCvSink


WRITER = """
import sys
import numpy as np
from pathlib import Path
from referee.recording.sinks import OpenCvSink
from vision.facts import Image

if sys.argv[2] == "av":
    from referee.recording.with_av import AvSink as Kind
else:
    Kind = OpenCvSink
sink = Kind(Path(sys.argv[1]), (320, 240), 10.0)
chance = np.random.default_rng(1)
n = 0
while True:
    sink.write(chance.integers(0, 256, (240, 320, 3), np.uint8))
    n += 1
    print(n, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills of this kind are POSIX's")
@pytest.mark.parametrize("kind", ["opencv", pytest.param("av", marks=needs_av)])
def test_a_piece_whose_program_was_killed_plays_up_to_there(tmp_path: Path, kind: str) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "0001"), kind],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    for _ in range(120):
        writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    (piece,) = tmp_path.iterdir()
    assert len(pictures_in(piece)) >= 60


def test_only_games_are_recorded_each_into_its_own_folder(tmp_path: Path) -> None:
    watching: list[Callable[[Frame], None]] = []
    playing = False

    def watch(each: Callable[[Frame], None]) -> Callable[[], None]:
        watching.append(each)
        return watching.clear

    def show(at_s: float) -> None:
        watching[0](Frame(np.full((48, 64, 3), 120, np.uint8), at_s, round(at_s * 30)))

    with recording(watch, lambda: playing, None, RATE_HZ) as recorder:
        show(0.0)
        for name in ("one", "two"):
            recorder.began(tmp_path / name, 0.0)
            playing = True
            show(1.0)
            playing = False
            show(2.0)
    assert watching == []
    for name in ("one", "two"):
        (piece,) = (tmp_path / name / "recording").glob("0*")
        assert len(pictures_in(piece)) == 1
