"""The JSON Schema of the run file says what the code does: what is written validates, and what it refuses no import takes."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from readers import get
from readers.engine.errors import BadRunFile
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.files.runs.run_file import run_file
from readers.engine.files.runs.run_file_schema import read_strictly
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.edits import LeaveOutEdit, ModelEdit, ReplyEdit
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Store, open_reading
from readers.engine.teaching.stops import Stop
from readers.engine.text.document import Document, PrintedPage, Span
from tests.engine.files.runs.import_run.conftest import Late, every_reader, exported, spec_of, written
from tests.readers.observed.test_recording import recorded
from tests.run_file_json_schema import WRITTEN_TO, as_written
from tests.support.models.scripted_models import Thinking
from tests.support.paths import LAMP
from tests.support.readings.shipped_readings import FOLDER, every_shipped

SCHEMA = Draft202012Validator(json.loads(WRITTEN_TO.read_text(encoding="utf-8")))
WRONG = (None, -1, "nonsense")
# What an import reads of these follows from the rest of the file, so it does not look at them.
NOT_READ = {"app_version", "view", "facts", "measures"}


def problems(data: Any) -> list[str]:
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in SCHEMA.iter_errors(data)]


def test_the_file_is_what_the_code_makes_and_a_valid_schema() -> None:
    assert WRITTEN_TO.read_text(encoding="utf-8") == as_written(), "run `make schema`"
    Draft202012Validator.check_schema(SCHEMA.schema)


@every_shipped
def test_every_recorded_reading_validates(name: str) -> None:
    assert problems(json.loads((FOLDER / name).read_text(encoding="utf-8"))) == []


@every_reader
@pytest.mark.parametrize("after", [5, 10**9], ids=["stopped", "finished"])
def test_a_reading_by_every_reader_validates_whole_and_stopped(reader: Reader, store: Store, text: Document, after: int) -> None:
    model = Late(until=after)
    how = Execution(model, concurrency=4, stopped=model.enough, linger=5.0)
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, how)
    assert problems(exported(store, run)) == []


def test_what_only_some_readings_have_validates(store: Store) -> None:
    """Printed pages, choices, thoughts, cut replies, a known answer with its facts, notes and stops, forks of several kinds."""
    reader = get("memagent")
    document = Document.of(LAMP.read_text(encoding="utf-8")[:6_000], title="Lamp")
    paged = Document(document.title, document.text, (PrintedPage(0, "iv"), PrintedPage(2_000, "1")))
    spec = spec_of(reader, choices=("Amos Garbutt", "Captain Storr"), caps={"max_calls": 40})
    model = Thinking(Offline(), cut=lambda call: call.seq < 2)
    run = execute(store, create_run(store, paged, reader, spec).id, reader, Execution(model))
    store.stops.put(run.id, Stop(1, "Look at this", pauses=True, predicts=True))
    known = KnownAnswer(answers=("Amos Garbutt",), evidence=(Span(100, 160),))
    data = json.loads(json.dumps(run_file(store, run.id, reader, known=known)))
    assert {"stops", "facts"} <= set(data)
    assert "known_answer" in data["run"]
    assert "pages" in data["document"]
    assert any("thoughts" in call for call in data["calls"])
    assert problems(data) == []
    for edit in (ReplyEdit(1, 0, "The lamp is out."), ModelEdit(2, "offline/extractive"), LeaveOutEdit(1, 0, 50)):
        made = fork(store, open_reading(store, run.id), reader, edit)
        assert problems(exported(store, execute(store, made.id, reader, Execution(Offline())))) == []


def test_a_watched_program_validates(store: Store) -> None:
    data = exported(store, recorded(store))
    assert any(call["error"] for call in data["calls"])
    assert problems(data) == []


def mutations(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The file with one thing changed: each field of each kind of thing without it, and with values it cannot have."""
    for where in dict.fromkeys(_paths(data)):
        for value in (*WRONG, KeyError):
            changed = copy.deepcopy(data)
            inner: Any = changed
            for key in where[:-1]:
                inner = inner[key]
            if value is KeyError:
                del inner[where[-1]]
            elif value == inner[where[-1]] and type(value) is type(inner[where[-1]]):
                continue
            else:
                inner[where[-1]] = value
            yield f"{'.'.join(map(str, where))} = {value!r}", changed


def _paths(data: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The place of every field, once for each kind of call and event."""
    yield from ((name,) for name in data)
    for part in ("run", "document"):
        yield from ((part, name) for name in data[part])
    yield from (("run", "spec", name) for name in data["run"]["spec"])
    yield from (("calls", 0, name) for name in data["calls"][0])
    yield from (("calls", 0, "messages", 0, name) for name in data["calls"][0]["messages"][0])
    seen: set[str] = set()
    for number, event in enumerate(data["events"]):
        if event["kind"] not in seen:
            yield from (("events", number, name) for name in event)
        seen.add(event["kind"])


@pytest.mark.slow
def test_the_import_refuses_what_the_schema_refuses_which_refuses_what_cannot_be_read(
    data: dict[str, Any],
) -> None:
    assert problems(data) == []
    assert check_run_file(written(data), "it.json", readers=get).run.outcome
    counted: Counter[tuple[bool, bool]] = Counter()
    wrong = []
    for what, changed in mutations(data):
        valid = SCHEMA.is_valid(changed)
        taken = read = True
        try:
            check_run_file(written(changed), "it.json", readers=get)
        except BadRunFile:
            taken = False
            try:
                read_strictly(written(changed))
            except BadRunFile:
                read = False
        counted[valid, taken] += 1
        is_read = what.split(" ")[0].split(".")[0] not in NOT_READ
        if (taken and not valid and is_read) or (valid and not read):
            wrong.append(f"{what}: valid {valid}, imported {taken}, read {read}")
    assert wrong == []
    assert counted[False, False] > 150


def test_unknown_fields_are_ignored_but_in_the_spec_and_in_events(data: dict[str, Any]) -> None:
    """A minor version may add fields anywhere else."""
    for place in (data, data["run"], data["document"], data["calls"][0], data["measures"]):
        place["of_a_later_version"] = {"anything": [1]}
    assert problems(data) == []
    assert check_run_file(written(data), "it.json", readers=get).run.outcome
    for place in (data["run"]["spec"], data["events"][0]):
        place["of_a_later_version"] = 1
        assert problems(data)
        with pytest.raises(BadRunFile):
            check_run_file(written(data), "it.json", readers=get)
        del place["of_a_later_version"]
