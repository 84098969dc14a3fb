"""How much SQL one label takes, through the page's own way of saving it and of drawing the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from components.annotate import bench_player, label_panel
from components.annotate.bench_player import BenchReading
from readers.engine.labels.label import Label
from readers.engine.labels.project import HOST
from readers.engine.store import Store
from tests.support.labels import coded, opened, project

SAVING, DRAWING = 8, 2  # statements, with BEGIN and COMMIT: 31 and 10 when the viewer was loaded four times a message


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    """Every SQL statement that the store's connection executes meanwhile."""
    seen: list[str] = []
    connection = store.connection.db
    connection.set_trace_callback(seen.append)
    try:
        yield seen
    finally:
        connection.set_trace_callback(None)


def open_at_bench(store: Store) -> tuple[BenchReading, str]:
    where = project(store)
    run = opened(store, where, "Ann", "Ben")
    trace = SimpleNamespace(steps=[], wrote={})
    reading: Any = SimpleNamespace(
        run=store.runs.get(run), document=SimpleNamespace(text="The lamp was lit."), trace=trace, records=[]
    )
    return BenchReading(where, "Ann", reading, "panel"), run


def message(n: int, *labels: Label, expected: int = 0) -> dict[str, Any]:
    changes = [
        {
            "n": number, "do": "put", "expected": expected, "revision": 0, "book": 1,
            "label": {"id": label.id, "kind": label.kind, "target": label.target, "value": label.value},
        }
        for number, label in enumerate(labels)
    ]  # fmt: skip
    return {"n": n, "ops": changes, "ms": 1_500}


def test_saving_a_label_takes_at_most_eight_statements_and_its_answer_two_more(store: Store) -> None:
    at_bench, run = open_at_bench(store)
    new = coded(at_bench.project, run, "Ann", 1)
    changed = coded(at_bench.project, run, "Ann", 1, note="It turned.")
    for said in (message(1, new), message(2, changed, expected=1)):
        with statements(store) as saving:
            session = label_panel.save_message(store, at_bench, said)
        assert session is not None
        assert len(saving) <= SAVING, saving
        assert (saving[0], saving[-1]) == ("BEGIN IMMEDIATE", "COMMIT")
        with statements(store) as drawing:
            panel = label_panel.panel_state(store, session, at_bench.reading, hinted=False)
        assert len(drawing) <= DRAWING, drawing
        assert panel.labels == store.labels.in_project(at_bench.project.id, HOST, run=run, removed=True)
        assert panel.viewer == store.projects.viewer(at_bench.project.id, "Ann")
        assert panel.assignments == label_panel.assignments(store, at_bench.project, panel.viewer)
    assert [(one.revision, one.value["note"]) for one in panel.labels] == [(2, "It turned.")]
    assert store.turns.in_project(at_bench.project.id, HOST, annotator="Ann")[0].ms == 3_000


def test_ten_labels_in_one_message_take_two_statements_each(store: Store) -> None:
    at_bench, run = open_at_bench(store)
    labels = [coded(at_bench.project, run, "Ann", number) for number in range(10)]
    with statements(store) as saving:
        session = label_panel.save_message(store, at_bench, message(1, *labels))
    assert session is not None
    assert len(session.own) == 10
    assert len(saving) <= SAVING + 2 * 9, saving


def test_hints_that_are_shown_stay_so_at_the_next_reading(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    at_bench, _ = open_at_bench(store)
    session: dict[str, dict[str, Any]] = {}
    monkeypatch.setattr(bench_player.state, "remembered", lambda key, make: session.setdefault(key, make()))
    for number, shown in ((1, True), (2, False), (3, True)):
        assert label_panel.save_message(store, at_bench, {"n": number, "ops": [], "ms": 0, "act": {"do": "hints", "with": ""}})
        assert bench_player.kept(at_bench.project.id, "Ann").get("hints") is shown  # whatever the reading
        assert not bench_player.kept(at_bench.project.id, "Ben").get("hints")


def test_drawing_the_panel_without_a_message_takes_no_lock(store: Store) -> None:
    at_bench, _ = open_at_bench(store)
    with statements(store) as reading:
        session = label_panel.save_message(store, at_bench, None)
        assert session is not None
        label_panel.panel_state(store, session, at_bench.reading, hinted=False)
    assert len(reading) <= 5, reading
    assert not [one for one in reading if one.startswith("BEGIN")]
