"""What a person writes for a source, and what is opened for it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import Camera
from vision.camera_names import camera_number, cameras
from vision.frames import SourceError
from vision.live import open_live
from vision.played import Played


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A Linux with two webcams of one make, each with a node for its metadata, and a grabber."""
    nodes = [
        (0, "HD Pro Webcam C920", 0, "usb-046d_HD_Pro_Webcam_C920_A1-video-index0"),
        (1, "HD Pro Webcam C920", 1, "usb-046d_HD_Pro_Webcam_C920_A1-video-index1"),
        (2, "HD Pro Webcam C920", 0, "usb-046d_HD_Pro_Webcam_C920_B2-video-index0"),
        (10, "Cam Link 4K", 0, ""),
    ]
    links = tmp_path / "dev/v4l/by-id"
    links.mkdir(parents=True)
    for number, name, index, lasting in nodes:
        folder = tmp_path / f"sys/class/video4linux/video{number}"
        folder.mkdir(parents=True)
        (folder / "name").write_text(name + "\n")
        (folder / "index").write_text(f"{index}\n")
        (tmp_path / f"dev/video{number}").touch()
        if lasting:
            (links / lasting).symlink_to(f"../../video{number}")
    return tmp_path


def test_cameras_are_listed_without_their_nodes_for_metadata(system: Path) -> None:
    assert [(c.number, c.name) for c in cameras(system)] == [
        (0, "HD Pro Webcam C920"),
        (2, "HD Pro Webcam C920"),
        (10, "Cam Link 4K"),
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),  # numbers are taken at their word: no list need know them
        ("cam link", 10),
        ("C920_B2", 2),
        ("/dev/video2", 2),
        ("/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_A1-video-index0", 0),
    ],
)
def test_a_camera_by_number_name_or_device(system: Path, text: str, number: int) -> None:
    assert camera_number(text, system) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("C920", r"the name of one camera, found that of 0 \(.*A1.*\), 2 \(.*B2"),
        ("Brio", r"none of that name among 0 .*, 10 \(Cam Link 4K\)"),
        ("/dev/null", "expected a camera's device"),
    ],
)
def test_a_name_that_no_camera_has_or_several(system: Path, text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        camera_number(text, system)


def test_a_system_that_tells_no_names(tmp_path: Path) -> None:
    assert cameras(tmp_path) == []
    with pytest.raises(SourceError, match="none whose name this system would tell"):
        camera_number("C920", tmp_path)


def test_a_file_or_folder_is_played_and_a_wrong_path_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((8, 8, 3), np.uint8))
    played = open_live(str(tmp_path))
    assert isinstance(played, Played)
    played.close()
    for wrong in ("no-such-thing.mp4", "no/such/folder"):
        with pytest.raises(SourceError, match="expected a camera or a stream"):
            open_live(wrong)


def test_a_name_that_is_not_there_yet_is_waited_for() -> None:
    camera = open_live("No Such Webcam")
    assert isinstance(camera, Camera)
    try:
        assert not camera.wait(0.1)
        assert "No Such Webcam" in camera.status.text
    finally:
        camera.close()
