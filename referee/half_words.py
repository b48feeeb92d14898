"""What a half card is called in the contract, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from vision.facts import COLOURS, FACES, Half
from vision.line import is_unread

READABLE: Final = 0.6
"""A colour or face that is less likely than this is written ``?``."""
DRAW: Final = "D"
"""The face that makes the next player draw; who owes a draw may answer it with the like."""


def written(half: Half) -> str:
    """A half in contract notation, ``?`` for what was not read well enough."""
    if is_unread(half):
        return "?"
    colour = half.colour if max(half.colour_p) >= READABLE else "?"
    face = half.face if max(half.face_p) >= READABLE else "?"
    return "?" if colour == face == "?" else colour + face


def probability(half: Half, label: str) -> float:
    """How likely it is that a half shows what a label says; ``?`` leaves it open."""
    if "?" in label:
        return half.confidence
    return half.colour_p[COLOURS.index(label[0])] * half.face_p[FACES.index(label[1])]


def comparison_confidence(one: Half, one_label: str, other: Half, other_label: str) -> float:
    """How likely two halves are as alike, or as unlike, as their labels say.

    Alike means: of one colour or of one face. Two halves may be hard to read and all the same
    be surely unlike. 1 where a label leaves it open.
    """
    if "?" in one_label + other_label:
        return 1.0
    same_colour = sum(a * b for a, b in zip(one.colour_p, other.colour_p, strict=True))
    same_face = sum(a * b for a, b in zip(one.face_p, other.face_p, strict=True))
    alike = 1 - (1 - same_colour) * (1 - same_face)
    say_alike = one_label[0] == other_label[0] or one_label[1] == other_label[1]
    return alike if say_alike else 1 - alike


def answer_confidence(half: Half) -> float:
    """How likely a half is a draw card, or none, as its likeliest face says."""
    draws = half.face_p[FACES.index(DRAW)]
    return draws if half.face == DRAW else 1 - draws


def identity_confidence(halves: Sequence[Half], below: Sequence[Half]) -> float:
    """How likely a card has a half identical to one of another card's, or none, as labels say."""
    unlike, said = 1.0, False
    for one, other in product(halves, below):
        same_colour = sum(a * b for a, b in zip(one.colour_p, other.colour_p, strict=True))
        same_face = sum(a * b for a, b in zip(one.face_p, other.face_p, strict=True))
        unlike *= 1 - same_colour * same_face
        said |= one.label == other.label
    return 1 - unlike if said else unlike


def as_stated(half: Half, label: str) -> Half:
    """A half that shows for sure what an operator stated."""
    return replace(
        half,
        colour_p=tuple(float(colour == label[0]) for colour in COLOURS),
        face_p=tuple(float(face == label[1]) for face in FACES),
    )
