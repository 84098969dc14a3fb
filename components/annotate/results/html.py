"""HTML of the results: labels of an imported file that differ. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


class ConflictRow(NamedTuple):
    """A label of a file that differs from the one here: what it is about, and both values."""

    question: str
    annotator: str
    subject: str
    imported: str
    stored: str


def conflicts(rows: Sequence[ConflictRow], more: int) -> str:
    """Labels of a file that differ from those here."""
    heads = ("Reading", "Annotator", "About", "In the file", "Here (unchanged)")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    rest = f'<p class="aside">And {more:,} more.</p>' if more > 0 else ""
    table = f'<table class="conflicts"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="wide" tabindex="0" role="region" aria-label="Labels that differ">{table}</div>{rest}'
