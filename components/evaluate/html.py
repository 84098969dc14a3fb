"""HTML of the Evaluate page: the table of scores, and questions by readers. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode


class ScoreCell(NamedTuple):
    """A score, its interval, and what else is said of it; any of them may be empty."""

    value: str
    interval: str = ""
    note: str = ""


class Mark(NamedTuple):
    """What one reading scored on a question, from 0 to 1 (None: not scored), and how that is said. `run` is empty for none."""

    run: str
    score: float | None
    said: str


def scores(
    heads: Sequence[str],
    rows: Sequence[tuple[str, Sequence[ScoreCell]]],
    *,
    about: str,
    printed: bool = False,
    sources: Mapping[str, str] | None = None,
) -> str:
    """A row of cells for each reader or figure; `about` is the table's name. The second line of a head is a note. What is
    `printed` in a paper is grey; `sources` are by row where it is from."""
    top = "".join(map(_head, heads))
    more = {name: f"<small>{escape(source)}</small>" for name, source in (sources or {}).items() if source}
    body = "".join(
        f'<tr><th scope="row">{escape(name)}{more.get(name, "")}</th>{"".join(map(_score, cells))}</tr>' for name, cells in rows
    )
    return _table("scores printed" if printed else "scores", top, body, about=about)


def _head(words: str) -> str:
    name, _, note = words.partition("\n")
    return f'<th scope="col">{escape(name)}{f"<small>{escape(note)}</small>" if note else ""}</th>'


def _score(cell: ScoreCell) -> str:
    lines = "".join(f"<small>{escape(words)}</small>" for words in (cell.interval, cell.note) if words)
    return f"<td>{escape(cell.value)}{lines}</td>"


def grid(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[Mark]]], *, about: str) -> str:
    """A row for each question, a mark for each reader, which opens the reading."""
    top = "".join(f'<th scope="col"><span>{escape(name)}</span></th>' for name in heads)
    body = "".join(f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_mark, marks))}</tr>' for name, marks in rows)
    return _table("marks", top, body, about=about)


def _mark(mark: Mark) -> str:
    kind, sign = ("none", "–") if mark.score is None else _KINDS[(mark.score > 0) + (mark.score >= 1)]
    inside = f'<i class="{kind}" aria-hidden="true">{sign}</i><span class="visually-hidden">{escape(mark.said)}</span>'
    if not mark.run:
        return f"<td>{inside}</td>"
    link = escape("Trace?" + urlencode({"run": mark.run}))
    return f'<td><a href="{link}" target="_self" title="{escape(mark.said)}">{inside}</a></td>'


_KINDS: Mapping[int, tuple[str, str]] = {0: ("wrong", "✗"), 1: ("partly", "◐"), 2: ("right", "✓")}


def _table(kind: str, top: str, body: str, *, about: str) -> str:
    box = f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}">'
    return f'{box}<table class="outcomes {kind}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
