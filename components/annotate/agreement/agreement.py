"""The agreement of a project's annotators, and what they disagree on: a queue, each side by side, decided with a reason.

Drawn of what the viewer may see (`annotate_seen.py`) and nothing else. The figures are `readers/engine/labels/agreement.py`,
what is in the queue `annotate_disputes.py`, deciding `annotate_decide.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from components.annotate import agreement_html, cache, disagreements, keys
from components.annotate.agreement import adjudicate
from components.annotate.disagreements import Dispute
from components.annotate.visible_labels import Seen, covered, load
from components.html import markup, wording
from components.session import address, state
from components.session import flash as said
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.store import Store

A_PAGE = 12
LATER = (
    "What people agree and disagree on is shown with the codebook: in stage 3, reading by reading as your own labels are done."
)
NOT_YET = "Nothing yet. A reading is compared here when your own labels of it are done: finish one on the bench."
NONE_DONE = "Nothing yet. Readings are compared here as soon as an annotator has finished one."
AGAIN = (
    "Who opens a reading again after finishing it may have seen what others said, and so may who leads the project before they "
    "label in it: agreement with them is not blind."
)


def show(store: Store, project: Project, viewer: Viewer) -> None:
    said.show()
    if not sees_codes(viewer):
        st.html(markup.empty(LATER))
        _to_bench(project)
        return
    seen = load(store, project, viewer)
    if not seen.done:
        st.html(markup.empty(NONE_DONE if viewer.whole or not viewer.blind else NOT_YET))
        _to_bench(project)
        return
    history = store.decisions.in_project(project.id, viewer, history=True)
    disputes = disagreements.queue(seen, [one for one in history if one.run in seen.runs])
    asked = next((one for one in disputes if one.id == address.disagreement_id()), None)
    if asked:
        listed = _listed(project, disputes)
        adjudicate.show(store, seen, asked, listed=listed if asked in listed else disputes)
        return
    _flagged(seen)
    _figures(store, seen, disputes)
    _queue(project, disputes, seen)


def _to_bench(project: Project) -> None:
    st.page_link("pages/5_Annotate.py", label="To the bench", query_params=address.to_bench(project.id))


def _flagged(seen: Seen) -> None:
    """Said first: these labels are compared as if they meant what their codes mean today."""
    rows = disagreements.flagged(seen)
    if rows:
        labels = sum(row[1] for row in rows)
        st.html(agreement_html.flagged(disagreements.flagged_told(labels), rows))


# Figures


def _figures(store: Store, seen: Seen, disputes: Sequence[Dispute]) -> None:
    several = sum(people > 1 for people in Counter(run for run, _ in seen.done).values())
    st.html(markup.section("", "Agreement", hint=f"{wording.count(several, 'reading')} by two annotators or more"))
    first = next((one for one in disputes if not one.stands), None)
    with st.container(key="agreement-lead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.aside(covered(seen)), width="content")
        if first:
            label = f"Decide {wording.count(sum(not one.stands for one in disputes), 'disagreement')}"
            key = state.key(keys.QUEUE, "begin")
            st.button(label, type="primary", key=key, on_click=address.set_disagreement, args=(first.id,))
    taken = seen
    if again := seen.again:
        label = f"Leave out {wording.count(len(again), 'turn')} not done blind"
        if st.toggle(label, key=state.key(keys.WITHOUT_AGAIN, seen.project.id), help=AGAIN):
            taken = seen.without(again)
    stamp = taken.stamp()
    st.html(agreement_html.figures(cache.report(stamp, store, taken)))
    box = st.expander(
        "Agreement on single codes, and how common each is",
        key=state.key(keys.QUEUE, "codes", seen.project.id),
        on_change="rerun",
    )
    if box.open:
        with box:
            rows = cache.single_codes(stamp, taken)
            st.html(agreement_html.codes(rows) if rows else markup.empty("Nobody who is done gave a step a code."))


# The queue


def _listed(project: Project, disputes: Sequence[Dispute]) -> list[Dispute]:
    """Those that the fields above the queue ask for, as they were last chosen."""
    asks = state.drafts(keys.QUEUE, project.id)
    about, run = asks.get("about", ""), asks.get("run", "")
    return disagreements.narrowed(disputes, about=about, run=run, open_only=bool(asks.get("open")))


def _queue(project: Project, disputes: Sequence[Dispute], seen: Seen) -> None:
    undecided = sum(not one.stands for one in disputes)
    st.html(markup.section("", "Disagreements", hint=f"{undecided:,} of {len(disputes):,} to be decided" if disputes else ""))
    if not disputes:
        st.html(
            markup.empty("None. Where annotators say different things of a reading or a step, it is listed here to be decided.")
        )
        return
    _narrow(project, disputes, seen)
    rows = _listed(project, disputes)
    if not rows:
        st.html(markup.empty("No disagreement is like this. Take a filter away."))
        return
    pages = max(1, -(-len(rows) // A_PAGE))
    box = st.container(key="disputes", gap=None)
    page = 1
    if pages > 1:
        with st.container(horizontal=True, horizontal_alignment="center", key="questions-pages"):
            page = st.pagination(pages, key=state.key(keys.QUEUE_PAGE, project.id, pages)) or 1
    with box:
        for one in rows[A_PAGE * (page - 1) : A_PAGE * page]:
            _row(one, seen)


def _narrow(project: Project, disputes: Sequence[Dispute], seen: Seen) -> None:
    """By field or step, by reading, and those that are open; kept while a disagreement is looked at."""
    abouts = ["", *(about for about in disagreements.TITLES if any(one.about == about for one in disputes))]
    runs = ["", *dict.fromkeys(one.run for one in disputes)]
    number = {one.run: one.number for one in disputes}
    asks = state.drafts(keys.QUEUE, project.id)

    def about_name(about: str) -> str:
        there = sum(not about or one.about == about for one in disputes)
        return f"{disagreements.TITLES.get(about, 'Everything')} ({there:,})"

    def run_name(run: str) -> str:
        return f"{number[run]:,}. {disagreements.short(seen.runs[run].question)}" if run else "All readings"

    with st.container(key="queue-narrow", horizontal=True, vertical_alignment="bottom", gap="small"):
        asks["about"] = _choice(project, "about", abouts, about_name)
        asks["run"] = _choice(project, "run", runs, run_name)
        key = state.key(keys.QUEUE, project.id, "open")
        asks["open"] = "yes" if st.checkbox("Only those to be decided", value=bool(asks.get("open")), key=key) else ""


def _choice(project: Project, what: str, options: list[str], named: Callable[[str], str]) -> str:
    was = state.drafts(keys.QUEUE, project.id).get(what, "")
    index = options.index(was) if was in options else 0
    label = {"about": "About", "run": "Reading"}[what]
    key = state.key(keys.QUEUE, project.id, what, state.short_hash(" ".join(options)))
    return st.selectbox(label, options, index=index, format_func=named, key=key, width=340)


def _row(one: Dispute, seen: Seen) -> None:
    with st.container(key=f"dispute-{state.short_hash(one.id)}", gap=None):
        label = f"{one.number:,}. {one.title}"
        st.button(
            label,
            type="tertiary",
            key=state.key(keys.QUEUE, one.id),
            on_click=address.set_disagreement,
            args=(one.id,),
            width="content",
        )
        values = dict.fromkeys(one.said.values())
        said = [(disagreements.worded(one.about, value, seen), disagreements.who_said(one, value)) for value in values]
        decision = disagreements.decision_told(one, seen)
        st.html(agreement_html.in_queue(seen.runs[one.run].question, said, decision))
