"""What the set-up page says, in each language.

The server says much of it: the check list, what is missing, what came of a search. Such a text
stays a key with its values until it is known which language is asked for. The catalogues are
`referee/locale/LANG/LC_MESSAGES/setup.po`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.announce import Language, labels


@dataclass(frozen=True, slots=True)
class Decimal:
    """A figure, with a comma where the language has one."""

    value: float
    digits: int = 0

    def text(self, language: Language) -> str:
        """The figure as it is written."""
        written = f"{self.value:.{self.digits}f}"
        return written if language == "en" else written.replace(".", ",")


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the catalogue, in no language yet."""

    key: str
    values: Mapping[str, object]

    def text(self, language: Language = "en") -> str:
        """The text with its values filled in."""
        values = {
            name: value.text(language) if isinstance(value, Decimal) else value
            for name, value in self.values.items()
        }
        return word(self.key, language).format(**values)


def said(key: str, /, **values: object) -> Said:
    """A text by its key, and what is filled in."""
    return Said(key, values)


def word(key: str, language: Language) -> str:
    """A text of the catalogue as it stands there."""
    return labels("setup", language)[key]
