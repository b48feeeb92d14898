"""A recording played as if it were live."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.sources.fakes import until
from vision.frames import SourceError
from vision.played import Played


def video(path: Path, frames: int, rate: float, fourcc: str = "mp4v") -> Path:
    """A video whose picture gets brighter from frame to frame."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), rate, (64, 48))
    for i in range(frames):
        writer.write(np.full((48, 64, 3), 20 + 4 * (i % 50), np.uint8))
    writer.release()
    return path


def test_it_goes_at_its_own_pace_and_ends(tmp_path: Path) -> None:
    began_s = time.monotonic()
    frames = list(Played(video(tmp_path / "a.mp4", 10, 20)))
    assert 0.4 <= time.monotonic() - began_s < 2.0
    assert frames[-1].at_s == pytest.approx(0.45, abs=0.01)
    assert frames[-1].index == 9  # the last picture is never lost


def test_it_may_go_faster_while_its_clock_stays(tmp_path: Path) -> None:
    began_s = time.monotonic()
    frames = list(Played(video(tmp_path / "a.mp4", 40, 10), speed=10.0))
    assert 0.35 <= time.monotonic() - began_s < 3.0
    assert frames[-1].at_s == pytest.approx(3.9, abs=0.01)


def test_who_looks_too_slowly_skips(tmp_path: Path) -> None:
    played = Played(video(tmp_path / "a.mp4", 40, 80))
    shown = []
    for frame in played:
        shown.append(frame.index)
        time.sleep(0.05)
    assert shown == sorted(set(shown))
    assert len(shown) < 40
    assert played.status.dropped == 40 - len(shown)


def test_with_loop_the_clock_goes_on_past_the_end(tmp_path: Path) -> None:
    played = Played(video(tmp_path / "a.mp4", 4, 40))
    played.at_end = "again"
    frames = []
    for frame in played:
        frames.append(frame)
        if frame.index >= 6:
            break
    played.close()
    times = [frame.at_s for frame in frames]
    assert times == sorted(times)
    greys = [int(frame.image.mean()) for frame in frames]
    assert min(greys[1:]) < greys[0] + 8  # it began anew


def test_after_rewinding_nothing_of_before_is_handed_out(tmp_path: Path) -> None:
    played = Played(video(tmp_path / "a.mp4", 30, 30))
    frames = iter(played)
    before = [next(frames) for _ in range(8)][-1]
    time.sleep(0.1)  # one more lies ready meanwhile
    from_s = played.rewind()
    after = next(frames)
    played.close()
    assert before.at_s < from_s <= after.at_s
    assert before.image.mean() > after.image.mean() + 12


def test_at_its_end_it_may_wait_to_be_rewound(tmp_path: Path) -> None:
    played = Played(video(tmp_path / "a.mp4", 3, 30))
    played.at_end = "wait"
    frames = iter(played)
    assert [next(frames).index for _ in range(3)] == [0, 1, 2]
    assert until(lambda: played.status.state == "gone")
    assert "has ended" in played.status.text
    assert played.rewind() > 0.0
    assert next(frames).index == 3
    assert played.status.state == "ok"
    played.close()
    assert list(frames) == []


def test_a_folder_of_pictures(tmp_path: Path) -> None:
    for i in range(3):
        cv2.imwrite(str(tmp_path / f"{i}.png"), np.full((8, 8, 3), 50 * i, np.uint8))
    assert [int(frame.image.mean()) for frame in Played(tmp_path)] == [0, 50, 100]


def test_a_file_that_breaks_off_says_so(tmp_path: Path) -> None:
    path = video(tmp_path / "a.avi", 60, 20, "MJPG")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(SourceError, match="broken off"):
        list(Played(path))


def test_it_begins_anew_wherever_it_is_asked_to(tmp_path: Path) -> None:
    """A game that was broken off goes on where its recording was."""
    played = Played(video(tmp_path / "a.mp4", 30, 30))
    frames = iter(played)
    began_s = time.monotonic()
    from_s = played.rewind(0.5)
    after = next(frames)
    assert after.at_s == from_s
    grey = after.image.mean()
    played.rewind(0.0)
    assert grey > next(frames).image.mean() + 12
    assert time.monotonic() - began_s < 5
    played.close()
