"""Forks, over every reader: one with the recorded reply equals its parent, and one with a change shows only its effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from readers import READERS
from readers.engine.errors import BadOptions
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.fork import ForkTerms, fork, price
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import RefusingModel
from readers.engine.models.offline import Offline
from readers.engine.record import edits
from readers.engine.record.edits import Edit, LeaveOutEdit, ReplyEdit, RerunEdit, WrittenEdit
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document
from tests.readers.every_reader.test_every_reader import every_reader, spec_of
from tests.support.paths import LAMP
from tests.support.readings.every_reading import MEMORIES

READER_OF: dict[str, Reader] = {reader.id: reader for reader in READERS}


class Counted:
    """The offline model, counting its calls."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        return Offline().complete(call)

    @property
    def asked(self) -> list[int]:
        return [call.seq for call in self.calls if call.prompt.task != "score"]


@pytest.fixture(scope="module")
def text() -> Document:
    return Document.of(LAMP.read_text(encoding="utf-8")[13_500:16_000], title="Some of the lamp")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("forks") / "palimpsest.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def parents(kept: Store, text: Document) -> dict[str, Reading]:
    """A finished run of every reader."""
    done = {}
    for reader in READERS:
        run = execute(kept, create_run(kept, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
        done[reader.id] = open_reading(kept, run.id)
    return done


def read_on(store: Store, parent: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> tuple[Run, Counted]:
    model = Counted()
    run = execute(store, fork(store, parent, reader, edit, terms=terms).id, reader, Execution(model))
    assert run.status == "finished", run.error
    return run, model


def everything(store: Store, run: str) -> dict[str, Any]:
    """A run as its run file describes it, without what differs between equal runs."""
    found = run_file(store, run, next(reader for reader in READERS if reader.id == store.runs.get(run).reader))
    for name in ("id", "parent", "fork_at", "edit", "created"):
        found["run"].pop(name)
    found["measures"].pop("seconds")
    for name in ("calls_live", "calls_reused", "tokens_in", "tokens_out", "tokens_processed", "cost_usd"):
        found["measures"].pop(name)
    for call in found["calls"]:
        for name in ("origin", "ms", "tokens_in", "tokens_out", "cost_usd"):
            call.pop(name)
    return found


@pytest.mark.slow
@every_reader
def test_a_fork_with_the_recorded_reply_equals_its_parent_at_every_call(
    reader: Reader, kept: Store, parents: dict[str, Reading]
) -> None:
    parent = parents[reader.id]
    whole = everything(kept, parent.run.id)
    asked = [record for record in parent.records if record.task != "score"]
    assert len(asked) > 0
    for record in asked:
        assert record.reply is not None
        made = fork(kept, parent, reader, ReplyEdit(record.seq, record.attempt, record.reply))
        run = execute(kept, made.id, reader, Execution(RefusingModel()))
        assert (run.status, run.error, run.fork_at) == ("finished", parent.run.error, record.seq)
        assert everything(kept, run.id) == whole
        origins = {(r.seq, r.attempt): r.origin for r in open_reading(kept, run.id).records}
        assert {origin for (seq, _), origin in origins.items() if seq < record.seq} <= {"replayed"}
        assert origins[record.seq, record.attempt] == "edited"
        assert {origin for (seq, _), origin in origins.items() if seq > record.seq} <= {"inherited"}
        kept.runs.delete(run.id)
    assert everything(kept, parent.run.id) == whole


@pytest.mark.slow  # very many cases
@every_reader
def test_a_fork_of_a_fork_with_the_recorded_reply_equals_that_fork(
    reader: Reader, kept: Store, parents: dict[str, Reading]
) -> None:
    """Whatever was edited before: a prompt, a text, a passage left out, the model."""
    parent = parents[reader.id]
    asked = [record for record in parent.records if record.task != "score"]
    last = asked[-1]
    changes: list[Edit] = [
        LeaveOutEdit(last.seq, 0, 40),
        edits.ModelEdit(asked[len(asked) // 2].seq, "offline/extractive", None, 0.5),
        edits.PromptEdit(last.seq, ({"role": "user", "content": "Say something else."},)),
    ]
    changes += [WrittenEdit(w.n, w.role, w.text, f"{w.text} It rained.") for w in list(parent.trace.wrote.values())[-1:]]
    for change in changes:
        run, _ = read_on(kept, parent, reader, change)
        made = open_reading(kept, run.id)
        whole = everything(kept, run.id)
        for record in [r for r in made.records if r.task != "score" and r.reply is not None][:: max(1, len(asked) // 3)]:
            assert record.reply is not None
            again = fork(kept, made, reader, ReplyEdit(record.seq, record.attempt, record.reply))
            assert price(kept, made, reader, ReplyEdit(record.seq, record.attempt, record.reply)).calls == (0, 0)
            assert execute(kept, again.id, reader, Execution(RefusingModel())).status == "finished"
            assert everything(kept, again.id) == whole, (change, record.seq)
            kept.runs.delete(again.id)
        kept.runs.delete(run.id)


@every_reader
def test_samples_repeat_every_call_from_the_fork_point_and_none_before(
    reader: Reader, kept: Store, parents: dict[str, Reading]
) -> None:
    parent = parents[reader.id]
    calls = [record.seq for record in parent.records if record.task != "score"]
    at = calls[len(calls) // 2]
    _, model = read_on(kept, parent, reader, RerunEdit(at), terms=ForkTerms(experiment="e", sample_base=10_000))
    assert model.asked == [seq for seq in calls if seq >= at]


@every_reader
def test_a_fork_continues_with_an_edited_text_and_repeats_no_earlier_call(
    reader: Reader, kept: Store, parents: dict[str, Reading]
) -> None:
    parent = parents[reader.id]
    whole = everything(kept, parent.run.id)
    if not parent.trace.wrote:
        assert reader.id not in MEMORIES
        return
    wrote = parent.trace.wrote[len(parent.trace.wrote) // 2]
    changed = WrittenEdit(wrote.n, wrote.role, wrote.text, f"{wrote.text} The kettle was green.")
    expected = price(kept, parent, reader, changed)
    run, model = read_on(kept, parent, reader, changed)
    done = open_reading(kept, run.id)
    assert done.trace.wrote[wrote.n].text == changed.text
    assert done.trace.sources(done.trace.wrote[wrote.n].pieces) == parent.trace.sources(wrote.pieces)
    assert all(seq >= (run.fork_at or 0) for seq in model.asked)
    assert expected.calls.low == expected.calls.high == len(model.calls)
    assert reader.view(done.trace)
    assert everything(kept, parent.run.id) == whole


def first_call_showing(reading: Reading, start: int, end: int) -> int | None:
    """The first call with a prompt that showed any of these characters raw; None if none did."""
    seqs = [seq for seq in reading.trace.asked if any(s < end and start < e for s, e in reading.trace.spans_shown(seq))]
    return min(seqs, default=None)


@every_reader
def test_a_passage_that_is_left_out_is_in_no_prompt(reader: Reader, kept: Store, parents: dict[str, Reading]) -> None:
    parent = parents[reader.id]
    cut = next(event for event in parent.trace.events if event.kind == "cut")
    calls = {span: first_call_showing(parent, *span) for span in cut.spans}
    shown = [(at, *span) for span, at in calls.items() if at is not None]
    at, start, end = shown[len(shown) // 2]
    run, _ = read_on(kept, parent, reader, LeaveOutEdit(at, start, end))
    trace = open_reading(kept, run.id).trace
    assert not any(s < end and start < e for seq in trace.asked for s, e in trace.spans_shown(seq))
    assert not any(s < end and start < e for s, e in run.evidence)


@every_reader
def test_replayed_inherited_cached_and_live_calls_are_distinguished(
    reader: Reader, kept: Store, parents: dict[str, Reading]
) -> None:
    parent = parents[reader.id]
    asked = [record for record in parent.records if record.task != "score"]
    at = asked[len(asked) // 2]
    run, model = read_on(kept, parent, reader, ReplyEdit(at.seq, at.attempt, "no such thing"))
    records = open_reading(kept, run.id).records
    origins = Counter(record.origin for record in records if record.reply is not None)
    assert origins["live"] == len(model.calls)
    assert origins["edited"] == 1
    assert origins["replayed"] == len([record for record in parent.records if record.seq < at.seq])
    spent = kept.runs.tape(run.id).spent()
    assert spent.calls == len(model.asked)


def test_an_edit_survives_json_and_anything_else_is_refused() -> None:
    for edit in (
        ReplyEdit(3, 1, "x"),
        edits.PromptEdit(2, ({"role": "user", "content": "y"},)),
        WrittenEdit(1, "gist", "a", "b"),
        edits.ModelEdit(4, "gpt-4o-mini", "http://localhost/v1", 0.5, None, 4096),
        LeaveOutEdit(0, 3, 9),
        RerunEdit(7),
    ):
        assert edits.from_json(edits.to_json(edit)) == edit
        assert edits.from_json({**edits.to_json(edit), "said": "in words"}) == edit
    wrong: list[dict[str, Any]] = [
        {}, {"kind": "other"}, {"kind": "again"}, {"kind": "again", "seq": "8"}, {"kind": "again", "seq": 1, "more": 2},
        {"kind": "again", "seq": True}, {"kind": "prompt", "seq": 1, "messages": []},
        {"kind": "prompt", "seq": 1, "messages": [{"role": "user"}]},
        {"kind": "wrote", "n": 1.5, "role": "", "before": "", "text": ""},
        {"kind": "model", "seq": 0, "model": None}, {"kind": "leave_out", "seq": 1, "start": 2, "end": {1, 2}},
    ]  # fmt: skip
    for data in wrong:
        with pytest.raises(BadOptions, match="edit"):
            edits.from_json(data)
    assert edits.from_json({"kind": "model", "seq": 0, "model": "x"}) == edits.ModelEdit(0, "x")


@pytest.mark.parametrize("words", ["Nothing but kettles.", "[…]", ""])
def test_a_tree_keeps_its_shape_whatever_a_summary_is_edited_to(kept: Store, parents: dict[str, Reading], words: str) -> None:
    """An edited inner summary still derives from all its parts, not only the first, and none of them is lost."""
    reader, parent = READER_OF["memwalker"], parents["memwalker"]
    before = reader.view(parent.trace)["nodes"]
    inner = [node for node in before if node["children"]]
    assert max(len(node["children"]) for node in inner) > 1
    for node in inner:
        wrote = parent.trace.wrote[int(node["id"])]
        run, _ = read_on(kept, parent, reader, WrittenEdit(wrote.n, wrote.role, wrote.text, words))
        trace = open_reading(kept, run.id).trace
        after = reader.view(trace)["nodes"]
        shape = ("id", "level", "children", "start", "end")
        assert [[one[name] for name in shape] for one in after] == [[one[name] for name in shape] for one in before]
        assert reader.names(trace) == reader.names(parent.trace)
        if trace.wrote[wrote.n].text:
            assert trace.sources(trace.wrote[wrote.n].pieces) == parent.trace.sources(wrote.pieces)
        kept.runs.delete(run.id)
