"""Pages to print in true size: markers for the table, a board for the lens.

Everything is drawn as filled rectangles, so that print is sharp at any resolution. All fits on
A4 and on US Letter alike; a ruler line on each page shows whether the printer kept the size.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.boards import CharucoBoard
from calibration.markers import MARKER_MM, PAGES, marker_cells, page_markers

PAPERS: Final = {"a4": A4, "letter": LETTER}
"""Paper sizes by name, in points."""
RULER_MM: Final = 100.0
MARGIN_MM: Final = 10.0
"""Hardly any printer leaves a wider rim white."""
_OVERLAP: Final = 0.02
"""Millimetres by which neighbouring rectangles overlap, so that no hair of white shows."""


def print_markers(path: Path, paper: str, pages: int = 1) -> None:
    """Write pages of markers: the first for the middle of the table, others for its corners.

    Raises ValueError for an unknown paper or more pages than there are markers for.
    """
    if not 1 <= pages <= PAGES:
        raise ValueError(f"expected 1 to {PAGES} pages, found {pages}")
    canvas = _canvas(path, paper, "Table Referee: markers")
    for page in range(pages):
        width, _ = _title(
            canvas,
            paper,
            f"Table Referee · markers, page {page + 1}",
            "Print at 100 % (not 'fit to page'), check the ruler, lay the page flat on the table"
            " in the camera's view.",
            "Then: referee calibrate table SOURCE"
            + ("" if pages == 1 else "   (pages may lie anywhere, at any angle; none may move)"),
        )
        for number, centre in page_markers(page).items():
            _cells(
                canvas,
                marker_cells(number),
                width / 2 + centre[0] - MARKER_MM / 2,
                _middle(paper) - centre[1] + MARKER_MM / 2,
                MARKER_MM,
            )
        _ruler(canvas, width)
        canvas.showPage()
    canvas.save()


def print_board(path: Path, paper: str, board: CharucoBoard) -> None:
    """Write a ChArUco board; raises ValueError for an unknown paper or a board too large for it."""
    canvas = _canvas(path, paper, "Table Referee: board for the lens")
    width, height = (side / mm for side in PAPERS[paper])
    across, down = board.columns * board.square_mm, board.rows * board.square_mm
    if across > width - 2 * MARGIN_MM or down > height - 32.0:
        raise ValueError(
            f"expected a board of at most {width - 2 * MARGIN_MM:.0f} x {height - 32:.0f} mm on"
            f" {paper}, found {across:.0f} x {down:.0f} mm"
        )
    _title(
        canvas,
        paper,
        "Table Referee · board for the lens",
        "Print at 100 %, glue it onto something flat. Film it near and far, in every corner of"
        " the picture, tilted each way.",
        f"Then: referee calibrate lens VIDEO   ({board.columns} x {board.rows} squares of"
        f" {board.square_mm:g} mm, markers {board.marker_mm:g} mm, {board.dictionary})",
    )
    left, top = width / 2 - across / 2, _middle(paper) + down / 2
    number = 0
    markers = board.markers()
    inset = (board.square_mm - board.marker_mm) / 2
    for row in range(board.rows):
        for column in range(board.columns):
            x, y = left + column * board.square_mm, top - row * board.square_mm
            if (row + column) % 2 == 0:
                _fill(canvas, x, y, board.square_mm, board.square_mm)
                continue
            _cells(canvas, markers[number], x + inset, y - inset, board.marker_mm)
            number += 1
    _ruler(canvas, width)
    canvas.showPage()
    canvas.save()


def _canvas(path: Path, paper: str, title: str) -> Canvas:
    if paper not in PAPERS:
        raise ValueError(f"expected one of the papers {', '.join(PAPERS)}, found {paper!r}")
    # Without the time of day in it, the same page is the same file.
    canvas = Canvas(str(path), pagesize=PAPERS[paper], invariant=1)
    canvas.setTitle(title)
    return canvas


def _middle(paper: str) -> float:
    """Height of what is drawn's middle over the page's lower edge, in millimetres."""
    return float(PAPERS[paper][1] / mm / 2 + 1.0)


def _title(canvas: Canvas, paper: str, title: str, what: str, then: str) -> tuple[float, float]:
    """The words at the top; returns the page's size in millimetres."""
    width, height = (float(side / mm) for side in PAPERS[paper])
    canvas.setFillGray(0.0)
    for line, (size, y, face) in zip(
        (title, what, then),
        ((10, 6.5, "Helvetica-Bold"), (7.5, 10.5, "Helvetica"), (7.5, 14.0, "Helvetica")),
        strict=True,
    ):
        canvas.setFont(face, size)
        canvas.drawString(MARGIN_MM * mm, (height - y) * mm, line)
    return width, height


def _ruler(canvas: Canvas, width_mm: float) -> None:
    """A line of 100 mm with a tick each 10 mm, at the foot of the page."""
    left, y = width_mm / 2 - RULER_MM / 2, 8.5
    canvas.setLineWidth(0.25 * mm)
    canvas.line(left * mm, y * mm, (left + RULER_MM) * mm, y * mm)
    for i in range(11):
        x = left + i * RULER_MM / 10
        high = 3.0 if i % 5 == 0 else 1.6
        canvas.line(x * mm, y * mm, x * mm, (y + high) * mm)
    canvas.setFont("Helvetica", 7)
    canvas.drawCentredString(
        width_mm / 2 * mm,
        (y - 3.2) * mm,
        "100 mm from the first to the last tick. Another length? Give it: --ruler LENGTH",
    )


def _cells(canvas: Canvas, black: NDArray[np.bool_], left: float, top: float, size: float) -> None:
    """A marker: its black cells, each row's runs as one rectangle."""
    step = size / len(black)
    for row, cells in enumerate(black):
        column = 0
        while column < len(cells):
            if not cells[column]:
                column += 1
                continue
            first = column
            while column < len(cells) and cells[column]:
                column += 1
            _fill(canvas, left + first * step, top - row * step, (column - first) * step, step)


def _fill(canvas: Canvas, left: float, top: float, wide: float, high: float) -> None:
    canvas.rect(
        left * mm,
        (top - high - _OVERLAP) * mm,
        wide * mm,
        (high + 2 * _OVERLAP) * mm,
        stroke=0,
        fill=1,
    )
