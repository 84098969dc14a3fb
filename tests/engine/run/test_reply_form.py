"""Replies that servers hold to a schema: every reader with one that conforms, and one reader with servers of other manners."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from readers import READERS, get
from readers.engine.errors import BadOptions
from readers.engine.files.runs import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks import fork
from readers.engine.models.call import NO_NULLS, REPLY_RULES, Call, ModelSettings
from readers.engine.models.model import LiteLLM, RefusingModel
from readers.engine.models.offline import Offline
from readers.engine.record import edits, events
from readers.engine.run.execute import Execution, RunSpec, check_spec, create_run, execute, rehearse
from readers.engine.store import Run, Store, open_reading
from readers.engine.text.document import Document
from readers.memwalker.prompts import LEAF
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL, small_parts
from tests.support.servers import schemas
from tests.support.servers.model_server import ModelServer, Script

QUESTION = "What had the naval assessor noticed on the crane post?"
TEXT = Document.of(LAMP.read_text(encoding="utf-8")[13_500:16_500], title="lamp")
every_reader = pytest.mark.parametrize("reader_id", [reader.id for reader in READERS])


def spec_of(reader_id: str, **fields: object) -> RunSpec:
    reader = get(reader_id)
    return RunSpec(reader.id, reader.version, QUESTION, options=SMALL.get(reader.id, small_parts(reader)), **fields)  # type: ignore[arg-type]


@every_reader
@pytest.mark.parametrize("choices", [(), ("A crack", "A rope", "A bird")], ids=["open", "choices"])
def test_the_offline_model_reads_the_same_in_both_forms(reader_id: str, choices: tuple[str, ...]) -> None:
    spec = spec_of(reader_id, choices=choices)
    words, held = (rehearse(TEXT, get(reader_id), replace(spec, reply_form=form), Offline()) for form in ("words", "schema"))
    assert not [event for event in held.events if isinstance(event, events.Misread)]
    assert held.events[-1].kind == words.events[-1].kind
    assert getattr(held.events[-1], "text", "") == getattr(words.events[-1], "text", "")


def read(store: Store, script: Script, reader_id: str = "memwalker", **fields: object) -> tuple[Run, ModelServer]:
    with ModelServer(script) as server:
        served: dict[str, object] = {"model": "openai/test", "api_base": server.base_url, "window": 16_384}
        spec = spec_of(reader_id, **(served | fields))
        run = create_run(store, TEXT, get(reader_id), spec)
        return execute(store, run.id, get(reader_id), Execution(LiteLLM("sk-test"))), server


def misreads(store: Store, run: Run) -> list[str]:
    return [event.problem for event in open_reading(store, run.id).trace.events if isinstance(event, events.Misread)]


@pytest.mark.slow
@every_reader
def test_nothing_is_misread_from_a_server_that_conforms(store: Store, reader_id: str) -> None:
    run, _ = read(store, schemas.conforms, reader_id, reply_form="schema", caps={"max_calls": 60})
    assert (run.status, misreads(store, run)) == ("finished", [])


@pytest.mark.slow
@every_reader
@pytest.mark.parametrize("choices", [(), ("A crack", "A rope", "A bird")], ids=["open", "choices"])
def test_nothing_is_misread_where_bounds_are_taken_and_a_model_says_as_little_as_it_may(
    store: Store, reader_id: str, choices: tuple[str, ...]
) -> None:
    caps = {"max_calls": 60}
    run, server = read(store, schemas.lazy, reader_id, reply_form="schema", caps=caps, choices=choices, model="hosted_vllm/test")
    assert (run.status, misreads(store, run)) == ("finished", [])
    assert any(map(schemas.schema_of, server.requests)) or not choices


@pytest.mark.slow
@pytest.mark.parametrize("form", ["auto", "schema"])
@pytest.mark.parametrize("manner", ["conforms", "ignores", "thinks"])
def test_nothing_fails_with_a_server_that_takes_a_schema(store: Store, manner: str, form: str) -> None:
    run, server = read(store, schemas.MANNERS[manner], reply_form=form)
    assert (run.status, misreads(store, run)) == ("finished", [])
    assert any(map(schemas.schema_of, server.requests))


@pytest.mark.slow
def test_a_server_that_refuses_a_schema_is_asked_in_words_on_record(store: Store) -> None:
    run, server = read(store, schemas.refuses, reply_form="auto")
    rows = open_reading(store, run.id).records
    asked_in_words = [row for row in rows if row.refused]
    assert (run.status, misreads(store, run)) == ("finished", [])
    assert asked_in_words
    assert all(schemas.REFUSED in (row.refused or "") for row in asked_in_words)
    refused = [sent for sent in server.requests if "response_format" in sent.body]
    assert 1 <= len(refused) < len(asked_in_words) or len(asked_in_words) == 1
    assert len(server.requests) == len(rows) + len(refused)


@pytest.mark.slow
def test_a_demanded_schema_that_is_refused_ends_the_reading_with_the_way_out(store: Store) -> None:
    run, _ = read(store, schemas.refuses, reply_form="schema")
    assert run.status == "failed"
    assert schemas.REFUSED in str(run.error)
    assert "with the reply form 'auto' or 'words'" in str(run.error)


@pytest.mark.slow
@pytest.mark.parametrize(("manner", "rules"), [("conforms", REPLY_RULES), ("refuses", REPLY_RULES), ("conforms", NO_NULLS - 1)])
def test_it_replays_imports_and_forks_without_another_call(store: Store, manner: str, rules: int) -> None:
    run, server = read(store, schemas.MANNERS[manner], reply_form="auto", reply_rules=rules)
    assert ("that is not called for is null" in str([sent.body for sent in server.requests])) == (rules < NO_NULLS)
    reader, reading = get("memwalker"), open_reading(store, run.id)
    data = json.dumps(run_file(store, run.id, reader)).encode()
    calls = json.loads(data)["calls"]
    assert any("response_format" in call for call in calls) == (manner == "conforms")
    assert any("refused" in call for call in calls) == (manner == "refuses")
    came = import_run.import_run(store, data, "run.json", readers=get)
    again = open_reading(store, came.id)
    assert [row.refused for row in again.records] == [row.refused for row in reading.records]
    assert json.loads(data)["run"]["content_id"] == run_file(store, came.id, reader)["run"]["content_id"]

    last = reading.records[-1]
    edit = edits.ReplyEdit(last.seq, last.attempt, last.reply or "")
    made = fork.add(store, reading, reader, fork.prepare(store, reading, reader, edit, terms=fork.ForkTerms()))
    done = execute(store, made.id, reader, Execution(RefusingModel()))
    assert (done.status, done.answer) == ("finished", run.answer)
    rows = open_reading(store, made.id).records
    assert [row.refused for row in rows] == [row.refused for row in reading.records]


@pytest.mark.parametrize(
    ("model", "bounded"), [("local/x", True), ("ollama_chat/x", True), ("gpt-4o", False), ("openai/x", False)]
)
def test_only_servers_whose_grammars_are_known_to_take_bounds_are_sent_them(model: str, bounded: bool) -> None:
    call = Call(0, 0, LEAF.held(), LEAF.parts({name: [] for name in LEAF.names}), ModelSettings(model))
    assert ("minLength" in str(call.response_format)) == bounded


def test_a_form_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadOptions, match="the reply form is one of auto, words, schema, not 'xml'"):
        check_spec(get("memwalker"), spec_of("memwalker", reply_form="xml"))
