"""Models and what surrounds them: retries, budgets, pace, scores. Nothing here waits for more than a moment."""

from __future__ import annotations

import base64
import html
import json
import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from readers.engine.errors import BadOptions, KeyRefused, ModelFailed
from readers.engine.models import model as models
from readers.engine.models import similarity
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.keys import scrub
from readers.engine.models.model import Model, RefusingModel, Retry, Transient, check_api_base, is_immediate
from readers.engine.models.offline import Offline
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.events import Asked, Ended, from_json
from readers.engine.record.journal import MemoryTape
from readers.engine.run.desk import Desk
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Question, Text
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import COMMIT, Scripted, parts_of, walker
from tests.support.readings.replays import replayed

ANY = Prompt(id="test.any", task="answer", template="Say something about $what.")
CALL = Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings("scripted/test"))
WALKER = MemWalker()


@dataclass
class Failing:
    """Raises the given errors, one for each call; then replies."""

    errors: list[BaseException]
    asked: int = 0

    def complete(self, call: Call) -> Reply:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return Reply("at last")


def passing(count: int, **more: Any) -> list[BaseException]:
    return [Transient("busy", **more) for _ in range(count)]


# Retry


def test_four_failures_fail_the_call_without_a_fifth_try() -> None:
    slept: list[float] = []
    model = Failing(passing(9))
    with pytest.raises(ModelFailed, match=r"busy \(tried 4 times\)"):
        Retry(model, sleep=slept.append).complete(CALL)
    assert (model.asked, len(slept)) == (4, 3)


def test_the_wait_grows_to_four_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MAX_TRIES", 7)
    slept: list[float] = []
    assert Retry(Failing(passing(6)), sleep=slept.append).complete(CALL) == Reply("at last")
    assert slept == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("asked_for", "waited"),
    [(None, 0.5), (0.1, 0.5), (3.0, 3.0), (10.0, 10.0), (86400.0, 10.0), (-5.0, 0.5), (math.inf, 10.0), (math.nan, 0.5)],
)
def test_retry_after_is_honoured_up_to_ten_seconds(asked_for: float | None, waited: float) -> None:
    slept: list[float] = []
    Retry(Failing(passing(1, retry_after=asked_for)), sleep=slept.append).complete(CALL)
    assert slept == [waited]


@pytest.mark.parametrize(
    "error", [ModelFailed("no such model"), KeyRefused("no key"), BadOptions("no such scorer"), ValueError("a mistake")]
)
def test_a_permanent_failure_is_raised_at_once(error: Exception) -> None:
    model = Failing([error])
    with pytest.raises(type(error), match=str(error)):
        Retry(model, sleep=lambda seconds: pytest.fail("it waited")).complete(CALL)
    assert model.asked == 1


def test_a_reply_counts_the_rate_limits_before_it() -> None:
    model = Failing([Transient("slow down", rate_limited=True), Transient("busy"), Transient("slow down", rate_limited=True)])
    assert Retry(model, sleep=lambda seconds: None).complete(CALL).rate_limits == 2


def test_a_reading_stopped_during_a_wait_sends_nothing_more() -> None:
    stopped = threading.Event()
    model = Failing(passing(9))
    with pytest.raises(ModelFailed, match="busy"):
        Retry(model, stopped=stopped.is_set, sleep=lambda seconds: stopped.set()).complete(CALL)
    assert model.asked == 1
    with pytest.raises(ModelFailed, match="busy"):
        Retry(model, stopped=stopped.is_set, sleep=lambda seconds: pytest.fail("it waited")).complete(CALL)


# Models without a network


def test_a_refusing_model_names_the_call() -> None:
    with pytest.raises(ModelFailed, match="call 1 is not on record"):
        RefusingModel().complete(CALL)


def test_a_model_declares_whether_it_is_immediate() -> None:
    assert is_immediate(Offline(), CALL)
    assert is_immediate(Retry(similarity.WithScores(Offline())), CALL)
    assert not is_immediate(Scripted([]), CALL)
    scoring = replace(CALL, prompt=similarity.SCORE, settings=ModelSettings("bm25"))
    assert is_immediate(similarity.WithScores(Scripted([])), scoring)
    assert not is_immediate(similarity.WithScores(Offline()), replace(scoring, settings=ModelSettings("embedding/some")))


# Keys


def test_every_known_key_is_redacted_from_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh-in-front\r\n")
    monkeypatch.setenv("OTHER_TOKEN", "abcdefgh")
    said = "given: sk-given-0123; ours: abcdefgh-in-front; other: abcdefgh."
    assert scrub(said, " sk-given-0123\n") == "given: [key]; ours: [key]; other: [key]."


AWKWARD = "sk-it's\\a\"key/of mine+é&<1>"
ECHOES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in JSON": lambda key: json.dumps({"error": key}),
    "in JSON of UTF-8": lambda key: json.dumps({"error": key}, ensure_ascii=False),
    "in JSON with slashes escaped": lambda key: json.dumps(key).replace("/", "\\/"),
    "in Python": lambda key: repr([key]),
    "in Python with quotation marks": lambda key: repr(f"'so' said \"{key}\""),
    "in an address": quote,
    "in an address, all of it": lambda key: quote(key, safe=""),
    "in a form": quote_plus,
    "in a web page": html.escape,
    "in base64": lambda key: base64.b64encode(key.encode()).decode(),
    "in base64 with a word before": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "in base64 with a name before and words behind": lambda key: base64.b64encode(f"user:{key} it is".encode()).decode(),
    "in base64 for addresses": lambda key: base64.urlsafe_b64encode(f"u:{key}".encode()).decode().rstrip("="),
    "in figures": lambda key: key.encode().hex(),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "JSON in Python": lambda key: repr(json.dumps({"error": key})),
    "Python in JSON": lambda key: json.dumps(repr(f"'\"{key}")),
}


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_a_key_is_redacted_however_a_server_writes_it(echo: Callable[[str], str]) -> None:
    said = scrub(f"no such key: {echo(AWKWARD)}.", AWKWARD)
    assert "[key]" in said
    assert not any(part in said for part in ("it", "key/", "key%", "mine"))
    assert len(said) < 60  # and so is what else it was written as


LONG = "sk-proj-5b1e09C7d3F846a2_and-its-End-0b9"
OTHER_FORMS: dict[str, Callable[[str], str]] = {
    "masked": lambda key: f"{key[:8]}{'*' * 20}{key[-4:]}",
    "masked with points": lambda key: f"{key[:5]}...{key[-4:]}",
    "masked with bullets": lambda key: f"{key[:3]}••••{key[-3:]}",
    "its end alone": lambda key: f"****{key[-6:]}",
    "reversed": lambda key: key[::-1],
    "in capitals": str.upper,
    "in small letters": str.lower,
    "without its signs": lambda key: "".join(filter(str.isalnum, key)),
    "with spaces": " ".join,
    "in lines": lambda key: "\n".join(key[at : at + 5] for at in range(0, len(key), 5)),
    "its first half": lambda key: key[: len(key) // 2 + 2],
    "its second half": lambda key: key[len(key) // 2 - 2 :],
    "its middle, reversed": lambda key: key[8:-8][::-1],
}


@pytest.mark.parametrize("echo", OTHER_FORMS.values(), ids=OTHER_FORMS)
def test_most_of_a_key_is_redacted_however_it_is_written(echo: Callable[[str], str]) -> None:
    said = scrub(f"Wrong key: {echo(LONG)}. See **here**, or ask...", LONG)
    assert re.fullmatch(r"Wrong key: \W{0,3}\[key\]\W{0,3}\. See \*\*here\*\*, or ask\.\.\.", said), said


@pytest.mark.parametrize(
    "words",
    [
        "It begins with sk-proj-, and that is all.",
        "sk-***",
        "**End** of the list: a * b * c ... and its end.",
        "The 5b1e09 lamps.",
    ],
)
def test_words_that_say_little_of_a_key_stay(words: str) -> None:
    assert scrub(words, LONG) == words
    assert scrub("The lantern.", "the-lantern") == "The lantern."  # too short to be found in other forms


def test_a_short_placeholder_is_not_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "none")
    assert scrub("There were none.", "x") == "There were none."


@pytest.mark.parametrize("url", ["http://localhost:8000/v1", "https://models.example/a/b@c", "http://[::1]:8000"])
def test_a_plain_base_url_is_accepted(url: str) -> None:
    assert check_api_base(url) == url


# Budgets. `Priced` sets what a reading costs.


@dataclass
class Priced:
    """A model whose replies take a given number of tokens and dollars each, after a short delay that differs from call to
    call."""

    model: Model
    tokens: int = 10
    usd: float | None = 0.01
    seconds: float = 0.0
    asked: list[int] = field(default_factory=list)

    def complete(self, call: Call) -> Reply:
        self.asked.append(call.seq)
        time.sleep(self.seconds * (1 + call.seq % 3))
        return replace(self.model.complete(call), tokens_in=self.tokens - 1, tokens_out=1, cost_usd=self.usd)


def reading(store: Store, reader: Reader, document: Document, **spec: Any) -> Run:
    return create_run(store, document, reader, RunSpec(reader.id, reader.version, "What is it?", **spec))


def walk(store: Store, **spec: Any) -> Run:
    """A MemWalker reading of six segments, which takes eight calls."""
    return reading(store, WALKER, parts_of(6), options={"segment_tokens": 64}, **spec)


@pytest.fixture(scope="module")
def whole() -> list[Any]:
    """The events of that reading without a budget."""
    spec = RunSpec(WALKER.id, WALKER.version, "What is it?", options={"segment_tokens": 64})
    return list(rehearse(parts_of(6), WALKER, spec, walker([0, COMMIT])).events)


BUDGETS = [
    pytest.param({"max_calls": 1}, 1, "1 calls", id="one call"),
    pytest.param({"max_calls": 5}, 5, "5 calls", id="calls that end while the tree is built"),
    pytest.param({"max_calls": 7}, 7, "7 calls", id="calls that end on the walk"),
    pytest.param({"max_tokens": 65}, 7, "65 tokens", id="tokens"),
    pytest.param({"max_cost": 0.065}, 7, "0.065 US dollars", id="money"),
]


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize(("caps", "calls", "says"), BUDGETS)
def test_exceeding_a_budget_ends_the_reading_and_keeps_its_partial_trace(
    store: Store, whole: list[Any], caps: dict[str, Any], calls: int, says: str, width: int
) -> None:
    model = Priced(walker([0, COMMIT]), seconds=0.004)
    run = walk(store, caps=caps)
    done = execute(store, run.id, WALKER, Execution(model, concurrency=width))
    assert (done.status, done.outcome) == ("finished", "over_budget")
    assert says in str(done.error)
    assert len(model.asked) == calls
    tape = store.runs.tape(run.id)
    assert [record.seq for record in tape.records()] == list(range(calls))
    assert all(record.reply for record in tape.records())
    told = [from_json(line) for line in tape.events()]
    assert told[:-1] == whole[: len(told) - 1]
    assert isinstance(told[-1], Ended)
    assert sum(isinstance(event, Asked) for event in told) == (7 if calls == 7 else 0)

    assert list(replayed(store, done, WALKER).events) == told


def test_a_budget_that_is_just_enough_is_not_exceeded(store: Store) -> None:
    run = walk(store, caps={"max_calls": 8})
    assert execute(store, run.id, WALKER, Execution(Priced(walker([0, COMMIT])))).outcome == "answered"


def test_reused_calls_and_calls_without_a_price_cost_nothing(store: Store) -> None:
    first = walk(store, caps={"max_cost": 0.001})
    assert execute(store, first.id, WALKER, Execution(Priced(walker([0, COMMIT]), usd=None))).outcome == "answered"
    second = walk(store, caps={"max_calls": 2})
    assert execute(store, second.id, WALKER, Execution(walker([1, COMMIT]))).outcome == "answered"


INNER = Prompt(id="test.inner", task="pause", template="Where to pause in $part?")
OUTER = Prompt(
    id="test.outer",
    task="shorten",
    template="Shorten $part.\n$format",
    reply=Block((Line("action", "number", "one", highest=9),)),
    tries=3,
)


@dataclass(frozen=True)
class NoOptions:
    """Empty."""


class Reading(Reader):
    """A reader made from one function of the desk."""

    id, title, version, prompts, Options = "test", "Test", 1, (INNER, OUTER, ANY), NoOptions

    def __init__(self, read: Callable[[Desk], Text]) -> None:
        self._read = read

    def read(self, document: Document, question: Question, desk: Desk, options: Any) -> Text:
        return self._read(desk)

    def view(self, trace: object) -> dict[str, Any]:
        return {}

    def names(self, trace: object) -> dict[str, str]:
        return {}


def overlapping(desk: Desk) -> Text:
    """Twelve rows from a generator that itself asks before each."""

    def rows() -> Iterator[dict[str, Text]]:
        for number in range(12):
            desk.ask(INNER, part=Text(f"part {number}"))
            yield {"part": Text(f"part {number}")}

    desk.ask_all(OUTER, rows())
    return Text("done")


@pytest.mark.parametrize("caps", [{"max_calls": 9}, {"max_calls": 17}, {"max_tokens": 60}, {"max_tokens": 200}])
def test_a_budget_exceeded_by_a_retry_within_a_batch_replays_to_the_same_events(store: Store, caps: dict[str, Any]) -> None:
    def reply(call: Call) -> str:
        return "Action: 1" if call.attempt or call.prompt.id == "test.inner" else "not in the form that was asked for"

    run = reading(store, Reading(overlapping), Document.of("A text."), caps=caps)
    done = execute(store, run.id, Reading(overlapping), Execution(Priced(Scripted(reply), seconds=0.004), concurrency=4))
    assert (done.status, done.outcome) == ("finished", "over_budget")
    assert replayed(store, done, Reading(overlapping)).outcome == done.outcome


# Pace


def test_calls_go_out_no_faster_than_calls_per_minute(store: Store) -> None:
    went: list[float] = []
    play = walker([0, COMMIT])

    def reply(call: Call) -> str:
        went.append(time.monotonic())
        return play.complete(call).text

    run = walk(store, caps={"calls_per_minute": 60 / 0.04})
    began = time.monotonic()
    assert execute(store, run.id, WALKER, Execution(Scripted(reply), concurrency=6)).outcome == "answered"
    assert len(went) == 8
    assert all(at - began >= 0.04 * number for number, at in enumerate(sorted(went)))


def test_a_lasting_rate_limit_lowers_the_number_of_concurrent_calls(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FIRST_WAIT", 0.0)
    lock = threading.Lock()
    at_once, most = 0, 0
    together = threading.Barrier(4)

    class Limited:
        def complete(self, call: Call) -> Reply:
            nonlocal at_once, most
            if call.seq < 4:
                together.wait(10)
                raise Transient("slow down", rate_limited=True)
            with lock:
                at_once += 1
                most = max(most, at_once)
            time.sleep(0.02)
            with lock:
                at_once -= 1
            return Reply("Action: 1")

    def batch(desk: Desk) -> Text:
        desk.ask_all(OUTER, ({"part": Text(str(number))} for number in range(14)))
        return Text("done")

    run = reading(store, Reading(batch), Document.of("A text."))
    assert execute(store, run.id, Reading(batch), Execution(Limited(), concurrency=4)).status == "failed"
    assert sum(record.reply is not None for record in store.runs.tape(run.id).records()) == 10
    assert most <= 2


# Scores, journaled


def scoring(desk: Desk) -> Text:
    texts = [Text("oil"), Text("the lamp"), Text("lamp and lamp")]
    scores = desk.score(Text("lamp"), texts, by="word_recall") + desk.score(Text("lamp"), texts, by="bm25")
    assert desk.score(Text("lamp"), []) == []
    got = desk.ask(ANY, what=Text(repr(scores)))
    assert isinstance(got, Text)
    return got


def test_scores_are_journaled_replayed_and_count_as_no_call(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(lambda call: call.part("what")[0])
    run = reading(store, Reading(scoring), Document.of("A text."), caps={"max_calls": 1, "calls_per_minute": 1})
    done = execute(store, run.id, Reading(scoring), Execution(model))
    assert done.outcome == "answered"
    assert str(done.answer).startswith("[0.0, 1.0, 1.0, 0.0, ")
    assert [(record.task, record.model) for record in store.runs.tape(run.id).records()] == [
        ("score", "word_recall"),
        ("score", "bm25"),
        ("answer", "offline/extractive"),
    ]
    monkeypatch.setattr(similarity, "LEXICAL", {})
    assert replayed(store, done, Reading(scoring)).outcome == "answered"
    assert store.runs.tape(run.id).spent().calls == 1


def test_an_unknown_scorer_is_refused_with_the_list_of_known_ones(store: Store) -> None:
    def unknown(desk: Desk) -> Text:
        return Text(str(desk.score(Text("lamp"), [Text("oil")], by="smell")))

    run = reading(store, Reading(unknown), Document.of("A text."))
    done = execute(store, run.id, Reading(unknown), Execution(Scripted([])))
    assert done.status == "failed"
    assert "'smell'; use one of bm25, tfidf, word_recall, jaccard" in str(done.error)


def test_a_rehearsal_counts_scores_as_the_store_does() -> None:
    tape = MemoryTape()
    spec = RunSpec("test", 1, "What is it?", caps={"max_calls": 1})
    for model in (Scripted(lambda call: call.part("what")[0]), RefusingModel()):
        trace = rehearse(Document.of("A text."), Reading(scoring), spec, model, tape=tape)
        assert trace.outcome == "answered"
    assert tape.spent().calls == 1
