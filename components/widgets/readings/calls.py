"""The recorded calls of a step: each prompt, rebuilt from the record, and every reply to it. Nothing runs here."""

from __future__ import annotations

import streamlit as st

from components.html import markup, prompt_stretches
from components.html.words import reading_words, wording
from components.session import database, state
from readers.engine.forks import describe_edit
from readers.engine.record.events import Asked
from readers.engine.store import Reading


def show_calls(reading: Reading, at: int) -> int | None:
    """Draw the calls of a step (from 0), one at a time; return the number of the call shown."""
    step = reading.trace.steps[at]
    seqs = [event.seq for event in reading.trace.events[step.start : step.end] if isinstance(event, Asked)]
    with st.container(key="calls"):
        hint = f"step {at + 1} · {len(seqs):,} call{'' if len(seqs) == 1 else 's'}"
        st.html(markup.section("", "What the model was asked", hint=hint))
        if not seqs:
            st.html(markup.empty("No call was made at this step: a rule of the reader did it."))
            return None
        number = 1
        if len(seqs) > 1:
            key = state.key("call", reading.run.id, at)
            changed = describe_edit.call_of_edit(reading.trace, reading.run.edit) if reading.run.edit else None
            first = seqs.index(changed) + 1 if changed in seqs else 1
            number = int(st.number_input(f"Call (of {len(seqs):,} at this step)", 1, len(seqs), first, width=220, key=key))
        _call(reading, seqs[number - 1])
        return seqs[number - 1]


def _call(reading: Reading, seq: int) -> None:
    """Draw one call: its prompt and every reply to it."""
    rows = [record for record in reading.records if record.seq == seq]
    with database.opened() as store:
        prompts = store.runs.tape(reading.run.id).prompts()
    for record in rows:
        prompt = prompts.get(record.prompt)
        if prompt is None:
            st.html(markup.empty("The text of this prompt is not in the record."))
            continue
        st.html(markup.facts_of_call(reading_words.facts(record, prompt), record.origin, reading_words.ORIGINS[record.origin]))
        left, right = st.columns([1.25, 1], gap="large")
        last = record is rows[-1]  # marks in the last attempt are labels of the result
        with left, st.container(key=f"call-{'at' if last else 'before'}-{seq}-{record.attempt}"):
            shown = prompt_stretches.of_record(record, prompt, reading)
            st.html(markup.prompt_legend(one.source for one in shown))
            st.html(markup.prompt(shown))
            if counting := wording.counting(prompt):
                st.caption(counting)
        with right:
            if record.thoughts:
                st.html(markup.thoughts(record.thoughts, wording.author_of(record)))
        with right, st.container(key=f"reply-{'at' if last else 'before'}-{seq}-{record.attempt}"):
            if record.reply is None:
                st.html(markup.notice("warn", [f"No reply came: {record.error or 'the reading was stopped before one came'}"]))
            else:
                st.html(markup.reply(record.reply, wording.author_of(record)))
