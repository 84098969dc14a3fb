"""Full: the calls of a step as they were, the measures, the settings, and the reading as a file.

Nothing is run here: what is shown was recorded. A prompt is put together from the record as it was then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.html import markup, wording
from components.session import process_cache, state
from components.trace import experiments
from components.trace.what_if import show_what_if
from readers import get
from readers.engine.analysis import authorship
from readers.engine.files.run_file import run_file
from readers.engine.forks import describe_edit
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.edits import models_asked
from readers.engine.record.events import Asked, Pieces
from readers.engine.record.journal import Record, decode_parts
from readers.engine.store import Store
from readers.engine.store.reading import Reading
from readers.engine.text.document import DOCUMENT, QUESTION

ORIGINS = {
    "live": "asked in this reading",
    "cached": "taken from an earlier reading of the same text, at no cost",
    "replayed": "copied from the reading this one was forked from",
    "inherited": "the same request as in the reading this one was forked from",
    "edited": "written by a person",
}
MEASURES = {
    "outcome": "Outcome",
    "calls_live": "Calls made",
    "calls_reused": "Calls reused",
    "tokens_in": "Tokens sent",
    "tokens_out": "Tokens received",
    "cost_usd": "Cost in dollars",
    "seconds": "Seconds",
    "read_fraction": "Share of the text shown raw",
    "coverage_fraction": "Share shown raw or through a summary",
    "reverts": "Turned back",
    "stray": "Strayed at all",
    "recovered": "Answered after straying",
    "lookups": "Pages looked up",
    "lookups_allowed": "Pages it could have looked up",
    "words_reread": "Words read again",
    "compression_rate": "Of the text's words left out",
    "trials": "Trials",
    "edges_considered": "Relations weighed",
    "segments_added": "Segments brought into view",
    "segments_filtered": "Segments left out again",
    "questions_kept": "Questions kept",
    "questions_dropped": "Questions dropped",
    "misreads": "Replies misread",
    "fallbacks": "Fallbacks",
}


def show_full(reading: Reading, at: int) -> None:
    """Below the player: the calls of step `at` (from 0) and what can be changed there, then measures and settings side by
    side."""
    if reading.trace.steps:
        seq = show_calls(reading, at)
        show_what_if(reading, at, seq=seq)
        experiments.show(reading, seq)
    left, right = st.columns(2, gap="large")
    with left:
        st.html(markup.section("", "Measures"))
        st.html(markup.figures(_measures(reading)))
    with right:
        st.html(markup.section("", "Settings"))
        st.html(markup.figures(settings(reading)))
        _download(reading)


def show_calls(reading: Reading, at: int) -> int | None:
    """The calls of a step (from 0), one at a time; the number of the one that is shown."""
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
            changed = describe_edit.call_of(reading.trace, reading.run.edit) if reading.run.edit else None
            first = seqs.index(changed) + 1 if changed in seqs else 1
            number = int(st.number_input(f"Call, of {len(seqs):,} at this step", 1, len(seqs), first, width=220, key=key))
        _call(reading, seqs[number - 1])
        return seqs[number - 1]


def _call(reading: Reading, seq: int) -> None:
    """One call: its prompt, and every reply that came to it."""
    rows = [record for record in reading.records if record.seq == seq]
    with Store() as store:
        prompts = store.tape(reading.run.id).prompts()
    for record in rows:
        prompt = prompts.get(record.prompt)
        if prompt is None:
            st.html(markup.empty("The words of this prompt are not in the record."))
            continue
        st.html(markup.facts_of_call(_facts(record, prompt), record.origin, ORIGINS[record.origin]))
        left, right = st.columns([1.25, 1], gap="large")
        last = record is rows[-1]  # what is marked in a call is marked in what came of it
        with left, st.container(key=f"call-{'at' if last else 'before'}-{seq}-{record.attempt}"):
            shown = stretches(record, prompt, reading)
            st.html(markup.prompt_legend(source for _, source, _ in shown))
            st.html(markup.prompt(shown))
        with right, st.container(key=f"reply-{'at' if last else 'before'}-{seq}-{record.attempt}"):
            if record.reply is None:
                st.html(markup.notice("warn", [f"No reply came: {record.error or 'the reading was stopped before it'}"]))
            else:
                st.html(markup.reply(record.reply, wording.author_of(record)))


def stretches(record: Record, prompt: Prompt, reading: Reading) -> list[tuple[str, str, str]]:
    """The message a call sent, cut by where its words come from: words, source (a key of `markup.SOURCES`), and a title."""
    if record.messages:
        return [(str(message["content"]), "person", "edited by a person") for message in json.loads(record.messages)]
    asked = reading.trace.asked.get(record.seq)
    origins = dict(asked.parts) if asked else {}
    whose = authorship.of(reading.trace, reading.run, reading.records)
    found = []
    for stretch in prompt.stretches(decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)):
        if not stretch.part:
            found.append((stretch.text, "template", "the prompt’s own words"))
            continue
        pieces = origins.get(stretch.part, ())[stretch.number :][:1]
        found.append((stretch.text, _source(pieces[0] if pieces else (), whose), stretch.part.replace("_", " ")))
    if record.note:
        found.append((f"\n\n{record.note}", "rule", "what was wrong with the last reply"))
    return found


def _source(pieces: Pieces, whose: authorship.Hands) -> str:
    origins = {piece.origin.partition(":")[0] for piece in pieces}
    if DOCUMENT in origins:
        return "document"
    if origins & {"wrote", "reply"}:
        return "person" if whose.text(pieces) == authorship.PERSON else "model"
    return "question" if origins & {QUESTION, "choice"} else "rule"


def _facts(record: Record, prompt: Prompt) -> list[tuple[str, str]]:
    unknown = "unknown"
    facts = [("call", f"{record.seq}"), ("prompt", prompt.id), ("task", record.task)]
    if record.attempt:
        facts.append(("asked again, reply", str(record.attempt + 1)))
    facts.append(("tokens sent", unknown if record.tokens_in is None else f"{record.tokens_in:,}"))
    facts.append(("received", unknown if record.tokens_out is None else f"{record.tokens_out:,}"))
    facts.append(("cost", unknown if record.cost_usd is None else f"${record.cost_usd:.4f}" if record.cost_usd else "nothing"))
    return [*facts, ("took", wording.duration(record.ms / 1000) if record.ms >= 1000 else f"{record.ms} ms")]


def _measures(reading: Reading) -> list[tuple[str, str]]:
    found = process_cache.measured(reading)
    return [
        (MEASURES.get(name, name.replace("_", " ")), value_said(name, value))
        for name, value in found.items()
        if value is not None
    ]


def value_said(name: str, value: Any) -> str:
    """A measure in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "compression_rate":
        return ", ".join(f"{wording.share(rate)} {when} look-up" for when, rate in value.items())
    if name in ("memory_tokens", "memory_kept", "recalls"):
        return _series(name, value)
    if name.endswith("_fraction"):
        return wording.share(value)
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _series(name: str, values: Sequence[Any]) -> str:
    """Figures by step in a few words."""
    if name == "memory_tokens":
        return f"{values[-1]:,} at the end, {max(values):,} at most"
    if name == "recalls":
        steps = [recall["distance"] for recall in values]
        return f"{len(steps):,}, {sum(steps) / len(steps):.1f} steps back on average" if steps else "none"
    known = [value for value in values if value is not None]
    return f"{wording.share(sum(known) / len(known))} on average" if known else "not known"


def settings(reading: Reading) -> list[tuple[str, str]]:
    """Everything that was set for a reading, in words."""
    spec = reading.run.spec
    rows: list[tuple[str, Any]] = [
        ("Reader", f"{get(spec['reader']).title}, version {spec['version']}"),
        ("Model", ", then ".join(models_asked(spec))),
    ]
    rows += [(name.replace("_", " ").capitalize(), value) for name, value in spec["options"].items()]
    for name in ("api_base", "temperature", "top_p", "window", "sample_base"):
        rows.append((name.replace("_", " ").capitalize(), spec.get(name)))
    rows += [(name.replace("_", " ").capitalize(), value) for name, value in spec.get("caps", {}).items()]
    rows += [(f"Prompt {id}", "worded otherwise") for id in spec.get("prompts", {})]
    rows.append(("Replies of earlier readings", "used again" if spec.get("reuse", True) else "not used"))
    return [(name, _said(value)) for name, value in rows if value is not None]


def _said(value: Any) -> str:
    return "yes" if value is True else "no" if value is False else str(value)


def _download(reading: Reading) -> None:
    """The reading as a file that stands alone, made when it is asked for."""
    run = reading.run

    def made() -> bytes:
        with Store() as store:
            return json.dumps(run_file(store, run.id, get(run.reader)), ensure_ascii=False).encode()

    name = f"palimpsest-{run.id}.json"
    st.download_button(
        "Save this reading as a file", made, file_name=name, mime="application/json", key=state.key("save", run.id)
    )
