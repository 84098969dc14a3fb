"""A reader's options become fields by their types; what the fields give is what the options take."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Literal

import pytest
from streamlit.testing.v1 import AppTest

from components.widgets.start.options_form import fields_of, wrong
from readers import BUILT_IN, READERS, get
from readers.engine.prompts.options import is_idle, option, read_options
from readers.engine.run.reader import Reader


@dataclass(frozen=True)
class Many:
    count: int = option(3, "How many.", lowest=1, highest=9)
    share: float = option(0.5, "How much.")
    really: bool = option(True, "Whether.")
    way: Literal["up", "down"] = option("up", "Which way.")
    steps: int | None = option(None, "How far.", lowest=1)
    name: str = option("x", "What.")


def test_every_kind_of_option_has_its_field() -> None:
    assert {field.name: field.kind for field in fields_of(Many)} == {
        "count": "whole", "share": "number", "really": "truth", "way": "one of", "steps": "whole", "name": "words",
    }  # fmt: skip


def test_a_field_carries_help_range_choices_and_whether_it_may_be_auto() -> None:
    count, _, _, way, steps, _ = fields_of(Many)
    assert (count.help, count.lowest, count.highest, count.default, count.may_be_auto) == ("How many.", 1, 9, 3, False)
    assert way.choices == ("up", "down")
    assert (steps.default, steps.may_be_auto, steps.choices) == (None, True, ())


def test_a_suggested_value_takes_the_place_of_the_default() -> None:
    assert [field.default for field in fields_of(Many, {"count": 7})][:2] == [7, 0.5]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_the_fields_of_every_reader_give_back_its_defaults(reader: Reader) -> None:
    fields = fields_of(reader.Options)
    assert read_options(reader.Options, {field.name: field.default for field in fields}) == reader.Options()
    assert all(field.help.endswith(".") for field in fields)


@pytest.mark.parametrize("reader", BUILT_IN, ids=lambda reader: reader.id)
def test_every_option_has_a_title_and_every_choice_a_name(reader: Reader) -> None:
    had = {field.name: field for field in fields_of(reader.Options)}
    for field in dataclasses.fields(reader.Options):
        names, beside = field.metadata["names"], field.metadata["beside"]
        assert field.metadata["title"]
        assert {*had[field.name].choices} <= names.keys()
        assert all({*wanted} <= {*had[other].choices, True, False} for other, wanted in beside.items())


def test_an_option_that_does_nothing_beside_the_others_is_not_asked_for() -> None:
    def asked(reader: str, **values: object) -> set[str]:
        found = {field.name: field.default for field in fields_of(get(reader).Options)} | values
        return {name for name in found if not is_idle(get(reader).Options, name, found)}

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
    helps = {(reader.id, field.name): field.help for reader in READERS for field in fields_of(reader.Options)}
    assert not [words for words in helps.values() if re.search(r"\b[a-z]+_[a-z]+", words)]
    assert "“One by one”" in helps["qrmem", "strategy"]
    assert "With “Compared by” set to “Embeddings”" in helps["retrieval", "embedding_model"]
    assert helps["qrmem", "max_hops"].startswith("“Hop by hop”: ")
