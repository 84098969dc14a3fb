"""Counts of things, whose names a reader may have given in the singular or in the plural."""

import pytest

from readers.engine.text.phrases import plural, with_article


@pytest.mark.parametrize(
    ("single", "many"),
    [
        ("a gist", "gists"), ("a fact", "facts"), ("a summary", "summaries"), ("an entity", "entities"), ("an essay", "essays"),
        ("a class", "classes"), ("a sketch", "sketches"), ("a box", "boxes"), ("a clause", "clauses"), ("a synopsis", "synopses"),
    ],
)  # fmt: skip
def test_a_thing_named_in_the_singular_or_the_plural_is_counted_in_both(single: str, many: str) -> None:
    what = single.split()[1]
    assert [plural(what), plural(many)] == [many, many]
    assert with_article(what) == single


@pytest.mark.parametrize(("many", "single"), [("facts", "a fact"), ("entries", "an entry"), ("sketches", "a sketch")])
def test_one_of_what_is_named_in_the_plural_is_in_the_singular(many: str, single: str) -> None:
    assert with_article(many) == single
