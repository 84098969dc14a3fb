"""Where did it die? A fact of the text, followed through every reading that is compared: a table for each place of the evidence.

The evidence gives the known answer away, so its tables wait for the same switch. A place in the address is followed without the
switch. It is a real table: each cell says in words what its mark shows, and the line between the marks is drawn by the style
sheet. Not here: how far a fact got (`readers/engine/analysis/facts/stages.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from html import escape
from urllib.parse import urlencode

import streamlit as st

from components.compare import answers, enough, report
from components.compare.answers import Known
from components.html import markup
from components.html.words import wording
from components.html.words.wording import Chip
from components.session import address, process_cache, state
from readers import get
from readers.engine.analysis.facts.fates import STATIONS, called
from readers.engine.analysis.facts.follow import Followed, evidence_of
from readers.engine.analysis.facts.stages import STAGES, Course, Mark, Stage, course
from readers.engine.analysis.same_question import asked_words
from readers.engine.store import Reading
from readers.engine.text.document import Document, Span
from readers.engine.text.shorten import shorten_at_word

TITLE = "Where did it die?"
MARKS: Mapping[Mark, tuple[str, str]] = {  # its sign, and the meaning
    "raw": ("", "raw"),
    "carried": ("", "in words the model wrote"),
    "altered": ("≠", "with another value"),
    "unclear": ("?", "unclear"),
    "used": ("◆", "used"),
    "lost": ("✕", "ringed: lost here; a click goes there"),
    "none": ("", "not there"),
}
FOUND_BY = "Found by matching words and values; “unclear” if that is not enough."
NO_END = "This reading did not finish, so the outcome is unknown."
LONGEST = 2_000  # characters of a place that a visitor gives
_STRETCH = 1 << 20
Link = Callable[[int | None], str]  # the address of a step (from 0) of a reading, or of the reading
HIDDEN = "Switch on “Known answer” to follow its evidence through each reading, to the answer or to where it was lost."
MOST_SHOWN, MOST_FACTS = 2, 12  # places of the evidence that are followed at first, and in total
_EXCERPT = 240


def show(readings: Sequence[Reading], known: Known, *, revealed: bool) -> None:
    """The tables for readings of one text. `revealed`: the known answers are shown."""
    given = address.fact()
    evidence = _evidence(readings, known)
    if given is None and not (evidence and revealed):
        return
    with st.container(key="compare-fates", gap="small"):
        followed = f"{'a place' if given else 'the evidence'} followed through {len(readings)} readings"
        st.html(markup.section("", TITLE, hint=followed))
        if given is not None and (wrong := problem(given, len(readings[0].document.text))):
            st.html(markup.notice("warn", [wrong]))
        elif given is not None:
            _table(readings, given, known)
        if revealed:
            _show_evidence(readings, [fact for fact in evidence if fact != given], known)
        st.html(legend())
        if revealed and evidence:
            enough.show(readings, report.numbered([reading.run for reading in readings]), evidence, known)


def show_how(readings: Sequence[Reading], known: Known) -> None:
    """How to get to the tables, while the known answers are not shown."""
    if _evidence(readings, known):
        st.html(markup.aside(HIDDEN))


def _show_evidence(readings: Sequence[Reading], evidence: Sequence[Span], known: Known) -> None:
    for fact in evidence[:MOST_SHOWN]:
        _table(readings, fact, known)
    rest = evidence[MOST_SHOWN:MOST_FACTS]
    stamp = state.short_hash(",".join(reading.run.id for reading in readings))
    if rest and st.toggle(
        f"Show {wording.count(len(rest), 'more place')} of the evidence", key=state.key("compare-facts", stamp)
    ):
        for fact in rest:
            _table(readings, fact, known)


def _evidence(readings: Sequence[Reading], known: Known) -> list[Span]:
    """The evidence of the question that all readings were asked."""
    if len({asked_words(reading.run.question) for reading in readings}) > 1:
        return []
    marked = next((one for reading in readings if (one := known.get(reading.run.id)) and one.evidence), None)
    return evidence_of(marked, readings[0].document) if marked else []


def _table(readings: Sequence[Reading], fact: Span, known: Known) -> None:
    document = readings[0].document
    text = document.text
    names = report.short_names([reading.run for reading in readings])
    rows = []
    for number, (name, reading) in enumerate(zip(names, readings, strict=True), 1):
        (found,) = process_cache.followed(reading, [fact], known=known.get(reading.run.id))
        chips, link = answers.chips(reading.run, known), partial(_link, reading.run.id)
        rows.append(row(number, reading, found, name=name, chips=chips, link=link))
    where = place(document, fact)
    st.html(fact_table(shorten_at_word(text[fact.start : fact.end], _EXCERPT), where, rows))


def _link(run_id: str, step: int | None) -> str:
    """A link to a step; to the reading where there is none."""
    return f"Trace?{urlencode(address.to_trace(run_id) if step is None else address.to_step(run_id, step + 1))}"


# The table


def row(number: int, reading: Reading, found: Followed, *, name: str, chips: Iterable[Chip], link: Link) -> str:
    """What became of a fact in a reading: its name on the page and its verdict in chips, how far the fact came, and its fate."""
    names = get(reading.run.reader).names(reading.trace)
    kind = found.fate.kind if found.fate else ""
    badge = f'<span class="number" aria-hidden="true">{number}</span>'
    head = f'{badge}<span><span class="visually-hidden">Reading {number}: </span>{escape(name)}</span>'
    come = course(reading.trace, found.life, found.fate)
    cells = "".join(_cells(come, kind, lambda ref: called(ref, reading.trace, names), link))
    fate = f"{''.join(map(markup.draw_chip, chips))}{f'<b>{escape(kind)}</b>' if kind else ''}"
    told = f'<td class="fate"><p class="chips">{fate}</p><p>{escape(found.sentence or NO_END)}</p></td>'
    return f'<tr><th scope="row"><div>{head}</div></th>{cells}{told}</tr>'


def fact_table(words: str, where: str, rows: Sequence[str]) -> str:
    """A fact: its words, its place, and the row of each reading."""
    head = (
        f'<p class="fact-words">“{escape(words)}”</p><p class="fact-place"><span aria-hidden="true">◆</span> {escape(where)}</p>'
    )
    heads = "".join(
        f'<th scope="col" class="stage-head" title="{STATIONS[station]}">{station.capitalize()}</th>' for station in STAGES
    )
    top = (
        f'<tr><th scope="col"><span class="visually-hidden">reading</span></th>{heads}<th scope="col" class="fate">Fate</th></tr>'
    )
    label = escape(f"{TITLE} {words}")
    box = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
    table = f'<table class="fates"><thead>{top}</thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="fact-head">{head}</div>{box}{table}</div>'


def legend() -> str:
    """The meaning of the marks, and how they are found."""
    items = "".join(f'<span class="{mark}">{_mark(mark)}{escape(words)}</span>' for mark, (_, words) in MARKS.items())
    return f'<p class="legend fates-legend">{items}<span>{escape(FOUND_BY)}</span></p>'


def _mark(mark: Mark) -> str:
    return f'<i class="stage-mark {mark}" aria-hidden="true">{MARKS[mark][0]}</i>'


def _cells(come: Course, kind: str, name: Callable[[str], str], link: Link) -> Iterator[str]:
    """The stages, each with the name of its text, where the row has not named it yet, and a link to its step."""
    lines = ["solid" if n <= come.reached else "dotted" for n in range(1, len(come.stages))]
    named = {""}
    for stage, left, right in zip(come.stages, ["", *lines], [*lines, ""], strict=True):
        text = "" if stage.ref in named else name(stage.ref).removeprefix("the ").removeprefix("a ")
        named.add(stage.ref)
        caption = f'<span class="stage-name">{"not in " * (stage.mark == "none")}{escape(text)}</span>' if text else ""
        line = f"{f' from-{left}' if left else ''}{f' to-{right}' if right else ''}"
        at = _stage(stage, kind if stage.decided else MARKS[stage.mark][1], link(stage.step))
        yield f'<td class="stage{line}{" decided" if stage.decided else ""}">{at}{caption}</td>'


def _stage(stage: Stage, said: str, link: str) -> str:
    mark = _mark(stage.mark)
    if stage.step is None or stage.mark == "none":
        return f'<span class="stage-at">{mark}<span class="visually-hidden">{escape(said)}</span></span>'
    said = escape(f"{said}, step {stage.step + 1:,}")
    words = f'<span class="visually-hidden">{said}</span>'
    return f'<a class="stage-at" href="{escape(link)}" target="_self" title="{said}">{mark}{words}</a>'


def place(document: Document, fact: Span) -> str:
    """The place of a fact: its page, or else "words 5,402 to 5,413"."""
    if pages := document.pages_of(fact):
        return pages
    text = document.text
    before, inside = _words(text, 0, fact.start), _words(text, fact.start, fact.end)
    return f"words {before + 1:,} to {before + max(1, inside):,} of {_words_of(text):,}"


@lru_cache(maxsize=8)
def _words_of(text: str) -> int:
    return _words(text, 0, len(text))


def _words(text: str, start: int, end: int) -> int:
    """The words of a part of a text, in stretches: all words of a long text at once would take ten times its memory."""
    count = 0
    for at in range(start, end, _STRETCH):
        count += len(text[at : min(at + _STRETCH, end)].split())
        count -= at > start and not text[at - 1].isspace() and not text[at].isspace()  # it was counted before the cut
    return count


def problem(fact: Span, length: int) -> str:
    """Why a place that the address gives cannot be followed; empty if it can."""
    if not 0 <= fact.start < fact.end <= length:
        return f"Characters {fact.start:,} to {fact.end:,} are not a place in this text, which has {length:,}. Mark it again."
    if fact.end - fact.start > LONGEST:
        return f"That place is {fact.end - fact.start:,} characters long. At most {LONGEST:,} can be followed: mark less of it."
    return ""
