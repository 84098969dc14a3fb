"""HTML of the Read page. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.html import markup
from components.html.words.wording import Chip


def model_line(reader: str, model: str, *, offline: bool, human: bool = False) -> str:
    """Who will read, and where that happens."""
    how = "it counts and compares words, on this machine" if offline else "the text is sent to it, part by part"
    how = "each prompt is put to you, and you write the reply" if human else how
    return f'<p class="aside">{escape(reader)} · {"" if offline else "model "}<b>{escape(model)}</b>: {how}</p>'


def choices(offered: Sequence[str]) -> str:
    items = "".join(f"<li><b>({chr(65 + n)})</b> {escape(choice)}</li>" for n, choice in enumerate(offered))
    return f'<ul class="choices">{items}</ul>'


def chosen(title: str) -> str:
    """The text that is chosen already."""
    return f'<p class="chosen">{escape(title)}</p>'


def asked_of(question: str, title: str) -> str:
    """A question, and the text it is asked of."""
    return f'<div class="to-compare"><h2>{escape(question)}</h2><p class="facts-line">{escape(title)}</p></div>'


def prompt_parts(names: Sequence[str], form: str) -> str:
    """Which parts a prompt must have, and what `$format` stands for; `form` is empty for a reply without a form."""
    parts = ", ".join(f"<code>${escape(name)}</code>" for name in names)
    counted = " (numbers follow the reader’s settings)" if any(c.isdecimal() for c in form) else ""
    lead = f"<p><code>$format</code> may stand in it as well, for the form of the reply{counted}:</p>"
    shown = f'{lead}<div class="prompt">{escape(form)}</div>' if form else ""
    return f'<div class="prompt-parts"><p>It must have {parts}, in any order. <code>$$</code> is a dollar sign.</p>{shown}</div>'


def prompt_marks(names: Sequence[tuple[str, bool]]) -> str:
    """The prompts that were reworded, each with whether it cannot be used."""
    chips = "".join(
        markup.draw_chip(Chip("!", f"{name}: cannot be used", "warn") if wrong else Chip("≠", f"{name}: reworded"))
        for name, wrong in names
    )
    return f'<p class="prompt-marks">{chips}</p>'
