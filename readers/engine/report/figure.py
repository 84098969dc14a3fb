"""Tables as figures for print: every figure with an interval as a dot and a line on an axis, a panel for each column. Pure.

SVG and PDF hold the same shapes in the same style. A PDF has only its own fonts, so letters outside Windows-1252 are a question
mark there; the SVG has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from readers.engine.report.values import Figure, Row, Table
from readers.engine.text.shorten import shorten_at_word

INK, SOFT, LINE, MARK = "#22201C", "#645F56", "#E4E0D7", "#0072B2"
NAMES, PANEL, BESIDE, GAP = 250, 140, 66, 22  # points: the names of rows, an axis, the number beside it, between panels
ROW, TITLE, HEADS, BELOW, MARGIN = 20, 22, 18, 30, 16
SIZE, SMALL, DOT = 11, 9, 3.2
_LONGEST_NAME, _LONGEST_HEAD = 44, 34
_FONTS = "'Source Sans 3', Helvetica, Arial, sans-serif"
_DRAWN = ("share", "part", "coefficient", "points")
_PDF_LETTERS = str.maketrans({"−": "–", "→": "to"})
Point = tuple[float, float]
Axis = tuple[float, float]
_LETTER = 0.52  # of the size: the mean width of a letter or digit


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
    return any(_axis(table, at) for table in tables for at in range(len(table.columns)))


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
    sheet, top, width = _Sheet(), float(MARGIN), 2.0 * MARGIN + NAMES
    for table in tables:
        if panels := [(at, axis) for at in range(len(table.columns)) if (axis := _axis(table, at))]:
            top = _table(sheet, table, panels, top=top)
            width = max(width, 2 * MARGIN + NAMES + len(panels) * (PANEL + BESIDE + GAP))
    return sheet, width, top + MARGIN


def _axis(table: Table, at: int) -> Axis | None:
    """The axis of a column; None if no cell of it has an interval to be drawn."""
    found = [figure for row in table.rows if row.cells and (figure := _figure(row, at))]
    if not any(figure.between for figure in found):
        return None
    return table.columns[at].axis or ((-1.0, 1.0) if found[0].unit == "points" else (0.0, 1.0))


def _figure(row: Row, at: int) -> Figure | None:
    content = row.cells[at].content
    return content if isinstance(content, Figure) and content.unit in _DRAWN and content.value is not None else None


def _table(sheet: _Sheet, table: Table, panels: Sequence[tuple[int, Axis]], *, top: float) -> float:
    """Draw a table. Returns where it ends."""
    rows = [row for row in table.rows if not row.cells or any(_figure(row, at) for at, _ in panels)]
    first = top + TITLE + HEADS
    end = first + ROW * len(rows)
    sheet.words((MARGIN, top + SIZE), table.title, size=SIZE + 1, bold=True)
    for number, row in enumerate(rows):
        at = (MARGIN + (8 if row.cells else 0), first + ROW * (number + 0.5) + 4)
        sheet.words(at, shorten_at_word(row.name, _LONGEST_NAME), bold=not row.cells)
    for place, (column, axis) in enumerate(panels):
        x = MARGIN + NAMES + place * (PANEL + BESIDE + GAP)
        sheet.words((x, first - 5), shorten_at_word(table.columns[column].name, _LONGEST_HEAD), colour=SOFT)
        _ticks(sheet, x, axis, between=(first, end))
        for number, row in enumerate(rows):
            if row.cells and (figure := _figure(row, column)):
                _row(sheet, (x, first + ROW * (number + 0.5)), axis, figure)
    return end + BELOW


def _ticks(sheet: _Sheet, x: float, axis: Axis, *, between: Point) -> None:
    (least, most), (top, bottom) = axis, between
    for tick in sorted({least, 0.0, (max(least, 0.0) + most) / 2, most}):
        at = x + PANEL * (tick - least) / (most - least)
        sheet.line((at, top), (at, bottom), SOFT if tick == 0 else LINE, 0.6)
        sheet.words((at, bottom + SMALL + 3), f"{tick:g}".replace("-", "−"), colour=SOFT, size=SMALL, middle=True)


def _row(sheet: _Sheet, left: Point, axis: Axis, figure: Figure) -> None:
    """A figure on its axis, which begins at this point, and its number beside it."""
    (x, y), (least, most) = left, axis

    def at(value: float) -> float:
        return x + PANEL * (min(most, max(least, value)) - least) / (most - least)

    assert figure.value is not None
    if figure.low is not None and figure.high is not None:
        sheet.line((at(figure.low), y), (at(figure.high), y), MARK, 1.6)
    sheet.dot(at(figure.value), y)
    sheet.words((x + PANEL + 8, y + 4), str(figure), colour=SOFT, size=SMALL)
