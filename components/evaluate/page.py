"""The Evaluate page: all batches next to the form that starts one, with a question set or a benchmark's own file and optionally a
paper's recipe; or one batch.

`?batch=ID` opens a batch (`batch.py`), `?set=ID` chooses a question set for a new one. Not here: importing files, and the form of
a batch (`widgets/start`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.evaluate import batch
from components.html import markup
from components.html.words import wording, work_words
from components.session import access, address, flash, start_runs, state
from components.widgets import reading_links
from components.widgets.reading_links import MakeProject
from components.widgets.start import batch_form, import_questions
from readers.engine.errors import NotFound
from readers.engine.questions.recipes import Recipe, names_of_data, recipe, recipes
from readers.engine.run import batches
from readers.engine.store.question_sets import ListedSet

PAGE = "pages/6_Evaluate.py"
LISTED = 40
FROM_SET, FROM_FILE = "set", "file"
SOURCES = {FROM_SET: "A question set", FROM_FILE: "A benchmark’s own file"}
NONE_YET = "None yet. The scores of readers on a batch’s questions will be shown here."
NO_SET_YET = "No question set yet. Import a benchmark’s own file or your own questions, and let readers answer them."


def show_evaluate(make_project: MakeProject | None = None) -> None:
    """Draw the page. `make_project` opens a new labelling project on the readings of a batch; None: not offered."""
    batch_id = address.batch_id()
    st.html(markup.page_title("Evaluate"))
    flash.show()
    if batch_id:
        try:
            batch.show(batch_id, make_project)
        except NotFound as error:
            flash.error(error)
            _choose()
    else:
        _choose()


def _choose() -> None:
    """The batches next to the form that starts one."""
    with st.container(key="eval-two"):
        left, right = st.columns([0.75, 1.25], gap="large")
    with left:
        _batches()
    with right:
        _begin()


def _batches() -> None:
    """The batches, newest first, each a link."""
    now = datetime.now(UTC)
    with access.opened() as store:
        made = store.batches.listed()
        stands = [(one, batches.progress(store, one.id)) for one in made[:LISTED]]
    st.html(markup.section("", "Evaluated batches", explains=True))
    if not stands:
        st.html(markup.empty(NONE_YET))
        reading_links.offer_recorded(compared=True)
    with st.container(key="eval-batches", gap=None):
        for one, progress in stands:
            facts = work_words.batch_facts(one, progress, going=start_runs.is_batch_running(one.id, progress), now=now)
            with st.container(key=f"text-at-{one.id}", gap=None):
                st.page_link(PAGE, label=markup.plain(one.name), query_params=address.to_batch(one.id))
                st.html(markup.facts(facts))
    if len(made) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(made):,}.")


# Beginning a batch


def _begin() -> None:
    """Draw the choice of questions, the recipe, and the form with its price."""
    st.html(markup.section("", "Evaluate readers"))
    with access.opened() as store:
        sets = store.question_sets.listed()
    if _source(sets) == FROM_FILE:
        import_questions.ask(_saved)
        return
    kept = _set(sets)
    with access.opened() as store:
        asked = store.question_sets.questions(kept.id)
    chosen = _recipe(names_of_data(asked))
    batch_form.ask(kept, asked, page=PAGE, recipe=chosen)


def _source(sets: Sequence[ListedSet]) -> str:
    """Where the questions are from; while there is no set, from a file."""
    if not sets:
        st.html(markup.empty(NO_SET_YET))
        import_questions.offer_samples(sets, _saved)
        return FROM_FILE
    return str(
        st.segmented_control(
            "Questions from", [*SOURCES], format_func=SOURCES.__getitem__, default=FROM_SET, required=True, key="eval_source"
        )
    )


def _set(sets: Sequence[ListedSet]) -> ListedSet:
    """The chosen set: the one in the address, else the newest."""
    by_id = {one.id: one for one in sets}
    named = address.question_set_id()
    chosen = st.selectbox(
        "Question set", [*by_id], index=[*by_id].index(named) if named in by_id else 0,
        format_func=lambda one: _set_name(by_id[one]), key=state.key("eval_set", named), width=560,
    )  # fmt: skip
    return by_id[chosen or sets[0].id]


def _set_name(listed: ListedSet) -> str:
    """A question set in a list to choose from."""
    return f"{listed.name} ({wording.count(listed.questions, 'question')} on {wording.count(listed.documents, 'text')})"


def _saved(saved: ListedSet) -> None:
    """Go on with a set that was imported here."""
    flash.leave("success", f"Saved “{saved.name}” with {wording.count(saved.questions, 'question')}.")
    state.set_value("eval_source", FROM_SET)
    address.set_question_set(saved.id)


def _recipe(benchmarks: Collection[str]) -> Recipe | None:
    """The recipe that fills the form, those for these questions first; None for none."""
    every = sorted(recipes(), key=lambda one: not one.fits(benchmarks))
    name = st.selectbox(
        "Recipe", ["", *(one.name for one in every)], key="eval_recipe", width=560,
        format_func=lambda one: recipe_name(recipe(one), benchmarks) if one else "None: my own choice of readers",
        help="A paper’s setting: its readers with their presets, and the scores that it reports. Every value can be changed.",
    )  # fmt: skip
    if not name:
        return None
    found = recipe(name)
    for sentence in about_recipe(found, benchmarks):
        st.caption(markup.plain(sentence))
    if found.elsewhere:
        with st.expander("What is not available on this machine"):
            st.markdown(markup.plain(found.elsewhere))
    return found


def recipe_name(one: Recipe, benchmarks: Collection[str]) -> str:
    """A recipe in a list to choose from; for other questions than these, with its benchmark."""
    return one.title if one.fits(benchmarks) else f"{one.title} (for {', '.join(one.benchmarks)})"


def about_recipe(one: Recipe, benchmarks: Collection[str]) -> list[str]:
    """What to know of a recipe before its readers read these questions."""
    return list(filter(None, [f"{one.paper}. {one.differs}", one.other_data(benchmarks)]))
