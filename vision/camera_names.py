"""Cameras by name: a number may change each time that a camera is plugged in, a name does not.

Linux tells the names in its file system; elsewhere OpenCV has no names to offer, and cameras
go by their number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.frames import SourceError

SYSTEM: Final = Path("/")
_NUMBER: Final = re.compile(r"video(\d+)$")


@dataclass(frozen=True, slots=True)
class NamedCamera:
    """A camera that this machine has."""

    number: int
    name: str
    """As its maker has it, such as ``HD Pro Webcam C920``."""
    lasting: str = ""
    """The system's name for it, with the serial number if it has one: tells two alike apart."""

    def answers_to(self, text: str) -> bool:
        """Whether a text is a part of one of its names, no matter the case."""
        wanted = text.casefold()
        return wanted in self.name.casefold() or wanted in self.lasting.casefold()


def cameras(system: Path = SYSTEM) -> list[NamedCamera]:
    """The cameras of this machine by number; empty where the system tells no names."""
    lasting = _lasting_names(system / "dev/v4l/by-id")
    found: list[NamedCamera] = []
    for folder in (system / "sys/class/video4linux").glob("video*"):
        number = _NUMBER.search(folder.name)
        # A webcam has a second node for its metadata; only the first gives pictures.
        if number is not None and _text(folder / "index") in ("", "0"):
            n = int(number[1])
            found.append(NamedCamera(n, _text(folder / "name"), lasting.get(n, "")))
    return sorted(found, key=lambda camera: camera.number)


def camera_number(text: str, system: Path = SYSTEM) -> int:
    """The number of the camera that a text means: a number, a device, a part of a name.

    Raises `SourceError` for a name that no camera has, or several.
    """
    if text.isdigit():
        return int(text)
    if text.startswith("/dev/"):
        number = _NUMBER.search((system / text[1:]).resolve().name)
        if number is None:
            raise SourceError(f"{text}: expected a camera's device, found none")
        return int(number[1])
    known = cameras(system)
    exact = [camera for camera in known if text in (camera.name, camera.lasting)]
    matching = exact or [camera for camera in known if camera.answers_to(text)]
    if len(matching) == 1:
        return matching[0].number
    here = ", ".join(f"{c.number} ({c.lasting or c.name})" for c in matching or known)
    if matching:
        raise SourceError(f"{text}: expected the name of one camera, found that of {here}")
    if known:
        raise SourceError(f"{text}: expected a camera, found none of that name among {here}")
    raise SourceError(f"{text}: expected a camera, found none whose name this system would tell")


def _lasting_names(folder: Path) -> dict[int, str]:
    names: dict[int, str] = {}
    if folder.is_dir():
        for link in sorted(folder.iterdir()):
            number = _NUMBER.search(link.resolve().name)
            if number is not None:
                names.setdefault(int(number[1]), link.name)
    return names


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""
