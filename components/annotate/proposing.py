"""The owner has a model propose codes for the readings of a project; how many it has, and how to have it go on.

No proposal is shown here: `panel_data.py` decides who sees them at the bench. Not here: what is asked
(`engine/analysis/proposals.py`).
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.session import access, flash, process_cache, state
from readers import get
from readers.engine.analysis import proposals
from readers.engine.analysis.proposals import Proposing
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.labels.label import is_model
from readers.engine.labels.project import NOBODY, Project
from readers.engine.models import catalogue
from readers.engine.models.call import ModelSettings
from readers.engine.models.model import Retry
from readers.engine.store import Store

ABOUT = (
    "A model may propose codes for steps, and mark the words that show them. Its proposals are no labels until an annotator "
    "accepts them, and are in no figure of what people found."
)
GOES_ON = "It goes on while this page is open, reading by reading; what it has proposed stays."


def show(store: Store, project: Project) -> None:
    """What models have proposed, and the button that has the chosen one go on."""
    st.html(markup.section("", "Proposals of a model"))
    st.html(markup.aside(ABOUT))
    done: dict[str, int] = {}
    for turn in store.turns.in_project(project.id, NOBODY):
        if is_model(turn.annotator):
            done[turn.annotator] = done.get(turn.annotator, 0) + 1
    st.html(markup.facts([f"{name}: {wording.count(number)}" for name, number in sorted(done.items())]))
    choice = state.model_choice()
    settings = ModelSettings(choice.id, choice.api_base, choice.temperature, choice.top_p)
    try:
        if access.demo():
            raise BadOptions("in this public demo no model proposes codes")
        asking = proposals.begin(store, project, settings)
    except ReadingError as error:
        st.html(markup.aside(wording.sentence(str(error))))
        st.page_link("pages/8_Models.py", label="Choose a model")
        return
    label = f"Have {catalogue.title(choice.id)} propose codes for {wording.count(len(asking.runs))}"
    if not asking.runs:
        st.html(markup.aside(f"{catalogue.title(choice.id)} has proposed codes for all finished readings."))
    elif st.button(markup.plain(label), key=state.key("propose", project.id), help=GOES_ON):
        _go_on(asking)


def _go_on(asking: Proposing) -> None:
    """Ask about one reading after the other, and say how far it came."""
    choice = state.model_choice()
    bar, codes = st.progress(0.0, GOES_ON), 0
    try:
        with access.opened() as store:
            window, factor = process_cache.window_of_choice(choice), process_cache.room_factor_of(choice.id)
            asking = replace(asking, settings=replace(asking.settings, window=window, room_factor=factor))
            model = Retry(catalogue.open_model(choice.id, api_key=choice.api_key))
            for came, run in enumerate(asking.runs):
                bar.progress(came / len(asking.runs), f"Reading {came + 1:,} of {len(asking.runs):,} …")
                codes += asking.ask(store, run, get, model).codes
    except ReadingError as error:
        flash.leave("error", f"{wording.sentence(str(error))} {wording.count(codes, 'code')} proposed before that.")
    else:
        flash.leave(
            "success", f"{asking.annotator} proposed {wording.count(codes, 'code')} for {wording.count(len(asking.runs))}."
        )
    st.rerun()
