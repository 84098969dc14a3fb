"""A reading and its forks on the Trace page: all of them in one drawing with their answers, and a form to name, annotate or
delete one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlencode

import streamlit as st
from markupsafe import Markup

from components.html import markup
from components.html.fork_tree import fork_answer, fork_row, fork_tree
from components.html.words import reading_words, wording
from components.html.words.wording import Chip
from components.session import access, address, flash, process_cache, state
from readers.engine.errors import ReadingError
from readers.engine.forks.describe_edit import describe, excerpt, step_of_edit, tree
from readers.engine.questions import answers
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import Trace
from readers.engine.store import Run
from readers.engine.store.run_list import LONGEST_NAME, LONGEST_NOTE
from readers.engine.text.phrases import capitalised

MOST_SHOWN = 60


def show_family(run: Run, known: KnownAnswer | None) -> None:
    """Draw the reading with its ancestors and forks, each with its answer and, where one is `known`, how that compares with it;
    nothing if it has neither."""
    members = tree(access.family(run.id))
    if len(members) < 2:
        return
    shown = members[:MOST_SHOWN]
    chips = [(known and wording.compared(member, known).chip) or wording.state(member) for member in shown]
    counted = Counter(f"{chip.mark} {chip.word}".strip() for chip in chips)
    told = [f"{len(members):,} readings", *(f"{count:,} {words}" for words, count in counted.most_common())]
    with st.container(key="family", gap=None):
        st.html(markup.section("", "This reading and its forks", explains=True, hint=" · ".join(told)))
        st.html(fork_tree(list(_rows(shown, chips, run))))
        if len(members) > MOST_SHOWN:
            st.caption(f"{len(members) - MOST_SHOWN:,} more are on the page Readings.")
        others = [member.id for member in members if member.id != run.id][:7]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link("pages/4_Compare.py", label="Compare them", query_params=address.to_compare([run.id, *others]))
            if changeable := [member for member in members if access.may_change(member.id)]:
                _edit(changeable, run, above=_above(run, members))


def _above(run: Run, members: Sequence[Run]) -> str:
    """Where to go when the open reading is deleted: to its parent, otherwise to another reading of the family."""
    others = [member.id for member in members if member.id != run.id]
    return run.parent if run.parent in others else others[0]


def _rows(shown: Sequence[Run], chips: Sequence[Chip], page_run: Run) -> Iterator[Markup]:
    """The rows of the drawing; a fork leaves the line of its parent at the step that it changed."""
    row = {member.id: n for n, member in enumerate(shown)}
    traces = {member.parent: _trace(shown[row[member.parent]]) for member in shown if member.parent in row}
    longest = max((len(trace.steps) for trace in traces.values()), default=1)
    first = shown[0].answer
    for n, (member, chip) in enumerate(zip(shown, chips, strict=True)):
        edit, parent = member.edit or {}, member.parent
        said, leaves, same = [capitalised(describe(edit)) if edit and member.name else ""], (0, 0.0), None
        if parent in row:
            at = step_of_edit(traces[parent], edit if "n" in edit else {**edit, "kind": "reply"})  # or run again
            said = [f"step {at + 1:,}" if at is not None else "", *said]
            leaves = (n - row[parent], ((at or 0) + 0.5) / longest)
            same = answers.same(first, member.answer or "", member.spec.get("choices") or ()) if first else None
        to = address.to_full(member.id) if address.is_full() else address.to_trace(member.id)
        yield fork_row(
            _title(member), [*(["this one"] if member.id == page_run.id else []), *said, member.note or ""],
            fork_answer(excerpt(member.answer) if member.answer else "", chip, same=same),
            link="" if member.id == page_run.id else f"Trace?{urlencode(to)}", leaves=leaves,
            dots=[(step.number + 0.5) / longest for step in traces[member.id].steps] if member.id in traces else (),
        )  # fmt: skip


def _trace(run: Run) -> Trace:
    return process_cache.ended_reading(run).trace


def _title(run: Run) -> str:
    return run.name or (capitalised(describe(run.edit)) if run.edit else run.question)


def _edit(changeable: Sequence[Run], page_run: Run, *, above: str) -> None:
    """Draw the popover for name, note and deletion of a reading of the family, at first of the open one. Deleting asks for
    confirmation; where the open one is deleted, the page goes to the one `above`.

    After saving, the popover gets a new key, so that it starts closed."""
    times = state.value(state.key("_edited", page_run.id)) or 0
    for message in flash.staying(state.key("_edited", page_run.id, "said")):
        st.caption(message.text)
    with st.popover("Edit", help="Name, note, delete", key=state.key("member", "edit", page_run.id, times)):
        here = next((n for n, member in enumerate(changeable) if member.id == page_run.id), 0)
        run = changeable[here]
        if len(changeable) > 1:
            which = state.key("member", "which", page_run.id, times)
            run = st.selectbox("Which reading", changeable, here, format_func=_title, key=which)
        with st.form(state.key("member", run.id), border=False):
            name = st.text_input("Name", run.name or "", max_chars=LONGEST_NAME)
            note = st.text_area("Note", run.note or "", max_chars=LONGEST_NOTE, height=110)
            if st.form_submit_button("Save") and _done(lambda: access.set_name_and_note(run.id, name, note)):
                state.set_value(state.key("_edited", page_run.id), times + 1)
                flash.leave("success", "Saved.", at=state.key("_edited", page_run.id, "said"))
                st.rerun()
        asking = state.key("delete", "asking", run.id, times)
        if not state.value(asking):
            st.button("Delete …", key=state.key("delete", "member", run.id), on_click=state.set_value, args=(asking, True))
            st.caption("Its forks are kept.")
            return
        st.write(reading_words.before_deleting(1, **access.deletion_counts([run.id])))
        with st.container(horizontal=True, gap="small"):
            sure = st.button("Delete", type="primary", key=state.key("delete", "sure", run.id))
            st.button("Cancel", key=state.key("delete", "not", run.id), on_click=state.set_value, args=(asking, False))
        if sure and _done(lambda: access.delete_run(run.id)):
            away = run.id == page_run.id
            what = "The fork" if run.edit else "The reading"
            flash.leave("success", f"{what} was deleted.", at=state.key("_deleted", above if away else page_run.id))
            if away:
                st.switch_page("pages/3_Trace.py", query_params=address.to_trace(above))
            st.rerun()


def _done(do: Callable[[], None]) -> bool:
    """Whether the action succeeded; if not, show why."""
    try:
        do()
    except ReadingError as error:
        flash.error(error)
        return False
    return True
