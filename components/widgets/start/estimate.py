"""The estimate of a reading, shown before it starts, and where the reader will cut the text."""

from __future__ import annotations

import streamlit as st

from components.html import document as prose
from components.html import markup, pictures
from components.html.markup import Fact
from components.html.words import wording, work_words
from components.session import state
from components.widgets import report, text_cache
from readers.engine.models import catalogue
from readers.engine.run.estimate import Estimate
from readers.engine.run.execute import RunSpec
from readers.engine.text.document import Document

SHOWN = 6_000


def show_estimate(found: Estimate, spec: RunSpec) -> None:
    """Draw calls, tokens, cost and time, and how they were estimated."""
    st.html(markup.fact_list(figures(found, spec)))
    for sentence in _how(found, spec):
        st.caption(sentence)
    if found.advice:
        st.caption(markup.plain(wording.sentence(found.advice)))
    for problem in found.problems:
        st.warning(markup.plain(wording.sentence(problem)))


def figures(found: Estimate, spec: RunSpec) -> list[Fact]:
    """Each figure with its name and a note."""
    if spec.model == catalogue.OFFLINE:
        based_on = ""
    elif found.measured:
        based_on = "based on this model’s speed on this machine"
    else:
        based_on = f"based on {'how long you took before' if spec.model == catalogue.HUMAN else 'this model’s earlier calls'}"
    likely = f"most likely {wording.duration(found.likely)}, " if found.likely else ""
    return work_words.price_rows(found, time_note=likely + based_on)


def _how(found: Estimate, spec: RunSpec) -> list[str]:
    """Where the figures come from, if they are not exact."""
    said = []
    if not found.whole:
        said.append("The text is long, so only its beginning was rehearsed and the calls for the rest were estimated from that.")
    if spec.model != catalogue.OFFLINE and not found.problems:
        owner = ("Your", "your") if spec.model == catalogue.HUMAN else ("This model’s", "its")
        said.append(
            "Found by rehearsing the reading with the offline model (no neural network). "
            f"{owner[0]} way to an answer and the length of {owner[1]} replies are guesses, so these are ranges."
        )
    if (spec.room_factor or 1) > 1 and not found.problems:
        said.append(
            "This model thinks before it replies. Its thoughts count as tokens received: from none up to all the room that the "
            "reply leaves."
        )
    if found.open_end:
        said.append("The rehearsal could not run to its end, so there will be more calls than these.")
    return said


def show_opening(document: Document) -> None:
    st.html(markup.section("", document.title, hint=text_cache.size(document.id, document)))
    st.html(prose.passages(document.text, [prose.opening(document.text)], []))


def show_cuts(document: Document, found: Estimate, about: str) -> None:
    """Draw the text with a line where each part begins. `about`: the settings in brief, for the field's key."""
    cuts = found.cuts
    if not cuts:
        show_opening(document)
        return
    sizes = text_cache.token_counts(document.id, cuts, document)
    with st.container(key="two-cuts"):
        left, right = st.columns([1, 1], gap="large")
    with left:
        first = _first_part(document, found, about)
        drawn, last = pictures.cut_text(document.text, cuts, sizes, first, SHOWN)
        if len(cuts) > 1:
            st.html(pictures.stripes(sizes, first, last))
            report.draw(pictures.parts_table(document.text, cuts, sizes), kind="parts")
    with right:
        st.html(markup.section("", document.title, hint=text_cache.size(document.id, document)))
        st.html(drawn)


def _first_part(document: Document, found: Estimate, about: str) -> int:
    """Draw the field for the first part to show; return its number, from 0."""
    count = len(found.cuts)
    st.html(
        markup.section(
            "", "Where the text will be cut", hint=_parts(count) if count == found.parts else f"about {_parts(found.parts)}"
        )
    )
    if missing := left_out(found):
        st.warning(missing)
    if count == 1:
        st.caption("The reader does not cut this text: it is one part.")
        return 0
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        key = state.key("first_part", document.id, state.short_hash(about))
        first = int(st.number_input("Show text from part", 1, count, 1, width=170, key=key)) - 1
        if count < found.parts:
            st.caption(f"The first {count:,} parts are listed.")
    return first


def _parts(count: int) -> str:
    return f"{count:,} part{'' if count == 1 else 's'}"


def left_out(found: Estimate) -> str:
    """Which of the parts the model will never see, in a sentence."""
    numbers = [number for number, cut in enumerate(found.cuts, 1) if cut in found.left_out]
    if not numbers:
        return ""
    named = f"Part {numbers[0]:,} is" if len(numbers) == 1 else f"{_parts(len(numbers))} are"
    return f"{named} left out for lack of room: the model does not see {'it' if len(numbers) == 1 else 'them'}."
