"""Change one thing at a step and read on: the panel below the player. What a fork takes is told before it begins.

Nothing is run while one looks or types: what a change takes is found by trying it out with the offline model, and stored nowhere.
Not here: what a fork is (`readers/engine/fork.py`), and experiments with many samples (`experiments_panel.py`).
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import markup, reply_fields, reply_form, running, shared, state, wording
from components.estimate import money, numbers
from components.model_choice import ModelChoice
from readers import get
from readers.engine import catalogue, changes, edits, experiments, fork, human
from readers.engine.edits import Edit, Edits
from readers.engine.errors import ReadingError
from readers.engine.events import Asked, Wrote
from readers.engine.export import Reading
from readers.engine.journal import Record, decode_parts, rebuilt
from readers.engine.prompts import Prompt
from readers.engine.runs import RunSpec
from readers.engine.store import Store
from readers.engine.store.shelf import LONGEST_NAME

REPLY, WRITTEN, PROMPT, MODEL = "The reply", "What was written", "The prompt", "The model"
ABOUT = {
    REPLY: "As if the model had replied otherwise to this one call: pick another option, or write the reply.",
    WRITTEN: "As if this had been written. It stands in every later prompt in the place of what was there.",
    PROMPT: "This one call is sent what you write here; the reply comes from the model.",
    MODEL: "This and all later calls go to the model that you choose.",
}
BY_PARTS = "The offline model works on the parts of a prompt, not on its wording: the reply may stay the same."
LONGEST_STEP = 90


def show_what_if(reading: Reading, at: int, *, seq: int | None = None) -> None:
    """The panel for step `at` (from 0), or for one call of it; closed at first, and then it costs nothing."""
    run, trace = reading.run, reading.trace
    happened = trace.events[trace.steps[at].start : trace.steps[at].end] if trace.steps else ()
    seqs = [event.seq for event in happened if isinstance(event, Asked) and event.prompt != "score"]
    written = [event for event in happened if isinstance(event, Wrote)]
    seq = seq if seq in seqs else (seqs[-1] if seqs else None)
    kept = _kept(run.id)
    begun = _begun_open(kept, run.id, at)
    label = markup.plain(f"What if? Change step {at + 1}: {_told(reading, at)}")
    box = st.expander(label, expanded=begun, key=state.key(state.WHAT_IF, run.id), on_change="rerun")
    kept["open"] = box.open
    if not box.open:
        return
    with box:
        offered = [REPLY] * (seq is not None) + [WRITTEN] * bool(written) + [PROMPT, MODEL] * (seq is not None)
        refused = _refused(reading)
        if refused or not offered:
            st.html(markup.empty(refused or "No model was asked and nothing was written at this step: choose another one."))
            return
        what = _what(reading, offered, kept, seq)
        edit = _written(reading, written, seq) if what == WRITTEN else _at_call(reading, seq or 0, what)
        if edit is None and what != MODEL:
            st.caption("Change something above, and what it takes is told here before anything runs.")
        elif edit is not None:
            _start(reading, edit)


def _kept(id: str) -> dict[str, Any]:
    """What of the panel outlasts its widgets: whether it was open, and what was to be changed."""
    key = state.key(state.WHAT_IF, id, "kept")
    kept: dict[str, Any] = state.typed(key) or {}
    state.put(key, kept)
    return kept


def _begun_open(kept: dict[str, Any], id: str, at: int) -> bool:
    """Whether the panel begins open at a step. Its name goes with the step, and with another name it is another widget, which
    begins as the last one was left; so it does where the page was left meanwhile."""
    if kept.get("at") != at or state.typed(state.key(state.WHAT_IF, id)) is None:
        kept["at"], kept["begun"] = at, kept.get("open", False)
    return bool(kept["begun"])


def _told(reading: Reading, at: int) -> str:
    """What happened at a step, in a few words."""
    steps = shared.frames(reading)["steps"]
    return changes.short(steps[at]["say"], LONGEST_STEP) if at < len(steps) else ""


def _what(reading: Reading, offered: list[str], kept: dict[str, Any], seq: int | None) -> str:
    """What is to be changed, and at which call."""
    default = kept.get("what") if kept.get("what") in offered else offered[0]
    what = str(
        st.segmented_control("Change", offered, default=default, required=True, key=state.key(state.CHANGE, reading.run.id))
    )
    kept["what"] = what
    told = ABOUT[what]
    if what != WRITTEN and seq is not None:
        told = f"Call {seq}: {told[0].lower()}{told[1:]}"
        if what == PROMPT and experiments.settings_at(reading, seq).model == catalogue.OFFLINE:
            st.html(markup.notice("warn", [BY_PARTS]))
    st.caption(told)
    return what


def _refused(reading: Reading) -> str:
    """Why nothing can be changed in this reading; empty where something can."""
    run = reading.run
    reader = get(run.reader)
    if run.spec["version"] == reader.version:
        return ""
    return (
        f"This reading was made by version {run.spec['version']} of {reader.title}; this is version {reader.version}. It can be "
        "viewed, but not read on: ask its question anew, and change that reading."
    )


def _at_call(reading: Reading, seq: int, what: str) -> Edit | None:
    """The change of one call as it is filled in; None as long as it changes nothing or cannot be sent."""
    record, prompt = _answered(reading, seq)
    key = (reading.run.id, seq)
    if what == REPLY:
        parts = decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)
        event = reading.trace.asked.get(seq)
        called = reply_fields.named(prompt, dict(event.parts) if event else {}, get(reading.run.reader).names(reading.trace))
        manner = reply_form.Manner(called, simple=not state.is_full())
        reply = reply_form.draw(prompt, parts, key=state.key(state.NEW_REPLY, *key), recorded=record.reply, manner=manner)
        return edits.ReplyEdit(seq, record.attempt, reply) if reply is not None and reply != record.reply else None
    if what == PROMPT:
        first = next(row for row in reading.records if row.seq == seq)  # as it was asked before any note on what was wrong
        *before, last = rebuilt(first, prompt, reading.document)
        words = st.text_area("What the model is sent", last["content"], height=320, key=state.key(state.NEW_PROMPT, *key))
        if not words.strip() or words == last["content"]:
            return None
        return edits.PromptEdit(seq, (*before, {**last, "content": words}))
    return _model(reading, seq)


def _answered(reading: Reading, seq: int) -> tuple[Record, Prompt]:
    """The reply of a call that was read, or the last one that came, and its prompt."""
    attempt = reading.trace.asked[seq].attempt
    rows = [record for record in reading.records if record.seq == seq]
    record = next((row for row in rows if row.attempt == attempt), rows[-1])
    with Store() as store:
        return record, store.tape(reading.run.id).prompts()[record.prompt]


def _model(reading: Reading, seq: int) -> Edit | None:
    spec = reading.run.spec
    choice = _who(reading, seq)
    heat = choice.temperature
    if not (choice.offline or choice.human):
        key = state.key(state.HEAT, reading.run.id, choice.id)
        heat = st.number_input("Temperature", 0.0, 2.0, choice.temperature, 0.1, width=150, key=key)
    edit = edits.ModelEdit(seq, choice.id, choice.api_base, heat, choice.top_p, choice.window or shared.window_of(choice.id))
    before = RunSpec.from_json(spec)
    told, then = (Edits.of(found).settings(seq, before.settings) for found in (before.edits, [edits.to_json(edit)]))
    if told == then and not any(item["kind"] == edit.kind and item["seq"] > seq for item in before.edits):
        st.caption(
            f"Call {seq} and those after it were answered like this already. Choose another one above, or another model on the "
            "page Models: it is offered here then."
        )
        return None
    return edit


def _who(reading: Reading, seq: int) -> ModelChoice:
    """Who is to answer: the model that is chosen, the offline model, or the person at the page."""
    chosen, kept = state.model_choice(), _kept(reading.run.id)
    offered = {choice.id: choice for choice in (ModelChoice(human.ID), ModelChoice(catalogue.OFFLINE), chosen)}
    ids = list(offered)[::-1]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="who-answers"):
        id = st.selectbox(
            f"Who answers from call {seq} on",
            ids,
            index=ids.index(kept["who"]) if kept.get("who") in offered and kept.get("chosen") == chosen.id else 0,
            format_func=catalogue.title,
            width=360,
            key=state.key(state.NEW_MODEL, reading.run.id),
        )
        st.page_link("pages/8_Models.py", label="Choose another model")
    kept["who"], kept["chosen"] = id, chosen.id
    return offered[id]


def _written(reading: Reading, written: list[Wrote], seq: int | None) -> Edit | None:
    """The change of a summary, gist, relation or memory that was written at this step; at first what came of call `seq`."""
    names = get(reading.run.reader).names(reading.trace)
    of_call = [n for n, event in enumerate(written) if any(piece.origin == f"reply:{seq}" for piece in event.pieces)]
    index = of_call[-1] if of_call else len(written) - 1
    wrote = written[index]
    if len(written) > 1:
        called = {event.n: f"{event.role.replace('_', ' ')} · {names.get(f'wrote:{event.n}', '')}"[:90] for event in written}
        key = state.key(state.WHICH, reading.run.id, written[0].n, seq)
        number = st.selectbox("Which", list(called), index=index, format_func=lambda n: called[n], key=key)
        wrote = next(event for event in written if event.n == number)
    key = state.key(state.NEW_TEXT, reading.run.id, wrote.n)
    label = f"The {wrote.role.replace('_', ' ')}, as it shall read"
    words = st.text_area(label, wrote.text, height=220, key=key, help="Leave it empty to see the reading without it.")
    return edits.WrittenEdit(wrote.n, wrote.role, wrote.text, words) if words != wrote.text else None


def _start(reading: Reading, edit: Edit) -> None:
    """What it takes, a name for it, and the button."""
    try:
        found = shared.price(reading, edit)
        st.html(markup.takes(figures(found, edit)))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = st.text_input(
                "Name of the fork, if you like", max_chars=LONGEST_NAME, width=320, key=state.key(state.FORK_NAME, reading.run.id)
            )
            begin = st.button("Read on with this change", type="primary", key=state.key(state.FORK, reading.run.id))
        st.caption("A fork is a reading of its own; this one stays as it is.")
        if begin:
            with st.spinner("Reading on …"):
                id = running.start_fork(reading, edit, fork.Terms(name=name.strip() or None))
            state.go_to_trace(id)
    except ReadingError as error:
        st.error(markup.plain(wording.sentence(str(error))))


def figures(found: fork.Price, edit: Edit) -> list[tuple[str, str, str]]:
    """What a fork takes, as figures with their names; its calls are those kept, the one a person wrote, and those to come."""
    kept = found.kept + found.inherited
    about = f"{found.inherited:,} of them after the change, where the same is asked" if found.inherited else ""
    how = "" if found.tried else "as many as the reading has left"
    by_you = isinstance(edit, edits.ModelEdit) and edit.model == human.ID
    written = [("Written by you", "1 reply", f"call {edit.seq}")] if isinstance(edit, edits.ReplyEdit) else []
    return [
        ("Kept", f"{kept:,} call{'' if kept == 1 else 's'}", about),
        *written,
        (
            "For you to reply to" if by_you else "Asked anew",
            f"{numbers(found.calls, rough=True)} call{'' if found.calls == (1, 1) else 's'}",
            how,
        ),
        ("Tokens sent", numbers(found.tokens_in, rough=True), ""),
        ("Cost", "nothing" if found.cost == (0, 0) else money(found.cost), ""),
    ]
