"""Set up OBS by itself, and have it react to the game."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import platformdirs
import typer

from referee.commands.overlay_page import write_page
from referee.errors import RefereeError
from referee.obs.client import ADDRESS, Obs, ObsPasswordError
from referee.obs.plan import PASSWORD_VARIABLE, example
from referee.obs.setup import SCENE, Finding, check, install
from referee.server.serve import HOST, PORT

app = typer.Typer(
    help="""Set up OBS by itself, and have it react to the game.

    OBS is reached through obs-websocket, which it brings: Tools, WebSocket Server Settings, tick
    'Enable WebSocket server'. The password stands under 'Show Connect Info'.

    \b
    Examples:
      referee obs install                  scene, camera picture and overlay, in one go
      referee obs check                    what works and what does not
      referee obs plan > obs.toml          chapters, replays and scenes on events
      referee live 0 --table table.json --obs obs.toml
    """,
    rich_markup_mode=None,
    no_args_is_help=True,
)

Address = Annotated[str, typer.Option(metavar="HOST:PORT", help="Where OBS listens.")]
Password = Annotated[
    str,
    typer.Option(
        envvar=PASSWORD_VARIABLE,
        help="OBS's password; better in the environment, or typed when it is asked for.",
    ),
]
Scene = Annotated[str, typer.Option(metavar="NAME", help="The scene's name.")]


@app.command(name="install")
def install_command(
    address: Address = ADDRESS,
    password: Password = "",
    url: Annotated[
        str, typer.Option(metavar="URL", help="Where the referee serves.")
    ] = f"http://{HOST}:{PORT}",
    overlay: Annotated[
        str,
        typer.Option(
            metavar="PARAMETERS",
            help="The overlay's parameters, such as 'lang=de&theme=light'; see docs/overlay.md.",
        ),
    ] = "",
    scene: Scene = SCENE,
    page: Annotated[
        bool,
        typer.Option(
            "--page/--no-page",
            help="Give OBS a local page that waits for the referee, or its bare address (for an "
            "OBS that may not read your files, such as Flatpak's).",
        ),
    ] = True,
) -> None:
    """Create a scene with the camera's picture and the overlay; doing it twice changes nothing.

    What you move, resize or filter in OBS afterwards stays as it is. The picture is the
    referee's own (a camera serves only one program), and comes back by itself after a pause.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise typer.BadParameter(f"expected an address with http://, found {url!r}")
    base = url.rstrip("/")
    shown = f"{base}/overlay" + (f"?{overlay.lstrip('?')}" if overlay else "")
    local: Path | None = None
    if page and urlsplit(f"//{address}").hostname in ("127.0.0.1", "localhost", "::1"):
        local = platformdirs.user_data_path("table-referee") / "overlay.html"
        write_page(shown, local)
    with _connected(address, password) as obs:
        found = install(obs, video=f"{base}/video?marked=0", overlay=shown, page=local, scene=scene)
    _print(found)
    if not all(one.ok for one in found):
        raise RefereeError("not everything could be set up; the lines above say why")


@app.command(name="check")
def check_command(
    address: Address = ADDRESS, password: Password = "", scene: Scene = SCENE
) -> None:
    """Say what works and what does not: OBS, its scene, picture, overlay, replays, chapters.

    Exit code 1 where something that the show needs is missing.
    """
    with _connected(address, password) as obs:
        found = list(check(obs, scene))
    _print(found)
    if not all(one.ok for one in found):
        raise RefereeError("something is missing; the lines above say what to do about it")


@app.command(name="plan")
def plan_command() -> None:
    """Print a plan to start from: which event sets a chapter, saves a replay, switches a scene.

    \b
    Example:
      referee obs plan > obs.toml
    """
    print(example(), end="")


def _connected(address: str, password: str) -> Obs:
    """A connection; asks for the password where one is wanted and somebody is there to type."""
    try:
        return Obs(address, password)
    except ObsPasswordError:
        if password or not sys.stdin.isatty():
            raise
    return Obs(address, typer.prompt("OBS's password", hide_input=True, err=True))


def _print(found: Iterable[Finding]) -> None:
    tick, cross = ("✓", "✗") if _speaks_unicode() else ("ok", "--")
    for one in found:
        print(f"{tick if one.ok else cross} {one.what}" + (f": {one.advice}" if one.advice else ""))


def _speaks_unicode() -> bool:
    return os.name != "nt" or "utf" in (sys.stdout.encoding or "").lower()
