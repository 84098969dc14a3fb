"""What would have been right at a step: on the bench, below the player.

Another reply or text is chosen as for a fork, kept as the annotator's correction beside the words that the label panel has of it,
and tested by the fork that one click makes. A correction knows nothing of forks: those that test it are the reading's forks with
the same edit. An edit may come from a file, so it is looked at before it is told or tried. Not here: how an edit is chosen
(`edit_choice.py`) and how it is saved (`annotate_saving.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.annotate import keys
from components.html import markup, wording
from components.session import access, address, database, flash, process_cache, start_runs, state
from components.widgets import edit_form
from components.widgets.edit_form import REPLY, WRITTEN
from readers import get
from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.forks import describe_edit, fork
from readers.engine.labels.correction import correction_of
from readers.engine.labels.label import CODES, Label, corrected
from readers.engine.labels.project import Project, Viewer
from readers.engine.record import edits
from readers.engine.record.edits import Edit
from readers.engine.store import Run
from readers.engine.store.reading import Reading

ABOUT = {
    REPLY: "Pick the option that would have been right, or write the reply.",
    WRITTEN: "Write it as it would have been right. It would stand in every later prompt in the place of what was there.",
}
ELSEWHERE = "It changes nothing that is at this step of this reading."
POLL, MOST_FORKS = 1.0, 3
_DRAWN, _SEEN = "drawn", "seen"


class Seat(NamedTuple):
    """Who labels which reading; `panel` is the session's name for their label panel."""

    project: Project
    annotator: str
    reading: Reading
    panel: str


class _Away(NamedTuple):
    """That a correction can be taken away; `seen` is the edit that was shown when that was chosen."""

    seen: object


class Told(NamedTuple):
    """What a correction changes, in words; the edit as it is tried, or None and why it cannot be."""

    words: str
    edit: Edit | None = None
    wrong: str = ""


def offered(viewer: Viewer, reading: Reading) -> bool:
    """Whether there is a place to say what would have been right: in stage 3, for a reading that can be read on."""
    if viewer.stage != CODES or not reading.trace.steps or start_runs.going(reading.run):
        return False
    return not edit_form.refused(reading)


def show(seat: Seat, at: int, *, seq: int | None = None) -> None:
    """The place for step `at` (from 0), at first at its call `seq`; closed at first."""
    project, name, reading, panel = seat
    with access.opened() as store:
        session = store.labels.load(project.id, reading.run.id, name)
        if not offered(session.viewer, reading):
            remembered(panel)[_DRAWN] = None
            return
        own, turn = session.own, session.turn
    remembered(panel)[_DRAWN] = standing(own)
    with st.container(key="correction"):
        box = edit_form.box(reading, at, panel, label=f"What would have been right at step {at + 1}?")
    if box is None:
        return
    with box:
        is_open = turn is not None and turn.standing == "open"
        there = edit_form.happened(reading, at, seq=seq) if is_open else None
        _draw(seat, at, correction_of(own, at + 1), there)


def standing(own: Sequence[Label]) -> str:
    """The edits that an annotator's corrections of a reading hold: where that is another one, this place is drawn anew."""
    there = [label for label in own if label.kind == "correction" and not label.removed]
    return canonical(sorted([label.target["step"], canonical(label.value.get("edit"))] for label in there))


def remembered(panel: str) -> dict[str, Any]:
    """What the session remembers of a label panel: the last message and its answer, and the corrections last drawn."""
    found: dict[str, Any] = state.remembered(state.key(keys.PANEL, panel), dict)
    return found


def redraw(panel: str, own: Sequence[Label]) -> bool:
    """Whether edits were changed, by the label panel's undo or in another tab, since this place was drawn."""
    drawn = remembered(panel).get(_DRAWN)
    return drawn is not None and drawn != standing(own)


# What a correction says


def in_words(reading: Reading, label: Label) -> str:
    """What a correction changes, in a clause; empty for one of words alone, and for other labels."""
    if label.kind != "correction" or label.removed or label.value.get("edit") is None:
        return ""
    found = told(reading, label.value["edit"], label.target["step"])
    return f"{found.words or 'a change'} (it cannot be tried: {found.wrong})" if found.wrong else found.words


def told(reading: Reading, given: object, step: int) -> Told:
    """The edit of a correction of a step (from 1), whoever wrote it, looked at as for a fork."""
    run = reading.run
    return _told(run.id, process_cache.stamp(run), canonical([given, step]), (reading, given, step))


@st.cache_resource(max_entries=128, show_spinner=False)
def _told(run_id: str, stamp: tuple[str, str | None], said: str, _given: tuple[Reading, object, int]) -> Told:
    reading, given, step = _given
    try:
        edit = corrected(given)
    except BadOptions as error:
        return Told("", wrong=wording.sentence(str(error)))
    data, reader = edits.to_json(edit), get(reading.run.reader)
    if describe_edit.step_of_edit(reading.trace, data) != step - 1:
        return Told(describe_edit.describe(data), wrong=ELSEWHERE)
    with database.opened() as store:
        try:
            made = fork.prepare(store, reading, reader, edit).edit
            return Told(describe_edit.describe(fork.edit_with_description(store, reading, reader, made)), made)
        except ReadingError as error:
            return Told(describe_edit.describe(data), wrong=wording.sentence(str(error)))


def forks_with(edit: Edit, run: Run, family: Sequence[Run]) -> list[Run]:
    """The forks of a reading that change this and nothing else, the newest first; `family` are the readings to look among."""
    own = edits.to_json(edit)
    forks = [one for one in family if one.parent == run.id and not one.experiment and one.edit]
    found = [one for one in forks if {name: value for name, value in (one.edit or {}).items() if name != "said"} == own]
    return sorted(found, key=lambda one: (one.created, one.id), reverse=True)


def outcome_of(made: Run, run: Run) -> str:
    """What came of a fork that tests a correction of a reading."""
    answer = describe_edit.excerpt(made.answer or "")
    if made.status != "finished":
        how = {"failed": "the fork failed", "cancelled": "the fork was stopped", "interrupted": "the fork was broken off"}
        return f"Not tested: {how[made.status]} before its end" if made.status in how else "The fork is being read"
    if made.outcome != "answered":
        how = {"exhausted": "gives up", "over_budget": "uses up its budget"}
        was = " too" if run.outcome == made.outcome else ""
        return f"Tested: the fork {how.get(str(made.outcome), 'finds no answer')}{was}"
    if run.outcome != "answered":
        return f"Tested: the fork answers “{answer}”"
    before = describe_edit.excerpt(run.answer or "")
    same = made.answer == run.answer
    return f"Tested: the fork answers “{answer}”{', as this reading does' if same else f', this reading “{before}”'}"


# Drawing


def _draw(seat: Seat, at: int, label: Label | None, there: edit_form.Happened | None) -> None:
    """The correction that stands, and the choice of another; `there` is None where nothing can be chosen any more."""
    edit = label.value.get("edit") if label else None
    kept = edit_form.kept_of(seat.panel)
    seen = kept[_SEEN][1] if kept.get(_SEEN, (None, None))[0] == at else edit
    kept[_SEEN] = at, edit
    for message in flash.take(_said(seat)):
        st.html(markup.notice("warn", [message.text]))
    found = told(seat.reading, edit, at + 1) if edit is not None else None
    if found:
        _standing(seat, at, found, away=_Away(seen) if there else None)
    if there is None:
        st.caption("Your labels of this reading are closed: open it again to change them.")
    elif not there.offered:
        st.html(markup.empty(edit_form.NOTHING_THERE))
    else:
        _choose(seat, at, there, stands=(found.edit if found else None, seen))


def _standing(seat: Seat, at: int, found: Told, *, away: _Away | None) -> None:
    """The correction that was kept, what became of it in a fork, and what can be done with it."""
    if found.edit is None:
        words = f"Your correction ({found.words}) cannot be tried." if found.words else "Your correction cannot be read."
        st.html(markup.notice("warn", [words, found.wrong]))
        untried = None
    else:
        st.html(markup.notice("", [f"Your correction: {found.words}"]))
        untried = None if _forks(seat, found.edit) or not _price(seat, found.edit) else found.edit
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if untried and st.button("Read on with it", type="primary", key=_key(seat, "try", at)):
            _read_on(seat, at, untried)
            st.rerun()
        if away and st.button(
            "Take the correction away", key=_key(seat, "away", at), help="Words that you wrote in the panel stay."
        ):
            _save(seat, at, None, seen=away.seen)
            st.rerun()


def _forks(seat: Seat, edit: Edit) -> bool:
    """The forks that test a correction, and what came of them; whether there are any."""
    run = seat.reading.run
    forks = forks_with(edit, run, access.family(run.id))
    for made in forks[:MOST_FORKS]:
        with st.container(key=f"tested-{made.id}", gap="xsmall"):
            st.html(markup.run_facts([outcome_of(made, run)], wording.state(made)))
            with st.container(horizontal=True, gap="small"):
                st.page_link("pages/3_Trace.py", label="Open the fork", query_params=address.to_trace(made.id))
                ids = [run.id, made.id]
                st.page_link("pages/4_Compare.py", label="Side by side with this reading", query_params=address.to_compare(ids))
    if any(start_runs.going(made) for made in forks):
        _watch(run, edit)
    return bool(forks)


@st.fragment(run_every=POLL)
def _watch(run: Run, edit: Edit) -> None:
    """Draws all anew when no fork is under way any more."""
    if not any(start_runs.going(made) for made in forks_with(edit, run, access.family(run.id))):
        st.rerun()


def _choose(seat: Seat, at: int, there: edit_form.Happened, *, stands: tuple[Edit | None, object]) -> None:
    """The choice, and what can be done with it. `stands` is the edit that was kept, and the one that was shown when this was
    chosen."""
    what = edit_form.what(there.offered, seat.panel, label="What would have been otherwise")
    st.caption(ABOUT[what] if what == WRITTEN else f"Call {there.seq}. {ABOUT[what]}")
    reading, (edit, seen) = seat.reading, stands
    found = edit_form.text(reading, there, seat.panel) if what == WRITTEN else None
    chosen = edit_form.reply(reading, there.seq, seat.panel) if what == REPLY and there.seq is not None else found
    whole = _whole(seat, chosen) if chosen else None
    if whole is None or whole == edit:
        words = "This is your correction." if whole else "Change something above to say what would have been right."
        st.caption(words)
        return
    if not _price(seat, whole):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        keep = st.button("Keep as my correction", key=_key(seat, "keep", at))
        both = st.button("Keep, and read on with it", type="primary", key=_key(seat, "both", at))
    st.caption(
        "It takes the place of the correction above." if edit else "A fork is a reading of its own; this one stays as it is."
    )
    if keep or both:
        if _save(seat, at, edits.to_json(whole), seen=seen) and both:
            _read_on(seat, at, whole)
        st.rerun()


def _whole(seat: Seat, edit: Edit) -> Edit | None:
    """The edit as a fork takes it; None, with the reason, where it cannot be made."""
    try:
        with access.opened() as store:
            return fork.prepare(store, seat.reading, get(seat.reading.run.reader), edit).edit
    except ReadingError as error:
        flash.error(error)
        return None


def _price(seat: Seat, edit: Edit) -> bool:
    """What reading on takes; whether it can be told."""
    try:
        st.html(markup.takes(edit_form.figures(process_cache.price(seat.reading, edit), edit)))
    except ReadingError as error:
        flash.error(error)
        return False
    return True


# Doing


def _save(seat: Seat, at: int, edit: Mapping[str, Any] | None, *, seen: object) -> bool:
    """Keep an edit, or take it away; whether it was done. Why not is said at the next drawing."""
    project, name, reading, panel = seat
    try:
        with access.opened() as store:
            with store.labels.session(project.id, reading.run.id, name) as session:
                label, before = session.put_edit(at + 1, edit, seen=seen)
    except ReadingError as error:
        flash.leave_error(error, at=_said(seat))
        return False
    remembered(panel)["made"] = {"id": label.id, "before": before, "revision": label.revision}
    return True


def _read_on(seat: Seat, at: int, edit: Edit) -> None:
    """Set the fork going that tests a correction. Its name is nobody's: others may come upon it before they have labelled."""
    try:
        with st.spinner("Reading on …"):
            start_runs.start_fork(seat.reading, edit, fork.ForkTerms(name=f"Step {at + 1} corrected"))
    except ReadingError as error:
        flash.leave_error(error, at=_said(seat))


def _said(seat: Seat) -> str:
    return state.key("correction-said", seat.panel)


def _key(seat: Seat, what: str, at: int) -> str:
    return state.key("correction", what, seat.panel, at)
