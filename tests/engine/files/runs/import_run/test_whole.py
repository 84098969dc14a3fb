"""Imported run files: a genuine one comes out as it went in, and is a reading like any other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.session import access
from readers import READERS, get, offered
from readers.engine.errors import BadRunFile
from readers.engine.files.runs.import_run import import_run
from readers.engine.forks import resample
from readers.engine.forks.experiments import Sampling
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.record.costs import costs
from readers.engine.record.edits import LeaveOutEdit, ModelEdit, PromptEdit, ReplyEdit, RerunEdit, WrittenEdit
from readers.engine.record.events import Wrote
from readers.engine.run import trial as estimating
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, PrintedPage
from tests.engine.files.runs.import_run.conftest import Late, every_reader, exported, spec_of, taken, unnamed, written
from tests.support.models.scripted_models import Thinking, walker
from tests.support.readings.replays import replayed
from tests.support.specs import current_spec


@every_reader
def test_a_reading_comes_out_as_it_went_in_and_is_one_like_any_other(
    reader: Reader, store: Store, there: Store, text: Document
) -> None:
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Late(), concurrency=8))
    data = exported(store, run)
    new = taken(there, data)
    assert new.id != run.id
    assert unnamed(exported(there, new)) == unnamed(data)
    assert (new.status, new.outcome, new.answer, new.evidence) == (run.status, run.outcome, run.answer, run.evidence)
    assert there.runs.get(new.id) == new
    assert replayed(there, new, reader).outcome == run.outcome


def test_pages_travel_with_a_reading_and_impossible_ones_are_refused(store: Store, there: Store, text: Document) -> None:
    reader, paged = get("memagent"), replace(text, pages=(PrintedPage(0, "iv"), PrintedPage(2_000, "1")))
    run = execute(store, create_run(store, paged, reader, spec_of(reader)).id, reader, Execution(Offline()))
    data = exported(store, run)
    assert data["document"]["pages"] == [{"start": 0, "label": "iv"}, {"start": 2_000, "label": "1"}]
    for pages in ([(5, "a"), (5, "b")], [(9, "a"), (5, "b")], [(len(text.text), "a")], [(0, "")], [(0, "a\n")], [(0, "a" * 13)]):
        bad = [{"start": start, "label": label} for start, label in pages]
        with pytest.raises(BadRunFile, match=r"at document\.pages"):
            taken(there, {**data, "document": {**data["document"], "pages": bad}})
    assert open_reading(there, taken(there, data).id).document == paged


def test_thoughts_and_finish_reasons_travel_with_a_reading_and_into_its_forks(store: Store, there: Store, text: Document) -> None:
    reader = get("memagent")
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Thinking(Offline())))
    data = exported(store, run)
    assert [call["thoughts"] for call in data["calls"]] == [
        f"Let me <b>think</b> about call {n}." for n in range(len(data["calls"]))
    ]
    assert {call["finish"] for call in data["calls"]} == {"stop"}
    new = taken(there, data)
    assert unnamed(exported(there, new)) == unnamed(data)
    reading = open_reading(there, new.id)
    made = fork(there, reading, reader, ReplyEdit(1, 0, "The lamp is out."))
    rows = there.runs.tape(made.id).records()
    assert [(row.thoughts, row.finish) for row in rows] == [("Let me <b>think</b> about call 0.", "stop"), (None, None)]


@pytest.mark.parametrize("reader", ["memwalker", "memagent", "rememr1"])
def test_a_reading_with_cut_replies_is_imported_with_the_same_misreads_and_notes(
    reader: str, store: Store, there: Store, text: Document
) -> None:
    model = Thinking(Offline(), cut=lambda call: call.prompt.task in ("summarise", "update_memory") and call.seq < 4)
    how = get(reader)
    run = execute(store, create_run(store, text, how, spec_of(how)).id, how, Execution(model))
    data = exported(store, run)
    assert {"cut_off", "misread"} <= {event["kind"] for event in data["events"]}
    new = taken(there, data)
    assert unnamed(exported(there, new)) == unnamed(data)
    for wrong in ("stop", "sensitive"):  # then other calls would follow
        other = json.loads(json.dumps(data))
        next(call for call in other["calls"] if call.get("finish") == "length")["finish"] = wrong
        with pytest.raises(BadRunFile):
            taken(there, other)


@every_reader
@pytest.mark.parametrize("after", [4, *(pytest.param(after, marks=pytest.mark.slow) for after in (1, 9, 14))])
def test_one_that_was_stopped_anywhere_is_imported_and_resumed(
    reader: Reader, store: Store, there: Store, text: Document, after: int
) -> None:
    first = Late(until=after)
    stopped = Execution(first, concurrency=5, stopped=first.enough, linger=5.0)
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, stopped)
    data = exported(store, run)
    new = taken(there, data)
    assert unnamed(exported(there, new)) == unnamed(data)
    second = Late()
    done, whole = (
        execute(at, one.id, reader, Execution(model, concurrency=3))
        if one.status != "finished"
        else one  # nothing was left to stop
        for at, one, model in ((there, new, second), (store, run, Late()))
    )
    assert done.status == whole.status == "finished"
    assert exported(there, done)["events"] == exported(store, whole)["events"]
    had = sum(call["reply"] is not None and call["task"] != "score" for call in data["calls"])
    assert second.made + had == sum(call["task"] != "score" for call in exported(there, done)["calls"])


@pytest.mark.parametrize("reader", [get("memwalker"), get("readagent"), get("qrmem")], ids=lambda reader: reader.id)
@pytest.mark.parametrize("down_from", [0, 3, 8])
def test_one_that_failed_with_many_calls_in_flight(
    reader: Reader, store: Store, there: Store, text: Document, down_from: int
) -> None:
    model = Late(fails=lambda call: call.seq >= down_from)
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(model, concurrency=8, linger=5.0))
    assert run.status == "failed"
    new = taken(there, exported(store, run))
    assert (new.status, new.error) == ("failed", run.error)
    assert unnamed(exported(there, new)) == unnamed(exported(store, run))


@pytest.mark.parametrize("caps", [{"max_calls": 7}, {"max_tokens": 900}])
@every_reader
def test_one_whose_budget_was_used_up(reader: Reader, store: Store, there: Store, text: Document, caps: dict[str, Any]) -> None:
    run = execute(store, create_run(store, text, reader, spec_of(reader, caps=caps)).id, reader, Execution(Late(), concurrency=8))
    new = taken(there, exported(store, run))
    assert new.outcome == run.outcome
    assert unnamed(exported(there, new)) == unnamed(exported(store, run))
    if run.outcome == "over_budget":
        data = exported(store, run)
        data["run"]["spec"]["caps"] = {}
        with pytest.raises(BadRunFile, match="budget"):
            taken(there, data)


def test_one_with_a_window_that_is_too_small_for_some_prompts(store: Store, there: Store, text: Document) -> None:
    for reader in (get("readagent"), get("memagent")):
        run = execute(store, create_run(store, text, reader, spec_of(reader, window=700)).id, reader, Execution(Late()))
        assert unnamed(exported(there, taken(there, exported(store, run)))) == unnamed(exported(store, run))


def test_one_that_was_under_way_is_interrupted(store: Store, there: Store, text: Document) -> None:
    run = execute(store, create_run(store, text, READERS[0], spec_of(READERS[0])).id, READERS[0], Execution(Late()))
    data = exported(store, run)
    data["run"] |= {"status": "running", "outcome": None, "answer": None, "answer_evidence": [], "error": None}
    data["events"], data["calls"] = data["events"][:4], data["calls"][:6]
    assert taken(there, data).status == "interrupted"
    assert there.runs.listed()[0].ended is None


@pytest.mark.slow
def test_forks_of_every_kind_keep_their_edits_and_name_a_parent_only_where_it_is(
    store: Store, there: Store, text: Document
) -> None:
    reader = get("memwalker")
    parent = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Late()))
    reading = open_reading(store, parent.id)
    summary = next(event for event in reading.trace.events if isinstance(event, Wrote))
    changes = [
        ReplyEdit(0, 0, "A summary of another thing."),
        PromptEdit(1, ({"role": "user", "content": "Say something short."},)),
        WrittenEdit(summary.n, summary.role, summary.text, "Nobody lit the lamp."),
        ModelEdit(3, "offline/extractive", temperature=0.5),
        LeaveOutEdit(0, 10, 60),
    ]
    for edit in changes:
        made = execute(store, fork(store, reading, reader, edit).id, reader, Execution(Late()))
        data = exported(store, made)
        alone, here = taken(there, data), taken(store, data)
        assert (alone.parent, here.parent) == (None, parent.id)
        assert unnamed(exported(there, alone)) == unnamed(data) == unnamed(exported(store, here))
        again = fork(there, open_reading(there, alone.id), reader, ReplyEdit(0, 0, "Yet another."))
        assert execute(there, again.id, reader, Execution(Offline())).status == "finished"


def test_a_fork_whose_calls_are_not_those_of_the_parent_it_names_has_none(store: Store, text: Document) -> None:
    reader = get("memwalker")
    first, other = (
        execute(store, create_run(store, text, reader, replace(spec_of(reader), question=asked)).id, reader, Execution(Late()))
        for asked in ("Where is the lamp?", "Who keeps it?")
    )
    last = open_reading(store, first.id).records[-1].seq
    made = execute(
        store,
        fork(store, open_reading(store, first.id), reader, ModelEdit(last, "offline/extractive")).id,
        reader,
        Execution(Late()),
    )
    data = exported(store, made)
    assert taken(store, data).parent == first.id
    data["run"]["parent"] = other.id
    assert taken(store, data).parent is None


def test_scores_are_taken_from_the_file_and_nothing_is_sent(store: Store, there: Store, text: Document) -> None:
    reader = get("rememr1")
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
    data = exported(store, run)
    scored = [call for call in data["calls"] if call["task"] == "score"]
    assert scored
    del data["run"]["content_id"]
    data["run"]["spec"]["options"]["recall"] = "embedding"
    data["run"]["spec"]["api_base"] = "http://127.0.0.1:9/v1"
    for call in scored:
        call["model"] = "embedding/text-embedding-3-small"
    for event in data["events"]:
        if event.get("action") == "score":
            event["picked"] = "embedding/text-embedding-3-small"
    assert taken(there, data).status == "finished"
    data["calls"].remove(scored[0])
    with pytest.raises(BadRunFile, match="is missing"):
        taken(there, data)


def test_replies_of_a_file_are_lent_to_no_other_reading(there: Store, data: dict[str, Any]) -> None:
    new = taken(there, data)
    document = there.documents.get(new.document)
    spec = current_spec(
        "memwalker", "Another question?", options=data["run"]["spec"]["options"], model=data["run"]["spec"]["model"]
    )
    other = create_run(there, document, get("memwalker"), spec)
    before = estimate(document, get("memwalker"), spec, store=there)
    execute(there, other.id, get("memwalker"), Execution(Offline()))
    assert {record.origin for record in there.runs.tape(other.id).records()} == {"live"}
    assert before.reused == 0
    assert estimate(document, get("memwalker"), replace(spec, question="A third?"), store=there).reused > 0  # those of the other


def test_an_estimate_of_a_long_text_does_not_count_on_the_replies_of_a_file(
    there: Store, data: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimating, "MAX_WHOLE_TOKENS", 50)  # makes this a long text, of which only the beginning is tried
    document = there.documents.get(taken(there, data).document)
    options = data["run"]["spec"]["options"]
    spec = current_spec("memwalker", "Another question?", options=options, model=data["run"]["spec"]["model"])
    before = estimate(document, get("memwalker"), spec, store=there)
    assert before.reused == 0
    assert before.calls == estimate(document, get("memwalker"), spec).calls
    execute(there, create_run(there, document, get("memwalker"), spec).id, get("memwalker"), Execution(Offline()))
    assert estimate(document, get("memwalker"), spec, store=there).reused > 0


@every_reader
def test_the_same_reading_costs_the_same_where_it_was_imported(
    reader: Reader, store: Store, there: Store, text: Document
) -> None:
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
    new = taken(there, exported(store, run))
    assert (run.taken_in, new.taken_in) == (False, True)
    assert costs(there.runs.tape(new.id).records()) == costs(store.runs.tape(run.id).records())
    on_it = fork(there, open_reading(there, new.id), reader, RerunEdit(0))
    assert not there.runs.get(on_it.id).taken_in


def test_samples_cannot_be_imported(store: Store, there: Store, data: dict[str, Any], tmp_path: Path) -> None:
    parent = open_reading(store, taken(store, data).id)
    made = resample.sample_call(store, parent, get("memwalker"), 13, Sampling(2))
    execute(store, made.id, get(resample.ID), Execution(walker([0, 0])))
    file = written(exported(store, made))
    with pytest.raises(BadRunFile, match="there is no reader 'samples'; there are memwalker"):
        import_run(there, file, "some.json", readers=offered)
    with pytest.raises(BadRunFile, match="no reader 'samples'"):
        access.import_run(file, "some.json")
    assert [offered(reader.id) for reader in READERS] == list(READERS)
    assert there.runs.listed(samples=True) == []


def test_the_same_file_twice_is_two_readings_of_one_text(there: Store, data: dict[str, Any]) -> None:
    assert taken(there, data).id != taken(there, data).id
    assert (len(there.runs.listed()), len(there.documents.listed())) == (2, 1)


def test_a_file_is_imported_by_path_and_an_absent_one_named(there: Store, data: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(written(data))
    assert import_run(there, tmp_path / "good.json", "good.json", readers=get).status == "finished"
    for absent in ("absent.json", "a\0b.json"):
        with pytest.raises(BadRunFile, match=r"no such file|cannot be read|no file can have"):
            import_run(there, tmp_path / absent, absent, readers=get)


def test_a_visitor_owns_what_they_take_in(tmp_path: Path, data: dict[str, Any]) -> None:
    with Store(tmp_path / "demo.db", visitor="ann") as ann, Store(tmp_path / "demo.db", visitor="ben") as ben:
        new = taken(ann, data)
        assert {new.id, new.document} <= ann.visits.owned()
        assert (len(ann.runs.listed()), ben.runs.listed(), ben.documents.listed()) == (1, [], [])
