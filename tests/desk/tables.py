"""A desk without a camera: what is seen is set by the test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from referee.desk.book import Book, Conflict, Done
from referee.desk.desk import Desk, Look
from referee.game import Game, load
from referee.overlay.source import Picture, View
from referee.rules.header import Header

HEADER = Header("solomino", ("Ann", "Ben", "Cem"), 0, hands=(8, 8, 8), draw_pile=95)
START = {"type": "start", "card": "r5/g1", "t": 1.0}


class Kept:
    """The lines of the record, in memory."""

    def __init__(self) -> None:
        self.lines: list[Mapping[str, Any]] = []

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        self.lines += records


class Seen:
    """What a camera would see, and what the desk tells it."""

    def __init__(self) -> None:
        self.shown = Look("watching", None, 50.0, None)
        self.told: list[tuple[list[str], list[str], list[int], bool]] = []

    def look(self) -> Look:
        return self.shown

    def corrected(
        self, before: Sequence[str], now: Sequence[str], changed: Sequence[int], *, afresh: bool
    ) -> None:
        self.told.append((list(before), list(now), list(changed), afresh))


class Table:
    """A game with its book and desk."""

    def __init__(self, *entries: dict[str, Any], header: Header = HEADER) -> None:
        self.kept, self.seen = Kept(), Seen()
        self.game: Game = load(header, entries)
        self.book = Book(self.game, self.kept)
        self.desk = Desk(self.book, self.seen)

    def lies(self, *ends: str) -> None:
        """These are the ends on the table."""
        self.seen.shown = Look("watching", ends or None, 50.0, None)

    @property
    def verdicts(self) -> list[bool | None]:
        return [self.game.rulings(of)[-1].legal for of in range(len(self.game.moves))]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [move.as_dict() for move in self.game.moves]

    @property
    def ends(self) -> list[str]:
        return [str(end) for end in self.game.state.ends]


class Watched:
    """A source with a desk."""

    def __init__(self) -> None:
        self.desk: Desk | None = None
        self.shown = View(light="hand")
        self.subscribers: list[Callable[[], None]] = []

    def view(self) -> View:
        return self.shown

    def picture(self) -> Picture | None:
        return None

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        self.subscribers.append(changed)
        return lambda: self.subscribers.remove(changed)


def place(player: int, onto: str, card: str, **fields: Any) -> dict[str, Any]:
    cover = card.split("/")[0]
    return {"type": "place", "player": player, "card": card, "onto": onto, "with": cover, **fields}


def done(result: Done | Conflict) -> Done:
    assert isinstance(result, Done), result
    return result


def refused(result: Done | Conflict) -> Conflict:
    assert isinstance(result, Conflict), result
    return result
