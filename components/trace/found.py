"""Words marked in a reading, for a person who comes from a search: a line with its passages, each a press away.

The browser marks the words wherever they stand on the page (`assets/js/player/found.js`). The line is hidden while the end of the
reading is (trace.css): a passage may be of a later step.
"""

from __future__ import annotations

import streamlit as st

from components.player import browser_text, mount
from components.player.contract import FoundData
from components.session import address, process_cache, state
from readers.engine.analysis.passages import FoundPassage
from readers.engine.store import Reading
from readers.engine.text.search import Sought

MOST = 500


def show(reading: Reading) -> None:
    """Draw the line, if the address asks for words."""
    words = address.words_to_find()
    if not words:
        return
    unit = browser_text.counter(reading.document.text)
    passages = [
        {"at": one.step - 1, "whose": one.whose, "place": unit(one.place.start) if one.place else None}
        for one in _passages(reading, words)
    ]
    data: FoundData = {
        "run": reading.run.id,
        "words": list(Sought.of(words).phrases),
        "passages": passages,
        "at": (address.step() or 0),
    }
    with st.container(key="found-words"):
        if mount.found(data, key=state.key("found", reading.run.id, state.short_hash(words))):
            address.find_no_more()
            st.rerun()


def call_at(reading: Reading, at: int) -> int | None:
    """The first call of a step (from 0) with words that the address asks for; None without any."""
    words = address.words_to_find()
    return next((one.call for one in _passages(reading, words) if one.step == at + 1 and one.call is not None), None)


def _passages(reading: Reading, words: str) -> list[FoundPassage]:
    return process_cache.passages(reading, words)[:MOST] if words else []
