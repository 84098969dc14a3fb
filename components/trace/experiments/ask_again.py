"""Ask again: one call repeated as it was, to see how stable the choice is.

Not here: the run that repeats it (`readers/engine/forks/resample.py`), the counts (`experiment_results.py`), and their wording
(`experiments_wording.py`).
"""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from components.html import markup
from components.html.figures import pictures
from components.html.words import wording
from components.html.words.estimate_words import price_words
from components.session.page import database, flash, state
from components.trace import keys
from components.trace.experiments import experiments_wording, inquiry
from components.trace.experiments.inquiry import Inquiry, Panel
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, resample
from readers.engine.forks.experiment_results import Firmness, firmness
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.record.journal import decode_parts
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading
from readers.engine.text.phrases import call_number, capitalised


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
            count = inquiry.number("Times to ask", state.key(keys.SAMPLES, keys.FIRM, reading.run.id))
            temperature = inquiry.temperature_field(reading, seq, state.key(keys.HEAT, keys.FIRM, reading.run.id))
            trials = Sampling(count, temperature)
            found = experiments.price_sampling(reading, seq, trials)
            label = f"Ask again: {price_words(found)}"
            begin = st.button(markup.plain(label), type="primary", key=state.key(keys.TRY_IT, keys.FIRM, reading.run.id, seq))
        inquiry.caption_alike(reading, seq, temperature)
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
    call, found = _counted(reading, experiment)
    return f"{call_number(experiment.at)} asked again {found.asked} times", experiments_wording.stability(found, call)


def _show(reading: Reading, experiment: Experiment) -> None:
    call, found = _counted(reading, experiment)
    run, missing = experiment.runs[0], found.asked - found.came
    if missing:
        why = [wording.sentence(run.error)] if run.error else []
        st.html(markup.notice("warn", [f"{missing} of {found.asked} got no reply.", *why]))
    st.html(pictures.tally(("Option", "came"), experiments_wording.options(found, call), (found.came,)))
    st.html(markup.aside(f"{capitalised(call_number(experiment.at))}, asked at temperature {experiment.temperature:g}."))
    if st.toggle("Show the replies", key=state.key(keys.REPLIES, experiment.id)):
        with database.opened() as store:
            records = store.runs.tape(run.id).records()
        for record in records:
            if record.reply is not None:
                st.html(markup.reply(record.reply, wording.author(record.model)))


def _counted(reading: Reading, experiment: Experiment) -> tuple[experiments_wording.AskedCall, Firmness]:
    """The call that was asked again, and the counted replies."""
    record = experiments.answered_record(reading, experiment.at)
    run = experiment.runs[0]
    with database.opened() as store:
        prompt = store.runs.tape(reading.run.id).prompts()[record.prompt]
        rows = store.runs.tape(run.id).records()
    parts = decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)
    names = get(reading.run.reader).names(reading.trace)
    call = experiments_wording.AskedCall(prompt, parts, reading.trace.asked.get(experiment.at), names)
    sizes = {part.name: len(part.texts) for part in parts}
    return call, firmness(prompt, sizes, record.reply or "", run, rows)


INQUIRY = Inquiry(
    resample.ID, "Asking one call again", _described, _show,
    Panel("How stable is this choice? Ask again", keys.FIRM, _panel),
)  # fmt: skip
