"""The Compare page: several readings as rows on one axis, where two differ, both side by side, and their costs.

What moves with the steps is drawn in the browser: two players, as on the Trace page, and `compare.js` between them. The words are
`wording.py`, the choice of readings `choose.py`, the two players `pair.py`, the figure of costs `costs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.compare import costs, html, keys
from components.compare import wording as compare
from components.compare.choose import show_choice
from components.compare.pair import Numbered, Steps, Two, show_parting, show_players
from components.html import markup, pictures, wording
from components.player import cache
from components.session import access, address, hidden_answers, process_cache, start_runs, state
from readers import get
from readers.engine.analysis.differences import settings
from readers.engine.analysis.measures import recovered
from readers.engine.errors import NotFound
from readers.engine.forks.describe_edit import describe
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.costs import costs as costs_of
from readers.engine.record.trace import merge_spans
from readers.engine.store import Run
from readers.engine.store.reading import Reading
from readers.engine.text import search
from readers.engine.text.document import Document, Span

WIDE = (1, 2.6)  # reader and map: the same widths in every row, so that the maps line up
MOST_TICKS = 60


def show_compare(ids: Sequence[str]) -> None:
    """Draw the readings of these ids that exist and may be seen; with fewer than two, the choice of readings."""
    runs = _found(ids)
    going = [run for run in runs if start_runs.is_running(run) or hidden_answers.is_covered(run)]
    ended = [run for run in runs if run not in going]
    for run in going:
        _under_way(run)
    if len(ended) < 2:
        _choose(ended, going)
        return
    readings = [process_cache.ended_reading(run) for run in ended]
    _heading(readings)
    gold = _gold(readings)
    _rows(readings, gold)
    both = _two(readings) if _same_text(readings) else None
    steps = show_parting(both) if both else Steps()
    _differences(readings)
    if both:
        show_players(both, steps, gold)
    st.html(markup.section("", "Measures"))
    found = [_measures(reading, gold.get(reading.run.id)) for reading in readings]
    st.html(html.versus(_names(readings), compare.measures_table(found), about="Measure"))
    st.html(markup.section("", "Cost without reuse"))
    st.html(html.versus(_names(readings), compare.costs_table([costs_of(reading.records) for reading in readings]), about="Cost"))
    if both:
        costs.show(_numbered(readings))
    for note in (compare.by_hand(readings), compare.COSTS_NOTE):
        if note:
            st.caption(markup.plain(note))
    with st.container(key="compare-next"):
        st.page_link("pages/4_Compare.py", label="Choose other readings")


def _found(ids: Sequence[str]) -> list[Run]:
    """The readings that exist, each once; a message is drawn for each of the others."""
    runs: dict[str, Run] = {}
    with access.opened() as store:
        for run_id in ids:
            try:
                run = store.run(run_id)
            except NotFound:
                unknown = f"There is no reading {run_id[:40]!r} here: it may have been deleted, or the link was cut short."
                st.error(markup.plain(f"{unknown} Choose another one."))
            else:
                runs[run.id] = run
    return list(runs.values())


def _under_way(run: Run) -> None:
    """A reading that cannot be compared yet: it is running, or its text is covered for the person who is its model."""
    covered = not start_runs.is_running(run)
    sentence = f"{compare.by(run)} was cancelled and is covered, so that nobody sees its text before resuming it."
    going = f"{compare.by(run)} is still reading. It can be compared when it has ended."
    with st.container(horizontal=True, vertical_alignment="center", key=f"compare-going-{run.id}"):
        st.html(markup.notice("quiet", [sentence if covered else going]))
        st.page_link("pages/3_Trace.py", label="Open" if covered else "Watch", query_params=address.to_trace(run.id))


def _choose(ended: Sequence[Run], going: Sequence[Run]) -> None:
    hint = "select two or more readings of the same question, or any two"
    st.html(markup.page_title("Compare readings", hint=hint))
    if ended:
        by, question = compare.by(ended[0]), ended[0].question
        st.html(markup.aside(f"Compare with: {by}, “{question}”", protected=[by, question]))
    show_choice(ended)


def _heading(readings: Sequence[Reading]) -> None:
    texts = list(dict.fromkeys(reading.document.title for reading in readings))
    questions = list(dict.fromkeys(reading.run.question.strip() for reading in readings))
    count = f"{len(readings)} readings"
    if len(questions) == 1:
        st.html(markup.heading(questions[0], [*texts, count], []))
    else:
        st.html(markup.page_title(f"{count}, {len(questions)} questions", hint=" · ".join(texts)))


def _names(readings: Sequence[Reading]) -> list[str]:
    return compare.numbered([reading.run for reading in readings])


def _same_text(readings: Sequence[Reading]) -> bool:
    return len({reading.run.document for reading in readings}) == 1


def _gold(readings: Sequence[Reading]) -> dict[str, KnownAnswer]:
    """The known answers by reading, if they are to be shown."""
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)
        found = {one.run.id: known for one in readings if (known := hidden_answers.known_answer(store, one.run, hidden))}
    if found and st.toggle("Known answer", key=state.key(keys.KNOWN, "compare")):
        for known in {known.question: known for known in found.values()}.values():
            st.html(markup.known(known.answer))
        return found
    return {}


def _rows(readings: Sequence[Reading], gold: dict[str, KnownAnswer]) -> None:
    one_axis, one_question = _same_text(readings), len({reading.run.question.strip() for reading in readings}) == 1
    st.html(markup.section("", "Where each reading looked" if one_axis else "The readings"))
    if one_axis:
        with st.container(key="compare-axis"):
            _, right = st.columns(WIDE, gap="medium")
            right.html(pictures.axis(_landmarks(readings[0].document)))
    else:
        st.html(markup.aside("The readings are of different texts, so they share no axis and no first difference."))
    titles = compare.titles([reading.run for reading in readings])
    for number, (title, reading) in enumerate(zip(titles, readings, strict=True), 1):
        with st.container(key=f"compare-row-{reading.run.id}"):
            left, right = st.columns(WIDE, gap="medium")
            run = reading.run
            about = [describe(run.edit)] if run.edit else []
            about += [] if one_question else [run.question]
            about += [] if one_axis else [reading.document.title]
            with left:
                st.html(html.compared(number, title, wording.state(run), about))
                st.page_link("pages/3_Trace.py", label="Open this reading", query_params=address.to_trace(run.id))
            with right:
                _row(reading, gold.get(run.id), drawn=one_axis)
    if one_axis:
        st.html(pictures.small_map_legend(gold=any(known.evidence for known in gold.values())))


def _measures(reading: Reading, known: KnownAnswer | None) -> dict[str, Any]:
    """The measures of a reading; with its known answer, if that is shown."""
    found = process_cache.measures_of(reading)
    return {**found, "recovered": recovered(reading.trace, known)} if found["stray"] else found


def _row(reading: Reading, known: KnownAnswer | None, *, drawn: bool) -> None:
    """One reading: its map, its answer or why there is none, and the places of its evidence."""
    run, document = reading.run, reading.document
    length = len(document.text)
    held, where = compare.evidence(run, get(run.reader).names(reading.trace), document.text)
    spans: Sequence[Span] = known.evidence if known else ()
    if drawn:
        told = compare.map_told(process_cache.measures_of(reading), where, spans, length)
        covered = compare.condensed(cache.covered(reading), length)
        st.html(pictures.small_map(covered, compare.shares(merge_spans(held), length), compare.shares(spans, length), told=told))
    if run.outcome == "answered" and run.answer is not None:
        st.html(markup.compared_answer(run.answer, wording.answered_by(reading), where))
        if not run.evidence and run.gives_answer:
            st.html(markup.aside(wording.places(run.evidence, {})))
    else:
        st.html(markup.compared_answer(" ".join(wording.ending(run)), "", ""))
    if known:
        st.html(markup.verdict_line(wording.compared(run, known)))


def _landmarks(document: Document) -> list[tuple[float, str]]:
    length = max(1, len(document.text))
    return [(at / length, words) for words, at in search.landmarks(document.text)[:MOST_TICKS]]


def _differences(readings: Sequence[Reading]) -> None:
    """The settings in which the readings differ."""
    texts = {reading.document.id: reading.document.title for reading in readings}
    rows = settings([reading.run for reading in readings], compare.READERS, texts=texts)
    st.html(markup.section("", "Differences in settings"))
    if not rows:
        st.html(markup.empty("No differences: same question, same settings."))
        return
    general = [row for row in rows if row.general]
    if general:
        st.html(html.versus(_names(readings), [compare.setting(row, differs=True) for row in general], about="Setting"))
    own = [row for row in rows if not row.general]
    if own:
        with st.expander(f"{len(own):,} settings that only some of these readers have"):
            about = "Setting (– where a reader has none)"
            st.html(html.versus(_names(readings), [compare.setting(row, differs=False) for row in own], about=about))


def _numbered(readings: Sequence[Reading]) -> list[Numbered]:
    titles = compare.titles([reading.run for reading in readings])
    return [Numbered(n, *one) for n, one in enumerate(zip(_names(readings), titles, readings, strict=True), 1)]


def _two(readings: Sequence[Reading]) -> Two:
    """The two readings shown side by side: of more than two the first two, until others are chosen."""
    numbered = _numbered(readings)
    if len(readings) == 2:
        return Two(numbered[0], numbered[1])
    stamp = state.short_hash(",".join(reading.run.id for reading in readings))
    st.html(markup.section("", "Side by side"))
    with st.container(horizontal=True, key="compare-two"):
        key = state.key(keys.PAIR, "left", stamp)
        left = st.selectbox("First reading", numbered, format_func=lambda one: one.name, key=key)
        rest = [one for one in numbered if one.number != left.number]
        key = state.key(keys.PAIR, "right", stamp, left.number)
        right = st.selectbox("Second reading", rest, format_func=lambda one: one.name, key=key)
    return Two(left, right)
