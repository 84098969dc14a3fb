"""HTML of the Models page. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from components.html import markup
from components.html.wording import Chip


class KeyRow(NamedTuple):
    """A variable for a key, a model that the key is for, and whether it is set."""

    variable: str
    model: str
    is_set: bool


def model_in_use(name: str, about: str, terms: Sequence[tuple[str, str]]) -> str:
    """The model that reads, and on what terms."""
    rows = "".join(f"<div><dt>{escape(term)}</dt><dd>{escape(value)}</dd></div>" for term, value in terms)
    return f'<div class="in-use"><p class="name">{escape(name)}</p><p>{escape(about)}</p><dl>{rows}</dl></div>'


def keys(rows: Sequence[KeyRow]) -> str:
    """The keys of the environment. Never a value."""
    there, missing = markup.draw_chip(Chip("◆", "set", "good")), markup.draw_chip(Chip("□", "not set"))
    items = "".join(
        f"<tr><td><code>{escape(variable)}</code></td><td>{escape(model)}</td><td>{there if is_set else missing}</td></tr>"
        for variable, model, is_set in rows
    )
    head = '<tr><th scope="col">Variable</th><th scope="col">For models like</th><th scope="col">Key</th></tr>'
    return f'<div class="wide"><table class="keys"><thead>{head}</thead><tbody>{items}</tbody></table></div>'
