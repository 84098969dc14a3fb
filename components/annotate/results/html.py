"""HTML of the results: labels of an imported file that differ. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def conflicts(rows: Sequence[tuple[str, str, str, str, str]], more: int) -> str:
    """Labels of a file that differ from those here: reading, annotator, subject, the file's value, the value here."""
    heads = ("Reading", "Annotator", "About", "In the file", "Here (unchanged)")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    rest = f'<p class="who">And {more:,} more.</p>' if more > 0 else ""
    table = f'<table class="clashes"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="wide" tabindex="0" role="region" aria-label="Labels that differ">{table}</div>{rest}'
