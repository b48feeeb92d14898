"""The desk itself: the game with its book, what the camera sees, and what operators do with both."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, runtime_checkable

from referee.announce import Announcer
from referee.desk import orders
from referee.desk.book import Book, Conflict, Done, Wanted
from referee.desk.crops import Crops
from referee.desk.table import (
    DeskState,
    Entry,
    Outline,
    chairs,
    difference,
    entry,
    open_choices,
    phase_of,
    sets_allowed,
    step_of,
    sync,
    verdict_of,
)
from referee.game import Game
from referee.log import Correction, Move

ENTRIES: Final = 60
"""How many of the newest moves the desk is shown unless it asks for more."""
MOST_UNSURE: Final = 20
"""How many undecided moves are named."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the program sees at this moment."""

    light: str
    ends: tuple[str, ...] | None
    """What lies at the ends of the line (SOLO: on top); None where nothing does."""
    clock_s: float | None
    picture_px: tuple[int, int] | None
    """Width and height of the newest frame."""
    outlines: tuple[Outline, ...] = ()
    trouble: str = ""


class Eyes(Protocol):
    """The side of a session that looks at the table. All methods may be called from any thread."""

    def look(self) -> Look:
        """What is seen now."""
        ...

    def corrected(
        self, before: Sequence[str], now: Sequence[str], changed: Sequence[int], *, afresh: bool
    ) -> None:
        """The log was changed by hand; its ends were and are these, and these moves are judged
        differently. With ``afresh`` the next cards begin a new line."""
        ...


@runtime_checkable
class Controlled(Protocol):
    """A source that may have a desk: the seam to the server. Its subscribers are told of each
    change of anything that the desk shows."""

    @property
    def desk(self) -> Desk | None:
        """Where operators sit; None while no game is watched."""
        ...


Order = Callable[[Game, float | None], Wanted]
"""Makes a change from the game as it stands and the clock; one of `referee.desk.orders`."""


class Desk:
    """What operators see and do. All methods may be called from any thread."""

    def __init__(self, book: Book, eyes: Eyes) -> None:
        self.book = book
        self.crops = Crops()
        self.instance = secrets.token_hex(4)
        """Tells this run of the program from any other."""
        self._eyes = eyes
        self._kept: tuple[str, ...] | None = None

    # -- seeing

    def state(self, language: str, entries: int = ENTRIES) -> DeskState:
        """All that the desk shows, with so many of the newest moves."""
        look = self._eyes.look()
        with self.book.lock:
            game = self.book.game
            say = announcer(game, language)
            table, now = game.state.table, game.state
            first = max(0, len(game.moves) - entries)
            entered = _entered(game)
            return DeskState(
                instance=self.instance,
                revision=game.revision,
                game=game.header.game,
                phase=phase_of(game),
                round=table.round,
                paused=game.paused,
                light=look.light,
                trouble=look.trouble,
                clock_s=look.clock_s,
                chairs=chairs(game),
                direction=now.direction,
                draw_pile=now.draw_pile,
                ends=[str(end) for end in now.ends],
                colour=now.colour,
                open=open_choices(game),
                call=table.call is not None,
                shouts=now.setup.options.shouts == "observed",
                sets=sets_allowed(game),
                sync=sync(game, look.ends, self._kept),
                undo=step_of(game.undoable, say),
                redo=step_of(game.redoable, say),
                unsure=self._unsure(game),
                entries=[
                    self._entry(game, of, say, entered)
                    for of in range(len(game.moves) - 1, first - 1, -1)
                ],
                total=len(game.moves),
                outlines=list(look.outlines),
                picture_px=look.picture_px,
            )

    def move(self, number: int, language: str) -> Entry | None:
        """One move, or None where none has this number."""
        with self.book.lock:
            game = self.book.game
            if number not in game.ids:
                return None
            of, say = game.ids.index(number), announcer(game, language)
            return self._entry(game, of, say, _entered(game))

    def newest(self) -> int | None:
        """The number of the newest move."""
        with self.book.lock:
            return self.book.game.ids[-1] if self.book.game.ids else None

    # -- doing

    def order(
        self, wanted: Order, base: int | None, by: str = "", *, afresh: bool = False
    ) -> Done | Conflict:
        """Make a change, based on a revision (None: on whatever is there now).

        Raises `NotationError` for what breaks the contract and `CorrectionError` for a move
        that never was, or where there is nothing to undo.
        """
        clock_s = self._eyes.look().clock_s
        at_s = None if clock_s is None else round(clock_s, 3)
        signed: dict[str, Any] = {"by": by} if by else {}
        if at_s is not None:
            signed["t"] = at_s
        with self.book.lock:
            before = self._ends()
            done = self.book.change(wanted(self.book.game, at_s), base, **signed)
            if isinstance(done, Conflict):
                return done
            if afresh and self.book.game.paused:
                self.book.pause(False, **signed)
                done = replace(done, revision=self.book.revision)
            now = self._ends()
        changed = [change.id for change in done.rejudged.changes]
        self._eyes.corrected(before, now, changed, afresh=afresh)
        return done

    def accept(self, base: int | None, by: str = "") -> Done | Conflict:
        """Take the line as it lies: one change of the log."""
        seen = self._eyes.look().ends
        return self.order(lambda game, clock_s: orders.accept(game, seen, clock_s), base, by)

    def keep(self) -> None:
        """The log is right although the camera sees another line: say no more of this one."""
        seen = self._eyes.look().ends
        with self.book.lock:
            self._kept = difference(self._ends(), seen or ())
            ends = self._ends()
        self._eyes.corrected(ends, ends, (), afresh=False)

    def pause(self, paused: bool, by: str = "") -> bool:
        """Stop judging what is seen, or go on; False if it is so already.

        When play goes on, the line is taken as it lies: cards may have been moved meanwhile.
        """
        look = self._eyes.look()
        signed: dict[str, Any] = {"by": by} if by else {}
        if look.clock_s is not None:
            signed["t"] = round(look.clock_s, 3)
        with self.book.lock:
            if not self.book.pause(paused, **signed):
                return False
            moved = not paused and sync(self.book.game, look.ends, None).fits is False
            before = self._ends()
            if moved:
                wanted = orders.accept(self.book.game, look.ends, signed.get("t"))
                self.book.change(wanted, None, **signed)
            now = self._ends()
        self._eyes.corrected(before, now, (), afresh=False)
        return True

    # --

    def _ends(self) -> list[str]:
        return [str(end) for end in self.book.game.state.ends]

    def _entry(self, game: Game, of: int, say: Announcer, entered: Mapping[int, Move]) -> Entry:
        number = game.ids[of]
        return entry(game, of, say, self.crops.has(number), entered.get(number))

    def _unsure(self, game: Game) -> list[int]:
        found = [
            game.ids[of]
            for of in range(len(game.moves) - 1, -1, -1)
            if verdict_of(game.rulings(of)) == "unsure"
        ]
        return found[:MOST_UNSURE]


def announcer(game: Game, language: str) -> Announcer:
    """Who says things of a game in a language."""
    return Announcer(language, game.header.players, game.header.game)


def _entered(game: Game) -> Mapping[int, Move]:
    """What was entered first under each number: numbers count what was entered, in order."""
    entered = [
        one if isinstance(one, Move) else one.move
        for one in game.log
        if isinstance(one, Move) or (isinstance(one, Correction) and one.op == "insert")
    ]
    return {number: move for number, move in enumerate(entered) if move is not None}
