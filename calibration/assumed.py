"""A table that nobody described: what can be assumed from what is seen.

The plane comes from the cards. In a recording, seats come from the sides that arms come in from,
and the draw pile from where hands go though no card is laid there; in a single picture the pile
is the only face-down card's outline. Whatever was assumed is told, so that nobody takes it for
known.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from calibration.auto import PlaneFit, default_seats
from calibration.auto_cards import plane_from_cards
from calibration.card_outlines import card_outlines
from calibration.lens import Floats, Lens
from calibration.seats import LEAST_REACH_MM, SIDES, arms_in, reach_mm, seats_of
from calibration.table import Player, Table
from vision.facts import CARD_MM, Half, Image, Reader
from vision.hands import Arm, Zone
from vision.line import centres_mm
from vision.plane import TablePlane

_LEAST_VISITS: Final = 2
"""So many hands must go to a place before it is taken for the draw pile."""
_SAME_SPOT_MM: Final = 70.0
_OFF_LINE_MM: Final = 85.0
"""A hand that goes nearer to a face-up card than this may have laid or taken it."""
_ON_IT_MM: Final = 30.0
"""Where a face was seen so near to its middle, no draw pile lies."""
_FITS_MM: Final = 2.0
"""Cards that are wider or narrower than cards by more than this do not fit the plane."""
_PILE_MM: Final = (120.0, 130.0)
_PILE_SIDES: Final = (0.82, 1.3)
"""A pile is nearer to the camera than the table, and its outline not quite a card's."""
_PILE_SQUARE: Final = 0.14
"""Most cosine of a square pile's corners, 8 degrees: a cup with its handle is as large, but more
askew. In a plane of one card alone, piles are askew too."""


def assume_table(
    images: Sequence[Image],
    reader: Reader,
    names: Sequence[str] = (),
    *,
    video: Path | None = None,
    lens: Lens | None = None,
    one_faced: bool = False,
) -> Table | None:
    """The table in some pictures of one view; None where its plane cannot be told.

    ``names`` are the players' clockwise, the first at the bottom or next to it. ``video`` is the
    recording that the pictures are of: its arms tell the seats. ``one_faced`` says what kind of
    cards lie there, and so which game is played. `Table.assumed` says what was assumed, and
    why.
    """
    found = plane_from_cards(images, reader, lens, one_faced=one_faced)
    if found is None:
        return None
    arms = [] if video is None else arms_in(video, found.plane)
    halves = reader.read(images[-1], found.plane)
    before = [half for image in images[:-1] for half in reader.read(image, found.plane)]
    players, seats_from, seen = _players(found.plane, arms, names)
    pile, pile_from = find_draw_pile(images[-1], found.plane, halves, arms, before)
    assumed = {"plane": plane_from(found)}
    if players:
        assumed["players"] = seats_from
    if video is not None or pile is not None:
        assumed["draw_pile"] = pile_from
    game = "solo" if one_faced else "solomino"
    return Table(
        found.plane,
        players,
        {} if pile is None else {"draw_pile": pile},
        game=game,
        deck=game,
        assumed=assumed,
        seats_assumed=bool(players) and not seen,
        residual_mm=round(found.residual_mm, 3),
    )


def _players(
    plane: TablePlane, arms: Sequence[Arm], names: Sequence[str]
) -> tuple[tuple[Player, ...], str, bool]:
    """Players with their seats, what that is assumed from, and whether arms showed it."""
    seats = seats_of(arms, plane)
    if len(seats) >= 2 and len(names) in (0, len(seats)):
        called = names or [SIDES[seat.side] for seat in seats]
        players = tuple(
            Player(name, seat.seat_mm) for name, seat in zip(called, seats, strict=True)
        )
        return players, "one at each side of the picture from which arms came in", True
    if names:
        spots = default_seats(plane, len(names))
        players = tuple(Player(name, spot) for name, spot in zip(names, spots, strict=True))
        seen = f"arms came in from {len(seats)} sides" if arms else "no arms were seen"
        return players, f"evenly around the picture, the first at its bottom; {seen}", False
    if arms:
        spots = default_seats(plane, 2)
        players = (Player(SIDES[0], spots[0]), Player(SIDES[2], spots[1]))
        return players, "two, at the picture's bottom and top; too few arms were seen", False
    return (), "", False


def find_draw_pile(
    image: Image, plane: TablePlane, halves: Sequence[Half], arms: Sequence[Arm] = (),
    before: Sequence[Half] = (),
) -> tuple[Zone | None, str]:  # fmt: skip
    """Where the draw pile lies, and what that is assumed from; None where it cannot be told.

    ``halves`` are what was read in the picture, ``before`` in earlier ones: where a face lies up
    there is no draw pile, and where one lay hands had something else to do. Without ``arms`` the
    pile is found where only one card lies face down.
    """
    face_up = centres_mm(list(halves))
    tips = np.array([arm.deepest_mm for arm in arms if reach_mm(arm) >= LEAST_REACH_MM])
    tips = tips.reshape(-1, 2)
    to_line = _nearest_mm(tips, centres_mm([*halves, *before]))
    away = tips[to_line > _OFF_LINE_MM]
    lay_up = centres_mm(list(before))
    square, askew = (
        [pile for pile in lying if _nearest_mm(pile[None], lay_up)[0] > _ON_IT_MM]
        for lying in _face_down(image, plane, face_up)
    )

    def visits_of(piles: Sequence[Floats]) -> list[int]:
        # The line may have grown to the pile since: what is nearer to the pile was meant for it.
        near = np.minimum(to_line, _SAME_SPOT_MM)
        return [int((_nearest_mm(tips, pile[None]) < near).sum()) for pile in piles]

    # A pile that has slid is no square outline, and a box beside it may be one.
    drawn_from = max(visits_of(askew), default=0) >= _LEAST_VISITS and not any(visits_of(square))
    piles = askew if drawn_from else square or askew
    if piles:
        visits = visits_of(piles)
        best = int(np.argmax(visits))
        if visits[best] >= 1 or (len(piles) == 1 and not len(tips)):
            how = f"a face-down card lies there, and hands went there {visits[best]} times"
            return _zone(piles[best]), how if len(tips) else "the only face-down card lies there"
        if len(piles) == 1:  # a hand may go to its glass again and again, too
            return _zone(piles[0]), "the only face-down card lies there, though no hand went there"
    if len(away) >= _LEAST_VISITS:
        near = np.array([(_nearest_mm(away, spot[None]) < _SAME_SPOT_MM).sum() for spot in away])
        best = int(near.argmax())
        if near[best] >= _LEAST_VISITS:
            around = away[_nearest_mm(away, away[best][None]) < _SAME_SPOT_MM]
            how = f"hands went there {near[best]} times and laid nothing"
            return _zone(np.median(around, axis=0)), how
    return None, "none: no hand went to a place without face-up cards again and again"


def _face_down(
    image: Image, plane: TablePlane, face_up: Floats
) -> tuple[list[Floats], list[Floats]]:
    """Middles of cards' outlines in which no face was read: of square ones, and of others."""
    square: list[Floats] = []
    askew: list[Floats] = []
    for outline in card_outlines(image):
        corners = plane.to_mm(outline)
        along = np.roll(corners, -1, axis=0) - corners
        sides = np.linalg.norm(along, axis=1)
        along /= np.maximum(sides, 1e-6)[:, None]
        cosines = np.abs((along * np.roll(along, -1, axis=0)).sum(axis=1))
        short, long = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        fits = (_PILE_SIDES[0] < short / CARD_MM[0] < _PILE_SIDES[1]) and (
            _PILE_SIDES[0] < long / CARD_MM[1] < _PILE_SIDES[1]
        )
        middle = corners.mean(axis=0)
        if fits and float(_nearest_mm(middle[None], face_up)[0]) > CARD_MM[0]:
            (square if float(cosines.max()) < _PILE_SQUARE else askew).append(middle)
    return square, askew


def _zone(middle: Floats) -> Zone:
    return Zone((round(float(middle[0]), 1), round(float(middle[1]), 1)), _PILE_MM)


def _nearest_mm(points: Floats, others: Floats) -> Floats:
    """Distance of each point to the nearest of some others; infinite where there is none."""
    if not len(others):
        return np.full(len(points), np.inf)
    apart = np.linalg.norm(points[:, None] - others[None], axis=2)
    return np.asarray(apart.min(axis=1), np.float64)


def plane_from(found: PlaneFit) -> str:
    """What a plane that was found by cards is assumed from."""
    said = f"from {found.halves} {found.told_by}, to {found.residual_mm:.1f} mm of their width"
    if found.residual_mm > _FITS_MM:
        said += ", which is badly; a printed page is surer ('referee calibrate page')"
    return said
