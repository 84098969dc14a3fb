"""Change one thing at a step and continue from there: the panel below the player. A fork is estimated before it starts.

Looking and typing run nothing: the estimate comes from a rehearsal with the offline model and is not stored. Not here: how
another reply or text is chosen (`widgets/edit_form.py`), what a fork is (`readers/engine/forks/fork.py`), and experiments
with many samples (`experiments.py`).
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from components.html import markup
from components.session import access, address, flash, process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from components.widgets import edit_form
from components.widgets.edit_form import REPLY, WRITTEN
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, fork
from readers.engine.models import catalogue
from readers.engine.record import edits
from readers.engine.record.edits import Edit, Edits
from readers.engine.record.journal import recorded_messages
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading
from readers.engine.store.run_list import LONGEST_NAME
from readers.engine.text.phrases import call_number, capitalised

PROMPT, MODEL = "The prompt", "The model"
ABOUT = {
    REPLY: "As if the model had given another reply to this call: pick another option, or write the reply.",
    WRITTEN: "As if this had been written. It replaces the original in every later prompt.",
    PROMPT: "This call sends what you write here; the reply comes from the model.",
    MODEL: "This and all later calls go to the model that you choose.",
}
ENDS_THERE = (
    "What the program would have asked after another reply only the program knows, so the fork ends where the reply is another. "
    "To see more, watch the program again."
)
BY_PARTS = "The offline model works on the parts of a prompt, not on its wording: the reply may stay the same."


def show_what_if(reading: Reading, at: int, *, seq: int | None = None) -> None:
    """Draw the panel for step `at` (from 0), or for one call of it. It starts closed and then computes nothing."""
    panel = reading.run.id
    changeable = edit_form.changeable_at(reading, at, seq=seq)
    box = edit_form.box(reading, at, panel, label=f"What if? Change step {at + 1}:")
    if box is None:
        return
    with box:
        offered = [*changeable.offered, *[PROMPT, MODEL] * (changeable.seq is not None)]
        refused = edit_form.refused(reading)
        if refused or not offered:
            st.html(markup.empty(refused or edit_form.NOTHING_THERE))
            return
        what = edit_form.what(offered, panel)
        _about(reading, what, changeable.seq)
        edit = edit_form.text(reading, changeable, panel) if what == WRITTEN else _at_call(reading, changeable.seq or 0, what)
        if edit is None and what != MODEL:
            st.caption("Change something above: the estimate appears here before anything runs.")
        elif edit is not None:
            _start(reading, edit)


def _about(reading: Reading, what: str, seq: int | None) -> None:
    """Draw what this kind of change does, and at which call."""
    about = ABOUT[what]
    if what != WRITTEN and seq is not None:
        about = f"{capitalised(call_number(seq))}: {about[0].lower()}{about[1:]}"
        if what == PROMPT and experiments.settings_at(reading, seq).model == catalogue.OFFLINE:
            st.html(markup.notice("warn", [BY_PARTS]))
    if not get(reading.run.reader).starts:
        about = f"{about} {ENDS_THERE}"
    st.caption(about)


def _at_call(reading: Reading, seq: int, what: str) -> Edit | None:
    """The change of one call as filled in; None while it changes nothing or cannot be sent."""
    if what == REPLY:
        return edit_form.reply(reading, seq, reading.run.id)
    if what == PROMPT:
        _, prompt = edit_form.answered(reading, seq)
        first = next(
            row for row in reading.records if row.seq == seq
        )  # the first attempt, without a note about an unreadable reply
        *before, last = recorded_messages(first, prompt, reading.document)
        key = state.key("new_prompt", reading.run.id, seq)
        words = st.text_area("Prompt sent to the model", last["content"], height=320, key=key)
        if not words.strip() or words == last["content"]:
            return None
        return edits.PromptEdit(seq, (*before, {**last, "content": words}))
    return _model(reading, seq)


def _model(reading: Reading, seq: int) -> Edit | None:
    choice = _choose_model(reading, seq)
    assert choice
    temperature = choice.temperature
    if not (choice.offline or choice.human):
        key = state.key("heat", reading.run.id, choice.id)
        temperature = st.number_input("Temperature", 0.0, 2.0, choice.temperature, 0.1, width=150, key=key)
    edit = replace(_switch(choice, seq), temperature=temperature)
    before = RunSpec.from_json(reading.run.spec)
    current, changed = (Edits.of(found).settings(seq, before.settings) for found in (before.edits, [edits.to_json(edit)]))
    if current == changed and not any(item["kind"] == edit.kind and item["seq"] > seq for item in before.edits):
        st.caption(
            f"{capitalised(call_number(seq))} and the calls after it were already answered this way. "
            "Choose another model above, or one on the page Models: it is then offered here."
        )
        return None
    return edit


def _switch(choice: ModelChoice, seq: int) -> edits.ModelEdit:
    """From call `seq` on, this model answers on its terms."""
    window = choice.window or process_cache.window_of(choice.id)
    return edits.ModelEdit(
        seq, choice.id, choice.api_base, choice.temperature, choice.top_p, window, choice.reply_tokens,
        process_cache.room_factor_of(choice.id), catalogue.reply_form_for(choice.reply_form, choice.id, choice.api_base),
        choice.price,
    )  # fmt: skip


def _choose_model(reading: Reading, seq: int, *, own: str = "") -> ModelChoice | None:
    """Draw the choice of who answers: the chosen model, one that is here, the offline model, or a person. With the reading's
    `own` model, also that one (None), which comes first where it is here."""
    chosen, panel_memory = state.model_choice(), edit_form.panel_state(reading.run.id)
    local = [] if access.demo() else catalogue.installed_local()
    offered = {choice.id: choice for choice in map(ModelChoice, (catalogue.HUMAN, catalogue.OFFLINE, *local))}
    offered |= {choice.name or choice.id: choice for choice in (*access.usable_profiles(), chosen)}
    ids = [one for one in list(offered)[::-1] if one != own]
    if own:
        ids.insert(0 if catalogue.is_here(own) else len(ids), own)
    remembered = panel_memory.get("who") if panel_memory.get("chosen") == (chosen.name or chosen.id) else None

    def name(model_id: str) -> str:
        if model_id in offered and offered[model_id].name:
            return markup.plain(model_id)
        return catalogue.title(model_id) + ("" if catalogue.is_here(model_id) else ": not on this machine")

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="who-answers"):
        model_id = st.selectbox(
            f"Who answers from {call_number(seq)} on",
            ids,
            index=ids.index(remembered) if remembered in ids else 0,
            format_func=name,
            width=360,
            key=state.key("new_model", reading.run.id, own),
        )
        st.page_link("pages/8_Models.py", label="Choose another model")
    panel_memory["who"], panel_memory["chosen"] = model_id, chosen.name or chosen.id
    return None if model_id == own else offered[model_id]


def _also(reading: Reading, edit: Edit) -> tuple[Edit, ...]:
    """Draw who answers the calls after a change, and return the edit that goes with it: none for the reading's own model."""
    at = fork.first_call(reading, edit)
    spec = RunSpec.from_json(reading.run.spec)
    own = Edits.of(spec.edits).settings(at, spec.settings).model
    choice = _choose_model(reading, at, own=own)
    return (_switch(choice, at),) if choice else ()


def _start(reading: Reading, edit: Edit) -> None:
    """Draw the estimate, the name field and the button that starts the fork."""
    try:
        found = process_cache.fork_price(reading, edit)
        also = () if found.asks_nothing or isinstance(edit, edits.ModelEdit) else _also(reading, edit)
        found = process_cache.fork_price(reading, edit, *also)
        st.html(markup.fact_list(edit_form.figures(found, edit)))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = st.text_input(
                "Name of the fork (optional)", max_chars=LONGEST_NAME, width=320, key=state.key("fork_name", reading.run.id)
            )
            begin = st.button("Continue from this change", type="primary", key=state.key("fork", reading.run.id))
        st.html(markup.aside("A fork is a separate reading; this one does not change."))
        if begin:
            with st.spinner("Starting the fork …"):
                fork_id = start_runs.start_fork(reading, edit, fork.ForkTerms(name=name.strip() or None, also=also))
            st.switch_page("pages/3_Trace.py", query_params=address.to_trace(fork_id))
    except ReadingError as error:
        flash.error(error)
