"""The Compare page: several readings as a list of answers, two of them side by side, all on one axis, and their costs. Running
readings are watched here until they have ended.

What moves with the steps is drawn in the browser: two players, as on the Trace page, and `compare.js` between them. Names and
tables are `report.py`, the list of answers `answers.py`, the choice of readings `choose.py`, the two players `pair.py`, the maps
`maps.py`, costs by questions `costs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.compare import answers, costs, fates, pair, report
from components.compare.answers import Known
from components.compare.choose import show_choice
from components.compare.maps import show_maps
from components.compare.pair import Numbered, Two
from components.html import markup
from components.html.words import wording
from components.session import access, address, hidden_answers, process_cache, start_runs, state
from components.widgets import reading_links
from components.widgets.report import draw
from readers import READERS, get
from readers.engine.analysis.differences import settings
from readers.engine.analysis.same_question import asked_words
from readers.engine.errors import NotFound
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.costs import costs as costs_of
from readers.engine.store import Reading, Run


def show_compare(ids: Sequence[str]) -> None:
    """Draw the readings of these ids that exist and may be seen; with fewer than two, the choice of readings. The progress of
    several readings while some are running."""
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
    """Readings of which some are running."""
    known = _known(runs)
    _heading(runs, [access.document(run.document).title for run in runs], known)
    answers.show_going([run.id for run in runs], known)


def _show_ended(runs: Sequence[Run]) -> None:
    """Answers and verdicts, two readings side by side, then where each looked, what differs, and what each cost."""
    readings = [process_cache.ended_reading(run) for run in runs]
    known = _known(runs)
    gold = _heading(runs, [reading.document.title for reading in readings], known)
    answers.show_ended(answers.lines(runs, [report.about(reading, readings) for reading in readings]), known)
    if report.same_text(readings):
        fates.show(readings, known, revealed=bool(gold))
        both = _two(readings)
        parted = pair.part(both)
        pair.show_players(both, parted[1], gold)
        pair.show_parting(both, parted)
        if not gold:
            fates.show_how(readings, known)
    names = report.numbered(runs)
    show_maps(readings, gold)
    _differences(readings, names)
    st.html(markup.section("", "Measures"))
    found = [process_cache.measures_of(reading, gold.get(reading.run.id)) for reading in readings]
    memories = [get(reading.run.reader).narrative.carried for reading in readings]
    draw(report.measures_table(found, names, memories=memories), kind="versus")
    _costs(readings, names)
    with st.container(key="compare-next", horizontal=True, vertical_alignment="center"):
        st.page_link("pages/4_Compare.py", label="Choose other readings")
        reading_links.offer_replay(readings)


def _costs(readings: Sequence[Reading], names: Sequence[str]) -> None:
    st.html(markup.section("", "Cost without reuse"))
    draw(report.costs_table([costs_of(reading.records) for reading in readings], names), kind="versus")
    if report.same_text(readings):
        costs.show(_numbered(readings))
    for note in (costs.by_hand(readings), costs.NOTE):
        if note:
            st.caption(markup.plain(note))


def _found(ids: Sequence[str]) -> list[Run]:
    """The readings that exist, each once, and forks next to their parents; a message is drawn for each missing one."""
    runs: dict[str, Run] = {}
    with access.opened() as store:
        for run_id in ids:
            try:
                run = store.runs.get(run_id)
            except NotFound:
                why = access.why_gone("It may have been deleted, or the link was cut short.")
                st.error(markup.plain(f"There is no reading {run_id[:40]!r} here. {why} Choose another one."))
            else:
                runs[run.id] = run
    return report.beside_parents(list(runs.values()))


def _under_way(run: Run) -> None:
    """A reading that cannot be compared yet: it is running, or its text is covered for the person who is its model."""
    covered = not start_runs.is_running(run)
    sentence = f"{report.by(run)} was cancelled. Its text stays hidden until somebody resumes it."
    going = f"{report.by(run)} is still reading. It can be compared when it has ended."
    with st.container(horizontal=True, vertical_alignment="center", key=f"compare-going-{run.id}"):
        st.html(markup.notice("quiet", [sentence if covered else going]))
        st.page_link("pages/3_Trace.py", label="Open" if covered else "Watch", query_params=address.to_trace(run.id))


def _choose(ended: Sequence[Run]) -> None:
    hint = "select two or more readings of the same question, or any two"
    st.html(markup.page_title("Compare readings", hint=hint))
    if ended:
        by, question = report.by(ended[0]), ended[0].question
        st.html(markup.aside(f"Compare with: {by}, “{question}”", protected=[by, question]))
    show_choice(ended)


def _heading(runs: Sequence[Run], titles: Sequence[str], known: Known) -> dict[str, KnownAnswer]:
    """The question, with the text, the number of readings and, if it is one, the model; and the switch that shows the known
    answers. Returns the facts whose words and places should be shown: all of them or none."""
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


def _known(runs: Sequence[Run]) -> dict[str, KnownAnswer]:
    """The known answers by reading, without those that this visitor must not see yet."""
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)
        return {run.id: known for run in runs if (known := hidden_answers.known_answer(store, run, hidden))}


def _differences(readings: Sequence[Reading], names: Sequence[str]) -> None:
    """The settings in which the readings differ."""
    texts = {reading.document.id: reading.document.title for reading in readings}
    found = settings([reading.run for reading in readings], {reader.id: reader for reader in READERS}, texts=texts)
    st.html(markup.section("", "Differences in settings"))
    if not found:
        st.html(markup.empty("No differences: same question, same settings."))
        return
    if general := [one for one in found if one.general]:
        draw(report.settings_table(general, names, title="Setting", marked=True), kind="versus")
    if own := [one for one in found if not one.general]:
        with st.expander(f"{len(own):,} settings that only some of these readers have"):
            draw(report.settings_table(own, names, title="Setting (– where a reader has none)", marked=False), kind="versus")


def _numbered(readings: Sequence[Reading]) -> list[Numbered]:
    runs = [reading.run for reading in readings]
    return [Numbered(n, *one) for n, one in enumerate(zip(report.numbered(runs), report.titles(runs), readings, strict=True), 1)]


def _two(readings: Sequence[Reading]) -> Two:
    """The two readings shown side by side: of more than two the first two, until others are chosen."""
    numbered = _numbered(readings)
    stamp = state.short_hash(",".join(reading.run.id for reading in readings))
    with st.container(horizontal=True, vertical_alignment="center", key="compare-two"):
        st.html(markup.section("", "Side by side"), width="content")
        if len(readings) == 2:
            return numbered[0], numbered[1]
        left = _choose_one("First reading", numbered, state.key("pair", "left", stamp))
        rest = [one for one in numbered if one.number != left.number]
        right = _choose_one("Second reading", rest, state.key("pair", "right", stamp, left.number))
    return left, right


def _choose_one(label: str, numbered: Sequence[Numbered], key: str) -> Numbered:
    return st.selectbox(label, numbered, format_func=lambda one: one.name, key=key, label_visibility="collapsed")
