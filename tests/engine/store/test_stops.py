"""Notes, pauses and predictions in the store and in the run file: they travel with their reading, and go with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers import get, offered
from readers.engine.errors import BadRunFile, NotFound
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.teaching.stops import Stop
from readers.engine.text.document import Document

MARKED = (Stop(0, "It begins.", pauses=True), Stop(1, "Which part?", predicts=True))


@pytest.fixture
def run(store: Store) -> Run:
    reader = get("memwalker")
    text = Document("The ferry", "Hester rows at noon.\n\nNobody swims.\n\nThe ferry leaves at one. " * 12)
    made = create_run(store, text, reader, RunSpec(reader.id, reader.version, "Who rows?", options={"segment_tokens": 40}))
    return execute(store, made.id, reader, Execution(Offline()))


def exported(store: Store, run: Run, **changed: Any) -> bytes:
    return json.dumps(run_file(store, run.id, get(run.reader)) | changed).encode()


def test_they_are_written_replaced_and_deleted_with_their_reading(store: Store, run: Run) -> None:
    store.stops.replace(run.id, MARKED)
    assert store.stops.of(run.id) == MARKED
    store.stops.put(run.id, Stop(1, "Another."))
    store.stops.put(run.id, Stop(0))
    assert store.stops.of(run.id) == (Stop(1, "Another."),)
    store.runs.delete(run.id)
    assert store.stops.of(run.id) == ()
    with pytest.raises(NotFound, match="may have been deleted"):
        store.stops.put(run.id, Stop(1, "Late."))


def test_they_travel_in_the_run_file(store: Store, run: Run) -> None:
    assert "stops" not in run_file(store, run.id, get(run.reader))
    store.stops.replace(run.id, MARKED)
    imported = import_run(store, exported(store, run), "run.json", readers=offered)
    assert imported.id != run.id
    assert store.stops.of(imported.id) == MARKED


@pytest.mark.parametrize(
    ("stops", "says"),
    [
        ([{"at": 10_000, "note": "x"}], "at stops: there is no step 10001"),
        ([{"at": 0, "note": 3}], "at stops.0.note"),
        ([{"at": 0, "note": "x" * 3_000}], "at stops: the note at step 1"),
        ([{"at": 0, "note": "x"}] * 2, "at the same step"),
    ],
)
def test_a_file_with_impossible_ones_is_refused(store: Store, run: Run, stops: list[Any], says: str) -> None:
    with pytest.raises(BadRunFile, match=says):
        import_run(store, exported(store, run, stops=stops), "run.json", readers=offered)
