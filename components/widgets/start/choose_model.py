"""The choice of models where readings are started: a saved profile for this session, oneself, or several models for a batch."""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.session import access, flash, state
from components.session.model_choice import ModelChoice
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue

BE_THE_MODEL = "The reading waits at every call. You see exactly what a model would see, and write the reply."
HELP = "A model with its address, sampling, limits and price, saved on the page Models. Its key is never saved."


def choose_profile() -> None:
    """Draw the choice of a saved profile, if there is one. Another one is in use at once."""
    names, choice = access.profiles(), state.model_choice()
    if not names:
        return
    offered = names if choice.name in names else ["", *names]
    picked = st.selectbox(
        "Profile", offered, index=offered.index(choice.name if choice.name in names else ""),
        format_func=lambda name: name or f"none: {catalogue.title(choice.id)}",
        help=HELP, key=state.key("profile", state.model_choices_made()),
    )  # fmt: skip
    if not picked or picked == choice.name:
        return
    try:
        access.choose_model(access.profile(picked))
    except ReadingError as error:
        flash.error(error)
        return
    st.rerun()


def ask_models(about: str) -> list[ModelChoice]:
    """Draw the models to read a batch with: the chosen one, the saved profiles, and those that need no key."""
    choice = state.model_choice()
    offered: dict[str, ModelChoice] = {}
    here = [ModelChoice(model, **choice.caps) for model in (catalogue.OFFLINE, *catalogue.installed_local())]
    for one in [*([] if choice.human else [choice]), *access.usable_profiles(), *here]:
        offered.setdefault(one.name or catalogue.title(one.id), one)
    names = list(offered)
    picked = st.multiselect(
        "Models", names, default=names[:1],
        key=state.key("variant_models", about, state.short_hash(" ".join(names))),
        help="The model chosen on the page Models, with its sampling, room and time; saved profiles; and the models on this "
        "machine.",
    )  # fmt: skip
    return [offered[name] for name in picked]


def be_the_model(choice: ModelChoice) -> None:
    """The buttons that switch to being the model yourself, and back to the model chosen before."""
    if not choice.human:
        if st.button("Be the model yourself", key="be_model", help=BE_THE_MODEL):
            state.remember_previous_model_choice(choice)
            access.choose_model(ModelChoice(catalogue.HUMAN))
            st.rerun()
        return
    before = state.previous_model_choice() or ModelChoice(catalogue.OFFLINE)
    if st.button("Let a model read", key="model_back", help=f"The previous model: {markup.plain(catalogue.title(before.id))}."):
        access.choose_model(before)
        st.rerun()
