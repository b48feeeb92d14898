"""Enrol your own deck so that it reads better; list, show and print decks.

What is printed are drawings of our own, whatever the deck looks like.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from calibration.deck import SUFFIX, Deck, DeckError, check_name, load_deck, save_deck
from calibration.deck_enrol import Enrolment, Question, remarks
from calibration.deck_sheet import contact_sheet, picture_of
from calibration.deck_shelf import file_name, find_deck, open_deck, shelved, user_folder
from calibration.printing.sheets import PAPERS_MM, Order, print_deck, print_list
from calibration.table import load_table
from referee.enrolling import read_answers, settle, shown_cards
from referee.errors import RefereeError
from referee.reading import open_eager_reader
from vision.facts import PRINT_COLOURS, PRINT_FACES, Image

app = typer.Typer(help=f"{__doc__}", rich_markup_mode=None, no_args_is_help=True)


class Game(StrEnum):
    """Which game a deck is of."""

    SOLOMINO = "solomino"
    SOLO = "solo"


class Paper(StrEnum):
    """What a printer holds."""

    A4 = "a4"
    LETTER = "letter"


class Flip(StrEnum):
    """The edge over which a sheet is turned."""

    LONG = "long"
    SHORT = "short"


@app.command()
def enrol(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Photographs, videos, or a camera (its number or address).",
        ),
    ],
    name: Annotated[str, typer.Option(help="What the deck is to be called.")],
    game: Annotated[Game, typer.Option(help="Which game it is of.")] = Game.SOLOMINO,
    table: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="The table's calibration; without it the table is found from the cards.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, metavar="FILE", help="Where it goes (default: among your decks)."
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over a deck that is called so already.")
    ] = False,
    answers: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help='Answers to what is not sure, as TOML: "face 3" = "P". The rest is assumed.',
        ),
    ] = None,
    assume: Annotated[
        bool, typer.Option("--assume", help="Ask nothing: what is likeliest is taken.")
    ] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            metavar="FOLDER",
            help="Where the pictures of what is asked go (default: NAME-faces here).",
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Open the pictures of what is asked.")
    ] = False,
) -> None:
    """Enrol a deck: show each card once, and from then on it reads better.

    Lay the cards out and take photographs of them, a dozen at a time; or film how you lay them
    down one after another, on a pile or side by side; or show them to the camera and end with
    Ctrl-C. Any order will do. Twice is better than once, but once is enough. Each photograph is
    taken to show other cards, unless it shows the very same spread again.

    The program reads the cards, asks about drawings that it is not sure of, counts the cards and
    tells what came twice or never. The deck file can be put right by hand, and shared.

    \b
    Examples:
      referee deck enrol photos/*.jpg --name "My SOLOmino"
      referee deck enrol cards.mp4 --name blue-edition --table table.json
      referee deck enrol 0 --name blue-edition
      referee review game.mp4 --deck blue-edition --players Ann,Ben --out out
    """
    try:
        check_name(name)  # before anybody answers questions for it
    except DeckError as error:
        raise typer.BadParameter(str(error), param_hint="--name") from None
    path = out or user_folder() / file_name(name)
    if path.exists() and not replace:
        raise RefereeError(f"{path}: there is a deck called so already; --replace writes over it")
    told = read_answers(answers) if answers else {}
    plane = None if table is None else load_table(table).plane
    shown = shown_cards(sources, plane, open_eager_reader(game.value), one_faced=game is Game.SOLO)
    if not shown:
        raise RefereeError("expected cards that lie face up and can be read, found none")
    enrolment = Enrolment(game.value, shown)
    folder = pictures or Path(f"{file_name(name).split('.')[0]}-faces")
    asking = not assume and answers is None and sys.stdin.isatty()
    settled = settle(enrolment, told, folder, asking=asking, show=show)
    deck = enrolment.deck(settled, name)
    save_deck(deck, path)
    load_deck(path)  # what cannot be read back must not look like success
    print(f"{deck.count} cards, {len(deck.cards)} different ones: {path}")
    for remark in remarks(deck.cards, deck.game):
        print(f"note: {remark}")
    print(f"From now on: --deck {path.name.removesuffix(SUFFIX) if out is None else path}")


# -- looking at decks


@app.command("list")
def list_decks(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a deck.")] = False,
) -> None:
    """List the decks that --deck knows by name: yours and those that come with the program.

    \b
    Examples:
      referee deck list
      referee deck list --json
    """
    for one in shelved():
        try:
            deck = load_deck(one.path)
        except (DeckError, OSError) as error:
            print(f"referee deck list: {error}", file=sys.stderr)
            continue
        if as_json:
            said = {"name": one.name, "game": deck.game, "cards": deck.count, "own": one.own}
            print(json.dumps({**said, "path": str(one.path)}))
        else:
            whose = "yours" if one.own else "comes with the program"
            print(f"{one.name:24} {deck.game:9} {deck.count:4} cards  {whose}")


@app.command()
def show(
    deck: Annotated[str, typer.Argument(metavar="DECK", help="A deck's name or file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    sheet: Annotated[
        Path | None,
        typer.Option(dir_okay=False, metavar="FILE", help="Write a picture of its faces (PNG)."),
    ] = None,
) -> None:
    """Show what is in a deck: how many of each half and card, and what is odd about it.

    \b
    Examples:
      referee deck show house-solomino
      referee deck show my.deck.toml --sheet faces.png
    """
    found = open_deck(deck)
    if sheet is not None:
        picture_of(_faces_of(found), sheet)
    if as_json:
        said = {"name": found.name, "game": found.game, "cards": dict(found.cards)}
        print(json.dumps({**said, "remarks": remarks(found.cards, found.game)}))
        return
    print(f"{found.name}: {found.game}, {found.count} cards, {len(found.cards)} different ones")
    print(find_deck(deck))
    if found.about:
        print(found.about)
    print()
    print(_halves_table(found))
    for remark in remarks(found.cards, found.game):
        print(f"note: {remark}")


def _halves_table(deck: Deck) -> str:
    """How often each half is there: colours down, faces across."""
    counts: dict[str, int] = {}
    for card, copies in deck.cards.items():
        for half in card.split("/"):
            counts[half] = counts.get(half, 0) + copies
    faces = [face for face in PRINT_FACES if any(half[1] == face for half in counts)]
    colours = [colour for colour in PRINT_COLOURS if any(half[0] == colour for half in counts)]
    lines = ["    " + " ".join(f"{face:>2}" for face in faces)]
    lines += [
        f"  {colour} " + " ".join(f"{counts.get(colour + face, 0) or '·':>2}" for face in faces)
        for colour in colours
    ]
    return "\n".join(lines)


def _faces_of(deck: Deck) -> Image:
    """The pictures of a deck's halves, each with its name."""
    pictures = []
    for half, data in sorted(deck.pictures.items()):
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise DeckError(f"pictures.{half}: expected a JPEG, found something else")
        pictures.append(Question(f"face {half}", half, (), False, np.asarray(image, np.uint8)))
    if not pictures:
        raise RefereeError(f"{deck.name}: expected pictures in the deck, found none")
    return contact_sheet(pictures)


# -- printing


@app.command("print")
def print_(
    deck: Annotated[str, typer.Argument(metavar="DECK", help="A deck's name or file.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", dir_okay=False, metavar="FILE", help="The PDF (default: DECK.pdf)."
        ),
    ] = None,
    paper: Annotated[Paper, typer.Option(help="a4, or letter.")] = Paper.A4,
    flip: Annotated[
        Flip, typer.Option(help="Over which edge the printer turns the sheet: long or short.")
    ] = Flip.LONG,
    backs: Annotated[
        bool, typer.Option("--backs/--no-backs", help="With the cards' backs, or fronts alone.")
    ] = True,
    shift: Annotated[
        str,
        typer.Option(
            metavar="X,Y", help="Moves the backs, in mm to the right and down, if they come askew."
        ),
    ] = "0,0",
    listed: Annotated[
        bool, typer.Option("--list", help="Instead of cards to cut out, a list of the deck.")
    ] = False,
) -> None:
    """Print a deck: a PDF of cards to cut out, 59 x 91 mm, in drawings of our own.

    'house-solomino' and 'house-solo' come with the program: print one, cut it, and play. A deck
    that you enrolled is printed with its own cards in our drawings, say to replace lost ones.
    Print at 100 %, on both sides.

    \b
    Examples:
      referee deck print house-solomino
      referee deck print house-solo --paper letter --flip short -o solo.pdf
      referee deck print blue-edition --list
    """
    found = open_deck(deck)
    name = Path(deck).name.split(".")[0]
    path = out or Path(f"{name}-list.pdf" if listed else f"{name}.pdf")
    if listed:
        pages = print_list(found.name, found.about, found.cards, paper.value, path)
    else:
        cards = tuple(c for c, n in sorted(found.cards.items()) for _ in range(n))
        order = Order(
            found.name, found.about, cards, paper.value, backs, flip.value, _millimetres(shift)
        )
        pages = print_deck(order, path)
    size = " x ".join(f"{side:g}" for side in PAPERS_MM[paper.value])
    print(f"{pages} pages of {size} mm: {path}")


def _millimetres(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(
            f"expected two numbers such as 0.5,-1, found {text!r}", param_hint="--shift"
        ) from None
    return x, y
