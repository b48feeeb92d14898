"""Frames: times come from the recording, bad files are said in one sentence."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import Frame, Recording, SourceError, glimpses, open_recording


def video(path: Path, frames: int, rate: float, fourcc: str = "mp4v") -> Path:
    """A video whose picture gets brighter from frame to frame."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), rate, (64, 48))
    for i in range(frames):
        writer.write(np.full((48, 64, 3), 20 + 2 * i, np.uint8))
    writer.release()
    return path


def test_times_are_those_of_the_recording(tmp_path: Path) -> None:
    frames = list(Recording(video(tmp_path / "a.mp4", 20, 12.5)))
    assert [frame.index for frame in frames] == list(range(20))
    assert [frame.at_s for frame in frames] == pytest.approx(
        [i / 12.5 for i in range(20)], abs=0.01
    )


def test_size_and_length_are_known_before_the_first_frame(tmp_path: Path) -> None:
    recording = Recording(video(tmp_path / "a.mp4", 20, 10))
    assert (recording.size_px, recording.duration_s, recording.live) == ((64, 48), 2.0, False)
    recording.close()


def test_frames_that_follow_too_fast_are_not_looked_at(tmp_path: Path) -> None:
    frames = list(Recording(video(tmp_path / "a.mp4", 60, 60)))
    gaps = np.diff([frame.at_s for frame in frames])
    assert gaps.min() >= 0.039
    assert frames[-1].index >= 57  # the end is not lost


def test_a_reader_that_stops_early_leaves_no_thread_waiting(tmp_path: Path) -> None:
    for frame in Recording(video(tmp_path / "a.mp4", 80, 10)):
        if frame.index == 2:
            break
    assert frame.index == 2


def test_a_recording_looked_at_rarely_is_not_broken_off(tmp_path: Path) -> None:
    frames = list(Recording(video(tmp_path / "a.mp4", 60, 10), every_s=4.0))
    assert [frame.index for frame in frames] == [0, 40]


def test_a_file_that_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "letter.mp4"
    path.write_text("Dear referee,")
    with pytest.raises(SourceError, match=r"letter\.mp4: expected a video"):
        Recording(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="found none"):
        Recording(tmp_path / "none.mp4")


def test_a_video_that_breaks_off_gives_its_frames_and_then_says_so(tmp_path: Path) -> None:
    path = video(tmp_path / "a.avi", 80, 10, "MJPG")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    seen: list[Frame] = []
    with pytest.raises(SourceError, match="broken off"):
        for frame in Recording(path):
            seen.append(frame)  # noqa: PERF402  (extend would lose them at the error)
    assert 20 < len(seen) < 60


def test_a_folder_of_pictures_in_the_order_of_names(tmp_path: Path) -> None:
    for name, grey in (("b.png", 90), ("a.png", 30), ("notes.txt", 0)):
        if name.endswith("png"):
            cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), grey, np.uint8))
        else:
            (tmp_path / name).write_text("x")
    frames = list(open_recording(tmp_path))
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [30, 90]
    assert frames[1].at_s > frames[0].at_s


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="found none"):
        open_recording(tmp_path)


# What a phone writes into the track's header when it is held upright, and upside down: the nine
# numbers of the display matrix, 16.16 but for the last column.
UPRIGHT = (0, 1 << 16, 0, -(1 << 16), 0, 0, 48 << 16, 0, 1 << 30)
UPSIDE_DOWN = (-(1 << 16), 0, 0, 0, -(1 << 16), 0, 64 << 16, 48 << 16, 1 << 30)


def turned(path: Path, matrix: tuple[int, ...]) -> Path:
    """A video of 64 x 48 with its top left quarter bright, and this display matrix."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (64, 48))
    image = np.zeros((48, 64, 3), np.uint8)
    image[:24, :32] = 250
    for _ in range(12):
        writer.write(image)
    writer.release()
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd") + 4 + 4 + 20 + 8 + 8  # version 0: times, layer, volume before it
    assert struct.unpack(">9i", data[at : at + 36]) == (65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
    data[at : at + 36] = struct.pack(">9i", *matrix)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("matrix", "size_px", "bright"),
    [(UPRIGHT, (48, 64), (0, 1)), (UPSIDE_DOWN, (64, 48), (1, 1))],
    ids=["upright", "upside down"],
)
def test_a_phone_that_was_held_otherwise(
    tmp_path: Path, matrix: tuple[int, ...], size_px: tuple[int, int], bright: tuple[int, int]
) -> None:
    path = turned(tmp_path / "phone.mp4", matrix)
    recording = Recording(path)
    assert recording.size_px == size_px
    images = [frame.image for frame in recording] + glimpses(path, [0.5])
    for image in images:
        assert (image.shape[1], image.shape[0]) == size_px
        quarters = image.reshape(2, size_px[1] // 2, 2, size_px[0] // 2, 3).mean(axis=(1, 3, 4))
        assert np.unravel_index(quarters.argmax(), (2, 2)) == bright
