"""Time stamps set into a video that OpenCV wrote."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.stamps import set_stamps


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "video.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (64, 48))
    for shade in range(0, 200, 25):
        writer.write(np.full((48, 64, 3), shade, np.uint8))
    writer.release()
    return path


def stamps_s(path: Path) -> list[float]:
    capture, found = cv2.VideoCapture(str(path)), []
    while capture.grab():
        found.append(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
    return found


def test_each_frame_lasts_as_long_as_it_should(video: Path) -> None:
    lasts_s = [0.04, 0.1, 0.04, 0.04, 0.25, 0.02, 0.05, 0.05]
    set_stamps(video, lasts_s)
    wanted = np.cumsum([0.0, *lasts_s[:-1]])
    assert stamps_s(video) == pytest.approx(list(wanted), abs=0.002)


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.mp4"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="expected an MP4 file"):
        set_stamps(path, [0.1])
