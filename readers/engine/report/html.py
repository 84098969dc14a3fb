"""Tables as HTML, on a page and in a file. Pure. Everything that is not markup of this module is escaped by markupsafe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from markupsafe import Markup

from readers.engine.report.values import Cell, Column, Figure, Link, Mark, Row, Table
from readers.engine.text.words import has_right_to_left

MOST_SIDES = 10  # columns of a comparison for which the style sheet has a least width (compare.css)
_SIGNS: Mapping[Mark, str] = {"right": "✓", "partly": "◐", "wrong": "✗", "none": "–"}
Address = Callable[[Link], str]
Explain = Callable[[str, str], str]


def table(found: Table, *, kind: str = "scores", address: Address | None = None, explain: Explain | None = None) -> Markup:
    """A table that the keyboard can reach and scroll if it is too wide. `kind` is its class in the style sheet; without an
    `address` for its links, and where that is empty, cells open nothing. `explain` makes markup of a name and its meaning. In a
    table of kind `versus`, rows whose cells differ have a mark and a word."""
    if kind == "versus":
        return _versus(found, explain)
    heads = _joined(_head(column, kind) for column in found.columns)
    groups: list[list[Row]] = [[]]
    for row in found.rows:
        groups += [] if row.cells else [[]]
        groups[-1].append(row)
    bodies = _joined(
        Markup("<tbody>{}</tbody>").format(_joined(_row(row, found, address, explain) for row in rows)) for rows in groups if rows
    )
    return Markup(
        '<div class="wide" tabindex="0" role="region" aria-label="{}"><table class="outcomes {}{}">'
        "<thead><tr>{}{}</tr></thead>{}</table></div>"
    ).format(
        found.title, kind, " printed" if found.source else "",
        Markup('<th scope="col">{}</th>').format(found.head) if found.head else Markup('<td class="corner"></td>'),
        heads, bodies or Markup("<tbody></tbody>"),
    )  # fmt: skip


def _versus(found: Table, explain: Explain | None) -> Markup:
    mark = Markup('<span aria-hidden="true">≠</span><span class="visually-hidden">differs</span>')
    body = _joined(
        Markup('<tr{}><td class="mark">{}</td><th scope="row">{}</th>{}</tr>').format(
            Markup(' class="differs"') if row.differs else "", mark if row.differs else "",
            Markup(explain(row.name, row.meaning)) if explain else row.name,
            _joined(Markup("<td{}>{}</td>").format(_direction(cell), str(cell.content)) for cell in row.cells),
        )
        for row in found.rows
    )  # fmt: skip
    return Markup(
        '<div class="wide" tabindex="0" role="region" aria-label="{}"><table class="versus of-{}"><thead><tr>'
        '<td class="mark"></td><th class="about" scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(found.title, min(MOST_SIDES, len(found.columns)), found.head, _joined(_head(one, "") for one in found.columns), body)


def _head(column: Column, kind: str) -> Markup:
    name = Markup("<span>{}</span>").format(column.name) if kind == "marks" else column.name
    return Markup('<th scope="col">{}{}</th>').format(name, _small([column.note]))


def _row(row: Row, found: Table, address: Address | None, explain: Explain | None) -> Markup:
    if not row.cells:
        heading = Markup('<tr class="group"><th colspan="{}" scope="rowgroup">{} <span>{}</span></th></tr>')
        return heading.format(len(found.columns) + 1, row.name, row.note)
    name = Markup(explain(row.name, row.meaning)) if row.meaning and explain else row.name
    cells = _joined(_cell(cell, column, address) for column, cell in zip(found.columns, row.cells, strict=True))
    return Markup('<tr><th scope="row">{}{}</th>{}</tr>').format(name, _small([row.note]), cells)


def _cell(cell: Cell, column: Column, address: Address | None) -> Markup:
    inside: Markup | str = str(cell.content)
    title = Markup("")
    if cell.mark:
        title = Markup(' title="{}"').format(inside)
        sign = Markup('<i class="{}" aria-hidden="true">{}</i>').format(cell.mark, _SIGNS[cell.mark])
        inside = sign + Markup('<span class="visually-hidden">{}</span>').format(inside)
    if cell.link and address and (opens := address(cell.link)):
        inside = Markup('<a href="{}" target="_self"{}>{}</a>').format(opens, title, inside)
    if column.axis and isinstance(cell.content, Figure) and cell.content.value is not None:
        inside = _drawn(cell.content, cell.content.value, column.axis) + Markup("{}").format(inside)
    return Markup("<td{}>{}{}</td>").format(_direction(cell), inside, _small(cell.small))


def _direction(cell: Cell) -> Markup:
    """Words that are read from the right say so; figures have no direction of their own."""
    return Markup(' dir="auto"') if has_right_to_left(str(cell.content)) else Markup()


def _drawn(figure: Figure, value: float, axis: tuple[float, float]) -> Markup:
    """The figure on an axis: a bar; a coefficient with its interval, and a mark at zero where the axis begins below it. Places
    are classes in whole percent (`components/html/styles.py`), since a page may forbid styles of its own."""
    least, most = axis
    low, high = (value if one is None else one for one in (figure.low, figure.high))
    shares = ((min(most, max(least, one)) - least) / (most - least) for one in (low, high, value, 0.0))
    left, right, at, zero = (round(100 * share) for share in shares)
    if figure.unit != "coefficient":
        return Markup(f'<span class="share" aria-hidden="true"><i class="up-to-{at}"></i></span>')
    reach = f'<i class="at-{left} up-to-{max(left, right)}"></i>' if figure.between else ""
    mark = f'<s class="at-{zero}"></s>' if least else ""
    return Markup(f'<span class="reach" aria-hidden="true">{mark}{reach}<b class="at-{at}"></b></span>')


def _small(lines: Iterable[str]) -> Markup:
    return _joined(Markup("<small>{}</small>").format(line) for line in lines if line)


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)
