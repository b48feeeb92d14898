"""The set-up page speaks four languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.announce import LANGUAGES, Language
from referee.server.setup import FILES
from referee.server.setup_options import game_texts
from referee.server.setup_words import Decimal, said
from tests.catalogues import catalogue
from tests.setup.still import Room


def test_every_word_that_is_used_is_there_and_none_besides(root: Path) -> None:
    page = "\n".join(path.read_text(encoding="utf-8") for path in FILES.values())
    server = "\n".join(
        path.read_text(encoding="utf-8") for path in (root / "referee/server").glob("setup*.py")
    )
    used = set(re.findall(r"""\bt\("([\w.]+)\"""", page))
    used |= set(re.findall(r"data-(?:word|label|alt)=\"([\w.]+)\"", page))
    used |= set(re.findall(r"""said\(\s*"([\w.]+)\"""", server))
    known = catalogue("setup", "en").keys()
    assert len(used) > 100
    assert used <= known
    # The others are named by what they stand for: `hint.table`, `check.glare.value`.
    begun = set(re.findall(r"t\(`([\w.]+)\$\{", page)) | {"option.", "check.", "note.", "light."}
    begun |= {"saved_in", "goes_to", "as_usual", "not_usual", "running_", "stands_still"}
    rest = {key for key in known - used if not key.startswith(tuple(begun))}
    assert rest == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_are_explained_in_every_language(language: Language) -> None:
    for game, english in zip(game_texts(language), game_texts(), strict=True):
        for one, other in zip(game.options, english.options, strict=True):
            assert (one.name, one.default, one.rule) == (other.name, other.default, other.rule)
            assert [c.value for c in one.choices] == [c.value for c in other.choices]
            assert one.asks.endswith("?")
            means = [choice.means for choice in one.choices]
            assert all(text.endswith(".") for text in means)
            assert len(set(means)) == len(means)


def test_figures_are_written_as_the_language_does() -> None:
    found = said("note.half_cards", count=9, mm=Decimal(1.04, 1))
    assert found.text() == "Found by 9 half cards, to 1.0 mm."
    assert found.text("de") == "An 9 Kartenhälften gefunden, auf 1,0 mm genau."


def test_the_server_answers_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.see()
    german = {"lang": "de"}
    state = room.client.get("/api/setup", params=german).json()
    assert state["problems"] == [
        "Der Tisch ist nicht eingepasst: finden lassen, oder seine Ecken ziehen."
    ]
    checks = room.client.get("/api/setup/checks", params=german).json()
    assert "Schärfe" in [one["title"] for one in checks]
    refused = room.client.post("/api/setup/read", params=german)
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "erwartet: ein eingepasster Tisch, es ist noch keiner da",
    )
    assert room.client.get("/api/setup/words", params=german).json()["start"] == "Spiel beginnen"
    assert room.client.get("/api/setup", params={"lang": "xx"}).status_code == 422
