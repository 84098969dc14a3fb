"""Prompt sets in the store: saved under a name, listed by reader, replaced and deleted; older databases learn of them."""

from __future__ import annotations

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.store import Store

WORDS = {"memagent.update": "$problem\n$memory – $section, „ä“ 灯台 $$5"}


def names(store: Store, reader: str = "memagent") -> list[str]:
    return [kept.name for kept in store.prompt_sets.of_reader(reader)]


def test_a_set_comes_back_as_it_was_saved(store: Store) -> None:
    saved = store.prompt_sets.save("memagent", "  Mine,  the   first ", WORDS)
    assert saved.name == "Mine, the first"
    with Store(store.path) as other:
        assert other.prompt_sets.of_reader("memagent") == [saved]
        assert other.prompt_sets.of_reader("rememr1") == []
    assert dict(saved.templates) == WORDS
    assert saved.created.endswith("+00:00")


def test_sets_are_listed_by_name_and_one_of_the_same_name_is_replaced(store: Store) -> None:
    for name in ("b", "a", "c", "A"):
        store.prompt_sets.save("memagent", name, WORDS)
    store.prompt_sets.save("rememr1", "a", {"rememr1.answer": "x"})
    store.prompt_sets.save("memagent", " a ", {"memagent.answer": "other"})
    assert names(store) == ["A", "a", "b", "c"]
    assert [dict(kept.templates) for kept in store.prompt_sets.of_reader("memagent")][1] == {"memagent.answer": "other"}
    assert names(store, "rememr1") == ["a"]


def test_a_deleted_set_is_gone_and_no_other(store: Store) -> None:
    store.prompt_sets.save("memagent", "a", WORDS)
    store.prompt_sets.save("rememr1", "a", WORDS)
    store.prompt_sets.delete("memagent", "a")
    assert (names(store), names(store, "rememr1")) == ([], ["a"])
    for name in ("a", "A", "' OR 1=1 --"):
        with pytest.raises(NotFound, match="deleted already"):
            store.prompt_sets.delete("memagent", name)
    assert names(store, "rememr1") == ["a"]


@pytest.mark.parametrize("name", ["", "  \n\t ", "x" * 81, "a\x00b", "a\u202eb"])
def test_what_is_no_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(BadOptions, match="1 to 80 characters"):
        store.prompt_sets.save("memagent", name, WORDS)
    assert names(store) == []


@pytest.mark.parametrize("name", ["x" * 80, " " * 9 + "x" * 80, "<b>'; DROP TABLE prompt_sets; --", "„Ä“ 灯台", "half \ud800"])
def test_any_name_of_eighty_characters_is_one(store: Store, name: str) -> None:
    kept = store.prompt_sets.save("memagent", name, {"memagent.update": "half \ud800 of it"})
    assert names(store) == [kept.name]
    assert store.prompt_sets.of_reader("memagent")[0].templates == {"memagent.update": "half ? of it"}
    store.prompt_sets.delete("memagent", kept.name)
