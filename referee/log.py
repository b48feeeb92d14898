"""What a game's log holds: moves, corrections of moves, pauses; and what a correction has done.

Each of them is a line of the record, and none of them ever changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from referee.notation import Entry, NotationError, observation_to_dict
from referee.rules.observations import Observation
from referee.rules.rulings import Ruling, Violation

CORRECTION = "correction"
"""The type of a record's line that corrects the game; other programs skip it."""

Op = Literal["insert", "replace", "delete", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What an operator decided on a move, whatever the referee found or could not tell."""

    legal: bool
    violations: tuple[Violation, ...] = ()
    """The faults, where it was against the rules; empty: those that the referee suspects."""

    @staticmethod
    def parse(value: object) -> Decision:
        """Read the field ``decided`` of a move's line; raises `NotationError`."""
        legal = value.get("legal") if isinstance(value, Mapping) else None
        codes = value.get("violations", []) if isinstance(value, Mapping) else None
        if not isinstance(legal, bool) or not isinstance(codes, list):
            raise NotationError(
                'decided: expected an object such as {"legal": true} or {"legal": false, '
                f'"violations": ["no_match"]}}, found {value!r}'
            )
        try:
            return Decision(legal, tuple([Violation(code) for code in codes]))
        except ValueError:
            raise NotationError(
                f"decided: violations: expected their codes, found {codes!r}"
            ) from None

    def on(self, rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        """The rulings with this one in place of the last, which is on the move itself."""
        found = rulings[-1].violations
        faults = () if self.legal else self.violations or found
        return (*rulings[:-1], replace(rulings[-1], legal=self.legal, violations=faults))


@dataclass(frozen=True, slots=True)
class Move:
    """An observation in the log, with what is known of it besides."""

    observation: Observation
    fields: Mapping[str, Any]
    """Further fields of its line, such as ``t``, ``t_reported``, ``confidence``."""
    decided: Decision | None = None

    @property
    def confidence(self) -> float:
        """How often such a reading is right, as far as it decides the verdict; 1 where nobody said.

        An unclear free end makes a reading less sure, though not whether the card fits:
        ``deciding`` is the narrower figure, where the reading has it.
        """
        if self.decided is not None:
            return 1.0
        deciding = self.fields.get("deciding")
        value = deciding if is_share(deciding) else self.fields.get("confidence")
        return 1.0 if value is None else float(value)

    @property
    def blind_before(self) -> bool:
        """Whether the table was not watched for a while before, so that a move may be missing;
        somebody who has decided knows."""
        return self.decided is None and self.fields.get("blind_before") is True

    def as_dict(self) -> dict[str, Any]:
        """The line of a record."""
        return observation_to_dict(self.observation, self.fields)


@dataclass(frozen=True, slots=True)
class Correction:
    """A change to the moves before it in the log. ``of`` counts the moves that hold now."""

    op: Op
    of: int | None = None
    """Which move; for ``insert``, which one the new move comes before."""
    move: Move | None = None
    also: tuple[tuple[int, Move], ...] = ()
    """Later moves that have to follow, such as a card laid onto a half that is another one now,
    by their number after this correction."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of its line, such as ``by``, who made it."""

    def as_dict(self) -> dict[str, Any]:
        """The line of a record; `Game.correct_entry` reads it back."""
        written: dict[str, Any] = {"type": CORRECTION, "op": self.op}
        if self.of is not None:
            written["of"] = self.of
        if self.move is not None:
            written["observation"] = self.move.as_dict()
        if self.also:
            written["also"] = [{"of": of, "observation": move.as_dict()} for of, move in self.also]
        return {**written, **self.fields}

    @staticmethod
    def other_fields(entry: Entry) -> dict[str, Any]:
        """The fields of a correction's line that are not its own."""
        own = ("type", "op", "of", "observation", "also")
        return {name: value for name, value in entry.items() if name not in own}


@dataclass(frozen=True, slots=True)
class Pause:
    """From here on what the camera sees is no move, or is one again."""

    paused: bool
    fields: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The line of a record."""
        return {"type": "pause" if self.paused else "resume", **self.fields}


LogEntry = Move | Correction | Pause


@dataclass(frozen=True, slots=True)
class Change:
    """A move that is judged differently now."""

    of: int
    """Its place now; a deleted move's place before."""
    before: tuple[Ruling, ...]
    """Empty for a move that is new."""
    now: tuple[Ruling, ...]
    """Empty for a move that is gone."""
    id: int = -1
    """Which move, by the number that it keeps."""


@dataclass(frozen=True, slots=True)
class Rejudged:
    """What a correction has done."""

    since: int
    """The first move that was judged again; all after it were."""
    changes: tuple[Change, ...]
    """The moves whose verdict or effects are others now."""
    id: int
    """The number of the move that came, went or became another one; others only followed."""


def verdicts(rulings: tuple[Ruling, ...]) -> tuple[object, ...]:
    """What rulings say, apart from the state after them."""
    return tuple((r.player, r.legal, r.violations, r.effects) for r in rulings)


def is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
