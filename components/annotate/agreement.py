"""How far the annotators of a project agree, and the queue of their disagreements.

Shows only labels that the viewer may see (`engine/analysis/visible_labels.py`). The figures and their table are in
`engine/labels/agreement.py`; a reading is decided in `adjudication.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.annotate import adjudication, bench, cache, html
from components.annotate.wording import PAGE, coverage_sentence
from components.html import markup
from components.html.words import wording
from components.html.words.label_words import decision_text, title, value_text
from components.session import address, state
from components.session import flash as said
from components.widgets import report
from readers.engine.analysis import label_report
from readers.engine.analysis.visible_labels import VisibleLabels, load, matching
from readers.engine.labels.adjudication import SUBJECTS, Compared, undecided
from readers.engine.labels.agreement_tables import INTERVALS
from readers.engine.labels.calibration import ROUND
from readers.engine.labels.label import TITLES
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.store import Store
from readers.engine.text.shorten import shorten_at_word

A_PAGE = 12
LATER = "Agreement is shown from stage 3 on, together with the codebook, for each reading that you have finished yourself."
NOT_YET = "Nothing yet. A reading is compared here once you have finished it yourself: finish one at the bench."
NONE_DONE = "Nothing yet. Readings are compared here once an annotator has finished one."
NOT_BLIND = (
    "Annotators who reopen a finished reading may have seen others’ labels, and the project’s owner may have seen them before "
    "labelling: agreement on these readings is not blind."
)


TRAINED = "The readings of the training round are in no figure above."
ABOUT_CALIBRATION = (
    "Krippendorff’s alpha, with the MASI distance for codes. What is known of a reading is what was decided on it, otherwise "
    f"what the project’s owner gave. Rounds are the training round, if there is one, and then {ROUND} readings at a time, as "
    "a second annotator finished them."
)
NOTHING_KNOWN = "Nothing to compare yet: no reading with a known label, and none that two annotators have finished."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    said.show()
    if not sees_codes(viewer):
        bench.nothing_yet(project, LATER)
        return
    visible = load(store, project, viewer)
    if not visible.done:
        bench.nothing_yet(project, NONE_DONE if viewer.whole or not viewer.blind else NOT_YET)
        return
    history = store.decisions.in_project(project.id, viewer, history=True)
    found = cache.disagreements(visible, [decision for decision in history if decision.run in visible.runs])
    if (asked := address.run_id() or address.disagreement_run()) in visible.runs:
        adjudication.show(store, visible, asked, found=found)
        return
    _all_decided(project, found)
    _to_review(visible)
    _figures(store, visible, found)
    _queue(store, found, visible)


def _all_decided(project: Project, found: Sequence[Compared]) -> None:
    """Where the last decision leads: that nothing is left, and what comes next."""
    if found and not undecided(found):
        which = "The one disagreement is" if len(found) == 1 else f"All {len(found):,} disagreements are"
        with st.container(key="all-decided", gap="small"):
            said.Message("success", f"{which} decided.").show()
            st.page_link(PAGE, label="Next: the results", query_params=address.to_project(project.id, "results"))


def _to_review(visible: VisibleLabels) -> None:
    """Shown first, by reason: these labels are compared as if they had been made under today's definitions."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for label, reason in visible.to_review:
        by_reason[reason.partition(", and the label is from version")[0]].append(label.run)
    if not by_reason:
        return
    number = len(visible.to_review)
    were, it = ("1 label was made", "It counts") if number == 1 else (f"{number:,} labels were made", "They count")
    lines = [
        f"{wording.sentence(why)} {wording.count(len(runs), 'label')} in {wording.count(len(set(runs)))}"
        for why, runs in sorted(by_reason.items(), key=lambda one: (-len(one[1]), one[0]))
    ]
    lead = f"{were} under an older definition and should be reviewed. {it} unchanged."
    st.html(markup.notice("warn", [lead, *lines]))


# Figures


def _figures(store: Store, visible: VisibleLabels, found: Sequence[Compared]) -> None:
    several = sum(people > 1 for people in Counter(run for run, _ in visible.done).values())
    st.html(markup.section("", "Agreement", explains=True, hint=f"{wording.count(several, 'reading')} by two annotators or more"))
    open_runs = list(dict.fromkeys(one.run for one in undecided(found)))
    with st.container(key="agreement-lead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.aside(coverage_sentence(visible)), width="content")
        if open_runs:
            label = f"Decide {wording.count(len(open_runs), 'reading')}"
            key = state.key("queue", "begin")
            st.button(label, type="primary", key=key, on_click=address.set_adjudicated, args=(open_runs[0],))
    counted = visible
    if not_blind := visible.not_blind:
        label = f"Leave out {wording.count(len(not_blind), 'assignment')} not done blind"
        if st.toggle(label, key=state.key("without_again", visible.project.id), help=NOT_BLIND):
            counted = visible.without(not_blind)
    key = counted.cache_key()
    report.draw(cache.agreement_table(key, store, counted), kind="agreement", caption=INTERVALS)
    about = cache.about_readings(store, counted)
    with st.container(key="agreement-out", horizontal=True, gap="small"):
        make = partial(label_report.agreement_report, counted, about)
        report.downloads(make, f"agreement-{visible.project.id}", "agreement_out", visible.project.id)
    methods = st.expander("The methods in a paragraph", key=state.key("queue", "methods", visible.project.id), on_change="rerun")
    if methods.open:
        with methods:
            st.code(label_report.agreement_report(counted, about).methods, language=None, wrap_lines=True)
    if visible.trained:
        st.html(markup.aside(TRAINED))
    calibration = st.expander(
        "Calibration: each annotator beside what is known, and round by round",
        key=state.key("queue", "calibration", visible.project.id),
        on_change="rerun",
    )
    if calibration.open:
        with calibration:
            tables = cache.calibration_tables(key, counted)
            for table in tables:
                st.html(markup.section("", table.title))
                report.draw(table)
            st.html(markup.aside(ABOUT_CALIBRATION) if tables else markup.empty(NOTHING_KNOWN))
    box = st.expander(
        "Agreement on single codes, and how frequent each is",
        key=state.key("queue", "codes", visible.project.id),
        on_change="rerun",
    )
    if box.open:
        with box:
            codes = cache.agreement_by_code(key, counted)
            if codes.rows:
                report.draw(codes, kind="agreement")
            else:
                st.html(markup.empty("No finished reading has a code on a step."))


# The queue


def _filtered(project: Project, found: Sequence[Compared]) -> list[Compared]:
    """The disagreements that match the filter above the queue."""
    asks = state.drafts("queue", project.id)
    return matching(found, about=asks.get("about", ""), undecided_only=bool(asks.get("open")))


def _queue(store: Store, found: Sequence[Compared], visible: VisibleLabels) -> None:
    project = visible.project
    left = len(undecided(found))
    st.html(markup.section("", "Disagreements", hint=f"{left:,} of {len(found):,} to be decided" if found else ""))
    if not found:
        st.html(markup.empty("None. When annotators disagree about a reading or a step, it is listed here to be decided."))
        return
    _filter(project, found)
    rows: dict[str, list[Compared]] = {}
    for one in _filtered(project, found):
        rows.setdefault(one.run, []).append(one)
    if not rows:
        st.html(markup.empty("No disagreement matches the filter."))
        return
    box = st.container(key="disagreements", gap=None)
    here = report.part(list(rows), A_PAGE, "queue_page", project.id)
    numbers = {run: number for number, run in enumerate(store.projects.readings(project.id), 1)}
    with box:
        for run in here:
            _row(numbers[run], rows[run], visible)


def _filter(project: Project, found: Sequence[Compared]) -> None:
    """By subject, and the undecided only. The filter stays set while a reading is open."""
    subjects = ["", *(subject for subject in SUBJECTS if any(one.about == subject for one in found))]
    asks = state.drafts("queue", project.id)

    def subject_title(subject: str) -> str:
        count = sum(not subject or one.about == subject for one in found)
        return f"{TITLES.get(subject, 'Everything')} ({count:,})"

    with st.container(key="queue-narrow", horizontal=True, vertical_alignment="bottom", gap="small"):
        last = asks.get("about", "")
        index = subjects.index(last) if last in subjects else 0
        key = state.key("queue", project.id, "about", state.short_hash(" ".join(subjects)))
        asks["about"] = st.selectbox("About", subjects, index=index, format_func=subject_title, key=key, width=340)
        key = state.key("queue", project.id, "open")
        asks["open"] = "yes" if st.checkbox("Undecided only", value=bool(asks.get("open")), key=key) else ""


def _row(number: int, disagreements: Sequence[Compared], visible: VisibleLabels) -> None:
    """The disagreements on one reading, with its number in the project: the same for every viewer, as on the board."""
    run = disagreements[0].run
    with st.container(key=f"disagreement-{run}", gap=None):
        label = f"{number:,}. {markup.plain(shorten_at_word(visible.runs[run].question, 160))}"
        key = state.key("queue", run)
        st.button(label, type="tertiary", width="content", key=key, on_click=address.set_adjudicated, args=(run,))
        for one in disagreements:
            values = [
                (value_text(one.about, value, visible), one.annotators_with(value))
                for value in dict.fromkeys(one.values.values())
            ]
            st.html(html.disagreement(title(one), values, decision_text(one, visible)))
