"""A reader's options become fields by their types; what the fields give is what the options take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from components.forms import fields_of, suggested_segments
from readers import READERS
from readers.engine.options import option, read_options
from readers.engine.runs import Reader


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


@pytest.mark.parametrize(("chars", "tokens"), [(0, 100), (3_000, 100), (32_000, 400), (80_000, 1000), (20_000_000, 1000)])
def test_a_short_text_gets_shorter_segments_and_a_long_one_the_papers(chars: int, tokens: int) -> None:
    assert suggested_segments(chars) == tokens
