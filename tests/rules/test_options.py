"""The options of both games: what is written of them reads back as the same options."""

from __future__ import annotations

from typing import get_args

import pytest

from referee.rules.options import GameName, option_values, options_as_dict, parse_options

EVERY = [
    (game, name, value)
    for game in get_args(GameName)
    for name, values in option_values(game).items()
    if name != "length"
    for value in values
]


@pytest.mark.parametrize(("game", "name", "value"), EVERY)
def test_every_value_is_written_as_it_is_read(game: GameName, name: str, value: object) -> None:
    options = parse_options(game, {name: value})
    written = options_as_dict(options)
    assert written[name] == value
    assert parse_options(game, written) == options


@pytest.mark.parametrize("length", [{"rounds": 1}, {"rounds": 4}, {"points": 250}])
@pytest.mark.parametrize("game", get_args(GameName))
def test_so_is_every_length(game: GameName, length: dict[str, int]) -> None:
    options = parse_options(game, {"length": length})
    assert options_as_dict(options)["length"] == length
    assert parse_options(game, options_as_dict(options)) == options
