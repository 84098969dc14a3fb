"""HTML that several pages use: pure strings, in which everything from outside is escaped.

What a text, a model, a file or a person supplies comes out as characters, never as markup. `plain` does the same for Streamlit's
Markdown, where an image would be fetched. Not here: the document itself (`document.py`), and the HTML of one page alone, which is
in that page's `html.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

from components.html.terms import cards, explained, with_meaning
from components.html.words.wording import NOT_IN_TEXT, AnswerVerdict, Chip, Tone

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_WHITE = re.compile(r"\s+")
JOINER = "\u2060"
# Before http:// and www., which no longer begin a word then; inside a@b, :icon: and arrows that stand alone.
_FOUND_LATER = re.compile(
    r"(?=https?://)|(?=www\.)|(?<=@)(?=[-\w])|(?<=:)(?=(?:100|1234|(?!\d+:)[\w+/-]+):)"
    r"|(?<=<)(?=->(?!\S))|(?<=(?<!\S)-)(?=[->](?!\S))|(?<=(?<!\S)<)(?=[-=](?!\S))|(?<=(?<!\S)[>~])(?==(?!\S))",
    re.IGNORECASE,
)
CONTENT = "content"
ONE_LINE_QUESTION, CLAMPED_QUESTION = 55, 150  # characters that fit on one line beside the switches, and on two smaller ones
# Where the words of a prompt come from.
SOURCES = {
    "template": "the prompt’s own words",
    "question": "the question",
    "document": "the text itself",
    "model": "written by the model earlier",
    "rule": "put in by the reader",
    "person": "written by a person",
}
# Where an answer comes from: supported by the text that was in view, nearest to some of it, or from a memory.
AnswerSource = Literal["found", "nearest", "memory"]
SOURCE_MARKS: Mapping[AnswerSource, str] = {"found": "◆", "nearest": "◇", "memory": "▤"}


class Fact(NamedTuple):
    """A figure with its name, and a note on it; `note` is empty if there is nothing to add."""

    name: str
    value: str
    note: str = ""


class PromptStretch(NamedTuple):
    """Words of a prompt, the `source` they come from (a key of `SOURCES`), and a title for them."""

    words: str
    source: str
    title: str


def plain(text: str) -> str:
    """Words as Markdown that shows exactly them: no link, image, icon, colour or formula comes of it. Lines are joined.

    Streamlit looks for addresses, e-mail addresses, icons and arrows once more in what is left after Markdown, where no backslash
    helps: a word joiner, which has no width, stands before or inside each of these.
    """
    return _PUNCTUATION.sub(r"\\\1", _FOUND_LATER.sub(JOINER, _WHITE.sub(" ", text))).strip()


def skip_link() -> str:
    """For the keyboard: the first stop of a page leads past the bar."""
    return f'<a class="skip" href="#{CONTENT}">Skip to the content</a>'


def content_begins() -> str:
    """Where the content begins, with the explanations of the terms on the page, hidden."""
    return f'<span id="{CONTENT}" class="content-begins" tabindex="-1"></span>{cards()}'


def badge(model: str) -> str:
    """The model that will read."""
    return f'<p class="badge">Model: {escape(model)}</p>'


def section(number: str, title: str, *, hint: str = "", explains: bool = False) -> str:
    """A heading over a part of the page. `explains`: the title is in our own words, and its terms are marked."""
    mark = f'<span class="number">{escape(number)}</span>' if number else ""
    heading = explained(title) if explains else escape(title)
    return f'<div class="section">{mark}<h2>{heading}</h2><span class="hint">{escape(hint)}</span></div>'


def empty(words: str) -> str:
    """What will stand in a place that has nothing yet."""
    return f'<p class="empty">{explained(words)}</p>'


def heading(question: str, meta: Sequence[str], chips: Iterable[Chip]) -> str:
    """The question of a reading, its reader and model, and its outcome in chips."""
    pills = "".join(draw_chip(chip) for chip in chips)
    return (
        f'<div class="heading"><h1>{escape(question)}</h1><div class="side"><p class="meta">{escape(" · ".join(meta))}</p>'
        f'<p class="chips">{pills}</p></div></div>'
    )


# In a reading's head, until the player says whether the end is hidden.
HIDES_END = '<span class="hides-end"></span>'


def question(words: str) -> str:
    """The question of a reading, over its answer: as low as two small lines, and whole where it is opened."""
    head = f"<h1>{escape(words)}</h1>"
    if len(words) > CLAMPED_QUESTION:
        return f'<details class="one-line question long"><summary>{head}</summary></details>'
    return f'<div class="question{" long" if len(words) > ONE_LINE_QUESTION else ""}">{head}</div>'


def titled(asked: str, reader: str, more: Sequence[str]) -> str:
    """A question (`question`) and beside it the reader, whose name is never cut, and as much of `more` as there is room for."""
    rest = "".join(f" · {escape(words)}" for words in more)
    meta = (
        f'<p class="meta" title="{escape(reader)}{rest}"><span>{escape(reader)}</span><span class="more-meta">{rest}</span></p>'
    )
    return f'<div class="titled">{asked}{meta}</div>'


def outcome(ending: str, chips: Iterable[Chip]) -> str:
    """What came of a reading (`answer`, `no_answer`), then its figures in chips: on one line."""
    pills = "".join(draw_chip(chip) for chip in chips)
    return f'<div class="outcome">{ending}<p class="chips">{pills}</p></div>'


def answer(text: str, by: str, where: str, *, source: AnswerSource = "found") -> str:
    """An answer, marked as written by a model, and where its evidence stands; or what it is only nearest to, or that none of the
    text itself was there.

    Opened, it says who wrote it.
    """
    kind, mark = "where" if source == "found" else "where unsupported", SOURCE_MARKS[source]
    place = f'<span class="{kind}"><span aria-hidden="true">{mark}</span> <span>{escape(where)}</span></span>' if where else ""
    author = f'<p class="by">answer, written by {escape(by)}</p>'
    line = f'<summary><span class="words">{escape(text)}</span> {place}</summary>'
    return f'<details class="one-line answer">{line}{author}</details>'


def no_answer(tone: Tone, sentences: Sequence[str]) -> str:
    """Why a reading has no answer: the first sentence on the line, the others where it is opened."""
    first, *others = sentences
    rest = "".join(f"<p>{escape(sentence)}</p>" for sentence in others)
    return (
        f'<details class="one-line notice {tone}"><summary><span class="words">{escape(first)}</span></summary>{rest}</details>'
    )


def notice(tone: Tone, sentences: Iterable[str]) -> str:
    """How a reading stands that has no answer."""
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f'<div class="notice {tone}">{told}</div>'


def working(stage: str, facts: Sequence[str], *, done: float | None = None, spoken: bool = True) -> str:
    """A running reading: what it does, and how far it is; `done` is the share that is done, None if unknown. `spoken`: a screen
    reader says each change."""
    known = "" if done is None else f' known" style="--done: {100 * done:.1f}%'
    bar = f'<div class="bar{known}" aria-hidden="true"></div>'
    told = f'<p class="stage">{escape(stage)}</p><p class="facts">{escape(" · ".join(facts))}</p>'
    role = ' role="status"' if spoken else ""
    return f'<div class="working"{role}>{bar}{told}</div>'


def aside(words: str, *, protected: Iterable[str] = ()) -> str:
    """A note in our own words, with its terms explained; `protected` are words in it that are not ours."""
    return f'<p class="aside">{explained(words, protected=protected)}</p>'


def page_title(title: str, *, hint: str = "") -> str:
    """The name of a page, or of what it shows."""
    return f'<div class="page-title"><h1>{escape(title)}</h1><span class="hint">{escape(hint)}</span></div>'


def project_name(name: str) -> str:
    """What a project is called, in the bar of its views."""
    return f'<p class="project-name">{escape(name)}</p>'


def run_facts(facts: Sequence[str], chip: Chip) -> str:
    """What a list says of a reading beside its question."""
    return f'<p class="run-facts"><span>{escape(" · ".join(facts))}</span>{draw_chip(chip)}</p>'


def listed_reading(question: str, answer: str, facts: Sequence[str], tags: Sequence[str]) -> str:
    """What the list of readings says of one below its link: the question where the link has a name, the answer, figures, tags."""
    asked = f'<p class="asked">{escape(question)}</p>' if question else ""
    said = f'<p class="answer-text">{escape(answer)}</p>' if answer else ""
    told = " · ".join(f"<span>{escape(fact)}</span>" for fact in facts)
    pills = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags)
    marks = f'<p class="tags"><span class="visually-hidden">Tags:</span> {pills}</p>' if tags else ""
    return f'<div class="listed">{asked}{said}<p class="facts">{told}</p>{marks}</div>'


def standing(chip: Chip) -> str:
    """How a reading in a list stands."""
    return f'<p class="standing">{draw_chip(chip)}</p>'


def fact_list(figures: Sequence[Fact]) -> str:
    """Figures with their names and notes."""
    seen: set[str] = set()
    items = "".join(
        f"<div><dt>{explained(name, seen=seen)}</dt>"
        f"<dd>{escape(value)}{f'<small>{escape(note)}</small>' if note else ''}</dd></div>"
        for name, value, note in figures
    )
    return f'<dl class="fact-list">{items}</dl>'


def facts(items: Sequence[str]) -> str:
    return f'<p class="facts-line">{escape(" · ".join(items))}</p>'


def own_facts(items: Sequence[str], *, seen: set[str]) -> str:
    """Facts in our own words, with the terms marked that were not `seen` in the same list."""
    return f'<p class="facts-line">{explained(" · ".join(items), seen=seen)}</p>'


def known(answer: str | None, verdict: AnswerVerdict | None = None) -> str:
    """What the sample's author says the answer is, and how the reading compares: the verdict first, then the reasons."""
    said = escape(answer) if answer is not None else NOT_IN_TEXT
    told = verdict_line(verdict) if verdict else ""
    head = '<p class="by">known answer, by the author of the text</p>'
    return f'<div class="known-answer">{head}<p class="words">{said}</p>{told}</div>'


def verdict_line(verdict: AnswerVerdict) -> str:
    """How a reading compares with what is known: the verdict in a word, then the reasons."""
    chip = f"{draw_chip(verdict.chip)} " if verdict.chip else ""
    return f'<p class="verdict">{chip}{escape(" ".join(verdict.reasons))}</p>'


def prompt(stretches: Sequence[PromptStretch]) -> str:
    """A rendered prompt, each stretch in the style of its source."""
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


def reply(words: str, by: str) -> str:
    """A model's reply, unchanged."""
    return f'<div class="reply"><p class="by">reply, written by {escape(by)}</p><div class="words">{escape(words)}</div></div>'


def thoughts(words: str, by: str) -> str:
    """What a model thought before its reply, folded."""
    size = len(words.split())
    head = f"thoughts, {size:,} word{'' if size == 1 else 's'} by {escape(by)}; no part of the reply"
    return f'<details class="thoughts"><summary>{head}</summary><div class="words">{escape(words)}</div></details>'


def facts_of_call(facts: Sequence[tuple[str, str]], origin: str, meaning: str) -> str:
    """Badge of origin, then figures with their names."""
    items = "".join(f"<span>{escape(name)} <b>{escape(value)}</b></span>" for name, value in facts)
    return f'<p class="call-facts"><span class="chip">{with_meaning(origin, meaning)}</span>{items}</p>'


def compared_answer(words: str, by: str, where: str) -> str:
    """The answer of a reading among others, in a few lines, and its evidence; without an answer `by` is empty."""
    place = f'<p class="where"><span aria-hidden="true">◆</span> {escape(where)}</p>' if where else ""
    kind = "answer" if by else "no-answer"
    head = f'<p class="by">answer, written by {escape(by)}</p>' if by else ""
    return f'<div class="{kind}">{head}<p class="words">{escape(words)}</p>{place}</div>'


def draw_chip(chip: Chip) -> str:
    return f'<span class="chip {chip.tone}">{_chip_inside(chip)}</span>'


def _chip_inside(chip: Chip) -> str:
    mark = f'<span aria-hidden="true">{escape(chip.mark)}</span> ' if chip.mark else ""
    word = with_meaning(chip.word, chip.meaning) if chip.meaning else escape(chip.word)
    return f"{mark}{word}"


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
