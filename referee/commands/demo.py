"""Review the sample recording, then show it with its overlay."""

from __future__ import annotations

import contextlib
import socket
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from calibration.table import load_table
from referee.commands import review
from referee.errors import RefereeError
from referee.review import RECORD
from referee.server.playback import Playback
from referee.server.serve import HOST, PORT, bind, serving
from referee.store import read

SAMPLE = Path("samples", "house.mp4")
"""The recording, within the package `datasets`: a game with the deck that `deck print` makes."""
UNSEEN_SAMPLE = Path("samples", "c1.mp4")
"""The recording with cards of a look that the reader was never taught."""
SOLO_SAMPLE = Path("samples", "solo.mp4")
"""The recording of the other game."""


def run(
    solo: Annotated[
        bool, typer.Option("--solo", help="A game of SOLO instead of one of SOLOmino.")
    ] = False,
    unseen: Annotated[
        bool,
        typer.Option("--unseen", help="Cards of a look that the reader was never taught."),
    ] = False,
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

    Reviews a minute of a game of three, writes its record, and plays the game over and over
    with its overlay, until you press Ctrl-C. The cards are those of the deck that 'referee deck
    print' makes for you to cut out and play.

    \b
    Examples:
      referee demo
      referee demo --no-serve
      referee demo --unseen
      referee demo --solo
    """
    if solo and unseen:
        raise typer.BadParameter("expected one of --solo and --unseen, found both")
    video = sample(SOLO_SAMPLE if solo else UNSEEN_SAMPLE if unseen else SAMPLE)
    table = video.with_suffix(".table.json")
    # The port first: nobody should wait for a review to learn that it cannot be shown.
    listener = None if no_serve else _bind(port)
    review.run(video, out=out, table=table)
    record = out / RECORD
    print(f"record:  {record.resolve()}", flush=True)
    if listener is None:
        print("overlay: 'referee demo' without --no-serve shows it")
        return
    playback = Playback(read(record).records, video, load_table(table))
    with serving(playback, listener) as url, contextlib.suppress(KeyboardInterrupt):
        print(f"overlay: {url}/overlay?video=1  (Ctrl-C ends it)", flush=True)
        playback.play(threading.Event(), again=True)


def sample(recording: Path | None = None) -> Path:
    """A recording that comes with a clone; raises `RefereeError` where it did not."""
    recording = recording or SAMPLE
    spec = find_spec("datasets")
    folders = spec.submodule_search_locations if spec is not None else None
    path = Path(next(iter(folders))) / recording if folders else recording
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
