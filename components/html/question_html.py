"""HTML of questions with their known answers, and of what is wrong in files of them. Everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


class ProblemRow(NamedTuple):
    """A problem of a file: where it is, in which field, and what is wrong."""

    file: str
    where: str
    field: str
    why: str


def problems(rows: Sequence[ProblemRow], more: int) -> str:
    """What is wrong in files, and how many more problems there are."""
    body = "".join(
        f"<tr><td>{escape(file)}</td><td>{escape(where)}</td><td>{f'<code>{escape(field)}</code>' if field else ''}</td>"
        f"<td>{escape(why)}</td></tr>"
        for file, where, field, why in rows
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("File", "Where", "Field", "What is wrong"))
    rest = f'<p class="aside">And {more:,} more.</p>' if more > 0 else ""
    box = '<div class="wide" tabindex="0" role="region" aria-label="What is wrong in the files">'
    return f'{box}<table class="problems"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{rest}'


def asked(question: str, text: str, known: str, choices: Sequence[tuple[str, bool]]) -> str:
    """A question of a set: its text, what is known of its answer, and its choices, each with whether it is right."""
    items = ""
    for n, (choice, right) in enumerate(choices):
        mark, spoken = (' class="right"', '<span class="visually-hidden"> (right)</span>') if right else ("", "")
        items += f"<li{mark}><b>({chr(65 + n)})</b> {escape(choice)}{spoken}</li>"
    offered = f'<ul class="choices">{items}</ul>' if items else ""
    said = f'<p class="known-words"><span aria-hidden="true">◆</span> {escape(known)}</p>' if known else ""
    about = f'<p class="facts-line">{escape(text)}</p>'
    return f'<div class="asked-one"><p class="words">{escape(question)}</p>{offered}{said}{about}</div>'
