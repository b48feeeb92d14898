"""Find the table's plane, measure the lens, print the pages that help with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from calibration.assumed import assume_table
from calibration.boards import Board, CharucoBoard, Chessboard
from calibration.check_picture import draw_check
from calibration.lens import Floats, Lens, load_lens, save_lens
from calibration.lens_fit import LensRefusal, measure_lens
from calibration.markers import MarkerRefusal, find_markers
from calibration.outline import plane_from_corners
from calibration.prints import print_board, print_markers
from calibration.sightings import LOOK_EVERY_S, MixedSizesError, Sought, draw_coverage, seek
from calibration.sources import is_picture, is_recording, pictures, table_pictures
from calibration.table import Table, load_table, save_table
from referee.asking import GameOption, asked_game, player_names
from referee.errors import RefereeError
from referee.lens_report import coverage_text, lens_text
from referee.reading import open_reader
from vision.facts import Image
from vision.plane import PlaneError, TablePlane


class Paper(StrEnum):
    """Paper sizes."""

    A4 = "a4"
    LETTER = "letter"


app = typer.Typer(
    help="Find the table's plane, measure the lens, print the pages that help with it.\n\n"
    "Without any of this the table is found from the cards that lie on it. A printed page of"
    " markers makes it surer, and a measured lens makes it true up to the picture's rim.",
    epilog="Examples: referee calibrate auto game.mp4 | referee calibrate page |"
    " referee calibrate table 0",
    rich_markup_mode=None,
    no_args_is_help=True,
)

PaperOption = Annotated[Paper, typer.Option(help="The paper's size.")]
OutOption = Annotated[
    Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="The table file to write.")
]
LensOption = Annotated[
    Path | None,
    typer.Option(
        "--lens",
        exists=True,
        dir_okay=False,
        metavar="FILE",
        help="The camera's lens, from 'referee calibrate lens'.",
    ),
]
CheckOption = Annotated[
    Path | None,
    typer.Option(
        "--check",
        metavar="FILE",
        dir_okay=False,
        help="The picture to check by (default: beside the table file, .check.jpg).",
    ),
]
SOURCE = "A picture, a video, a folder of pictures, a camera's number or name, or an address."


@app.command()
def auto(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE)],
    out: OutOption = Path("table.json"),
    players: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="The players' names, clockwise; the first sits at the picture's bottom.",
        ),
    ] = "",
    game: GameOption = None,
    lens: LensOption = None,
    check: CheckOption = None,
) -> None:
    """Find the table from the cards that lie on it; in a recording seats and draw pile, too.

    Two whole cards that lie flat and apart are enough, more are better. Who sits where follows
    from which side arms come in, the draw pile from where they go. What was assumed is told, and
    written into the table file.

    \b
    Examples:
      referee calibrate auto game.mp4
      referee calibrate auto table.jpg --out table.json
      referee calibrate auto 0 --players Ann,Ben
    """
    images = table_pictures(source)
    video = Path(source) if is_recording(source) else None
    played = asked_game(None, game)
    if video is not None and sys.stderr.isatty():
        print("looking for the table, and for who sits where ...", file=sys.stderr)
    table = assume_table(
        images,
        open_reader(played),
        player_names(players),
        video=video,
        lens=_lens(lens, images[-1]),
        one_faced=played == "solo",
    )
    if table is None:
        raise RefereeError(
            f"{source}: expected two whole cards that lie face up and flat, found too few; lay"
            " some there, or use the page of markers ('referee calibrate page')"
        )
    _finish(table, images[-1], out, check, f"{table.residual_mm:.2f} mm of the cards' width")
    for what, how in table.assumed.items():
        print(f"assumed: {what}: {how}")


@app.command()
def page(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="The PDF to write.")
    ] = Path("markers.pdf"),
    paper: PaperOption = Paper.A4,
    pages: Annotated[
        int, typer.Option(min=1, max=8, help="How many; several, laid far apart, are surer.")
    ] = 1,
) -> None:
    """Make the page of markers to print: it tells the table's plane at a glance.

    Print it at 100 %, check the ruler at its foot, lay it flat on the table, and call
    'referee calibrate table'. Two to four pages towards the corners of a large table tell its
    rim more surely than one in the middle.

    \b
    Examples:
      referee calibrate page
      referee calibrate page --paper letter --pages 4 --out markers.pdf
    """
    print_markers(out, paper.value, pages)
    print(f"{out}: print it at 100 %, and check that its ruler measures 100 mm")


@app.command()
def board(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="The PDF to write.")
    ] = Path("board.pdf"),
    paper: PaperOption = Paper.A4,
) -> None:
    """Make the board to print that a lens is measured with.

    \b
    Examples:
      referee calibrate board
      referee calibrate board --paper letter
    """
    print_board(out, paper.value, CharucoBoard())
    print(f"{out}: print it at 100 %, and glue it onto something flat")


@app.command("table")
def find_table(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE)],
    corners: Annotated[
        str,
        typer.Option(
            metavar="'X,Y X,Y X,Y X,Y'",
            help="Instead of markers: where the picture shows the four corners of something of"
            " known size, clockwise from its top left.",
        ),
    ] = "",
    size: Annotated[
        str, typer.Option(metavar="WxH", help="With --corners: its width and depth in mm.")
    ] = "",
    ruler: Annotated[
        float,
        typer.Option(
            min=50, max=200, metavar="MM", help="How long the printed page's ruler came out."
        ),
    ] = 100.0,
    lens: LensOption = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="A table file to take players, zones and rules from.",
        ),
    ] = None,
    out: OutOption = Path("table.json"),
    check: CheckOption = None,
) -> None:
    """Find the table by the printed page of markers, or by four corners of known size.

    Writes the table file and a picture with a grid of millimetres drawn onto the table: look
    whether its squares are square, and a card 59 x 91 mm.

    \b
    Examples:
      referee calibrate table 0
      referee calibrate table markers.jpg --lens lens.json
      referee calibrate table table.jpg --corners '310,180 1620,190 1790,980 150,960' --size 1200x800
    """
    if bool(corners) != bool(size):
        raise typer.BadParameter("expected --corners and --size together", param_hint="--corners")
    image = table_pictures(source)[-1]
    known = _lens(lens, image)
    marks: Floats | None = None
    if corners:
        plane = _by_corners(image, corners, size, known)
        residual_mm, residual = None, "not known: four corners fit any plane"
    else:
        found = find_markers(image, known, ruler / 100.0)
        if isinstance(found, MarkerRefusal):
            raise RefereeError(f"{source}: {found.reason}")
        plane, marks = found.plane, found.corners_px
        residual_mm = round(found.residual_mm, 3)
        residual = f"{found.residual_mm:.2f} mm ({len(found.markers)} markers)"
    before = Table(plane) if keep is None else load_table(keep)
    table = before.on_plane(plane, residual_mm)
    _finish(table, image, out, check, residual, marks)


@app.command("lens")
def measure(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...", help="A video, pictures, a folder of them, or a camera."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="The lens file to write.")
    ] = Path("lens.json"),
    chessboard: Annotated[
        str,
        typer.Option(metavar="CxR", help="A plain chessboard of so many inner corners instead."),
    ] = "",
    charuco: Annotated[
        str, typer.Option(metavar="CxR", help="Another ChArUco board: its squares.")
    ] = "",
    square: Annotated[
        float | None, typer.Option(min=1, metavar="MM", help="The side of a square.")
    ] = None,
    marker: Annotated[
        float | None, typer.Option(min=1, metavar="MM", help="The side of a ChArUco marker.")
    ] = None,
    dictionary: Annotated[
        str, typer.Option(metavar="NAME", help="The ChArUco board's set of markers.")
    ] = "5x5_100",
    seconds: Annotated[
        float, typer.Option(min=5, max=600, help="How long to watch a camera.")
    ] = 60.0,
    coverage: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Draw what was covered as a picture."),
    ] = None,
) -> None:
    """Measure a camera's lens with the printed board ('referee calibrate board').

    Film the board near and far, in all corners of the picture and tilted each way: some twenty
    seconds. It is told which parts of the picture were covered, and whether the views were
    enough.

    \b
    Examples:
      referee calibrate lens board.mp4
      referee calibrate lens 0 --seconds 45
      referee calibrate lens *.jpg --chessboard 9x6 --square 25
      referee calibrate lens *.jpg --charuco 5x7 --square 40 --marker 20 --dictionary 6x6_250
    """
    asked = _board(chessboard, charuco, square, marker, dictionary)
    images = (image for source in sources for image in pictures(source, LOOK_EVERY_S, seconds))
    try:
        sought = _watch(seek(images, asked, all_differ=all(map(is_picture, sources))))
    except MixedSizesError as error:
        raise RefereeError(str(error)) from None
    if sought is None:
        raise RefereeError(f"{', '.join(sources)}: expected pictures, found none")
    result = measure_lens(sought.sightings, sought.size_px)
    print(f"board found in {sought.found} of {sought.looked} pictures,", end=" ")
    print(f"{len(sought.sightings)} views kept")
    print(coverage_text(result))
    if coverage is not None:
        _write_picture(draw_coverage(sought.size_px, sought.sightings), coverage)
    if isinstance(result, LensRefusal):
        raise RefereeError(result.reason)
    print(lens_text(result))
    save_lens(result.lens, out)
    print(out)


def _watch(progress: Iterator[Sought]) -> Sought | None:
    last = None
    for last in progress:
        if sys.stderr.isatty():
            print(f"\r{len(last.sightings)} views ", end="", file=sys.stderr, flush=True)
    if last is not None and sys.stderr.isatty():
        print(file=sys.stderr)
    return last


def _board(
    chessboard: str, charuco: str, square: float | None, marker: float | None, dictionary: str
) -> Board:
    try:
        if chessboard:
            columns, rows = _counts(chessboard, "--chessboard")
            return Chessboard(columns, rows, 25.0 if square is None else square)
        if not charuco:
            if square is None and marker is None:
                return CharucoBoard()
            # Our own board from a printer that changed its size.
            side = 27.0 if square is None else square
            return CharucoBoard(square_mm=side, marker_mm=marker or side * 20.0 / 27.0)
        columns, rows = _counts(charuco, "--charuco")
        side = 40.0 if square is None else square
        return CharucoBoard(columns, rows, side, marker or side * 0.75, dictionary)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="the board") from None


def _counts(text: str, option: str) -> tuple[int, int]:
    columns, _, rows = text.lower().partition("x")
    if not (columns.isdigit() and rows.isdigit()):
        raise typer.BadParameter(
            f"expected two numbers such as 9x6, found {text!r}", param_hint=option
        )
    return int(columns), int(rows)


def _by_corners(image: Image, corners: str, size: str, lens: Lens | None) -> TablePlane:
    try:
        spots = tuple(
            (float(x), float(y)) for x, y in (spot.split(",") for spot in corners.split())
        )
    except ValueError:
        raise typer.BadParameter(
            f"expected four points such as '310,180 1620,190 1790,980 150,960', found {corners!r}",
            param_hint="--corners",
        ) from None
    try:
        width, depth = (float(side) for side in size.lower().split("x"))
    except ValueError:
        raise typer.BadParameter(
            f"expected a size in millimetres such as 1200x800, found {size!r}", param_hint="--size"
        ) from None
    height_px, width_px = image.shape[:2]
    lens_plane = None
    if lens is not None:
        lens_plane = TablePlane(
            np.eye(3), (width_px, height_px), lens.camera_matrix_px, lens.distortion
        )
    try:
        return plane_from_corners(spots, (width, depth), (width_px, height_px), lens_plane)
    except PlaneError as error:
        raise typer.BadParameter(str(error), param_hint="--corners") from None


def _lens(path: Path | None, image: Image) -> Lens | None:
    return None if path is None else load_lens(path).resized((image.shape[1], image.shape[0]))


def _finish(
    table: Table,
    image: Image,
    out: Path,
    check: Path | None,
    residual: str,
    marks_px: Floats | None = None,
) -> None:
    """Write the table file and the picture to check by, and say where they are."""
    save_table(table, out)
    picture = check or out.with_suffix(".check.jpg")
    _write_picture(draw_check(image, table, marks_px), picture)
    print(f"table:    {out}")
    print(f"residual: {residual}")
    print(f"check:    {picture} (a grid of 50 mm: are its squares square on the table?)")


def _write_picture(image: Image, path: Path) -> None:
    suffix = path.suffix or ".jpg"
    try:
        done, data = cv2.imencode(suffix, image)
    except cv2.error:
        done = False
    if not done:
        raise RefereeError(f"{path}: expected a name such as check.jpg, found {suffix!r}")
    path.write_bytes(np.asarray(data).tobytes())
