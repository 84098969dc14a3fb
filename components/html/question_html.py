"""HTML of questions with their known answers. Everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


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
