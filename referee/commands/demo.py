"""Review the sample recording, then serve its overlay."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from referee.commands import review
from referee.errors import RefereeError
from referee.overlay.source import Picture, View
from referee.review import RECORD
from referee.server.serve import HOST, PORT, bind, serving
from referee.store import Record, read
from vision.facts import Image
from vision.frames import Recording

SAMPLE = Path("samples", "c1.mp4")
"""The recording, within the package `datasets`."""


class Finished:
    """A game that is over, as a source for the overlay: nothing changes any more."""

    def __init__(self, records: tuple[Record, ...], image: Image | None, at_s: float) -> None:
        """`records` are a whole `game.jsonl`, its header first."""
        self._view = View(header=records[0], log=records[1:], clock_s=at_s)
        self._picture = None if image is None else Picture(image, 0, at_s)

    def view(self) -> View:
        """The game as it ended."""
        return self._view

    def picture(self) -> Picture | None:
        """The last frame of the recording."""
        return self._picture

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Nothing will change, so there is nothing to tell."""
        del changed
        return lambda: None


def run(
    no_serve: Annotated[
        bool, typer.Option("--no-serve", help="Only review the recording, and finish.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help=f"Where to serve (default: {PORT}, or any free one)."),
    ] = None,
    out: Annotated[
        Path, typer.Option(file_okay=False, metavar="FOLDER", help="Where the record goes.")
    ] = Path("out", "demo"),
) -> None:
    """Show what the referee does, on a recording that comes with it.

    Reviews a minute of a game of three, writes its record, and serves the overlay of the game
    as it ended, until you press Ctrl-C.

    \b
    Examples:
      referee demo
      referee demo --no-serve
    """
    video = sample()
    listener = None if no_serve else _bind(port)
    review.run(video, out=out, table=video.with_suffix(".table.json"))
    record = out / RECORD
    if listener is None:
        print(f"record:  {record.resolve()}")
        print("overlay: 'referee demo' without --no-serve shows it")
        return
    with serving(_finished(video, record), listener) as url:
        print(f"record:  {record.resolve()}")
        print(f"overlay: {url}/overlay  (a transparent page for OBS; Ctrl-C ends it)", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)


def sample() -> Path:
    """The recording that comes with a clone; raises `RefereeError` where it did not."""
    spec = find_spec("datasets")
    folders = spec.submodule_search_locations if spec is not None else None
    path = Path(next(iter(folders))) / SAMPLE if folders else SAMPLE
    if not path.is_file():
        raise RefereeError(f"expected the sample recording {path}, which is part of a clone alone")
    return path


def _bind(port: int | None) -> socket.socket:
    """The port that was asked for; else the usual one, or any that is free."""
    if port is not None:
        return bind(HOST, port)
    try:
        return bind(HOST, PORT)
    except RefereeError:
        return bind(HOST, 0)


def _finished(video: Path, record: Path) -> Finished:
    last_image, last_s = None, 0.0
    for frame in Recording(video):
        last_image, last_s = frame.image, frame.at_s
    return Finished(read(record).records, last_image, last_s)
