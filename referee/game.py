"""A game as a log: what was observed, and what was corrected; the state is its fold.

Nothing is ever removed from the log. A correction is one more entry, so the original stays
visible; everything from the corrected place on is judged again.

>>> from referee.rules.header import Header
>>> game = Game(Header("solomino", ("Ann", "Ben"), 0, hands=(8, 8), draw_pile=103))
>>> _ = game.append_entry({"type": "start", "card": "r5/g1", "t": 4.0})
>>> game.append_entry({"type": "draw", "player": 1, "count": 1, "t": 9.0})[0].violations
(<Violation.NOT_YOUR_TURN: 'not_your_turn'>,)
>>> change = game.replace(1, {"type": "draw", "player": 0, "count": 1, "t": 9.0})
>>> [(c.of, c.now[0].legal) for c in change.changes], game.state.turn
([(1, True)], 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from referee.notation import (
    Entry,
    NotationError,
    extra_fields,
    header_to_dict,
    is_observation,
    observation_to_dict,
    parse_observation,
    ruling_to_dict,
    score_to_dict,
)
from referee.rules.header import Header
from referee.rules.judge import new_game, step
from referee.rules.observations import Observation
from referee.rules.rulings import Ruling, Score
from referee.rules.state import State

CORRECTION = "correction"
"""The type of a record's line that corrects the game; other programs skip it."""


class CorrectionError(ValueError):
    """A correction that cannot be made; says what was expected and found."""


@dataclass(frozen=True, slots=True)
class Move:
    """An observation in the log, with what is known of it besides."""

    observation: Observation
    fields: Mapping[str, Any]
    """Further fields of its line, such as ``t``, ``t_reported``, ``confidence``."""

    @property
    def confidence(self) -> float:
        """How often such a reading is right, as far as it decides the verdict; 1 where nobody said.

        An unclear free end makes a reading less sure, though not whether the card fits:
        ``deciding`` is the narrower figure, where the reading has it.
        """
        deciding = self.fields.get("deciding")
        value = deciding if _is_share(deciding) else self.fields.get("confidence")
        return 1.0 if value is None else float(value)

    def as_dict(self) -> dict[str, Any]:
        """The line of a record."""
        return observation_to_dict(self.observation, self.fields)


@dataclass(frozen=True, slots=True)
class Correction:
    """A change to the moves before it in the log. ``of`` counts the moves that hold now."""

    op: Literal["insert", "replace", "delete", "undo", "redo"]
    of: int | None = None
    """Which move; for ``insert``, which one the new move comes before."""
    move: Move | None = None

    def as_dict(self) -> dict[str, Any]:
        """The line of a record; `Game.correct_entry` reads it back."""
        written: dict[str, Any] = {"type": CORRECTION, "op": self.op}
        if self.of is not None:
            written["of"] = self.of
        if self.move is not None:
            written["observation"] = self.move.as_dict()
        return written


@dataclass(frozen=True, slots=True)
class Change:
    """A move that is judged differently now."""

    of: int
    """Its place now; a deleted move's place before."""
    before: tuple[Ruling, ...]
    """Empty for a move that is new."""
    now: tuple[Ruling, ...]
    """Empty for a move that is gone."""


@dataclass(frozen=True, slots=True)
class Rejudged:
    """What a correction has done."""

    since: int
    """The first move that was judged again; all after it were."""
    changes: tuple[Change, ...]
    """The moves whose verdict or effects are others now."""


class Game:
    """A log of moves and corrections, judged as it grows."""

    def __init__(self, header: Header, header_fields: Entry | None = None) -> None:
        """``header_fields`` are further fields of the header's line, kept for the record."""
        self.header = header
        self._header_fields = dict(header_fields or {})
        self._log: list[Move | Correction] = []
        self._moves: list[Move] = []
        self._states: list[State] = [new_game(header)]
        self._rulings: list[tuple[Ruling, ...]] = []
        self._undo: list[_Edit] = []
        self._redo: list[_Edit] = []

    # -- what holds now

    @property
    def state(self) -> State:
        """The state after all moves."""
        return self._states[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that hold now, corrections carried out."""
        return tuple(self._moves)

    @property
    def log(self) -> tuple[Move | Correction, ...]:
        """Everything that was ever entered, in the order in which it was."""
        return tuple(self._log)

    def rulings(self, of: int) -> tuple[Ruling, ...]:
        """The rulings on a move, the last one on the move itself."""
        return self._rulings[of]

    def state_before(self, of: int) -> State:
        """The state before a move."""
        return self._states[of]

    def score(self, of: int) -> Score | None:
        """The score that a move brings to light, if it does."""
        before, after = self._states[of].score, self._states[of + 1].score
        return after if after != before else None

    def record(self) -> Iterator[dict[str, Any]]:
        """The lines of a record in which every correction is carried out."""
        yield header_to_dict(self.header, self._header_fields)
        for of, move in enumerate(self._moves):
            yield move.as_dict()
            yield from self.answer(of)

    def answer(self, of: int) -> Iterator[dict[str, Any]]:
        """The lines that follow a move in a record: its rulings, and a score."""
        for ruling in self._rulings[of]:
            yield ruling_to_dict(ruling, of)
        score = self.score(of)
        if score is not None:
            yield score_to_dict(score)

    def under(self, options: Mapping[str, object]) -> Game:
        """The same moves judged under other options; raises `OptionError`."""
        header = Header(
            self.header.game,
            self.header.players,
            self.header.first_player,
            {**self.header.given_options, **options},
            self.header.hands,
            self.header.draw_pile,
            self.header.deck,
        )
        other = Game(header, self._header_fields)
        for move in self._moves:
            other._enter(move)
        return other

    # -- new moves

    def append(self, observation: Observation, **fields: Any) -> tuple[Ruling, ...]:
        """Enter what was observed; ``t``, ``confidence`` and the like go into its line."""
        return self._enter(Move(observation, fields))

    def append_entry(self, entry: Entry) -> tuple[Ruling, ...]:
        """Enter an observation in the border's notation; raises `NotationError`."""
        return self._enter(self._parse(entry))

    def _enter(self, move: Move) -> tuple[Ruling, ...]:
        self._log.append(move)
        self._moves.append(move)
        self._judge_from(len(self._rulings))
        return self._rulings[-1]

    # -- corrections

    def insert(self, of: int, entry: Entry) -> Rejudged:
        """A move was missed: it comes before move ``of`` (or last, where that is their number)."""
        return self._correct(Correction("insert", of, self._parse(entry)))

    def replace(self, of: int, entry: Entry) -> Rejudged:
        """Move ``of`` was another one."""
        return self._correct(Correction("replace", of, self._parse(entry)))

    def delete(self, of: int) -> Rejudged:
        """Move ``of`` never happened."""
        return self._correct(Correction("delete", of))

    def undo(self) -> Rejudged:
        """Withdraw the last correction; moves entered since stay."""
        return self._correct(Correction("undo"))

    def redo(self) -> Rejudged:
        """Make the correction withdrawn last once more."""
        return self._correct(Correction("redo"))

    def correct_entry(self, entry: Entry) -> Rejudged:
        """Enter a correction's line; raises `NotationError` or `CorrectionError`."""
        op, of, observation = entry.get("op"), entry.get("of"), entry.get("observation")
        if op in ("undo", "redo"):
            return self._correct(Correction(op))
        if op not in ("insert", "replace", "delete"):
            raise NotationError(
                f"correction: op: expected insert, replace, delete, undo or redo, found {op!r}"
            )
        if isinstance(of, bool) or not isinstance(of, int):
            raise NotationError(f"correction: of: expected a move's number, found {of!r}")
        if op == "delete":
            return self.delete(of)
        if not isinstance(observation, Mapping):
            raise NotationError(
                f"correction: observation: expected an observation, found {observation!r}"
            )
        return self._correct(Correction(op, of, self._parse(observation)))

    def _parse(self, entry: Entry) -> Move:
        observation = parse_observation(entry, self.header)
        fields = extra_fields(entry)
        confidence = fields.get("confidence")
        if confidence is not None and not _is_share(confidence):
            raise NotationError(
                f"{entry['type']}: confidence: expected a number from 0 to 1, found {confidence!r}"
            )
        return Move(observation, fields)

    def _correct(self, correction: Correction) -> Rejudged:
        edit = self._edit_for(correction)
        before = list(self._rulings)
        inverse = edit.on(self._moves)
        if correction.op == "undo":
            self._undo.pop()
            self._redo.append(inverse)
        else:
            self._undo.append(inverse)
            if correction.op == "redo":
                self._redo.pop()
            else:
                self._redo.clear()
        self._log.append(correction)
        self._judge_from(edit.at)
        return Rejudged(edit.at, self._changes(edit, before))

    def _edit_for(self, correction: Correction) -> _Edit:
        """The edit that a correction asks for; raises `CorrectionError` where it cannot be."""
        if correction.op in ("undo", "redo"):
            stack = self._undo if correction.op == "undo" else self._redo
            if not stack:
                raise CorrectionError(f"expected a correction to {correction.op}, found none")
            return stack[-1]
        most = len(self._moves) - (correction.op != "insert")
        if correction.of is None or not 0 <= correction.of <= most:
            raise CorrectionError(
                f"{correction.op}: expected a move from 0 to {most}, found {correction.of}"
            )
        return _Edit(correction.of, remove=correction.op != "insert", move=correction.move)

    def _judge_from(self, of: int) -> None:
        """Fold the moves from one of them on again."""
        del self._states[of + 1 :], self._rulings[of:]
        state = self._states[of]
        for move in self._moves[of:]:
            state, rulings = step(state, move.observation, move.confidence)
            self._states.append(state)
            self._rulings.append(rulings)

    def _changes(self, edit: _Edit, before: list[tuple[Ruling, ...]]) -> tuple[Change, ...]:
        old, now = before[edit.at :], self._rulings[edit.at :]
        if edit.remove and edit.move is None:
            now = [(), *now]
        elif not edit.remove:
            old = [(), *old]
        shift = 1 if edit.remove and edit.move is None else 0
        return tuple(
            Change(edit.at + max(0, i - shift), was, is_now)
            for i, (was, is_now) in enumerate(zip(old, now, strict=True))
            if verdicts(was) != verdicts(is_now)
        )


def load(header: Header, entries: Iterable[Entry], header_fields: Entry | None = None) -> Game:
    """A game from its record's lines; rulings in them are made anew."""
    game = Game(header, header_fields)
    for entry in entries:
        if entry.get("type") == CORRECTION:
            game.correct_entry(entry)
        elif is_observation(entry):
            game.append_entry(entry)
    return game


def verdicts(rulings: tuple[Ruling, ...]) -> tuple[object, ...]:
    """What rulings say, apart from the state after them."""
    return tuple((r.player, r.legal, r.violations, r.effects) for r in rulings)


@dataclass(frozen=True, slots=True)
class _Edit:
    """One change to the list of moves: one goes, one comes, or both."""

    at: int
    remove: bool
    move: Move | None

    def on(self, moves: list[Move]) -> _Edit:
        """Carry it out, and return the edit that takes it back."""
        gone = moves[self.at] if self.remove else None
        moves[self.at : self.at + self.remove] = [] if self.move is None else [self.move]
        return _Edit(self.at, remove=self.move is not None, move=gone)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
