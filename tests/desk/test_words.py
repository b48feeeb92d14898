"""The desk speaks four languages, and quotes the rulebook as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from referee.announce import LANGUAGES, LOCALE
from referee.desk.words import RULES, rules_in, words
from referee.server.control import FILES


def catalogue(language: str) -> dict[str, str]:
    with (LOCALE / language / "LC_MESSAGES" / "desk.po").open("rb") as file:
        return {str(m.id): str(m.string) for m in read_po(file) if m.id}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert other.keys() == english.keys()
    for key, text in other.items():
        assert text, key
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", english[key])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_compiled(language: str) -> None:
    with (LOCALE / language / "LC_MESSAGES" / "desk.mo").open("rb") as file:
        compiled = {str(m.id): str(m.string) for m in read_mo(file) if m.id}
    assert compiled == catalogue(language)


def test_the_page_uses_no_word_that_is_not_there() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in FILES.values())
    used = set(re.findall(r"\bt\(\"(\w+)\"", source))
    used |= set(re.findall(r"(?:data-word|data-label)=\"(\w+)\"", source))
    used |= set(re.findall(r"word: \"(\w+)\"", source))
    assert len(used) > 80
    assert used <= catalogue("en").keys()


def test_the_rulebook_is_quoted_as_it_stands(root: Path) -> None:
    paragraphs = rules_in((root / "docs" / "rulebook.md").read_text(encoding="utf-8"))
    assert json.loads(RULES.read_text(encoding="utf-8")) == paragraphs
    assert paragraphs["2.2"].startswith("Matching. The covering half must show")
    assert words("de").rules == paragraphs


def test_words_of_a_language() -> None:
    german = words("de")
    assert german.labels["undo"] == "Rückgängig"
    assert german.colours["r"] == "Rot"
    assert german.faces["S"] == "Aussetzen"
