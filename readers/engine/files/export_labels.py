"""Export labels to JSON lines or CSV, with the codebook and the protocol: `"schema": "palimpsest.labels/1"`.

`gathered` collects only what the viewer may see, so an annotator's file has exactly what their page shows. JSON lines: a header
(project, settings, protocol in words, every version of the codebook), then one object per line; its `what` is a reading, label,
turn or decision. CSV: one row per label, with `target` and `value` as JSON and the state of its turn; it has no turns without a
label, no times, and no reasons for skipping. Not here: reading such files (`read_labels.py`), and the format of another tool
(`label_studio.py`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from readers.engine.canonical import canonical
from readers.engine.files.cells import escaped_cell
from readers.engine.labels.label import Decision, Label, Turn
from readers.engine.labels.project import Annotator, Project, Viewer, protocol, settings_json
from readers.engine.store import Store
from readers.engine.store.codebooks import CodebookVersion

SCHEMA = "palimpsest.labels/1"
ENDINGS = ("jsonl", "csv")
COLUMNS = (
    "schema", "project", "project_name", "protocol", "codebook_now", "run", "document", "title", "question", "reader", "model",
    "answer", "annotator", "turn", "stage", "again", "label", "kind", "step", "field", "on", "number", "start", "end", "code",
    "code_name", "severity", "words", "target", "value", "codebook", "revision", "at",
)  # fmt: skip
YES = "yes"  # in the column `again`; empty means no


@dataclass(frozen=True)
class Labelled:
    """The description of a run in a label file."""

    id: str
    document: str
    title: str
    question: str
    reader: str
    model: str
    answer: str


@dataclass(frozen=True)
class Export:
    """Everything in a project that one viewer may see."""

    project: Project
    viewer: Viewer
    readings: tuple[Labelled, ...]
    annotators: tuple[Annotator, ...]
    codebooks: tuple[CodebookVersion, ...]
    latest: int
    labels: tuple[Label, ...]
    turns: tuple[Turn, ...]
    decisions: tuple[Decision, ...]

    @property
    def protocol(self) -> str:
        return protocol(self.project.settings, len(self.readings))


def gathered(store: Store, project: str, viewer: Viewer) -> Export:
    """Everything in a project that the viewer may see; someone who neither leads nor labels gets no labels. Raises NotFound."""
    whole = store.projects.get(project)
    runs = {run.id: run for run in store.run_list.runs(store.projects.readings(project))}
    titles = {shelved.id: shelved.title for shelved in store.documents()}
    readings = tuple(
        Labelled(
            run.id, run.document, titles.get(run.document, ""), run.question, run.reader, str(run.spec.get("model", "")),
            run.answer or "",
        )
        for run_id in store.projects.readings(project)
        if (run := runs.get(run_id))
    )  # fmt: skip
    labels, turns = store.labels.in_project(project, viewer), store.turns.in_project(project, viewer)
    named = {label.annotator for label in labels} | {viewer.name}
    return Export(
        whole,
        viewer,
        readings,
        tuple(one for one in store.projects.annotators(project) if viewer.whole or one.name in named),
        tuple(store.codebooks.versions(project, viewer)),
        store.codebooks.latest_number(project),
        tuple(labels),
        tuple(turn for turn in turns if viewer.whole or turn.annotator in named),
        tuple(store.decisions.in_project(project, viewer, history=True)),
    )


def as_jsonl(export: Export) -> str:
    """The export as JSON lines."""
    return "".join(f"{canonical(line)}\n" for line in _lines(export))


def as_csv(export: Export) -> str:
    """One row per label, with a header. An apostrophe escapes a cell that a spreadsheet would execute; the import removes it."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    readings = {reading.id: reading for reading in export.readings}
    turns = {(turn.run, turn.annotator): turn for turn in sorted(export.turns, key=lambda turn: turn.stage)}
    names = code_names(export)
    for label in export.labels:
        row = _row(export, label, readings[label.run])
        if turn := turns.get((label.run, label.annotator)):
            row |= {"turn": turn.standing, "stage": turn.stage, "again": YES if turn.again else ""}
        row["code_name"] = names.get((label.codebook, label.code or ""), "")
        rows.writerow([escaped_cell(str(row[column])) for column in COLUMNS])
    return out.getvalue()


def code_names(export: Export) -> dict[tuple[int, str], str]:
    """The name of each code, by version of the codebook and id."""
    return {
        (book.version, str(code.get("id"))): str(code.get("name", ""))
        for book in export.codebooks
        for code in (book.codes if isinstance(book.codes, list) else [])
        if isinstance(code, Mapping)
    }


def words_of(label: Label) -> str:
    """The free text of a label, in one string."""
    value = label.value.get("value")
    inner: Mapping[str, Any] = value if isinstance(value, Mapping) else label.value
    if label.target.get("field") == "note":
        return str(value)
    return str(inner.get("words", inner.get("note", "")))


def _lines(export: Export) -> Iterator[dict[str, Any]]:
    project = export.project
    yield {
        "schema": SCHEMA,
        "project": {"id": project.id, "name": project.name, "created": project.created},
        "settings": settings_json(project.settings),
        "protocol": export.protocol,
        "codebook": {"version": export.latest, "versions": [book._asdict() for book in export.codebooks]},
        "annotators": [one._asdict() for one in export.annotators],
        "seen_by": {"name": export.viewer.name, "whole": export.viewer.whole},
    }
    for reading in export.readings:
        yield {"what": "reading", **asdict(reading)}
    for label in export.labels:
        yield {"what": "label", **asdict(label)}
    for turn in export.turns:
        yield {"what": "turn", **turn._asdict()}
    for decision in export.decisions:
        yield {"what": "decision", **decision._asdict()}


def _row(export: Export, label: Label, reading: Labelled) -> dict[str, Any]:
    value = label.value.get("value")
    project = export.project
    about = {name: label.target.get(name, "") for name in ("field", "on", "number", "start", "end")}
    return {
        **about,
        "schema": SCHEMA, "project": project.id, "project_name": project.name, "protocol": export.protocol,
        "codebook_now": export.latest, "run": reading.id, "document": reading.document, "title": reading.title,
        "question": reading.question, "reader": reading.reader, "model": reading.model, "answer": reading.answer,
        "annotator": label.annotator, "turn": "", "stage": "", "again": "", "label": label.id, "kind": label.kind,
        "step": "" if label.step is None else label.step,
        "code": label.code or (value if isinstance(value, str) and about["field"] != "note" else ""), "code_name": "",
        "severity": label.value.get("severity", ""), "words": words_of(label),
        "target": canonical(label.target), "value": canonical(label.value),
        "codebook": label.codebook, "revision": label.revision, "at": label.at,
    }  # fmt: skip
