"""Fates in the store: found after a restart, for this end, this known answer and these rules alone, and gone with the run."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.errors import StoreError
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.store.migrations import migrate
from readers.engine.store.run_tape import SavedFate
from readers.engine.text.document import Document, Span

TEXT = "Anna lit the lamp at nine. The ferry left at noon with forty barrels. " * 3
KNOWN = KnownAnswer("When did it leave?", (), ("noon",), (Span(27, 69),))


@pytest.fixture
def every(store: Store) -> list[Wanted]:
    """Three finished readings."""
    reader, made = get("whole"), []
    for n in range(3):
        run = create_run(store, Document.of(TEXT, title="T"), reader, RunSpec("whole", reader.version, f"When did it leave {n}?"))
        execute(store, run.id, reader, Execution(Offline()))
        made.append(Wanted(store.runs.get(run.id), KNOWN))
    return made


def made(store: Store, every: list[Wanted]) -> dict[str, EvidenceFate | None]:
    return {want.run.id: fate for want, fate in evidence.make_fates(store, every, get)}


def test_what_was_computed_is_found_after_a_restart_and_equal(store: Store, every: list[Wanted]) -> None:
    assert evidence.saved_fates(store, every) == {}
    fates = made(store, every)
    with Store(store.path) as other:
        assert evidence.saved_fates(other, every) == fates
    assert {fate and fate.passed[:2] for fate in fates.values()} == {("in the text", "reached")}


def test_another_known_answer_or_another_end_is_not_found(store: Store, every: list[Wanted]) -> None:
    made(store, every)
    other = every[0]._replace(known=KnownAnswer("When did it leave?", (), ("nine",), KNOWN.evidence))
    assert set(evidence.saved_fates(store, [other, *every[1:]])) == {one.run.id for one in every[1:]}
    store.connection.execute("UPDATE runs SET ended = 'later' WHERE id = ?", (every[1].run.id,))
    resumed = Wanted(store.runs.get(every[1].run.id), KNOWN)
    assert evidence.saved_fates(store, [resumed]) == {}
    made(store, [resumed])
    assert list(evidence.saved_fates(store, [resumed])) == [resumed.run.id]
    (count,) = store.connection.execute("SELECT count(*) FROM fates WHERE run = ?", (resumed.run.id,)).fetchone()
    assert count == 1


def test_rows_of_other_rules_are_ignored_and_deleted(store: Store, every: list[Wanted], monkeypatch: pytest.MonkeyPatch) -> None:
    made(store, every)
    monkeypatch.setattr(evidence, "VERSION", evidence.VERSION + 1)
    assert evidence.saved_fates(store, every) == {}
    made(store, every[:1])
    (count,) = store.connection.execute("SELECT count(*) FROM fates").fetchone()
    assert count == 1


def test_they_are_deleted_with_their_run_and_none_is_saved_for_a_run_that_is_gone(store: Store, every: list[Wanted]) -> None:
    made(store, every)
    store.runs.delete(every[0].run.id)
    assert sorted(evidence.saved_fates(store, every)) == sorted(one.run.id for one in every[1:])
    store.fates.save([SavedFate(every[0].run.id, every[0].run.ended or "", "x", None)], evidence.VERSION)
    assert made(store, every[:1]) == {}
    assert every[0].run.id not in evidence.saved_fates(store, every)


def test_stopping_midway_saves_what_was_computed(store: Store, every: list[Wanted]) -> None:
    with closing(evidence.make_fates(store, every, get)) as making:
        first = next(making)
    assert list(evidence.saved_fates(store, every)) == [first[0].run.id]


def test_a_database_that_takes_nothing_stands_in_nobodys_way(
    store: Store, every: list[Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("the database is busy")

    monkeypatch.setattr(store.fates, "save", refuse)
    assert len(made(store, every)) == 3


def test_an_older_database_learns_of_fates(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, before="m010_fates")
    with Store(path) as store:
        assert store.fates.of_runs(["a"], evidence.VERSION) == []
