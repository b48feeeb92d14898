"""Cards of both games as values: colour, face, half, card; each has a text and a parser.

Unknown is a value: ``?`` stands in place of a colour, a face, a half or a card, and a
comparison that it decides answers ``None``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class CardError(ValueError):
    """A text that names no card, half, colour or face; says what was expected and found."""


class Colour(StrEnum):
    """What a half is printed in; black and grey are SOLO's cards without a colour."""

    RED = "r"
    YELLOW = "y"
    GREEN = "g"
    BLUE = "b"
    BLACK = "k"
    GREY = "n"
    UNKNOWN = "?"


class Face(StrEnum):
    """A number or an action symbol."""

    N0 = "0"
    N1 = "1"
    N2 = "2"
    N3 = "3"
    N4 = "4"
    N5 = "5"
    N6 = "6"
    N7 = "7"
    N8 = "8"
    N9 = "9"
    SKIP = "S"
    REVERSE = "R"
    DRAW = "D"
    SWAP = "X"
    PASS = "P"
    CALL = "C"
    WILD = "W"
    WILD_FOUR = "F"
    UNKNOWN = "?"


PLAYABLE_COLOURS = (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE)
"""The four colours that a card can match by and that a wild can call."""

NUMBERS = frozenset(Face(digit) for digit in "0123456789")
SOLOMINO_FACES = frozenset(face for face in Face if face not in (Face.WILD, Face.WILD_FOUR))
SOLO_FACES = frozenset(face for face in Face if face is not Face.CALL)
SOLOMINO_ACTIONS = frozenset(Face(letter) for letter in "SRDXPC")
SOLO_FREE = frozenset((Face.WILD, Face.WILD_FOUR, Face.PASS))
"""SOLO's faces that fit on anything: wild, wild plus four, rotation."""

_COLOURS = {str(colour): colour for colour in Colour}
_FACES = {str(face): face for face in Face}


class Half(NamedTuple):
    """A colour and a face: half a SOLOmino card, or a whole SOLO card's print.

    >>> Half.parse("r2")
    Half(r2)
    >>> str(Half.parse("?")), str(Half.parse("b?"))
    ('?', 'b?')
    """

    colour: Colour
    face: Face

    @staticmethod
    def parse(text: str) -> Half:
        """Read ``r2``, ``r?``, ``?2`` or ``?``; raises `CardError`."""
        return _parse_half(text)

    @property
    def known(self) -> bool:
        """Whether both the colour and the face were read."""
        return self.colour is not Colour.UNKNOWN and self.face is not Face.UNKNOWN

    def __str__(self) -> str:
        return "?" if self == UNREAD else f"{self.colour}{self.face}"

    def __repr__(self) -> str:
        return f"Half({self})"


UNREAD = Half(Colour.UNKNOWN, Face.UNKNOWN)
"""A half of which nothing was read."""


@lru_cache(maxsize=1024)
def _parse_half(text: str) -> Half:
    if text == "?":
        return UNREAD
    if len(text) == 2 and text[0] in _COLOURS and text[1] in _FACES:
        return Half(_COLOURS[text[0]], _FACES[text[1]])
    raise CardError(f"expected a half card such as 'r2', 'bS' or '?', found {text!r}")


@dataclass(frozen=True, slots=True)
class Card:
    """A card: two halves in SOLOmino, one print in SOLO.

    Cards are equal whichever half is named first; the order written is kept.

    >>> parse_card("r2/b8") == parse_card("b8/r2")
    True
    >>> str(parse_card("r2/b8")), str(parse_card("kW")), str(parse_card("?"))
    ('r2/b8', 'kW', '?')
    """

    halves: tuple[Half, ...] = field(compare=False)
    """Two halves in the order written, or one."""
    key: str = field(init=False, repr=False)
    """The text that equal cards share."""
    actions: tuple[Face, ...] = field(init=False, repr=False, compare=False)
    """The faces that are no numbers, in the order of `halves`."""
    known: bool = field(init=False, repr=False, compare=False)
    """Whether every half was read in full."""

    def __post_init__(self) -> None:
        if len(self.halves) not in (1, 2):
            raise CardError(f"expected one or two halves, found {len(self.halves)}")
        object.__setattr__(self, "key", _text(tuple(sorted(self.halves))))
        object.__setattr__(self, "known", all(half.known for half in self.halves))
        actions = (h.face for h in self.halves if h.face not in NUMBERS)
        object.__setattr__(self, "actions", tuple(f for f in actions if f is not Face.UNKNOWN))

    @property
    def face(self) -> Face:
        """The face of a SOLO card (of a SOLOmino card: of the half named first)."""
        return self.halves[0].face

    @property
    def colour(self) -> Colour:
        """The colour of a SOLO card (of a SOLOmino card: of the half named first)."""
        return self.halves[0].colour

    def could_be(self, other: Card) -> bool:
        """Whether the two readings may show the same card.

        >>> parse_card("r2/?").could_be(parse_card("b8/r2"))
        True
        """
        if self.key == other.key or UNREAD_CARD.key in (self.key, other.key):
            return True
        if len(self.halves) != len(other.halves):
            return False
        mine = self.halves
        return any(
            all(identical(a, b) is not False for a, b in zip(mine, theirs, strict=True))
            for theirs in (other.halves, other.halves[::-1])
        )

    def __str__(self) -> str:
        return _text(self.halves)


def _text(halves: tuple[Half, ...]) -> str:
    return "/".join(str(half) for half in halves)


UNREAD_CARD = Card((UNREAD,))
"""A card of which nothing is known."""


@lru_cache(maxsize=65536)
def parse_card(text: str) -> Card:
    """Read ``r2/b8`` (SOLOmino), ``kW`` (SOLO) or ``?``; raises `CardError`."""
    if text == "?":
        return UNREAD_CARD
    parts = text.split("/")
    if len(parts) > 2:
        raise CardError(f"expected a card such as 'r2/b8', 'kW' or '?', found {text!r}")
    try:
        return Card(tuple(_parse_half(part) for part in parts))
    except CardError:
        raise CardError(f"expected a card such as 'r2/b8', 'kW' or '?', found {text!r}") from None


def matches(cover: Half, end: Half) -> bool | None:
    """Whether a half may cover another: the same colour, or the same number or symbol.

    ``None`` where an unread colour or face decides.

    >>> matches(Half.parse("r2"), Half.parse("b2")), matches(Half.parse("r2"), Half.parse("b5"))
    (True, False)
    >>> matches(Half.parse("r?"), Half.parse("b5")) is None
    True
    """
    if cover.colour is end.colour and cover.colour is not Colour.UNKNOWN:
        return True
    if cover.face is end.face and cover.face is not Face.UNKNOWN:
        return True
    return False if cover.known and end.known else _open(cover, end)


def _open(cover: Half, end: Half) -> bool | None:
    """`matches` for halves that share nothing known: can an unread part still agree?"""
    colour_open = Colour.UNKNOWN in (cover.colour, end.colour)
    face_open = Face.UNKNOWN in (cover.face, end.face)
    return None if colour_open or face_open else False


def identical(a: Half, b: Half) -> bool | None:
    """Whether colour and face are both the same; ``None`` where an unread part decides."""
    if a == b and a.known:
        return True
    colours = a.colour is b.colour or Colour.UNKNOWN in (a.colour, b.colour)
    faces = a.face is b.face or Face.UNKNOWN in (a.face, b.face)
    return None if colours and faces else False


def merged(a: Half, b: Half) -> Half:
    """What two readings of one half tell together; the second fills what the first lacks."""
    if a.known:
        return a
    colour = b.colour if a.colour is Colour.UNKNOWN else a.colour
    face = b.face if a.face is Face.UNKNOWN else a.face
    return Half(colour, face)
