"""What may happen to the line between two readings, as facts for those who follow it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.facts import Half
from vision.line import Line, LooseCard


class Change(StrEnum):
    """What happened to the line between two readings."""

    NOTHING = "nothing"
    MOVED = "moved"
    """Nudged, bent or shoved; no card came or went."""
    ADDED = "added"
    """One or several cards came, at an end or elsewhere: `Step.laid`."""
    REMOVED = "removed"
    """One or several cards went: `Step.taken`."""
    REPLACED = "replaced"
    """Cards went and others came."""
    CANNOT_TELL = "cannot tell"
    """Something changed that this reading does not show well enough; look again."""
    OUT_OF_SYNC = "out of sync"
    """The table does not fit the remembered line; nothing is said of it."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that came onto the line."""

    end: int | None
    """0 or 1: the end that it was laid on; None: it lies elsewhere on the line."""
    place: int
    """The place that its covering half lies on, counted in the new line."""
    covered: Half
    """What lay on top there, as remembered."""
    covering: Half
    """The half of the new card that lies on `covered`; unread where it was not seen."""
    free: Half
    """The other half of the new card; unread where a further card already covers it."""
    confidence: float
    """How often such a card was laid just so (its readings aside)."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A card that was the last one at an end and is gone."""

    end: int
    covering: Half
    free: Half
    """Its halves as remembered; `covering` lay on the half that is the end now."""
    confidence: float


@dataclass(frozen=True, slots=True)
class Step:
    """What a new reading says of the line."""

    change: Change
    line: Line
    """The line now. Where the change cannot be told it has no card more or less than before."""
    laid: tuple[Laid, ...] = ()
    """Cards that came, at each end in the order in which they lie."""
    taken: tuple[Taken, ...] = ()
    appeared: tuple[LooseCard, ...] = ()
    """Face-up cards beside the line that were not there before."""
    moved_mm: float = 0.0
    """Largest distance that a place of the line moved; a few millimetres are noise."""
    reason: str = ""
    """Why it cannot be told, for people."""
