"""Prompt sets in the store: saved under a name, listed by reader, replaced and deleted; older databases learn of them."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.store import Store
from readers.engine.store.migrations import migrate
from tests.support.models.scripted_models import parts_of

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


def test_a_database_from_before_prompt_sets_is_brought_up_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, before="m003_prompt_sets")
    document = parts_of(2)
    row = (document.id, document.title, document.text)
    connection.execute("INSERT INTO documents (id, title, text, chars, tokens, created) VALUES (?, ?, ?, 1, 1, '')", row)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert "prompt_sets" not in tables
    assert "visits" in tables
    with Store(path) as store:
        assert "m003_prompt_sets" in store.schema()
        assert store.documents.get(document.id).text == document.text
        store.prompt_sets.save("memagent", "a", WORDS)
    with Store(path) as store:
        assert names(store) == ["a"]
        assert store.check() == "ok"


def test_several_may_save_at_once(store: Store) -> None:
    def save(n: int) -> None:
        with Store(store.path) as own:
            own.prompt_sets.save("memagent", f"set {n:02}", WORDS)

    threads = [threading.Thread(target=save, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(store) == [f"set {n:02}" for n in range(12)]
