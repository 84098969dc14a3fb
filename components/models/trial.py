"""Testing the model in use: one short question, how fast it is if it runs on this machine, and the cost of a reading."""

from __future__ import annotations

import time

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.models.on_this_machine import rates
from components.session import access, demos, process_cache, state
from components.session.model_choice import ModelChoice, measure_speed, trial_settings, tried_once, try_out, try_schema
from components.session.samples import samples
from components.widgets import report, text_cache
from components.widgets.start import choose_text
from components.widgets.start.estimate import figures
from readers import READERS, get
from readers.engine.analysis.form_trials import first_calls, table, try_forms
from readers.engine.errors import KeyRefused, ModelFailed, ReadingError
from readers.engine.models import speed
from readers.engine.run.execute import RunSpec

HOLDS = {
    True: " It can be held to a JSON schema, so with the reply form “auto” readings do.",
    False: " It cannot be held to a JSON schema, so with the reply form “auto” readings ask for words.",
}
STAND_IN = "What is this text about?"


def try_model(choice: ModelChoice) -> None:
    """Ask a short question, and report the answer or what went wrong; measure the speed of a model on this machine."""
    began = time.monotonic()
    try:
        with st.spinner("Asking a short question …"):
            reply = try_out(choice, demos.within_budget)
        # A model on this machine may have been loaded first, which every later call is spared.
        seconds = reply.ms / 1000 if choice.on_this_machine else time.monotonic() - began
        holds = ""
        if not choice.here or choice.on_this_machine:
            with st.spinner("Asking for a reply that follows a schema …"):
                holds = HOLDS[try_schema(choice, demos.within_budget)]
        measured = ""
        if choice.on_this_machine:
            with st.spinner("Measuring how fast it is here …"):
                measured = " " + rates(measure_speed(choice))
    except ReadingError as error:
        st.error(markup.plain(f"{wording.sentence(str(error))} {_advice(error, choice)}"))
        return
    sent, received = reply.tokens_in, reply.tokens_out
    counted = (
        f"{sent:,} tokens sent, {received:,} received"
        if sent is not None and received is not None
        else "token counts not reported"
    )
    st.success(
        markup.plain(
            f"It answered in {wording.duration(seconds)}: {counted}. Its reply: “{reply.text.strip()[:200]}”{holds}{measured}"
        )
    )


def try_reader(choice: ModelChoice) -> None:
    """Draw the choice of a reader, and on request try each of its forms once with the model: a row for each as it comes."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        reader_id = st.selectbox(
            "Forms of",
            [reader.id for reader in READERS],
            format_func=lambda one: get(one).title,
            key=state.key("try-reader"),
            width=260,
        )
        pressed = st.button("Try each form of this reader once", key=state.key("try-forms"))
    if not (pressed and reader_id):
        return
    reader, rows = get(reader_id), []
    try:
        model = demos.within_budget(choice.id, tried_once(choice))
        calls = first_calls(reader, trial_settings(choice))
        place = st.empty()
        with st.spinner(f"Trying {len(calls)} forms …"):
            for row in try_forms(model, calls):
                rows.append(row)
                with place.container():
                    report.draw(table(reader, rows))
    except ReadingError as error:
        st.error(markup.plain(f"{wording.sentence(str(error))} {_advice(error, choice)}"))


def _advice(error: ReadingError, choice: ModelChoice) -> str:
    """What to do about a failed test, where the error does not say."""
    if isinstance(error, KeyRefused) or not isinstance(error, ModelFailed):
        return ""
    words = str(error).lower()
    if "connection" in words or "timed out" in words or "timeout" in words:
        check = f"whether the server at {choice.api_base} runs" if choice.api_base else "whether this machine has a network"
        return f"Check {check}, and test again."
    if "no such id" in words or "measured" in words:
        return ""
    return "Check the model id and the base URL, or choose another model; the message is the server's own."


def show_what_a_reading_takes(choice: ModelChoice) -> None:
    """Draw, for a model whose speed was measured, a text and a reader to choose, and the cost of that reading."""
    if speed.find_speed(choice.id, choice.api_base) is None:
        return
    st.html(markup.section("", "What a reading takes with this model"))
    titles = {sample.document.id: sample.document.title for sample in samples()}
    titles |= {shelved.id: shelved.title for shelved in access.visible_documents()}
    one, two = st.columns(2)
    text = one.selectbox("Text", list(titles), format_func=titles.__getitem__, key=state.key("takes-text"))
    names = {reader.id: reader.title for reader in READERS}
    reader_id = two.selectbox("Reader", list(names), format_func=names.__getitem__, key=state.key("takes-reader"))
    document = choose_text.by_id(text).document if text else None
    if document is None or reader_id is None:
        return
    window = choice.window or process_cache.window_of(choice.id)
    spec = RunSpec(reader_id, get(reader_id).version, STAND_IN, **{**choice.terms, "window": window})
    try:
        found = text_cache.estimated(document, spec, width=choice.at_once)
    except ReadingError as error:
        st.error(markup.plain(wording.sentence(str(error))))
        return
    st.html(markup.fact_list([row for row in figures(found, spec) if row.name != "Cost"]))
    for problem in found.problems:
        st.warning(markup.plain(wording.sentence(problem)))
