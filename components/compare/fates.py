"""Where did it die? A fact of the text, followed through every reading that is compared: a table for each place of the evidence.

The evidence gives the known answer away, so its tables wait for the same switch. A place that the address gives is followed
without it. The table is `fates_table.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from components.compare import answers, fates_table
from components.compare import wording as compare
from components.compare.answers import Known
from components.html import markup
from components.html.words import wording
from components.session import address, process_cache, state
from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.analysis.same_question import asked_words
from readers.engine.store import Reading
from readers.engine.text.document import Span
from readers.engine.text.shorten import shorten_at_word

HIDDEN = "Switch on “Known answer” to follow its evidence through each reading, to the answer or to where it was lost."
MOST_SHOWN, MOST_FACTS = 2, 12  # places of the evidence that are followed at first, and in all
_EXCERPT = 240


def show(readings: Sequence[Reading], known: Known, *, revealed: bool) -> None:
    """The tables for readings of one text. `revealed`: the known answers are shown."""
    given = address.fact()
    evidence = _evidence(readings, known)
    if given is None and not (evidence and revealed):
        return
    with st.container(key="compare-fates", gap="small"):
        followed = f"{'a place' if given else 'the evidence'} followed through {len(readings)} readings"
        st.html(markup.section("", fates_table.TITLE, hint=followed))
        if given is not None and (wrong := fates_table.problem(given, len(readings[0].document.text))):
            st.html(markup.notice("warn", [wrong]))
        elif given is not None:
            _table(readings, given, known)
        if revealed:
            _show_evidence(readings, [fact for fact in evidence if fact != given], known)
        st.html(fates_table.legend())


def show_how(readings: Sequence[Reading], known: Known) -> None:
    """How to come to the tables, while the known answers are not shown."""
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
    """The evidence of the one question that all readings were asked."""
    if len({asked_words(reading.run.question) for reading in readings}) > 1:
        return []
    marked = next((one for reading in readings if (one := known.get(reading.run.id)) and one.evidence), None)
    return evidence_of(marked, readings[0].document) if marked else []


def _table(readings: Sequence[Reading], fact: Span, known: Known) -> None:
    text = readings[0].document.text
    names = compare.short_names([reading.run for reading in readings])
    rows = []
    for name, reading in zip(names, readings, strict=True):
        (found,) = process_cache.followed(reading, [fact], known=known.get(reading.run.id))
        chips, link = answers.chips(reading.run, known), partial(_link, reading.run.id)
        rows.append(fates_table.row(reading, found, name=name, chips=chips, link=link))
    where = fates_table.place(text, fact)
    st.html(fates_table.fact(shorten_at_word(text[fact.start : fact.end], _EXCERPT), where, rows))


def _link(run_id: str, step: int | None) -> str:
    """A link to a step; to the reading where there is none."""
    return f"Trace?{urlencode(address.to_trace(run_id) if step is None else address.to_step(run_id, step + 1))}"
