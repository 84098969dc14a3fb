"""The results of a project: what was found in whole readings, counts by code, reader, model and kind of step, where readings
went wrong, which codes occur together, the time per reading, and whether new readings still bring new codes. Each cell opens the
readings behind it.

Only labels that the viewer may see are counted (`engine/analysis/visible_labels.py`). The tables are those of
`engine/analysis/label_results.py`, cached until a label changes. Import and export are in `label_files.py`.
"""

from __future__ import annotations

import streamlit as st

from components.annotate import bench, cache, label_files, result_tables, results_found
from components.annotate.wording import coverage_sentence
from components.html import markup
from components.html.markup import Fact
from components.html.words import wording
from components.session import address, state
from components.session import flash as said
from readers.engine.analysis import label_results
from readers.engine.analysis.label_results import ANNOTATORS, BY, INTERVALS, READERS, RULES, TOGETHER, TURNING, Results, Rule
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.labels.saturation import LAST
from readers.engine.store import Store
from readers.engine.text.phrases import percent

LATER = "Results are shown from stage 3 on, together with the codebook, for each reading that you have finished yourself."
NOTHING = "Nothing to count yet. Labels are counted here once an annotator has finished a reading."
STEPS_TOO = " Steps of one reading depend on each other even more."
BROADER = " A broader code also counts the codes under it."
TURNS = (
    "For readings with a code on a step: the first step with a code (columns) and the step before it (rows). Shares are of the "
    "column."
)
BY_CHANCE = "“By chance” is how often both would occur together if they were independent."
TIMES = "Time with a reading open at the bench, all stages together. Assignments without any time are left out."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    said.show()
    if not sees_codes(viewer):
        bench.nothing_yet(project, LATER)
    elif (visible := load(store, project, viewer)).done:
        _results(store, visible)
    else:
        bench.nothing_yet(project, NOTHING)
    label_files.show(store, project, viewer)


def _results(store: Store, visible: VisibleLabels) -> None:
    rule = _rule(visible)
    found = cache.results(visible.cache_key(), rule, store, visible)
    _lead(visible, found)
    results_found.show(store, visible, found)
    if found.coded:
        _counts(visible, found)
        st.html(markup.section("", found.tables[TURNING].title))
        st.html(markup.aside(TURNS))
        result_tables.draw(visible, found.tables[TURNING])
        st.html(markup.section("", found.tables[TOGETHER].title))
        if found.tables[TOGETHER].rows:
            st.html(markup.aside(BY_CHANCE))
            results_found.draw_pairs(visible, found.pairs)
            result_tables.draw(visible, found.tables[TOGETHER])
        else:
            st.html(markup.empty("No reading has two codes under this rule."))
    else:
        st.html(markup.empty("Under this rule, no step of these readings has a code."))
    st.html(markup.section("", "Time per reading"))
    if found.tables[ANNOTATORS].rows:
        st.html(markup.aside(TIMES))
        result_tables.draw(visible, found.tables[ANNOTATORS])
        result_tables.draw(visible, found.tables[READERS])
    else:
        st.html(markup.empty("No time was measured yet."))


def _rule(visible: VisibleLabels) -> Rule:
    first = label_results.rule_of(None, any_decided=bool(visible.decisions))
    rules = list(RULES)
    with st.container(key="results-head", horizontal=True, vertical_alignment="bottom", gap="small"):
        rule = st.selectbox(
            "Count a code of a step if it was", rules, index=rules.index(first), format_func=lambda rule: RULES[rule],
            key=state.key("rule", visible.project.id), width=340,
        )  # fmt: skip
        st.html(markup.aside(coverage_sentence(visible)), width="content")
    return rule


def _lead(visible: VisibleLabels, found: Results) -> None:
    """The most important figures, and what limits them."""
    new = found.saturation
    brought = ", ".join(visible.code_title(code) for code in new.which[:6]) + (" …" if len(new.which) > 6 else "")
    st.html(
        markup.fact_list(
            [
                Fact("Readings", f"{found.readings:,}", "finished by an annotator"),
                Fact("With a code on a step", f"{found.coded:,}", f"{percent(found.coded / found.readings)} of them"),
                Fact("Codes in use", f"{new.codes:,}", "used by any annotator"),
                Fact("Brought a new code", f"{new.new:,} of the last {min(LAST, new.of):,}", brought or "no new code"),
            ]
        )
    )
    if found.undecided and found.rule == "decided":
        undecided = wording.count(found.undecided, "disagreement")
        words = f"{undecided} on codes not decided yet: only codes that all annotators gave are counted there."
        st.html(markup.aside(words))
    if number := len(visible.to_review):
        are = "is" if number == 1 else "are"
        words = f"{wording.count(number, 'label')} made under an older definition of the code {are} counted unchanged."
        st.html(markup.notice("warn", [words]))


def _counts(visible: VisibleLabels, found: Results) -> None:
    with st.container(key="results-counts", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.section("", "Frequency of each code"), width="content")
        names = [name for name in BY if name in found.tables]
        # An open cell says which of the tables is shown.
        asked = next((name for name in address.open_cell()[:1] if name in names), names[0])
        by = st.segmented_control(
            "Counted by", names, default=asked, format_func=lambda name: BY[name],
            key=state.key("counted_by", visible.project.id), label_visibility="collapsed",
        )  # fmt: skip
    broader = BROADER if label_results.parents(visible) else ""
    st.html(markup.aside(INTERVALS + (STEPS_TOO if by == "kind" else "") + broader))
    table = found.tables[by or names[0]]
    if by != "kind":
        results_found.draw_codes(visible, table)
    result_tables.draw(visible, table)
