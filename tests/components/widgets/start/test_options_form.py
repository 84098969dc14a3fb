"""A reader's options become fields by their types; what the fields give is what the options take."""

from __future__ import annotations

import dataclasses
import re

import pytest
from streamlit.testing.v1 import AppTest

from components.widgets.start.options_form import in_form, wrong
from readers import BUILT_IN, READERS, get
from readers.engine.prompts.options import options_of, read_options
from readers.engine.run.reader import Reader


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_the_fields_of_every_reader_give_back_its_defaults(reader: Reader) -> None:
    found = options_of(reader.Options)
    assert read_options(reader.Options, {name: option.default for name, option in found.items()}) == reader.Options()
    assert all(in_form(reader.Options, name).endswith(".") for name in found)


@pytest.mark.parametrize("reader", BUILT_IN, ids=lambda reader: reader.id)
def test_every_option_has_a_title_and_every_choice_a_name(reader: Reader) -> None:
    for field, option in zip(dataclasses.fields(reader.Options), (had := options_of(reader.Options)).values(), strict=True):
        assert field.metadata["title"]
        assert {*option.choices} <= option.names.keys()
        assert all({*wanted} <= {*had[other].choices, True, False} for other, wanted in option.beside.items())


def test_an_option_that_does_nothing_beside_the_others_is_not_asked_for() -> None:
    def asked(reader: str, **values: object) -> set[str]:
        known = options_of(get(reader).Options)
        found = {name: option.default for name, option in known.items()} | values
        return {name for name, option in known.items() if not option.is_idle(found)}

    assert {"top_k"} == asked("retrieval") & {"top_k", "window_tokens", "embedding_model"}
    assert {"window_tokens"} == asked("retrieval", fill=True) & {"top_k", "window_tokens", "embedding_model"}
    assert "embedding_model" in asked("retrieval", similarity="embedding")
    assert "window_tokens" in asked("whole")
    assert {"top_k", "window_tokens"} < asked("qrmem")
    assert "max_hops" not in asked("qrmem")
    assert "max_lookups" not in asked("readagent", mode="none")


def test_a_note_stands_below_its_option_and_follows_the_value() -> None:
    def page() -> None:
        from components.widgets.start import options_form
        from readers import get

        def note(name: str, values: dict[str, object]) -> str:
            return f"top {values['top_k']}" if name == "top_k" else ""

        options_form.ask_options(get("retrieval").Options, key=lambda name: name, note=note)

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert [caption.value for caption in app.caption] == ["top 5"]
    next(box for box in app.number_input if box.label == "Best ones taken").set_value(7).run()
    assert [caption.value for caption in app.caption] == ["top 7"]


def test_fields_are_drawn_and_hidden_as_others_change() -> None:
    def page() -> None:
        import streamlit as st

        from components.widgets.start import options_form
        from readers import get

        st.session_state["found"] = options_form.ask_options(get("retrieval").Options, key=lambda name: name)

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.selectbox[0].options[0] == "Shared words (BM25)"
    labels = [box.label for box in [*app.number_input, *app.text_input]]
    assert labels == ["Longest segment, in tokens", "Best ones taken"]
    app.checkbox[0].check().run()
    assert "Room for text, in tokens" in [box.label for box in app.number_input]
    assert "Best ones taken" not in [box.label for box in app.number_input]
    app.selectbox[0].set_value("embedding").run()
    assert [box.label for box in app.text_input] == ["Embedding model"]
    assert "embeddings need an embedding model" in wrong(get("retrieval").Options, app.session_state["found"])
    app.text_input[0].set_value("text-embedding-3-small").run()
    assert wrong(get("retrieval").Options, app.session_state["found"]) == ""
    assert app.session_state["found"]["top_k"] == 5


def test_help_in_the_form_calls_options_and_choices_as_the_form_does() -> None:
    helps = {(reader.id, name): in_form(reader.Options, name) for reader in READERS for name in options_of(reader.Options)}
    assert not [words for words in helps.values() if re.search(r"\b[a-z]+_[a-z]+", words)]
    assert "“One by one”" in helps["qrmem", "strategy"]
    assert "With “Compared by” set to “Embeddings”" in helps["retrieval", "embedding_model"]
    assert helps["qrmem", "max_hops"].startswith("“Hop by hop”: ")
