"""Experiments: what can be left out, samples with a change and without it, and a repeated prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from readers import READERS, get
from readers.engine.errors import BadOptions, Busy, NotFound
from readers.engine.forks import resample
from readers.engine.forks.experiment_results import (
    ExperimentOutcome,
    Firmness,
    compare_arms,
    firmness,
)
from readers.engine.forks.experiments import (
    Experiment,
    Sampling,
    default_temperature,
    delete_experiment,
    experiments_of,
    leave_one_out,
    price,
    price_sampling,
    recorded_call,
)
from readers.engine.forks.fork import fork
from readers.engine.forks.removable import describe_removed, leaves_out, removable_at
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import LiteLLM, Model
from readers.engine.models.offline import Offline
from readers.engine.record.edits import LEFT_OUT, Edit, LeaveOutEdit, PromptEdit, ReplyEdit, RerunEdit, WrittenEdit, to_json
from readers.engine.record.journal import decode_parts
from readers.engine.record.trace import Trace
from readers.engine.run.execute import SAMPLE_STRIDE, Execution, RunSpec, create_run, execute, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from tests.readers.every_reader.test_every_reader import every_reader, spec_of
from tests.readers.qrmem.test_graph import seen
from tests.support.models.scripted_models import COMMIT, Scripted, parts_of
from tests.support.processes.killed_readings import CALLS, OPTIONS, PARTS, Dying, Killed, answer
from tests.support.readings.qrmem_readings import QUESTION, Plan, relations
from tests.support.readings.qrmem_readings import READER as GRAPHER
from tests.support.servers.model_server import ModelServer, memory_reply, replying

READER = get("memwalker")


@pytest.fixture(scope="module")
def text() -> Document:
    return parts_of(PARTS)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("experiments") / "palimpsest.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def parents(kept: Store, lamp: Document) -> dict[str, Reading]:
    """A finished run of every reader."""
    short = Document.of(lamp.text[12_000:15_000], title="Some of the lamp")
    done = {}
    for reader in READERS:
        run = execute(kept, create_run(kept, short, reader, spec_of(reader)).id, reader, Execution(Offline()))
        done[reader.id] = open_reading(kept, run.id)
    return done


class Varied:
    """Replies that end with an answer chosen by the sample; counts its calls."""

    def __init__(self, answers: dict[int, str], usual: str = "at five") -> None:
        self._answers = answers
        self._usual = usual
        self.calls: list[Call] = []

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        if call.prompt.task == "summarise":
            return Reply(f"Call {call.seq} was about some lamp. It was lit.", 10, 5, 0.001)
        values: dict[str, str | int] = {"reasoning": "x", "action": 0 if call.prompt.task == "choose" else COMMIT}
        values["answer"] = self._answers.get(call.settings.sample_base // SAMPLE_STRIDE, self._usual)
        return Reply(call.prompt.reply.render(values), 10, 5, 0.001)


def walked(store: Store, text: Document, *, model: Model | None = None) -> Reading:
    """A walk that ends with the answer `at five`."""
    spec = RunSpec("memwalker", READER.version, "When was it lit?", (), OPTIONS, model="scripted/x", reuse=False)
    run = execute(store, create_run(store, text, READER, spec).id, READER, Execution(model or Varied({}), concurrency=1))
    assert run.answer == "at five", run.error
    return open_reading(store, run.id)


def all_read(store: Store, parent: Reading, model: Model) -> Experiment:
    """The latest experiment on a run, executed to its end."""
    (last, *_) = experiments_of(store, parent.run.id)
    for run in last.runs:
        execute(store, run.id, get(run.reader), Execution(model, concurrency=4))
    return experiments_of(store, parent.run.id)[0]


def told(parent: Reading, experiment: Experiment) -> ExperimentOutcome:
    return compare_arms(parent.run, experiment.changed, experiment.unchanged)


def counted(store: Store, parent: Reading, experiment: Experiment) -> Firmness:
    """The firmness of the samples of a call."""
    (run,) = experiment.runs
    record = next(row for row in parent.records if row.seq == experiment.at and row.reply and row.parsed is not None)
    prompt = store.runs.tape(parent.run.id).prompts()[record.prompt]
    sizes = {part.name: len(part.texts) for part in decode_parts(record.parts, parent.document)}
    return firmness(prompt, sizes, record.reply or "", run, store.runs.tape(run.id).records())


# What can be left out


@every_reader
def test_what_a_prompt_showed_can_be_left_out_and_is_described_from_its_edit(reader: Reader, parents: dict[str, Reading]) -> None:
    trace = parents[reader.id].trace
    names = reader.names(trace)
    asked = [event for event in trace.asked.values() if event.parts]
    kinds: Counter[str] = Counter()
    for event in asked:
        items, _ = removable_at(trace, event.seq, names)
        assert len({(item.label, item.words) for item in items}) == len(items)
        for item in items:
            kinds[item.edit.kind] += 1
            assert describe_removed(trace, names, item.edit) == (item.label, item.words)
            assert item.words.strip()
            if isinstance(item.edit, LeaveOutEdit):
                assert trace.document.text[item.edit.start : item.edit.end] == item.words
                assert any(s <= item.edit.start and item.edit.end <= e for s, e in shown(trace.asked[event.seq].parts))
            else:
                rest = item.edit.before.replace(item.words, "", 1)
                assert item.edit.before == trace.wrote[item.edit.n].text
                assert "".join(item.edit.text.split()) == ("" if item.whole else "".join(rest.split()))
    assert kinds["leave_out"]
    assert bool(kinds["wrote"]) == bool(trace.wrote)


def shown(parts: object) -> list[tuple[int, int]]:
    """The stretches of the document in a call, adjacent ones merged."""
    pieces = sorted((p.begin, p.stop) for _, texts in parts for text in texts for p in text if p.origin == "document")  # type: ignore[attr-defined]
    found: list[tuple[int, int]] = []
    for start, end in pieces:
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def test_removable_items_are_bounded_and_searchable(parents: dict[str, Reading]) -> None:
    trace = parents["readagent"].trace
    names = get("readagent").names(trace)
    last = max(seq for seq in trace.asked)
    whole, _ = removable_at(trace, last, names)
    few, more = removable_at(trace, last, names, limit=3)
    assert len(few) == 3
    assert more == len(whole) - 3
    assert all(item.whole for item in few)
    words = whole[-1].words[:25].upper()
    found, _ = removable_at(trace, last, names, find=words)
    assert found
    assert all(words.casefold() in item.words.casefold() for item in found)
    assert removable_at(trace, last, names, find="no such words anywhere")[0] == []
    assert removable_at(trace, 10_000, names)[0] == []


def test_a_removed_relation_is_not_walked(kept: Store, parents: dict[str, Reading]) -> None:
    parent, reader = parents["qrmem"], get("qrmem")
    linked = {event.picked for event in parent.trace.decisions("link")}
    wrote = next(w for w in parent.trace.wrote.values() if w.role == "relation" and f"wrote:{w.n}" in linked)
    made = fork(kept, parent, reader, WrittenEdit(wrote.n, "relation", wrote.text, ""))
    run = execute(kept, made.id, reader, Execution(Offline()))
    trace = open_reading(kept, run.id).trace
    assert run.status == "finished"
    assert trace.wrote[wrote.n].text == LEFT_OUT
    picked = {event.picked for event in trace.decisions("link", "consider", "expand")}
    assert picked
    assert not any(trace.wrote[int(ref.removeprefix("wrote:"))].text == LEFT_OUT for ref in picked if ref.startswith("wrote:"))
    assert not any(LEFT_OUT in str(event.among) for event in trace.decisions("link"))
    assert reader.view(trace)


def test_a_removed_joint_relation_joins_nothing() -> None:
    document = seen(2)
    plan = Plan(relations=lambda call: [{"a": "ada quill", "b": "swallow", "relation": f"seen {call.part('segment')[0][0]}"}])
    spec = RunSpec("qrmem", GRAPHER.version, QUESTION, options={"segment_tokens": 32, "max_trials": 1})

    def read(*edits: WrittenEdit) -> Trace:
        plan.verdicts = ["yes: forty-two"]
        return rehearse(document, GRAPHER, replace(spec, edits=tuple(map(to_json, edits))), plan.model())

    trace = read()
    ((words, _),) = relations(trace).values()
    assert words == "seen 0 and seen 1"
    joint = next(wrote for wrote in trace.wrote.values() if wrote.text == words)
    assert relations(read(WrittenEdit(joint.n, "relation", words, LEFT_OUT))) == {}
    one = next(wrote for wrote in trace.wrote.values() if wrote.text == "seen 0")
    ((left, _),) = relations(read(WrittenEdit(one.n, "relation", "seen 0", LEFT_OUT))).values()
    assert left == "seen 1"


# Leave one out


def test_six_of_eight_change_without_it_and_one_of_eight_unchanged(store: Store, text: Document) -> None:
    parent = walked(store, text)
    edit = the_leaf(parent)
    assert leave_one_out(store, parent, READER, edit, Sampling(8, max_calls=40))
    bases = dict.fromkeys((1, 3, 5, 7, 9, 11, 16), "never, as far as one knows")  # six without it, and the last unchanged one
    done = all_read(store, parent, Varied(bases))
    assert done.edit == replace(edit, text=LEFT_OUT)
    assert [run.name for run in done.runs[:3]] == ["without it, 1 of 8", "unchanged, 1 of 8", "without it, 2 of 8"]
    assert [run.spec["sample_base"] for run in done.runs] == [number * SAMPLE_STRIDE for number in range(1, 17)]
    assert {run.spec["caps"]["max_calls"] for run in done.runs} == {40}
    found = told(parent, done)
    assert found.sentence == "the answer changed in 6 of 8; unchanged reruns changed in 1 of 8"
    assert [(came.without, came.unchanged, came.changed) for came in found.answers] == [(2, 7, False), (6, 1, True)]
    again = experiments_of(store, parent.run.id)
    assert again == [done]


def the_leaf(parent: Reading) -> WrittenEdit:
    """Leave out the summary of the last part."""
    names = READER.names(parent.trace)
    triage = next(seq for seq, event in parent.trace.asked.items() if event.prompt == "memwalker.triage")
    edit = next(item.edit for item in removable_at(parent.trace, triage, names)[0] if isinstance(item.edit, WrittenEdit))
    assert isinstance(edit, WrittenEdit)
    return edit


@pytest.mark.slow  # loads litellm
def test_the_price_matches_the_server_and_no_two_samples_share_a_request(store: Store, lamp: Document) -> None:
    short = Document.of(lamp.text[:4_000], title="The beginning")
    reader = get("memagent")
    with ModelServer(replying(memory_reply)) as server:
        spec = RunSpec(
            "memagent", reader.version, "When was it lit?", options={"chunk_tokens": 200, "memory_tokens": 64},
            model="openai/test", api_base=server.base_url,
        )  # fmt: skip
        model = LiteLLM("sk-0123456789")
        whole = execute(store, create_run(store, short, reader, spec).id, reader, Execution(model))
        parent = open_reading(store, whole.id)
        assert whole.status == "finished", whole.error
        before = len(server.requests)
        item = removable_at(parent.trace, 1, reader.names(parent.trace))[0][0]
        assert item.edit == LeaveOutEdit(1, *parent.trace.spans_shown(1)[0])
        plan = price(store, parent, reader, item.edit, Sampling(2, temperature=0.7))
        found = plan.samples(2)
        leave_one_out(store, parent, reader, item.edit, Sampling(2, temperature=0.7, max_calls=plan.most_calls))
        done = all_read(store, parent, model)
        made = server.requests[before:]
        assert {run.status for run in done.runs} == {"finished"}
        assert len(made) == 4 * (before - 1)
        assert found.calls.low <= len(made) <= found.calls.high
        assert len(made) == sum(store.runs.tape(run.id).spent().calls for run in done.runs)
        assert {request.body["temperature"] for request in made} == {0.7}
        assert sum(item.words[:200] in request.content for request in made) == 2  # the unchanged ones
        identities = [
            record.identity for run in done.runs for record in store.runs.tape(run.id).records() if record.origin == "live"
        ]
        assert len(set(identities)) == len(identities) == len(made)
        assert done.temperature == 0.7

        before = len(server.requests)
        resample.sample_call(store, parent, reader, 2, Sampling(3))
        assert price_sampling(parent, 2, Sampling(3)).calls == (3, 3)
        firm = all_read(store, parent, model)
        assert len(server.requests) - before == 3
        assert {request.body["max_tokens"] for request in server.requests[before:]} == {made[0].body["max_tokens"]}
        assert firm.runs[0].answer == "3 of 3 replies could be read."


def test_the_offline_models_price_is_exact(kept: Store, parents: dict[str, Reading]) -> None:
    parent = parents["memagent"]
    seq = sorted(parent.trace.asked)[1]
    item = removable_at(parent.trace, seq, get("memagent").names(parent.trace))[0][0]
    found = price(kept, parent, get("memagent"), item.edit, Sampling(2)).samples(2)
    leave_one_out(kept, parent, get("memagent"), item.edit, Sampling(2))
    done = all_read(kept, parent, Offline())
    assert found.calls.low == found.calls.high == sum(kept.runs.tape(run.id).spent().calls for run in done.runs)
    assert found.cost == (0, 0)
    delete_experiment(kept, done)


def test_an_invalid_experiment_is_refused_with_the_reason(store: Store, text: Document) -> None:
    parent = walked(store, text)
    edit = the_leaf(parent)
    for trials, why in (
        (Sampling(0), "must be from 1 to 20"),
        (Sampling(21), "must be from 1 to 20"),
        (Sampling(1, temperature=3), "temperature"),
        (Sampling(1, max_calls=0), "limit"),
    ):
        with pytest.raises(BadOptions, match=why):
            leave_one_out(store, parent, READER, edit, trials)
    failed = parent._replace(run=replace(parent.run, outcome=None, status="failed"))
    with pytest.raises(BadOptions, match="has not ended, so there is nothing to compare with"):
        leave_one_out(store, failed, READER, edit, Sampling(1))
    by_hand = parent._replace(run=replace(parent.run, spec={**parent.run.spec, "model": "human/you"}))
    with pytest.raises(BadOptions, match="a person replies"):
        resample.sample_call(store, by_hand, READER, 9, Sampling(1))
    with pytest.raises(BadOptions, match="no model replied to call 100"):
        resample.sample_call(store, parent, READER, 99, Sampling(1))
    older = parent._replace(run=replace(parent.run, spec={**parent.run.spec, "version": 0}))
    with pytest.raises(BadOptions, match="version 0"):
        recorded_call(older, READER, 9)
    assert experiments_of(store, parent.run.id) == []


def test_both_arms_use_the_same_temperature_and_0_is_replaced_by_a_default(store: Store, text: Document) -> None:
    parent = walked(store, text)
    assert default_temperature(parent, 9) == 0.7
    leave_one_out(store, parent, READER, the_leaf(parent), Sampling(1, temperature=0.4))
    model = Varied({})
    all_read(store, parent, model)
    assert {call.settings.temperature for call in model.calls} == {0.4}
    offline = parent._replace(run=replace(parent.run, spec={**parent.run.spec, "model": "offline/extractive"}))
    assert default_temperature(offline, 9) == 0
    own = parent._replace(run=replace(parent.run, spec={**parent.run.spec, "temperature": 0.3}))
    assert default_temperature(own, 9) == 0.3


# How firm


@every_reader
def test_a_call_is_repeated_exactly_as_it_was_sent(reader: Reader, kept: Store, parents: dict[str, Reading]) -> None:
    parent = parents[reader.id]
    for record in [row for row in parent.records if row.task != "score" and row.attempt == 0]:
        call = recorded_call(parent, reader, record.seq)
        assert call.identity == record.identity
    run = resample.sample_call(kept, parent, reader, record.seq, Sampling(2))
    assert (run.reader, run.parent, run.fork_at) == ("samples", parent.run.id, record.seq)
    done = all_read(kept, parent, Offline())
    assert done.reader == resample.ID
    rows = kept.runs.tape(run.id).records()
    assert {row.origin for row in rows} == {"live"}
    assert {row.reply for row in rows} == {record.reply}
    assert len({row.identity for row in rows} | {record.identity}) == 3
    delete_experiment(kept, done)


def test_an_edited_prompt_is_repeated_as_edited(store: Store, text: Document) -> None:
    parent = walked(store, text)
    words = "Which part? $dollar <summaries> <script>alert(1)</script>"
    edited = fork(store, parent, READER, PromptEdit(9, ({"role": "user", "content": words},)))
    execute(store, edited.id, READER, Execution(Varied({}), concurrency=1))
    resample.sample_call(store, open_reading(store, edited.id), READER, 9, Sampling(3, temperature=0.9))
    model = Varied({})
    (run,) = all_read(store, open_reading(store, edited.id), model).runs
    assert [call.messages for call in model.calls] == [[{"role": "user", "content": words}]] * 3
    assert {call.settings.temperature for call in model.calls} == {0.9}
    assert run.status == "finished"


def test_each_sample_stands_for_itself_and_unreadable_ones_are_counted(store: Store, text: Document) -> None:
    """A scripted model: two for part 0, one for part 1, two unreadable."""
    parent = walked(store, text)
    resample.sample_call(store, parent, READER, 9, Sampling(5))

    class Scatter:
        def complete(self, call: Call) -> Reply:
            number = [0, 1, None, 0, None][call.seq]
            return Reply("I cannot say." if number is None else call.prompt.reply.render({"reasoning": "x", "action": number}))

    done = all_read(store, parent, Scatter())
    assert done.runs[0].answer == "3 of 5 replies could be read."
    found = counted(store, parent, done)
    assert [(option.value, option.times, option.taken) for option in found.options] == [(0, 2, True), (1, 1, False)]
    assert (found.asked, found.came, found.unreadable) == (5, 5, 2)


# Stopping, resuming, deleting


def test_an_interrupted_experiment_resumes_without_repeating_an_answered_call(store: Store, text: Document) -> None:
    parent = walked(store, text, model=Scripted(answer))
    leave_one_out(store, parent, READER, RerunEdit(9), Sampling(1))
    resample.sample_call(store, parent, READER, 9, Sampling(6))
    firm, out = experiments_of(store, parent.run.id)
    (run,) = firm.runs
    broken, rest = Dying(3), Dying(99)
    with pytest.raises(Killed):
        execute(store, out.runs[0].id, READER, Execution(broken))
    assert execute(store, out.runs[0].id, READER, Execution(rest)).answer == "at five"
    assert len(broken.calls) == 2
    assert not set(broken.calls) & set(rest.calls)
    assert len(broken.calls) + len(rest.calls) <= CALLS - 9  # nine summaries are copied from the run

    model = Varied({})
    stops = iter([False] * 3 + [True] * 99)
    execute(store, run.id, resample.Samples(), Execution(model, concurrency=1, stopped=lambda: next(stops), linger=1.0))
    assert store.runs.get(run.id).status == "cancelled"
    before = store.runs.tape(run.id).answered()
    assert 0 < before < 6
    execute(store, run.id, resample.Samples(), Execution(model, concurrency=1))
    assert store.runs.get(run.id).status == "finished"
    assert len(model.calls) == 6


def test_an_experiment_is_deleted_with_its_samples_and_a_run_with_its_experiments(store: Store, text: Document) -> None:
    parent = walked(store, text)
    leave_one_out(store, parent, READER, the_leaf(parent), Sampling(2))
    resample.sample_call(store, parent, READER, 9, Sampling(2))
    firm, out = experiments_of(store, parent.run.id)
    with pytest.raises(Busy, match="still running"):
        delete_experiment(store, out)
    assert len(experiments_of(store, parent.run.id)) == 2
    all_read(store, parent, Varied({}))
    for run in out.runs:
        store.runs.cancel(run.id)
    on_it = fork(store, open_reading(store, out.runs[0].id), READER, ReplyEdit(0, 0, "no idea"))
    with pytest.raises(Busy, match="forks of them"):
        delete_experiment(store, experiments_of(store, parent.run.id)[1])
    assert len(experiments_of(store, parent.run.id)) == 2
    store.runs.cancel(on_it.id)
    delete_experiment(store, experiments_of(store, parent.run.id)[1])
    (left,) = experiments_of(store, parent.run.id)
    assert left.id == firm.id
    other = fork(store, parent, READER, ReplyEdit(9, 0, "no idea"))
    store.runs.cancel(other.id)
    store.runs.delete(parent.run.id)
    with pytest.raises(NotFound):
        store.runs.get(left.runs[0].id)
    assert store.runs.get(other.id)


def test_a_document_is_deleted_with_its_runs_and_their_samples(store: Store, text: Document) -> None:
    parent = walked(store, text)
    resample.sample_call(store, parent, READER, 9, Sampling(2))
    all_read(store, parent, Varied({}))
    store.documents.delete(parent.document.id)
    assert store.runs.listed(samples=True) == []


def test_lists_leave_samples_out_unless_requested(store: Store, text: Document) -> None:
    parent = walked(store, text)
    resample.sample_call(store, parent, READER, 9, Sampling(2))
    assert [run.id for run in store.runs.listed()] == [parent.run.id]
    assert [run.id for run in store.runs.listed(document=parent.document.id)] == [parent.run.id]
    assert len(store.runs.listed(samples=True)) == 2
    assert store.runs.counts() == {parent.document.id: 1}


def test_users_cannot_choose_the_samples_reader() -> None:
    assert get("samples").title == "Samples of one call"
    assert "samples" not in [reader.id for reader in READERS]
    with pytest.raises(NotFound) as missing:
        get("nobody")
    assert "samples" not in str(missing.value)


@pytest.mark.parametrize(
    ("edit", "leaves"),
    [
        (LeaveOutEdit(0, 0, 9), True),
        (WrittenEdit(0, "gist", "A bell. A dealer. A price.", "A bell. A price."), True),
        (WrittenEdit(0, "gist", "A bell.", LEFT_OUT), True),
        (WrittenEdit(0, "gist", "A bell. A dealer.", "A bell. A price."), False),
        (ReplyEdit(0, 0, "Page [2]"), False),
    ],
)
def test_a_change_that_only_leaves_out_is_told_from_others(edit: Edit, *, leaves: bool) -> None:
    assert leaves_out(edit) is leaves
