"""*Teach this reading*: begin a class on it, and the classes that were held on it."""

from __future__ import annotations

import streamlit as st

from components.session.page import address, flash, state
from components.session.visitor import classes
from components.trace import keys
from readers.engine.errors import ReadingError
from readers.engine.store import Reading
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession

ABOUT = (
    "A class follows the reading on your screen. At each decision it votes on what the model will do, talks, votes again, and "
    "then sees what the model chose. Learners open the page on their own devices with a code: no account, no name."
)


def show_teach(reading: Reading) -> None:
    """Draw what begins a class, for a reading that has ended and has steps."""
    run = reading.run
    if run.ended is None or not reading.trace.steps:
        return
    with st.popover("Teach this reading"):
        st.write(ABOUT)
        if st.button("Begin a class", type="primary", key=state.key(keys.TEACH, run.id)):
            try:
                begun = classes.begin(run, steps=len(reading.trace.steps))
            except ReadingError as error:
                flash.error(error)
                return
            address.go_to_class(begun.code, stage=True)
        for held in reversed(classes.own(run.id)):
            st.page_link("pages/Class.py", label=_label(held), query_params=address.to_class(held.code))


def _label(held: ClassSession) -> str:
    when = f"{held.created[:10]} {held.created[11:16]} UTC"
    return f"Class of {when}: what was voted" if held.is_over(now()) else f"Class of {when}: open, go on with it"
