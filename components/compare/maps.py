"""Where each of the compared readings looked: a row for each with its map on one axis, its answer, and where that is from.

What a reading covered is one line of some 720 stretches. Not here: what covers a text (`engine/analysis/coverage.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from components.compare import report
from components.html import markup, pictures
from components.html.pictures import CoveredShare
from components.html.words import wording
from components.html.words.parting_words import place
from components.html.words.wording import Chip
from components.player import cache
from components.player import ending as whence
from components.player.ending import Basis
from components.session import process_cache
from readers import get
from readers.engine.analysis.coverage import CoverageCell
from readers.engine.analysis.measures import IN_PROMPTS
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading
from readers.engine.text import search
from readers.engine.text.document import Document, Span

WIDE = (1, 2.6)  # reader and map: the same widths in every row, so that the maps line up
MOST_TICKS = 60
FINEST = 720  # the most stretches of a text on the shared axis
MOST_PLACES = 4


def show_maps(readings: Sequence[Reading], gold: dict[str, KnownAnswer]) -> None:
    one_axis = report.same_text(readings)
    st.html(markup.section("", "Where each reading looked" if one_axis else "The readings"))
    if one_axis:
        with st.container(key="compare-axis"):
            _, right = st.columns(WIDE, gap="medium")
            text = readings[0].document.text
            landmarks = search.landmarks(text)[:MOST_TICKS]
            right.html(pictures.axis([(at / max(1, len(text)), words) for words, at in landmarks]))
    else:
        st.html(markup.aside("The readings are of different texts, so they share no axis and no first difference."))
    titles = report.titles([reading.run for reading in readings])
    for number, (title, reading) in enumerate(zip(titles, readings, strict=True), 1):
        with st.container(key=f"compare-row-{reading.run.id}"):
            left, right = st.columns(WIDE, gap="medium")
            with left:
                st.html(_head(number, title, wording.state(reading.run), report.about(reading, readings)))
            with right:
                _map(reading, gold.get(reading.run.id), drawn=one_axis)
    if one_axis:
        st.html(pictures.small_map_legend(gold=any(known.evidence for known in gold.values())))


def _map(reading: Reading, known: KnownAnswer | None, *, drawn: bool) -> None:
    """One reading: its map, its answer or why there is none, and the places of its evidence."""
    run, document = reading.run, reading.document
    length = len(document.text)
    names = get(run.reader).names(reading.trace)
    rests = whence.basis(run, document, names)
    from_where = where(rests, names, document)
    spans: Sequence[Span] = known.evidence if known else ()
    if drawn:
        told = map_told(process_cache.measures_of(reading), from_where, spans, document)
        covered = condensed(cache.covered(reading), length)
        answers = shares(rests.places, length)
        st.html(pictures.small_map(covered, answers, shares(spans, length), stated=rests.stated, told=told))
    if run.outcome == "answered" and run.answer is not None:
        st.html(markup.compared_answer(run.answer, wording.answered_by(reading), from_where))
        if not run.evidence and run.gives_answer:
            st.html(markup.aside(wording.places(run.evidence, {}, document)))
    else:
        st.html(markup.compared_answer(" ".join(wording.ending(run)), "", ""))
    if known:
        st.html(markup.verdict_line(wording.compared(run, known)))


def _head(number: int, by: str, chip: Chip, about: Sequence[str]) -> str:
    """One of the readings that are compared: its number, its reader and model, and its status."""
    facts = f'<p class="about">{escape(" · ".join(about))}</p>' if about else ""
    title = f'<h3><span class="visually-hidden">Reading {number}: </span>{escape(by)}</h3>'
    head = f'<span class="number" aria-hidden="true">{number}</span>{title}'
    return f'<div class="compared">{head}<p class="chips">{markup.draw_chip(chip)}</p>{facts}</div>'


# In words


def condensed(cells: Iterable[CoverageCell], length: int) -> list[CoveredShare]:
    """What a text was to the model at the end, for one line of some 720 stretches: of what falls into one the most is shown."""
    finest = min(FINEST, max(1, length))
    states = [0] * finest
    for start, end, changes in cells:
        state = changes[-1][1] if changes else 0
        first, last = finest * start // max(1, length), -(-finest * end // max(1, length))
        for at in range(max(0, first), min(finest, max(last, first + 1))):
            states[at] = max(states[at], state)
    found: list[CoveredShare] = []
    for at, state in enumerate(states):
        begin = found.pop()[0] if found and found[-1][2] == state else at / finest
        found.append((begin, (at + 1) / finest, state))
    return [stretch for stretch in found if stretch[2]]


def shares(spans: Iterable[Span], length: int) -> list[tuple[float, float]]:
    """Places in shares of the text."""
    return [(start / max(1, length), end / max(1, length)) for start, end in spans]


def where(rests: Basis, called: Mapping[str, str], document: Document) -> str:
    """The places in view that an answer rests on, in words. Empty if nothing was in view or there is no answer."""
    told = []
    for span in rests.places[:MOST_PLACES]:
        name, share = called.get(whence.ref(span), ""), place(span, document)
        told.append(f"{name} ({share})" if name else share)
    more, others = len(rests.places) - len(told), len(rests.in_view) - len(rests.places)
    told += [f"{more:,} more place{'' if more == 1 else 's'}"] if more else []
    told += [f"{others:,} other{'' if others == 1 else 's'} were in view too"] if others else []
    only = "" if rests.stated or not told else "in view, with no word of the answer: " if rests.no_word else "nearest: "
    return only + "; ".join(told)


def map_told(found: Mapping[str, Any], where: str, gold: Sequence[Span], document: Document) -> str:
    """The reading map of one reading in words, for those who do not see it."""
    raw, covered = wording.share(found["read_fraction"]), wording.share(found["coverage_fraction"])
    how = "stood raw in prompts" if IN_PROMPTS in found else "was read raw on the way to the answer"
    told = f"{raw} of the text {how}, {covered} raw or through a summary or memory."
    told += f" Evidence: {where}." if where else ""
    return told + (f" Known place: {'; '.join(place(span, document) for span in gold)}." if gold else "")
