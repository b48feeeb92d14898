"""PDF pages of cards to cut out: fronts, backs that fall behind them, a cover, a list.

Cards lie edge to edge in a grid in the middle of the page, so that one cut parts two cards and
either way of turning the sheet brings the backs' grid behind the fronts'. All lengths are true
at a scale of 100 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Final, Literal

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.printing.faces import back, card
from calibration.printing.icons import INKS, badge, icon
from calibration.printing.shapes import Drawing, Shape, box, coloured, moved
from vision.facts import CARD_MM

Flip = Literal["long", "short"]

PAPERS_MM: Final[Mapping[str, tuple[float, float]]] = {
    "a4": (210.0, 297.0),
    "letter": (279.4, 215.9),  # lying: two rows of four, where a standing page holds six
}
GREY: Final = "#c4c7cc"
_TEXT: Final = "#1d1f26"
_SOFT: Final = "#666a73"
_BLEED_OF_LINES_MM: Final = 4.0
"""How far cutting lines end before the paper's edge, which no printer reaches."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where cards lie on a page."""

    page_mm: tuple[float, float]
    columns: int
    rows: int

    @staticmethod
    def on(paper: str) -> Grid:
        """As many cards as a paper holds."""
        wide, tall = PAPERS_MM[paper]
        return Grid((wide, tall), int((wide - 12) // CARD_MM[0]), int((tall - 12) // CARD_MM[1]))

    @property
    def cells(self) -> int:
        """Cards a page."""
        return self.columns * self.rows

    def corner_mm(self, cell: int) -> tuple[float, float]:
        """The top left corner of a cell, cells counted along the rows."""
        x0 = (self.page_mm[0] - self.columns * CARD_MM[0]) / 2
        y0 = (self.page_mm[1] - self.rows * CARD_MM[1]) / 2
        return (
            x0 + (cell % self.columns) * CARD_MM[0],
            y0 + (cell // self.columns) * CARD_MM[1],
        )

    def behind(self, cell: int, flip: Flip) -> int:
        """The cell of the sheet's other side that lies behind a cell, once the sheet is turned
        over its long or its short edge."""
        column, row = cell % self.columns, cell // self.columns
        stands = self.page_mm[1] > self.page_mm[0]
        if (flip == "long") == stands:
            return row * self.columns + self.columns - 1 - column
        return (self.rows - 1 - row) * self.columns + column


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be printed."""

    title: str
    about: str
    cards: tuple[str, ...]
    """In contract notation, as many as there are copies."""
    paper: str = "a4"
    backs: bool = True
    flip: Flip = "long"
    shift_mm: tuple[float, float] = (0.0, 0.0)
    """How far the printer puts backs off their place: to the right and down, on the back."""


def print_deck(order: Order, path: Path) -> int:
    """Write the PDF of a deck; returns its number of pages."""
    grid = Grid.on(order.paper)
    canvas = _canvas(path, grid.page_mm, order.title)
    pen = _Pen(canvas, grid.page_mm[1])
    _cover(pen, grid, order)
    if order.backs:
        canvas.showPage()  # the cover's other side: fronts begin on a sheet of their own
    canvas.showPage()
    sheets = list(_sheets(order.cards, grid.cells))
    for number, cards in enumerate(sheets, 1):
        _front(pen, grid, cards, f"{order.title}   sheet {number} of {len(sheets)}")
        canvas.showPage()
        if order.backs:
            _backs(pen, grid, len(cards), order)
            canvas.showPage()
    canvas.save()
    return 1 + order.backs + len(sheets) * (1 + order.backs)


def _sheets(cards: Sequence[str], cells: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(cards), cells):
        yield cards[start : start + cells]


def print_list(title: str, about: str, cards: Mapping[str, int], paper: str, path: Path) -> int:
    """Write a PDF that lists a deck's cards in small, with the copies of each; its pages."""
    page_mm = PAPERS_MM[paper]
    canvas = _canvas(path, page_mm, title)
    pen = _Pen(canvas, page_mm[1])
    scale, step_x, step_y, top = 0.2, 18.0, 29.0, 42.0
    columns = int((page_mm[0] - 24) // step_x)
    rows = int((page_mm[1] - top - 12) // step_y)
    shown = [(text, count) for text, count in sorted(cards.items()) if count]
    pages = list(_sheets([text for text, _ in shown], columns * rows))
    for number, part in enumerate(pages, 1):
        pen.text(title, 12, 20, 20, bold=True)
        kinds = f"{sum(cards.values())} cards, {len(shown)} different ones"
        pen.text(f"{kinds}   page {number} of {len(pages)}", 12, 28, 9, colour=_SOFT)
        pen.text(about, 12, 34, 9, colour=_SOFT)
        for i, text in enumerate(part):
            x, y = 12 + (i % columns) * step_x, top + (i // columns) * step_y
            pen.draw(moved(card(text), x, y, scale=scale))
            pen.draw((Shape(box(x, y, x + 11.8, y + 18.2, 0.8), GREY, 0.15, closed=True),))
            pen.text(text, x, y + 22, 7.5)
            if cards[text] > 1:
                pen.text(f"× {cards[text]}", x + 12.6, y + 5, 8, bold=True)
        canvas.showPage()
    canvas.save()
    return len(pages)


def _canvas(path: Path, page_mm: tuple[float, float], title: str) -> Canvas:
    path.parent.mkdir(parents=True, exist_ok=True)
    size = (page_mm[0] * mm, page_mm[1] * mm)
    # `invariant` leaves the time out: the same deck gives the same file.
    canvas = Canvas(str(path), pagesize=size, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("table-referee")
    return canvas


class _Pen:
    """Draws on a canvas in millimetres from the page's top left corner."""

    def __init__(self, canvas: Canvas, tall_mm: float) -> None:
        self._canvas = canvas
        self._tall_mm = tall_mm
        self._stamps: set[str] = set()

    def draw(self, drawing: Drawing) -> None:
        """A drawing where its coordinates say."""
        self._canvas.saveState()
        self._canvas.transform(mm, 0, 0, -mm, 0, self._tall_mm * mm)
        _trace(self._canvas, drawing)
        self._canvas.restoreState()

    def stamp(self, name: str, drawing: Drawing, x_mm: float, y_mm: float) -> None:
        """A drawing with its origin elsewhere; drawn once in the file, however often used."""
        key = name.replace("/", "-").replace("?", "q")
        if key not in self._stamps:
            self._canvas.beginForm(key, 0, 0, CARD_MM[0], CARD_MM[1])
            _trace(self._canvas, drawing)
            self._canvas.endForm()
            self._stamps.add(key)
        self._canvas.saveState()
        self._canvas.transform(mm, 0, 0, -mm, x_mm * mm, (self._tall_mm - y_mm) * mm)
        self._canvas.doForm(key)
        self._canvas.restoreState()

    def text(
        self,
        text: str,
        x_mm: float,
        y_mm: float,
        points: float,
        *,
        bold: bool = False,
        colour: str = _TEXT,
    ) -> None:
        """A line of text whose base line begins at a place."""
        # The PDF's own typefaces know Latin letters; others would come out as boxes.
        shown = text.encode("cp1252", "replace").decode("cp1252")
        self._canvas.setFillColor(colour)
        self._canvas.setFont("Helvetica-Bold" if bold else "Helvetica", points)
        self._canvas.drawString(x_mm * mm, (self._tall_mm - y_mm) * mm, shown)


def _trace(canvas: Canvas, drawing: Drawing) -> None:
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for shape in drawing:
        path = canvas.beginPath()
        path.moveTo(*shape.path[0])
        for x, y in shape.path[1:]:
            path.lineTo(x, y)
        if shape.closed or not shape.width_mm:
            path.close()
        if shape.width_mm:
            canvas.setStrokeColor(shape.colour)
            canvas.setLineWidth(shape.width_mm)
            canvas.drawPath(path, stroke=1, fill=0)
        else:
            canvas.setFillColor(shape.colour)
            canvas.drawPath(path, stroke=0, fill=1)


def _front(pen: _Pen, grid: Grid, cards: Sequence[str], note: str) -> None:
    for cell, text in enumerate(cards):
        pen.stamp(text, card(text), *grid.corner_mm(cell))
    pen.draw(_cutting_lines(grid))
    x, y = grid.corner_mm(0)
    pen.text(note, x + 2, y - 4, 7, colour=_SOFT)


def _backs(pen: _Pen, grid: Grid, count: int, order: Order) -> None:
    for cell in range(count):
        x, y = grid.corner_mm(grid.behind(cell, order.flip))
        pen.stamp("back", back(), x + order.shift_mm[0], y + order.shift_mm[1])


def _cutting_lines(grid: Grid) -> Drawing:
    """Hairlines along all edges of the cards, out into the margin."""
    x0, y0 = grid.corner_mm(0)
    wide, tall = grid.page_mm
    rim = _BLEED_OF_LINES_MM
    lines = [
        ((x0 + i * CARD_MM[0], rim), (x0 + i * CARD_MM[0], tall - rim))
        for i in range(grid.columns + 1)
    ]
    lines += [
        ((rim, y0 + j * CARD_MM[1]), (wide - rim, y0 + j * CARD_MM[1]))
        for j in range(grid.rows + 1)
    ]
    return tuple(Shape(line, GREY, 0.15) for line in lines)


def _cover(pen: _Pen, grid: Grid, order: Order) -> None:
    """Says how to print and cut, and what the colours and icons mean."""
    pen.text(order.title, 20, 30, 26, bold=True)
    pen.text(f"{len(order.cards)} cards of 59 x 91 mm to print and play", 20, 39, 12)
    wide = grid.page_mm[0]
    for i, line in enumerate(wrap(order.about, 62)[:2]):
        pen.text(line, 20, 46 + 4.5 * i, 9, colour=_SOFT)
    for i, text in enumerate(_samples(order.cards)):
        x = wide - 20 - 26 * (3 - i)
        pen.draw(moved(card(text), x, 16, scale=0.4))
        pen.draw((Shape(box(x, 16, x + 23.6, 52.4, 1.6), GREY, 0.2, closed=True),))
    y = 66.0
    for i, line in enumerate(_advice(order), 1):
        pen.text(f"{i}", 20, y, 12, bold=True)
        pen.text(line, 28, y, 10.5)
        y += 7.5
    y += 6
    pen.draw(_ruler(20, y))
    pen.text("This line must measure exactly 100 mm.", 126, y + 1, 9)
    y += 16
    pen.text("Colours", 20, y, 12, bold=True)
    names = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
    for i, (colour, name) in enumerate(names.items()):
        x = 20 + 38 * i
        pen.draw((Shape(box(x, y + 4, x + 10, y + 14, 1.5), INKS[colour]),))
        pen.draw(moved(coloured(badge(colour), "#ffffff"), x + 5, y + 9, scale=6))
        pen.text(name, x + 13, y + 10.5, 10)
    y += 26
    pen.text("Actions", 20, y, 12, bold=True)
    solo = "/" not in order.cards[0]
    for i, (face, name) in enumerate(_ACTIONS["solo" if solo else "solomino"]):
        x, row = 20 + 62 * (i % 3), y + 4 + 14 * (i // 3)
        pen.draw((Shape(box(x, row, x + 10, row + 10, 1.5), INKS["k"]),))
        drawn = icon(face, game="solo" if solo else "solomino")
        pen.draw(moved(drawn, x + 5, row + 5, scale=6.4))
        pen.text(name, x + 13, row + 6.5, 9)


_ACTIONS: Final = {
    "solomino": (
        ("S", "the next player is skipped"),
        ("R", "play turns round"),
        ("D", "the next player draws one"),
        ("X", "swap hands with a player"),
        ("P", "all hands are passed on"),
        ("C", "call for a card"),
    ),
    "solo": (
        ("S", "the next player is skipped"),
        ("R", "play turns round"),
        ("D", "the next player takes two"),
        ("X", "swap hands with a player"),
        ("P", "all hands are passed on"),
        ("W", "choose a colour"),
        ("F", "choose, and take four"),
    ),
}


def _samples(cards: Sequence[str]) -> Sequence[str]:
    """Three cards that show what the deck is like."""
    return [cards[(len(cards) * k) // 7] for k in (1, 3, 5)]


def _advice(order: Order) -> tuple[str, ...]:
    sides = (
        f"Print on both sides; turn the sheet over its {order.flip} edge. The backs fall behind the fronts."
        if order.backs
        else "Print on one side."
    )
    return (
        "Print at 100 % or 'actual size', never 'fit to page'. Check the line below with a ruler.",
        sides,
        "Take card stock of 200 to 300 g; or ordinary paper, and put the cards into sleeves.",
        "Cut along the grey lines; a millimetre more or less does no harm. Round the corners.",
        f"Tell the referee what you play with: --deck {order.title}",
    )


def _ruler(x: float, y: float) -> Drawing:
    ticks = [
        Shape(((x + i * 10.0, y - (3 if i % 10 == 0 else 1.5)), (x + i * 10.0, y)), _TEXT, 0.25)
        for i in range(11)
    ]
    return (Shape(((x, y), (x + 100.0, y)), _TEXT, 0.25), *ticks)
