"""Saved profiles: a model on its terms comes back under its name, and names do not clash."""

from __future__ import annotations

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.models.profiles import Profile
from readers.engine.store import Store

MINE = Profile(
    "openai/x", "http://127.0.0.1:9/v1", 0.5, window=4096, reply_form="schema", at_once=2, price_in=0.1, price_out=0.4,
    max_cost=2.5, name="Mine",
)  # fmt: skip


def test_a_profile_comes_back_as_it_was_saved_and_names_do_not_clash(store: Store) -> None:
    store.profiles.add(MINE)
    with Store(store.path) as other:
        assert (other.profiles.names(), other.profiles.get("mine")) == (["Mine"], MINE)
    with pytest.raises(BadOptions, match="already a profile 'Mine'"):
        store.profiles.add(Profile("gpt-4o-mini", name=" MINE "))
    with pytest.raises(NotFound, match="saved are 'Mine'"):
        store.profiles.get("Other")
    changed = store.profiles.change(Profile("openai/y", name="Mine"))
    assert store.profiles.get("Mine") == changed == Profile("openai/y", name="Mine")


def test_a_profile_is_renamed_and_deleted(store: Store) -> None:
    for name in ("a", "b"):
        store.profiles.add(Profile("openai/x", name=name))
    with pytest.raises(BadOptions, match="already a profile 'b'"):
        store.profiles.rename("a", "B")
    assert store.profiles.rename("a", "A") == "A"
    store.profiles.delete("b")
    assert store.profiles.names() == ["A"]
    for act in (lambda: store.profiles.delete("b"), lambda: store.profiles.rename("b", "c"), lambda: store.profiles.change(MINE)):
        with pytest.raises(NotFound, match="may have been deleted"):
            act()


def test_new_sessions_begin_with_the_one_that_was_chosen_last(store: Store) -> None:
    for name in ("a", "b"):
        store.profiles.add(Profile("openai/x", name=name))
    assert store.profiles.chosen() is None
    for name in ("a", "b"):
        store.profiles.choose(name)
        assert store.profiles.chosen() == name
    store.profiles.choose("")
    assert store.profiles.chosen() is None


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x00b"])
def test_what_is_no_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(BadOptions, match="1 to 60 characters"):
        store.profiles.add(Profile("openai/x", name=name))


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"api_base": "http://me:secret@h/v1"}, "would be stored"),
        ({"price_in": 1.0}, "fill in both fields"),
        ({"price_in": -1.0, "price_out": 1.0}, "from 0"),
        ({"max_cost": 0.0}, "more than 0"),
        ({"reply_form": "xml"}, "reply form is one of"),
    ],
)
def test_what_no_reading_could_use_is_not_saved(store: Store, terms: dict[str, object], words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        store.profiles.add(Profile("openai/x", name="x", **terms))  # type: ignore[arg-type]


def test_a_profile_of_a_model_that_is_gone_is_refused_by_name_and_can_be_deleted(store: Store) -> None:
    store.profiles.add(MINE)
    store.connection.execute("UPDATE profiles SET terms = ?", ('{"id": "local/gone"}',))
    with pytest.raises(BadOptions, match=r"the profile 'Mine' cannot be used: .*local/gone.*Change or delete it"):
        store.profiles.get("Mine")
    store.connection.execute("UPDATE profiles SET terms = ?", ('{"id": "openai/x", "later": 1}',))
    with pytest.raises(BadOptions, match="'later': another version"):
        store.profiles.get("Mine")
    store.profiles.delete("Mine")
