"""Tables as LaTeX: a `tabular` for each, in the rules of booktabs. Pure.

How the figures came about stands in comments at the top, the methods and all notes are printed. Nothing in a table is obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.report.values import Figure, Report, Row, Table

_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "·": r"$\cdot$", "–": "--", "−": "$-$", "→": r"$\rightarrow$",
    "↓": r"$\downarrow$", "<": r"\textless{}", ">": r"\textgreater{}",
})  # fmt: skip
_LONG = 36  # characters: a column with longer words has lines of its own width
_WIDE = r"p{0.3\textwidth}"


def text(report: Report) -> str:
    """The report, to be included in a document with the package booktabs."""
    about = [f"% {_one_line(f'{name}: {value}')}" for name, value in report.origin.items()]
    lines = [f"% {_one_line(report.name)}: {_one_line(', '.join(report.facts))}", *about, r"% \usepackage{booktabs}"]
    lines += [rf"\par {in_tex(report.methods)}"] if report.methods else []
    for table in report.tables:
        lines += _tabular(table)
    return "\n".join([*lines, rf"\par{{\small {in_tex(' '.join(report.notes))}}}", ""])


def _tabular(table: Table) -> Iterator[str]:
    yield f"% {_one_line(f'Printed in {table.source}, not measured here.' if table.source else table.title)}"
    yield rf"\begin{{tabular}}{{l{''.join(_alignment(table))}}}"
    yield r"\toprule"
    yield _line([table.head, *(column.name for column in table.columns)])
    if any(column.note for column in table.columns):
        yield _line(["", *(column.note for column in table.columns)], r"{\small %s}")
    yield r"\midrule"
    for number, row in enumerate(table.rows):
        yield from _row(row, table, first=not number)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    if table.notes:
        yield rf"\par{{\small {in_tex(' '.join(table.notes))}}}"


def _row(row: Row, table: Table, *, first: bool) -> Iterator[str]:
    if not row.cells:  # a heading
        yield from () if first else (r"\midrule",)
        note = f" {{\\small {in_tex(row.note)}}}" if row.note else ""
        yield rf"\multicolumn{{{len(table.columns) + 1}}}{{l}}{{\textit{{{in_tex(row.name)}}}{note}}} \\"
        return
    name = rf"\textit{{{in_tex(row.name)}}}" if table.source else in_tex(row.name)
    yield " & ".join([name, *(in_tex(str(cell.content)) for cell in row.cells)]) + r" \\"
    for at in range(max((len(cell.small) for cell in row.cells), default=0) or bool(row.note)):
        yield _line(
            ["" if at else row.note, *(cell.small[at] if at < len(cell.small) else "" for cell in row.cells)], r"{\small %s}"
        )


def _alignment(table: Table) -> Iterator[str]:
    """Figures to the right, words to the left."""
    for at in range(len(table.columns)):
        cells = [row.cells[at].content for row in table.rows if row.cells]
        words = [cell for cell in cells if isinstance(cell, str)]
        yield (
            "r" if any(isinstance(cell, Figure) for cell in cells) else _WIDE if max(map(len, words), default=0) > _LONG else "l"
        )


def _line(cells: Sequence[str], form: str = "%s") -> str:
    return " & ".join(form % in_tex(cell) if cell else "" for cell in cells) + r" \\"


def in_tex(words: str) -> str:
    """Words on one line, in which nothing is obeyed."""
    return _one_line(words).translate(_TEX)


def _one_line(words: str) -> str:
    return " ".join(words.split())
