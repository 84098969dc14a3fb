"""The planted-fact lab: the form for a new one, or the map of a batch that the address names."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import wording as page_words
from components.learn import html
from components.learn.lab import form, heat, wording
from components.session.page import address, flash
from components.session.visitor import access
from readers.engine.errors import NotFound


def show_lab() -> None:
    """Draw the lab."""
    st.page_link("pages/7_Learn.py", label="All lessons", icon=":material/arrow_back:")
    st.html(markup.page_title("The planted-fact lab"))
    flash.show()
    if address.batch_id():
        try:
            heat.show(address.batch_id())
        except NotFound as error:
            st.error(markup.plain(page_words.sentence(str(error))))
        return
    st.html(html.prose([wording.LEAD]))
    form.show()
    _earlier()


def _earlier() -> None:
    """The maps that were made before, newest first."""
    with access.opened() as store:
        made = [batch for batch in store.batches.listed() if batch.name.startswith(wording.NAME)]
    if not made:
        return
    st.html(markup.section("", "Earlier maps"))
    for batch in made[:10]:
        label = f"{batch.name} · {page_words.ago(batch.created, datetime.now(UTC))}"
        st.page_link("pages/7_Learn.py", label=markup.plain(label), query_params=address.to_lab(batch.id))
