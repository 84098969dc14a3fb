"""Ask again: one call repeated as it was, to see how stable the choice is.

Not here: the run that repeats it (`readers/engine/forks/resample.py`), and the counts (`experiment_results.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

import streamlit as st

from components.html import markup, pictures
from components.html.pictures import TallyRow
from components.html.words import wording
from components.html.words.work_words import price_words
from components.session import database, flash, state
from components.trace import inquiry
from components.trace.inquiry import Inquiry
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, resample
from readers.engine.forks.describe_edit import PartPieces, option_names
from readers.engine.forks.experiment_results import Firmness, OptionCount, firmness
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.prompts.formats.form import Choice
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.journal import decode_parts
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading
from readers.engine.text.phrases import call_number, capitalised
from readers.engine.text.shorten import truncate

LONGEST = 600
SAME = "◆ as in the reading"


# What a prompt offers by its value in a reply, and the reader's names for the texts behind numbers.
Offered = tuple[Mapping[int | str, Choice], Mapping[int | str, str]]


def _panel(reading: Reading, seq: int | None) -> None:
    if seq is None:
        st.html(markup.empty(inquiry.NO_CALL))
        return
    st.caption(
        f"Repeats {call_number(seq)} exactly and counts how often each option comes. "
        "The reading does not continue from these replies."
    )
    try:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            trials = inquiry.sampling(reading, seq, "Times to ask", "firm", reading.run.id)
            found = experiments.price_sampling(reading, seq, trials)
            label = f"Ask again: {price_words(found)}"
            begin = st.button(markup.plain(label), type="primary", key=state.key("try_it", "firm", reading.run.id, seq))
        inquiry.caption_alike(reading, seq, trials.temperature)
        if begin:
            start(reading, seq, trials)
    except ReadingError as error:
        flash.error(error)


def start(reading: Reading, seq: int, trials: Sampling) -> NoReturn:
    """Start asking one call again, and draw the page again."""
    models = RunSpec.from_json(reading.run.spec).models_from(seq)
    reader = get(reading.run.reader)
    inquiry.begin(reading, models, lambda store: [resample.sample_call(store, reading, reader, seq, trials)])


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    offered, found = _counted(reading, experiment)
    return f"{call_number(experiment.at)} asked again {found.asked} times", stability(found, offered)


def _show(reading: Reading, experiment: Experiment) -> None:
    offered, found = _counted(reading, experiment)
    run, missing = experiment.runs[0], found.asked - found.came
    if missing:
        why = [wording.sentence(run.error)] if run.error else []
        st.html(markup.notice("warn", [f"{missing} of {found.asked} got no reply.", *why]))
    st.html(pictures.tally(("Option", "came"), options(found, offered), (found.came,)))
    st.html(markup.aside(f"{capitalised(call_number(experiment.at))}, asked at temperature {experiment.temperature:g}."))
    if st.toggle("Show the replies", key=state.key("replies", experiment.id)):
        with database.opened() as store:
            records = store.runs.tape(run.id).records()
        for record in records:
            if record.reply is not None:
                st.html(markup.reply(record.reply, wording.reply_by(record)))


def _counted(reading: Reading, experiment: Experiment) -> tuple[Offered, Firmness]:
    """What the call that was asked again offers, and the counted replies."""
    record = experiments.answered_record(reading, experiment.at)
    run = experiment.runs[0]
    with database.opened() as store:
        prompt = store.runs.tape(reading.run.id).prompts()[record.prompt]
        rows = store.runs.tape(run.id).records()
    parts = decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)
    event = reading.trace.asked.get(experiment.at)
    offered = offered_by(prompt, parts, dict(event.parts) if event else {}, get(reading.run.reader).names(reading.trace))
    sizes = {part.name: len(part.texts) for part in parts}
    return offered, firmness(prompt, sizes, record.reply or "", run, rows)


# In words


def offered_by(prompt: Prompt, parts: Sequence[Part], pieces: PartPieces, names: Mapping[str, str]) -> Offered:
    """What a prompt with these parts offers; `pieces` are those of the recorded call, `names` the reader's names by ref."""
    return {choice.value: choice for choice in prompt.options(parts)}, option_names(prompt, pieces, names)


def options(found: Firmness, offered: Offered) -> list[TallyRow]:
    """Every option chosen, with its count."""
    rows: list[TallyRow] = []
    for came in found.options:
        said = [SAME] if came.taken else []
        if came.answers:
            said.append("; ".join(f"“{truncate(words, 160)}” {times}×" for words, times in came.answers))
        rows.append((option(came, offered), " · ".join(said), (came.times,)))
    if found.unreadable:
        rows.append(("unreadable reply", "", (found.unreadable,)))
    return rows


def stability(found: Firmness, offered: Offered) -> str:
    """`part 2 came in 4 of 5`: the option the reading chose or, if it chose none, the most frequent one."""
    if not found.came:
        return "no reply has come"
    if not found.options:
        return f"none of {found.came} replies could be read"
    first = found.options[0]
    return f"{truncate(option(first, offered), 90)} came in {first.times} of {found.came}"


def option(came: OptionCount, offered: Offered) -> str:
    """An option by the reader's name for it, otherwise in the prompt's words."""
    value, (choices, names) = came.value, offered
    if isinstance(value, tuple):
        return ", ".join(names.get(number) or f"page {number + 1}" for number in value) or "no page"
    if isinstance(value, int):
        choice = choices.get(value)
        return names.get(value) or (
            truncate(f"{choice.label} {choice.words}" if choice.sent or value > 0 else choice.words or choice.label, LONGEST)
            if choice
            else str(value)
        )
    lettered = [choice.label for choice in choices.values() if choice.label.startswith(value)]
    return truncate(lettered[0] if len(lettered) == 1 and len(value) == 3 else came.words, LONGEST)


INQUIRY = Inquiry(
    resample.ID, "Asking one call again", _described, _show,
    panel=_panel, title="How stable is this choice? Ask again", key="firm",
)  # fmt: skip
