"""Tables as lines for a terminal and as files: CSV, JSON, LaTeX, and one HTML page that needs nothing else. Pure.

CSV and JSON have a row for each cell, with the columns that its subject gives it (`Cell.data`): figures there are numbers, shares
from 0 to 1. LaTeX and HTML show a table as the page does.

What a spreadsheet would execute gets an apostrophe on export, and loses it on import. Many countries' spreadsheets end a cell at
`;`, and see a quotation mark only where one begins. Then a cell of ours is several, which begin after each `;`, tab and line
break in it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from markupsafe import Markup

from readers.engine.canonical import canonical
from readers.engine.report import html
from readers.engine.report.values import NOTHING, Row, Table

Form = Literal["csv", "json", "tex", "html"]
FIELD = "field."  # before the name of a field that came with the question
SEVERAL = " | "  # between several values in one cell, as in a question file
# A formula may be in quotation marks, or already escaped; East Asian spreadsheets also accept full-width signs.
_FORMULA = r"""(?=['"]*+[=+\-@＝＋－＠])"""
_EXECUTED = re.compile(rf"^(?=['\t\r]|{_FORMULA})|(?<=[;\t\n\r]){_FORMULA}")
_ESCAPED = re.compile(rf"^'|(?<=[;\t\n\r])'{_FORMULA}")
_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "·": r"$\cdot$", "–": "--",
})  # fmt: skip
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


@dataclass(frozen=True)
class Report:
    """Tables under a name, with facts on their subject, and notes on how to read them. `data` is only in JSON."""

    name: str
    facts: Sequence[str]
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


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


def csv_text(rows: Iterable[Mapping[str, Any]], heads: Sequence[str] = (), *, line_end: str = "\n") -> str:
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
    return csv_text({name: _short(value) for name, value in row.items()} for row in rows_of(report.tables))


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
    data = {"name": report.name, "facts": list(report.facts), **report.data, "rows": rows_of(measured)}
    printed = [dict(table.data) for table in report.tables if table.source]
    return json.dumps({**data, "papers": printed}, ensure_ascii=False, indent=1) + "\n"


def _tex(report: Report) -> str:
    """A `tabular` for each table, with the smaller lines below the figures, then the notes; it needs no package."""
    lines = [f"% {_one_line(report.name)}: {_one_line(', '.join(report.facts))}"]
    for table in report.tables:
        lines += _tabular(table)
    return "\n".join([*lines, rf"\par{{\small {_in_tex(' '.join(report.notes))}}}", ""])


def _tabular(table: Table) -> list[str]:
    about = f"Printed in {table.source}, not measured here." if table.source else table.title
    lines = [f"% {_one_line(' '.join([about, *table.notes]))}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}", r"\hline"]
    lines += [_tex_row(["", *(_in_tex(column.name) for column in table.columns)]), r"\hline"]
    for row in table.rows:
        name = rf"\textit{{{_in_tex(row.name)}}}" if table.source else _in_tex(row.name)
        lines.append(_tex_row([name, *(_in_tex(str(cell.content)) for cell in row.cells)]))
        if any(cell.small for cell in row.cells):
            lines.append(_tex_row(["", *(rf"{{\small {_in_tex(cell.small[0])}}}" if cell.small else "" for cell in row.cells)]))
    return [*lines, r"\hline", r"\end{tabular}"]


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _in_tex(words: str) -> str:
    return _one_line(words).translate(_TEX)


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _html(report: Report) -> str:
    body = Markup("\n").join(_html_section(table) for table in report.tables)
    page = Markup(
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{name}</title><style>{style}</style>\n'
        "<h1>{name}</h1>\n<p>{facts}. {notes}</p>\n{body}\n</html>\n"
    )
    facts, notes = ", ".join(report.facts), " ".join(report.notes)
    return str(page.format(name=report.name, style=Markup(_STYLE), facts=facts, notes=notes, body=body))


def _html_section(table: Table) -> Markup:
    if not table.source:
        return html.table(table)
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
    "tex": FileForm("LaTeX", "text/x-tex", _tex),
    "html": FileForm("HTML", "text/html", _html),
}
