"""What the commands that watch a game ask alike: who plays, and by which rules."""

from __future__ import annotations

import typer

from calibration.table import Table
from referee.notation import NotationError
from referee.rules.header import Header
from referee.rules.options import OptionError, parse_option_text
from referee.session import header_for


def player_names(players: str) -> list[str]:
    """The names of ``Ann,Ben``, without blanks around them."""
    return [name.strip() for name in players.split(",") if name.strip()]


def asked_header(table: Table | None, players: str, options: str) -> Header:
    """The game's header from the command line and the table file; raises `typer.BadParameter`."""
    names = player_names(players)
    if table is None and not names:
        raise typer.BadParameter(
            "without it, name the players: --players Ann,Ben (the first sits at the bottom of"
            " the picture, the others follow clockwise)",
            param_hint="--table",
        )
    try:
        return header_for(table, names or None, parse_option_text(options)["solomino"])
    except OptionError as error:
        raise typer.BadParameter(str(error), param_hint="--options") from None
    except (NotationError, ValueError) as error:
        raise typer.BadParameter(str(error), param_hint="--players") from None
