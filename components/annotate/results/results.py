"""The results of a project: counts by code, reader, model and kind of step, where readings turned bad, which codes go together,
the time a reading takes, and whether new readings still bring new codes. Every cell opens the readings behind it.

Counted over what the viewer may see (`annotate_seen.py`) and nothing else; kept until any of it changes. Files are
`annotate_files.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components.annotate import cache, keys
from components.annotate.agreement.adjudicate import ANNOTATE, TRACE
from components.annotate.disagreements import short
from components.annotate.results import label_files, table_component, tables
from components.annotate.results.tables import ANNOTATORS, BY, READERS, RULES, TOGETHER, TURNING, Grid, Results, Rule, Shown
from components.annotate.visible_labels import Seen, covered, load, model_name
from components.html import markup, wording
from components.session import address, state
from components.session import flash as said
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.labels.saturation import LAST
from readers.engine.store import Store

A_PAGE = 10
LATER = "Results are shown with the codebook: in stage 3, reading by reading as your own labels are done."
NOTHING = "Nothing to count yet. What annotators found is counted here as soon as one of them has finished a reading."
INTERVALS = (
    "In brackets stands Wilson’s 95% interval of the share. It takes readings for independent, which those of one text are not "
    "quite, so that it is rather too narrow."
)
STEPS_TOO = " Steps of one reading depend on each other still more."
TURNS = (
    "Of the readings with a code at a step: the first step with a code (columns), and the step before it (rows). Shares are "
    "of the column."
)
BY_CHANCE = "“By chance” is how often both would meet if they had nothing to do with each other."
TIMES = "Time with a reading open on the bench, all stages together; turns without any time are left out."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    said.show()
    if not sees_codes(viewer):
        st.html(markup.empty(LATER))
        _to_bench(project)
    else:
        seen = load(store, project, viewer)
        if seen.done:
            _results(store, seen)
        else:
            st.html(markup.empty(NOTHING))
            _to_bench(project)
    label_files.show(store, project, viewer)


def _to_bench(project: Project) -> None:
    st.page_link("pages/5_Annotate.py", label="To the bench", query_params=address.to_bench(project.id))


def _results(store: Store, seen: Seen) -> None:
    rule = _rule(seen)
    found = cache.counted(seen.stamp(), rule, store, seen)
    _lead(seen, found)
    if found.coded:
        _counts(seen, found)
        st.html(markup.section("", found.grids[TURNING].about))
        st.html(markup.aside(TURNS))
        _table(seen, found.grids[TURNING])
        st.html(markup.section("", found.grids[TOGETHER].about))
        if found.grids[TOGETHER].rows:
            st.html(markup.aside(BY_CHANCE))
            _table(seen, found.grids[TOGETHER])
        else:
            st.html(markup.empty("No reading has two codes under this rule."))
    else:
        st.html(markup.empty("Under this rule no step of these readings has a code."))
    _times(seen, found)


def _rule(seen: Seen) -> Rule:
    first = tables.rule_of(None, any_decided=bool(seen.decisions))
    rules = list(RULES)
    with st.container(key="results-head", horizontal=True, vertical_alignment="bottom", gap="small"):
        rule = st.selectbox(
            "A code of a step counts if it was", rules, index=rules.index(first), format_func=lambda rule: RULES[rule],
            key=state.key(keys.RULE, seen.project.id), width=340,
        )  # fmt: skip
        st.html(markup.aside(covered(seen)), width="content")
    return rule


def _lead(seen: Seen, found: Results) -> None:
    """The few figures that say most, and what stands against them."""
    new = found.saturation
    last = min(LAST, new.of)
    brought = ", ".join(seen.called(code) for code in new.which[:6]) + (" …" if len(new.which) > 6 else "")
    st.html(
        markup.takes(
            [
                ("Readings", f"{found.readings:,}", "somebody is done with"),
                ("With a code at a step", f"{found.coded:,}", f"{found.coded / found.readings:.0%} of them"),
                ("Codes in use", f"{new.codes:,}", "given by anybody"),
                ("Brought a new code", f"{new.new:,} of the last {last:,}", brought or "no new code among them"),
            ]
        )
    )
    if found.open and found.rule == "decided":
        open_still = wording.count(found.open, "disagreement")
        st.html(markup.aside(f"{open_still} on codes not decided yet: there only what all gave counts."))
    if flagged := len(seen.flagged):
        words = f"{wording.count(flagged, 'label')} of an older definition of their code are counted as they stand."
        st.html(markup.notice("warn", [words]))


def _counts(seen: Seen, found: Results) -> None:
    with st.container(key="results-counts", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.section("", "How often each code"), width="content")
        ids = list(BY)
        # An open cell says which of the tables is shown.
        asked = next((id for id in address.open_cell()[:1] if id in BY), ids[0])
        by = st.segmented_control(
            "Counted by", ids, default=asked, format_func=lambda id: BY[id], key=state.key(keys.COUNTED_BY, seen.project.id),
            label_visibility="collapsed",
        )  # fmt: skip
    st.html(markup.aside(INTERVALS + (STEPS_TOO if by == "kind" else "")))
    _table(seen, found.grids[by or ids[0]])


def _times(seen: Seen, found: Results) -> None:
    st.html(markup.section("", "Time per reading"))
    if not found.grids[ANNOTATORS].rows:
        st.html(markup.empty("No time was measured yet."))
        return
    st.html(markup.aside(TIMES))
    for id in (ANNOTATORS, READERS):
        _table(seen, found.grids[id])


def _table(seen: Seen, grid: Grid) -> None:
    """A table, and below it the readings behind its open cell."""
    table_component.mount(grid, key=state.key(keys.CELLS, seen.project.id, grid.id))
    asked = address.open_cell()
    opened = grid.opened(asked)
    if opened:
        _behind(seen, opened, tables.first_steps(seen, asked))


def _behind(seen: Seen, opened: tuple[str, Shown], steps: Mapping[str, int]) -> None:
    name, shown = opened
    runs = [run for run in shown.runs if run in seen.runs]
    with st.container(key="behind", border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            said = ", ".join(filter(None, (shown.text, shown.small)))
            st.html(markup.section("", name, hint=said))
            st.button("Close", key=state.key(keys.CELLS, "close"), on_click=address.set_open_cell, args=((),))
        pages = max(1, -(-len(runs) // A_PAGE))
        box = st.container(gap=None, key="behind-readings")
        page = 1
        if pages > 1:
            page = st.pagination(pages, key=state.key(keys.CELL_PAGE, state.short_hash(name), pages)) or 1
        with box:
            for id in runs[A_PAGE * (page - 1) : A_PAGE * page]:
                _reading(seen, id, steps.get(id))


def _reading(seen: Seen, id: str, step: int | None) -> None:
    run = seen.runs[id]
    label = markup.plain(short(run.question, most=160)) or "A reading"
    with st.container(key=f"behind-{id}", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(TRACE, label=label, query_params=address.to_step(id, step) if step else address.to_trace(id))
        facts = [
            f"step {step:,}" if step else "",
            tables.reader_name(run.reader),
            model_name(str(run.spec.get("model", ""))),
            seen.titles.get(run.document, ""),
        ]
        st.html(markup.facts([fact for fact in facts if fact]), width="content")
        if seen.viewer.stage:
            st.page_link(ANNOTATE, label="On the bench", query_params=address.to_project(seen.project.id, run=id))
