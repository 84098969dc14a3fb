"""One question set on the Questions page: starting a batch, with its estimate first, and the list of questions.

`session/access.py` decides who may start what; the batch itself runs in `Jobs` and knows nothing of this page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import streamlit as st

from components.html import estimate_words, markup, reader_words, wording
from components.questions import html, keys
from components.questions import wording as words
from components.session import access, address, database, demo_limits, flash, hidden_answers, process_cache, start_runs, state
from components.widgets import options_form
from readers import READERS, get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.models import catalogue, speed
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import batches, part_sizes
from readers.engine.run.batches import BatchPlan, BatchPrice
from readers.engine.run.execute import RunSpec, changed_templates
from readers.engine.run.part_sizes import TextLength
from readers.engine.run.reader import Reader
from readers.engine.store.batches import Batch
from readers.engine.store.question_sets import ListedSet

A_PAGE = 20


def show(set_id: str, made: Sequence[Batch]) -> None:
    """Draw the set; `made` are its batches. Raises NotFound."""
    with access.opened() as store:
        kept = next((one for one in store.question_sets.listed() if one.id == set_id), None)
        if kept is None:
            raise NotFound(f"there is no question set {set_id[:40]!r} here; it may have been deleted, or the link was cut short")
        asked, titles = store.question_sets.questions(set_id), store.question_sets.documents(set_id)
        hidden = hidden_answers.hidden_questions(store)
    with st.container(key="set-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", kept.name, hint=" · ".join(words.set_facts(kept, datetime.now(UTC)))))
        _delete(kept, len(made))
    _read_them(kept, asked)
    st.html(markup.section("", "The questions"))
    _questions(kept, [words.without_answer(one) if hidden_answers.is_hidden(one, hidden) else one for one in asked], titles)


def _delete(kept: ListedSet, made: int) -> None:
    if not access.may_change(kept.id):
        return
    with st.popover("Delete …"):
        if made:
            batches_made = "A batch was" if made == 1 else f"{made:,} batches were"
            st.markdown(f"{batches_made} made from this set and graded by it. Delete that first; the readings stay.")
        else:
            st.markdown("Delete this question set? Its texts and their readings stay.")
        st.button(
            "Delete permanently",
            disabled=bool(made),
            key=state.key(keys.SET_DELETE, kept.id),
            on_click=_delete_now,
            args=(kept,),
        )


def _delete_now(kept: ListedSet) -> None:
    try:
        access.delete_questions(kept.id)
        flash.leave("success", f"Deleted “{kept.name}”.")
    except ReadingError as error:
        flash.leave_error(error)


# Starting a batch


def _read_them(kept: ListedSet, asked: Sequence[SetQuestion]) -> None:
    """Readers, models, the estimate, and Start."""
    ids = st.multiselect(
        "Readers", [reader.id for reader in READERS], default=[READERS[0].id], format_func=lambda reader: get(reader).title,
        key=state.key(keys.VARIANT_READERS, kept.id),
    )  # fmt: skip
    models = _models(kept.id)
    readers = [get(reader_id) for reader_id in ids]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = int(
            st.number_input(
                f"How many of the {wording.count(len(asked), 'question')}", 1, len(asked), min(len(asked), _usual()), 1,
                width=210,
                key=state.key(keys.FIRST_ONES, kept.id), help="The first questions, in the order of the set.",
            )
        )  # fmt: skip
        samples = int(
            st.number_input(
                "Readings of each", 1, batches.MAX_SAMPLES, 1, 1, width=210, key=state.key(keys.SAMPLES_EACH, kept.id),
                help="How often each reader reads each question with each model. The readings of one question are samples: their "
                "rewards are compared with each other.",
            )
        )  # fmt: skip
        give = True
        if any(one.choices for one in asked):
            label = "Give the readers the choices"
            give = st.checkbox(label, value=True, key=state.key(keys.GIVE_CHOICES, kept.id))
    chars = _usual_chars(asked)
    ways = {reader.id: _way_of(reader, chars) for reader in readers}
    variants = tuple(_variant(reader, model, ways[reader.id]) for reader in readers for model in models)
    if not variants:
        st.caption("Choose at least one reader and one model.")
        return
    plan = BatchPlan(variants, give_choices=give, samples=samples)
    try:
        for one in variants:
            access.check_options(one.options)
        plan_key = json.dumps(plan.to_json(), sort_keys=True)
        estimate = _estimate(kept.id, plan_key, first, _cache_key(), plan)
    except ReadingError as error:
        flash.error(error)
        return
    free = all(catalogue.needs_nothing(one.model) for one in variants)
    st.html(markup.fact_list(estimate_words.estimate_rows(estimate, free=free)))
    if samples > 1 and (note := words.sampling_note(variants)):
        st.caption(note)
    for problem in estimate.problems:
        st.warning(markup.plain(wording.sentence(problem)))
    _start(kept, plan, range(first), estimate)


def _usual() -> int:
    """The number of questions suggested: in a demo no more than a visit may read."""
    return max(1, min(20, demo_limits.limits().visit)) if access.demo() else 20


def _models(set_id: str) -> list[str]:
    """The models to read with, offered among the chosen one and those that need no key."""
    choice = state.model_choice()
    ids = [*([] if choice.human else [choice.id]), catalogue.OFFLINE, *catalogue.installed_local()]
    offered = list(dict.fromkeys(ids))
    return st.multiselect(
        "Models", offered, default=offered[:1], format_func=catalogue.title,
        key=state.key(keys.VARIANT_MODELS, set_id, state.short_hash(" ".join(offered))),
        help="The model chosen on the page Models, with its sampling, room and time; and the models on this machine.",
    )  # fmt: skip


def _usual_chars(asked: Sequence[SetQuestion]) -> int:
    """The median length of the set's texts in characters, for suggesting options."""
    with database.opened() as store:
        lengths = {one.id: one.chars for one in store.documents()}
    sizes = sorted(lengths[document] for document in {one.document for one in asked} if document in lengths)
    return sizes[len(sizes) // 2] if sizes else 10_000


class _Way(NamedTuple):
    """How a reader reads: its options, and the templates of its prompts that are not its own."""

    options: dict[str, object]
    prompts: dict[str, str]


def _way_of(reader: Reader, chars: int) -> _Way:
    with st.expander(f"How {reader.title} reads"):
        st.caption(markup.plain(reader_words.summary(reader)))
        suggested = part_sizes.suited(reader, TextLength.about(chars)).options
        options = options_form.ask_options(
            reader.Options, key=lambda name: state.key(keys.VARIANT_READERS, reader.id, name), suggested=suggested
        )
        way = _Way(options, _prompts(reader))
        options_form.show_wording_note(reader, options, way.prompts)
        return way


def _prompts(reader: Reader) -> dict[str, str]:
    """The templates of the prompt set that is chosen, if any are saved for this reader."""
    saved = {one.name: one.templates for one in access.prompt_sets(reader.id)}
    if not saved:
        return {}
    name = st.selectbox(
        "Prompts", ["", *saved], format_func=lambda name: f"“{name}”" if name else "as this reader words them", width=340,
        key=state.key(keys.VARIANT_PROMPTS, reader.id), help="Prompt sets are written and saved on the page Read.",
    )  # fmt: skip
    return changed_templates(reader, saved.get(name or "", {}))


def _variant(reader: Reader, model: str, way: _Way) -> RunSpec:
    spec = RunSpec(reader.id, reader.version, "", options=way.options, model=model, prompts=way.prompts)
    choice = state.model_choice()
    return start_runs.with_choice(spec) if model == choice.id else replace(spec, caps=choice.caps)


def _cache_key() -> str:
    """Changes when a reading ends, whose shared work then makes the estimate smaller, when a model's speed was measured, and from
    visitor to visitor of a demo: only their own replies and the host's are reused."""
    with database.opened() as store:
        return f"{store.runs(1)[0].ended if store.runs(1) else ''} {speed.version()} {access.visitor() or ''}"


@st.cache_resource(max_entries=32, show_spinner="Estimating …")
def _estimate(set_id: str, plan: str, first: int, cache_key: str, _plan: BatchPlan) -> BatchPrice:
    with access.opened() as store:
        return batches.price(store, store.question_sets.questions(set_id)[:first], _plan, readers=get)


def _start(kept: ListedSet, plan: BatchPlan, numbers: range, estimate: BatchPrice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = f"Start {wording.count(estimate.readings, 'reading')}"
        sent = st.button(label, type="primary", key=state.key(keys.BATCH_START, kept.id))
        st.html(markup.aside("They continue when you leave this page, and can be cancelled at any time."), width="content")
    if not sent:
        return
    try:
        with st.spinner("Getting ready …"):
            for model in {one.model for one in plan.variants}:
                process_cache.window_of(model)
            batch = start_runs.start_batch(kept.id, plan, numbers=numbers)
    except ReadingError as error:
        flash.error(error)
        return
    address.go_to_questions(address.to_batch(batch))


# The questions


def _questions(kept: ListedSet, asked: Sequence[SetQuestion], titles: dict[str, str]) -> None:
    pages = max(1, -(-len(asked) // A_PAGE))
    box = st.container(key="asked", gap=None)
    page = 1
    if pages > 1:
        with st.container(horizontal=True, horizontal_alignment="center", key="questions-pages"):
            page = st.pagination(pages, key=state.key(keys.SET_PAGE, kept.id)) or 1
    with box:
        for one in asked[A_PAGE * (page - 1) : A_PAGE * page]:
            text = titles.get(one.document, "its text is no longer in the library")
            st.html(
                html.asked(
                    one.question,
                    " · ".join(filter(None, (text, one.key, one.note))),
                    words.known_answer(one),
                    words.marked_choices(one),
                )
            )
