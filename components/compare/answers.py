"""The readings that are compared as a short list: the reader, the result, and a link; while they run, the progress of each.

A reading has the same line while it runs and when it has ended, so nothing jumps when an answer comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

import streamlit as st

from components.compare import report
from components.html import markup
from components.html.words import wording
from components.html.words.wording import Chip
from components.session import access, address, database, hidden_answers, process_cache, start_runs, state
from components.widgets import progress
from readers.engine.errors import ReadingError
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run
from readers.engine.work import Work


class ComparedReading(NamedTuple):
    """A reading with its number and name on this page, and what else distinguishes it from the others."""

    run: Run
    number: int
    name: str
    about: tuple[str, ...] = ()


Known = Mapping[str, KnownAnswer]  # by reading
STAYS = "They continue when you leave this page; its address leads back to them."
BY_PERSON = "A person is the model of this reading, and sees only what a model would see."
COVERED = "It was stopped. Its text stays hidden until somebody resumes the reading as its model."


def lines(runs: Sequence[Run], about: Sequence[Sequence[str]] = ()) -> list[ComparedReading]:
    """The readings, numbered as everywhere on the page. `about` are further facts on each."""
    names = report.short_names(runs)
    rest = about or [()] * len(runs)
    return [
        ComparedReading(run, n, name, tuple(more)) for n, (run, name, more) in enumerate(zip(runs, names, rest, strict=True), 1)
    ]


def show_ended(listed: Sequence[ComparedReading], known: Known) -> None:
    """Readings that have ended: verdict, answer or why there is none, and a link to each."""
    with st.container(key="compare-answers", gap=None):
        for line in listed:
            _ended(line, known)


def show_going(ids: Sequence[str], known: Known) -> None:
    """Readings of which some are running: the progress of each, its answer as it comes, and Cancel for all and for each. The page
    is drawn again when all have ended."""
    progress.watch(partial(_look, tuple(ids)), partial(_draw, tuple(ids), known))


def _look(ids: Sequence[str]) -> Work | None:
    """How many readings have ended; None when all have, or one was deleted."""
    runs = list(_runs(ids))
    going = sum(map(start_runs.is_running, runs))
    return Work(len(runs) - going, len(runs), going=going) if going and len(runs) == len(ids) else None


def _draw(ids: Sequence[str], known: Known, work: Work) -> None:
    runs = list(_runs(ids))
    going = [run for run in runs if start_runs.is_running(run)]
    _head(runs, going)
    first = state.value("_watched") != ids  # then Cancel must be there at once
    state.set_value("_watched", ids)
    with st.container(key="compare-answers", gap=None):
        for line in lines(runs):
            if line.run in going:
                _going(line, at_once=first)
            else:
                _ended(line, known)


def _runs(ids: Sequence[str]) -> Iterator[Run]:
    with database.opened() as store:
        for run_id in ids:
            try:
                yield store.runs.get(run_id)
            except ReadingError:  # it was deleted meanwhile
                continue


def _head(runs: Sequence[Run], going: Sequence[Run]) -> None:
    """How many have ended, Cancel for all, and a way to compare those that have ended."""
    ended = [run for run in runs if run not in going and not hidden_answers.is_covered(run)]
    told = f"{len(ended):,} of {len(runs):,} have ended" if ended else f"{len(runs):,} readings have begun"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-going"):
        st.html(markup.working(told, [STAYS], done=len(ended) / len(runs)))
        if len(ended) > 1:
            label = f"Compare the {len(ended)} that have ended"
            st.page_link("pages/4_Compare.py", label=label, query_params=address.to_compare([run.id for run in ended]))
        mine = [run for run in going if access.may_change(run.id)]
        if len(mine) > 1:
            stopping = all(run.cancel for run in mine)
            st.button("Cancel all", key=state.key("compare-cancel", "all"), disabled=stopping, on_click=_cancel, args=(mine,))


def _cancel(runs: Sequence[Run]) -> None:
    for run in runs:
        process_cache.jobs().cancel(run.id)


def _going(line: ComparedReading, *, at_once: bool) -> None:
    run = line.run
    if hidden_answers.is_covered(run):
        inside = _unanswered(BY_PERSON)
    else:
        with database.opened() as store:
            found = progress.of_reading(store, run, process_cache.document(run.document), at_once=at_once)
        inside = markup.working(found.stage, found.notes, done=found.share, spoken=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"compare-line-{run.id}"):
        st.html(_reading_line(line.number, line.name, [wording.state(run)], inside))
        st.page_link("pages/3_Trace.py", label="Watch", query_params=address.to_trace(run.id), width="content")
        if access.may_change(run.id):
            key = state.key("compare-cancel", run.id)
            st.button("Cancel", key=key, disabled=run.cancel, on_click=_cancel, args=([run],), help=f"Stop {line.name} alone.")


def _ended(line: ComparedReading, known: Known) -> None:
    run, covered = line.run, hidden_answers.is_covered(line.run)
    said, facts = (_unanswered(COVERED), []) if covered else (_said(run), _took(run))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"compare-line-{run.id}"):
        inside = said + (f'<p class="about">{escape(" · ".join(line.about))}</p>' if line.about else "")
        st.html(_reading_line(line.number, line.name, chips(run, known), inside, facts=facts))
        st.page_link("pages/3_Trace.py", label="Open", query_params=address.to_trace(run.id), width="content")


def chips(run: Run, known: Known) -> list[Chip]:
    """How the answer compares with the known one, and how the reading ended if there is no answer and that is not said yet."""
    verdict = wording.compared(run, known[run.id]) if run.id in known and run.status == "finished" else None
    graded = [verdict.chip] if verdict and verdict.chip else []
    ended = wording.state(run)
    said = run.gives_answer or any(ended.word in chip.word for chip in graded)
    return graded if graded and said else [*graded, ended]


def _said(run: Run) -> str:
    if run.outcome == "answered" and run.answer is not None:
        return _answered(run.answer, wording.models(run.spec))
    return _unanswered(" ".join(wording.ending(run)))


def _took(run: Run) -> list[str]:
    """Calls and time, from the list's figures: they are there at once, however long the reading was."""
    with database.opened() as store:
        found = store.run_list.figures([run.id]).get(run.id)
    facts = [wording.count(found.calls + found.reused, "call")] if found else []
    return [*facts, wording.duration(run.seconds)] if run.seconds is not None else facts


# HTML: everything from outside is escaped


def _answered(words: str, by: str) -> str:
    """An answer in a list of answers: two lines of it, marked as written by a model."""
    author = f'<span class="visually-hidden" dir="ltr">{escape(by)} wrote: </span>'
    return f'<p class="words written" dir="auto" title="{escape(words)}">{author}{escape(words)}</p>'


def _unanswered(words: str) -> str:
    """Why there is no answer in a list of answers."""
    return f'<p class="words" title="{escape(words)}">{escape(words)}</p>'


def _reading_line(number: int, name: str, chips: Iterable[Chip], inside: str, *, facts: Sequence[str] = ()) -> str:
    """One of several readings in a line: its number and name, chips, and `inside`, HTML of this module or of `markup`."""
    pills = "".join(map(markup.draw_chip, chips))
    told = f'<p class="facts">{escape(" · ".join(facts))}</p>' if facts else ""
    title = f'<h3><span class="visually-hidden">Reading {number}: </span>{escape(name)}</h3>'
    head = f'<div class="who"><span class="number" aria-hidden="true">{number}</span><div>{title}{told}</div></div>'
    return f'<div class="reading-line">{head}<p class="chips">{pills}</p><div class="said">{inside}</div></div>'
