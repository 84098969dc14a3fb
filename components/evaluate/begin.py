"""Beginning an evaluation: a question set or a benchmark's own file, a paper's recipe if one is wanted, and the form of a batch.

`?set=ID` chooses a set. Not here: importing files, and the form of a batch (`widgets/start`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from components.evaluate import keys, wording
from components.html import markup
from components.html.words import wording as words
from components.session.page import address, flash, state
from components.session.visitor import access
from components.widgets.start import batch_form, import_questions
from readers.engine.questions.recipes import Recipe, names_of_data, recipe, recipes
from readers.engine.store.question_sets import ListedSet

FROM_SET, FROM_FILE = "set", "file"
SOURCES = {FROM_SET: "A question set", FROM_FILE: "A benchmark’s own file"}


def show() -> None:
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
    batch_form.ask(kept, asked, started=address.go_to_evaluate, recipe=chosen)


def _source(sets: Sequence[ListedSet]) -> str:
    """Where the questions are from; while there is no set, from a file."""
    if not sets:
        st.html(markup.empty(wording.NO_SET_YET))
        import_questions.offer_samples(sets, _saved)
        return FROM_FILE
    return str(
        st.segmented_control(
            "Questions from", [*SOURCES], format_func=SOURCES.__getitem__, default=FROM_SET, required=True, key=keys.SOURCE
        )
    )


def _set(sets: Sequence[ListedSet]) -> ListedSet:
    """The set that is chosen: the one that the address names, else the newest."""
    by_id = {one.id: one for one in sets}
    named = address.question_set_id()
    chosen = st.selectbox(
        "Question set", [*by_id], index=[*by_id].index(named) if named in by_id else 0,
        format_func=lambda one: wording.set_name(by_id[one]), key=state.key(keys.SET, named), width=560,
    )  # fmt: skip
    return by_id[chosen or sets[0].id]


def _saved(saved: ListedSet) -> None:
    """Go on with a set that was imported here."""
    flash.leave("success", f"Saved “{saved.name}” with {words.count(saved.questions, 'question')}.")
    state.set_value(keys.SOURCE, FROM_SET)
    address.set_question_set(saved.id)


def _recipe(benchmarks: Collection[str]) -> Recipe | None:
    """The recipe that fills the form, those for these questions first; None for none."""
    every = sorted(recipes(), key=lambda one: not one.fits(benchmarks))
    name = st.selectbox(
        "Recipe", ["", *(one.name for one in every)], key=keys.RECIPE, width=560,
        format_func=lambda one: wording.recipe_name(recipe(one), benchmarks) if one else "None: my own choice of readers",
        help="A paper’s setting: its readers with their presets, and the scores that it reports. Every value can be changed.",
    )  # fmt: skip
    if not name:
        return None
    found = recipe(name)
    for sentence in wording.about_recipe(found, benchmarks):
        st.caption(markup.plain(sentence))
    if found.elsewhere:
        with st.expander("What cannot be had on this machine"):
            st.markdown(markup.plain(found.elsewhere))
    return found
