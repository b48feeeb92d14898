"""List recorded matches, and delete them with everything that belongs to them"""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from referee.errors import RefereeError
from referee.matches import GAMES, Match, delete, expired, match_in, matches

app = typer.Typer(help=f"{__doc__}.", rich_markup_mode=None, no_args_is_help=True)

Folder = Annotated[
    Path,
    typer.Option("--games", file_okay=False, metavar="FOLDER", help="Where the matches lie."),
]
Sure = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("list")
def show(games: Folder = GAMES) -> None:
    """List the matches, the newest first: name, when it ended, size, players.

    \b
    Examples:
      referee recordings list
      referee recordings list --games /media/club
    """
    found = matches(games)
    if not found:
        print(f"no matches in {games}")
        return
    for one in found:
        print(_line(one))
    free = shutil.disk_usage(games).free
    total = sum(one.size_bytes for one in found)
    print(f"{len(found)} matches, {_size(total)}; {_size(free)} free on the disk")


@app.command("delete")
def remove(
    names: Annotated[
        list[str], typer.Argument(metavar="MATCH...", help="Names, as 'list' shows them.")
    ],
    games: Folder = GAMES,
    yes: Sure = False,
) -> None:
    """Delete matches: the record, the recording, pictures of moves, the log; nothing besides.

    \b
    Example:
      referee recordings delete 2026-11-30-193000
    """
    chosen = [_named(name, games) for name in names]
    _delete(chosen, yes)


@app.command("expire")
def expire(
    days: Annotated[
        float, typer.Argument(metavar="DAYS", min=0, help="Matches that ended longer ago go.")
    ],
    games: Folder = GAMES,
    yes: Sure = False,
) -> None:
    """Delete all matches that ended more than DAYS days ago; 'live --keep-days' does so itself.

    \b
    Example:
      referee recordings expire 30 --yes
    """
    old = expired(games, days)
    if not old:
        print(f"no match in {games} ended more than {timedelta(days=days).days} days ago")
        return
    _delete(old, yes)


def _named(name: str, games: Path) -> Match:
    """The match of that name; a name is a folder's own, never a way to another place."""
    found = {one.folder.name: one for one in matches(games)}
    if name not in found:
        raise RefereeError(f"expected a match in {games}, found none called {name!r}")
    return found[name]


def _delete(chosen: list[Match], yes: bool) -> None:
    for one in chosen:
        print(_line(one))
    if not yes and not typer.confirm("Delete with everything that belongs to it?"):
        raise typer.Abort
    for one in chosen:
        if match_in(one.folder) is None:  # named twice
            continue
        left = delete(one)
        kept = f"; not ours, kept: {', '.join(path.name for path in left)}" if left else ""
        print(f"deleted {one.folder.name}{kept}")


def _line(one: Match) -> str:
    pieces = f"{one.pieces} pieces" if one.pieces else "not recorded"
    state = "being played" if one.is_running else one.ended
    return (
        f"{one.folder.name:24} {state:16} {_size(one.size_bytes):>9}  {pieces:13}"
        f" {', '.join(one.players)}"
    )


def _size(size_bytes: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size_bytes < 1000:
            return f"{size_bytes:.0f} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.1f} GB"
