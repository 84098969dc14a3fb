"""A store of every earlier form, and the run files of its time, open in today's app: real code of that time wrote them.

Each file in `tests/fixtures/written_by/` is what the last commit with a form of the store wrote (`tests/written_by.py`). Every
reading is viewed, compared, followed, labelled and exported, from its store and from its run file. One by an earlier version of
its reader is shown as recorded and not forked; one by this version is replayed when it is imported, and can be forked.
"""

from __future__ import annotations

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from components.replay.file import replay_file
from components.replay.reading import of as replay_of
from components.replay.reading import replayed
from readers import READERS, get
from readers.engine.analysis.differences import first_difference, settings, where_paths_diverge
from readers.engine.analysis.facts.follow import follow
from readers.engine.errors import BadOptions
from readers.engine.files.labels import export_labels
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.fork import fork
from readers.engine.labels.project import HOST, Settings
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.store.migrations import copy_of
from readers.engine.store.schema import MIGRATIONS
from readers.engine.text.document import Span
from tests.engine.files.runs.import_run.test_json_schema import problems
from tests.support.labels import BOOK, coded
from tests.written_by import KEPT, QUESTION

WRITTEN = sorted(file.name.removesuffix(".tar.xz") for file in KEPT.glob("*.tar.xz"))
TOGETHER = {"m007_demo_usage", "m011_samples"}  # in one store with the next migration
every_schema = pytest.mark.parametrize("schema", WRITTEN)


@pytest.fixture
def then(schema: str, tmp_path: Path) -> Path:
    """What was written then: `palimpsest.db`, `runs/NAME.json` and `index.json`."""
    with tarfile.open(KEPT / f"{schema}.tar.xz") as archive:
        archive.extractall(tmp_path / "then", filter="data")
    return tmp_path / "then"


def index_of(then: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((then / "index.json").read_text(encoding="utf-8"))
    return found


def look_at(store: Store, run: Run) -> Reading:
    """Do with a reading all that can be done with any: view it, follow a fact, and export it."""
    reading, reader = open_reading(store, run.id), get(run.reader)
    frames = replay_of(replayed(store, run.id))["frames"]
    assert len(frames["steps"]) == len(reading.trace.steps) > 0
    fact = reading.document.text.index("Amos Garbutt")
    (found,) = follow(reading, reader, [Span(fact, fact + 28)])
    assert found.fate
    assert problems(json.loads(json.dumps(run_file(store, run.id, reader)))) == []
    return reading


def compare(readings: list[Reading]) -> None:
    """Compare each reading with the next one."""
    for one, other in zip(readings, [*readings[1:], readings[0]], strict=True):
        first_difference(one, other)
        where_paths_diverge(one.trace, other.trace)
        rows = settings([one.run, other.run], {run.reader: get(run.reader) for run in (one.run, other.run)})
        assert bool(rows) == (one.run.id != other.run.id)


def label(store: Store, runs: list[Run]) -> None:
    """Make a project of the readings, label a step of each, and export the labels."""
    project = store.projects.create(
        "Again", Settings(start_stage=3, share=1.0, annotators=2), runs=[run.id for run in runs], book=BOOK
    )
    store.projects.join(project.id, "Ada")
    for number, run in enumerate(store.projects.readings(project.id)):
        store.turns.open(project.id, run, "Ada")
        store.labels.put(coded(project, run, "Ada", number), 0)
    lines = export_labels.as_jsonl(export_labels.gathered(store, project.id, HOST)).splitlines()
    assert sum('"step"' in line for line in lines) >= len(runs)


def fork_it(store: Store, reading: Reading) -> None:
    """A reading by this version of its reader is forked, and goes on; another is refused with the reason."""
    reader = get(reading.run.reader)
    replied = next(record for record in reading.records if record.task != "score" and record.reply is not None)
    edit = ReplyEdit(replied.seq, replied.attempt, "Nobody kept it.")
    if reading.run.is_of_version(reader.version):
        made = fork(store, reading, reader, edit)
        assert execute(store, made.id, reader, Execution(Offline(), concurrency=1)).status == "finished"
    else:
        with pytest.raises(BadOptions, match="can be viewed but not forked; ask its question again and fork that reading"):
            fork(store, reading, reader, edit)


@every_schema
@pytest.mark.slow
def test_a_store_of_every_form_opens_and_all_can_be_done_with_its_readings(schema: str, then: Path) -> None:
    index, path = index_of(then), then / "palimpsest.db"
    assert list(index["schema"]) == list(MIGRATIONS)[: len(index["schema"])]
    with closing(sqlite3.connect(path)) as before:
        kept = before.execute("SELECT count(*) FROM runs").fetchone()
    with Store(path) as store:
        assert store.check() == "ok"
        assert set(store.schema()) == set(MIGRATIONS)
        assert copy_of(path).exists() == (len(index["schema"]) < len(MIGRATIONS))
        assert store.connection.execute("SELECT count(*) FROM runs").fetchone() == kept
        runs = [store.runs.get(was["id"]) for was in index["readings"].values()]
        assert [run.answer for run in runs] == [was["answer"] for was in index["readings"].values()]
        readings = [look_at(store, run) for run in runs]
        compare(readings)
        label(store, runs)
        assert QUESTION in replay_file([replayed(store, run.id) for run in runs])
        for reading in readings:
            fork_it(store, reading)


@every_schema
@pytest.mark.slow
def test_every_run_file_of_that_time_is_imported_and_all_can_be_done_with_it(schema: str, then: Path, store: Store) -> None:
    index = index_of(then)
    readings = []
    for name, was in index["readings"].items():
        file = then / "runs" / f"{name}.json"
        data = json.loads(file.read_text(encoding="utf-8"))
        assert problems(data) == [], name
        run = import_run(store, file, file.name, readers=get)
        reading = look_at(store, run) if run.unchecked else open_reading(store, run.id)  # the same as in the store, if replayed
        assert (run.answer, run.unchecked) == (was["answer"], was["version"] < get(was["reader"]).version), name
        assert run_file(store, run.id, get(run.reader))["events"] == data["events"], name
        if run.unchecked:
            fork_it(store, reading)
        readings.append(reading)
    compare(readings)
    label(store, [reading.run for reading in readings])


def test_a_store_of_every_form_is_kept() -> None:
    """When this fails, a migration was added: `python -m tests.written_by COMMIT`, with the last commit before it, keeps one."""
    assert {*WRITTEN} | TOGETHER == set(MIGRATIONS)


def test_every_reader_is_among_what_the_latest_store_holds(tmp_path: Path) -> None:
    with tarfile.open(KEPT / f"{[*MIGRATIONS][-1]}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    found = {(was["reader"], was["version"]) for was in index_of(tmp_path)["readings"].values()}
    assert found == {(reader.id, reader.version) for reader in READERS}
