"""What the commands that watch a game ask alike: who plays, and by which rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from calibration.table import Table
from referee.notation import NotationError
from referee.rules.header import Header
from referee.rules.options import GameName, OptionError, parse_option_text
from referee.session import game_of, header_for


class GameAsked(StrEnum):
    """A game, as one names it on the command line."""

    SOLOMINO = "solomino"
    SOLO = "solo"


GameOption = Annotated[
    GameAsked | None,
    typer.Option(
        "--game",
        help="The game that is played: solomino (a line of half cards) or solo (a discard pile)."
        " Default: what the table file says, else solomino.",
        show_default=False,
    ),
]


DeckOption = Annotated[
    str,
    typer.Option(
        "--deck",
        metavar="DECK",
        help="The deck that is played with, by its name or file: it is read more surely then."
        " 'referee deck list' names those that are known, 'referee deck enrol' adds yours.",
        show_default=False,
    ),
]


def asked_game(table: Table | None, game: GameAsked | None) -> GameName:
    """The game from the command line and the table file; raises `typer.BadParameter`."""
    if game is not None:
        return game.value
    try:
        return game_of(table)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from None


def player_names(players: str) -> list[str]:
    """The names of ``Ann,Ben``, without blanks around them."""
    return [name.strip() for name in players.split(",") if name.strip()]


def asked_header(
    table: Table | None, players: str, options: str, game: GameAsked | None = None
) -> Header:
    """The game's header from the command line and the table file; raises `typer.BadParameter`."""
    names = player_names(players)
    if table is None and not names:
        raise typer.BadParameter(
            "without it, name the players: --players Ann,Ben (the first sits at the bottom of"
            " the picture, the others follow clockwise)",
            param_hint="--table",
        )
    try:
        played = asked_game(table, game)
        return header_for(table, names or None, parse_option_text(options)[played], played)
    except OptionError as error:
        raise typer.BadParameter(str(error), param_hint="--options") from None
    except (NotationError, ValueError) as error:
        raise typer.BadParameter(str(error), param_hint="--players") from None
