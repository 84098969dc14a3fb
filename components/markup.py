"""HTML around and beside the text: pure strings, everything that came from outside escaped.

What a text, a model, a file or a person supplies goes in as plain strings and comes out as characters, never as markup. `plain`
does the same for Streamlit's Markdown, where an image would be fetched. Not here: the document itself
(`prose.py`), what to say (`wording.py`), and drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from components.wording import Chip, Tone

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_WHITE = re.compile(r"\s+")
CONTENT = "content"
# Where the words of a prompt come from.
SOURCES = {
    "template": "the prompt’s own words",
    "question": "the question",
    "document": "the text itself",
    "model": "written by the model earlier",
    "rule": "put in by the reader",
}


def plain(text: str) -> str:
    """Words as Markdown that shows exactly them: no link, image, colour or formula comes of it. Lines are joined."""
    return _PUNCTUATION.sub(r"\\\1", _WHITE.sub(" ", text)).strip()


def skip_link() -> str:
    """For the keyboard: the first stop of a page leads past the bar."""
    return f'<a class="skip" href="#{CONTENT}">Skip to the content</a>'


def content_begins() -> str:
    return f'<span id="{CONTENT}" class="content-begins" tabindex="-1"></span>'


def badge(model: str) -> str:
    """The model that will read."""
    return f'<p class="badge">Model: {escape(model)}</p>'


def section(number: str, title: str, *, hint: str = "") -> str:
    """A heading over a part of the page."""
    mark = f'<span class="number">{escape(number)}</span>' if number else ""
    return f'<div class="section">{mark}<h2>{escape(title)}</h2><span class="hint">{escape(hint)}</span></div>'


def empty(words: str) -> str:
    """What will stand in a place that has nothing yet."""
    return f'<p class="empty">{escape(words)}</p>'


def model_line(reader: str, model: str, *, offline: bool) -> str:
    """Who will read, and where that happens."""
    how = "it counts and compares words, on this machine" if offline else "the text is sent to it, part by part"
    return f'<p class="who">{escape(reader)} · {"" if offline else "model "}<b>{escape(model)}</b>: {how}</p>'


def heading(question: str, meta: Sequence[str], chips: Iterable[Chip]) -> str:
    """The question of a reading, whose it is, and what came of it in chips."""
    pills = "".join(_chip(chip) for chip in chips)
    return (
        f'<div class="heading"><h1>{escape(question)}</h1><div class="side"><p class="meta">{escape(" · ".join(meta))}</p>'
        f'<p class="chips">{pills}</p></div></div>'
    )


def question(words: str) -> str:
    """The question of a reading, over its answer."""
    return f'<div class="heading"><h1>{escape(words)}</h1></div>'


def about_reading(meta: Sequence[str], chips: Iterable[Chip]) -> str:
    """Whose reading it is, and what came of it in chips."""
    pills = "".join(_chip(chip) for chip in chips)
    return f'<div class="heading side"><p class="meta">{escape(" · ".join(meta))}</p><p class="chips">{pills}</p></div>'


def model_in_use(name: str, about: str, terms: Sequence[tuple[str, str]]) -> str:
    """The model that reads, and on what terms."""
    rows = "".join(f"<div><dt>{escape(term)}</dt><dd>{escape(value)}</dd></div>" for term, value in terms)
    return f'<div class="in-use"><p class="name">{escape(name)}</p><p>{escape(about)}</p><dl>{rows}</dl></div>'


def keys(rows: Sequence[tuple[str, str, bool]]) -> str:
    """The environment's keys by their variables, each with a model it is for, and whether it is set. Never a value."""
    there, missing = Chip("◆", "set", "good"), Chip("□", "not set")
    items = "".join(
        f"<tr><td><code>{escape(variable)}</code></td><td>{escape(model)}</td><td>{_chip(there if is_set else missing)}</td></tr>"
        for variable, model, is_set in rows
    )
    head = '<tr><th scope="col">Variable</th><th scope="col">For models like</th><th scope="col">Key</th></tr>'
    return f'<div class="wide"><table class="keys"><thead>{head}</thead><tbody>{items}</tbody></table></div>'


def choices(offered: Sequence[str]) -> str:
    items = "".join(f"<li><b>({chr(65 + n)})</b> {escape(choice)}</li>" for n, choice in enumerate(offered))
    return f'<ul class="choices">{items}</ul>'


def answer(text: str, by: str, where: str) -> str:
    """An answer, marked as written by a model, and where its evidence stands."""
    place = f'<p class="where"><span aria-hidden="true">◆</span> {escape(where)}</p>' if where else ""
    head = f'<p class="by">answer, written by {escape(by)}</p>'
    return f'<div class="answer">{head}<p class="words">{escape(text)}</p>{place}</div>'


def notice(tone: Tone, sentences: Iterable[str]) -> str:
    """How a reading stands that has no answer."""
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f'<div class="notice {tone}">{told}</div>'


def working(stage: str, facts: Sequence[str], *, done: float | None = None) -> str:
    """A reading that goes on: what it does, and how far it is; `done` is the share that is behind it, None where nobody knows."""
    known = "" if done is None else f' known" style="--done: {100 * done:.1f}%'
    bar = f'<div class="bar{known}" aria-hidden="true"></div>'
    told = f'<p class="stage">{escape(stage)}</p><p class="facts">{escape(" · ".join(facts))}</p>'
    return f'<div class="working" role="status">{bar}{told}</div>'


def lead(title: str, words: str) -> str:
    """What the whole thing is."""
    return f'<div class="lead"><h1>{escape(title)}</h1><p>{escape(words)}</p></div>'


def aside(words: str) -> str:
    return f'<p class="who">{escape(words)}</p>'


def page_title(title: str, *, hint: str = "") -> str:
    """The name of a page, or of what it shows."""
    return f'<div class="page-title"><h1>{escape(title)}</h1><span class="hint">{escape(hint)}</span></div>'


def specimen(question: str, picture: str, answer: str) -> str:
    """A small reading on show; `picture` is HTML."""
    by = '<p class="by">answer, written by the offline model (no neural network)</p>'
    return (
        f'<figure class="specimen"><figcaption>{escape(question)}</figcaption>{picture}'
        f'<div class="answer">{by}<p class="words">{escape(answer)}</p></div></figure>'
    )


def card(title: str, size: str, about: str, question: str) -> str:
    """A sample text with a question of it."""
    return (
        f'<div class="card"><h3>{escape(title)}</h3><p class="size">{escape(size)}</p><p>{escape(about)}</p>'
        f'<p class="asks">{escape(question)}</p></div>'
    )


def run_facts(facts: Sequence[str], chip: Chip) -> str:
    """What a list says of a reading beside its question."""
    return f'<p class="run-facts"><span>{escape(" · ".join(facts))}</span>{_chip(chip)}</p>'


def chosen(title: str) -> str:
    """The text that is chosen already."""
    return f'<p class="chosen">{escape(title)}</p>'


def takes(figures: Sequence[tuple[str, str, str]]) -> str:
    """Figures with their names, and what there is to say of each."""
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}{f'<small>{escape(more)}</small>' if more else ''}</dd></div>"
        for name, value, more in figures
    )
    return f'<dl class="takes">{items}</dl>'


def facts(items: Sequence[str]) -> str:
    return f'<p class="facts-line">{escape(" · ".join(items))}</p>'


def known(answer: str | None, verdicts: Sequence[str]) -> str:
    """What the sample's author says the answer is, and how the reading compares."""
    said = escape(answer) if answer is not None else "The text does not answer this question."
    told = "".join(f"<p>{escape(verdict)}</p>" for verdict in verdicts)
    head = '<p class="by">known answer, by the author of the text</p>'
    return f'<div class="known-answer">{head}<p class="words">{said}</p>{told}</div>'


def prompt(stretches: Sequence[tuple[str, str, str]]) -> str:
    """A rendered prompt, each stretch `(words, source, title)` in the manner of where its words come from; see `SOURCES`."""
    parts = "".join(
        f'<span class="from-{escape(source)}" title="{escape(title)}">{escape(words)}</span>'
        for words, source, title in stretches
    )
    return f'<div class="prompt" tabindex="0" role="region" aria-label="The prompt">{parts}</div>'


def prompt_legend(sources: Iterable[str]) -> str:
    """Which manner means what, for those that occur."""
    there = set(sources)
    items = "".join(
        f'<span><i class="key from-{name}"></i>{meaning}</span>' for name, meaning in SOURCES.items() if name in there
    )
    return f'<p class="legend">{items}</p>'


def prompt_parts(names: Sequence[str], form: str) -> str:
    """Which parts a prompt must have, and what `$format` stands for; `form` is empty for a reply without a form."""
    parts = ", ".join(f"<code>${escape(name)}</code>" for name in names)
    counted = " (numbers follow the reader’s settings)" if any(c.isdecimal() for c in form) else ""
    lead = f"<p><code>$format</code> may stand in it as well, for the form of the reply{counted}:</p>"
    shown = f'{lead}<div class="prompt">{escape(form)}</div>' if form else ""
    return f'<div class="prompt-parts"><p>It must have {parts}, in any order. <code>$$</code> is a dollar sign.</p>{shown}</div>'


def prompt_marks(names: Sequence[tuple[str, bool]]) -> str:
    """The prompts that are in other words than the reader's, each with whether it cannot be used."""
    chips = "".join(
        _chip(Chip("!", f"{name}: cannot be used", "warn") if wrong else Chip("≠", f"{name}: worded otherwise"))
        for name, wrong in names
    )
    return f'<p class="prompt-marks">{chips}</p>'


def reply(words: str, by: str) -> str:
    """What a model sent back, as it stands."""
    return f'<div class="reply"><p class="by">reply, written by {escape(by)}</p><div class="words">{escape(words)}</div></div>'


def facts_of_call(facts: Sequence[tuple[str, str]], origin: str, meaning: str) -> str:
    """Badge of origin, then figures with their names."""
    items = "".join(f"<span>{escape(name)} <b>{escape(value)}</b></span>" for name, value in facts)
    return f'<p class="call-facts"><abbr class="chip" title="{escape(meaning)}">{escape(origin)}</abbr>{items}</p>'


def figures(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values, two columns."""
    body = "".join(f"<tr><th scope='row'>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="figures"><tbody>{body}</tbody></table>'


def _chip(chip: Chip) -> str:
    return f'<span class="chip {chip.tone}">{_chip_inside(chip)}</span>'


def _chip_inside(chip: Chip) -> str:
    mark = f'<span aria-hidden="true">{escape(chip.mark)}</span> ' if chip.mark else ""
    word = f'<abbr title="{escape(chip.meaning)}">{escape(chip.word)}</abbr>' if chip.meaning else escape(chip.word)
    return f"{mark}{word}"
