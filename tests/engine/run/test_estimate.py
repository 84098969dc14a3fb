"""What a run will take is estimated beforehand: exactly for the offline model, as a range for other models or a long text."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from readers import get
from readers.engine.errors import BadOptions
from readers.engine.models import model as models
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.offline import Offline
from readers.engine.models.speed import Speed, store_speed
from readers.engine.record.events import Cut, from_json
from readers.engine.run.estimate import REPLY_SPREAD, cost_of, estimate
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.trial import CallCount
from readers.engine.store import Run, Store
from readers.engine.text import split
from readers.engine.text.document import Document
from readers.engine.work import Range
from tests.support.readings import recurrent_reader
from tests.support.readings.recurrent_reader import Recurrent

READER = get("memwalker")
SPEC = RunSpec("memwalker", READER.version, "Who kept the high light?", options={"segment_tokens": 400})
OTHER = replace(SPEC, model="openai/some-model")


def read(store: Store, document: Document, spec: RunSpec) -> Run:
    return execute(store, create_run(store, document, READER, spec).id, READER, Execution(Offline()))


@pytest.fixture(scope="module")
def long(lamp: Document) -> Document:
    return Document.of(lamp.text * 3, title="Long")


@pytest.fixture
def soon_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is long, and estimated from its beginnings, at a quarter of the length that it takes otherwise."""
    monkeypatch.setattr("readers.engine.run.trial.MAX_WHOLE_TOKENS", 15_000)
    monkeypatch.setattr("readers.engine.run.trial.BEGINNING_LENGTHS", (12_500, 25_000))


def test_for_the_offline_model_the_estimate_is_exact(store: Store, lamp: Document) -> None:
    found = estimate(lamp, READER, SPEC, store=store)
    run = read(store, lamp, SPEC)
    records = store.runs.tape(run.id).records()
    assert found.calls == (len(records), len(records))
    assert found.tokens_in == (sum(r.tokens_in or 0 for r in records),) * 2
    assert found.tokens_out == (sum(r.tokens_out or 0 for r in records),) * 2
    (cut,) = (event for line in store.runs.tape(run.id).events() if isinstance(event := from_json(line), Cut))
    assert found.cuts == cut.spans
    assert (found.parts, found.whole, found.reused, found.cost) == (len(cut.spans), True, 0, Range(0, 0))


def test_an_estimate_stores_nothing(store: Store, lamp: Document) -> None:
    estimate(lamp, READER, SPEC, store=store)
    assert store.runs.listed() == []
    assert store.documents.listed() == []


@pytest.mark.parametrize(("written", "factor", "thought"), [(100, 8, 0), (120, 8, 0), (40, 8, 60), (40, 1, 0)])
def test_a_model_may_think_as_long_as_its_reply_leaves_room(written: int, factor: int, thought: int) -> None:
    asked = Call(0, 0, READER.prompts[0], (), ModelSettings("some/model", room_factor=factor), room=100)
    assert CallCount().with_reply(asked, Reply("x", 10, written, 0.0)).thought == thought


def test_a_second_question_on_the_same_text_reuses_the_tree(store: Store, lamp: Document) -> None:
    first = read(store, lamp, SPEC)
    shared = sum(record.shared for record in store.runs.tape(first.id).records())
    second = replace(SPEC, question="Who was Rhoda?")
    found = estimate(lamp, READER, second, store=store)
    assert found.reused == shared
    records = store.runs.tape(read(store, lamp, second).id).records()
    assert found.calls.low == sum(record.origin == "live" for record in records)
    assert estimate(lamp, READER, replace(second, reuse=False), store=store).reused == 0
    assert estimate(lamp, READER, replace(second, options={"segment_tokens": 300}), store=store).reused < shared / 2


@pytest.mark.slow  # loads litellm
def test_another_models_walk_and_replies_are_ranges(store: Store, lamp: Document) -> None:
    sure, found = estimate(lamp, READER, SPEC, store=store), estimate(lamp, READER, OTHER, store=store)
    for one, other in ((sure.calls, found.calls), (sure.tokens_in, found.tokens_in), (sure.tokens_out, found.tokens_out)):
        assert other.low < one.low < other.high
    assert found.cuts == sure.cuts
    assert (found.cost, found.seconds) == (None, None)


def test_a_known_price_gives_a_cost(lamp: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "readers.engine.run.estimate.token_cost", lambda model, sent, received, **_: sent * 0.001 + received * 0.002
    )
    found = estimate(lamp, READER, OTHER)
    assert found.cost == (
        pytest.approx(found.tokens_in.low * 0.001 + found.tokens_out.low * 0.002),
        pytest.approx(found.tokens_in.high * 0.001 + found.tokens_out.high * 0.002),
    )


def test_thoughts_may_fill_the_room_for_every_reply(lamp: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.run.estimate.token_cost", lambda model, sent, received, **_: received * 0.002)
    monkeypatch.setattr("readers.engine.run.estimate.speed.find_speed", lambda *_: Speed(read=50, written=10))
    options = {"chunk_tokens": 500, "memory_tokens": 128}
    spec = RunSpec("memagent", get("memagent").version, "Who?", options=options, model="openai/some-model", window=8192)
    plain = estimate(lamp, get("memagent"), replace(spec, reply_tokens=1000))
    found = estimate(lamp, get("memagent"), replace(spec, reply_tokens=1000, room_factor=8))
    assert (found.calls, found.tokens_in) == (plain.calls, plain.tokens_in)
    assert found.tokens_out.low == plain.tokens_out.low
    replies = plain.tokens_out.high / REPLY_SPREAD[1]
    assert found.tokens_out.high - plain.tokens_out.high == pytest.approx(1000 * plain.calls.high - replies)
    assert found.cost is not None
    assert found.cost == (pytest.approx(plain.tokens_out.low * 0.002), pytest.approx(found.tokens_out.high * 0.002))
    assert found.seconds is not None
    assert found.seconds.high == pytest.approx(found.tokens_in.high / 50 + found.tokens_out.high / 10)
    room = estimate(lamp, get("memagent"), replace(spec, room_factor=8)).tokens_out.high
    assert room < estimate(lamp, get("memagent"), replace(spec, room_factor=16)).tokens_out.high


@pytest.mark.slow  # loads litellm
def test_prices_are_litellms_or_unknown() -> None:
    assert models.token_cost("gpt-4o-mini", 1_000_000, 0) == pytest.approx(0.15)
    assert models.token_cost("openai/no-such-model-at-all", 1_000, 10) is None


@pytest.mark.slow  # loads litellm
def test_time_is_estimated_from_earlier_calls_of_the_model(store: Store, lamp: Document) -> None:
    run = read(store, lamp, SPEC)
    store.connection.execute("UPDATE calls SET ms = 500, at_once = 4, model = ? WHERE run = ?", (OTHER.model, run.id))
    store.connection.execute("UPDATE runs SET spec = json_set(spec, '$.model', ?)", (OTHER.model,))
    assert {call.seconds for call in store.runs.timed_calls(OTHER.model, None)} == {0.5}
    assert store.runs.timed_calls("another", None) == store.runs.timed_calls(OTHER.model, "http://127.0.0.1:9/v1") == []
    one = estimate(lamp, READER, OTHER, store=store, concurrency=1).seconds
    many = estimate(lamp, READER, OTHER, store=store, concurrency=8).seconds
    assert one is not None
    assert many is not None
    assert many.high < one.high


SERVERS = {  # a model at a provider, on this machine's processor, and on a server that batches
    "hosted": ("openai/one", "http://h/v1", Speed(read=2000, written=80, delay=0.4, shared=0.0)),
    "here": ("openai/two", "http://127.0.0.1:9/v1", Speed(read=60, written=8, delay=0.05, load=15.0, shared=1.0)),
    "batching": ("openai/three", "http://b/v1", Speed(read=5000, written=35, delay=0.15, shared=0.5)),
}
LENGTHS = {"summarise": 180, "update_memory": 240, "gist": 90}  # tokens of a model's replies by task
FORMS = {"hosted": "schema", "here": "words", "batching": "words"}


def relive(store: Store, run: Run, server: str, *, seed: int) -> float:
    """Let the calls of an offline reading have been answered by a server, with replies of its own length; the seconds that the
    reading took. Calls that build were made eight at once."""
    model, api_base, speed = SERVERS[server]
    rng, took = random.Random(seed), speed.load if seed % 3 == 0 else 0.0
    for record in store.runs.tape(run.id).records():
        at_once = 8 if record.shared else 1
        received = round(LENGTHS.get(record.task, 60) * rng.lognormvariate(0, 0.3))
        alone = speed.delay + (record.tokens_in or 0) / speed.read + received / speed.written
        seconds = alone * at_once**speed.shared * rng.lognormvariate(0, 0.2)
        took += seconds / at_once
        seconds += speed.load if seed % 3 == 0 and record.seq == 0 else 0.0
        store.connection.execute(
            "UPDATE calls SET model = ?, ms = ?, at_once = ?, tokens_out = ? WHERE run = ? AND seq = ? AND attempt = ?",
            (model, round(1000 * seconds), at_once, received, run.id, record.seq, record.attempt),
        )
    store.connection.execute(
        "UPDATE runs SET spec = json_set(spec, '$.model', ?, '$.api_base', ?) WHERE id = ?", (model, api_base, run.id)
    )
    return took


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
def test_readings_take_what_earlier_ones_let_expect(store: Store, lamp: Document, server: str) -> None:
    document, (model, api_base, _) = Document.of(lamp.text[:9_000], title="Lamp"), SERVERS[server]
    sizes = {
        "memwalker": {"segment_tokens": 300},
        "memagent": {"chunk_tokens": 400},
        "readagent": {"min_words": 100, "max_words": 200},
    }
    questions = (
        "Who kept the high light?",
        "Who was Rhoda?",
        "What was missing?",
        "When did the ship sail?",
        "Who painted the door?",
    )
    within = []
    for number in range(13):  # the first three teach
        reader = get(list(sizes)[number % 3])
        question = questions[number % len(questions)]
        spec = RunSpec(reader.id, reader.version, question, options=sizes[reader.id], reuse=False, reply_form=FORMS[server])
        asked = replace(spec, model=model, api_base=api_base)
        expected = estimate(document, reader, asked, store=store, concurrency=8)
        run = execute(store, create_run(store, document, reader, spec).id, reader, Execution(Offline()))
        took = relive(store, run, server, seed=number)
        if number > 2:
            assert expected.likely
            within.append(max(took / expected.likely, expected.likely / took))
    assert sum(off <= 1.5 for off in within) >= 8, within


@pytest.mark.slow  # loads litellm
def test_time_is_estimated_from_the_speed_measured_here(store: Store, lamp: Document) -> None:
    run = read(store, lamp, SPEC)
    store.connection.execute("UPDATE calls SET ms = 500, model = ? WHERE run = ?", (OTHER.model, run.id))
    before = estimate(lamp, READER, OTHER, store=store)
    store_speed(OTHER.model, OTHER.api_base, Speed(read=50, written=10))
    found = estimate(lamp, READER, OTHER, store=store, concurrency=8)
    assert (before.measured, found.measured) == (False, True)
    assert found.seconds == (
        pytest.approx(found.tokens_in.low / 50 + found.tokens_out.low / 10),
        pytest.approx(found.tokens_in.high / 50 + found.tokens_out.high / 10),
    )


@pytest.mark.slow
@pytest.mark.usefixtures("soon_long")
def test_a_long_text_is_extrapolated_from_its_beginning(store: Store, long: Document) -> None:
    found = estimate(long, READER, SPEC, store=store)
    assert not found.whole
    run = read(store, long, SPEC)
    records = store.runs.tape(run.id).records()
    assert found.calls.low * 0.9 <= len(records) <= found.calls.high * 1.1
    sent = sum(record.tokens_in or 0 for record in records)
    assert found.tokens_in.low * 0.85 <= sent <= found.tokens_in.high * 1.15
    (cut,) = (event for line in store.runs.tape(run.id).events() if isinstance(event := from_json(line), Cut))
    assert found.cuts == cut.spans[: len(found.cuts)]
    assert found.parts == pytest.approx(len(cut.spans), rel=0.05)
    second = replace(SPEC, question="Who was Rhoda?")
    again = estimate(long, READER, second, store=store)
    assert again.reused == sum(record.shared for record in records)
    live = sum(record.origin == "live" for record in store.runs.tape(read(store, long, second).id).records())
    assert again.calls.low <= live <= again.calls.high < 3 * live < again.reused


@pytest.mark.parametrize("size", [1_000, pytest.param(100_000, marks=pytest.mark.scale)])
@pytest.mark.parametrize("unit", ["One line. ", "x" * 5, "a\n\n", "字字字字"])
def test_any_text_has_an_estimate(unit: str, size: int) -> None:
    found = estimate(Document.of(unit * size), READER, replace(SPEC, options={}))
    assert found.calls.high >= found.calls.low >= 1
    assert found.parts >= len(found.cuts) >= 1


@pytest.mark.slow  # loads litellm
def test_a_prompt_that_will_not_fit_is_reported_in_advance(lamp: Document) -> None:
    found = estimate(lamp, READER, replace(OTHER, window=600, options={"segment_tokens": 500}))
    assert "take smaller segments" in found.problems[0]
    assert not found.open_end


@pytest.mark.slow  # loads litellm
def test_an_incomplete_trial_is_marked_as_open_ended(lamp: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recurrent_reader, "UPDATE", replace(recurrent_reader.UPDATE, task="judge"))
    spec = RunSpec("recurrent", 1, "Who?", model=OTHER.model)
    found = estimate(lamp, Recurrent(), spec)
    assert found.open_end
    assert found.problems == ()
    assert "cannot do the task" in estimate(lamp, Recurrent(), replace(spec, model=SPEC.model)).problems[0]


@pytest.mark.usefixtures("soon_long")
@pytest.mark.parametrize("reader_id", ["memagent", "rememr1"])
@pytest.mark.slow  # loads litellm
def test_calls_that_go_over_the_text_once_are_as_many_with_any_model(reader_id: str, lamp: Document, long: Document) -> None:
    options = {"chunk_tokens": 500, "memory_tokens": 128}
    spec = RunSpec(reader_id, 1, "Who kept the high light?", options=options, model="openai/some-model", window=8192)
    for text, least, most in ((lamp, 1.0, 1.2), (long, 0.85, 1.4)):
        made = len(split.segments(text.text, 500)) + 1
        found = estimate(text, get(reader_id), spec)
        assert least * made - 1 <= found.calls.low <= made <= found.calls.high <= most * made + 1
        assert found.reused == 0
    exact = estimate(lamp, get(reader_id), replace(spec, model=SPEC.model))
    assert exact.calls == (len(split.segments(lamp.text, 500)) + 1,) * 2


def test_caps_do_not_lower_the_estimate(lamp: Document) -> None:
    assert estimate(lamp, READER, replace(SPEC, caps={"max_calls": 3})).calls == estimate(lamp, READER, SPEC).calls


def test_an_invalid_spec_is_refused(lamp: Document) -> None:
    with pytest.raises(BadOptions, match="no question"):
        estimate(lamp, READER, replace(SPEC, question=" "))


def test_a_model_on_this_machine_costs_nothing_whoever_asks_for_its_price() -> None:
    for model in ("offline/extractive", "human/you", "local/smollm2"):
        assert cost_of(model, Range(900, 900), Range(90, 90)) == (0, 0)
