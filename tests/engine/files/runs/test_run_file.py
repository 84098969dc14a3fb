"""The run file: what it holds, that it reads back, and that nothing in it is trusted."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from readers import get
from readers.engine.analysis.facts.follow import follow
from readers.engine.analysis.measures import NAMES, measures
from readers.engine.errors import BadRunFile
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import read_run_file, run_file
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Span
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import BACK, COMMIT, parts_of, walker
from tests.support.specs import current_spec

READER = MemWalker()


@pytest.fixture
def data(store: Store) -> dict[str, Any]:
    spec = current_spec("memwalker", "Where is it?", options={"segment_tokens": 64, "max_children": 3})
    run = create_run(store, parts_of(9), READER, spec)
    execute(store, run.id, READER, Execution(walker([0, "what?", 0, BACK, 1, COMMIT])))
    return run_file(store, run.id, READER)


@pytest.fixture
def path(data: dict[str, Any], tmp_path: Path) -> Path:
    file = tmp_path / "reading.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_it_has_the_keys_of_the_contract(data: dict[str, Any]) -> None:
    assert set(data) == {"schema", "app_version", "run", "document", "calls", "events", "measures", "view"}
    assert {"id", "parent", "fork_at", "edit", "status", "outcome", "answer", "answer_evidence", "spec"} <= set(data["run"])
    assert {
        "reader",
        "version",
        "options",
        "model",
        "api_base",
        "temperature",
        "question",
        "choices",
        "sample_base",
        "caps",
    } <= set(data["run"]["spec"])
    assert set(data["document"]) == {"id", "title", "chars", "tokens", "text"}
    assert set(data["calls"][0]) == {
        "seq", "attempt", "prompt", "task", "origin", "model", "messages", "reply", "parsed",
        "tokens_in", "tokens_out", "cost_usd", "ms", "error",
    }  # fmt: skip
    assert set(data["measures"]) == set(NAMES)
    assert set(data["view"]) == {"nodes", "walk"}


def test_calls_hold_their_messages_what_was_read_and_every_attempt(data: dict[str, Any]) -> None:
    by_key = {(call["seq"], call["attempt"]): call for call in data["calls"]}
    misread = next(call for call in data["calls"] if call["reply"] == "what?")
    again = by_key[misread["seq"], 1]
    assert misread["parsed"] is None
    assert again["parsed"] == {"reasoning": "because of 0", "action": 0}
    assert "could not be used" in again["messages"][0]["content"]
    assert again["messages"][0]["content"].startswith(misread["messages"][0]["content"])
    assert data["calls"][0]["parsed"] == {"text": "Part 0 begins"}


def test_every_option_is_there_as_it_was_in_effect(data: dict[str, Any]) -> None:
    spec = data["run"]["spec"]
    assert spec["options"] == asdict(READER.Options(segment_tokens=64, max_children=3))
    assert {"top_p", "window", "reply_tokens", "room_factor"} <= set(spec)


def test_the_known_answer_is_there_if_the_exporter_may_see_it(data: dict[str, Any], store: Store) -> None:
    known = KnownAnswer("Where is it?", answers=("on the stairs",), evidence=(Span(3, 9),))
    assert "known_answer" not in data["run"]
    assert "facts" not in data
    found = run_file(store, data["run"]["id"], READER, known=known)
    assert found["run"]["known_answer"] == {
        "answerable": True,
        "answers": ["on the stairs"],
        "evidence": [{"start": 3, "end": 9}],
    }
    (fact,) = found["facts"]
    (followed,) = follow(open_reading(store, data["run"]["id"]), READER, [Span(3, 9)], known=known)
    assert (fact["fact"], fact["fate"]) == ({"start": 3, "end": 9}, followed.fate and followed.fate.kind)
    assert [moment["step"] for moment in fact["moments"]] == list(followed.life.by_step)


def test_the_evidence_lies_in_the_text(data: dict[str, Any]) -> None:
    (span,) = data["run"]["answer_evidence"]
    assert data["document"]["text"][span["start"] : span["end"]].startswith("Part 1 ")


def test_it_reads_back_to_the_same_reading(data: dict[str, Any], path: Path, store: Store) -> None:
    back, stored = read_run_file(path), open_reading(store, data["run"]["id"])
    assert back.trace == stored.trace
    assert back.document == stored.document
    assert READER.view(back.trace) == data["view"]
    assert measures(READER, back.trace, back.records) == {**data["measures"], "seconds": None}
    assert (back.run.answer, back.run.evidence, back.run.status) == (stored.run.answer, stored.run.evidence, "finished")


def test_a_letter_for_an_answer_is_graded_by_the_choices_that_the_file_has(data: dict[str, Any], path: Path) -> None:
    choices = ["Six", "Eight", "Nineteen", "Eleven"]
    data["run"] |= {"answer": "(D)", "spec": {**data["run"]["spec"], "choices": choices}}
    path.write_text(json.dumps(data), encoding="utf-8")
    graded = read_run_file(path).run.graded(KnownAnswer("Where is it?", tuple(choices), ("Eleven",)))
    assert graded
    assert graded.outcome == "correct"


def test_the_figures_of_a_walk(data: dict[str, Any]) -> None:
    figures = data["measures"]
    assert {key: figures[key] for key in ("outcome", "reverts", "stray", "recovered", "misreads", "fallbacks")} == {
        "outcome": "answered", "reverts": 1, "stray": True, "recovered": None, "misreads": 1, "fallbacks": 0,
    }  # fmt: skip
    text, nodes = data["document"]["text"], data["view"]["nodes"]
    opened = sum(node["end"] - node["start"] for node in nodes[:2])
    assert figures["read_fraction"] == pytest.approx(opened / len(text))
    assert figures["coverage_fraction"] == 1.0
    assert (figures["calls_live"], figures["calls_reused"], figures["cost_usd"]) == (15, 0, 0.0)
    assert figures["lookups"] is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema": "palimpsest.run/2"}, "palimpsest.run/1"),
        ({"document": {"title": "x"}}, "document.text"),
        ({"run": {"id": 7}}, "run"),
        ({"events": [{"kind": "exploded"}]}, "event"),
        ({"events": [{"kind": "wrote", "n": 0}]}, "wrote"),
        ({"events": [{"kind": "cut", "spans": [[0, 10_000_000]]}]}, "outside its text"),
        ({"calls": "none"}, "calls"),
    ],
)
def test_what_is_no_run_file_is_refused_with_the_place(
    data: dict[str, Any], path: Path, change: dict[str, Any], says: str
) -> None:
    path.write_text(json.dumps({**data, **change}), encoding="utf-8")
    with pytest.raises(BadRunFile, match=says):
        read_run_file(path)


@pytest.mark.parametrize("junk", [b"", b"{", b"\xff\xfe", b"[]", b'"palimpsest"', b"[" * 100_000])
def test_junk_is_refused(junk: bytes, tmp_path: Path) -> None:
    (tmp_path / "junk.json").write_bytes(junk)
    with pytest.raises(BadRunFile):
        read_run_file(tmp_path / "junk.json")


def test_a_missing_run_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRunFile, match="absent"):
        read_run_file(tmp_path / "absent.json")


def test_a_file_of_another_version_is_displayed_though_it_is_not_imported(data: dict[str, Any], path: Path, store: Store) -> None:
    del data["document"]["id"], data["document"]["chars"], data["measures"]
    data["run"] |= {"edit": "of another kind", "spec": {**data["run"]["spec"], "speed": 9, "caps": "none"}}
    data["calls"] = [{**call, "messages": "left out", "reply": None, "error": None} for call in data["calls"]]
    path.write_text(json.dumps(data), encoding="utf-8")
    back = read_run_file(path)
    assert back.trace == open_reading(store, data["run"]["id"]).trace
    assert set(back.run.spec) == {"reader", "version", "question", "choices", "model"}
    with pytest.raises(BadRunFile, match="is not imported"):
        import_run(store, path, path.name, readers=get)
