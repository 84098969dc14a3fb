"""The form that starts a batch on a question set: readers, models, how many questions, how often, the estimate, and Start.

A recipe fills it: its readers, each with the first of its ways of reading, and whether choices are given; every value can be
changed. Its other ways are read as the paper has them. `session/access.py` decides who may start what; the batch itself runs in
`Jobs` and knows no page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.html.words import reading_words, wording, work_words
from components.session import access, address, database, demos, flash, process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from components.widgets.start import options_form
from components.widgets.start.choose_model import ask_models
from readers import READERS, get
from readers.engine.errors import ReadingError
from readers.engine.models import speed
from readers.engine.prompts.options import Preset
from readers.engine.questions.question_set import SetQuestion
from readers.engine.questions.recipes import Recipe, RecipeWay
from readers.engine.run import batches, part_sizes
from readers.engine.run.batches import BatchPlan, Draw
from readers.engine.run.estimate import price_batch
from readers.engine.run.execute import RunSpec, changed_templates
from readers.engine.run.part_sizes import TextLength
from readers.engine.run.reader import Reader
from readers.engine.store.question_sets import ListedSet
from readers.engine.work import Price

USUAL = 20  # questions
DRAWN, FIRST = "drawn", "first"
WHICH = {DRAWN: "Drawn at random, as many of each text", FIRST: "The first ones, which may be about few texts"}
NOTHING = Preset({}, reply_form=None)
LOG_PROBS = "Ask for log-probabilities"
LOG_PROBS_HELP = (
    "Asks servers for the tokens of each reply and their log-probabilities, which the rows for training then contain. The "
    "offline model has none."
)


@dataclass(frozen=True)
class _BatchQuestions:
    """What the form is about: a set, its questions, and the recipe that fills it, if one does."""

    kept: ListedSet
    questions: Sequence[SetQuestion]
    recipe: Recipe | None

    def key(self, name: str, *more: object) -> str:
        """The key of a field. With another recipe it begins with that recipe's value."""
        return state.key(name, self.kept.id, *([self.recipe.name] if self.recipe else []), *more)

    def ways_of(self, reader: Reader) -> list[RecipeWay]:
        """How the recipe has a reader read."""
        return [way for way in self.recipe.ways if way.reader == reader.id] if self.recipe else []


class _ReaderWay(NamedTuple):
    """How a reader reads: its options, the sampling of its preset, the templates of its prompts that are not its own, and the
    window of a recipe (None: the model's), and whether its parts have sizes that suit each text."""

    options: dict[str, object]
    preset: Preset
    prompts: dict[str, str]
    window: int | None = None
    auto: bool = False


def ask(kept: ListedSet, questions: Sequence[SetQuestion], *, page: str, recipe: Recipe | None = None) -> None:
    """Draw the form. The batch that was started is opened on this `page`."""
    asked = _BatchQuestions(kept, questions, recipe)
    ids = st.multiselect(
        "Readers", [reader.id for reader in READERS], default=[*recipe.readers] if recipe else [READERS[0].id],
        format_func=reading_words.title_of, key=asked.key("variant_readers"),
    )  # fmt: skip
    models = ask_models(kept.id)
    readers = [get(reader_id) for reader_id in ids]
    numbers, drawn, samples = _amount(asked)
    plan = replace(_asking(asked), samples=samples, recipe=recipe.name if recipe else "", drawn=drawn)
    sizes = _sizes(questions)
    shown = [(reader, _way_of(asked, reader, sizes)) for reader in readers]
    ways = [*shown, *_other_ways(asked, shown)]
    variants = tuple(_variant(reader, model, way) for reader, way in ways for model in models)
    if not variants:
        st.caption("Choose at least one reader and one model.")
        return
    auto = [way.auto for _, way in ways for _ in models]
    plan = replace(plan, variants=variants, auto=tuple(number for number, suits in enumerate(auto) if suits))
    try:
        for one in variants:
            access.check_options(one.options)
        plan_key = json.dumps(plan.to_json(), sort_keys=True)
        estimate = _estimate(kept.id, plan_key, tuple(numbers), _cache_key(), plan)
    except ReadingError as error:
        flash.error(error)
        if recipe:
            st.caption("You can change the recipe’s settings above, under “How … reads”.")
        return
    st.html(markup.fact_list(work_words.price_rows(estimate, of="Readings", time_note="one reading at a time")))
    if samples > 1 and (note := work_words.sampling_note(variants)):
        st.caption(note)
    if estimate.advice:
        st.caption(markup.plain(wording.sentence(estimate.advice)))
    for problem in estimate.problems:
        st.warning(markup.plain(wording.sentence(problem)))
    if batch := _start(asked, plan, numbers, estimate):
        st.switch_page(page, query_params=address.to_batch(batch))


def _usual() -> int:
    """The number of questions suggested: in a demo no more than a visit may read."""
    return max(1, min(USUAL, demos.limits().visit)) if access.demo() else USUAL


def _amount(asked: _BatchQuestions) -> tuple[Sequence[int], Draw | None, int]:
    """The numbers of the questions, how they were drawn, and how often each is read."""
    total = len(asked.questions)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = st.number_input(
            f"How many of the {wording.count(total, 'question')}", 1, total, min(total, _usual()), 1, width=210,
            key=asked.key("first_ones"),
        )  # fmt: skip
        samples = st.number_input(
            "Readings of each", 1, batches.MAX_SAMPLES, 1, 1, width=210, key=asked.key("samples_each"),
            help="How often each reader reads each question with each model. The readings of one question are samples: their "
            "rewards are compared with each other.",
        )  # fmt: skip
    numbers: Sequence[int] = range(int(first))
    drawn = None
    if first < total:
        which = st.radio("Which of them", list(WHICH), format_func=WHICH.get, horizontal=True, key=asked.key("which_ones"))
        if which == DRAWN:
            seed = st.number_input("Seed", 0, 10**9, 0, 1, width=190, key=asked.key("seed"), help="Another seed draws others.")
            numbers, drawn = batches.draw(asked.questions, int(first), seed=int(seed))
            if drawn:
                st.html(markup.aside(f"{drawn.words}."))
    return numbers, drawn, int(samples)


def _asking(asked: _BatchQuestions) -> BatchPlan:
    """How the models are asked: a plan without variants."""
    give, at_once, log_probs = True, 0, False
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if not access.demo():
            at_once = st.number_input(
                "Calls at once", 1, batches.MAX_AT_ONCE, state.model_choice().at_once, 1, width=210,
                key=asked.key("calls_at_once", state.model_choice().at_once),
                help="The most calls that one reading makes at once. Several readings also run at the same time.",
            )  # fmt: skip
            log_probs = st.checkbox(LOG_PROBS, value=False, key=asked.key("log_probs"), help=LOG_PROBS_HELP)
        if any(one.choices for one in asked.questions):
            label = "Give the readers the choices"
            wanted = asked.recipe.choices if asked.recipe else True
            give = st.checkbox(label, value=wanted, key=asked.key("give_choices"))
    return BatchPlan((), give, log_probs=log_probs, at_once=int(at_once))


def _sizes(asked: Sequence[SetQuestion]) -> list[int]:
    """The lengths of the set's texts in characters, from the shortest to the longest."""
    with database.opened() as store:
        lengths = {one.id: one.chars for one in store.documents.listed()}
    return sorted(lengths[document] for document in {one.document for one in asked} if document in lengths) or [10_000]


def _way_of(asked: _BatchQuestions, reader: Reader, sizes: Sequence[int]) -> _ReaderWay:
    """The options of a reader: those of the first way in the recipe; without one, sizes that suit each text, or a text of the
    median length."""
    first = next(iter(asked.ways_of(reader)), None)
    preset = _preset(reader, first) if first else NOTHING
    with st.expander(f"How {reader.title} reads"):
        st.caption(markup.plain(reading_words.summary(reader)))
        usual = TextLength.about(sizes[len(sizes) // 2])
        suggested = preset.options if first else part_sizes.suited(reader, usual).options
        differ = first is None and sizes[0] < sizes[-1]
        suit = options_form.ask_sizes(reader, differ=differ, key=state.key("variant_sizes", reader.id))
        options = options_form.ask_options(
            reader.Options, key=lambda name: state.key("variant_readers", reader.id, name), suggested=suggested, without=suit
        )
        if preset.sampling:
            terms = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in preset.sampling.items())
            st.caption(f"Its preset samples with {terms}.")
        way = _ReaderWay(options, preset, _prompts(reader), first.window if first else None, auto=bool(suit))
        options_form.show_wording_note(reader, options, way.prompts)
        return way


def _preset(reader: Reader, way: RecipeWay) -> Preset:
    """The preset of a way, with its options over those of the reader's preset."""
    preset = reader.presets.get(way.preset or "", NOTHING)
    return replace(preset, options={**preset.options, **way.options}, reply_form="words")


def _other_ways(asked: _BatchQuestions, shown: Sequence[tuple[Reader, _ReaderWay]]) -> list[tuple[Reader, _ReaderWay]]:
    """The chosen other ways of the recipe: without a choice, all."""
    others = {way.name: (reader, way, first.prompts) for reader, first in shown for way in asked.ways_of(reader)[1:]}
    if not others:
        return []
    wanted = st.multiselect(
        "Other rows of the paper", [*others], default=[*others], key=asked.key("other_ways", *others),
        help="The same readers in other rows of the paper, with the options of the recipe.",
    )  # fmt: skip
    picked = [(reader, _preset(reader, way), prompts, way.window) for reader, way, prompts in map(others.__getitem__, wanted)]
    return [(reader, _ReaderWay(dict(preset.options), preset, prompts, window)) for reader, preset, prompts, window in picked]


def _prompts(reader: Reader) -> dict[str, str]:
    """The templates of the prompt set that is chosen, if any are saved for this reader."""
    saved = {one.name: one.templates for one in access.prompt_sets(reader.id)}
    if not saved:
        return {}
    name = st.selectbox(
        "Prompts", ["", *saved], format_func=lambda name: f"“{name}”" if name else "in this reader’s own wording", width=340,
        key=state.key("variant_prompts", reader.id), help="Prompt sets are written and saved on the page Read.",
    )  # fmt: skip
    return changed_templates(reader, saved.get(name or "", {}))


def _variant(reader: Reader, model: ModelChoice, way: _ReaderWay) -> RunSpec:
    spec = RunSpec(reader.id, reader.version, "", options=way.options, prompts=way.prompts, **model.terms)
    return replace(spec, **way.preset.terms, window=way.window or spec.window)


def _cache_key() -> str:
    """Changes when a reading ends, whose shared work then makes the estimate smaller, when a model's speed was measured, and from
    visitor to visitor of a demo: only their own replies and the host's are reused."""
    with database.opened() as store:
        return f"{store.runs.listed(1)[0].ended if store.runs.listed(1) else ''} {speed.version()} {access.visitor() or ''}"


@st.cache_resource(max_entries=32, show_spinner="Estimating …")
def _estimate(set_id: str, plan: str, numbers: tuple[int, ...], cache_key: str, _plan: BatchPlan) -> Price:
    with access.opened() as store:
        questions = store.question_sets.questions(set_id)
        return price_batch(store, [questions[number] for number in numbers], _plan, readers=get)


def _start(asked: _BatchQuestions, plan: BatchPlan, numbers: Sequence[int], estimate: Price) -> str:
    """Start, and the id of the batch that was started; empty before."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = f"Start {wording.count(estimate.of, 'reading')}"
        sent = st.button(label, type="primary", key=asked.key("batch_start"))
        st.html(markup.aside("They continue when you leave this page, and can be cancelled at any time."), width="content")
    if not sent:
        return ""
    try:
        with st.spinner("Getting ready …"):
            for model in {one.model for one in plan.variants}:
                process_cache.window_of(model)
            return start_runs.start_batch(asked.kept.id, plan, numbers=numbers)
    except ReadingError as error:
        flash.error(error)
        return ""
