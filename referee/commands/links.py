"""Show the links to a server that other machines reach, or make new ones."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import segno
import typer

from referee.server.links import LinksFile, Role, reachable
from referee.server.serve import PORT

MEANING = {
    Role.CONTROL: "the desk: set up, correct, see everything",
    Role.DISPLAY: "displays of the show, such as OBS on another computer: overlay and picture",
    Role.PUBLIC: "the public: the overlay alone",
}


class Which(StrEnum):
    """Which links are meant."""

    CONTROL = "control"
    DISPLAY = "display"
    PUBLIC = "public"
    ALL = "all"


def run(
    only: Annotated[
        Which, typer.Argument(metavar="[WHICH]", help="control, display, public or all.")
    ] = Which.ALL,
    rotate: Annotated[
        Which | None,
        typer.Option(
            metavar="WHICH",
            help="Make new links (control, display, public or all): the old ones stop working at "
            "once, on a running server too.",
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The server's address, such as http://table.lan:8017 (default: this machine's "
            "in the network, and the usual port).",
        ),
    ] = None,
    qr: Annotated[
        bool, typer.Option("--qr/--no-qr", help="Show each link as a code for a phone's camera.")
    ] = True,
) -> None:
    """Show the links under which a server on 0.0.0.0 is reached, each with a key of its own.

    Whoever has a link has what it opens, so send each only to whom it is for, and do not show
    this on your stream. A server on this machine alone (the usual case) asks for no key.

    \\b
    Examples:
      referee links
      referee links control
      referee links public --no-qr --address https://game.example
      referee links --rotate public
    """
    file = LinksFile()
    if rotate is not None:
        file.rotate(_roles(rotate))
        print(f"made anew: {rotate.value}; the old links have stopped working", file=sys.stderr)
    links = file.load()
    base = (address or f"http://{reachable('0.0.0.0')}:{PORT}").rstrip("/")
    for role in _roles(only):
        show(role, links.address(role, base), qr)


def show(role: Role, link: str, qr: bool) -> None:
    """Print a link, and its code if the terminal can draw it."""
    print(f"{role.name.lower()} – {MEANING[role]}\n  {link}")
    if qr and sys.stdout.isatty():
        segno.make(link, error="l").terminal(compact=True)
    print(flush=True)


def _roles(which: Which) -> tuple[Role, ...]:
    return tuple(MEANING) if which is Which.ALL else (Role[which.name],)
