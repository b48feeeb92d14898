"""The desk speaks four languages, and quotes the rulebook as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

from referee.desk.words import RULES, rules_in, words
from referee.server.control import FILES
from tests.catalogues import catalogue


def test_the_page_uses_no_word_that_is_not_there() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in FILES.values())
    used = set(re.findall(r"\bt\(\"(\w+)\"", source))
    used |= set(re.findall(r"(?:data-word|data-label)=\"(\w+)\"", source))
    used |= set(re.findall(r"word: \"(\w+)\"", source))
    assert len(used) > 80
    assert used <= catalogue("desk", "en").keys()


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
