"""The reader that a game is read with: the network's, sharpened where the deck is known."""

from __future__ import annotations

from typing import Final

from calibration.deck_shelf import open_deck
from referee.errors import RefereeError
from vision.enrolled import EnrolledReader
from vision.facts import Reader
from vision.halves import HalfReader
from vision.weights import weights_folder

QUICKLY: Final = 2
"""Threads of a reader for which somebody waits; what it reads is the same to the last bit."""


def open_reader(game: str, deck: str = "", threads: int = 1) -> Reader:
    """The reader for a game, and for a deck by its name or file where one is given.

    One thread takes the least time in all: beside a camera and viewers nothing else counts.
    Raises `DeckError` for a deck that is none, `RefereeError` for one of the other game.
    """
    known = open_deck(deck) if deck else None
    if known is not None and known.game != game:
        raise RefereeError(f"--deck: expected a deck of {game}, found {deck}, one of {known.game}")
    reader = HalfReader.load(weights_folder(), threads, one_faced=game == "solo")
    return reader if known is None else EnrolledReader(reader, known.look)


def open_eager_reader(game: str) -> Reader:
    """A reader for decks that are yet to be enrolled, whose faces it may never have seen."""
    return HalfReader.load(weights_folder(), one_faced=game == "solo").eager()
