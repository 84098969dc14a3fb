"""Export labels to JSON lines or CSV, with the codebook and the protocol: `"schema": "palimpsest.labels/1"`.

`gathered` collects only what the viewer may see, so an annotator's file has exactly what their page shows. JSON lines: a header
(project, settings, protocol in words, every version of the codebook), then one object per line; its `what` is a reading, label,
turn or decision. CSV: one row per label, with `target` and `value` as JSON and the state of its turn; it has no turns without a
label, no times, and no reasons for skipping. Not here: reading such files (`read_labels.py`), and the format of another tool
(`label_studio.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from readers.engine.analysis.measures import measures_of
from readers.engine.canonical import canonical
from readers.engine.files.runs.content import content_of
from readers.engine.labels import adjudication
from readers.engine.labels.label import Decision, Label, Turn
from readers.engine.labels.project import Annotator, Project, Viewer, protocol, sees_outcome, settings_json
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report.files import FIELD, csv_text
from readers.engine.run.batches import Readers
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.labels.codebooks import CodebookVersion

SCHEMA = "palimpsest.labels/1"
ENDINGS = ("jsonl", "csv")
COLUMNS = (
    "schema", "project", "project_name", "protocol", "codebook_now", "run", "document", "title", "question", "reader", "model",
    "answer", "annotator", "turn", "stage", "again", "label", "kind", "step", "field", "on", "number", "start", "end", "code",
    "code_name", "code_parent", "severity", "words", "suggested", "target", "value", "codebook", "revision", "at",
)  # fmt: skip
WHERE_USED = ("code_parent", "suggested")  # columns that files have only if they are not empty; older files have neither
YES = "yes"  # in the column `again`; empty means no


@dataclass(frozen=True)
class LabelledReading:
    """The description of a run in a label file. `more` is what is known about its question, the rule's grade of its answer, and
    its measures; only those that exist."""

    id: str
    document: str
    title: str
    question: str
    reader: str
    model: str
    answer: str
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Export:
    """Everything in a project that one viewer may see."""

    project: Project
    viewer: Viewer
    readings: tuple[LabelledReading, ...]
    annotators: tuple[Annotator, ...]
    codebooks: tuple[CodebookVersion, ...]
    latest: int
    labels: tuple[Label, ...]
    turns: tuple[Turn, ...]
    decisions: tuple[Decision, ...]

    @property
    def protocol(self) -> str:
        return protocol(self.project.settings, len(self.readings))


def gathered(store: Store, project: str, viewer: Viewer, *, readers: Readers | None = None) -> Export:
    """Everything in a project that the viewer may see; someone who neither leads nor labels gets no labels. Readings have their
    measures only with `readers`. Raises NotFound."""
    whole = store.projects.get(project)
    runs = {run.id: run for run in store.run_list.runs(store.projects.readings(project))}
    titles = {shelved.id: shelved.title for shelved in store.documents.listed()}
    hidden = store.projects.hidden_questions(viewer.name) if viewer.name else frozenset()
    readings = tuple(
        LabelledReading(
            run.id, run.document, titles.get(run.document, ""), run.question, run.reader, str(run.spec.get("model", "")),
            run.answer or "", _more(store, run, viewer, hidden, readers),
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
    readings = {reading.id: reading for reading in export.readings}
    turns = {(turn.run, turn.annotator): turn for turn in sorted(export.turns, key=lambda turn: turn.stage)}
    names, parents = code_names(export), code_names(export, "parent")
    rows = []
    for label in export.labels:
        row = _row(export, label, readings[label.run])
        if turn := turns.get((label.run, label.annotator)):
            row |= {"turn": turn.standing, "stage": turn.stage, "again": YES if turn.again else ""}
        row["code_name"] = names.get((label.codebook, label.code or ""), "")
        row["code_parent"] = parents.get((label.codebook, label.code or ""), "")
        rows.append({**_flat(readings[label.run].more), **row})
    columns = [column for column in COLUMNS if column not in WHERE_USED or any(row[column] for row in rows)]
    more = dict.fromkeys(name for reading in export.readings for name in _flat(reading.more))
    return csv_text(rows, [*columns, *more], line_end="\r\n")


def code_names(export: Export, field: str = "name") -> dict[tuple[int, str], str]:
    """The name of each code, or another field of it, by version of the codebook and id."""
    return {
        (book.version, str(code.get("id"))): str(code.get(field, ""))
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
        about = asdict(reading)
        more = about.pop("more")
        yield {"what": "reading", **about, **more}
    for label in export.labels:
        yield {"what": "label", **asdict(label)}
    for turn in export.turns:
        yield {"what": "turn", **turn._asdict()}
    for decision in adjudication.with_reasons(export.decisions):
        yield {"what": "decision", **decision._asdict()}


def _more(store: Store, run: Run, viewer: Viewer, hidden: Collection[tuple[str, str]], readers: Readers | None) -> dict[str, Any]:
    """What the viewer may know of a reading's question and answer beyond the words; only what there is."""
    asked = store.question_sets.question_of(run)
    may_know = asked is not None and sees_outcome(viewer) and (asked.document, asked.question.strip()) not in hidden
    known = KnownAnswer.of(asked) if asked and may_know else None
    graded = run.graded(known) if known else None
    found = {
        "content_id": content_of(store, run),
        "choices": list(run.spec.get("choices") or ()),
        "fields": dict(asked.fields) if asked else {},
        "known": list(asked.answers) if asked and may_know else [],
        "verdict": graded.outcome if graded else None,
        "certainty": graded.certainty if graded else None,
        "reason": graded.reason if graded else None,
        "measures": measures_of(open_reading(store, run.id), readers(run.reader), known=known) if readers else None,
    }
    return {name: value for name, value in found.items() if value}


def _flat(more: Mapping[str, Any]) -> dict[str, Any]:
    """The same with a column for each field and measure."""
    found = {name: value for name, value in more.items() if name not in ("fields", "measures")}
    fields = {f"{FIELD}{name}": value for name, value in more.get("fields", {}).items()}
    return found | fields | {name: value for name, value in more.get("measures", {}).items() if name != "outcome"}


def _row(export: Export, label: Label, reading: LabelledReading) -> dict[str, Any]:
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
        "code_parent": "",
        "severity": label.value.get("severity", ""), "words": words_of(label),
        "suggested": label.value.get("suggested", ""), "target": canonical(label.target), "value": canonical(label.value),
        "codebook": label.codebook, "revision": label.revision, "at": label.at,
    }  # fmt: skip
