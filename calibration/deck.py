"""A deck of cards as a file: which cards it has, and how its faces look.

`NAME.deck.toml` is TOML for people: the name, the game, each card with its number of copies,
which somebody may put right by hand; below that, for the reader, the deck's inks and a small
picture in numbers of each face (`vision.enrolled`). The format is described in `docs/deck.md`.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.enrolled import ENOUGH_LOOKS, DeckLook, FaceLook
from vision.facts import PRINT_COLOURS, PRINT_FACES
from vision.prints import MAP_PX, MAP_PX_PER_MM, unit_map

FORMAT: Final = 1
SUFFIX: Final = ".deck.toml"
GAMES: Final = ("solomino", "solo")
CARDS: Final = {"solomino": 120, "solo": 112}
"""How many cards a deck has."""
_NEARLY_ALL: Final = 0.9
LARGEST_BYTES: Final = 1_000_000
_NAME: Final = re.compile(r"[^\W_][\w .-]{0,59}")
_HALF: Final = re.compile(f"[{PRINT_COLOURS}][{PRINT_FACES}]")


class DeckError(ValueError):
    """A deck file that cannot be used: says where, what was expected and what was found."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """A deck as its file has it."""

    name: str
    game: str
    cards: Mapping[str, int]
    """Copies by card in contract notation, such as ``r2/b8`` or ``r5``."""
    look: DeckLook
    about: str = ""
    """A sentence for people."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """A small JPEG of some halves, for people."""
    inks: Mapping[str, str] = field(default_factory=dict)
    """Each colour as ``#rrggbb``, as it looked when the deck was enrolled; for people."""

    @property
    def count(self) -> int:
        """How many cards it has."""
        return sum(self.cards.values())


def check_name(name: str) -> None:
    """Whether a deck may be called so, and its file after it; raises `DeckError` if not."""
    if not _NAME.fullmatch(name):
        raise DeckError(
            f"expected a letter or digit, then letters, digits, blanks, - _ . (60 at most),"
            f" found {name[:80]!r}"
        )


def load_deck(path: Path) -> Deck:
    """Read and check a deck file; raises `DeckError`, or `OSError` where there is none."""
    size = path.stat().st_size
    if size > LARGEST_BYTES:
        raise DeckError(f"{path}: expected at most {LARGEST_BYTES} bytes, found {size}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeckError(f"{path}: expected UTF-8, found byte {error.start} is none") from None
    try:
        return parse_deck(text)
    except DeckError as error:
        raise DeckError(f"{path}: {error}") from None


def save_deck(deck: Deck, path: Path) -> None:
    """Write a deck file that `load_deck` reads back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(deck_text(deck), encoding="utf-8")


def parse_deck(text: str) -> Deck:
    """The deck that a file's text describes; raises `DeckError` with line and field."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DeckError(f"expected TOML, found something else: {error}") from None
    return _Parser(text, data).deck()


def deck_text(deck: Deck) -> str:
    """The text of a deck's file."""
    lines = [
        f"# A deck of {deck.count} cards for the table referee: docs/deck.md tells what is what.",
        f"format = {FORMAT}",
        f"name = {_quoted(deck.name)}",
        f"game = {_quoted(deck.game)}",
        f"about = {_quoted(deck.about)}",
        "",
        "[cards]  # how many of each; put it right by hand where it is wrong",
        *(f"{_quoted(card)} = {deck.cards[card]}" for card in sorted(deck.cards)),
        "",
        "[inks]  # what the colours looked like",
        *(f"{colour} = {_quoted(deck.inks[colour])}" for colour in sorted(deck.inks)),
        "",
        "# All that follows is for the reader, not for people.",
        "[look]",
        f"size_px = {list(MAP_PX)}",
        f"px_per_mm = {MAP_PX_PER_MM}",
        "",
        "[look.inks]  # how each ink stands out, blue-green-red",
        *(
            f"{colour} = [{', '.join(f'{float(v):.4f}' for v in deck.look.inks[colour])}]"
            for colour in sorted(deck.look.inks)
        ),
    ]
    for face in sorted(deck.look.faces):
        for look in deck.look.faces[face]:
            lines += [
                "",
                "[[look.faces]]",
                f"face = {_quoted(face)}",
                f"outward = {look.outward:.3f}",
                f"looks = {look.looks}",
                f"map = {_quoted(_packed(look))}",
            ]
    if deck.pictures:
        lines += ["", "[pictures]  # JPEG in base64"]
        lines += [
            f"{half} = {_quoted(base64.b64encode(deck.pictures[half]).decode())}"
            for half in sorted(deck.pictures)
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text as TOML has it: as JSON has it, but for one sign and without halves of letters."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _packed(look: FaceLook) -> str:
    """An ink map in whole numbers of -127...127, as base64."""
    top = max(float(np.abs(look.ink_map).max()), 1e-6)
    levels = np.round(look.ink_map / top * 127).astype(np.int8)
    return base64.b64encode(levels.tobytes()).decode()


class _Parser:
    """Checks a parsed file field by field; knows the text, to name the line of a fault."""

    def __init__(self, text: str, data: Mapping[str, Any]) -> None:
        self._lines = text.splitlines()
        self._data = data

    def deck(self) -> Deck:
        version = self._need(self._data, "format", "")
        if version != FORMAT:
            raise self._fault("format", f"format {FORMAT}", version, "format")
        name = self._text(self._data, "name", "")
        try:
            check_name(name)
        except DeckError as error:
            raise self._error("name", str(error), "name") from None
        game = self._text(self._data, "game", "")
        if game not in GAMES:
            raise self._fault("game", " or ".join(GAMES), game, "game")
        cards = {card: self._copies(card, game, n) for card, n in self._table("cards").items()}
        if not sum(cards.values()):
            raise self._fault("cards", "at least one card", "none", "[cards]")
        return Deck(
            name=name,
            game=game,
            cards=cards,
            look=self._look(cards, game),
            about=self._text(self._data, "about", "") if "about" in self._data else "",
            pictures={half: self._picture(half, v) for half, v in self._table("pictures").items()},
            inks={colour: self._ink(colour, v) for colour, v in self._table("inks").items()},
        )

    def _copies(self, card: str, game: str, count: object) -> int:
        halves = card.split("/")
        wanted = 2 if game == "solomino" else 1
        if len(halves) != wanted or not all(_HALF.fullmatch(half) for half in halves):
            raise self._fault("cards", f"a card such as {_EXAMPLE[game]}", card, f'"{card}"')
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= 999:
            raise self._fault(f"cards.{card}", "a number of copies", count, f'"{card}"')
        return count

    def _look(self, cards: Mapping[str, int], game: str) -> DeckLook:
        look = self._table("look")
        if not look:
            return DeckLook({}, {}, halves_of(cards, game))
        size, scale = look.get("size_px"), look.get("px_per_mm")
        if size != list(MAP_PX) or scale != MAP_PX_PER_MM:
            raise self._fault(
                "look",
                f"faces of {MAP_PX[0]} x {MAP_PX[1]} pixels at {MAP_PX_PER_MM} px/mm",
                f"{size} at {scale}; enrol the deck again with this version",
                "size_px",
            )
        faces: dict[str, tuple[FaceLook, ...]] = {}
        given = look.get("faces", [])
        if not isinstance(given, list):
            raise self._fault("look.faces", "[[look.faces]] tables", given, "faces")
        for i, one in enumerate(given):
            letter = self._text(one, "face", f"look.faces[{i}].")
            if len(letter) != 1 or letter not in PRINT_FACES:
                raise self._fault(f"look.faces[{i}].face", f"one of {PRINT_FACES}", letter, "face")
            faces[letter] = (*faces.get(letter, ()), self._face(one, i))
        inks = look.get("inks", {})
        if not isinstance(inks, dict):
            raise self._fault("look.inks", "a table [look.inks]", inks, "inks")
        return DeckLook(
            faces, {c: self._contrast(c, v) for c, v in inks.items()}, halves_of(cards, game)
        )

    def _face(self, one: Mapping[str, Any], i: int) -> FaceLook:
        where = f"look.faces[{i}]"
        packed = self._text(one, "map", f"{where}.")
        raw = self._decoded(f"{where}.map", packed)
        if len(raw) != MAP_PX[0] * MAP_PX[1]:
            found = f"{len(raw)} of them"
            raise self._fault(f"{where}.map", f"{MAP_PX[0] * MAP_PX[1]} pixels", found, packed[:40])
        outward = one.get("outward", 0.5)
        if not isinstance(outward, int | float) or not 0 <= outward <= 1:
            raise self._fault(f"{where}.outward", "a share, 0 to 1", outward, "outward")
        looks = one.get("looks", ENOUGH_LOOKS)
        if not isinstance(looks, int) or looks < 1:
            raise self._fault(f"{where}.looks", "a number of looks", looks, "looks")
        return FaceLook(
            unit_map(np.frombuffer(raw, np.int8).astype(np.float32)), float(outward), looks
        )

    def _contrast(self, colour: str, value: object) -> Any:
        numbers = value if isinstance(value, list) else []
        fine = len(numbers) == 3 and all(isinstance(v, int | float) for v in numbers)
        length = float(np.linalg.norm(numbers)) if fine else 0.0
        if colour not in PRINT_COLOURS or not 0.5 < length < 2.0:
            raise self._fault(f"look.inks.{colour}", "three numbers of length 1", value, colour)
        return np.asarray(numbers, np.float32) / np.float32(length)

    def _picture(self, half: str, value: object) -> bytes:
        if not _HALF.fullmatch(half) or not isinstance(value, str):
            raise self._fault(f"pictures.{half}", "a half and its JPEG in base64", value, half)
        return self._decoded(f"pictures.{half}", value)

    def _ink(self, colour: str, value: object) -> str:
        if colour not in PRINT_COLOURS or not re.fullmatch("#[0-9a-fA-F]{6}", str(value)):
            raise self._fault(f"inks.{colour}", "a colour such as '#d7263d'", value, colour)
        return str(value)

    def _decoded(self, where: str, packed: str) -> bytes:
        try:
            return base64.b64decode(packed, validate=True)
        except binascii.Error as error:
            raise self._fault(where, "base64", str(error), packed[:40]) from None

    def _table(self, key: str) -> Mapping[str, Any]:
        value = self._data.get(key, {})
        if not isinstance(value, dict):
            raise self._fault(key, f"a table [{key}]", value, key)
        return value

    def _need(self, table: Any, key: str, inside: str) -> Any:
        if not isinstance(table, dict) or key not in table:
            raise DeckError(f"{inside}{key}: expected the field {key!r}, found none")
        return table[key]

    def _text(self, table: Any, key: str, inside: str) -> str:
        value = self._need(table, key, inside)
        if not isinstance(value, str):
            raise self._fault(f"{inside}{key}", "a text", value, key)
        return value

    def _fault(self, where: str, expected: str, found: object, near: str) -> DeckError:
        """What was expected of a field and what was found there."""
        shown = found if isinstance(found, str) else repr(found)
        return self._error(where, f"expected {expected}, found {shown[:80]}", near)

    def _error(self, where: str, said: str, near: str) -> DeckError:
        """The error for a field; ``near`` is how its line begins, or something in it."""
        starts = (i for i, line in enumerate(self._lines, 1) if line.lstrip().startswith(near))
        holds = (i for i, line in enumerate(self._lines, 1) if near in line)
        line = next(starts, next(holds, None))
        at = "" if line is None else f"line {line}: "
        return DeckError(f"{at}{where}: {said}")


_EXAMPLE: Final = {"solomino": "'r2/b8'", "solo": "'r5'"}


def halves_of(cards: Mapping[str, int], game: str) -> frozenset[str]:
    """The halves that the cards bear; none where so few are known that others may well exist."""
    if sum(cards.values()) < _NEARLY_ALL * CARDS[game]:
        return frozenset()
    return frozenset(half for card, count in cards.items() if count for half in card.split("/"))
