"""A table of readers by scores, and by the methods' own figures, as a file: CSV, JSON, LaTeX, or one HTML page. Pure.

Every form has the mean over everything asked, its interval and what it is, and the mean as published with the traps between the
two. Scores and shares are from 0 to 1 in data and in percent where they are shown; other figures are in their own units. What
papers print follows as it is printed, marked with its source. Not here: the readings themselves (`export_batch.py`).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

from readers.engine.analysis.evaluate import ABOUT, FIGURES, Cell, Estimate, Table
from readers.engine.analysis.evaluate.figures import Unit
from readers.engine.files.cells import escaped_cell
from readers.engine.questions.recipes import Recipe
from readers.engine.questions.scores import RATED, SCORES

Form = Literal["csv", "json", "tex", "html"]
FORMS: Mapping[Form, tuple[str, str]] = {
    "csv": ("CSV", "text/csv"),
    "json": ("JSON", "application/json"),
    "tex": ("LaTeX", "text/x-tex"),
    "html": ("HTML", "text/html"),
}
"""What each form is called, and its media type."""

HEADS = (
    "reader",
    "score",
    "mean",
    "low",
    "high",
    "interval",
    "note",
    "readings",
    "questions",
    "texts",
    "published",
    "dropped",
    "unscored",
    "traps",
)
PRINTED_HEADS = ("printed", "source")  # of rows that papers print, in CSV
UNITS: Mapping[Unit, str] = {"share": "%", "tokens": "tokens", "words": "words", "usd": "$", "seconds": "s"}
"""How a figure's unit is written; what is only counted has none."""
_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "·": r"$\cdot$", "–": "--",
})  # fmt: skip
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color:#22201C}table{border-collapse:collapse}"
    "th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid #E4E0D7;vertical-align:top}"
    "th{font-weight:400}small{display:block;color:#645F56}.printed{color:#645F56}"
)


def written(table: Table, form: Form, *, name: str, facts: Sequence[str] = (), papers: Sequence[Recipe] = ()) -> str:
    """The table in one form. `name` is the batch's, `facts` say what readings it is of; `papers` have rows to compare with."""
    if form == "csv":
        return _csv(table, papers)
    if form == "json":
        about = {"name": name, "facts": list(facts), "intervals": " ".join(_caveats(table))}
        data = {**about, "rows": rows(table), "papers": [_printed(one) for one in papers]}
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if form == "tex":
        return "\n".join([_tex(table, name, facts), *map(_tex_printed, papers)])
    return _html(table, name, facts, papers)


def _printed(one: Recipe) -> dict[str, Any]:
    """What a paper prints, as data."""
    found = [{"reader": name, "printed": dict(zip(one.heads, figures, strict=True))} for name, figures in one.rows]
    return {"title": one.title, "source": one.paper, "differs": one.differs, "rows": found}


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:g}"


def rows(table: Table) -> list[dict[str, Any]]:
    """A row for each reader and score or figure, as data; means of scores and shares are from 0 to 1."""
    return [_row(cell) for reader in table.readers for score in table.scores if (cell := table.cell(reader, score))]


def _row(cell: Cell) -> dict[str, Any]:
    found = cell.asked
    values = (
        cell.reader, cell.score, found.value, found.low, found.high, found.interval, found.note, found.of, found.questions,
        found.texts, cell.published.value, cell.dropped, cell.unscored, dict(cell.traps),
    )  # fmt: skip
    return dict(zip(HEADS, values, strict=True))


def _csv(table: Table, papers: Sequence[Recipe]) -> str:
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow((*HEADS, *(PRINTED_HEADS if papers else ())))
    for row in rows(table):
        told = row | {"traps": "; ".join(f"{trap}: {count}" for trap, count in row["traps"].items())}
        found = ["" if told[name] is None else _cell_text(told[name]) for name in HEADS]
        lines.writerow([*found, *("" for _ in PRINTED_HEADS if papers)])
    empty = [""] * (len(HEADS) - 2)
    for one in papers:
        for name, figures in one.rows:
            for head, figure in zip(one.heads, figures, strict=True):
                if figure is not None:
                    lines.writerow([escaped_cell(name), escaped_cell(head), *empty, f"{figure:g}", escaped_cell(one.paper)])
    return out.getvalue()


def _cell_text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value) if isinstance(value, int) else escaped_cell(str(value))


def _tex(table: Table, name: str, facts: Sequence[str]) -> str:
    """A `tabular` with the intervals below the means, and what they are below it; it needs no package."""
    heads = " & ".join(["", *(_in_tex(title(score)) for score in table.scores)])
    lines = [
        f"% {_one_line(name)}: {_one_line(', '.join(facts))}",
        rf"\begin{{tabular}}{{l{'r' * len(table.scores)}}}",
        r"\hline",
    ]
    lines += [rf"{heads} \\", r"\hline"]
    for reader in table.readers:
        cells = [table.cell(reader, score) for score in table.scores]
        lines.append(" & ".join([_in_tex(reader), *(_in_tex(mean(cell)) if cell else "--" for cell in cells)]) + r" \\")
        ranges = [rf"{{\small {between(cell)}}}" if cell and between(cell) else "" for cell in cells]
        lines.append(" & ".join(["", *ranges]) + r" \\")
    caveats = rf"\par{{\small {_in_tex(' '.join(_caveats(table)))}}}"
    return "\n".join([*lines, r"\hline", r"\end{tabular}", caveats, ""])


def _tex_printed(one: Recipe) -> str:
    """What a paper prints, in a `tabular` of its own."""
    heads = " & ".join(["", *map(_in_tex, one.heads)])
    lines = [f"% Printed in {_one_line(one.paper)}, not measured here. {_one_line(one.differs)}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * len(one.heads)}}}", r"\hline", rf"{heads} \\", r"\hline"]
    for name, figures in one.rows:
        lines.append(" & ".join([rf"\textit{{{_in_tex(name)}}}", *(_shown(one).replace("–", "--") for one in figures)]) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def _html(table: Table, name: str, facts: Sequence[str], papers: Sequence[Recipe]) -> str:
    """One page that needs nothing else."""
    heads = "".join(f'<th scope="col">{escape(title(score))}</th>' for score in table.scores)
    body = ""
    for reader in table.readers:
        cells = "".join(_html_cell(table.cell(reader, score)) for score in table.scores)
        body += f'<tr><th scope="row">{escape(reader)}</th>{cells}</tr>\n'
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(name)}</title><style>{_STYLE}</style>\n'
        f"<h1>{escape(name)}</h1>\n<p>{escape(', '.join(facts))}. "
        f"{escape(_about(table))}</p>\n"
        f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>\n{body}</tbody></table>\n"
        f"{''.join(map(_html_printed, papers))}</html>\n"
    )


def _html_printed(one: Recipe) -> str:
    """What a paper prints, in grey."""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in one.heads)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{_shown(figure)}</td>" for figure in figures)}</tr>\n'
        for name, figures in one.rows
    )
    return (
        f'<section class="printed"><h2>In the paper: {escape(one.title)}</h2>\n<p>{escape(one.paper)}; not measured here. '
        f"{escape(one.differs)}</p>\n<table><thead><tr><td></td>{heads}</tr></thead><tbody>\n{body}</tbody></table></section>\n"
    )


def _html_cell(cell: Cell | None) -> str:
    if cell is None:
        return "<td>–</td>"
    small = [between(cell), f"as published {percent(cell.published)}" if cell.differs else ""]
    return f"<td>{mean(cell)}{''.join(f'<small>{escape(one)}</small>' for one in small if one)}</td>"


def _about(table: Table) -> str:
    units = ["The methods’ own figures are in their units."] * any(name in FIGURES for name in table.scores)
    return " ".join(["Means in percent over everything asked.", *units, *_caveats(table)])


def _caveats(table: Table) -> list[str]:
    """What the intervals are, and why some are missing."""
    return [ABOUT, *table.notes]


def title(name: str) -> str:
    """What a score or a rating is called, or a figure with its unit."""
    if name in RATED:
        most = RATED[name].range[1]
        return RATED[name].title if most == 1 else f"{RATED[name].title} (% of {most:g})"
    if name not in FIGURES:
        return SCORES[name].title
    figure = FIGURES[name]
    unit = UNITS.get(figure.unit, "")
    return figure.title if not unit or unit in figure.title.lower() else f"{figure.title} ({unit})"


def mean(cell: Cell) -> str:
    """The mean of a score or a figure as it is shown, without its unit; a dash for none."""
    return "–" if cell.asked.value is None else _amount(cell.asked.value, cell.score)


def between(cell: Cell) -> str:
    """The interval of a score or a figure as it is shown; empty if there is none."""
    low, high = cell.asked.low, cell.asked.high
    return "" if low is None or high is None else f"{_amount(low, cell.score)} to {_amount(high, cell.score)}"


def _amount(value: float, name: str) -> str:
    unit = FIGURES[name].unit if name in FIGURES else "share"
    if unit == "share":
        return f"{100 * value:.1f}"
    if unit in ("tokens", "words"):
        return f"{value:,.0f}"
    if unit == "usd":
        return f"{value:,.4f}" if value else "0"
    return f"{value:,.2f}" if unit == "seconds" and value < 1 else f"{value:,.1f}"


def percent(found: Estimate) -> str:
    """A mean in percent with one decimal, as papers print them; a dash for none."""
    return "–" if found.value is None else f"{100 * found.value:.1f}"


def interval(found: Estimate) -> str:
    """The interval in percent, `25.0 to 45.0`; empty if there is none."""
    return "" if found.low is None or found.high is None else f"{100 * found.low:.1f} to {100 * found.high:.1f}"


def _in_tex(words: str) -> str:
    return _one_line(words).translate(_TEX)


def _one_line(words: str) -> str:
    return " ".join(words.split())
