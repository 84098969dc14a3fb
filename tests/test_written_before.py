"""Stored data is a contract: a store, run files and labels written before the app was rebuilt work as they did.

What lies in `tests/fixtures/before/` is told there. A failure here means that people's data would change or be lost.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readers import _INTERNAL, READERS, get
from readers.engine.files import export_labels, label_studio
from readers.engine.files.import_labels import import_labels
from readers.engine.files.import_run import import_run
from readers.engine.files.read_labels import read_label_file
from readers.engine.files.run_file import run_file
from readers.engine.forks.experiments import experiments_of
from readers.engine.forks.fork import fork
from readers.engine.labels.project import HOST, Viewer
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import RefusingModel
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run import batches
from readers.engine.run.execute import Execution, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.store.reading import open_reading
from tests.support.paths import ROOT

BEFORE = ROOT / "tests" / "fixtures" / "before"
INDEX: dict[str, dict[str, str]] = json.loads((BEFORE / "index.json").read_text(encoding="utf-8"))
RUNS, OTHERS, DOCUMENTS = INDEX["runs"], INDEX["others"], INDEX["documents"]
UNFINISHED = {"resumable": "failed", "cancelled": "cancelled", "interrupted": "interrupted"}
SAMPLES = ("experiment_0", "experiment_1", "experiment_2", "experiment_3", "experiment_firm")
# A store names these anew when a run file is imported.
NAMED_ANEW = ("id", "created", "parent")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The old store as `palimpsest.db`, and the folders `runs` and `labels` of what it exported."""
    folder = tmp_path_factory.mktemp("before")
    (folder / "palimpsest.db").write_bytes(gzip.decompress((BEFORE / "palimpsest.db.gz").read_bytes()))
    with tarfile.open(BEFORE / "exports.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def old(written: Path, own_home: Path) -> Iterator[Store]:
    """A copy of the old store, at home."""
    own_home.mkdir()
    shutil.copy(written / "palimpsest.db", own_home)
    with Store() as opened:
        yield opened


def exported(store: Store, run: str) -> dict[str, Any]:
    return run_file(store, run, get(store.run(run).reader))


def as_written(data: dict[str, Any]) -> str:
    """A run file as the old code put it on disk, but for the version of the app."""
    return json.dumps({**data, "app_version": ""}, ensure_ascii=False, separators=(",", ":"))


def unnamed(data: dict[str, Any]) -> str:
    return as_written({**data, "run": {key: value for key, value in data["run"].items() if key not in NAMED_ANEW}})


def viewers(store: Store, project: str) -> dict[str, Viewer]:
    return {"host": HOST} | {name: store.projects.viewer(project, name) for name in ("Ada", "Ben", "Lea")}


class Counting:
    """The offline model, noting which calls it answers."""

    def __init__(self) -> None:
        self.answered: list[tuple[int, int]] = []

    def complete(self, call: Call) -> Reply:
        self.answered.append((call.seq, call.attempt))
        return Offline().complete(call)


def test_the_store_opens_with_everything_in_it(old: Store) -> None:
    assert old.check() == "ok"
    assert {run.id for run in old.runs(samples=True)} == set(RUNS.values())
    assert {shelved.id for shelved in old.documents()} == set(DOCUMENTS.values())
    assert {name: old.run(RUNS[name]).status for name in UNFINISHED} == UNFINISHED
    assert {old.run(run).status for name, run in RUNS.items() if name not in UNFINISHED} == {"finished"}
    assert {project.id for project in old.projects.listed()} == {OTHERS["project"], OTHERS["project_notes"]}
    assert {made.name: sorted(made.templates) for made in old.prompt_sets.of_reader("memwalker")} == {
        "More careful": ["memwalker.triage"]
    }
    assert [made.name for made in old.prompt_sets.of_reader("whole")] == ["Politely"]
    assert len(old.question_sets.questions(OTHERS["question_set"])) == 4
    assert batches.progress(old, OTHERS["batch"]).answered == 8


def test_prompts_have_the_hashes_that_records_name() -> None:
    hashes = {prompt.id: prompt.hash for reader in (*READERS, *_INTERNAL) for prompt in reader.prompts}
    then = json.loads((BEFORE / "prompts.json").read_text(encoding="utf-8"))
    assert {prompt: hashes.get(prompt) for prompt in then} == then


def test_every_run_file_is_exported_as_it_was(old: Store, written: Path) -> None:
    for name, run in RUNS.items():
        then = json.loads((written / "runs" / f"{run}.json").read_text(encoding="utf-8"))
        assert as_written(exported(old, run)) == as_written(then), name


def test_every_finished_reading_replays_without_a_call(old: Store) -> None:
    for name, run in RUNS.items():
        before, events = old.run(run), old.tape(run).events()
        if before.status != "finished":
            continue
        after = execute(old, run, get(before.reader), Execution(RefusingModel(), concurrency=1))
        assert (after.status, after.outcome, after.answer, after.error) == (
            "finished",
            before.outcome,
            before.answer,
            before.error,
        ), name
        assert old.tape(run).events() == events, name


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_unfinished_reading_resumes_and_asks_no_answered_call_again(old: Store, name: str) -> None:
    run = old.run(RUNS[name])
    had = {(record.seq, record.attempt) for record in old.tape(run.id).records() if record.reply is not None}
    events = old.tape(run.id).events()
    model = Counting()
    done = execute(old, run.id, get(run.reader), Execution(model, concurrency=1))
    assert (done.status, done.outcome) == ("finished", "answered")
    assert model.answered
    assert not had & set(model.answered)
    whole = old.run(RUNS[run.reader])  # the same question, read to its end in one go
    assert done.answer == whole.answer
    assert old.tape(run.id).events()[: len(events)] == events
    assert old.tape(run.id).events() == old.tape(whole.id).events()


@pytest.mark.parametrize("name", [*(reader.id for reader in READERS), "fork_reply", "fork_model", "fork_of_fork", "taken_in"])
def test_a_fork_with_the_recorded_reply_is_the_old_reading_again(old: Store, name: str) -> None:
    parent = open_reading(old, RUNS[name])
    reader = get(parent.run.reader)
    asked = [record for record in parent.records if record.task != "score" and record.reply is not None]
    record = asked[len(asked) // 2]
    assert record.reply is not None
    made = fork(old, parent, reader, ReplyEdit(record.seq, record.attempt, record.reply))
    again = execute(old, made.id, reader, Execution(RefusingModel(), concurrency=1))
    assert (again.status, again.outcome, again.answer) == ("finished", parent.run.outcome, parent.run.answer)
    assert old.tape(again.id).events() == old.tape(parent.run.id).events()


def test_a_fork_with_another_reply_is_read_on_from_there(old: Store) -> None:
    parent = open_reading(old, RUNS["recurrence"])
    record = [record for record in parent.records if record.task != "score"][1]
    made = fork(old, parent, get("recurrence"), ReplyEdit(record.seq, record.attempt, "The kettle was green."))
    done = execute(old, made.id, get("recurrence"), Execution(Offline(), concurrency=1))
    origins = [r.origin for r in old.tape(done.id).records()]
    assert done.status == "finished"
    assert origins[:2] == ["replayed", "edited"]
    assert "live" in origins


def test_experiments_and_batches_go_on(old: Store) -> None:
    (found,) = experiments_of(old, RUNS["memwalker_worded"])
    assert {sample.id for sample in found.runs} == {RUNS[name] for name in SAMPLES[:4]}
    jobs = Jobs(at_once=1)
    batches.start(jobs, OTHERS["batch_not_begun"], batches.BatchExecution(get, lambda run: Execution(Offline(), concurrency=1)))
    assert jobs.wait(60)
    assert batches.progress(old, OTHERS["batch_not_begun"])[:2] == (2, 2)


def test_labels_are_exported_as_they_were(old: Store, written: Path) -> None:
    for project in (OTHERS["project"], OTHERS["project_notes"]):
        for who, viewer in viewers(old, project).items():
            export = export_labels.gathered(old, project, viewer)
            now = {
                "jsonl": export_labels.as_jsonl(export),
                "csv": export_labels.as_csv(export),
                "label_studio.json": label_studio.as_label_studio(export, old),
                "label_studio_setup.xml": label_studio.setup(export),
            }
            for ending, data in now.items():
                then = (written / "labels" / f"{project}-{who}.{ending}").read_bytes()
                assert data.encode() == then, (project, who, ending)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_old_labels_are_imported_and_bring_nothing_new_where_they_come_from(old: Store, written: Path, ending: str) -> None:
    for project in (OTHERS["project"], OTHERS["project_notes"]):
        file = written / "labels" / f"{project}-host.{ending}"
        taken = import_labels(old, project, read_label_file(file.name, file.read_bytes()), viewer=HOST)
        assert (taken.added, taken.turns, taken.clashes) == (0, 0, ())
        assert taken.same == len(old.labels.in_project(project, HOST))


def test_old_run_files_are_imported_and_exported_the_same(store: Store, written: Path) -> None:
    for name, run in RUNS.items():
        if name == "experiment_firm":  # a sample of one call, by a reader that nobody chooses
            continue
        file = written / "runs" / f"{run}.json"
        taken = import_run(store, file, file.name, readers=get)
        assert unnamed(exported(store, taken.id)) == unnamed(json.loads(file.read_text(encoding="utf-8"))), name
