"""The Compare page: several readings as a list of answers, two of them side by side, all on one axis, and their costs. Readings
that go on are watched here until they have ended.

What moves with the steps is drawn in the browser: two players, as on the Trace page, and `compare.js` between them. The words are
`wording.py`, the list of answers `answers.py`, the choice of readings `choose.py`, the two players `pair.py`, the figure of costs
`costs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.compare import answers, costs, fates, html, pair
from components.compare import wording as compare
from components.compare.answers import Known
from components.compare.choose import show_choice
from components.compare.pair import Numbered, Two
from components.html import markup
from components.html.figures import pictures
from components.html.words import wording
from components.player import cache
from components.session import access, address, hidden_answers, process_cache, start_runs, state
from components.widgets.readings import save_replay
from readers import get
from readers.engine.analysis.differences import settings
from readers.engine.analysis.measures import recovered
from readers.engine.analysis.same_question import asked_words
from readers.engine.errors import NotFound
from readers.engine.forks.describe_edit import describe
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.costs import costs as costs_of
from readers.engine.record.trace import merge_spans
from readers.engine.store import Reading, Run
from readers.engine.text import search
from readers.engine.text.document import Document, Span

WIDE = (1, 2.6)  # reader and map: the same widths in every row, so that the maps line up
MOST_TICKS = 60


def show_compare(ids: Sequence[str]) -> None:
    """Draw the readings of these ids that exist and may be seen; with fewer than two, the choice of readings. While some of
    several go on, their progress."""
    runs = _found(ids)
    if len(runs) > 1 and any(map(start_runs.is_running, runs)):
        _show_going(runs)
        return
    apart = [run for run in runs if start_runs.is_running(run) or hidden_answers.is_covered(run)]
    ended = [run for run in runs if run not in apart]
    for run in apart:
        _under_way(run)
    if len(ended) < 2:
        _choose(ended)
        return
    _show_ended(ended)


def _show_going(runs: Sequence[Run]) -> None:
    """Readings of which some go on."""
    known = _known(runs)
    _heading(runs, [access.document(run.document).title for run in runs], known)
    answers.show_going([run.id for run in runs], known)


def _show_ended(runs: Sequence[Run]) -> None:
    """Answers and verdicts, two readings side by side, then where each looked, what differs, and what each cost."""
    readings = [process_cache.ended_reading(run) for run in runs]
    known = _known(runs)
    gold = _heading(runs, [reading.document.title for reading in readings], known)
    answers.show_ended(answers.lines(runs, [_about(reading, readings) for reading in readings]), known)
    if _same_text(readings):
        fates.show(readings, known, revealed=bool(gold))
        both = _two(readings)
        parted = pair.part(both)
        pair.show_players(both, parted.steps, gold)
        pair.show_parting(both, parted)
        if not gold:
            fates.show_how(readings, known)
    _rows(readings, gold)
    _differences(readings)
    st.html(markup.section("", "Measures"))
    found = [_measures(reading, gold.get(reading.run.id)) for reading in readings]
    memories = [get(reading.run.reader).narrative.carried for reading in readings]
    st.html(html.versus(_names(readings), compare.measures_table(found, memories=memories), about="Measure"))
    _costs(readings)
    with st.container(key="compare-next", horizontal=True, vertical_alignment="center"):
        st.page_link("pages/4_Compare.py", label="Choose other readings")
        save_replay.show(readings)


def _costs(readings: Sequence[Reading]) -> None:
    st.html(markup.section("", "Cost without reuse"))
    st.html(html.versus(_names(readings), compare.costs_table([costs_of(reading.records) for reading in readings]), about="Cost"))
    if _same_text(readings):
        costs.show(_numbered(readings))
    for note in (compare.by_hand(readings), compare.COSTS_NOTE):
        if note:
            st.caption(markup.plain(note))


def _found(ids: Sequence[str]) -> list[Run]:
    """The readings that exist, each once, and forks beside their parents; a message is drawn for each of the others."""
    runs: dict[str, Run] = {}
    with access.opened() as store:
        for run_id in ids:
            try:
                run = store.runs.get(run_id)
            except NotFound:
                unknown = f"There is no reading {run_id[:40]!r} here: it may have been deleted, or the link was cut short."
                st.error(markup.plain(f"{unknown} Choose another one."))
            else:
                runs[run.id] = run
    return compare.beside_parents(list(runs.values()))


def _under_way(run: Run) -> None:
    """A reading that cannot be compared yet: it is running, or its text is covered for the person who is its model."""
    covered = not start_runs.is_running(run)
    sentence = f"{compare.by(run)} was cancelled and is covered, so that nobody sees its text before resuming it."
    going = f"{compare.by(run)} is still reading. It can be compared when it has ended."
    with st.container(horizontal=True, vertical_alignment="center", key=f"compare-going-{run.id}"):
        st.html(markup.notice("quiet", [sentence if covered else going]))
        st.page_link("pages/3_Trace.py", label="Open" if covered else "Watch", query_params=address.to_trace(run.id))


def _choose(ended: Sequence[Run]) -> None:
    hint = "select two or more readings of the same question, or any two"
    st.html(markup.page_title("Compare readings", hint=hint))
    if ended:
        by, question = compare.by(ended[0]), ended[0].question
        st.html(markup.aside(f"Compare with: {by}, “{question}”", protected=[by, question]))
    show_choice(ended)


def _heading(runs: Sequence[Run], titles: Sequence[str], known: Known) -> dict[str, KnownAnswer]:
    """The question, with the text, the number of readings and, if it is one, the model; and the switch that shows the known
    answers. Returns those whose words and places are to be shown: all of them or none."""
    texts, models = list(dict.fromkeys(titles)), list(dict.fromkeys(wording.models(run.spec) for run in runs))
    questions = list(dict.fromkeys(asked_words(run.question) for run in runs))
    facts = [*texts, f"{len(runs)} readings", *(models if len(models) == 1 else [])]
    with st.container(horizontal=True, vertical_alignment="center", key="compare-title"):
        if len(questions) == 1:
            st.html(markup.heading(questions[0], facts, []))
        else:
            st.html(markup.page_title(f"{len(runs)} readings, {len(questions)} questions", hint=" · ".join(texts)))
        if not known or not st.toggle("Known answer", key=state.key("known", "compare")):
            return {}
    for one in {one.question: one for one in known.values()}.values():
        st.html(markup.known(one.answer))
    return dict(known)


def _about(reading: Reading, readings: Sequence[Reading]) -> list[str]:
    """What tells a reading from the others beside its name: the change of a fork, its question, its text."""
    run = reading.run
    about = [describe(run.edit)] if run.edit else []
    about += [] if len({asked_words(one.run.question) for one in readings}) == 1 else [run.question]
    choices = compare.choices_told([one.run for one in readings]).get(run.id)
    about += [choices] if choices else []
    return about + ([] if _same_text(readings) else [reading.document.title])


def _names(readings: Sequence[Reading]) -> list[str]:
    return compare.numbered([reading.run for reading in readings])


def _same_text(readings: Sequence[Reading]) -> bool:
    return len({reading.run.document for reading in readings}) == 1


def _known(runs: Sequence[Run]) -> dict[str, KnownAnswer]:
    """The known answers by reading, without those that this visitor must not see yet."""
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)
        return {run.id: known for run in runs if (known := hidden_answers.known_answer(store, run, hidden))}


def _rows(readings: Sequence[Reading], gold: dict[str, KnownAnswer]) -> None:
    one_axis = _same_text(readings)
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
            with left:
                st.html(html.compared(number, title, wording.state(reading.run), _about(reading, readings)))
            with right:
                _row(reading, gold.get(reading.run.id), drawn=one_axis)
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
    stamp = state.short_hash(",".join(reading.run.id for reading in readings))
    with st.container(horizontal=True, vertical_alignment="center", key="compare-two"):
        st.html(markup.section("", "Side by side"), width="content")
        if len(readings) == 2:
            return Two(numbered[0], numbered[1])
        left = _choose_one("First reading", numbered, state.key("pair", "left", stamp))
        rest = [one for one in numbered if one.number != left.number]
        right = _choose_one("Second reading", rest, state.key("pair", "right", stamp, left.number))
    return Two(left, right)


def _choose_one(label: str, numbered: Sequence[Numbered], key: str) -> Numbered:
    return st.selectbox(label, numbered, format_func=lambda one: one.name, key=key, label_visibility="collapsed")
