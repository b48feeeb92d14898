"""The pages for operators speak four languages: all of them wholly, and as compiled."""

from __future__ import annotations

import re

import pytest
from babel.messages.mofile import read_mo

from referee.announce import LANGUAGES, LOCALE
from tests.catalogues import catalogue

pytestmark = [
    pytest.mark.parametrize("domain", ["desk", "setup"]),
    pytest.mark.parametrize("language", LANGUAGES),
]


def test_every_language_says_everything(domain: str, language: str) -> None:
    english, other = catalogue(domain, "en"), catalogue(domain, language)
    assert other.keys() == english.keys()
    for key, text in other.items():
        assert text, key
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", english[key])), key


def test_catalogues_are_compiled(domain: str, language: str) -> None:
    with (LOCALE / language / "LC_MESSAGES" / f"{domain}.mo").open("rb") as file:
        compiled = {str(m.id): str(m.string) for m in read_mo(file) if m.id}
    assert compiled == catalogue(domain, language)
