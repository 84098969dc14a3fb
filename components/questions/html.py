"""HTML of graded readings, and of tables of counts. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def graded(right: str, why: str) -> str:
    """The known answer of a question, and what a rule makes of a reading's own."""
    known = f'<p class="known-words"><span aria-hidden="true">◆</span> <b>Known answer:</b> {escape(right)}</p>' if right else ""
    return f'<div class="graded">{known}{f"<p>{escape(why)}</p>" if why else ""}</div>'


def outcomes(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], *, about: str) -> str:
    """A row of counts for each way of reading; `about` is the table's name."""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(value)}</td>" for value in values)}</tr>'
        for name, values in rows
    )
    box = f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}">'
    return f'{box}<table class="outcomes"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
