"""The Read page: a text, a question, a reader with its settings, the estimate, and Start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st

from components.html import markup
from components.html.words import reading_words, wording
from components.read import all_readers, html
from components.read.prompts_form import Worded, ask_prompts
from components.read.settings import ask_settings
from components.session import access, address, demos, flash, start_runs, state
from components.widgets import text_cache
from components.widgets.start import choose_model, choose_text, options_form
from components.widgets.start.choose_text import Picked
from components.widgets.start.estimate import show_cuts, show_estimate, show_opening
from readers import READERS, get, origin, plugin_trial
from readers.engine.errors import NotFound, ReadingError
from readers.engine.models import catalogue
from readers.engine.prompts.options import Preset
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.estimate import Estimate
from readers.engine.run.execute import RunSpec
from readers.engine.run.reader import Reader
from readers.engine.store import Run

PAGE = "pages/2_Read.py"
OWN = "My own question"
LONGEST_QUESTION = 2_000
MOST_CHOICES = 26
NO_QUESTION = "There is no question yet. Write one under “Ask a question”, as you would ask somebody who has just read the text."
STAND_IN = "What is this text about?"  # for an estimate before there is a question


@dataclass(frozen=True)
class ReadForm:
    """The values of the page's form. The spec of the reading is built once, when it is first needed."""

    picked: Picked
    question: str
    choices: tuple[str, ...]
    wrong_choices: str
    reader: Reader
    options: Mapping[str, Any]
    preset: Preset
    prompts: Worded

    @cached_property
    def spec(self) -> RunSpec:
        question, choices = self.question.strip(), () if self.wrong_choices else self.choices
        templates = self.prompts.templates
        spec = start_runs.new_spec(self.reader, question, choices=choices, options=self.options, prompts=templates)
        return replace(spec, **self.preset.terms)

    @property
    def wrong_option(self) -> str:
        return options_form.wrong(self.reader.Options, self.options)

    @property
    def wrong(self) -> str:
        """Why no reading can start; empty if one can."""
        if self.picked.document is None:
            return self.picked.missing
        if self.wrong_choices or self.prompts.wrong:
            return self.wrong_choices or self.prompts.wrong
        return "" if self.question.strip() else NO_QUESTION


def show_read() -> str:
    """Draw the page; returns the question that is asked."""
    flash.show()
    before = _before()
    with st.container(key="two-read"):
        left, right = st.columns([1, 1], gap="large")
    with left:
        st.html(markup.section("1", "Choose a text"))
        picked = _text()
        st.html(markup.section("2", "Ask a question"))
        question, choices, wrong = _ask(picked, before)
    with right:
        st.html(markup.section("3", "Read it"))
        choose_model.choose_profile()
        reader, options, preset = _reader(picked, before)
        form = ReadForm(picked, question, choices, wrong, reader, options, preset, ask_prompts(reader, before))
        options_form.show_wording_note(reader, options, form.prompts.templates)
        takes = st.container()
        _start(form)
        with takes:  # after Start, which need not wait for it
            found = _estimated(form)
    if form.prompts.wrong:  # the form of prompts is long, and without an estimate nothing is known about the cuts
        with left, st.container(key="text-beside-prompts"):
            _preview(form, found)
    else:
        _preview(form, found)
    return question


def _before() -> Run | None:
    """The earlier reading that the address names; its text and settings are used again. None for none."""
    run_id = address.previous_run_id()
    try:
        if not run_id or not access.may_see(run_id):
            return None
        with access.opened() as store:
            run = store.runs.get(run_id)
            return run if get(run.reader).starts else None
    except NotFound:
        return None


def _text() -> Picked:
    document_id = address.document_id()
    if not document_id:
        picked = choose_text.choose()
    else:
        picked = choose_text.by_id(document_id)
        if picked.document is None:
            st.error(markup.plain(picked.missing))
            return choose_text.choose()
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(html.chosen(picked.document.title), width="content")
            st.page_link(PAGE, label="Choose another text")
    if access.demo():
        st.caption(
            f"This is a public demo: a text may have up to {demos.MOST_BYTES // 1_000_000} MB "
            f"and {demos.MOST_TOKENS:,} tokens, a visit {demos.limits().visit:,} readings, including deleted ones, "
            f"and everything you add is deleted when you leave."
        )
    return picked


def _ask(picked: Picked, before: Run | None) -> tuple[str, tuple[str, ...], str]:
    """The question, its choices, and the problems with these."""
    # The field stays the same while an own text is pasted or replaced, so that the typed question stays.
    about = state.short_hash((picked.sample.document.id if picked.sample else "") + (before.id if before else ""))
    known = _known_question(picked, before) if picked.sample else None
    on = state.key(about, state.short_hash(known.question if known else ""))
    question = st.text_input(
        "Your question, in any words",
        value=known.question if known else "",
        max_chars=LONGEST_QUESTION,
        placeholder="Ask as you would ask somebody who has just read the text.",
        key=state.key("question", on),
    )
    if known and known.choices and question.strip() == known.question:
        return question, _offer(known, on), ""
    return question, *_own_choices(on)


def _known_question(picked: Picked, before: Run | None) -> KnownAnswer | None:
    sample = picked.sample
    assert sample is not None
    asked: Sequence[str] = [*(known.question for known in sample.offered), OWN]
    # After each of them the next is suggested; after the last, the visitor's own question.
    first = asked.index(before.question) + 1 if before and before.question in asked else 0
    key = state.key("pick", sample.document.id, before.id if before else "")
    pick = st.selectbox("Questions that come with this text", asked, index=first, key=key)
    return sample.known(pick) if pick else None


def _offer(known: KnownAnswer, on: str) -> tuple[str, ...]:
    """The choices of a sample's question, if the person wants the model to have them."""
    offline = state.model_choice().offline
    offer = st.checkbox("Give the model these choices", value=not offline, key=state.key("choices", on))
    st.html(html.choices(known.choices))
    if offline and offer:
        _at_chance()
    return known.choices if offer else ()


def _own_choices(on: str) -> tuple[tuple[str, ...], str]:
    with st.expander("Add choices"):
        lines = st.text_area(
            "Choices, one a line",
            placeholder="Leave empty for an answer in the model’s own words.",
            key=state.key("answers", on),
        )
        choices = tuple(line.strip() for line in lines.splitlines() if line.strip())
        wrong = "" if len(choices) != 1 and len(choices) <= MOST_CHOICES else _wrong_choices(len(choices))
        if wrong:
            st.error(wrong)
        elif choices and state.model_choice().offline:
            _at_chance()
    return choices, wrong


def _wrong_choices(count: int) -> str:
    return f"A question has 2 to {MOST_CHOICES} choices, or none; this one has {count}."


def _at_chance() -> None:
    st.caption(
        "At choosing between answers, the offline model (no neural network) is no better than chance: it may find the place, but "
        "cannot judge what it says."
    )


def _reader(picked: Picked, before: Run | None) -> tuple[Reader, dict[str, Any], Preset]:
    """The reader, its options and the preset they come from; after an earlier reading, its own, so that its work is reused."""
    named = before.reader if before else address.reader()
    first = next((n for n, reader in enumerate(READERS) if reader.id == named), 0)
    at = st.radio(
        "Reader",
        range(len(READERS)),
        index=first,
        format_func=lambda n: READERS[n].title,
        horizontal=True,  # so that Start is on the first screen
        key=state.key("reader", before.id if before else named),
    )
    reader = READERS[at or 0]
    st.caption(reading_words.summary(reader))
    if of_own := origin(reader.id):
        if not access.demo():
            st.caption(markup.plain(f"A reader of your own, from {of_own}"))
        for failure in plugin_trial.failures(reader):
            st.warning(markup.plain(wording.sentence(failure)))
    with st.expander(f"How {reader.title} reads"):
        options, preset = ask_settings(reader, picked, before)
    return reader, options, preset


def _estimated(form: ReadForm) -> Estimate | None:
    document = form.picked.document
    if document is None or form.wrong_option:
        return None
    if form.prompts.wrong:
        st.caption("The estimate appears when every prompt can be used: see “Prompts”.")
        return None
    try:
        choice = state.model_choice()
        spec = form.spec if form.spec.question else replace(form.spec, question=STAND_IN)
        found = text_cache.estimated(document, spec, width=1 if choice.human else choice.at_once)
    except ReadingError as error:
        flash.error(error)
        return None
    show_estimate(found, form.spec)
    return found


def _start(form: ReadForm) -> None:
    choice, reader, document = state.model_choice(), form.reader, form.picked.document
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        barred = bool(form.wrong_option)
        sent = st.button("Start reading", type="secondary" if barred else "primary", key="start", disabled=barred)
        every = st.button(
            "Read with all readers", key="all", disabled=barred or choice.human,
            help=all_readers.AS_HUMAN if choice.human else "The same question with several readers, side by side.",
        )  # fmt: skip
        choose_model.be_the_model(choice)
    st.html(html.model_line(reader.title, catalogue.title(choice.id), offline=choice.offline, human=choice.human))
    if not sent and not every:
        return
    if form.wrong or document is None:
        st.error(markup.plain(form.wrong))
        return
    try:
        if every:
            all_readers.show(document, form.spec)
            return
        with st.spinner("Getting ready …"):
            (run_id,) = start_runs.start(document, form.spec)
    except ReadingError as error:
        flash.error(error)
        return
    st.switch_page("pages/3_Trace.py", query_params=address.to_trace(run_id))


def _preview(form: ReadForm, found: Estimate | None) -> None:
    """The text as the reader will cut it."""
    document = form.picked.document
    if document is None:
        st.html(markup.section("", "The text"))
        st.html(markup.empty("Your text will appear here, with a line at the start of each part that the reader cuts."))
    elif found is None:
        show_opening(document)
    else:
        show_cuts(document, found, f"{form.reader.id} {sorted(form.options.items())}")
