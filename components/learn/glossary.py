"""The glossary on Learn: every term that the app explains, with its sentence, a drawing, and where it can be seen.

The terms and their sentences are those of the underlined terms on every page (`html/terms.py`); nothing is said twice. Drawings
and places are in `assets/terms`. A term leads to a step of a recorded reading that shows it; one that no recording comes to leads
to the page that is about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.html.terms import TERMS, Term
from components.learn import keys, recorded
from components.session import address, flash, state
from components.session.samples import open_recording
from readers import get
from readers.engine.errors import ReadingError

DRAWINGS = Path(__file__).parents[2] / "assets" / "terms"
LEAD = "The words that are underlined with dots, each with a place where it can be seen at work."


class RecordedStep(NamedTuple):
    """A step (from 1) of a recorded reading, by the name of its file, and what is to be seen there."""

    recording: str
    number: int
    shows: str


class TermPage(NamedTuple):
    """A page that is about a term, for want of a recorded step."""

    path: str
    name: str
    shows: str


@cache
def places() -> Mapping[str, RecordedStep | TermPage]:
    """Where each term can be seen, by its name."""
    return {
        name: RecordedStep(row["recording"], row["step"], row["shows"])
        if "step" in row
        else TermPage(row["page"], row["name"], row["shows"])
        for name, row in json.loads((DRAWINGS / "places.json").read_text(encoding="utf-8")).items()
    }


def entry(term: Term) -> str:
    """HTML of a term: drawing, name, sentence, and the button that leads to where it can be seen."""
    drawing = (DRAWINGS / f"{term.id}.svg").read_text(encoding="utf-8")
    place = places()[term.name]
    lead = f'<button type="button" data-term="{escape(term.id)}">{escape(_where(place))}:</button> {escape(place.shows)}.'
    return (
        f'<div id="{escape(term.id)}"><dt>{escape(term.name)}</dt><dd class="drawn">{drawing}</dd>'
        f"<dd>{escape(term.meaning)}</dd><dd>{lead}</dd></div>"
    )


def _where(place: RecordedStep | TermPage) -> str:
    if isinstance(place, TermPage):
        return f"The page {place.name}"
    return f"Step {place.number} of a reading by {get(recorded.recording_of(place.recording).reader).title}"


def all_entries() -> str:
    """HTML of all terms, in the order of the alphabet."""
    return f'<dl class="glossary">{"".join(map(entry, sorted(TERMS, key=lambda term: term.name.lower())))}</dl>'


_glossary = st.components.v2.component(
    "palimpsest.glossary", html=all_entries(), css=sheet("drawing", "glossary"), js=script("learn/glossary.js")
)


def show_glossary() -> None:
    """Draw the glossary, and go where a press on a term leads."""
    st.html(markup.section("", "Glossary"))
    st.html(f"<p>{escape(LEAD)}</p>")
    pressed = _glossary(key=state.key(keys.GLOSSARY), on_opened_change=_nothing).opened
    found = next((places()[term.name] for term in TERMS if term.id == pressed), None)
    if found is not None:
        _go(found)


def _go(place: RecordedStep | TermPage) -> None:
    """Open a page, or a recorded reading at a step."""
    if isinstance(place, TermPage):
        st.switch_page(place.path)
    try:
        run_id = open_recording(recorded.recording_of(place.recording))
    except ReadingError as error:
        flash.error(error)
        return
    address.go_to_step(run_id, place.number)


def _nothing() -> None:
    """Streamlit reports a component's changes only if there is a callback."""
