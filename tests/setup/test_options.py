"""The page's words for the options agree with the options that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.rules.options import GameName, option_values, parse_options
from referee.server.setup_options import game_texts

GAMES = {text.name: text for text in game_texts()}


@pytest.mark.parametrize("game", ["solomino", "solo"])
def test_every_option_and_value_is_explained(game: GameName) -> None:
    told = {one.name: one for one in GAMES[game].options}
    values = option_values(game)
    assert list(told) == list(values)
    for name, option in told.items():
        assert option.title
        assert option.asks.endswith("?")
        if option.choices:
            assert [choice.value for choice in option.choices] == list(values[name])
            assert all(choice.means.endswith(".") for choice in option.choices)
        assert parse_options(game, {name: option.default})


@pytest.mark.parametrize("game", ["solomino", "solo"])
def test_each_names_the_paragraph_that_names_it(game: GameName, root: Path) -> None:
    book = (root / "docs/rulebook.md").read_text(encoding="utf-8")
    paragraphs = dict(
        re.findall(r"\*\*(\d\.\d+) .*?\*\*(.*?)(?=\n\*\*\d|\n## |\Z)", book, re.DOTALL)
    )
    for option in GAMES[game].options:
        assert f"`{option.name}`" in paragraphs[option.rule], option.name
