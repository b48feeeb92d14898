"""The log of a running game, in which the camera and any number of operators write.

Everything happens under one lock, and each line is on disk before anybody is told of it. An
operator's change names the revision that it was based on: where what it is about was changed by
another operator meanwhile, it is refused; changes that do not touch each other all go in.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from referee.desk.follow import followers
from referee.game import CorrectionError, Game
from referee.log import Correction, Op, Rejudged
from referee.notation import Entry


class Keeper(Protocol):
    """Where the lines of the record go; `referee.store.Store` is one."""

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Write lines; when this returns they are on disk, or it is known that they are not."""
        ...


class NoSuchMoveError(CorrectionError):
    """A move that is not in the log and never was; says which."""

    def __init__(self, number: int) -> None:
        super().__init__(f"expected a move of the log, found number {number}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A change that an operator wants."""

    op: Op
    target: int | None = None
    """The number of the move that it is about (`Game.ids`); for ``insert``, of the move that the
    new one comes before. None: the end of the log as the operator saw it."""
    entry: Entry | None = None
    """What comes: a line in the border's notation."""


@dataclass(frozen=True, slots=True)
class Done:
    """A change that was made."""

    revision: int
    id: int | None
    """The number of the move that came, was changed or went; None for undo and redo."""
    rejudged: Rejudged


@dataclass(frozen=True, slots=True)
class Conflict:
    """A change that was refused, since another operator was there first."""

    reason: Literal["changed", "gone", "place", "undone"]
    """The move is another one now; it is there no more; a move was entered at that place; other
    corrections were made."""
    revision: int
    id: int | None
    """The number of the move that stands there now, if one does."""


class Book:
    """A game and who may change it. All methods may be called from any thread."""

    def __init__(self, game: Game, store: Keeper) -> None:
        self.game = game
        self.lock = threading.RLock()
        """To be held by whoever reads more than one thing of the game."""
        self._store = store
        self._since: dict[int, int] = {}
        """For each move the revision with which it came in; those read from disk have none."""
        self._touched: dict[int, int] = {}
        """For each move the revision with which an operator last changed it."""
        self._gaps: dict[int | None, int] = {}
        """For the place before each move (None: the end) the revision with which an operator
        last entered or removed a move there."""
        self._corrected = 0
        """The revision of the last correction."""

    @property
    def revision(self) -> int:
        """Goes up with every line of the log."""
        return self.game.revision

    def observe(self, observation: Entry) -> list[dict[str, Any]]:
        """Enter what the camera saw; the lines written: none while the game is paused."""
        with self.lock:
            game = self.game
            if game.paused:
                return []
            game.append_entry(observation)
            of = len(game.moves) - 1
            entered = game.ids[of]
            self._since[entered] = game.revision
            # Whoever was about to enter something at the end meant the place before this one.
            if None in self._gaps:
                self._gaps[entered] = self._gaps.pop(None)
            lines = [game.moves[of].as_dict(), *game.answer(of)]
            self._store.append(lines)
            return lines

    def pause(self, paused: bool, **fields: Any) -> bool:
        """Have what the camera sees be no move from here on, or again; False if it is so already."""
        with self.lock:
            if self.game.paused == paused:
                return False
            self._store.append([self.game.pause(paused, **fields).as_dict()])
            return True

    def change(self, wanted: Wanted, base: int | None, **fields: Any) -> Done | Conflict:
        """Make an operator's change, based on a revision (None: on whatever is there now).

        Raises `NotationError` for a line that breaks the contract, `NoSuchMoveError`, and
        `CorrectionError` where there is nothing to undo or redo.
        """
        with self.lock:
            based = self.revision if base is None else base
            conflict = self._conflict(wanted, based)
            if conflict is not None:
                return conflict
            correction = self._correction(wanted, based, fields)
            before = self.game.ids
            self._store.append([correction.as_dict()])
            rejudged = self.game.correct(correction)
            self._remember(before, rejudged.id)
            entered = None if wanted.op in ("undo", "redo") else rejudged.id
            return Done(self.revision, entered, rejudged)

    def place_of(self, number: int) -> int:
        """Where a move stands now; raises `NoSuchMoveError` where it is not there."""
        if number not in self.game.ids:
            raise NoSuchMoveError(number)
        return self.game.ids.index(number)

    def _conflict(self, wanted: Wanted, based: int) -> Conflict | None:
        ids = self.game.ids
        if wanted.op in ("undo", "redo"):
            if self._corrected > based:
                return Conflict("undone", self.revision, None)
            return None
        if wanted.op != "insert":
            assert wanted.target is not None
            if wanted.target not in ids:
                if self._touched.get(wanted.target, 0) > based:
                    return Conflict("gone", self.revision, None)
                self.place_of(wanted.target)  # it never was there
            if self._touched.get(wanted.target, 0) > based:
                return Conflict("changed", self.revision, wanted.target)
            return None
        if wanted.target is not None and wanted.target not in ids:
            if self._touched.get(wanted.target, 0) > based:
                return Conflict("gone", self.revision, None)
            self.place_of(wanted.target)
        of = self._insertion(wanted, based)
        gap = ids[of] if of < len(ids) else None
        if self._gaps.get(gap, 0) > based:
            return Conflict("place", self.revision, ids[of - 1] if of else None)
        return None

    def _correction(self, wanted: Wanted, based: int, fields: Mapping[str, Any]) -> Correction:
        if wanted.op in ("undo", "redo"):
            return self.game.correction(wanted.op, **fields)
        if wanted.op == "insert":
            of = self._insertion(wanted, based)
        else:
            assert wanted.target is not None
            of = self.place_of(wanted.target)
        also = followers(self.game, wanted.op, of, wanted.entry)
        return self.game.correction(wanted.op, of, wanted.entry, also, **fields)

    def _insertion(self, wanted: Wanted, based: int) -> int:
        """Where a new move goes: where the end was for whoever enters it at the end."""
        ids = self.game.ids
        if wanted.target is not None:
            return self.place_of(wanted.target)
        of = len(ids)
        while of and self._since.get(ids[of - 1], 0) > based:
            of -= 1
        return of

    def _remember(self, before: Sequence[int], about: int) -> None:
        """Note which move, and which places between moves, the last correction changed."""
        revision = self._corrected = self._touched[about] = self.revision
        ids = self.game.ids
        if about in ids and about not in before:
            of = ids.index(about)
            self._since.setdefault(about, revision)
            self._gaps[about] = revision
            self._gaps[ids[of + 1] if of + 1 < len(ids) else None] = revision
        elif about in before and about not in ids:
            of = before.index(about)
            self._gaps[before[of + 1] if of + 1 < len(before) else None] = revision
