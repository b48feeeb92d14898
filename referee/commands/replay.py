"""Play a finished record again on the overlay, with its recording."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Annotated

import typer

from calibration.table import load_table
from referee.errors import RefereeError
from referee.game import CorrectionError
from referee.notation import NotationError
from referee.review import RECORD
from referee.server.playback import Playback
from referee.server.serve import HOST, PORT, bind, serving
from referee.store import read


def run(
    record: Annotated[
        Path,
        typer.Argument(
            exists=True, metavar="RECORD", help="A game.jsonl, or the folder that holds one."
        ),
    ],
    video: Annotated[
        Path | None,
        typer.Option(exists=True, metavar="FILE", help="The recording, to show its picture."),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, metavar="FILE", help="Its table.json, to mark cards in it."
        ),
    ] = None,
    speed: Annotated[
        float, typer.Option(min=0.1, max=100, help="Times the pace at which it was played.")
    ] = 1.0,
    again: Annotated[
        bool, typer.Option("--again", help="Begin anew when it has ended, until Ctrl-C.")
    ] = False,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free one.")] = PORT,
) -> None:
    """Play a record again: the overlay shows the game as it went, move by move.

    Corrections in the record are carried out, and the moves are judged anew. After the end the
    overlay stays until Ctrl-C.

    \b
    Examples:
      referee replay out
      referee replay out/game.jsonl --video game.mp4 --table table.json
      referee replay out --speed 4 --again
    """
    path = record / RECORD if record.is_dir() else record
    if not path.is_file():
        raise RefereeError(f"{record}: expected a {RECORD} in this folder, found none")
    known = None if table is None else load_table(table)
    records = read(path).records
    try:
        playback = Playback(records, video, known, speed)
    except (RefereeError, NotationError, CorrectionError) as error:
        raise RefereeError(f"{path}: {error}") from error
    stop = threading.Event()
    with serving(playback, bind(host, port)) as url, contextlib.suppress(KeyboardInterrupt):
        picture = "?video=1" if video is not None else ""
        print(f"overlay: {url}/overlay{picture}  (Ctrl-C ends it)", flush=True)
        playback.play(stop, again=again)
        stop.wait()
