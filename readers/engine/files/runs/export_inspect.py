"""Export a reading, or a batch, as a log of Inspect (`.eval`, version 2 of its format), which `inspect view` and Scout open.

The format, by the log reader of inspect_ai 0.3.285: a zip with `header.json` (the log without its samples), one
`samples/ID_epoch_N.json` for each, `summaries.json` (the fields that lists show), and `_journal/start.json` with
`_journal/summaries/1.json`, from which an unfinished log can be recovered. A sample is a reading; its repeats are epochs. Nothing
of inspect_ai is needed here. Readings are opened and written one by one. Not here: the content of a sample (`inspect_sample.py`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from readers.engine import APP_VERSION
from readers.engine.analysis.evaluate.evaluated import evaluate
from readers.engine.errors import BadOptions
from readers.engine.files.runs import inspect_sample
from readers.engine.files.runs.inspect_sample import Entry, SampleScore, SampleSource
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult, Readers
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.batches import Batch

VERSION = 2
ENDING = ".eval"
GRADE = "grade"  # right or wrong by rule
_GRADES = {"correct": 1.0, "partly": 0.5, "wrong": 0.0, "abstained_right": 1.0, "abstained_wrong": 0.0}


@dataclass(frozen=True)
class Log:
    """What is written: the readings, and the fields common to all."""

    id: str
    name: str
    created: str
    dataset: str
    entries: Sequence[Entry]


def of_run(run: Run, known: KnownAnswer | None, title: str) -> Log:
    """The log of one reading; `title` is its text's."""
    entry = Entry(run, run.id, known=known, scores=_graded(run.graded(known) if run.status == "finished" else None))
    return Log(run.id, f"reading {run.id}", run.created, title, (entry,))


def of_batch(store: Store, batch: Batch, readers: Readers) -> Log:
    """The log of a batch: every cell that has a reading, with the scores of its benchmark. Raises BadOptions if none has one."""
    results = [one for one in batches.results(store, batch) if one.run]
    if not results:
        raise BadOptions(f"batch {batch.id!r} has no readings yet; `python -m readers batch-resume {batch.id}` makes them")
    plan = BatchPlan.of(batch.plan)
    names = batches.variant_names(plan, lambda reader: readers(reader).title)
    evaluated = evaluate(store, results, names=names)
    scores = {one.run: one.scores for one in evaluated.readings}
    entries = [_entry(one, plan, names, scores.get(one.run.id, {}) if one.run else {}) for one in results]
    return Log(batch.id, batch.name or f"batch {batch.id}", batch.created, batch.question_set, entries)


def _entry(result: CellResult, plan: BatchPlan, names: Sequence[str], scores: Mapping[str, Any]) -> Entry:
    assert result.run is not None
    cell, asked = result.cell, result.question
    reader = plan.variants[cell.variant].reader
    same = [number for number, one in enumerate(plan.variants) if one.reader == reader]
    variant = reader if len(same) == 1 else f"{reader}-{same.index(cell.variant) + 1}"
    own = {name: SampleScore(one.value) for name, one in scores.items() if one.value is not None}
    fields = {f"field.{one.name}": one.value for one in asked.fields}
    details = {"variant": names[cell.variant], "question_key": asked.key, **fields}
    known, graded = KnownAnswer.of(asked), _graded(result.grade)
    return Entry(result.run, f"{cell.number + 1}-{variant}", cell.sample + 1, known, {**graded, **own}, details)


def _graded(grade: Grade | None) -> dict[str, SampleScore]:
    """Right or wrong by rule; nothing if the rule cannot decide."""
    return {GRADE: SampleScore(_GRADES[grade.outcome], grade.reason)} if grade and grade.suggested else {}


def write(store: Store, log: Log, path: Path, readers: Readers) -> None:
    """Write a log. A file of this name is replaced once the new file is complete. Raises BadOptions."""
    partial = path.with_name(f".{path.name}.part")
    try:
        with ZipFile(partial, "w", ZIP_DEFLATED) as archive:
            _write(store, log, archive, readers)
        os.replace(partial, path)
    except OSError as error:
        raise BadOptions(f"{str(path)!r} cannot be written: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)


def _write(store: Store, log: Log, archive: ZipFile, readers: Readers) -> None:
    head = _head(log)
    _add(archive, "_journal/start.json", {"version": VERSION, **head})
    summaries = []
    for entry in log.entries:
        reading = open_reading(store, entry.run.id)
        prompts = store.runs.tape(entry.run.id).prompts()
        whole = inspect_sample.sample(SampleSource(entry, reading, readers(entry.run.reader), prompts))
        _add(archive, f"samples/{entry.sample_id}_epoch_{entry.epoch}.json", whole)
        summaries.append(inspect_sample.summary(whole, finished=reading.run.status == "finished"))
    _add(archive, "_journal/summaries/1.json", summaries)
    _add(archive, "summaries.json", summaries)
    _add(
        archive,
        "header.json",
        {"version": VERSION, **_status(log), **head, "results": _results(summaries), "stats": _stats(summaries)},
    )


def _add(archive: ZipFile, name: str, data: Any) -> None:
    archive.writestr(name, json.dumps(data, ensure_ascii=False))


def _head(log: Log) -> dict[str, Any]:
    runs = [entry.run for entry in log.entries]
    specs = [run.spec for run in runs]
    readers, models = (list(dict.fromkeys(str(spec[name]) for spec in specs)) for name in ("reader", "model"))
    ids = list(dict.fromkeys(entry.sample_id for entry in log.entries))
    spec = {
        "eval_id": log.id, "run_id": log.id, "created": _time(log.created), "task": "palimpsest", "task_id": log.id,
        "task_version": APP_VERSION, "task_display_name": log.name, "solver": ", ".join(readers), "model": ", ".join(models),
        "task_args": {"readers": readers}, "dataset": {"name": log.dataset, "samples": len(ids), "sample_ids": ids},
        "config": {"epochs": max(entry.epoch for entry in log.entries)}, "packages": {"palimpsest": APP_VERSION},
        "metadata": {"times": inspect_sample.TIMES},
    }  # fmt: skip
    steps = [{"solver": str(one["reader"]), "params": one["options"]} for one in _different(specs)]
    return {"eval": spec, "plan": {"name": "plan", "steps": steps, "config": {}}}


def _different(specs: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The specs that differ in their reader or its options."""
    found = {json.dumps([one["reader"], one["options"]], sort_keys=True): one for one in specs}
    return list(found.values())


def _status(log: Log) -> dict[str, Any]:
    """Whether all readings ended; for a single reading that did not, why."""
    statuses = {entry.run.status for entry in log.entries}
    if statuses <= {"finished"}:
        return {"status": "success"}
    if len(log.entries) > 1:
        return {"status": "success" if statuses <= {"finished", "failed"} else "cancelled"}
    (run,) = (entry.run for entry in log.entries)
    why = {"message": run.error or f"the reading is {run.status}", "traceback": "", "traceback_ansi": ""}
    return {"status": "error", "error": why} if run.status == "failed" else {"status": "cancelled"}


def _results(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    values: dict[str, list[float]] = {}
    for name, value in inspect_sample.iter_scores(summaries):
        values.setdefault(name, []).append(value)
    scores = [
        {
            "name": name, "scorer": name, "scored_samples": len(found), "unscored_samples": len(summaries) - len(found),
            "metrics": {"mean": {"name": "mean", "value": sum(found) / len(found)}},
        }
        for name, found in values.items()
    ]  # fmt: skip
    ended = sum(bool(one["completed"]) for one in summaries)
    return {"total_samples": len(summaries), "completed_samples": ended, "scores": scores}


def _stats(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    usage: dict[str, dict[str, float]] = {}
    for one in summaries:
        for model, used in one["model_usage"].items():
            total = usage.setdefault(model, dict.fromkeys(used, 0))
            for name, value in used.items():
                total[name] += value
    began, ended = min(one["started_at"] for one in summaries), max(one["completed_at"] for one in summaries)
    return {"started_at": began, "completed_at": ended, "model_usage": usage}


def _time(stored: str) -> str:
    return stored if stored.endswith("+00:00") else f"{stored}+00:00"
