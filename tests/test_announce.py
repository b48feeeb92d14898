"""What the referee says, in every language it speaks."""

from __future__ import annotations

import gettext
import re
import string
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from referee.announce import LANGUAGES, LOCALE, Announcer

PLAYERS = ("Ann", "Ben", "Cem")

VIOLATIONS = (
    "no_match",
    "not_an_end",
    "not_your_turn",
    "interjection_not_identical",
    "interjection_during_call",
    "draw_owed",
    "drew_too_few",
    "drew_too_many",
    "call_not_identical",
    "no_shout",
    "drawn_card_only",
    "card_not_in_hand",
    "card_not_in_deck",
    "game_over",
    "wrong_choice",
    "unexpected",
)

EFFECTS: list[dict[str, Any]] = [
    {"effect": "skip", "player": 2},
    {"effect": "change_direction", "direction": "left"},
    {"effect": "change_direction", "direction": "right"},
    {"effect": "owe_draw", "player": 1, "count": 1},
    {"effect": "owe_draw", "player": 1, "count": 4},
    {"effect": "swap_hands", "player": 0, "target": None},
    {"effect": "swap_hands", "player": 0, "target": 2},
    {"effect": "pass_hands", "direction": None},
    {"effect": "pass_hands", "direction": "left"},
    {"effect": "pass_hands", "direction": "right"},
    {"effect": "call_for_card", "player": 1},
    {"effect": "choose_colour", "player": 1},
    {"effect": "penalty_draw", "player": 1, "count": 1},
    {"effect": "penalty_draw", "player": 1, "count": 2},
    {"effect": "win", "players": [1]},
    {"effect": "win", "players": [0, 1, 2]},
]

OBSERVATIONS: list[dict[str, Any]] = [
    {"type": "deal"},
    {"type": "state", "turn": 1},
    {"type": "end"},
    {"type": "start", "card": "r2/b8"},
    {"type": "place", "player": 0, "card": "r2/bS", "onto": "r5", "with": "r2"},
    {"type": "place", "player": 0, "card": "kW", "colour": "g"},
    {"type": "place", "player": 0, "cards": ["r7", "g7", "b7"]},
    {"type": "place", "player": None, "card": "?"},
    {"type": "take_back", "player": 0, "card": "r2/bS"},
    {"type": "draw", "player": 1, "count": 1},
    {"type": "draw", "player": 1, "count": 3},
    {"type": "choose_player", "player": 0, "target": 1},
    {"type": "choose_direction", "player": 0, "direction": "left"},
    {"type": "choose_direction", "player": 0, "direction": "right"},
    {"type": "choose_colour", "player": 0, "colour": "b"},
    {"type": "call_reveal", "card": "r8/b1"},
    {"type": "call_answer", "player": 1, "card": "b1/b7", "with": "b1"},
    {"type": "call_take", "player": 2},
    {"type": "shout", "player": 2},
    {"type": "end_turn", "player": 2},
    {"type": "hand_left", "player": 2, "count": 1},
    {"type": "hand_left", "player": 2, "cards": ["r1/r2", "?"]},
]


def ruling(**changes: Any) -> dict[str, Any]:
    """A ruling on a legal move of Ann's, after which it is Ben's turn."""
    plain = {"player": 0, "legal": True, "violations": [], "effects": [], "turn": 1}
    return {"type": "ruling", "direction": "left", "finished": False, **plain, **changes}


def catalogue(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "referee.po"


def messages(language: str) -> dict[str, tuple[str, ...]]:
    """Every message id with its text, of a plural all its texts."""
    with catalogue(language).open("rb") as file:
        entries = read_po(file)
    return {
        entry.id if isinstance(entry.id, str) else entry.id[0]: (
            (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        )
        for entry in entries
        if entry.id
    }


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_no_message_lacks_a_language() -> None:
    english = messages("en")
    for language in LANGUAGES:
        texts = messages(language)
        assert texts.keys() == english.keys()
        empty = [key for key, forms in texts.items() if not all(forms)]
        assert not empty, f"{language} says nothing for {empty}"


def test_the_names_in_braces_are_the_same_in_every_language() -> None:
    english = messages("en")
    for language in LANGUAGES[1:]:
        for key, forms in messages(language).items():
            wanted = {name.removesuffix("_f") for name in placeholders(english[key][-1])}
            found = {name.removesuffix("_f") for name in placeholders(forms[-1])}
            assert found == wanted, f"{language} {key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_the_one_that_one_reads(language: str) -> None:
    """Run 'pybabel compile -D referee -d referee/locale' after changing a .po file."""
    with catalogue(language).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for key, forms in messages(language).items():
        if len(forms) == 1:
            assert compiled.gettext(key) == forms[0]
        else:
            assert tuple(compiled.ngettext(key, f"{key}.many", n) for n in (1, 2)) == forms


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_in_the_contract_can_be_said(language: str) -> None:
    say = Announcer(language, PLAYERS)
    known = messages(language)
    spoken = [say.observation(observation) for observation in OBSERVATIONS]
    spoken += [say.effect(effect) for effect in EFFECTS]
    spoken += [say.violation(code, 2) for code in VIOLATIONS]
    spoken += say.ruling(ruling(legal=None))
    spoken += say.score({"round": 1, "totals": [4, 0, 9], "finished": True, "winners": [1]})
    for sentence in spoken:
        assert sentence is not None
        assert sentence.code in known or f"{sentence.code}.left" in known
        assert "{" not in sentence.text
        assert sentence.text[-1] in ".!?"
        assert not re.search(r"\b(move|effect|violation|label)\.", sentence.text)
        assert len(sentence.text) <= 80, f"too long to read aloud: {sentence.text}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", VIOLATIONS)
def test_a_violation_names_the_player_and_reads_like_no_other(language: str, code: str) -> None:
    say = Announcer(language, PLAYERS)
    text = say.violation(code, 2).text
    assert "Cem" in text
    others = {say.violation(other, 2).text for other in VIOLATIONS if other != code}
    assert text not in others


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_half_card_has_a_name_of_its_own(language: str) -> None:
    halves = [colour + face for colour in "rygb" for face in "0123456789SRDXPC"]
    names = {Announcer(language).half(half) for half in halves}
    assert len(names) == len(halves)
    solo = Announcer(language, game="solo")
    assert len({solo.card(card) for card in ("nP", "kW", "kF", "rD", "rX", "r5")}) == 6


@pytest.mark.parametrize(
    ("language", "spoken"),
    [
        ("en", "red 2, blue skip"),
        ("de", "Rot 2, Blau Aussetzen"),
        ("pt", "2 vermelho, salto azul"),
        ("fi", "punainen 2, sininen ohitus"),
    ],
)
def test_card_names(language: str, spoken: str) -> None:
    assert Announcer(language).card("r2/bS") == spoken


def test_portuguese_adjectives_agree_with_the_noun() -> None:
    assert Announcer("pt").half("rR") == "inversão vermelha"


def test_a_draw_is_counted() -> None:
    say = Announcer("en", PLAYERS)
    one = say.observation({"type": "draw", "player": 0, "count": 1})
    three = say.observation({"type": "draw", "player": 0, "cards": ["?", "?", "?"]})
    assert one and one.text == "Ann draws a card."
    assert three and three.text == "Ann draws 3 cards."


def test_solo_shouts_its_own_name() -> None:
    shout = Announcer("de", PLAYERS, game="solo").observation({"type": "shout", "player": 0})
    assert shout and shout.text == "Ann ruft: SOLO!"


@pytest.mark.parametrize(
    ("changes", "turn_before", "said"),
    [
        # an ordinary move: only who is next
        ({}, 0, ["Ben's turn."]),
        # a card drawn, the drawer may still play: nothing new about the turn
        ({"turn": 0}, 0, []),
        # with three players, a skip: who is skipped, then who plays
        (
            {"turn": 2, "effects": [{"effect": "skip", "player": 1}]},
            0,
            ["Ben misses a turn.", "Cem's turn."],
        ),
        # with two players a skip brings the turn back
        (
            {"turn": 0, "effects": [{"effect": "skip", "player": 1}]},
            0,
            ["Ben misses a turn.", "Ann's turn again."],
        ),
        # the fault first, then what follows all the same: the table is the truth
        (
            {"legal": False, "violations": ["no_match"]},
            0,
            ["Ann's card matches in neither colour nor symbol.", "Ben's turn."],
        ),
        # a doubt is no accusation
        ({"legal": None}, 0, ["The referee cannot tell if Ann's move was legal.", "Ben's turn."]),
        # nobody is on turn after the end
        (
            {"turn": 1, "finished": True, "effects": [{"effect": "win", "players": [0]}]},
            0,
            ["Ann wins the round!"],
        ),
    ],
)
def test_what_a_ruling_says(
    changes: dict[str, Any], turn_before: int | None, said: list[str]
) -> None:
    sentences = Announcer("en", PLAYERS).ruling(ruling(**changes), turn_before)
    assert [sentence.text for sentence in sentences] == said


def test_two_winners_share_a_sentence() -> None:
    effect = {"effect": "win", "players": [0, 1, 2]}
    assert Announcer("de", PLAYERS).effect(effect).text == "Ann, Ben und Cem gewinnen die Runde!"


def test_a_fault_of_a_newer_program_is_still_announced() -> None:
    assert Announcer("en", PLAYERS).violation("spilt_the_tea", 0).text == "Ann broke a rule."


def test_an_unknown_language_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="en, de, pt, fi, found 'xx'"):
        Announcer("xx")


def test_a_direction_that_is_none_is_left_to_the_ruling() -> None:
    odd = {"type": "choose_direction", "player": 0, "direction": "up"}
    assert Announcer("en", ("Ann", "Ben")).observation(odd) is None
