"""Content ids: a reading keeps its own on every machine, and another reading has another."""

from __future__ import annotations

from typing import Any

import pytest

from readers import get
from readers.engine.errors import BadRunFile, NotFound
from readers.engine.files.runs.content import LENGTH, content_of
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.text.document import Document
from tests.engine.files.runs.import_run.conftest import Late, every_reader, exported, spec_of, taken, text, there

__all__ = ["text", "there"]  # fixtures
READER = get("memagent")


def read(store: Store, text: Document, reader: Any = READER, **more: Any) -> Run:
    return execute(store, create_run(store, text, reader, spec_of(reader, **more)).id, reader, Execution(Offline()))


@every_reader
def test_an_imported_reading_has_the_content_id_of_its_original_and_is_found_by_it(
    reader: Any, store: Store, there: Store, text: Document
) -> None:
    run = read(store, text, reader)
    content = content_of(store, run)
    assert len(content) == LENGTH
    new = taken(there, exported(store, run))
    assert new.id != run.id
    assert new.content == content == content_of(there, new)
    assert there.runs.get(content) == new
    assert store.runs.get(content).id == run.id


def test_the_same_calls_by_another_run_have_the_same_content_id(store: Store, text: Document) -> None:
    """What differs between two runs of the same reading does not count: ids, times, the order of replies, the cache."""
    one, other = read(store, text), read(store, text)
    assert content_of(store, one) == content_of(store, other)
    assert [run.id for run in store.runs.with_content(content_of(store, one))] == [one.id, other.id]


def test_another_question_model_setting_or_reply_has_another_content_id(store: Store, text: Document) -> None:
    run = read(store, text)
    forked = fork(store, open_reading(store, run.id), READER, ReplyEdit(1, 0, "The lamp is out."))
    others = (forked, read(store, text, temperature=0.5), read(store, text, get("memwalker")))
    assert len({content_of(store, one) for one in (run, *others)}) == 4


def test_a_reading_that_is_not_finished_gets_another_one_when_it_goes_on(store: Store, text: Document) -> None:
    late = Late(2)
    started = create_run(store, text, READER, spec_of(READER))
    run = execute(store, started.id, READER, Execution(late, concurrency=1, stopped=late.enough))
    before = content_of(store, run)
    assert store.runs.get(run.id).content is None
    finished = execute(store, run.id, READER, Execution(Offline()))
    assert content_of(store, finished) != before
    assert store.runs.get(run.id).content == content_of(store, finished)


def test_a_file_that_states_another_content_id_is_refused(store: Store, there: Store, text: Document) -> None:
    data = exported(store, read(store, text))
    data["run"]["spec"]["temperature"] = 0.5
    with pytest.raises(BadRunFile, match=r"at run\.content_id: it says"):
        taken(there, data)
    del data["run"]["content_id"]
    assert taken(there, data).content


def test_a_content_id_that_is_not_here_is_no_reading(store: Store) -> None:
    with pytest.raises(NotFound):
        store.runs.get("0" * LENGTH)
