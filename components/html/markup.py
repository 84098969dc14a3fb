"""HTML that several pages use: pure. Everything that is not markup of this module is escaped by markupsafe.

What a text, a model, a file or a person supplies comes out as characters, never as markup. `plain` does the same for Streamlit's
Markdown, where an image would be fetched. Not here: the document itself (`document.py`), and the HTML of only one page, which is
in that page's `html.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from markupsafe import Markup, escape

from components.html.terms import cards, explained, with_meaning
from components.html.words.wording import NOT_IN_TEXT, AnswerVerdict, Chip, Tone
from readers.engine.text.words import has_right_to_left

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_WHITE = re.compile(r"\s+")
JOINER = "\u2060"
# Before http:// and www., which then no longer begin a word; inside a@b, :icon: and separate arrows.
_FOUND_LATER = re.compile(
    r"(?=https?://)|(?=www\.)|(?<=@)(?=[-\w])|(?<=:)(?=(?:100|1234|(?!\d+:)[\w+/-]+):)"
    r"|(?<=<)(?=->(?!\S))|(?<=(?<!\S)-)(?=[->](?!\S))|(?<=(?<!\S)<)(?=[-=](?!\S))|(?<=(?<!\S)[>~])(?==(?!\S))",
    re.IGNORECASE,
)
CONTENT = "content"
ONE_LINE_ANSWER = 50  # characters, above which its letters are smaller, for two lines or three
ONE_LINE_QUESTION, CLAMPED_QUESTION = 55, 150  # characters that fit on one line next to the switches, and on two smaller lines
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

    Streamlit looks for addresses, e-mail addresses, icons and arrows once more in the result of Markdown, where no backslash
    helps: a word joiner, which has no width, is put before or inside each of these.
    """
    return _PUNCTUATION.sub(r"\\\1", _FOUND_LATER.sub(JOINER, _WHITE.sub(" ", text))).strip()


def padded(words: str) -> str:
    """Words as `plain` Markdown that keep the blanks at their ends, so that a hit inside a longer word looks like one."""
    left = " " if words[:1].isspace() else ""
    right = " " if words[-1:].isspace() else ""
    return f"{left}{plain(words)}{right}"


def pages_fold(title: str) -> Markup:
    """What unfolds the links of the bar on a phone (bar.css); it is folded again on another page."""
    return Markup('<details class="pages-fold" data-page="{}"><summary>Pages</summary></details>').format(title)


def skip_link() -> Markup:
    """For the keyboard: the first stop of a page leads past the bar."""
    return Markup('<a class="skip" href="#{}">Skip to the content</a>').format(CONTENT)


def content_begins() -> Markup:
    """Where the content begins, with the explanations of the terms on the page, hidden."""
    return Markup('<span id="{}" class="content-begins" tabindex="-1"></span>{}').format(CONTENT, cards())


def badge(model: str) -> Markup:
    """The model that will read."""
    return Markup('<p class="badge">Model: {}</p>').format(model)


def isolated(words: str) -> Markup:
    """Words within a line of others: those that are read from the right do not turn what stands beside them around."""
    return Markup("<bdi>{}</bdi>").format(words) if has_right_to_left(words) else escape(words)


def _beside(items: Iterable[str]) -> Markup:
    return Markup(" · ").join(map(isolated, items))


def section(number: str, title: str, *, hint: str = "", explains: bool = False) -> Markup:
    """A heading over a part of the page. `explains`: the title is in our own words, and its terms are marked."""
    mark = Markup('<span class="number">{}</span>').format(number) if number else ""
    heading = explained(title) if explains else title
    return Markup('<div class="section">{}<h2 dir="auto">{}</h2><span class="hint">{}</span></div>').format(mark, heading, hint)


def empty(words: str) -> Markup:
    """A note on what will be in a place that is still empty."""
    return Markup('<p class="empty">{}</p>').format(explained(words))


def heading(question: str, meta: Sequence[str], chips: Iterable[Chip]) -> Markup:
    """The question of a reading, its reader and model, and its outcome in chips."""
    pills = Markup("").join(draw_chip(chip) for chip in chips)
    return Markup(
        '<div class="heading"><h1 dir="auto">{}</h1><div class="side"><p class="meta">{}</p><p class="chips">{}</p></div></div>'
    ).format(question, _beside(meta), pills)


# In a reading's head, until the player says whether the end is hidden.
HIDES_END = Markup('<span class="hides-end"></span>')


def question(words: str) -> Markup:
    """The question of a reading, over its answer: as low as two small lines, and whole where it is opened."""
    head = Markup('<h1 dir="auto">{}</h1>').format(words)
    if len(words) > CLAMPED_QUESTION:
        return Markup('<details class="one-line question long"><summary>{}</summary></details>').format(head)
    return Markup('<div class="question{}">{}</div>').format(" long" if len(words) > ONE_LINE_QUESTION else "", head)


def titled(asked: str, reader: str, more: Sequence[str]) -> Markup:
    """A question (`question`) and next to it the reader, whose name is never cut, and as much of `more` as there is room for."""
    title, rest = " · ".join([reader, *more]), Markup("").join(Markup(" · {}").format(isolated(words)) for words in more)
    meta = Markup('<p class="meta" title="{}"><span>{}</span><span class="more-meta">{}</span></p>').format(title, reader, rest)
    return Markup('<div class="titled">{}{}</div>').format(asked, meta)


def outcome(ending: str, chips: Iterable[Chip]) -> Markup:
    """What came of a reading (`answer`, `no_answer`), then its figures in chips: on one line."""
    pills = Markup("").join(draw_chip(chip) for chip in chips)
    return Markup('<div class="outcome">{}<p class="chips">{}</p></div>').format(ending, pills)


def answer(text: str, by: str, where: str, *, source: AnswerSource = "found") -> Markup:
    """An answer, marked as written by a model, and the place of its evidence; or what it is only nearest to, or that none of the
    text itself was shown.

    Opened, it says who wrote it.
    """
    kind, mark = "where" if source == "found" else "where unsupported", SOURCE_MARKS[source]
    place = (
        Markup('<span class="{}"><span aria-hidden="true">{}</span> <span>{}</span></span>').format(kind, mark, where)
        if where
        else ""
    )
    author = Markup('<p class="by">answer, written by {}</p>').format(by)
    line = Markup('<summary><span class="words" dir="auto">{}</span> {}</summary>').format(text, place)
    return Markup('<details class="one-line answer{}">{}{}</details>').format(_long(text), line, author)


def no_answer(tone: Tone, sentences: Sequence[str]) -> Markup:
    """Why a reading has no answer: the first sentence on the line, the others where it is opened."""
    first, *others = sentences
    rest = Markup("").join(Markup("<p>{}</p>").format(sentence) for sentence in others)
    return Markup('<details class="one-line notice {}{}"><summary><span class="words">{}</span></summary>{}</details>').format(
        tone, _long(first), first, rest
    )


def _long(answer: str) -> str:
    return " long" if len(answer) > ONE_LINE_ANSWER else ""


def exchange(question: str, ending: Markup, *, passages: Sequence[str] = ()) -> Markup:
    """A question of a conversation, what came of it (`answer`, `no_answer`, `working`), and the passages that the answer rests
    on, in the text's words."""
    quotes = Markup("").join(Markup('<blockquote dir="auto">{}</blockquote>').format(passage) for passage in passages)
    return Markup('<div class="exchange"><h3 dir="auto">{}</h3>{}{}</div>').format(question, ending, quotes)


def new_answer(words: str) -> Markup:
    """For a screen reader, which says it when it comes; empty until then."""
    return Markup('<p class="visually-hidden" role="status">{}</p>').format(words)


def notice(tone: Tone, sentences: Iterable[str]) -> Markup:
    """The state of a reading without an answer."""
    told = Markup("").join(Markup("<p>{}</p>").format(sentence) for sentence in sentences)
    return Markup('<div class="notice {}">{}</div>').format(tone, told)


def working(stage: str, facts: Sequence[str], *, done: float | None = None, spoken: bool = True) -> Markup:
    """A running reading: what it does, and its progress; `done` is the share done, None if unknown. `spoken`: a screen reader
    says each change."""
    known = "" if done is None else Markup(' known" style="--done: {:.1f}%').format(100 * done)
    bar = Markup('<div class="bar{}" aria-hidden="true"></div>').format(known)
    told = Markup('<p class="stage">{}</p><p class="facts">{}</p>').format(stage, _beside(facts))
    role = Markup(' role="status"') if spoken else ""
    return Markup('<div class="working"{}>{}{}</div>').format(role, bar, told)


def aside(words: str, *, protected: Iterable[str] = ()) -> Markup:
    """A note in our own words, with its terms explained; `protected` are words in it that are not ours."""
    return Markup('<p class="aside">{}</p>').format(explained(words, protected=protected))


def page_title(title: str, *, hint: str = "") -> Markup:
    """The name of a page, or of its content."""
    return Markup('<div class="page-title"><h1>{}</h1><span class="hint">{}</span></div>').format(title, hint)


def project_name(name: str) -> Markup:
    """What a project is called, in the bar of its views."""
    return Markup('<p class="project-name">{}</p>').format(name)


def run_facts(facts: Sequence[str], chip: Chip) -> Markup:
    """What a list says about a reading in addition to its question."""
    return Markup('<p class="run-facts"><span>{}</span>{}</p>').format(_beside(facts), draw_chip(chip))


def listed_reading(question: str, answer: str, facts: Sequence[str], tags: Sequence[str]) -> Markup:
    """What the list says about a reading below its link: the question where the link has a name, the answer, figures, tags."""
    asked = Markup('<p class="asked" dir="auto">{}</p>').format(question) if question else ""
    said = Markup('<p class="answer-text" dir="auto">{}</p>').format(answer) if answer else ""
    told = Markup(" · ").join(Markup("<span>{}</span>").format(isolated(fact)) for fact in facts)
    pills = Markup("").join(Markup('<span class="tag">{}</span>').format(tag) for tag in tags)
    marks = Markup('<p class="tags"><span class="visually-hidden">Tags:</span> {}</p>').format(pills) if tags else ""
    return Markup('<div class="listed">{}{}<p class="facts">{}</p>{}</div>').format(asked, said, told, marks)


def standing(chip: Chip) -> Markup:
    """The state of a reading in a list."""
    return Markup('<p class="standing">{}</p>').format(draw_chip(chip))


def fact_list(figures: Sequence[Fact]) -> Markup:
    """Figures with their names and notes."""
    seen: set[str] = set()
    items = Markup("").join(
        Markup("<div><dt>{}</dt><dd>{}{}</dd></div>").format(
            explained(name, seen=seen), value, Markup("<small>{}</small>").format(note) if note else ""
        )
        for name, value, note in figures
    )
    return Markup('<dl class="fact-list">{}</dl>').format(items)


def facts(items: Sequence[str]) -> Markup:
    return Markup('<p class="facts-line">{}</p>').format(_beside(items))


def own_facts(items: Sequence[str], *, seen: set[str]) -> Markup:
    """Facts in our own words, with the terms marked that were not `seen` in the same list."""
    return Markup('<p class="facts-line">{}</p>').format(explained(" · ".join(items), seen=seen))


def known(answer: str | None, verdict: AnswerVerdict | None = None) -> Markup:
    """What the sample's author says the answer is, and how the reading compares: the verdict first, then the reasons."""
    said = answer if answer is not None else NOT_IN_TEXT
    told = verdict_line(verdict) if verdict else ""
    head = Markup('<p class="by">known answer, by the author of the text</p>')
    return Markup('<div class="known-answer">{}<p class="words" dir="auto">{}</p>{}</div>').format(head, said, told)


def verdict_line(verdict: AnswerVerdict) -> Markup:
    """How a reading compares with the known answer: the verdict in a word, then the reasons."""
    chip = draw_chip(verdict.chip) + " " if verdict.chip else ""
    return Markup('<p class="verdict">{}{}</p>').format(chip, " ".join(verdict.reasons))


def prompt(stretches: Sequence[PromptStretch]) -> Markup:
    """A rendered prompt, each stretch in the style of its source."""
    parts = Markup("").join(
        Markup('<span class="from-{}" title="{}" dir="auto">{}</span>').format(source, title, words)
        for words, source, title in stretches
    )
    return Markup('<div class="prompt" dir="auto" tabindex="0" role="region" aria-label="The prompt">{}</div>').format(parts)


def prompt_legend(sources: Iterable[str]) -> Markup:
    """Which manner means what, for those that occur."""
    there = set(sources)
    items = Markup("").join(
        Markup('<span><i class="key from-{}"></i>{}</span>').format(name, meaning)
        for name, meaning in SOURCES.items()
        if name in there
    )
    return Markup('<p class="legend">{}</p>').format(items)


def reply_form(form: str) -> Markup:
    """The form a reply must have, as the prompt shows it."""
    lead = Markup("<p>It must have this form; you write the content:</p>")
    return Markup('<div class="prompt-parts">{}<div class="prompt">{}</div></div>').format(lead, form)


def to_send(words: str, problem: str) -> Markup:
    """A reply as it would be sent, and why it cannot be read yet, if it cannot."""
    wrong = Markup('<p class="not-yet"><span aria-hidden="true">!</span> {}</p>').format(problem) if problem else ""
    by = Markup('<p class="by">the reply as it would be sent</p>')
    shown = Markup('<div class="reply">{}<div class="words" dir="auto">{}</div></div>').format(by, words) if words else ""
    return Markup('<div class="to-send">{}{}</div>').format(shown, wrong)


def reply(words: str, head: str) -> Markup:
    """A reply, unchanged, under a line that says who wrote it."""
    return Markup('<div class="reply"><p class="by">{}</p><div class="words" dir="auto">{}</div></div>').format(head, words)


def folded_data(head: str, data: str) -> Markup:
    """Data that goes with a call, folded."""
    return Markup('<details class="thoughts"><summary>{}</summary><pre class="words" dir="ltr">{}</pre></details>').format(
        head, data
    )


def thoughts(words: str, by: str) -> Markup:
    """What a model thought before its reply, folded."""
    size = len(words.split())
    head = f"thoughts, {size:,} word{'' if size == 1 else 's'} by {by}; no part of the reply"
    return Markup('<details class="thoughts"><summary>{}</summary><div class="words" dir="auto">{}</div></details>').format(
        head, words
    )


def facts_of_call(facts: Sequence[tuple[str, str]], origin: str, meaning: str) -> Markup:
    """Badge of origin, then figures with their names."""
    items = Markup("").join(Markup("<span>{} <b>{}</b></span>").format(name, value) for name, value in facts)
    return Markup('<p class="call-facts"><span class="chip">{}</span>{}</p>').format(with_meaning(origin, meaning), items)


def compared_answer(words: str, by: str, where: str) -> Markup:
    """The answer of a reading among others, in a few lines, and its evidence; without an answer `by` is empty."""
    place = Markup('<p class="where"><span aria-hidden="true">◆</span> {}</p>').format(where) if where else ""
    kind = "answer" if by else "no-answer"
    head = Markup('<p class="by">answer, written by {}</p>').format(by) if by else ""
    return Markup('<div class="{}">{}<p class="words" dir="auto">{}</p>{}</div>').format(kind, head, words, place)


def draw_chip(chip: Chip) -> Markup:
    return Markup('<span class="chip {}">{}</span>').format(chip.tone, _chip_inside(chip))


def _chip_inside(chip: Chip) -> str:
    mark = Markup('<span aria-hidden="true">{}</span> ').format(chip.mark) if chip.mark else ""
    word = with_meaning(chip.word, chip.meaning) if chip.meaning else chip.word
    return Markup("{}{}").format(mark, word)


def asked(question: str, text: str, known: str, choices: Sequence[tuple[str, bool]]) -> Markup:
    """A question of a set: its text, what is known about its answer, and its choices, each with whether it is right."""
    items = ""
    for n, (choice, right) in enumerate(choices):
        mark, spoken = (Markup(' class="right"'), Markup('<span class="visually-hidden"> (right)</span>')) if right else ("", "")
        items += Markup('<li{} dir="auto"><b dir="ltr">({})</b> {}{}</li>').format(mark, chr(65 + n), choice, spoken)
    offered = Markup('<ul class="choices">{}</ul>').format(items) if items else ""
    said = Markup('<p class="known-words" dir="auto"><span aria-hidden="true">◆</span> {}</p>').format(known) if known else ""
    about = Markup('<p class="facts-line">{}</p>').format(text)
    return Markup('<div class="asked-one"><p class="words" dir="auto">{}</p>{}{}{}</div>').format(question, offered, said, about)
