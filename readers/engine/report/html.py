"""Tables as HTML, on a page and in a file. Pure. Everything that is not markup of this module is escaped by markupsafe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from markupsafe import Markup

from readers.engine.report.values import Cell, Column, Link, Mark, Row, Table

_SIGNS: Mapping[Mark, str] = {"right": "✓", "partly": "◐", "wrong": "✗", "none": "–"}
Address = Callable[[Link], str]


def table(found: Table, *, kind: str = "scores", address: Address | None = None) -> Markup:
    """A table that can be reached and moved by the keyboard where it is too wide. `kind` is its class in the style sheet; without
    an `address` for its links, cells open nothing."""
    heads = _joined(_head(column, kind) for column in found.columns)
    body = _joined(_row(row, address) for row in found.rows)
    return Markup(
        '<div class="wide" tabindex="0" role="region" aria-label="{}"><table class="outcomes {}{}">'
        '<thead><tr><th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(found.title, kind, " printed" if found.source else "", found.head, heads, body)


def _head(column: Column, kind: str) -> Markup:
    name = Markup("<span>{}</span>").format(column.name) if kind == "marks" else column.name
    return Markup('<th scope="col">{}{}</th>').format(name, _small([column.note]))


def _row(row: Row, address: Address | None) -> Markup:
    cells = _joined(_cell(cell, address) for cell in row.cells)
    return Markup('<tr><th scope="row">{}{}</th>{}</tr>').format(row.name, _small([row.note]), cells)


def _cell(cell: Cell, address: Address | None) -> Markup:
    inside: Markup | str = str(cell.content)
    title = Markup("")
    if cell.mark:
        title = Markup(' title="{}"').format(inside)
        sign = Markup('<i class="{}" aria-hidden="true">{}</i>').format(cell.mark, _SIGNS[cell.mark])
        inside = sign + Markup('<span class="visually-hidden">{}</span>').format(inside)
    if cell.link and address:
        inside = Markup('<a href="{}" target="_self"{}>{}</a>').format(address(cell.link), title, inside)
    return Markup("<td>{}{}</td>").format(inside, _small(cell.small))


def _small(lines: Iterable[str]) -> Markup:
    return _joined(Markup("<small>{}</small>").format(line) for line in lines if line)


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)
