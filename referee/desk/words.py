"""The words of the desk's page in each language, and what the rulebook says.

Catalogues lie beside those of the announcements, in a domain of their own
(`referee/locale/LANG/LC_MESSAGES/desk.po`). The rulebook is in English only; it is taken from
`docs/rulebook.md`, see `rules_in`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.announce import Announcer, labels

RULES = Path(__file__).parent / "rules.json"
"""The rulebook's paragraphs; `python -m referee.desk.words docs/rulebook.md` writes them."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the page needs to speak a language."""

    language: str
    labels: dict[str, str]
    """By key; names in braces are filled in by the page."""
    colours: dict[str, str]
    faces: dict[str, str]
    """What the faces that are no numbers do, in a word or two."""
    rules: dict[str, str]
    """The rulebook's paragraphs, by their numbers; in English."""


@cache
def words(language: str) -> Words:
    """The words of a language out of `referee.announce.LANGUAGES`."""
    texts, say = labels("desk", language), Announcer(language)
    return Words(
        language=language,
        labels={k: v for k, v in texts.items() if not k.startswith("face.")},
        colours={letter: say.colour(letter) for letter in "rygbkn"},
        faces={k.removeprefix("face."): v for k, v in texts.items() if k.startswith("face.")},
        rules=json.loads(RULES.read_text(encoding="utf-8")),
    )


def rules_in(rulebook: str) -> dict[str, str]:
    """The paragraphs of `docs/rulebook.md` by their numbers, without marks and sources.

    >>> rules_in("**2.2 Matching.** The half must *match*; else `no_match`. *M, R.*")
    {'2.2': 'Matching. The half must match; else no_match.'}
    """
    found = re.findall(
        r"^\*\*(\d+\.\d+) (.+?)(?=^\*\*\d|^## |\Z)", rulebook, re.MULTILINE | re.DOTALL
    )
    return {number: _plain(text) for number, text in found}


def _plain(text: str) -> str:
    text = " ".join(text.split())
    text = re.sub(r" \*[A-Z][^*]*\*$|(?<=\.) \*(?:Own|M|P|R|B)\b[^*]*\*$", "", text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return text.replace("**", "").replace("*", "").replace("`", "")


if __name__ == "__main__":
    import sys

    paragraphs = rules_in(Path(sys.argv[1]).read_text(encoding="utf-8"))
    RULES.write_text(json.dumps(paragraphs, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
