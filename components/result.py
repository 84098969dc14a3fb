"""A reading that has ended: question, answer, evidence in the text, the walk step by step, and what can be done next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from components import live, markup, start, state, wording
from components.samples import Known, sample_of
from readers import get
from readers.engine import catalogue
from readers.engine.errors import NotFound, ReadingError
from readers.engine.export import Reading
from readers.engine.measures import measures
from readers.engine.store import Run, Store
from readers.engine.text import Document, Span

PAGE = 40_000
RECENT = 8


def show_run(id: str) -> None:
    """The reading of this id, however it stands."""
    try:
        with Store() as store:
            run = store.run(id)
    except NotFound:
        unknown = f"There is no reading {id[:40]!r} here. It may have been made on another machine, or its address was cut short."
        st.error(markup.plain(f"{unknown} The last readings of this machine are listed below."))
        st.html(markup.link_home("Begin a new reading"))
        return
    if state.going(run):
        live.watch(run.id)
    else:
        show_ended(state.ended(run))


def show_ended(reading: Reading) -> None:
    run, document, trace, records = reading
    reader = get(run.reader)
    called = reader.names(trace)
    by = catalogue.title(run.spec["model"])
    chips = [wording.state(run), *wording.figures(measures(trace, records, seconds=run.seconds))]
    st.html(markup.heading(run.question, [document.title, reader.title, by], chips))
    if run.outcome == "answered" and run.answer is not None:
        st.html(markup.answer(run.answer, by, wording.places(run.evidence, called)))
    else:
        _without_answer(run)
    known = _known(run)
    with st.container(key="two-result"):
        left, right = st.columns([1, 1.1], gap="large")
    with left:
        st.html(markup.section("", "What the reader did"))
        told = wording.lines(trace, called)
        st.html(markup.steps(told) if told else markup.empty("It stopped before its first step."))
        _next(run, document)
    with right:
        _text(run, document, known)


def _without_answer(run: Run) -> None:
    st.html(markup.notice(wording.state(run).tone, wording.ending(run)))
    if run.status == "finished":
        return
    if run.spec["version"] != get(run.reader).version:
        st.caption("It was made by an earlier version of this reader, so it can be viewed but not resumed.")
    elif st.button("Resume", type="primary", key=state.key(state.RESUME, run.id)):
        try:
            state.resume(run)
        except ReadingError as error:
            st.error(markup.plain(wording.sentence(str(error))))
            return
        st.rerun()


def _known(run: Run) -> Known | None:
    """What the sample's author knows, once the person asks for it."""
    sample = sample_of(run.document)
    known = sample.known(run.question) if sample else None
    if known is None or not st.toggle("Show the known answer", key=state.key(state.KNOWN, run.id)):
        return None
    st.html(markup.known(known.answer, wording.compared(run, known)))
    return known


def _text(run: Run, document: Document, known: Known | None) -> None:
    """The document with its evidence marked: around the evidence, or all of it, a long one part by part."""
    marks = [markup.Mark(*span, "evidence") for span in run.evidence]
    marks += markup.quotes(document.text, run.answer or "", run.evidence)
    marks += [markup.Mark(*span, "known") for span in known.evidence] if known else []
    spans = [Span(mark.start, mark.end) for mark in marks]
    st.html(markup.section("", "The text", hint=wording.size(document)))
    with st.container(horizontal=True, vertical_alignment="center", key="reading-bar"):
        if marks:
            st.html(markup.legend(mark.kind for mark in marks), width="content")
        whole = st.toggle("Show the whole text", key=state.key(state.WHOLE, run.id))
        if whole and run.evidence:
            st.html(markup.to_evidence(), width="content")
    around = markup.windows(document.text, spans) or [markup.opening(document.text)]
    st.html(markup.passages(document.text, [_part(run, document, spans)] if whole else around, marks))


def _part(run: Run, document: Document, spans: Sequence[Span]) -> Span:
    """The whole text, or of a long one the part that is picked, at first the one with the evidence."""
    parts = markup.pages(document.text, PAGE)
    if len(parts) == 1:
        return parts[0]
    first = min((span.start for span in spans), default=0)
    at = next(n for n, part in enumerate(parts) if first < part.end or n == len(parts) - 1)
    picked = st.number_input(f"Part, of {len(parts)}", 1, len(parts), at + 1, width=160, key=state.key(state.PART, run.id))
    return parts[int(picked) - 1]


def _next(run: Run, document: Document) -> None:
    st.html(markup.section("", "Ask another question of this text"))
    start.ask(start.Picked(document, sample_of(run.document)), after=run.question)
    st.html(markup.link_home("Choose another text"))


def show_recent() -> None:
    """The last readings, each a link."""
    with Store() as store:
        runs = store.runs(RECENT)
        titles = {shelved.id: shelved.title for shelved in store.documents()} if runs else {}
    st.html(markup.section("", "Recent readings"))
    if not runs:
        st.html(markup.empty("No readings yet. The first one will be listed here, and can be opened again at any time."))
        return
    now = datetime.now(UTC)
    about = [f"{titles.get(run.document, '')} · {wording.ago(run.created, now)}" for run in runs]
    st.html(
        markup.recent([markup.Row(run.id, run.question, of, wording.state(run)) for run, of in zip(runs, about, strict=True)])
    )
