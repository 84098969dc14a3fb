"""Tables as figures for print: every figure with an interval as a dot and a line on an axis, a panel for each column. Pure.

A panel has one unit, so a table with several units in a column is drawn with its rows as panels. Its axis has the unit of the
numbers beside it and reaches as far as they do. Panels that do not fit beside each other on a page of paper are below each other.
SVG and PDF hold the same shapes in the same style. A PDF has only its own fonts, so letters outside Windows-1252 are a question
mark there; the SVG has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import floor, log10
from textwrap import wrap
from typing import NamedTuple

from readers.engine.report.values import Figure, Row, Table, Unit

INK, SOFT, LINE, MARK = "#22201C", "#645F56", "#E4E0D7", "#0072B2"
NAMES, PANEL, BESIDE, GAP = 168, 130, 50, 14  # points: the names of rows, an axis, the number beside it, between panels
ROW, TITLE, HEADS, BELOW, MARGIN = 20, 22, 18, 30, 16
SIZE, SMALL, DOT, NEXT = 11, 9, 3.2, 12.5  # NEXT: to the next line of a name
_ABREAST = 2  # panels beside each other: as wide as a sheet of A4
_MOST_LINES = 5
_FONTS = "'Source Sans 3', Helvetica, Arial, sans-serif"
_AXES: dict[Unit, tuple[float, float]] = dict.fromkeys(("share", "part", "coefficient"), (0.0, 1.0))
_ENDS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # where an axis may end, times a power of ten
_PDF_LETTERS = str.maketrans({"−": "–", "→": "to"})
Point = tuple[float, float]
_LETTER, _WIDE_LETTER = 0.52, 0.6  # of the size: the mean width of a letter or digit, and of those of wide names


class _Panel(NamedTuple):
    """A column that is drawn: its number, its axis, and the unit of its figures."""

    column: int
    least: float
    most: float
    unit: Unit

    def at(self, value: float) -> float:
        """The place of a value, from the left end of the axis."""
        return PANEL * (value - self.least) / (self.most - self.least)

    def tick(self, value: float) -> str:
        """A value in the unit of the numbers."""
        if self.unit == "duration":
            return str(Figure(value, unit=self.unit))
        return f"{value * (100 if self.unit in ('share', 'part', 'points') else 1):,.10g}".replace("-", "−")


class _Sheet:
    """What is drawn, as the elements of an SVG and the operators of a PDF. The axis y goes down from the top."""

    def __init__(self) -> None:
        self.svg: list[str] = []
        self.pdf: list[str] = []

    def line(self, start: Point, end: Point, colour: str, width: float) -> None:
        (x, y), (to_x, to_y) = start, end
        ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
        self.svg.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>')
        self.pdf.append(f"{_in_pdf(colour)} RG {width:g} w 0 J {x:.1f} {-y:.1f} m {to_x:.1f} {-to_y:.1f} l S")

    def dot(self, x: float, y: float) -> None:
        self.svg.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT:g}" fill="{MARK}"/>')
        at = f"{x:.1f} {-y:.1f}"  # a line of no length with round ends
        self.pdf.append(f"{_in_pdf(MARK)} RG {2 * DOT:g} w 1 J {at} m {at} l S")

    def words(
        self, at: Point, words: str, *, colour: str = INK, size: float = SIZE, bold: bool = False, middle: bool = False
    ) -> None:
        """A line of text on its base line; it begins at the point, or has it in its middle."""
        x, y = at
        more = (' font-weight="600"' if bold else "") + (' text-anchor="middle"' if middle else "")
        self.svg.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}"{more}>{escape(words)}</text>')
        letters = words.translate(_PDF_LETTERS).encode("cp1252", "replace")
        x -= _LETTER * size * len(letters) / 2 if middle else 0
        said = "".join(chr(one) if 32 <= one < 127 and chr(one) not in "()\\" else f"\\{one:03o}" for one in letters)
        self.pdf.append(f"BT {_in_pdf(colour)} rg /F{2 if bold else 1} {size:g} Tf {x:.1f} {-y:.1f} Td ({said}) Tj ET")


def has_any(tables: Iterable[Table]) -> bool:
    """Whether there is anything to draw."""
    return any(_panels(_turned(table)) for table in tables)


def svg(tables: Iterable[Table]) -> str:
    """The tables below each other as one SVG."""
    sheet, width, height = _drawn(tables)
    body = "\n".join(sheet.svg)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}pt" height="{height:g}pt" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="{_FONTS}">\n<rect width="100%" height="100%" fill="#FFFFFF"/>\n{body}\n</svg>\n'
    )


def pdf(tables: Iterable[Table]) -> str:
    """The same as a PDF of one page, in ASCII."""
    sheet, width, height = _drawn(tables)
    content = "\n".join([f"1 0 0 1 0 {height:g} cm", *sheet.pdf, ""])
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica{} /Encoding /WinAnsiEncoding >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:g} {height:g}] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}endstream",
        font.format(""),
        font.format("-Bold"),
    ]
    out, places = "%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return f"{out}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}"


def _in_pdf(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.3g}" for at in (1, 3, 5))


def _drawn(tables: Iterable[Table]) -> tuple[_Sheet, float, float]:
    """All tables that have something to draw, with the width and height of the whole."""
    sheet, top, abreast = _Sheet(), float(MARGIN), 0
    for table in map(_turned, tables):
        panels = _panels(table)
        for start in range(0, len(panels), _ABREAST):
            some = panels[start : start + _ABREAST]
            if not start:
                top = _lines(sheet, (MARGIN, top + SIZE), table.title, _across(len(some)) - 2 * MARGIN, bold=True)
            top = _band(sheet, table, some, top=top)
            abreast = max(abreast, len(some))
    return sheet, _across(abreast), top + MARGIN


def _across(panels: int) -> float:
    return 2 * MARGIN + NAMES + panels * (PANEL + BESIDE + GAP)


def _turned(table: Table) -> Table:
    """The table with one unit in each column."""
    units = ({one.unit for _, one in _figures(table, at)} for at in range(len(table.columns)))
    return table.transposed if all(row.cells for row in table.rows) and any(len(some) > 1 for some in units) else table


def _figures(table: Table, column: int) -> list[tuple[int, Figure]]:
    """The figures of a column, each with the number of its row."""
    found = ((number, row.cells[column].content) for number, row in enumerate(table.rows) if row.cells)
    return [(number, one) for number, one in found if isinstance(one, Figure) and one.value is not None]


def _panels(table: Table) -> list[_Panel]:
    """The columns with an interval, each with an axis that reaches as far as its figures."""
    found = []
    for number, column in enumerate(table.columns):
        figures = [one for _, one in _figures(table, number)]
        if any(one.between for one in figures):
            least, most = column.axis or _AXES.get(figures[0].unit, (0.0, 0.0))
            values = [value for one in figures for value in (one.value, one.low, one.high) if value is not None]
            least, most = min(least, -_end(-min(values))), max(most, _end(max(values)))
            found.append(_Panel(number, least, most if most > least else least + 1, figures[0].unit))
    return found


def _end(value: float) -> float:
    """The next value, away from zero, at which an axis may end; 0 for a value that is not above it."""
    if value <= 0:
        return 0.0
    power = 10.0 ** floor(log10(value))
    return next(end * power for end in _ENDS if end * power >= value * (1 - 1e-9))


def _band(sheet: _Sheet, table: Table, panels: Sequence[_Panel], *, top: float) -> float:
    """Draw these columns of a table beside each other. Returns where they end."""
    lefts = [MARGIN + NAMES + place * (PANEL + BESIDE + GAP) for place in range(len(panels))]
    heads = [_cut(table.columns[one.column].name, PANEL + BESIDE) for one in panels]
    first = top + HEADS + NEXT * (max(map(len, heads)) - 1)
    middles: dict[int, float] = {}
    end = first
    for number, row in _rows(table, panels):
        lines = _cut(row.name, NAMES - GAP)
        high = ROW + NEXT * (len(lines) - 1)
        middles[number], end = end + high / 2, end + high
        at = (MARGIN + (8 if row.cells else 0), middles[number] + 4 - NEXT * (len(lines) - 1) / 2)
        _lines(sheet, at, row.name, NAMES - GAP, bold=not row.cells)
    for x, panel, lines in zip(lefts, panels, heads, strict=True):
        for line, words in enumerate(lines, 1 - len(lines)):
            sheet.words((x, first - 5 + NEXT * line), words, colour=SOFT)
        _ticks(sheet, x, panel, between=(first, end))
        for number, figure in _figures(table, panel.column):
            _dot(sheet, (x, middles[number]), panel, figure)
    return end + BELOW


def _rows(table: Table, panels: Sequence[_Panel]) -> Iterator[tuple[int, Row]]:
    """The rows with a figure in these columns, by number, and the headings."""
    drawn = {number for one in panels for number, _ in _figures(table, one.column)}
    yield from ((number, row) for number, row in enumerate(table.rows) if number in drawn or not row.cells)


def _cut(words: str, width: float) -> list[str]:
    """A name in lines of this width."""
    return wrap(words, int(width / (_WIDE_LETTER * SIZE)), max_lines=_MOST_LINES, placeholder=" …") or [""]


def _lines(sheet: _Sheet, at: Point, words: str, width: float, *, bold: bool) -> float:
    """Write a name line by line. Returns where it ends."""
    x, y = at
    lines = _cut(words, width)
    for number, line in enumerate(lines):
        sheet.words((x, y + NEXT * number), line, bold=bold)
    return y + NEXT * (len(lines) - 1) + TITLE - SIZE


def _ticks(sheet: _Sheet, x: float, panel: _Panel, *, between: Point) -> None:
    (least, most), (top, bottom) = (panel.least, panel.most), between
    for tick in sorted({least, 0.0, (max(least, 0.0) + most) / 2, most}):
        at = x + panel.at(tick)
        sheet.line((at, top), (at, bottom), SOFT if tick == 0 else LINE, 0.6)
        sheet.words((at, bottom + SMALL + 3), panel.tick(tick), colour=SOFT, size=SMALL, middle=True)


def _dot(sheet: _Sheet, left: Point, panel: _Panel, figure: Figure) -> None:
    """A figure on its axis, which begins at this point, and its number beside it."""
    x, y = left
    assert figure.value is not None
    if figure.low is not None and figure.high is not None:
        sheet.line((x + panel.at(figure.low), y), (x + panel.at(figure.high), y), MARK, 1.6)
    sheet.dot(x + panel.at(figure.value), y)
    sheet.words((x + PANEL + 8, y + 4), str(figure).replace("-", "−"), colour=SOFT, size=SMALL)
