"""Deck files: read back as written, refused with line and field where broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.deck import DeckError, deck_text, load_deck, parse_deck, save_deck
from calibration.deck_shelf import BUILT_IN, find_deck, shelved
from calibration.printing.house import house_decks
from referee.rules.deck import CLASSIC_SOLO

HOUSE = BUILT_IN / "house-solomino.deck.toml"
TEXT = HOUSE.read_text(encoding="utf-8")


def test_a_deck_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    for deck in house_decks():
        path = tmp_path / "some.deck.toml"
        save_deck(deck, path)
        again = load_deck(path)
        assert (again.name, again.game, again.about) == (deck.name, deck.game, deck.about)
        assert again.cards == deck.cards
        assert again.pictures == deck.pictures
        assert again.look.halves == deck.look.halves
        for face, looks in deck.look.faces.items():
            fit = float(again.look.faces[face][0].ink_map @ looks[0].ink_map)
            assert fit > 0.999
        for colour, contrast in deck.look.inks.items():
            assert np.allclose(again.look.inks[colour], contrast, atol=1e-3)


def test_the_decks_that_come_with_the_program_are_those_of_today() -> None:
    for deck in house_decks():
        kept = load_deck(BUILT_IN / f"{deck.name}.deck.toml")
        assert kept.cards == deck.cards
        for face, looks in deck.look.faces.items():
            assert float(kept.look.faces[face][0].ink_map @ looks[0].ink_map) > 0.99


def test_a_deck_file_is_small() -> None:
    assert all(one.path.stat().st_size < 300_000 for one in shelved() if not one.own)


def test_the_solo_deck_is_the_rulebooks() -> None:
    solo = load_deck(BUILT_IN / "house-solo.deck.toml")
    assert dict(solo.cards) == dict(CLASSIC_SOLO)


def test_the_solomino_deck_is_balanced() -> None:
    cards = load_deck(HOUSE).cards
    assert sum(cards.values()) == 120
    assert set(cards.values()) == {1}
    halves = [half for card in cards for half in card.split("/")]
    assert {halves.count(c + n) for c in "rygb" for n in "123456789"} == {5}
    assert {halves.count(c + f) for c in "rygb" for f in "SRD"} == {3}
    assert {halves.count(c + f) for c in "rygb" for f in "XPC"} == {2}
    assert all(a != b for a, b in (card.split("/") for card in cards))
    assert all(sum(not half[1].isdigit() for half in card.split("/")) <= 1 for card in cards)


BREAKS = [
    ('game = "solomino"', 'game = "skat"', "line 4: game: expected solomino or solo, found skat"),
    ("format = 1", "format = 2", "line 2: format: expected format 1, found 2"),
    ('"b1/b2" = 1', '"b1/q2" = 1', "line 8: cards: expected a card such as 'r2/b8', found b1/q2"),
    ('"b1/b2" = 1', '"b1/b2" = "one"', "line 8: cards.b1/b2: expected a number of copies"),
    ('"b1/b2" = 1', '"b1/b2" = ', "expected TOML, found something else: .*line 8"),
    ('face = "1"', 'face = "Q"', r"look.faces\[0\].face: expected one of 0123456789"),
    ("outward = 1.000", "outward = 7", r"look.faces\[0\].outward: expected a share"),
    ("size_px = [38, 29]", "size_px = [40, 29]", "look: expected faces of 38 x 29 pixels"),
    ('name = "house-solomino"', "", "name: expected the field 'name', found none"),
    ('r = "#d7263d"', 'r = "red"', "inks.r: expected a colour such as '#d7263d', found red"),
]


@pytest.mark.parametrize(("there", "broken", "said"), BREAKS)
def test_a_broken_deck_is_refused_with_line_and_field(there: str, broken: str, said: str) -> None:
    assert there in TEXT
    with pytest.raises(DeckError, match=said):
        parse_deck(TEXT.replace(there, broken, 1))


def test_inks_that_are_no_table_are_refused() -> None:
    text = TEXT.replace("[look]\n", "[look]\ninks = 5\n").replace("[look.inks]", "[rest]")
    with pytest.raises(DeckError, match=r"look.inks: expected a table \[look.inks\], found 5"):
        parse_deck(text)


def test_a_face_of_another_size_is_refused() -> None:
    start = TEXT.index('map = "') + 7
    short = TEXT[:start] + TEXT[start + 8 :]
    with pytest.raises(DeckError, match=r"look.faces\[0\].map: expected 1102 pixels, found 1096"):
        parse_deck(short)


def test_what_is_no_text_or_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.deck.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DeckError, match="expected UTF-8"):
        load_deck(path)
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(DeckError, match="expected at most 1000000 bytes"):
        load_deck(path)


def test_a_deck_without_looks_is_a_deck() -> None:
    deck = parse_deck('format = 1\nname = "mine"\ngame = "solo"\n[cards]\nr5 = 2\n')
    assert deck.count == 2
    assert not deck.look.faces


NAMES = st.text("abcXYZ019äßçõ漢 _-.", min_size=1, max_size=20).filter(lambda n: n[0].isalnum())
HALVES = st.builds(str.__add__, st.sampled_from("rygb"), st.sampled_from("0123456789SRDXPC"))


@given(NAMES, st.text(max_size=50), st.dictionaries(HALVES, st.integers(1, 9), min_size=1))
def test_any_deck_survives_its_file(name: str, about: str, cards: dict[str, int]) -> None:
    lines = [f'"{card}" = {n}' for card, n in cards.items()]
    text = "\n".join(["format = 1", f'name = "{name}"', 'game = "solo"', "[cards]", *lines])
    deck = parse_deck(text)
    assert deck.cards == cards
    again = parse_deck(deck_text(replace(deck, about=about)))
    assert (again.name, again.about, again.cards) == (name, about, cards)


def test_decks_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    assert find_deck("house-solo") == BUILT_IN / "house-solo.deck.toml"
    assert find_deck(str(HOUSE)) == HOUSE
    with pytest.raises(DeckError, match=r"expected the name of a deck \(.*house-solomino.*\)"):
        find_deck("nobody")
    with pytest.raises(DeckError, match="expected a deck file, found none"):
        find_deck(str(tmp_path / "gone.deck.toml"))
