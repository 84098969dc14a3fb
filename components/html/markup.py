"""HTML around and beside the text: pure strings, everything that came from outside escaped.

What a text, a model, a file or a person supplies goes in as plain strings and comes out as characters, never as markup. `plain`
does the same for Streamlit's Markdown, where an image would be fetched. Not here: the document itself
(`prose.py`), what to say (`wording.py`), and drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from components.html.wording import Chip, Tone

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
    "person": "written by a person",
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


def model_line(reader: str, model: str, *, offline: bool, human: bool = False) -> str:
    """Who will read, and where that happens."""
    how = "it counts and compares words, on this machine" if offline else "the text is sent to it, part by part"
    how = "each prompt is put to you, and you write the reply" if human else how
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


def answer(text: str, by: str, where: str, *, from_text: bool = True) -> str:
    """An answer, marked as written by a model, and where its evidence stands; or that none of the text itself was there."""
    kind, mark = ("where", "◆") if from_text else ("where from-memory", "▤")
    place = f'<p class="{kind}"><span aria-hidden="true">{mark}</span> {escape(where)}</p>' if where else ""
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


def project_name(name: str) -> str:
    """What a project is called, in the bar of its views."""
    return f'<p class="project-name">{escape(name)}</p>'


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


def listed_reading(question: str, answer: str, facts: Sequence[str], tags: Sequence[str]) -> str:
    """What the list of readings says of one below its link: the question where the link has a name, the answer, figures, tags."""
    asked = f'<p class="asked">{escape(question)}</p>' if question else ""
    said = f'<p class="said">{escape(answer)}</p>' if answer else ""
    told = " · ".join(f"<span>{escape(fact)}</span>" for fact in facts)
    pills = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags)
    marks = f'<p class="tags"><span class="heard">Tags:</span> {pills}</p>' if tags else ""
    return f'<div class="listed">{asked}{said}<p class="facts">{told}</p>{marks}</div>'


def problems(rows: Sequence[tuple[str, str, str, str]], more: int) -> str:
    """What is wrong in files, a row each: file, where, field, why; and how many more there are."""
    body = "".join(
        f"<tr><td>{escape(file)}</td><td>{escape(where)}</td><td>{f'<code>{escape(field)}</code>' if field else ''}</td>"
        f"<td>{escape(why)}</td></tr>"
        for file, where, field, why in rows
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("File", "Where", "Field", "What is wrong"))
    rest = f'<p class="who">And {more:,} more.</p>' if more > 0 else ""
    box = '<div class="wide" tabindex="0" role="region" aria-label="What is wrong in the files">'
    return f'{box}<table class="problems"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{rest}'


def asked(question: str, text: str, known: str, choices: Sequence[tuple[str, bool]]) -> str:
    """A question of a set: its text, what is known of its answer, and its choices, each with whether it is right."""
    items = ""
    for n, (choice, right) in enumerate(choices):
        mark, heard = (' class="right"', '<span class="heard"> (right)</span>') if right else ("", "")
        items += f"<li{mark}><b>({chr(65 + n)})</b> {escape(choice)}{heard}</li>"
    offered = f'<ul class="choices">{items}</ul>' if items else ""
    said = f'<p class="known-words"><span aria-hidden="true">◆</span> {escape(known)}</p>' if known else ""
    about = f'<p class="facts-line">{escape(text)}</p>'
    return f'<div class="asked-one"><p class="words">{escape(question)}</p>{offered}{said}{about}</div>'


def held_against(right: str, why: str) -> str:
    """The known answer of a question, and what a rule makes of a reading's own."""
    known = f'<p class="known-words"><span aria-hidden="true">◆</span> <b>Known answer:</b> {escape(right)}</p>' if right else ""
    return f'<div class="held-against">{known}{f"<p>{escape(why)}</p>" if why else ""}</div>'


def outcomes(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """How the answers of each way of reading were judged."""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(value)}</td>" for value in values)}</tr>'
        for name, values in rows
    )
    box = '<div class="wide" tabindex="0" role="region" aria-label="How the answers were judged">'
    return f'{box}<table class="outcomes"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def standing(chip: Chip) -> str:
    """How a reading in a list stands."""
    return f'<p class="standing">{_chip(chip)}</p>'


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


def reply_form(form: str) -> str:
    """The form a reply must have, as the prompt shows it."""
    lead = "<p>It must have this form; what you write in it is yours:</p>"
    return f'<div class="prompt-parts">{lead}<div class="prompt">{escape(form)}</div></div>'


def to_send(words: str, problem: str) -> str:
    """A reply as it would be sent, and why it cannot be read yet, if it cannot."""
    wrong = f'<p class="not-yet"><span aria-hidden="true">!</span> {escape(problem)}</p>' if problem else ""
    by = '<p class="by">the reply as it would be sent</p>'
    shown = f'<div class="reply">{by}<div class="words">{escape(words)}</div></div>' if words else ""
    return f'<div class="to-send">{shown}{wrong}</div>'


def your_turn(reply: int, about: str) -> str:
    """Over a prompt that is put to a person: the number of their reply, and of `about` how many, if that is known."""
    of = f' <span class="about">of {escape(about)}</span>' if about else ""
    return f'<div class="your-turn" role="status"><p class="stage">Reply {reply:,}{of}</p></div>'


def reply(words: str, by: str) -> str:
    """What a model sent back, as it stands."""
    return f'<div class="reply"><p class="by">reply, written by {escape(by)}</p><div class="words">{escape(words)}</div></div>'


def facts_of_call(facts: Sequence[tuple[str, str]], origin: str, meaning: str) -> str:
    """Badge of origin, then figures with their names."""
    items = "".join(f"<span>{escape(name)} <b>{escape(value)}</b></span>" for name, value in facts)
    return f'<p class="call-facts"><abbr class="chip" title="{escape(meaning)}">{escape(origin)}</abbr>{items}</p>'


def group_to_compare(question: str, facts: Sequence[str]) -> str:
    """A question with readings to choose from."""
    told = " · ".join(fact for fact in facts if fact)
    return f'<div class="to-compare"><h2>{escape(question)}</h2><p class="facts-line">{escape(told)}</p></div>'


def compared(number: int, by: str, chip: Chip, about: Sequence[str]) -> str:
    """One of the readings that are compared: its number, whose it is, and how it stands."""
    facts = f'<p class="about">{escape(" · ".join(about))}</p>' if about else ""
    title = f'<h3><span class="heard">Reading {number}: </span>{escape(by)}</h3>'
    head = f'<span class="number" aria-hidden="true">{number}</span>{title}'
    return f'<div class="compared">{head}<p class="chips">{_chip(chip)}</p>{facts}</div>'


def player_head(number: int, by: str) -> str:
    """Over one of two players."""
    return f'<div class="compared"><span class="number" aria-hidden="true">{number}</span><h3>{escape(by)}</h3></div>'


def balance(words: str, note: str) -> str:
    """After how many questions which reading is cheaper."""
    more = f'<p class="who">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-words">{escape(words)}</p>{more}</div>'


def compared_answer(words: str, by: str, where: str) -> str:
    """The answer of a reading among others, in a few lines, and its evidence; without an answer `by` is empty."""
    place = f'<p class="where"><span aria-hidden="true">◆</span> {escape(where)}</p>' if where else ""
    kind = "answer" if by else "no-answer"
    head = f'<p class="by">answer, written by {escape(by)}</p>' if by else ""
    return f'<div class="{kind}">{head}<p class="words">{escape(words)}</p>{place}</div>'


def versus(names: Sequence[str], rows: Iterable[tuple[str, Sequence[str], bool]], *, about: str) -> str:
    """A table with a column for each of several readings; a row whose values are not all the same has a mark and a word."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = ""
    for name, values, differs in rows:
        mark = '<span aria-hidden="true">≠</span><span class="heard">differs</span>' if differs else ""
        cells = "".join(f"<td>{escape(value)}</td>" for value in values)
        kind = ' class="differs"' if differs else ""
        body += f'<tr{kind}><td class="mark">{mark}</td><th scope="row">{escape(name)}</th>{cells}</tr>'
    head = f'<tr><td class="mark"></td><th class="about" scope="col">{escape(about)}</th>{heads}</tr>'
    box = f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}">'
    wide = f"min-width:{14 + 8 * len(names)}rem"
    return f'{box}<table class="versus" style="{wide}"><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def parting(lead: str, sides: Iterable[tuple[str, str, str]], note: str) -> str:
    """Where two readings part: in a sentence, and for each what its step was and what it wrote there."""
    told = ""
    for name, sentence, words in sides:
        wrote = f"<blockquote>{escape(words)}</blockquote>" if words else ""
        told += f"<div><h3>{escape(name)}</h3><p>{escape(sentence)}</p>{wrote}</div>"
    said = f'<div class="sides">{told}</div>' if told else ""
    more = f'<p class="who">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-words">{escape(lead)}</p>{said}{more}</div>'


def forked(what: str, changed: str, calls: Sequence[str], *, sides: tuple[str, str] | None = None) -> str:
    """Above a fork: what it is, what was changed, where its calls come from, and what it read before and reads now, if told."""
    told = escape(" · ".join(calls))
    stop = "" if changed.endswith((".”", ".", "…”", "?”", "!”")) else "."
    boxes = "".join(
        f'<div><p class="facts-line">{name}</p><p class="{kind}">{escape(words) or "nothing: it was left out"}</p></div>'
        for name, kind, words in zip(("before", "in this fork"), ("was", "now"), sides or (), strict=False)
    )
    beside = f'<div class="sides">{boxes}</div>' if boxes else ""
    said = f"<p><b>{escape(what)}:</b> {escape(changed)}{stop}</p>"
    return f'<div class="forked">{said}{beside}<p class="facts-line">{told}</p></div>'


SHOWN_WHOLE = 1_200


def left_out(words: str) -> str:
    """What was left out, as it read; of much the beginning, and the rest behind a click."""
    if len(words) <= SHOWN_WHOLE:
        return f'<div class="left-out">{escape(words)}</div>'
    first = words[:SHOWN_WHOLE].rpartition(" ")[0] or words[:SHOWN_WHOLE]
    rest = words[len(first) :]
    more = f"<details><summary>… Show the other {len(rest):,} characters</summary>{escape(rest)}</details>"
    return f'<div class="left-out">{escape(first)}{more}</div>'


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
