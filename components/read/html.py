"""HTML of the Read page. Pure. Everything that is not markup of this module is escaped by markupsafe."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from components.html import markup
from components.html.words.wording import Chip


def model_line(reader: str, model: str, *, offline: bool, human: bool = False) -> Markup:
    """Who will read, and where that happens."""
    how = "it counts and compares words, on this machine" if offline else "the text is sent to it, part by part"
    how = "each prompt is put to you, and you write the reply" if human else how
    return Markup('<p class="aside">{} · {}<b>{}</b>: {}</p>').format(reader, "" if offline else "model ", model, how)


def choices(offered: Sequence[str]) -> Markup:
    item = Markup('<li dir="auto"><b dir="ltr">({})</b> {}</li>')
    items = Markup("").join(item.format(chr(65 + n), choice) for n, choice in enumerate(offered))
    return Markup('<ul class="choices">{}</ul>').format(items)


def chosen(title: str) -> Markup:
    """The text that is chosen already."""
    return Markup('<p class="chosen" dir="auto">{}</p>').format(title)


def asked_of(question: str, title: str) -> Markup:
    """A question, and the text it is asked of."""
    return Markup('<div class="to-compare"><h2>{}</h2><p class="facts-line">{}</p></div>').format(question, title)


def prompt_parts(names: Sequence[str], form: str) -> Markup:
    """Which parts a prompt must have, and the meaning of `$format`; `form` is empty for a reply without a form."""
    parts = Markup(", ").join(Markup("<code>${}</code>").format(name) for name in names)
    counted = " (numbers follow the reader’s settings)" if any(c.isdecimal() for c in form) else ""
    lead = Markup("<p><code>$format</code> is optional, for the form of the reply{}:</p>").format(counted)
    shown = Markup('{}<div class="prompt">{}</div>').format(lead, form) if form else ""
    return Markup(
        '<div class="prompt-parts"><p>It must have {}, in any order. <code>$$</code> is a dollar sign.</p>{}</div>'
    ).format(parts, shown)


def prompt_marks(names: Sequence[tuple[str, bool]]) -> Markup:
    """The prompts that were reworded, each with whether it cannot be used."""
    chips = Markup("").join(
        markup.draw_chip(Chip("!", f"{name}: cannot be used", "warn") if wrong else Chip("≠", f"{name}: reworded"))
        for name, wrong in names
    )
    return Markup('<p class="prompt-marks">{}</p>').format(chips)
