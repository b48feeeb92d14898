"""Frames: times come from the recording, bad files are said in one sentence."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import Camera, Frame, Recording, SourceError, open_live, open_recording


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


def test_live_hands_out_the_newest_frame_and_drops_the_rest(tmp_path: Path) -> None:
    source = Camera(str(video(tmp_path / "a.mp4", 40, 80)))
    shown = []
    for frame in source:
        shown.append(frame.index)
        time.sleep(0.05)
    assert shown[0] == 0
    assert shown == sorted(set(shown))
    assert len(shown) < 40  # a slow viewer skips, and nothing piles up


def test_no_camera_there() -> None:
    with pytest.raises(SourceError, match="expected a camera or a stream"):
        open_live("no-such-thing.mp4")
