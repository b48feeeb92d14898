"""A table as it is being set up: what a person drags about in the picture, all of it in pixels.

A draft is a value; each change makes a new one. `Draft.table` turns it into millimetres.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from calibration.outline import (
    framed_size_mm,
    grid_px,
    plane_from_corners,
    polygon,
    rectangle_px,
)
from calibration.table import Player, Polygon, Table
from referee.rules.header import PLAYER_COUNTS
from referee.rules.options import GameName, OptionError, parse_options
from referee.server.setup_words import Said, said
from vision.hands import Zone
from vision.plane import PlaneError, TablePlane

Found = Literal["cards", "markers", "corners", "file"]
"""How the plane came about."""

Point = tuple[float, float]

USUAL_MM: Final = (1200.0, 800.0)
DRAW_PILE: Final = "draw_pile"
PILE_MM: Final = (100.0, 130.0)
"""A little more than a card each way: nobody puts a pile down square."""
ZONES: Final[Mapping[GameName, tuple[str, ...]]] = {
    "solomino": ("draw_pile",),
    "solo": ("draw_pile", "discard_pile"),
}
_SPREAD: Final = "around the picture, the first at its bottom; nobody said who sits where"
"""What seats are assumed from that nobody moved."""
_REACHED: Final = "one at each side of the picture from which arms came in during set-up"
_NUMBERED: Final = re.compile(r"\D+ (\d+)")
"""A name that nobody chose, in whatever language the page gave it."""
_FARTHEST_MM: Final = 10_000.0
_SEAT_OUT: Final = 0.1
"""How far outside the picture a player is taken to sit, in its heights."""
_INSET: Final = 0.14
"""Where corners stand before anything is known: this far in from the picture's border."""
_USUAL_SPOTS: Final[Mapping[str, Point]] = {"draw_pile": (0.2, 0.5), "discard_pile": (0.5, 0.5)}


class DraftError(ValueError):
    """A change that cannot be made; says what was expected and found."""

    def __init__(self, why: Said) -> None:
        super().__init__(why.text())
        self.why = why


@dataclass(frozen=True, slots=True)
class Seat:
    """A player and where they sit, most often outside the picture."""

    name: str
    at_px: Point


@dataclass(frozen=True, slots=True)
class Pile:
    """Where a pile lies."""

    at_px: Point
    """Its middle."""
    size_mm: tuple[float, float] = PILE_MM
    placed: bool = True
    """Whether it was put there or found there; else its frame only waits to be dragged."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A table that is being set up."""

    image_size_px: tuple[int, int]
    plane: TablePlane | None = None
    """None until the table was found or its corners were put somewhere."""
    found: Found | None = None
    size_mm: tuple[float, float] = USUAL_MM
    """Of the rectangle that is drawn: the table's, or that of something measured on it."""
    seats: tuple[Seat, ...] = ()
    piles: Mapping[str, Pile] = field(default_factory=dict)
    masks_px: tuple[Polygon, ...] = ()
    game: GameName = "solomino"
    deck: str | None = None
    """A deck of the user's own; None: the game's usual one."""
    options: Mapping[str, object] = field(default_factory=dict)
    first: str | None = None
    """The name of who begins; None: whoever acts first."""
    residual_mm: float | None = None
    """How well the plane fits what it was found from, where that is known."""
    assumed: Mapping[str, str] = field(default_factory=dict)
    """As `Table.assumed`: what nobody said, and what it is assumed from."""
    seats_assumed: bool = False
    """As `Table.seats_assumed`."""

    @staticmethod
    def new(image_size_px: tuple[int, int], players: int = 3) -> Draft:
        """Nothing is known but the picture's size."""
        draft = Draft(image_size_px)
        return draft.with_seats([(f"Player {i + 1}", None) for i in range(players)]).with_piles({})

    @staticmethod
    def of(table: Table) -> Draft:
        """A table that was set up before."""
        plane = table.plane
        game: GameName = "solo" if table.game == "solo" else "solomino"
        draft = Draft(
            plane.image_size_px,
            plane,
            "file",
            table.table_mm or framed_size_mm(plane),
            masks_px=table.masks_px,
            game=game,
            deck=None if table.deck == table.game else table.deck,
            options=dict(table.options),
            residual_mm=table.residual_mm,
        )
        named = [
            (p.name, None if p.seat_mm is None else polygon(plane.to_px(np.array([p.seat_mm])))[0])
            for p in table.players
        ]
        piles = {
            name: Pile(polygon(plane.to_px(np.array([zone.centre_mm])))[0], zone.size_mm)
            for name, zone in table.zones.items()
            if name in ZONES[game]
        }
        usual = [(f"Player {i + 1}", None) for i in range(3)]
        seated = draft.with_seats(named or usual)
        return replace(
            seated,
            piles=piles,
            assumed={**seated.assumed, **table.assumed},
            seats_assumed=seated.seats_assumed or table.seats_assumed,
        )

    # -- what is drawn

    @property
    def corners_px(self) -> Polygon:
        """The rectangle's corners, clockwise from the top left."""
        if self.plane is not None:
            return rectangle_px((0.0, 0.0), self.size_mm, self.plane)
        width, height = self.image_size_px
        x, y = _INSET * width, _INSET * height
        return ((x, y), (width - x, y), (width - x, height - y), (x, height - y))

    @property
    def grid_px(self) -> list[Polygon]:
        """Lines on the table, 100 mm apart; none before the plane is known."""
        if self.plane is None or max(self.size_mm) > 4000:
            return []
        return grid_px(self.size_mm, self.plane)

    def pile_outline_px(self, pile: Pile) -> Polygon:
        """The corners of a pile's zone."""
        if self.plane is not None:
            return rectangle_px(self._mm(pile.at_px), pile.size_mm, self.plane)
        x, y = pile.at_px
        side = 0.08 * self.image_size_px[1]
        return (
            (x - side, y - side),
            (x + side, y - side),
            (x + side, y + side),
            (x - side, y + side),
        )

    # -- changes

    def with_corners(self, corners_px: Sequence[Point]) -> Draft:
        """The rectangle's corners lie here; raises `DraftError` for what is no rectangle."""
        corners = tuple((float(x), float(y)) for x, y in corners_px)
        try:
            plane = plane_from_corners(corners, self.size_mm, self.image_size_px, self.plane)
        except PlaneError as error:
            raise DraftError(said("refused.corners", why=error)) from error
        return replace(self, plane=plane, found="corners", residual_mm=None)._told("plane")

    def with_size(self, size_mm: tuple[float, float]) -> Draft:
        """The rectangle has this size. Corners that were put somewhere stay there; on a plane
        that was found otherwise it is the rectangle that grows or shrinks."""
        if not all(20.0 <= side <= _FARTHEST_MM for side in size_mm):
            raise DraftError(said("refused.size", found=size_mm))
        resized = replace(self, size_mm=size_mm)
        return resized.with_corners(self.corners_px) if self.found == "corners" else resized

    def with_plane(
        self, plane: TablePlane, found: Found, residual_mm: float, assumed_from: str = ""
    ) -> Draft:
        """The table was found; the rectangle fills most of what the picture shows of it.

        ``assumed_from`` says from what its scale is assumed; empty where that was measured.
        """
        size_mm, residual_mm = framed_size_mm(plane), round(residual_mm, 3)
        there = replace(self, plane=plane, found=found, size_mm=size_mm, residual_mm=residual_mm)
        return there._told("plane", assumed_from)

    def with_pile_found(self, zone: Zone, assumed_from: str) -> Draft:
        """The draw pile was seen there; one that somebody put elsewhere stays where it is."""
        pile = self.piles.get(DRAW_PILE)
        if self.plane is None or (pile and pile.placed and DRAW_PILE not in self.assumed):
            return self
        there = Pile(polygon(self.plane.to_px(np.array([zone.centre_mm])))[0], zone.size_mm)
        return self.with_piles({**self.piles, DRAW_PILE: there})._told(DRAW_PILE, assumed_from)

    def with_seats(self, named: Sequence[tuple[str, Point | None]]) -> Draft:
        """These players, in any order; who has no place yet gets the widest gap.

        The order becomes clockwise, the first of ``named`` first. Raises `DraftError` for too
        many players.
        """
        most = max(most for _, most in PLAYER_COUNTS.values())
        if len(named) > most:
            raise DraftError(said("refused.many_players", most=most, found=len(named)))
        if any(not name.strip() or len(name) > 40 for name, _ in named):
            raise DraftError(said("refused.name"))
        first = self.first if self.first in [name for name, _ in named] else None
        placed = [at for _, at in named if at is not None]
        if not placed:
            spots = [self._around(90.0 + 360.0 * i / len(named)) for i in range(len(named))]
            around = tuple(Seat(n.strip(), at) for (n, _), at in zip(named, spots, strict=True))
            there = replace(self, seats=around, first=first, seats_assumed=True)
            return there._told("players", _SPREAD)
        seats: list[Seat] = []
        for name, at in named:
            spot = at if at is not None else self._around(self._gap_deg(placed))
            if at is None:
                placed.append(spot)
            seats.append(Seat(name.strip(), spot))
        from_deg = self._turn_deg(seats[0].at_px)
        seats.sort(key=lambda seat: (self._turn_deg(seat.at_px) - from_deg + 1e-6) % 360.0)
        draft = replace(self, seats=tuple(seats), first=first)
        moved = {at for _, at in named if at is not None} - {seat.at_px for seat in self.seats}
        return replace(draft, seats_assumed=False)._told("players") if moved else draft

    def with_seats_seen(self, seats_mm: Sequence[Point]) -> Draft:
        """Arms came in where somebody sits at these places, clockwise; nothing changes where a
        person has put the seats somewhere, or has named other people than so many."""
        if self.plane is None or "players" not in self.assumed:
            return self
        names = [seat.name for seat in self.seats]
        if len(names) != len(seats_mm):
            numbered = [_NUMBERED.fullmatch(name) for name in names]
            if not names or not all(numbered):
                return self
            word = names[0].rpartition(" ")[0]
            names = [f"{word} {i + 1}" for i in range(len(seats_mm))]
        spots = polygon(self.plane.to_px(np.array(seats_mm)))
        there = self.with_seats(list(zip(names, spots, strict=True)))
        return there._told("players", _REACHED)

    def with_first(self, name: str | None) -> Draft:
        """This player begins; None: whoever acts first."""
        if name is not None and name not in [seat.name for seat in self.seats]:
            raise DraftError(said("refused.first", found=repr(name)))
        return replace(self, first=name)

    def with_piles(self, piles: Mapping[str, Pile]) -> Draft:
        """Piles lie here; the frames of those that are missing wait where piles usually lie."""
        width, height = self.image_size_px
        usual = {
            name: Pile((x * width, y * height), placed=False)
            for name, (x, y) in _USUAL_SPOTS.items()
            if name in ZONES[self.game]
        }
        if unknown := piles.keys() - usual.keys():
            raise DraftError(said("refused.zone", usual=", ".join(usual), found=min(unknown)))
        if any(not 20.0 <= side <= 1000.0 for pile in piles.values() for side in pile.size_mm):
            raise DraftError(said("refused.zone_size"))
        draft = replace(self, piles=usual | dict(piles))
        moved = piles.get(DRAW_PILE) != self.piles.get(DRAW_PILE)
        return draft._told(DRAW_PILE) if moved else draft

    def with_masks(self, masks_px: Sequence[Sequence[Point]]) -> Draft:
        """These parts of the picture are never stored or shown."""
        if any(len(mask) < 3 for mask in masks_px):
            raise DraftError(said("refused.mask"))
        return replace(self, masks_px=tuple(tuple((x, y) for x, y in mask) for mask in masks_px))

    def with_game(self, game: GameName, options: Mapping[str, object]) -> Draft:
        """This game with these options, those at their default left out; raises `DraftError`."""
        try:
            parse_options(game, options)
        except OptionError as error:
            raise DraftError(said("refused.option", why=error)) from error
        deck = self.deck if game == self.game else None
        kept = {name: pile for name, pile in self.piles.items() if name in ZONES[game]}
        return replace(self, game=game, deck=deck, options=dict(options)).with_piles(kept)

    # -- the result

    def problems(self) -> list[Said]:
        """What is missing before a game can begin, a sentence each."""
        missing: list[Said] = []
        if self.plane is None:
            missing.append(said("problem.plane"))
        fewest, most = PLAYER_COUNTS[self.game]
        if not fewest <= len(self.seats) <= most:
            missing.append(said("problem.players", fewest=fewest, most=most))
        if len({seat.name for seat in self.seats}) < len(self.seats):
            missing.append(said("problem.names"))
        if self.plane is not None:
            far = [s.name for s in self.seats if max(map(abs, self._mm(s.at_px))) > _FARTHEST_MM]
            missing += [said("problem.far", name=name) for name in far]
            pile = self.piles.get(DRAW_PILE)
            if pile is None or not pile.placed:
                # Hands at a pile that is elsewhere draw unseen, and all that follows is a fault.
                missing.append(said("problem.draw_pile"))
        return missing

    def table(self) -> Table:
        """The table in millimetres; raises `DraftError` for what `problems` tells."""
        problems = self.problems()
        if self.plane is None or problems:
            raise DraftError(problems[0])
        return Table(
            plane=self.plane,
            players=tuple(Player(seat.name, self._mm(seat.at_px)) for seat in self.seats),
            zones={
                name: Zone(self._mm(pile.at_px), pile.size_mm)
                for name, pile in self.piles.items()
                if pile.placed
            },
            game=self.game,
            deck=self.deck or self.game,
            options=self.options,
            masks_px=self.masks_px,
            table_mm=self.size_mm,
            assumed=self.assumed,
            seats_assumed=self.seats_assumed,
            residual_mm=self.residual_mm,
        )

    def _told(self, what: str, assumed_from: str = "") -> Draft:
        """What is known from now on, or else what it is assumed from."""
        others = {one: how for one, how in self.assumed.items() if one != what}
        return replace(self, assumed=others | ({what: assumed_from} if assumed_from else {}))

    def _mm(self, at_px: Point) -> Point:
        assert self.plane is not None
        return polygon(self.plane.to_mm(np.array([at_px])))[0]

    def _around(self, turn_deg: float) -> Point:
        """A seat outside the picture; 0 is to the right of it, 90 below."""
        width, height = self.image_size_px
        turn, out = math.radians(turn_deg), _SEAT_OUT * height
        x = width / 2 + (width / 2 + out) * math.cos(turn)
        y = height / 2 + (height / 2 + out) * math.sin(turn)
        return round(x, 1), round(y, 1)

    def _turn_deg(self, at_px: Point) -> float:
        """On which side of the picture a seat is, as `_around` has it."""
        width, height = self.image_size_px
        out = _SEAT_OUT * height
        x = (at_px[0] - width / 2) / (width / 2 + out)
        y = (at_px[1] - height / 2) / (height / 2 + out)
        return math.degrees(math.atan2(y, x)) % 360.0

    def _gap_deg(self, placed: Sequence[Point]) -> float:
        """The middle of the widest gap between those who sit."""
        turns = sorted(self._turn_deg(at) for at in placed)
        gaps = [
            ((after - before) % 360.0 or 360.0, before)
            for before, after in zip(turns, turns[1:] + turns[:1], strict=True)
        ]
        width, before = max(gaps)
        return before + width / 2
