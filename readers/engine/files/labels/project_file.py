"""A project as one file: `"schema": "palimpsest.project/1"`, a zip that carries a whole project to another machine.

    project.json     the project and its settings, readings with their content ids and questions, annotators, every version of its
                     codebook, decisions, the board
    labels.jsonl     its labels and turns, as the page exports them
    readings/*.json  the run file of each reading

`export_project` makes one; `read_project_file` opens one and trusts nothing in it. It has everything in the project, so only a
person who sees everything may export one. Not carried: earlier revisions of labels, and what only this machine knows of a reading
(its name and notes). Not here: importing it (`import_project.py`).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from readers.engine import APP_VERSION
from readers.engine.errors import BadFile, BadRunFile
from readers.engine.files.labels.export_labels import as_jsonl, gathered
from readers.engine.files.labels.read_labels import LabelFile, read_label_file
from readers.engine.files.packing import zip_entry
from readers.engine.files.runs.run_file import run_file
from readers.engine.files.runs.unzip import Room, run_files
from readers.engine.labels.label import STAGES, Decision
from readers.engine.labels.project import HOST, MOST_ANNOTATORS, MOST_READINGS, Annotator, Project, settings_json
from readers.engine.run.batches import Readers
from readers.engine.store import Run, Store
from readers.engine.store.labels.codebooks import CodebookVersion

SCHEMA = "palimpsest.project/1"
MAX_BYTES = 2_000_000_000  # of all files of a project, unpacked
MAX_FILE = 200_000_000
_SHORT = 40

Words = Annotated[str, Field(max_length=100_000)]
Name = Annotated[str, Field(max_length=200)]


# Export


def export_project(
    store: Store, project: str, *, readers: Readers, progress: Callable[[int, int], object] = lambda done, of: None
) -> bytes:
    """A project as a zip. `progress` is called with the readings done and their number. Raises NotFound."""
    export = gathered(store, project, HOST)
    ids = store.projects.readings(export.project.id)
    runs = {run.id: run for run in store.run_list.runs(ids)}
    readings = []
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, run in enumerate(map(runs.__getitem__, ids)):
            progress(number, len(ids))
            data = run_file(store, run.id, readers(run.reader))
            readings.append(_about(store, run, data["run"]["content_id"]))
            archive.writestr(zip_entry(f"readings/{run.id}.json"), json.dumps(data, ensure_ascii=False))
        archive.writestr(zip_entry("labels.jsonl"), as_jsonl(export))
        about = {
            "schema": SCHEMA,
            "app_version": APP_VERSION,
            "project": {
                "id": export.project.id, "name": export.project.name, "created": export.project.created,
                "settings": settings_json(export.project.settings),
            },
            "protocol": export.protocol,
            "readings": readings,
            "annotators": [one._asdict() for one in export.annotators],
            "codebooks": [one._asdict() for one in export.codebooks],
            "decisions": [one._asdict() for one in export.decisions],
            **store.boards.arrangement(export.project.id),
        }  # fmt: skip
        archive.writestr(zip_entry("project.json"), json.dumps(about, ensure_ascii=False, indent=1))
    progress(len(ids), len(ids))
    return packed.getvalue()


def _about(store: Store, run: Run, content: str) -> dict[str, Any]:
    question = store.question_sets.question_of(run)
    return {
        "id": run.id,
        "content_id": content,
        **({"question": question.key, "known": question.known()} if question else {}),
    }


# Reading a file


_STRICT = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)


class ProjectReading(BaseModel):
    """A reading as the file lists it; `question` is the key and `known` the rest of its question in a set, if it has one."""

    model_config = _STRICT
    id: Name
    content_id: Name
    question: Words = ""
    known: dict[str, Any] | None = None


class ProjectPart(BaseModel):
    """`project.json`."""

    model_config = _STRICT
    schema_: Annotated[Name, Field(alias="schema")]
    project: Project
    readings: Annotated[list[ProjectReading], Field(min_length=1, max_length=MOST_READINGS)]
    annotators: Annotated[list[Annotator], Field(max_length=MOST_ANNOTATORS)]
    codebooks: Annotated[list[CodebookVersion], Field(max_length=10_000)]
    decisions: Annotated[list[Decision], Field(max_length=500_000)]
    groups: Annotated[list[Name], Field(max_length=10_000)] = []
    notes: dict[Name, Name] = {}


@dataclass(frozen=True)
class ProjectFile:
    """A project file whose parts are each well-formed; its readings are not checked before they are imported."""

    about: ProjectPart
    labels: LabelFile
    readings: Mapping[str, Callable[[], bytes]]


def read_project_file(name: str, data: bytes) -> ProjectFile:
    """Open a project file. Raises BadFile, which names the fault."""
    shown = repr(name[:80])
    try:
        room = Room(files=MOST_READINGS + 2, each=MAX_FILE, bytes=MAX_BYTES)
        found = run_files(data, name, room, endings=(".json", ".jsonl"))
        entries = {path.removeprefix(f"{name}, "): unpacked for path, unpacked in found}
        about = ProjectPart.model_validate_json(_part(entries, "project.json")())
        readings = {one.id: _part(entries, f"readings/{one.id}.json") for one in about.readings}
        labels = read_label_file("labels.jsonl", _part(entries, "labels.jsonl")())
    except BadRunFile as error:
        raise BadFile(str(error)) from None
    except KeyError as error:
        raise BadFile(f"{shown} is not a whole project: it lacks {error.args[0]}; export the project again") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:80] or "the file"
        raise BadFile(f"{shown} is not a project of {SCHEMA}: in project.json, at {where}: {first['msg'][:200]}") from None
    if wrong := next((one for one in about.annotators if one.stage not in STAGES), None):
        raise BadFile(f"{shown}: annotator {wrong.name[:_SHORT]!r} is in a stage from 1 to 3, not {wrong.stage}")
    if about.schema_ != SCHEMA:
        raise BadFile(f"{shown} has the schema {about.schema_[:_SHORT]!r}, not {SCHEMA!r}; export it with this version")
    return ProjectFile(about, labels, readings)


def _part(entries: Mapping[str, Callable[[], bytes]], name: str) -> Callable[[], bytes]:
    if name not in entries:
        raise KeyError(repr(name[:80]))
    return entries[name]
