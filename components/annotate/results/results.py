"""The results of a project: what was found in whole readings, counts by code, reader, model and kind of step, where readings
went wrong, which codes occur together, the time per reading, and whether new readings still bring new codes. Each cell opens the
readings behind it.

Only labels that the viewer may see are counted (`engine/analysis/visible_labels.py`). The counts are cached until one of them
changes. Import and export are in `label_files.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components.annotate import cache, keys
from components.annotate.results import label_files, show_asked, table_component, tables
from components.annotate.results.tables import ANNOTATORS, BY, READERS, RULES, TOGETHER, TURNING, Grid, OpenedCell, Results, Rule
from components.annotate.wording import coverage_sentence, model_title
from components.html import markup
from components.html.markup import Fact
from components.html.words import wording
from components.html.words.reader_words import title_in_list
from components.session.page import address, state
from components.session.page import flash as said
from components.widgets import pager
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.labels.saturation import LAST
from readers.engine.store import Store
from readers.engine.text.shorten import shorten_at_word

ANNOTATE, TRACE = "pages/5_Annotate.py", "pages/3_Trace.py"
A_PAGE = 10
LATER = "Results are shown from stage 3 on, together with the codebook, for each reading that you have finished yourself."
NOTHING = "Nothing to count yet. Labels are counted here once an annotator has finished a reading."
INTERVALS = (
    "In brackets: Wilson’s 95% interval of the share. It treats readings as independent, which readings of one text are not "
    "quite, so it is somewhat too narrow."
)
STEPS_TOO = " Steps of one reading depend on each other even more."
BROADER = " A code with others under it counts theirs, too; agreement is computed on the codes as they were given."
TURNS = (
    "For readings with a code on a step: the first step with a code (columns) and the step before it (rows). Shares are of the "
    "column."
)
BY_CHANCE = "“By chance” is how often both would occur together if they were independent."
TIMES = "Time with a reading open at the bench, all stages together. Assignments without any time are left out."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    said.show()
    if not sees_codes(viewer):
        st.html(markup.empty(LATER))
        _to_bench(project)
    else:
        visible = load(store, project, viewer)
        if visible.done:
            _results(store, visible)
        else:
            st.html(markup.empty(NOTHING))
            _to_bench(project)
    label_files.show(store, project, viewer)


def _to_bench(project: Project) -> None:
    st.page_link("pages/5_Annotate.py", label="To the bench", query_params=address.to_bench(project.id))


def _results(store: Store, visible: VisibleLabels) -> None:
    rule = _rule(visible)
    found = cache.results(visible.cache_key(), rule, store, visible)
    _lead(visible, found)
    show_asked.show(store, visible, _table)
    if found.coded:
        _counts(visible, found)
        st.html(markup.section("", found.grids[TURNING].about))
        st.html(markup.aside(TURNS))
        _table(visible, found.grids[TURNING])
        st.html(markup.section("", found.grids[TOGETHER].about))
        if found.grids[TOGETHER].rows:
            st.html(markup.aside(BY_CHANCE))
            show_asked.draw_pairs(visible, found.pairs)
            _table(visible, found.grids[TOGETHER])
        else:
            st.html(markup.empty("No reading has two codes under this rule."))
    else:
        st.html(markup.empty("Under this rule, no step of these readings has a code."))
    _times(visible, found)


def _rule(visible: VisibleLabels) -> Rule:
    first = tables.rule_of(None, any_decided=bool(visible.decisions))
    rules = list(RULES)
    with st.container(key="results-head", horizontal=True, vertical_alignment="bottom", gap="small"):
        rule = st.selectbox(
            "Count a code of a step if it was", rules, index=rules.index(first), format_func=lambda rule: RULES[rule],
            key=state.key(keys.RULE, visible.project.id), width=340,
        )  # fmt: skip
        st.html(markup.aside(coverage_sentence(visible)), width="content")
    return rule


def _lead(visible: VisibleLabels, found: Results) -> None:
    """The most important figures, and what limits them."""
    new = found.saturation
    last = min(LAST, new.of)
    brought = ", ".join(visible.code_title(code) for code in new.which[:6]) + (" …" if len(new.which) > 6 else "")
    st.html(
        markup.fact_list(
            [
                Fact("Readings", f"{found.readings:,}", "finished by an annotator"),
                Fact("With a code on a step", f"{found.coded:,}", f"{found.coded / found.readings:.0%} of them"),
                Fact("Codes in use", f"{new.codes:,}", "used by any annotator"),
                Fact("Brought a new code", f"{new.new:,} of the last {last:,}", brought or "no new code"),
            ]
        )
    )
    if found.undecided and found.rule == "decided":
        undecided = wording.count(found.undecided, "disagreement")
        words = f"{undecided} on codes not decided yet: there, only codes that all gave are counted."
        st.html(markup.aside(words))
    if number := len(visible.to_review):
        are = "is" if number == 1 else "are"
        words = f"{wording.count(number, 'label')} made under an older definition of the code {are} counted unchanged."
        st.html(markup.notice("warn", [words]))


def _counts(visible: VisibleLabels, found: Results) -> None:
    with st.container(key="results-counts", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.section("", "Frequency of each code"), width="content")
        names = list(BY)
        # An open cell says which of the tables is shown.
        asked = next((name for name in address.open_cell()[:1] if name in BY), names[0])
        by = st.segmented_control(
            "Counted by", names, default=asked, format_func=lambda name: BY[name],
            key=state.key(keys.COUNTED_BY, visible.project.id), label_visibility="collapsed",
        )  # fmt: skip
    broader = BROADER if tables.parents(visible) else ""
    st.html(markup.aside(INTERVALS + (STEPS_TOO if by == "kind" else "") + broader))
    grid = found.grids[by or names[0]]
    if by != "kind":
        show_asked.draw_codes(visible, grid)
    _table(visible, grid)


def _times(visible: VisibleLabels, found: Results) -> None:
    st.html(markup.section("", "Time per reading"))
    if not found.grids[ANNOTATORS].rows:
        st.html(markup.empty("No time was measured yet."))
        return
    st.html(markup.aside(TIMES))
    for grid_id in (ANNOTATORS, READERS):
        _table(visible, found.grids[grid_id])


def _table(visible: VisibleLabels, grid: Grid) -> None:
    """A table, and the readings behind its open cell below it."""
    table_component.mount(grid, key=state.key(keys.CELLS, visible.project.id, grid.id))
    asked = address.open_cell()
    opened = grid.opened(asked)
    if opened:
        _behind(visible, opened, grid.steps or tables.first_steps(visible, asked), grid.notes)


def _behind(visible: VisibleLabels, opened: OpenedCell, steps: Mapping[str, int], notes: Mapping[str, str]) -> None:
    name, cell = opened.name, opened.cell
    runs = [run for run in cell.runs if run in visible.runs]
    with st.container(key="behind", border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            hint = ", ".join(filter(None, (cell.text, cell.small)))
            st.html(markup.section("", name, hint=hint))
            st.button("Close", key=state.key(keys.CELLS, "close"), on_click=address.set_open_cell, args=((),))
        pages = max(1, -(-len(runs) // A_PAGE))
        box = st.container(gap=None, key="behind-readings")
        page = pager.ask(pages, key=state.key(keys.CELL_PAGE, state.short_hash(name), pages))
        with box:
            for run_id in runs[A_PAGE * (page - 1) : A_PAGE * page]:
                _reading(visible, run_id, steps.get(run_id), notes.get(run_id, ""))


def _reading(visible: VisibleLabels, run_id: str, step: int | None, note: str) -> None:
    run = visible.runs[run_id]
    label = markup.plain(shorten_at_word(run.question, 160)) or "A reading"
    with st.container(key=f"behind-{run_id}", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(TRACE, label=label, query_params=address.to_step(run_id, step) if step else address.to_trace(run_id))
        facts = [
            note,
            f"step {step:,}" if step else "",
            title_in_list(run),
            model_title(str(run.spec.get("model", ""))),
            visible.titles.get(run.document, ""),
        ]
        st.html(markup.facts([fact for fact in facts if fact]), width="content")
        if visible.viewer.stage:
            st.page_link(ANNOTATE, label="At the bench", query_params=address.to_project(visible.project.id, run=run_id))
