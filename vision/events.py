"""What happens on the table, as facts with a time, an arm and what they are about."""

from __future__ import annotations

from dataclasses import dataclass

from vision.hands import Arm
from vision.line import Line, LooseCard
from vision.line_steps import Laid, Taken


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened on the table."""

    at_s: float
    """When it was done: the hand had let go (or, for what was taken, had gone)."""
    reported_s: float
    """The frame at which it was sure."""
    arm: Arm | None
    """The arm that did it; None where none was seen."""


@dataclass(frozen=True, slots=True)
class LineBegan(Fact):
    """A line lies where none was known: its first card, or a game that is joined late."""

    line: Line


@dataclass(frozen=True, slots=True)
class CardLaid(Fact):
    """A card came onto the line."""

    laid: Laid
    line: Line


@dataclass(frozen=True, slots=True)
class CardTaken(Fact):
    """The last card at an end of the line is gone."""

    taken: Taken
    line: Line


@dataclass(frozen=True, slots=True)
class LineMoved(Fact):
    """The line was nudged, bent or shoved; no card came or went."""

    line: Line


@dataclass(frozen=True, slots=True)
class LooseLaid(Fact):
    """A face-up card came to lie beside the line."""

    card: LooseCard
    onto: LooseCard | None
    """The card that lay there before and is under it now."""


@dataclass(frozen=True, slots=True)
class LooseGone(Fact):
    """A face-up card beside the line is there no more, nor another one in its place."""

    card: LooseCard


@dataclass(frozen=True, slots=True)
class ArmLeft(Fact):
    """An arm has left the picture; `arm` tells where it was."""


@dataclass(frozen=True, slots=True)
class OutOfSync(Fact):
    """The table does not fit the remembered line; it is taken anew from here."""

    line: Line | None
    """The line as a single reading shows it; None where none was found."""
