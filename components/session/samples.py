"""What comes with Palimpsest: sample texts with their questions and known answers, and readings by a real model.

The recordings are run files in `assets/readings`, made by `make recordings` and listed in `index.json` with what to watch for;
the list is enough to offer them, so that no run file is parsed before it is opened or played. A recording is imported when it is
first opened, under the id in its file, so that it is imported once. It belongs to the host, and every visitor of a demo may see
it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from components.session import database
from readers import importable
from readers.engine.errors import NotFound, ReadingError
from readers.engine.files.runs.import_run import check_run_file, save_checked
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Store
from readers.engine.text.document import Document, Span

FOLDER = Path(__file__).parents[2] / "assets" / "samples"
READINGS = Path(__file__).parents[2] / "assets" / "readings"
INDEX = READINGS / "index.json"
_ORDER = ("story", "report", "articles")


@dataclass(frozen=True)
class SampleText:
    """A sample text. `questions` are in the order of its file, which recordings refer to by number; `offered` begins with those
    that show most: one that the first reader answers rightly with the offline model, then one on which it goes wrong. `watched`
    are the options with which each reader is best watched, by the reader's id."""

    document: Document
    about: str
    questions: tuple[KnownAnswer, ...]
    offered: tuple[KnownAnswer, ...]
    watched: Mapping[str, Mapping[str, Any]]

    def known(self, question: str) -> KnownAnswer | None:
        """What is known about a question, if it is one of this text's own."""
        return next((known for known in self.questions if known.question == question.strip()), None)


@cache
def samples() -> tuple[SampleText, ...]:
    """All of them, the story first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return tuple(_sample(data) for data in sorted(found, key=lambda data: _ORDER.index(data["kind"])))


def sample_of(document: str) -> SampleText | None:
    """The sample of this text."""
    return next((sample for sample in samples() if sample.document.id == document), None)


def _sample(data: Mapping[str, Any]) -> SampleText:
    text = (FOLDER / str(data["text"])).read_text(encoding="utf-8")
    known = {str(question["id"]): _known(question) for question in data["questions"]}
    first = [known[question_id] for question_id in data["first"]]
    offered = (*first, *(question for question in known.values() if question not in first))
    document = Document.of(text, title=str(data["title"]))
    return SampleText(document, str(data["about"]), tuple(known.values()), offered, data["watched"])


def _known(data: Mapping[str, Any]) -> KnownAnswer:
    answer = data["answer"]
    spans = tuple(Span(place["start"], place["end"]) for place in data["evidence"])
    answers = () if answer is None else (str(answer),)
    return KnownAnswer(str(data["question"]), tuple(map(str, data["choices"])), answers, spans, answerable=bool(answers))


# Recordings


@dataclass(frozen=True)
class Recording:
    """A recorded reading. `watch` says in a sentence what to watch for; `parent` is the id of the reading it is a fork of, and
    `changed` says what was changed there; `recorded` is the day on which the model read, `2026-11-22`."""

    path: Path
    id: str
    recorded: str
    watch: str
    reader: str
    question: str
    title: str
    model: str
    parent: str | None
    changed: str


@cache
def recordings() -> tuple[Recording, ...]:
    """All of them, in the order in which they are offered. Home plays the first."""
    rows = {row["file"]: row for row in json.loads(INDEX.read_text(encoding="utf-8"))}
    return tuple(_recording(row, rows) for row in rows.values())


def _recording(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Recording:
    """What the index says about a recording; a fork has the text, question and reader of its parent."""
    parent = rows[row["of"]] if "of" in row else None
    about = parent or row
    sample = next(sample for sample in samples() if sample.document.title == about["text"])
    question = sample.questions[about["question"]].question
    return Recording(
        READINGS / row["file"], row["id"], row["recorded"], row["watch"], about["reader"], question, about["text"],
        about["model"], parent["id"] if parent else None, row.get("changed", ""),
    )  # fmt: skip


def recorded_on(run_id: str) -> str:
    """The day on which a reading that comes with Palimpsest was recorded; empty for every other reading."""
    return next((recording.recorded for recording in recordings() if recording.id == run_id), "")


def open_recording(recording: Recording) -> str:
    """The id of the reading in the database, imported if it is not there, its parent first. Raises BadRunFile if this version
    of the reader reads otherwise than the recorded one."""
    parent = next((other for other in recordings() if other.id == recording.parent), None)
    if parent is not None:
        open_recording(parent)
    with database.opened() as store:
        if not _is_there(store, recording.id):
            incoming = check_run_file(recording.path, recording.path.name, readers=importable)
            save_checked(store, replace(incoming, run=replace(incoming.run, id=recording.id)))
    return recording.id


def bring(run_id: str) -> bool:
    """Import the recording of this id, so that an address of one can be passed on; returns whether there is a readable one."""
    try:
        return any(open_recording(recording) for recording in recordings() if recording.id == run_id)
    except ReadingError:
        return False


def _is_there(store: Store, run_id: str) -> bool:
    try:
        store.runs.get(run_id)
    except NotFound:
        return False
    return True
