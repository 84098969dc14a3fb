"""The glossary on Learn: every term that the app explains, with its sentence, a drawing, and where it can be seen.

The terms, their sentences and their places are those of `html/terms.py`, and the drawings are in `assets/terms`. A term leads to
a step of a recorded reading that shows it; a term that no recording shows leads to the page about it.
"""

from __future__ import annotations

import streamlit as st
from markupsafe import Markup

from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.html.terms import BY_ID, FOLDER, TERMS, Term
from components.lessons import recorded
from components.session import address, flash, state
from components.session.drawing import nothing
from components.session.samples import open_recording
from readers import get
from readers.engine.errors import ReadingError

LEAD = "The words that are underlined with dots, each with a link to an example."


def entry(term: Term) -> Markup:
    """HTML of a term: drawing, name, sentence, and the button that leads to where it can be seen."""
    drawing = Markup((FOLDER / f"{term.id}.svg").read_text(encoding="utf-8"))
    lead = Markup('<button type="button" data-term="{}">{}:</button> {}.').format(term.id, _where(term), term.shows)
    return Markup('<div id="{}"><dt>{}</dt><dd class="drawn">{}</dd><dd>{}</dd><dd>{}</dd></div>').format(
        term.id, term.name, drawing, term.meaning, lead
    )


def _where(term: Term) -> str:
    if term.page:
        return f"The page {term.title}"
    return f"Step {term.step} of a reading by {get(recorded.recording_of(term.recording).reader).title}"


def all_entries() -> Markup:
    """HTML of all terms, in the order of the alphabet."""
    return Markup('<dl class="glossary">{}</dl>').format(
        Markup("").join(map(entry, sorted(TERMS, key=lambda term: term.name.lower())))
    )


_glossary = st.components.v2.component(
    "palimpsest.glossary", html=all_entries(), css=sheet("drawing", "glossary"), js=script("learn/glossary.js")
)


def show_glossary() -> None:
    """Draw the glossary, and go where a press on a term leads."""
    st.html(markup.section("", "Glossary"))
    st.html(Markup("<p>{}</p>").format(LEAD))
    pressed = _glossary(key=state.key("glossary"), on_opened_change=nothing).opened
    if pressed in BY_ID:
        _go(BY_ID[pressed])


def _go(term: Term) -> None:
    """Open the page about a term, or the recorded reading that shows it."""
    if term.page:
        st.switch_page(term.page)
    try:
        run_id = open_recording(recorded.recording_of(term.recording))
    except ReadingError as error:
        flash.error(error)
        return
    st.switch_page("pages/3_Trace.py", query_params=address.to_step(run_id, term.step))
