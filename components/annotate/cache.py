"""What is worked out of a project's labels, and kept by the process until any of it changes (`Seen.stamp`)."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.annotate import visible_labels
from components.annotate.results.tables import Results, Rule, results
from components.annotate.visible_labels import Seen
from readers.engine.labels import agreement, counts
from readers.engine.labels.agreement import Figure, Group
from readers.engine.labels.counts import About
from readers.engine.labels.project import MOST_READINGS
from readers.engine.store import Run, Store


@st.cache_resource(max_entries=2 * MOST_READINGS, show_spinner=False)
def _kinds(id: str, status: str, ended: str | None, _store: Store) -> tuple[str, ...]:
    """By its end, too: a reading that was resumed ends anew."""
    return visible_labels.kinds(_store.tape(id).events())


def steps(store: Store, run: Run) -> int:
    """How many steps a reading has."""
    return len(_kinds(run.id, run.status, run.ended, store))


@st.cache_resource(max_entries=8, show_spinner="Reading the steps of the readings …")
def _about(stamp: str, _store: Store, _seen: Seen) -> list[About]:
    return visible_labels.about(_seen.runs.values(), lambda run: _kinds(run.id, run.status, run.ended, _store))


def about(store: Store, seen: Seen) -> list[About]:
    """What findings need to know of the readings."""
    stamp = " ".join(f"{run.id}{run.status}{run.ended}" for run in seen.runs.values())
    return _about(stamp, store, seen)


@st.cache_resource(max_entries=8, show_spinner="Working out the agreement …")
def report(stamp: str, _store: Store, _seen: Seen) -> list[Group]:
    """Every figure of agreement of what is seen."""
    return agreement.report(_seen.labels, done=_seen.done, phase_of=counts.phase_of(about(_store, _seen)))


@st.cache_resource(max_entries=8, show_spinner="Working out the agreement on each code …")
def single_codes(stamp: str, _seen: Seen) -> Sequence[tuple[str, Figure, float]]:
    """Alpha and prevalence of each code, the commonest first."""
    done = _seen.done
    found = agreement.by_code(agreement.of_steps(_seen.labels, done))
    return sorted(((_seen.called(code), *both) for code, both in found.items()), key=lambda row: (-row[2], row[0]))


@st.cache_resource(max_entries=16, show_spinner="Counting …")
def counted(stamp: str, rule: Rule, _store: Store, _seen: Seen) -> Results:
    """All that the results page shows under a rule."""
    return results(_seen, about(_store, _seen), rule)
