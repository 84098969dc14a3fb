"""Corrections: what would have been right at a step, chosen below the player on the bench.

Another reply or text is chosen as for a fork. It is saved as the annotator's correction, together with the words from the label
panel, and one click tests it with a fork. A correction does not refer to forks: those that test it are the reading's forks with
the same edit. An edit may come from a file, so it is checked before it is shown or tested. Choosing an edit is in
`widgets/edit_form.py`, saving it in `engine/store/labels/label_session.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from components.annotate.bench_player import BenchReading, remembered
from components.html import markup
from components.html.words import wording
from components.session import access, address, database, flash, process_cache, start_runs, state
from components.session.process_cache import RunState
from components.widgets import edit_form, progress
from components.widgets.edit_form import REPLY, WRITTEN
from readers import get
from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.forks import describe_edit, fork
from readers.engine.labels.check_label import correction_edit
from readers.engine.labels.label import CODES, Label, correction_of
from readers.engine.labels.project import Viewer
from readers.engine.questions.answers import same
from readers.engine.record import edits
from readers.engine.record.edits import Edit
from readers.engine.store import Reading, Run
from readers.engine.text.phrases import call_number, capitalised
from readers.engine.work import Work

ABOUT = {
    REPLY: "Pick the option that would have been right, or write the reply.",
    WRITTEN: "Write the text as it should have been. In every later prompt, it replaces the original.",
}
NOT_AT_THIS_STEP = "It changes nothing at this step of this reading."
MOST_FORKS = 3
_DRAWN, _SHOWN_EDIT = "drawn", "seen"


class CorrectionText(NamedTuple):
    """What a correction changes, in words; and the edit to test it with, or None and why it cannot be tested."""

    words: str
    edit: Edit | None = None
    problem: str = ""


def offered(viewer: Viewer, reading: Reading) -> bool:
    """Whether corrections can be made: in stage 3, for a reading that can be continued from a change."""
    if viewer.stage != CODES or not reading.trace.steps or start_runs.is_running(reading.run):
        return False
    return not edit_form.refused(reading)


def show(at_bench: BenchReading, at: int, *, seq: int | None = None) -> None:
    """Draw the form for step `at` (from 0), closed at first; `seq` is the call to start with."""
    project, name, reading, panel = at_bench
    with access.opened() as store:
        session = store.labels.load(project.id, reading.run.id, name)
        if not offered(session.viewer, reading):
            remembered(panel)[_DRAWN] = None
            return
        own, turn = session.own, session.turn
    remembered(panel)[_DRAWN] = edits_key(own)
    with st.container(key="correction"):
        box = edit_form.box(reading, at, panel, label=f"What would have been right at step {at + 1}?")
    if box is None:
        return
    with box:
        is_open = turn is not None and turn.standing == "open"
        changeable = edit_form.changeable_at(reading, at, seq=seq) if is_open else None
        _draw(at_bench, at, correction_of(own, at + 1), changeable)


def edits_key(own: Sequence[Label]) -> str:
    """The edits of an annotator's corrections of a reading. When the key changes, the form is redrawn."""
    corrections = [label for label in own if label.kind == "correction" and not label.removed]
    return canonical(sorted([label.target["step"], canonical(label.value.get("edit"))] for label in corrections))


def must_redraw(panel: str, own: Sequence[Label]) -> bool:
    """Whether an edit was changed since the form was drawn, by the label panel's undo or in another tab."""
    drawn = remembered(panel).get(_DRAWN)
    return drawn is not None and drawn != edits_key(own)


# Corrections in words


def in_words(reading: Reading, label: Label) -> str:
    """What a correction changes, in a clause; empty if it has only words, and for other labels."""
    if label.kind != "correction" or label.removed or label.value.get("edit") is None:
        return ""
    found = describe(reading, label.value["edit"], label.target["step"])
    return f"{found.words or 'a change'} (it cannot be tested: {found.problem})" if found.problem else found.words


def describe(reading: Reading, given: object, step: int) -> CorrectionText:
    """Describe and check the edit of anyone's correction of a step (from 1), as for a fork."""
    run = reading.run
    return _described((reading, given, step), run.id, process_cache.run_state(run), canonical([given, step]))


@st.cache_resource(max_entries=128, show_spinner=False)
def _described(_on: tuple[Reading, object, int], run_id: str, run_state: RunState, edit_key: str) -> CorrectionText:
    reading, given, step = _on
    try:
        edit = correction_edit(given)
    except BadOptions as error:
        return CorrectionText("", problem=wording.sentence(str(error)))
    data, method = edits.to_json(edit), get(reading.run.reader)
    if describe_edit.step_of_edit(reading.trace, data) != step - 1:
        return CorrectionText(describe_edit.describe(data), problem=NOT_AT_THIS_STEP)
    with database.opened() as store:
        try:
            made = fork.prepare(store, reading, method, edit).edit
            described = fork.edit_with_description(store, reading, method, made)
            return CorrectionText(describe_edit.describe(described), made)
        except ReadingError as error:
            return CorrectionText(describe_edit.describe(data), problem=wording.sentence(str(error)))


def forks_with(edit: Edit, run: Run, family: Sequence[Run]) -> list[Run]:
    """The reading's forks with exactly this edit, the newest first; `family` are the readings to search."""
    own = edits.to_json(edit)
    forks = [one for one in family if one.parent == run.id and not one.experiment and one.edit]
    found = [one for one in forks if {name: value for name, value in (one.edit or {}).items() if name != "said"} == own]
    return sorted(found, key=lambda one: (one.created, one.id), reverse=True)


def fork_result(fork: Run, original: Run) -> str:
    """The result of a fork that tests a correction of the original reading."""
    answer = describe_edit.excerpt(fork.answer or "")
    if fork.status != "finished":
        how = {"failed": "the fork failed", "cancelled": "the fork was stopped", "interrupted": "the fork was interrupted"}
        return f"Not tested: {how[fork.status]} before its end" if fork.status in how else "The fork is running"
    if fork.outcome != "answered":
        how = {"exhausted": "gives up", "over_budget": "uses up its budget"}
        too = " too" if original.outcome == fork.outcome else ""
        return f"Tested: the fork {how.get(str(fork.outcome), 'finds no answer')}{too}"
    if original.outcome != "answered":
        return f"Tested: the fork answers “{answer}”"
    before = describe_edit.excerpt(original.answer or "")
    alike = same(original.answer or "", fork.answer or "", original.spec.get("choices") or ())
    return f"Tested: the fork answers “{answer}”{', as this reading does' if alike else f', this reading “{before}”'}"


# Drawing


def _draw(at_bench: BenchReading, at: int, label: Label | None, changeable: edit_form.Changeable | None) -> None:
    """The current correction, and the choice of another; `changeable` is None if labels are closed."""
    edit = label.value.get("edit") if label else None
    panel_memory = edit_form.panel_state(at_bench.panel)
    shown = panel_memory[_SHOWN_EDIT][1] if panel_memory.get(_SHOWN_EDIT, (None, None))[0] == at else edit
    panel_memory[_SHOWN_EDIT] = at, edit
    for message in flash.take(_messages(at_bench)):
        st.html(markup.notice("warn", [message.text]))
    found = describe(at_bench.reading, edit, at + 1) if edit is not None else None
    if found:
        _current(at_bench, at, found, shown=shown, removable=changeable is not None)
    if changeable is None:
        st.caption("You have closed this reading: reopen it to change your labels.")
    elif not changeable.offered:
        st.html(markup.empty(edit_form.NOTHING_THERE))
    else:
        _choose(at_bench, at, changeable, saved=found.edit if found else None, shown=shown)


def _current(at_bench: BenchReading, at: int, found: CorrectionText, *, shown: object, removable: bool) -> None:
    """The saved correction, the forks that test it, and buttons to test or remove it; `shown` is the edit on the page."""
    if found.edit is None:
        words = f"Your correction ({found.words}) cannot be tested." if found.words else "Your correction cannot be read."
        st.html(markup.notice("warn", [words, found.problem]))
        untested = None
    else:
        st.html(markup.notice("", [f"Your correction: {found.words}"]))
        untested = None if _forks(at_bench, found.edit) or not _estimate(at_bench, found.edit) else found.edit
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if untested and st.button("Continue from it", type="primary", key=_key(at_bench, "test", at)):
            _start_fork(at_bench, at, untested)
            st.rerun()
        if removable and st.button(
            "Remove correction", key=_key(at_bench, "remove", at), help="Words that you wrote in the panel stay."
        ):
            _save(at_bench, at, None, shown=shown)
            st.rerun()


def _forks(at_bench: BenchReading, edit: Edit) -> bool:
    """The forks that test a correction, with their results; whether there are any."""
    run = at_bench.reading.run
    forks = forks_with(edit, run, access.family(run.id))
    for tested in forks[:MOST_FORKS]:
        with st.container(key=f"tested-{tested.id}", gap="xsmall"):
            st.html(markup.run_facts([fork_result(tested, run)], wording.state(tested)))
            with st.container(horizontal=True, gap="small"):
                st.page_link("pages/3_Trace.py", label="Open the fork", query_params=address.to_trace(tested.id))
                ids = [run.id, tested.id]
                st.page_link("pages/4_Compare.py", label="Side by side with this reading", query_params=address.to_compare(ids))
    if any(start_runs.is_running(one) for one in forks):
        progress.watch(partial(_look, run, edit), lambda _: None)  # the list above shows each
    return bool(forks)


def _look(run: Run, edit: Edit) -> Work | None:
    """The forks that test a correction; None once none is running."""
    going = sum(map(start_runs.is_running, forks_with(edit, run, access.family(run.id))))
    return Work(going=going) if going else None


def _choose(at_bench: BenchReading, at: int, changeable: edit_form.Changeable, *, saved: Edit | None, shown: object) -> None:
    """Choose an edit, then save it or continue from it. `saved` is the stored correction, if it can be tested; `shown` is the
    correction that was on the page."""
    what = edit_form.what(changeable.offered, at_bench.panel, label="What to change")
    st.caption(ABOUT[what] if what == WRITTEN else f"{capitalised(call_number(changeable.seq))}. {ABOUT[what]}")
    reading, seq = at_bench.reading, changeable.seq
    text = edit_form.text(reading, changeable, at_bench.panel) if what == WRITTEN else None
    chosen = edit_form.reply(reading, seq, at_bench.panel) if what == REPLY and seq is not None else text
    prepared = _prepare(at_bench, chosen) if chosen else None
    if prepared is None or prepared == saved:
        words = "This is your correction." if prepared else "Change something above to say what would have been right."
        st.caption(words)
        return
    if not _estimate(at_bench, prepared):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        save = st.button("Save as my correction", key=_key(at_bench, "save", at))
        both = st.button("Save and continue from it", type="primary", key=_key(at_bench, "both", at))
    replaces, is_separate = "It replaces the correction above.", "A fork is a separate reading; this one stays unchanged."
    st.html(markup.aside(replaces if saved else is_separate))
    if save or both:
        if _save(at_bench, at, edits.to_json(prepared), shown=shown) and both:
            _start_fork(at_bench, at, prepared)
        st.rerun()


def _prepare(at_bench: BenchReading, edit: Edit) -> Edit | None:
    """The edit as a fork takes it; None, with the reason shown, if it is impossible."""
    try:
        with access.opened() as store:
            return fork.prepare(store, at_bench.reading, get(at_bench.reading.run.reader), edit).edit
    except ReadingError as error:
        flash.error(error)
        return None


def _estimate(at_bench: BenchReading, edit: Edit) -> bool:
    """Draw the estimate for the fork; whether there is one."""
    try:
        st.html(markup.fact_list(edit_form.figures(process_cache.fork_price(at_bench.reading, edit), edit)))
    except ReadingError as error:
        flash.error(error)
        return False
    return True


# Acting


def _save(at_bench: BenchReading, at: int, edit: Mapping[str, Any] | None, *, shown: object) -> bool:
    """Save an edit, or remove it; whether it worked. The reason for a failure is shown at the next drawing."""
    project, name, reading, panel = at_bench
    try:
        with access.opened() as store:
            with store.labels.session(project.id, reading.run.id, name) as session:
                label, before = session.put_edit(at + 1, edit, seen=shown)
    except ReadingError as error:
        flash.leave_error(error, at=_messages(at_bench))
        return False
    remembered(panel)["made"] = {"id": label.id, "before": before, "revision": label.revision}
    return True


def _start_fork(at_bench: BenchReading, at: int, edit: Edit) -> None:
    """Start the fork that tests a correction. Its name does not name the annotator: others may find it before they label."""
    try:
        with st.spinner("Starting the fork …"):
            start_runs.start_fork(at_bench.reading, edit, fork.ForkTerms(name=f"Step {at + 1} corrected"))
    except ReadingError as error:
        flash.leave_error(error, at=_messages(at_bench))


def _messages(at_bench: BenchReading) -> str:
    """The place of the form's messages."""
    return state.key("correction-messages", at_bench.panel)


def _key(at_bench: BenchReading, what: str, at: int) -> str:
    return state.key("correction", what, at_bench.panel, at)
