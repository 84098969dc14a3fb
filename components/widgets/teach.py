"""What begins a class on a reading or a lesson, and leads to those that this browser has led."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.session import address, flash, state
from readers.engine.errors import ReadingError
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession


def offer(label: str, about: str, run: Callable[[], str], *, title: str, steps: int, lesson: str = "") -> None:
    """Draw a box with what begins a class. `run`: the id of the reading, or of a lesson's first, which may first be imported."""
    key = lesson or run()
    box = st.popover(label, key=state.key("teaching", key), on_change="rerun")
    with box:  # also while it is shut: a box is placed by what is in it when it opens, and one that grows then leaves the window
        st.write(about)
        begins = st.button("Begin a class", type="primary", key=state.key("teach", key))
    if not (box.open or begins):
        return
    from components.session import classes

    with box:
        try:
            found = run()
            if begins:
                begun = classes.begin(found, title, steps=steps, lesson=lesson)
                st.switch_page("pages/Class.py", query_params=address.to_class(begun.code, stage=True))
        except ReadingError as error:
            flash.error(error)
            return
        for held in reversed(classes.own(found, lesson=lesson)):
            st.page_link("pages/Class.py", label=_label(held), query_params=address.to_class(held.code))


def _label(held: ClassSession) -> str:
    when = f"{held.created[:10]} {held.created[11:16]} UTC"
    return f"Class of {when}: what was voted" if held.is_over(now()) else f"Class of {when}: open, continue it"
