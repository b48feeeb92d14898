"""Judge a game as it is played, and serve its overlay meanwhile."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from calibration.table import load_table
from referee.asking import asked_header
from referee.game import Game
from referee.obs.director import directing
from referee.obs.plan import load_plan
from referee.review import RECORD
from referee.server.serve import HOST, PORT, bind, serving
from referee.session import Session
from referee.store import Store
from referee.weights import weights_folder
from vision.halves import HalfReader
from vision.live import open_live


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A camera's number (0 is the first), an address (rtsp:, http:), or a video file "
            "to be played at its own pace.",
        ),
    ],
    table: Annotated[
        Path,
        typer.Option(exists=True, dir_okay=False, metavar="FILE", help="The table's calibration."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            metavar="FOLDER",
            help="Where game.jsonl goes (default: a new folder under games, named by the time).",
        ),
    ] = None,
    options: Annotated[
        str,
        typer.Option(
            metavar="NAME=VALUE,...", help="Rules that you play by, such as interject=true."
        ),
    ] = "",
    players: Annotated[
        str, typer.Option(metavar="NAME,...", help="The players' names, clockwise from above.")
    ] = "",
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0: all, for other machines.")
    ] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free one.")] = PORT,
    delay: Annotated[
        float,
        typer.Option(min=0, max=600, metavar="SECONDS", help="Show viewers all this much later."),
    ] = 0.0,
    obs: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="Have OBS react to the game; 'referee obs plan' prints such a file.",
        ),
    ] = None,
    stay: Annotated[
        bool, typer.Option("--stay", help="Serve on after a file has ended, until Ctrl-C.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing but the addresses and failures.")
    ] = False,
) -> None:
    """Referee a game live: watch, judge, write the record, serve the overlay.

    Put the overlay's address into OBS as a browser source of 1920 x 1080. Each move is on disk
    in FOLDER/game.jsonl before viewers learn of it; a record that lies there from before is
    kept beside it under another name. Ctrl-C ends the game.

    \b
    Examples:
      referee live 0 --table table.json
      referee live rtsp://192.168.1.20:8554/table --table table.json --players Ann,Ben,Cem
      referee live game.mp4 --table table.json --out out
    """
    plan = None if obs is None else load_plan(obs)
    known = load_table(table)
    header = asked_header(known, players, options)
    with (
        contextlib.closing(bind(host, port)) as listener,
        contextlib.closing(open_live(source)) as frames,
    ):
        frames.wait(10.0)
        known = replace(known, plane=known.plane.resized(frames.size_px))
        reader = HalfReader.load(weights_folder())
        path = (out or Path("games", time.strftime("%Y-%m-%d-%H%M%S"))) / RECORD
        kept = set_aside(path)
        with Store(path, durable=True) as store:
            session = Session(known, header, reader, store)
            if not quiet:
                session.subscribe(_Teller(session))
            reacting = contextlib.nullcontext() if plan is None else directing(session, plan, delay)
            with serving(session, listener, delay) as url, reacting:
                print(f"record:  {path}")
                if kept is not None:
                    print(f"         the one from before is {kept} now")
                print(f"overlay: {url}/overlay  (a browser source for OBS)")
                print(f"picture: {url}/overlay?video=1  (Ctrl-C ends the game)", flush=True)
                with contextlib.suppress(KeyboardInterrupt):
                    session.run(frames)
                    if stay:
                        threading.Event().wait()


def set_aside(path: Path) -> Path | None:
    """Rename a record that is there already: a game that was played is never written over."""
    if not path.exists():
        return None
    written = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(path.stat().st_mtime))
    kept = path.with_name(f"{path.stem}-{written}{path.suffix}")
    path.rename(kept)
    return kept


class _Teller:
    """Prints each new ruling, so that whoever sits at the terminal sees that it works."""

    def __init__(self, session: Session) -> None:
        self._game: Game = session.game
        self._told = 0

    def __call__(self) -> None:
        moves = self._game.moves
        names = self._game.header.players
        for of in range(self._told, len(moves)):
            line = moves[of].as_dict()
            player = line.get("player")
            who = names[player] if isinstance(player, int) else "-"
            verdict = "; ".join(
                "legal"
                if ruling.legal
                else "cannot tell"
                if ruling.legal is None
                else "ILLEGAL " + ", ".join(ruling.violations)
                for ruling in self._game.rulings(of)
            )
            seconds = float(line.get("t") or 0.0)
            what = f"{line['type']} {line.get('card') or line.get('count') or ''}".strip()
            print(f"{seconds:8.1f} s  {who:12} {what:18} {verdict}", flush=True)
        self._told = len(moves)
