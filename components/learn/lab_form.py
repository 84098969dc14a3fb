"""What to plant, where, and who reads it: the form of the lab, with a preview, the estimate, and Start."""

from __future__ import annotations

import json
from typing import NamedTuple, get_args

import streamlit as st

from components.html import document as prose
from components.html import markup
from components.html.words import wording, work_words
from components.html.words.reading_words import title_of
from components.learn import lab_html
from components.learn import lab_wording as words
from components.session import access, address, flash, process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from components.widgets.start import choose_text, options_form
from components.widgets.start.choose_model import ask_models
from readers import READERS, get
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.questions.made import planted
from readers.engine.questions.made.planted import FactKind, Places, PlantedFact
from readers.engine.questions.question_set import QuestionSet
from readers.engine.run import batches, part_sizes
from readers.engine.run.batches import BatchPlan
from readers.engine.run.estimate import price_batch
from readers.engine.run.execute import RunSpec
from readers.engine.run.part_sizes import TextLength
from readers.engine.text.document import Document
from readers.engine.text.plant import LONGEST_SENTENCE, Planted
from readers.engine.work import Price

AROUND = 350  # characters shown before and after the fact
DEPTHS = (0, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 100)
FIRST_DEPTHS = (0, 25, 50, 75, 100)


class Chosen(NamedTuple):
    """A text, and the fact to plant in it."""

    document: Document
    fact: PlantedFact
    kind: words.Choice
    seed: int


def show() -> None:
    """Draw the form; Start opens the map."""
    with st.container(key="two-lab"):
        left, right = st.columns([1, 1], gap="large")
    with left:
        chosen = _what()
    if chosen is None:
        return
    with left:
        places = _where(chosen)
    with right:
        _preview(chosen, places)
    if not places.depths or not places.sizes:
        st.caption("Choose at least one depth and one size.")
        return
    plan = _who(chosen, places)
    if plan:
        _price_and_start(chosen, places, plan)


# What, and where


def _what() -> Chosen | None:
    st.html(markup.section("1", "Text and fact"))
    picked = choose_text.choose()
    if picked.document is None:
        st.caption(markup.plain(picked.missing))
        return None
    document = picked.document
    kind: words.Choice = (
        st.selectbox("What to plant", list(words.KINDS), format_func=words.KINDS.__getitem__, key="lab_kind") or "one"
    )
    try:
        if kind == "own":
            fact = _own(document)
            return Chosen(document, fact, kind, 0) if fact else None
        seed = int(st.number_input("Seed", 0, 999_999, 0, 1, key="lab_seed", width=160, help=words.SEED))
        fact = planted.prepared(_fact_kind(kind), document.text, seed=seed)
    except ReadingError as error:
        flash.error(error)
        return None
    st.html(markup.fact_list([
        markup.Fact("Planted", " … ".join(told.words for told in fact.told)),
        markup.Fact("Question", fact.question),
        markup.Fact("Right answer", fact.answer),
    ]))  # fmt: skip
    return Chosen(document, fact, kind, seed)


def _fact_kind(kind: words.Choice) -> FactKind:
    found: FactKind | None = next((one for one in get_args(FactKind) if one == kind), None)
    if found is None:
        raise BadOptions(f"there is no prepared fact of the kind {kind!r}")
    return found


def _own(document: Document) -> PlantedFact | None:
    """A fact that is written here; None as long as something is missing."""
    sentence = st.text_input("The sentence", max_chars=LONGEST_SENTENCE, key=state.key("lab_sentence", document.id))
    question = st.text_input("The question that it answers", key=state.key("lab_question", document.id))
    answer = st.text_input("The right answer, in a few words", key=state.key("lab_answer", document.id))
    if not (sentence.strip() and question.strip() and answer.strip()):
        st.caption("Write all three. The answer is graded by rule, so keep it short.")
        return None
    return planted.written(sentence, question, answer)


def _where(chosen: Chosen) -> Places:
    st.html(markup.section("2", "Depths and sizes"))
    depths = st.multiselect("Depths, in percent of the text", DEPTHS, default=FIRST_DEPTHS, key="lab_depths", help=words.DEPTH)
    offered = planted.sizes_for(chosen.document)
    sizes = [planted.WHOLE]
    if len(offered) > 1:
        sizes = st.multiselect("Sizes", offered, default=[planted.WHOLE], format_func=words.size, help=words.SIZES,
                               key=state.key("lab_sizes", chosen.document.id))  # fmt: skip
    return Places(tuple(depths), tuple(sizes), chosen.seed)


def _preview(chosen: Chosen, places: Places) -> None:
    """Where the fact is inserted, at one of the depths."""
    st.html(markup.section("", "Where it goes in"))
    if not places.depths:
        return
    depth = places.depths[0]
    if len(places.depths) > 1:
        depth = st.select_slider(
            "Show it at this depth", sorted(places.depths), format_func=lambda one: f"{one} %", key="lab_preview"
        )
    try:
        changed, evidence, outdated = planted.change(chosen.document, chosen.fact, depth)
    except ReadingError as error:
        flash.error(error)
        return
    spans = sorted([*evidence, *outdated])
    marks = [prose.Mark(*span, "there") for span in spans]
    text = changed.text
    st.html(lab_html.places([start / len(text) for start, _ in spans], words.goes_in([start for start, _ in spans], text)))
    st.html(prose.passages(text, prose.windows(text, spans, around=AROUND), marks))


# Who reads it, the estimate, and Start


def _who(chosen: Chosen, places: Places) -> BatchPlan | None:
    st.html(markup.section("3", "Readers and models"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ids = st.multiselect(
            "Readers", [reader.id for reader in READERS], default=[reader.id for reader in READERS[:2]],
            format_func=lambda one: get(one).title, key="lab_readers",
        )  # fmt: skip
        models = ask_models("lab")
    if not ids or not models:
        st.caption("Choose at least one reader and one model.")
        return None
    chars = len(chosen.document.text) if planted.WHOLE in places.sizes else 5 * max(places.sizes)
    ways = [(one, *_options(one, chars, differ=len(places.sizes) > 1)) for one in ids]
    variants = tuple(_variant(one, model, options) for one, options, _ in ways for model in models)
    auto = [suits for _, _, suits in ways for _ in models]
    name = words.name(chosen.kind, chosen.document.title)
    return BatchPlan(variants, name=name, auto=tuple(number for number, suits in enumerate(auto) if suits))


def _options(reader_id: str, chars: int, *, differ: bool) -> tuple[dict[str, object], bool]:
    """The options of a reader, and whether its parts have sizes that suit each text."""
    reader = get(reader_id)
    with st.expander(f"How {reader.title} reads"):
        suggested = part_sizes.suited(reader, TextLength.about(chars)).options
        suit = options_form.ask_sizes(reader, differ=differ, key=state.key("lab_sizes", reader_id))
        options = options_form.ask_options(
            reader.Options, key=lambda name: state.key("lab_option", reader_id, name), suggested=suggested, without=suit
        )
    return options, bool(suit)


def _variant(reader_id: str, model: ModelChoice, options: dict[str, object]) -> RunSpec:
    access.check_options(options)
    return RunSpec(reader_id, get(reader_id).version, "", options=options, **model.terms)


def _price_and_start(chosen: Chosen, places: Places, plan: BatchPlan) -> None:
    """The estimate, once somebody asks for it, and Start."""
    asked = json.dumps([chosen.document.id, repr(chosen.fact), repr(places), plan.to_json()], sort_keys=True)
    st.html(markup.section("4", "What it takes"))
    if state.value("_lab_priced") != asked:
        readings = wording.count(len(places.depths) * len(places.sizes) * len(plan.variants))
        key = state.key("lab_estimate", state.short_hash(asked))
        st.button(f"Estimate {readings}", type="primary", key=key, on_click=state.set_value, args=("_lab_priced", asked))
        return
    try:
        made = _made(asked, chosen, places, plan.name)
        price = _price(made.id, asked, access.visitor() or "", made, plan)
    except ReadingError as error:
        flash.error(error)
        return
    st.html(markup.fact_list(work_words.price_rows(price, of="Readings", time_note="one reading at a time")))
    for problem in price.problems:
        st.warning(markup.plain(wording.sentence(problem)))
    expected = _expected(made.id, places, plan)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = f"Start {wording.count(price.of)}"
        sent = st.button(label, type="primary", key=state.key("lab_start", made.id))
        st.html(markup.aside("They continue when you leave this page, and can be cancelled at any time."), width="content")
    if sent:
        _start(made, plan, expected)


def _expected(set_id: str, places: Places, plan: BatchPlan) -> frozenset[words.ExpectedCell]:
    """The cells that the visitor expects to be lost: a variant, from 0, and a depth."""
    st.html(markup.section("5", "Before you see it"))
    st.caption(words.EXPECT)
    found = set()
    for number, name in enumerate(batches.variant_names(plan, title_of)):
        chosen = st.segmented_control(
            markup.plain(name), sorted(places.depths), selection_mode="multi", format_func=lambda one: f"{one} %",
            key=state.key("lab_expected", set_id, number),
        )  # fmt: skip
        found |= {(number, float(depth)) for depth in chosen}
    return frozenset(found)


@st.cache_resource(max_entries=8, show_spinner="Planting …")
def _made(key: str, _chosen: Chosen, _places: Places, name: str) -> QuestionSet:
    return planted.as_set(name, list(planted.planted_texts(_chosen.document, _chosen.fact, _places)))


@st.cache_resource(max_entries=16, show_spinner="Estimating …")
def _price(set_id: str, plan: str, visitor: str, _made: QuestionSet, _plan: BatchPlan) -> Price:
    with access.opened() as store:
        return price_batch(store, _made.questions, _plan, readers=get, texts=_made.documents)


def _start(made: QuestionSet, plan: BatchPlan, expected: frozenset[words.ExpectedCell]) -> None:
    """Save the changed texts, each marked with the place of the fact, and start readings of them."""
    try:
        with st.spinner("Getting ready …"):
            for model in {one.model for one in plan.variants}:
                process_cache.window_of(model)
            _mark(made)
            kept = access.add_questions(made)
            batch = start_runs.start_batch(kept.id, plan, numbers=range(len(made.questions)))
    except ReadingError as error:
        flash.error(error)
        return
    state.set_value(state.key(words.EXPECTED, batch), expected)
    st.switch_page("pages/7_Learn.py", query_params=address.to_lab(batch))


def _mark(made: QuestionSet) -> None:
    texts = {text.id: text for text in made.documents}
    for asked in made.questions:
        access.add_planted(Planted(texts[asked.document], asked.evidence[-1]))
