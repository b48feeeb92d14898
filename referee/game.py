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
from dataclasses import dataclass, replace
from typing import Any

from referee.log import (
    CORRECTION,
    Change,
    Correction,
    Decision,
    LogEntry,
    Move,
    Op,
    Pause,
    Rejudged,
    is_share,
    verdicts,
)
from referee.notation import (
    Entry,
    NotationError,
    extra_fields,
    header_to_dict,
    is_observation,
    parse_observation,
    ruling_to_dict,
    score_to_dict,
)
from referee.rules.header import Header
from referee.rules.judge import new_game, step
from referee.rules.observations import Observation
from referee.rules.rulings import Ruling, Score
from referee.rules.state import State


class CorrectionError(ValueError):
    """A correction that cannot be made; says what was expected and found."""


class Game:
    """A log of moves and corrections, judged as it grows."""

    def __init__(self, header: Header, header_fields: Entry | None = None) -> None:
        """``header_fields`` are further fields of the header's line, kept for the record."""
        self.header = header
        self._header_fields = dict(header_fields or {})
        self._log: list[LogEntry] = []
        self._moves: list[Move] = []
        self._ids: list[int] = []
        self._next_id = 0
        self._states: list[State] = [new_game(header)]
        self._rulings: list[tuple[Ruling, ...]] = []
        self._undo: list[_Made] = []
        self._redo: list[_Made] = []
        self.paused = False
        """Whether what the camera sees is no move at present."""

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
    def log(self) -> tuple[LogEntry, ...]:
        """Everything that was ever entered, in the order in which it was."""
        return tuple(self._log)

    @property
    def revision(self) -> int:
        """Goes up by one with whatever is entered; a record that is read back has the same."""
        return len(self._log)

    @property
    def ids(self) -> tuple[int, ...]:
        """For each move the number that it keeps, wherever corrections push it: they count
        the moves in the order in which they were entered."""
        return tuple(self._ids)

    @property
    def undoable(self) -> Correction | None:
        """What `undo` would withdraw."""
        return self._undo[-1].correction if self._undo else None

    @property
    def redoable(self) -> Correction | None:
        """What `redo` would make once more."""
        return self._redo[-1].correction if self._redo else None

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
        given = {**self.header.given_options, **options}
        header = replace(self.header, given_options=given)
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
        return self._enter(self.parse(entry))

    def _enter(self, move: Move) -> tuple[Ruling, ...]:
        self._log.append(move)
        self._moves.append(move)
        self._ids.append(self._next_id)
        self._next_id += 1
        self._judge_from(len(self._rulings))
        return self._rulings[-1]

    def pause(self, paused: bool, **fields: Any) -> Pause:
        """Enter that what the camera sees from here on is no move, or is one again."""
        entry = Pause(paused, fields)
        self._log.append(entry)
        self.paused = paused
        return entry

    # -- corrections

    def insert(self, of: int, entry: Entry) -> Rejudged:
        """A move was missed: it comes before move ``of`` (or last, where that is their number)."""
        return self.correct(self.correction("insert", of, entry))

    def replace(self, of: int, entry: Entry) -> Rejudged:
        """Move ``of`` was another one."""
        return self.correct(self.correction("replace", of, entry))

    def delete(self, of: int) -> Rejudged:
        """Move ``of`` never happened."""
        return self.correct(self.correction("delete", of))

    def undo(self) -> Rejudged:
        """Withdraw the last correction; moves entered since stay."""
        return self.correct(self.correction("undo"))

    def redo(self) -> Rejudged:
        """Make the correction withdrawn last once more."""
        return self.correct(self.correction("redo"))

    def correct_entry(self, entry: Entry) -> Rejudged:
        """Enter a correction's line; raises `NotationError` or `CorrectionError`."""
        op, of, observation = entry.get("op"), entry.get("of"), entry.get("observation")
        fields = Correction.other_fields(entry)
        if op in ("undo", "redo"):
            return self.correct(self.correction(op, **fields))
        also = _read_also(entry.get("also", []))
        if op not in ("insert", "replace", "delete"):
            raise NotationError(
                f"correction: op: expected insert, replace, delete, undo or redo, found {op!r}"
            )
        if isinstance(of, bool) or not isinstance(of, int):
            raise NotationError(f"correction: of: expected a move's number, found {of!r}")
        if op == "delete":
            return self.correct(self.correction(op, of, also=also, **fields))
        if not isinstance(observation, Mapping):
            raise NotationError(
                f"correction: observation: expected an observation, found {observation!r}"
            )
        return self.correct(self.correction(op, of, observation, also=also, **fields))

    def correction(
        self,
        op: Op,
        of: int | None = None,
        entry: Entry | None = None,
        also: Iterable[tuple[int, Entry]] = (),
        **fields: Any,
    ) -> Correction:
        """A correction that `correct` would carry out now, so that it can be written first.

        ``also`` are later moves that follow it, by their number after it. Raises `NotationError`
        for an observation that breaks the contract, `CorrectionError` for a move that is not
        there.
        """
        move = None if entry is None else self.parse(entry)
        follow = tuple([(later, self.parse(line)) for later, line in also])
        made = Correction(op, of, move, follow, fields)
        self._edit_for(made)
        return made

    def parse(self, entry: Entry) -> Move:
        """A move from its line; raises `NotationError`."""
        observation = parse_observation(entry, self.header)
        fields = extra_fields(entry)
        confidence = fields.get("confidence")
        if confidence is not None and not is_share(confidence):
            raise NotationError(
                f"{entry['type']}: confidence: expected a number from 0 to 1, found {confidence!r}"
            )
        decided = fields.get("decided")
        return Move(observation, fields, None if decided is None else Decision.parse(decided))

    def correct(self, correction: Correction) -> Rejudged:
        """Carry out a correction made by `correction`, and judge again all that follows."""
        edit, made = self._edit_for(correction)
        before = dict(zip(self._ids, enumerate(self._rulings), strict=True))
        inverse = edit.on(self._moves, self._ids)
        self._next_id += correction.op == "insert"
        if correction.op == "undo":
            self._undo.pop()
            self._redo.append(_Made(inverse, made))
        else:
            self._undo.append(_Made(inverse, made))
            if correction.op == "redo":
                self._redo.pop()
            else:
                self._redo.clear()
        self._log.append(correction)
        self._judge_from(edit.at)
        return Rejudged(edit.at, tuple(self._changes(edit.at, before)), edit.id)

    def _edit_for(self, correction: Correction) -> tuple[_Edit, Correction]:
        """The edit that a correction asks for, and the correction that first made it; raises
        `CorrectionError` where it cannot be."""
        if correction.op in ("undo", "redo"):
            stack = self._undo if correction.op == "undo" else self._redo
            if not stack:
                raise CorrectionError(f"expected a correction to {correction.op}, found none")
            return stack[-1].edit, stack[-1].correction
        most = len(self._moves) - (correction.op != "insert")
        if correction.of is None or not 0 <= correction.of <= most:
            raise CorrectionError(
                f"{correction.op}: expected a move from 0 to {most}, found {correction.of}"
            )
        at, move = correction.of, correction.move
        inserts = correction.op == "insert"
        first = _Step(at, not inserts, move, self._next_id if inserts else self._ids[at])
        return _Edit((first, *self._steps_after(first, correction)), first.id), correction

    def _steps_after(self, first: _Step, correction: Correction) -> Iterator[_Step]:
        """The moves that follow a correction, each replaced; raises `CorrectionError`."""
        ids = list(self._ids)
        ids[first.at : first.at + first.remove] = [first.id] * (first.move is not None)
        for of, move in correction.also:
            if not first.at <= of < len(ids):
                raise CorrectionError(
                    f"{correction.op}: also: expected a move from {first.at} to {len(ids) - 1}, "
                    f"found {of}"
                )
            yield _Step(of, True, move, ids[of])

    def _judge_from(self, of: int) -> None:
        """Fold the moves from one of them on again."""
        del self._states[of + 1 :], self._rulings[of:]
        state = self._states[of]
        for move in self._moves[of:]:
            state, rulings = step(
                state, move.observation, move.confidence, blind_before=move.blind_before
            )
            if move.decided is not None:
                rulings = move.decided.on(rulings)
            self._states.append(state)
            self._rulings.append(rulings)

    def _changes(
        self, since: int, before: Mapping[int, tuple[int, tuple[Ruling, ...]]]
    ) -> Iterator[Change]:
        """``before`` holds, by the moves' numbers, their places and rulings before."""
        there = set(self._ids)
        for number, (of, rulings) in before.items():
            if number not in there:
                yield Change(of, rulings, (), number)
        for of in range(since, len(self._ids)):
            number, now = self._ids[of], self._rulings[of]
            was = before[number][1] if number in before else ()
            if verdicts(was) != verdicts(now):
                yield Change(of, was, now, number)


def load(header: Header, entries: Iterable[Entry], header_fields: Entry | None = None) -> Game:
    """A game from its record's lines; rulings in them are made anew."""
    game = Game(header, header_fields)
    for entry in entries:
        if entry.get("type") == CORRECTION:
            game.correct_entry(entry)
        elif entry.get("type") in ("pause", "resume"):
            fields = {name: value for name, value in entry.items() if name != "type"}
            game.pause(entry["type"] == "pause", **fields)
        elif is_observation(entry):
            game.append_entry(entry)
    return game


def _read_also(value: object) -> list[tuple[int, Entry]]:
    """The field ``also`` of a correction's line; raises `NotationError`."""
    if not isinstance(value, list):
        raise NotationError(f"correction: also: expected a list, found {value!r}")
    for one in value:
        ok = isinstance(one, Mapping) and isinstance(one.get("observation"), Mapping)
        if not ok or isinstance(one.get("of"), bool) or not isinstance(one.get("of"), int):
            raise NotationError(
                f"correction: also: expected objects of `of` and `observation`, found {one!r}"
            )
    return [(one["of"], one["observation"]) for one in value]


@dataclass(frozen=True, slots=True)
class _Step:
    """One change to the list of moves: one goes, one comes, or both."""

    at: int
    remove: bool
    move: Move | None
    id: int
    """The number of the move that comes, goes, or becomes another one."""

    def on(self, moves: list[Move], ids: list[int]) -> _Step:
        """Carry it out, and return the step that takes it back."""
        gone = moves[self.at] if self.remove else None
        comes = [] if self.move is None else [self.move]
        moves[self.at : self.at + self.remove] = comes
        ids[self.at : self.at + self.remove] = [self.id] * len(comes)
        return _Step(self.at, remove=self.move is not None, move=gone, id=self.id)


@dataclass(frozen=True, slots=True)
class _Edit:
    """All that a correction changes, step by step."""

    steps: tuple[_Step, ...]
    id: int
    """The number of the move that it is about; the others follow."""

    @property
    def at(self) -> int:
        """The first move that is concerned."""
        return min(step.at for step in self.steps)

    def on(self, moves: list[Move], ids: list[int]) -> _Edit:
        """Carry it out, and return the edit that takes it back."""
        return _Edit(tuple([step.on(moves, ids) for step in self.steps])[::-1], self.id)


@dataclass(frozen=True, slots=True)
class _Made:
    """An edit on the stack of what can be undone or redone, and the correction it comes from."""

    edit: _Edit
    correction: Correction
