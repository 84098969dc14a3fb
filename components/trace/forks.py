"""Above a fork on the Trace page: what it changed, and where its calls come from. The family it belongs to is in `family.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

import streamlit as st

from components.html import markup
from components.html.terms import explained
from components.session import access, address, database, flash, process_cache, state
from readers import get
from readers.engine.forks import describe_edit
from readers.engine.forks.describe_edit import BeforeAndNow, describe
from readers.engine.forks.experiments import experiments_of
from readers.engine.forks.removable import describe_removed
from readers.engine.models.call import Origin
from readers.engine.record.journal import decode_parts, recorded_messages
from readers.engine.store import Reading, Run
from readers.engine.text.phrases import call_number

COUNTED: dict[Origin, str] = {
    "replayed": "copied from before the change",
    "edited": "written by a person",
    "inherited": "copied from after it, where the prompt is exactly the same",
    "cached": "reused from another reading of the text",
    "live": "asked again",
}


def show_fork_origin(reading: Reading) -> None:
    """Draw above a fork what was changed in which reading and where its calls come from; above a sample, which one it is.

    Other readings show nothing, except a message about a fork just deleted."""
    run = reading.run
    for message in flash.take(state.key("_deleted", run.id)):
        st.html(markup.notice("good", [message.text]))
        st.toast(message.text)  # the person who deleted it may have scrolled down
    if not run.edit:
        return
    counts = Counter(record.origin for record in reading.records if record.task != "score")
    calls = [f"{counts[origin]:,} {meaning}" for origin, meaning in COUNTED.items() if counts[origin]]
    parent = next((member for member in access.family(run.id) if member.id == run.parent), None)
    sample = bool(run.experiment and parent)
    sides = None if sample else _sides(reading, parent)
    lead, what = ("A sample", _which_sample(run, parent)) if sample and parent else ("A fork", describe(run.edit))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="forked"):
        st.html(_forked(lead, what, calls, sides=sides))
        with st.container(horizontal=True, gap="small", width="content"):
            _ways_back(run, parent)


def _ways_back(run: Run, parent: Run | None) -> None:
    """Draw the links from a fork or a sample back to its parent."""
    if parent is None:
        st.html(markup.aside("The reading it was forked from was deleted."))
        return
    if run.experiment:
        st.page_link("pages/3_Trace.py", label="The experiment it belongs to", query_params=address.to_full(parent.id))
    ids = [parent.id, run.id]
    st.page_link("pages/4_Compare.py", label="Side by side with its parent", query_params=address.to_compare(ids))
    if not run.experiment:
        st.page_link("pages/3_Trace.py", label="Its parent", query_params=address.to_trace(parent.id))


def _which_sample(run: Run, parent: Run) -> str:
    """`sample 1 of 5 without the summary of part 1`."""
    with access.opened() as store:
        made = next((one for one in experiments_of(store, parent.id) if one.id == run.experiment), None)
    if made is None:
        return "of an experiment"
    alike = [one.id for one in made.unchanged]
    arm = alike if run.id in alike else [one.id for one in made.changed]
    which = f"sample {arm.index(run.id) + 1} of {len(arm)}"
    if run.id in alike:
        return f"{which} with nothing changed, continued from {call_number(run.fork_at)}"
    reading = process_cache.ended_reading(parent)
    edit = made.edit
    return (
        f"{which} without {describe_removed(reading.trace, get(parent.reader).names(reading.trace), edit)[0]}" if edit else which
    )


def _sides(reading: Reading, parent: Run | None) -> BeforeAndNow | None:
    """The text before and after the change, if both are words and the first is still on record."""
    edit = dict(reading.run.edit or {})
    if edit.get("kind") == "wrote":
        return describe_edit.diff_excerpts(str(edit["before"]), str(edit["text"]))
    if edit.get("kind") not in ("reply", "prompt") or parent is None:
        return None
    with database.opened() as store:
        tape = store.runs.tape(parent.id)
        record, prompts = tape.find(edit["seq"], edit.get("attempt", 0)), tape.prompts()
    prompt = prompts.get(record.prompt) if record else None
    if record is None or prompt is None:
        return None
    if edit["kind"] == "prompt":
        return describe_edit.diff_excerpts(
            recorded_messages(record, prompt, reading.document)[-1]["content"], edit["messages"][-1]["content"]
        )
    sizes = {part.name: len(part.texts) for part in decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)}
    return describe_edit.diff_reply(edit["text"], record.reply or "", prompt, sizes)


def _forked(what: str, changed: str, calls: Sequence[str], *, sides: BeforeAndNow | None = None) -> str:
    """Above a fork, on one line, what it is and what was changed; when opened, what it read before and reads now, if known, and
    where its calls come from."""
    told = explained(" · ".join(calls))
    stop = "" if changed.endswith((".”", ".", "…”", "?”", "!”")) else "."
    boxes = "".join(
        f'<div><p class="facts-line">{name}</p><p class="{kind}">{escape(words) or "nothing: it was left out"}</p></div>'
        for name, kind, words in zip(("before", "in this fork"), ("was", "now"), sides or (), strict=False)
    )
    beside = f'<div class="sides">{boxes}</div>' if boxes else ""
    said = f"<summary><b>{escape(what)}:</b> {escape(changed)}{stop}</summary>"
    return f'<details class="forked">{said}{beside}<p class="facts-line">{told}</p></details>'
