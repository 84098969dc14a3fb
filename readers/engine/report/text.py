"""Tables as lines for a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from readers.engine.report.values import NOTHING, Row, Table


def row_lines(table: Table, row: Row) -> Iterator[str]:
    """A row: its name and note, then a line for each column that has something in it, with what stands below."""
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
