"""The examples in the docstrings of rules, notation, log and simulator do what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = [
    "referee.rules.cards",
    "referee.rules.deck",
    "referee.rules.header",
    "referee.rules.judge",
    "referee.rules.legal",
    "referee.rules.options",
    "referee.notation",
    "referee.game",
    "datasets.games",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
