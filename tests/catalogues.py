"""The catalogues of texts, as their sources have them."""

from __future__ import annotations

from babel.messages.pofile import read_po

from referee.announce import LOCALE


def catalogue(domain: str, language: str) -> dict[str, str]:
    """The texts of a page (``desk``, ``setup``) by their keys."""
    with (LOCALE / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return {str(m.id): str(m.string) for m in read_po(file) if m.id}
