"""Tables as lines for a terminal and as files: CSV, JSON, LaTeX, one HTML page that needs nothing else, and figures. Pure.

CSV and JSON have a row for each cell, with the columns that its subject gives it (`Cell.data`): figures there are numbers, shares
from 0 to 1. LaTeX (`latex.py`) and HTML show a table as the page does, SVG and PDF (`figure.py`) draw what has intervals. Every
form but a figure says how its figures came about: `Report.about` (in CSV as columns that are the same in each row), the methods
in a paragraph, and the notes (in CSV those of a table in its first row, after those of the report).

What a spreadsheet would execute gets an apostrophe on export, and loses it on import. Many countries' spreadsheets end a cell at
`;`, and see a quotation mark only where one begins. Then a cell of ours is several, which begin after each `;`, tab and line
break in it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup

from readers.engine.canonical import canonical
from readers.engine.report import figure, html, latex
from readers.engine.report.values import NOTHING, Report, Row, Table

Form = Literal["csv", "json", "tex", "html", "svg", "pdf"]
FIELD = "field."  # before the name of a field that came with the question
SEVERAL = " | "  # between several values in one cell, as in a question file
# A formula may be in quotation marks, or already escaped; East Asian spreadsheets also accept full-width signs.
_FORMULA = r"""(?=['"]*+[=+\-@＝＋－＠])"""
_EXECUTED = re.compile(rf"^(?=['\t\r]|{_FORMULA})|(?<=[;\t\n\r]){_FORMULA}")
_ESCAPED = re.compile(rf"^'|(?<=[;\t\n\r])'{_FORMULA}")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color:#22201C}table{border-collapse:collapse}"
    "th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid #E4E0D7;vertical-align:top}"
    "th{font-weight:400}small{display:block;color:#645F56}.printed{color:#645F56}"
)


def escaped_cell(words: str) -> str:
    """The words of a cell, with an apostrophe wherever a spreadsheet would execute what follows."""
    return _EXECUTED.sub("'", words)


def unescaped_cell(cell: str) -> str:
    """The words that `escaped_cell` was given."""
    return _ESCAPED.sub("", cell)


def cell_text(value: Any) -> str:
    """A value as the text of a CSV cell: nothing for None, lists of strings joined, other data as JSON."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return escaped_cell(SEVERAL.join(value))
    if isinstance(value, dict | list):
        return escaped_cell(canonical(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else escaped_cell(str(value))


def written(report: Report, form: Form) -> str:
    """The report in one form."""
    return FORMS[form].write(report)


def row_lines(table: Table, row: Row) -> Iterator[str]:
    """A row: its name and note, then a line for each column that is not empty, with its second line."""
    if not row.cells:
        yield f"[{row.name}]{f' {row.note}' if row.note else ''}"
        return
    yield f"{row.name}{f': {row.note}' if row.note else ''}"
    width = max((len(column.name) for column in table.columns), default=0)
    for column, cell in zip(table.columns, row.cells, strict=True):
        if str(cell.content) != NOTHING:
            yield f"  {column.name:<{width}}  {cell.content!s:>9}  {'   '.join(cell.small)}".rstrip()


def lines(table: Table) -> Iterator[str]:
    """All rows, each after an empty line."""
    for row in table.rows:
        yield ""
        yield from row_lines(table, row)


def rows_of(tables: Iterable[Table]) -> list[Mapping[str, Any]]:
    """The data of each cell that has any, table by table and row by row."""
    return [cell.data for table in tables for row in table.rows for cell in row.cells if cell.data]


def csv_text(rows: Iterable[Mapping[str, Any]], heads: Iterable[str] = (), *, line_end: str = "\n") -> str:
    """Rows of data as CSV with a header. `heads` are the columns; without any, those that the rows have, as they come. What a
    spreadsheet would execute gets an apostrophe."""
    rows = list(rows)
    names = list(heads or dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator=line_end)
    lines.writerow([cell_text(name) for name in names])
    lines.writerows([cell_text(row.get(name)) for name in names] for row in rows)
    return out.getvalue()


def _csv(report: Report) -> str:
    rows: list[dict[str, Any]] = []
    notes = [*report.notes]
    for table in report.tables:
        notes += table.notes
        for row in rows_of([table]):
            rows.append({**{name: _short(value) for name, value in row.items()}, "notes": " ".join(notes)})
            notes = []
    own = dict.fromkeys(name for row in rows for name in row if name != "notes")
    return csv_text((report.origin | row for row in rows), dict.fromkeys([*own, *report.origin, "notes"]))


def _short(value: Any) -> Any:
    """A number to six digits, and counts by name in words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {count}" for name, count in value.items())
    if isinstance(value, float):
        rounded = float(f"{value:.6g}")
        return int(rounded) if rounded.is_integer() else rounded
    return value


def _json(report: Report) -> str:
    measured = [table for table in report.tables if not table.source]
    said = {"name": report.name, "facts": list(report.facts), "about": report.origin, "methods": report.methods}
    printed = [dict(table.data) for table in report.tables if table.source]
    notes = list(dict.fromkeys([*report.notes, *(note for table in measured for note in table.notes)]))
    data = {**said, **report.data, "notes": notes, "rows": rows_of(measured), "papers": printed}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _html(report: Report) -> str:
    body = Markup("\n").join(_html_section(table) for table in report.tables)
    page = Markup(
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{name}</title><style>{style}</style>\n'
        "<h1>{name}</h1>\n<p>{facts}. {notes}</p>\n{methods}{body}\n<p><small>{about}</small></p>\n</html>\n"
    )
    facts, notes = ", ".join(report.facts), " ".join(report.notes)
    methods = Markup("<p>{}</p>\n").format(report.methods) if report.methods else ""
    about = "; ".join(f"{name}: {value}" for name, value in report.origin.items())
    return str(
        page.format(name=report.name, style=Markup(_STYLE), facts=facts, notes=notes, methods=methods, body=body, about=about)
    )


def _html_section(table: Table) -> Markup:
    if not table.source:
        notes = Markup("<p>{}</p>").format(" ".join(table.notes)) if table.notes else ""
        return Markup("<h2>{}</h2>\n{}\n{}").format(table.title, html.table(table), notes)
    head = Markup("<h2>{}</h2>\n<p>{}; not measured here. {}</p>").format(table.title, table.source, " ".join(table.notes))
    return Markup('<section class="printed">{}\n{}</section>').format(head, html.table(table))


@dataclass(frozen=True)
class FileForm:
    """The name of a form of file, its media type, and how it is written."""

    label: str
    mime: str
    write: Callable[[Report], str]


FORMS: Mapping[Form, FileForm] = {
    "csv": FileForm("CSV", "text/csv", _csv),
    "json": FileForm("JSON", "application/json", _json),
    "tex": FileForm("LaTeX", "text/x-tex", latex.text),
    "html": FileForm("HTML", "text/html", _html),
    "svg": FileForm("SVG", "image/svg+xml", lambda report: figure.svg(report.tables)),
    "pdf": FileForm("PDF", "application/pdf", lambda report: figure.pdf(report.tables)),
}
