"""HTML for the page, the only place it is made: pure strings, everything that came from outside escaped.

What a text, a model, a file or a person supplies goes in as plain strings and comes out as characters, never as markup. `plain`
does the same for Streamlit's Markdown, where an image would be fetched. Not here: what to say (`wording.py`), and drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Literal, NamedTuple

from components.wording import Chip, Line, Tone, words_between
from readers.engine.text import Span

Kind = Literal["evidence", "quote", "known", "now"]
_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_WHITE = re.compile(r"\s+")
EVIDENCE = "evidence"
HARD_WRAPPED = 45
HEADING = 60
QUOTED_AT_MOST = 4_000


class Mark(NamedTuple):
    """Characters of the document that stand out, and as what."""

    start: int
    end: int
    kind: Kind


class Row(NamedTuple):
    """A reading in a list."""

    id: str
    question: str
    about: str
    chip: Chip


def plain(text: str) -> str:
    """Words as Markdown that shows exactly them: no link, image, colour or formula comes of it. Lines are joined."""
    return _PUNCTUATION.sub(r"\\\1", _WHITE.sub(" ", text)).strip()


def masthead() -> str:
    return (
        '<header class="masthead"><a href="./" class="name">Palimpsest</a>'
        '<span class="line">Watch a language model read a long text.</span></header>'
    )


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


def link_home(words: str) -> str:
    return f'<p class="home"><a href="./">{escape(words)}</a></p>'


def heading(question: str, meta: Sequence[str], chips: Iterable[Chip]) -> str:
    """The question of a reading, whose it is, and what came of it in chips."""
    pills = "".join(_chip(chip) for chip in chips)
    return (
        f'<div class="heading"><h1>{escape(question)}</h1><div class="side"><p class="meta">{escape(" · ".join(meta))}</p>'
        f'<p class="chips">{pills}</p></div></div>'
    )


def choices(offered: Sequence[str]) -> str:
    items = "".join(f"<li><b>({chr(65 + n)})</b> {escape(choice)}</li>" for n, choice in enumerate(offered))
    return f'<ul class="choices">{items}</ul>'


def answer(text: str, by: str, where: str) -> str:
    """An answer, marked as written by a model, and where its evidence stands."""
    place = f'<p class="where"><span aria-hidden="true">◆</span> {escape(where)}</p>' if where else ""
    head = f'<p class="by">answer, written by the {escape(by)}</p>'
    return f'<div class="answer">{head}<p class="words">{escape(text)}</p>{place}</div>'


def notice(tone: Tone, sentences: Iterable[str]) -> str:
    """How a reading stands that has no answer."""
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f'<div class="notice {tone}">{told}</div>'


def working(stage: str, facts: Sequence[str]) -> str:
    """A reading that goes on: what it does, and how far it is."""
    return (
        f'<div class="working" role="status"><div class="bar" aria-hidden="true"></div><p class="stage">{escape(stage)}</p>'
        f'<p class="facts">{escape(" · ".join(facts))}</p></div>'
    )


def steps(lines: Sequence[Line]) -> str:
    """The walk, a sentence a step, with the model's stated reasons; a heading where a new phase begins."""
    parts: list[str] = []
    phase: str | None = None
    for line in lines:
        if line.phase != phase:
            parts.append(f'{"</ol>" if parts else ""}<h3>{escape(line.phase)}</h3><ol start="{line.number}">')
            phase = line.phase
        parts.append(_line(line))
    return f'<div class="steps">{"".join(parts)}{"</ol>" if parts else ""}</div>'


def _line(line: Line) -> str:
    mark = f'<span class="mark {line.chip.tone}">{_chip_inside(line.chip)}</span>' if line.chip else ""
    where = f'<span class="at">{escape(line.where)}</span>' if line.where else ""
    head = f'<p class="head">{where}{mark}</p>' if where or mark else ""
    by = "<small>stated reason, written by the model</small>"
    said = "".join(f"<blockquote>{by}{escape(reason)}</blockquote>" for reason in line.reasons)
    return f'<li value="{line.number}">{head}<p>{escape(line.sentence)}</p>{said}</li>'


def passages(text: str, windows: Sequence[Span], marks: Sequence[Mark]) -> str:
    """Stretches of a document in a reading column, with what is left out between them in words."""
    parts: list[str] = []
    at = 0
    for window in windows:
        parts += [_gap(text, at, window.start), *_paragraphs(text, window, marks)]
        at = window.end
    parts.append(_gap(text, at, len(text)))
    return f'<div class="text">{"".join(parts)}</div>'


def legend(kinds: Iterable[Kind]) -> str:
    """What the marks in a text mean, for those that occur."""
    meanings = {
        "now": "being read now",
        "evidence": "stood in front of the model when it answered",
        "quote": "the answer’s own words",
        "known": "the known place",
    }
    there = set(kinds)
    items = "".join(f'<span><i class="key {kind}"></i>{meaning}</span>' for kind, meaning in meanings.items() if kind in there)
    return f'<p class="legend">{items}</p>' if items else ""


def to_evidence() -> str:
    return f'<a class="jump" href="#{EVIDENCE}"><span aria-hidden="true">◆</span> go to the evidence</a>'


def known(answer: str | None, verdicts: Sequence[str]) -> str:
    """What the sample's author says the answer is, and how the reading compares."""
    said = escape(answer) if answer is not None else "The text does not answer this question."
    told = "".join(f"<p>{escape(verdict)}</p>" for verdict in verdicts)
    head = '<p class="by">known answer, by the author of the text</p>'
    return f'<div class="known-answer">{head}<p class="words">{said}</p>{told}</div>'


def recent(rows: Sequence[Row]) -> str:
    """Links to readings."""
    items = "".join(
        f'<li><a href="?run={escape(row.id)}"><span class="q">{escape(row.question)}</span>'
        f'<span class="of">{escape(row.about)}</span>{_chip(row.chip)}</a></li>'
        for row in rows
    )
    return f'<ul class="recent">{items}</ul>'


def quotes(text: str, words: str, spans: Sequence[Span]) -> list[Mark]:
    """Where the words of an answer stand in the evidence, as a whole or sentence by sentence; white space may differ."""
    if not words.strip() or len(words) > QUOTED_AT_MOST:
        return []
    whole = _standing(text, words, spans)
    if whole:
        return [whole]
    sentences = [part for part in re.split(r"(?<=[.!?…][”’\"')])\s+|(?<=[.!?…])\s+|\n+", words) if len(part.split()) >= 4]
    return [found for sentence in sentences if (found := _standing(text, sentence, spans))]


def _standing(text: str, words: str, spans: Sequence[Span]) -> Mark | None:
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    found = (pattern.search(text, start, end) for start, end in spans)
    return next((Mark(*match.span(), "quote") for match in found if match and len(match[0]) > 2), None)


def opening(text: str, most: int = 2_600) -> Span:
    """How a text begins: its first paragraphs, some `most` characters."""
    return Span(0, min(_break_after(text, most), most + 1_500))


def windows(text: str, spans: Sequence[Span], *, around: int = 500, most: int = 12_000) -> list[Span]:
    """The spans with something around them, up to a paragraph break, merged; no more than `most` characters in all."""
    wide = [Span(_break_before(text, start - around), _break_after(text, end + around)) for start, end in sorted(spans)]
    out: list[Span] = []
    left = most
    for start, end in wide:
        if out and start <= out[-1].end:
            joined = Span(out[-1].start, min(max(end, out[-1].end), out[-1].end + left))
            left -= joined.end - out[-1].end
            out[-1] = joined
        elif left > 0:
            out.append(Span(start, min(end, start + left)))
            left -= out[-1].end - out[-1].start
    return out


def pages(text: str, size: int) -> list[Span]:
    """The whole of a text in stretches of about `size` characters, cut at paragraph breaks where there are any."""
    out: list[Span] = []
    at = 0
    while at < len(text):
        end = len(text) if len(text) - at <= size else max(_break_before(text, at + size, reach=size // 2), at + 1)
        out.append(Span(at, end))
        at = end
    return out or [Span(0, 0)]


def _break_before(text: str, at: int, *, reach: int = 1_500) -> int:
    """The beginning of the paragraph around `at`, or of the word where that is further than `reach`."""
    if at <= 0:
        return 0
    found = text.rfind("\n\n", max(0, at - reach), at)
    if found >= 0:
        return found + 2
    return 0 if at <= reach else max(text.rfind(" ", at - 100, at) + 1, at - 100)


def _break_after(text: str, at: int, *, reach: int = 1_500) -> int:
    if at >= len(text):
        return len(text)
    found = text.find("\n\n", at, at + reach)
    if found >= 0:
        return found
    space = text.find(" ", at, at + 100)
    return len(text) if len(text) - at <= reach else space if space >= 0 else at


def _gap(text: str, start: int, end: int) -> str:
    """So many words are not shown here."""
    words = words_between(text, start, end)
    return "" if words == "0 words" else f'<p class="gap">⋯ {words} not shown</p>'


def _paragraphs(text: str, window: Span, marks: Sequence[Mark]) -> Iterator[str]:
    at = window.start
    for found in [*_BREAK.finditer(text, window.start, window.end), None]:
        end = found.start() if found else window.end
        if text[at:end].strip():
            yield _paragraph(text, Span(at, end), marks)
        at = found.end() if found else end


def _paragraph(text: str, span: Span, marks: Sequence[Mark]) -> str:
    """One paragraph, its classes said by what it holds; marks may begin or end anywhere in it."""
    start, end = span
    inside = [mark for mark in marks if mark.start < end and start < mark.end]
    edges = sorted({start, end, *(edge for mark in inside for edge in (mark.start, mark.end) if start < edge < end)})
    runs = [_run(text[a:b], {mark.kind for mark in inside if mark.start <= a and b <= mark.end}) for a, b in pairwise(edges)]
    classes = " ".join([*sorted({f"has-{mark.kind}" for mark in inside}), *_shape(text[start:end])])
    first = min((mark.start for mark in marks if mark.kind == "evidence"), default=-1)
    id = f' id="{EVIDENCE}"' if start <= first < end else ""
    return f'<p{id} class="{classes}">{"".join(runs)}</p>' if classes else f"<p>{''.join(runs)}</p>"


def _run(text: str, kinds: set[Kind]) -> str:
    return f'<mark class="{" ".join(sorted(kinds))}">{escape(text)}</mark>' if kinds else escape(text)


def _shape(paragraph: str) -> list[str]:
    """Verse and lists keep their lines, hard-wrapped prose does not; a short line without an end stop looks like a heading."""
    lines = paragraph.strip().split("\n")
    if len(lines) == 1:
        return ["title"] if len(lines[0]) <= HEADING and lines[0][-1].isalnum() else []
    return [] if all(len(line) > HARD_WRAPPED for line in lines[:-1]) else ["verse"]


def _chip(chip: Chip) -> str:
    return f'<span class="chip {chip.tone}">{_chip_inside(chip)}</span>'


def _chip_inside(chip: Chip) -> str:
    mark = f'<span aria-hidden="true">{escape(chip.mark)}</span> ' if chip.mark else ""
    word = f'<abbr title="{escape(chip.meaning)}">{escape(chip.word)}</abbr>' if chip.meaning else escape(chip.word)
    return f"{mark}{word}"
