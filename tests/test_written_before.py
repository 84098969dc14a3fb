"""Stored data is a contract: a store, run files and labels written before the app was rebuilt are shown as they were.

The readings there were made by version 1 of every reader. Version 2 reads replies differently, so these readings are viewed,
labelled and exported unchanged, but not resumed or forked, and each refusal says so; run files are imported as recorded. What
lies in `tests/fixtures/before/` is described there. A failure here means that people's data would change or be lost.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.player import data as player_data
from components.session import address
from readers import READERS, get
from readers.cli import main
from readers.engine.errors import BadOptions, BadRunFile, Diverged
from readers.engine.files.labels import export_labels, label_studio
from readers.engine.files.labels.import_labels import import_labels
from readers.engine.files.labels.read_labels import read_label_file
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.experiments import experiments_of, recorded_call
from readers.engine.forks.fork import fork
from readers.engine.labels.project import HOST, Settings, Viewer
from readers.engine.models.model import RefusingModel
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run import batches
from readers.engine.run.execute import Execution, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store, open_reading
from tests.support.app_pages import html, named, opened
from tests.support.app_pages import run as shown_at
from tests.support.labels import BOOK
from tests.support.paths import ROOT

BEFORE = ROOT / "tests" / "fixtures" / "before"
VERSION_2 = ROOT / "tests" / "fixtures" / "version_2"
INDEX: dict[str, dict[str, str]] = json.loads((BEFORE / "index.json").read_text(encoding="utf-8"))
RUNS, OTHERS, DOCUMENTS = INDEX["runs"], INDEX["others"], INDEX["documents"]
BY_VERSION_2: dict[str, dict[str, Any]] = json.loads((VERSION_2 / "index.json").read_text(encoding="utf-8"))
UNFINISHED = {"resumable": "failed", "cancelled": "cancelled", "interrupted": "interrupted"}
SAMPLES = ("experiment_0", "experiment_1", "experiment_2", "experiment_3", "experiment_firm")


def unpacked(fixture: Path, folder: Path) -> Path:
    """What was written then: the store as `palimpsest.db`, and the folders of what it exported."""
    (folder / "palimpsest.db").write_bytes(gzip.decompress((fixture / "palimpsest.db.gz").read_bytes()))
    with tarfile.open(fixture / "exports.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oldest store, and the folders `runs` and `labels`."""
    return unpacked(BEFORE, tmp_path_factory.mktemp("before"))


@pytest.fixture(scope="module")
def by_version_2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that version 2 of most readers wrote, and the folder `runs`."""
    return unpacked(VERSION_2, tmp_path_factory.mktemp("version_2"))


@pytest.fixture
def old(written: Path, own_home: Path) -> Iterator[Store]:
    """A copy of the old store, at home."""
    own_home.mkdir()
    shutil.copy(written / "palimpsest.db", own_home)
    with Store() as opened:
        yield opened


def exported(store: Store, run: str) -> dict[str, Any]:
    return run_file(store, run, get(store.runs.get(run).reader))


def as_written(data: dict[str, Any], measured: set[str]) -> str:
    """A run file as the old code put it on disk, without its content id, which is newer, and with these of its measures, but for
    the version of the app."""
    measures = {name: value for name, value in data["measures"].items() if name in measured}
    run = {name: value for name, value in data["run"].items() if name != "content_id"}
    return json.dumps({**data, "app_version": "", "run": run, "measures": measures}, ensure_ascii=False, separators=(",", ":"))


def schema(store: Store) -> dict[str, Any]:
    """Every table and index, and what SQLite knows of them, however their SQL was written."""
    known: dict[str, Any] = {}
    for name, table in store.connection.execute("SELECT name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"):
        for pragma in ("table_xinfo", "foreign_key_list", "index_list", "index_xinfo"):
            known[f"{pragma} of {name} on {table}"] = [tuple(row) for row in store.connection.execute(f"PRAGMA {pragma}({name})")]
    return known


def viewers(store: Store, project: str) -> dict[str, Viewer]:
    return {"host": HOST} | {name: store.projects.viewer(project, name) for name in ("Ada", "Ben", "Lea")}


def test_the_store_opens_with_everything_in_it(old: Store) -> None:
    assert old.check() == "ok"
    assert {run.id for run in old.runs.listed(samples=True)} == set(RUNS.values())
    assert {shelved.id for shelved in old.documents.listed()} == set(DOCUMENTS.values())
    assert {name: old.runs.get(RUNS[name]).status for name in UNFINISHED} == UNFINISHED
    assert {old.runs.get(run).status for name, run in RUNS.items() if name not in UNFINISHED} == {"finished"}
    assert {project.id for project in old.projects.listed()} == {OTHERS["project"], OTHERS["project_notes"]}
    assert {made.name: sorted(made.templates) for made in old.prompt_sets.of_reader("memwalker")} == {
        "More careful": ["memwalker.triage"]
    }
    assert [made.name for made in old.prompt_sets.of_reader("whole")] == ["Politely"]
    assert len(old.question_sets.questions(OTHERS["question_set"])) == 4
    assert (progress := batches.progress(old, OTHERS["batch"])).done == progress.of == 8


def test_a_new_store_has_the_tables_and_indexes_of_the_old_one(old: Store, tmp_path: Path) -> None:
    with Store(tmp_path / "new.db") as new:
        assert new.schema() == old.schema()
        assert schema(new) == schema(old)
        assert "foreign_key_list of runs on runs" in schema(new)


def test_prompts_on_record_have_the_hashes_that_records_name(old: Store) -> None:
    stored = {
        (name, prompt.id): prompt.hash
        for run in old.runs.listed(samples=True)
        for name, prompt in old.runs.tape(run.id).prompts().items()
    }
    assert all(name == found for (name, _), found in stored.items())
    then = json.loads((BEFORE / "prompts.json").read_text(encoding="utf-8"))
    limited = {"memagent.update", "rememr1.update", "recurrence.update"}  # their forms name the limit that the reading had
    assert len({hashed for prompt, hashed in then.items() if prompt not in limited} & {name for name, _ in stored}) > 20


def test_every_run_file_is_exported_as_it_was(old: Store, written: Path) -> None:
    for name, run in RUNS.items():
        then = json.loads((written / "runs" / f"{run}.json").read_text(encoding="utf-8"))
        # Measures are computed anew; these mean something else now.
        measured = set(then["measures"]) - {"recovered", "outcome", "calls_reused"}
        assert as_written(exported(old, run), measured) == as_written(then, measured), name


def test_no_old_reading_is_resumed_and_the_refusal_leaves_it_as_it_was(old: Store) -> None:
    for name, run in RUNS.items():
        before, lines = old.runs.get(run), old.runs.tape(run).events()
        with pytest.raises(Diverged, match=r"was made by version 1 of .* can be viewed but not resumed; start a new reading"):
            execute(old, run, get(before.reader), Execution(RefusingModel(), concurrency=1))
        assert old.runs.get(run) == before, name
        assert old.runs.tape(run).events() == lines, name


READ_THEN = [reader.id for reader in READERS if reader.id in RUNS]


@pytest.mark.parametrize("name", [*READ_THEN, "fork_reply", "fork_model", "fork_of_fork", "taken_in"])
def test_no_old_reading_is_forked(old: Store, name: str) -> None:
    parent = open_reading(old, RUNS[name])
    record = next(record for record in parent.records if record.task != "score" and record.reply is not None)
    with pytest.raises(BadOptions, match="can be viewed but not forked; ask its question again and fork that reading"):
        fork(old, parent, get(parent.run.reader), ReplyEdit(record.seq, record.attempt, record.reply or ""))
    with pytest.raises(BadOptions, match="its calls can be viewed but not repeated"):
        recorded_call(parent, get(parent.run.reader), record.seq)


def test_old_experiments_are_shown_and_an_old_batch_says_that_a_new_one_is_needed(old: Store) -> None:
    (found,) = experiments_of(old, RUNS["memwalker_worded"])
    assert {sample.id for sample in found.runs} == {RUNS[name] for name in SAMPLES[:4]}
    jobs = Jobs(at_once=1)
    batches.start(jobs, OTHERS["batch_not_begun"], batches.BatchExecution(get, lambda run: Execution(Offline(), concurrency=1)))
    assert jobs.wait(60)
    failed = [cell.error for cell in old.batches.cells(OTHERS["batch_not_begun"])]
    assert len(failed) == 2
    assert all("was planned for version 1 of" in (error or "") and "make a new batch" in (error or "") for error in failed)


def test_labels_are_exported_as_they_were(old: Store, written: Path) -> None:
    for project in (OTHERS["project"], OTHERS["project_notes"]):
        for who, viewer in viewers(old, project).items():
            gathered = export_labels.gathered(old, project, viewer)
            # What is known of questions and answers was not exported then.
            export = replace(gathered, readings=tuple(replace(one, more={}) for one in gathered.readings))
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["memwalker", "cancelled"])
def test_a_stored_reading_of_an_earlier_version_says_so_in_one_sentence(
    old: Store, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = get(old.runs.get(RUNS[name]).reader)
    now_at = f"{reader.title}, which is now at version {reader.version}"
    sentence = f"Made by version 1 of {now_at}: shown as recorded, and neither resumed nor forked."
    with opened("3_Trace") as app:
        app.query_params.update(run=RUNS[name])
        app.run()
        assert not app.exception
        assert [one.value for one in app.caption].count(sentence) == 1
    assert main(["show", RUNS[name]]) == 0
    assert capsys.readouterr().out.count(sentence) == 1


@pytest.mark.parametrize("name", [name for name in RUNS if name != "experiment_firm"])  # by a reader that nobody chooses
def test_an_old_run_file_is_imported_as_recorded_and_neither_resumed_nor_forked(store: Store, written: Path, name: str) -> None:
    file = written / "runs" / f"{RUNS[name]}.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    run = import_run(store, file, file.name, readers=get)
    assert run.unchecked_in_words == "made by version 1: shown as recorded, not checked by replaying"
    reading, now = open_reading(store, run.id), exported(store, run.id)
    for section in ("calls", "events", "document", "view"):
        assert now[section] == data[section], section
    for fact in ("outcome", "answer", "answer_evidence", "fork_at", "edit"):
        assert now["run"][fact] == data["run"][fact], fact
    assert now["run"]["spec"] == {**now["run"]["spec"], **data["run"]["spec"]}
    assert len(player_data.of(reading)["steps"]) == len(reading.trace.steps)
    with pytest.raises(Diverged, match="can be viewed but not resumed"):
        execute(store, run.id, get(run.reader), Execution(RefusingModel(), concurrency=1))
    with pytest.raises(BadOptions, match="can be viewed but not forked"):
        fork(store, reading, get(run.reader), ReplyEdit(0, 0, "Something else."))


@pytest.mark.slow
def test_what_was_imported_as_recorded_is_marked_wherever_it_is_shown(
    store: Store, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [
        import_run(store, written / "runs" / f"{RUNS[name]}.json", name, readers=get).id
        for name in ("memwalker", "memwalker_reverts")
    ]
    for page, asks in (("3_Trace", {"run": ids[0]}), ("3_Readings", {}), ("4_Compare", {"runs": ",".join(ids)})):
        with opened(page) as app:
            app.query_params.update(asks)
            app.run()
            assert not app.exception, page
            assert "MemWalker (version 1, not checked)" in html(app), page
            if page == "3_Trace":
                captions = [one.value for one in app.caption]
                assert "Made by version 1: shown as recorded, not checked by replaying." in captions
    lamps = store.projects.create(
        "Lamps", Settings(start_stage=3, share=1.0, annotators=2, seed=7), runs=ids, book=BOOK, by="Lea"
    )
    store.projects.join(lamps.id, "Ada")
    with opened("5_Annotate") as app:
        bench = html(shown_at(named(app, "Ada"), **address.to_project(lamps.id, run=ids[0])))
        assert "MemWalker (version 1, not checked)" in bench
    for words in (["show", ids[0]], ["runs"]):
        assert main(words) == 0
        assert "ade by version 1: shown as recorded, not checked by replaying" in capsys.readouterr().out


def test_a_run_file_of_a_later_version_is_refused(store: Store, written: Path) -> None:
    data = json.loads((written / "runs" / f"{RUNS['memwalker']}.json").read_text(encoding="utf-8"))
    data["run"]["spec"]["version"] = 99
    with pytest.raises(BadRunFile, match=r"made by version 99 of .* update Palimpsest to import it"):
        import_run(store, json.dumps(data).encode(), "later.json", readers=get)
    assert store.runs.listed() == []


@pytest.mark.parametrize("name", BY_VERSION_2)
def test_what_version_2_wrote_is_shown_and_its_files_are_imported(store: Store, by_version_2: Path, name: str) -> None:
    was, reader = BY_VERSION_2[name], get(name)
    with Store(by_version_2 / "palimpsest.db") as then:
        reading = open_reading(then, was["run"])
        assert (reading.run.outcome, reading.run.answer) == (was["outcome"], was["answer"])
        assert player_data.of(reading)["steps"]
    file = by_version_2 / "runs" / f"{name}.json"
    run = import_run(store, file, file.name, readers=get)
    assert (run.answer, run.unchecked) == (was["answer"], was["version"] < reader.version)
    assert exported(store, run.id)["events"] == json.loads(file.read_text(encoding="utf-8"))["events"]


def test_a_reading_by_every_past_version_of_every_reader_is_kept() -> None:
    kept = {(name, 1) for name in RUNS} | {(name, was["version"]) for name, was in BY_VERSION_2.items()}
    past = {(reader.id, version) for reader in READERS for version in range(1, reader.version)}
    assert past - kept == set()
