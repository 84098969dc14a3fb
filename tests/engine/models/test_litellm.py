"""Readings through the real litellm against a loopback server that fails in every way a server can."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from readers.engine.errors import BadOptions, KeyRefused, ModelFailed
from readers.engine.models import catalogue, timeouts
from readers.engine.models import model as models
from readers.engine.models.call import Call, ModelSettings, Sampled
from readers.engine.models.model import LiteLLM, Retry, Transient, check_api_base, litellm_window
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.journal import Record
from readers.engine.run.desk import Desk
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Question, Text
from readers.memwalker import MemWalker
from tests.support.readings.replays import replayed
from tests.support.servers.model_server import (
    Answer,
    ModelServer,
    Request,
    Script,
    at_first,
    completion,
    embeddings,
    failure,
    letters,
    memwalker_reply,
    replying,
)

pytestmark = pytest.mark.slow  # waits at a server, and loads litellm

KEY = "sk-of-this-test-0123456789"
READER = MemWalker()
ANY = Prompt(id="test.any", task="answer", template="Say something about $what.")

healthy = replying(memwalker_reply)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FIRST_WAIT", 0.0)


def story(parts: int) -> Document:
    """A text that MemWalker cuts into this many segments of 32 tokens; segment n contains the word `sign` and its number."""
    lines = [
        f"In the part with sign {n} the keeper climbed the stairs, lit the lamp and wrote the hour into her book."
        for n in range(parts)
    ]
    return Document.of("\n\n".join(lines))


def reading(store: Store, server: ModelServer, parts: int = 4, **spec: Any) -> Run:
    """A reading of a story on record, not yet started; `spec` are fields of RunSpec."""
    given = {"model": "openai/test", "api_base": server.base_url, "options": {"segment_tokens": 32}, **spec}
    return create_run(store, story(parts), READER, RunSpec(READER.id, READER.version, "Who lit the lamp?", **given))


def read(store: Store, run: Run, *, timeout: float = 20.0, width: int = 4, key: str | None = KEY) -> Run:
    return execute(store, run.id, READER, Execution(LiteLLM(key, timeout), api_key=key, concurrency=width))


def call(server: ModelServer, model: str = "openai/test") -> Call:
    return Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings(model, server.base_url))


def failed(store: Store, run: Run) -> list[Record]:
    return [record for record in store.runs.tape(run.id).records() if record.reply is None]


def leaves_out(script: Script, answer: Answer) -> tuple[Script, dict[str, bool]]:
    """A script that gives `answer` for the second segment until the dictionary says that it has recovered."""
    state = {"mended": False}

    def ill(request: Request) -> Answer:
        hit = "with sign 1 " in request.content and "<text>" in request.content
        return answer if hit and not state["mended"] else script(request)

    return ill, state


FAULTS = {
    "429": failure(429),
    "500": failure(500),
    "503": failure(503),
    "closes the connection": Answer(then="close"),
    "closes it in the middle": Answer(completion("half of it"), then="cut"),
    "no choices": Answer({**completion("x"), "choices": []}),
    "choices that are none": Answer({**completion("x"), "choices": [{}]}),
    "no text": Answer(completion(None)),
    "bad JSON": Answer(b'{"choices": [{"message": {"content": "x'),
    "a web page": Answer(b"<html>It works</html>", headers={"Content-Type": "text/html"}),
    "an empty body": Answer(b""),
    "tokens that are no numbers": Answer({**completion("x"), "usage": {"prompt_tokens": "many"}}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_call_is_tried_four_times_then_recorded_and_resume_repeats_only_that_call(store: Store, fault: str) -> None:
    script, state = leaves_out(healthy, FAULTS[fault])
    with ModelServer(script) as server:
        run = reading(store, server)
        done = read(store, run)
        asked = Counter(request.content for request in server.requests)
        assert sorted(asked.values()) == [1, 1, 1, 4]
        assert (done.status, done.outcome) == ("failed", None)
        assert done.error
        assert "openai/test" in done.error
        assert "tried 4 times" in done.error
        assert "Traceback" not in done.error
        (row,) = failed(store, run)
        assert row.error == done.error
        assert len(store.runs.tape(run.id).records()) == 4

        state["mended"] = True
        done = read(store, run)
        assert (done.status, done.outcome, done.error) == ("finished", "answered", None)
        assert failed(store, run) == []
        again = Counter(request.content for request in server.requests)
        assert [again[content] - times for content, times in asked.items()] == [int(times == 4) for times in asked.values()]
        assert store.runs.tape(run.id).spent().calls == len(again)


def test_a_call_that_takes_too_long_is_not_sent_again_and_the_failure_says_what_to_do(store: Store) -> None:
    script, state = leaves_out(healthy, Answer(then="hang"))
    with ModelServer(script) as server:
        run = reading(store, server)
        done = read(store, run, timeout=0.5)
        assert len(server.requests) == 4
        assert done.status == "failed"
        assert done.error
        assert "no reply came within 0.5 seconds" in done.error
        assert "not sent again" in done.error
        assert "--timeout" in done.error
        state["mended"] = True
        assert read(store, run).outcome == "answered"
        assert max(Counter(request.content for request in server.requests).values()) == 2


@pytest.mark.parametrize(
    ("model", "api_base", "seconds"),
    [
        ("gpt-4o-mini", None, 600),
        ("openai/x", "https://models.example.org/v1", 600),
        ("openai/x", "http://localhost:8000/v1", 1800),
        ("openai/x", "http://127.0.0.1:8000/v1", 1800),
        ("openai/x", "http://[::1]:8000/v1", 1800),
        ("openai/x", "http://127.0.0.1.example.org/v1", 600),
        ("ollama/x", None, 1800),
        ("ollama/x", "http://models.example.org:11434", 600),
    ],
)
def test_a_model_on_this_machine_gets_more_time(model: str, api_base: str | None, seconds: float) -> None:
    assert timeouts.seconds_for(model, api_base) == seconds


def test_whether_a_server_accepts_connections_is_found_out_without_sending_anything() -> None:
    with ModelServer(healthy) as server:
        assert timeouts.accepts_connections(server.base_url)
        there = server.base_url
        assert server.requests == []
    assert not timeouts.accepts_connections(there)
    assert not timeouts.accepts_connections("http://localhost:99999/v1")


@pytest.mark.parametrize(("model", "factor"), [("o3-mini", 8), ("gpt-4o-mini", 1), ("openai/test", 1), (catalogue.OFFLINE, 1)])
def test_reasoning_models_get_more_room_for_their_replies(model: str, factor: int) -> None:
    assert catalogue.room_factor_for(model) == factor


@pytest.mark.parametrize("fault", ["429", "500", "closes the connection", "bad JSON"])
def test_a_transient_failure_leaves_no_trace_in_the_reading(store: Store, fault: str) -> None:
    with ModelServer(at_first(*[FAULTS[fault]] * 3, later=healthy)) as server:
        run = reading(store, server)
        assert read(store, run, width=1).outcome == "answered"
        records = store.runs.tape(run.id).records()
        assert len(server.requests) == len(records) + 3
        assert all(record.attempt == 0 and record.error is None for record in records)


def test_waits_double_and_retry_after_is_honoured_up_to_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FIRST_WAIT", 0.5)
    slept: list[float] = []
    asking = [failure(429, retry_after="7"), failure(503, retry_after="3600"), failure(429, retry_after="soon")]
    with ModelServer(at_first(*asking, later=healthy)) as server:
        reply = Retry(LiteLLM(KEY), sleep=slept.append).complete(call(server))
    assert slept == [7.0, 10.0, 2.0]
    assert reply.rate_limits == 2


def test_a_refused_key_fails_at_once_and_names_the_variable_to_set(store: Store) -> None:
    with ModelServer(lambda request: failure(401, "Incorrect API key provided")) as server:
        done = read(store, reading(store, server, parts=12), width=1)
        assert len(server.requests) == 1
    assert done.status == "failed"
    assert done.error
    assert "Incorrect API key" in done.error
    assert "OPENAI_API_KEY" in done.error


@pytest.mark.parametrize("model", ["openai/test", "gpt-4o-mini", "anthropic/claude-x"])
def test_without_a_key_nothing_is_sent_and_the_error_names_the_variable_to_set(model: str) -> None:
    nowhere = Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings(model))
    with pytest.raises(KeyRefused, match="ANTHROPIC_API_KEY" if "anthropic" in model else "OPENAI_API_KEY"):
        Retry(LiteLLM()).complete(nowhere)


@pytest.mark.parametrize("pasted", [f"{KEY}\n", f"  {KEY}"])
def test_spaces_around_a_pasted_key_are_stripped(pasted: str) -> None:
    with ModelServer(healthy) as server:
        LiteLLM(pasted).complete(call(server))
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_an_impossible_key_is_refused_at_once() -> None:
    with ModelServer(healthy) as server, pytest.raises(KeyRefused, match="check that it is valid"):
        Retry(LiteLLM(f"{KEY}…")).complete(call(server))
    assert server.requests == []


PROVIDERS = (
    "openai", "anthropic", "gemini", "mistral", "groq", "openrouter", "together_ai", "deepseek", "hosted_vllm",
    "lm_studio", "ollama_chat", "ollama", "xai",
)  # fmt: skip


def sent(server: ModelServer, model: str) -> list[str]:
    """All that a server is sent by a call that it refuses."""
    with pytest.raises(ModelFailed):
        LiteLLM().complete(call(server, model))
    return [f"{request.path} {request.headers} {request.body}" for request in server.requests]


def test_a_key_of_the_environment_reaches_no_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can type a base URL would have it otherwise."""
    for provider in PROVIDERS:
        for ending in ("API_KEY", "API_TOKEN", "TOKEN", "KEY"):
            monkeypatch.setenv(f"{provider.upper().replace('-', '_')}_{ending}", KEY)
    for name in ("TOGETHERAI_API_KEY", "GOOGLE_API_KEY", "HF_TOKEN", "OPENAI_LIKE_API_KEY", "CO_API_KEY", "OR_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/v1")  # another port is another server
    reached = set()
    for provider in PROVIDERS:
        with ModelServer(lambda request: failure(404)) as server:
            asked = sent(server, f"{provider}/some-model")
        assert KEY not in str(asked), provider
        reached |= {provider} if asked else set()
    assert reached >= {
        "openai",
        "anthropic",
        "gemini",
        "mistral",
        "groq",
        "openrouter",
        "together_ai",
        "hosted_vllm",
        "ollama_chat",
    }


@pytest.mark.parametrize(("model", "variable"), [("openai/test", "OPENAI"), ("anthropic/claude-x", "ANTHROPIC")])
@pytest.mark.parametrize("ending", ["API_BASE", "BASE_URL"])
def test_it_is_sent_to_the_server_that_the_environment_names(
    model: str, variable: str, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{variable}_API_KEY", KEY)
    with ModelServer(lambda request: failure(404)) as server:
        monkeypatch.setenv(f"{variable}_{ending}", server.base_url)
        assert KEY in str(sent(server, model))


def test_who_is_refused_for_that_reads_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ModelServer(lambda request: failure(401)) as server, pytest.raises(KeyRefused) as caught:
        LiteLLM().complete(call(server))
    assert "Give the key on the app's Models page" in str(caught.value)
    assert "only if OPENAI_API_BASE in the environment is its address" in str(caught.value)


def test_a_self_hosted_server_needs_no_key() -> None:
    with ModelServer(healthy) as server:
        assert LiteLLM().complete(call(server)).text


TRANSIENT = (408, 409, 425, 429, 500, 502, 503, 504, 529)


@pytest.mark.parametrize("status", [400, 402, 403, 404, 413, 422, *TRANSIENT])
def test_only_a_status_that_may_pass_is_tried_again(status: int) -> None:
    with ModelServer(lambda request: failure(status, "not like this")) as server:
        with pytest.raises(ModelFailed, match="tried 4 times" if status in TRANSIENT else "not like this$") as caught:
            Retry(LiteLLM(KEY)).complete(call(server))
        assert isinstance(caught.value, Transient) == (status in TRANSIENT)
        assert len(server.requests) == (4 if status in TRANSIENT else 1)


def together(count: int, script: Script, *, until: int) -> Script:
    """The first requests, up to `until`, are answered when so many of them are there."""
    there = threading.Barrier(count)

    def answer(request: Request) -> Answer:
        if request.number < until:
            there.wait(20)
        return script(request)

    return answer


def test_ten_failed_calls_in_a_row_end_the_reading(store: Store) -> None:
    with ModelServer(lambda request: failure(500)) as server:
        run = reading(store, server, parts=40)
        done = read(store, run, width=4)
        assert done.status == "failed"
        rows = failed(store, run)
        assert 10 <= len(rows) <= 13
        assert len(server.requests) == 4 * len(rows)


def test_nine_failed_calls_leave_their_siblings_alone(store: Store) -> None:
    def script(request: Request) -> Answer:
        n = int(request.content.partition("with sign ")[2].partition(" ")[0])
        return failure(400) if n < 9 else healthy(request)

    with ModelServer(script) as server:
        run = reading(store, server, parts=30)
        assert read(store, run, width=1).status == "failed"
        assert len(failed(store, run)) == 9
        assert len(store.runs.tape(run.id).records()) == 30


@pytest.mark.parametrize(
    ("asked", "called_itself", "usage", "recorded"),
    [
        pytest.param("openai/gpt-4o-mini", "gpt-4o-mini", (1000, 500), (1000, 500, pytest.approx(0.00045)), id="known"),
        pytest.param("openai/test", "test", (1000, 500), (1000, 500, None), id="unknown"),
        pytest.param("openai/test", "gpt-4o-mini", (1000, 500), (1000, 500, None), id="unknown under a known name"),
        pytest.param("openai/gpt-4o-mini", "gpt-4o-mini", None, (None, None, None), id="usage unknown"),
        pytest.param("openai/gpt-4o-mini", "gpt-4o-mini", (-5, 3), (None, None, None), id="usage impossible"),
    ],
)
def test_tokens_and_cost_are_recorded_as_none_where_unknown(
    store: Store, asked: str, called_itself: str, usage: tuple[int, int] | None, recorded: tuple[Any, ...]
) -> None:
    def script(request: Request) -> Answer:
        return Answer(completion(memwalker_reply(request.content), tokens=usage, model=called_itself))

    with ModelServer(script) as server:
        run = reading(store, server, model=asked)
        assert read(store, run).outcome == "answered"
    for row in store.runs.tape(run.id).records():
        assert (row.tokens_in, row.tokens_out, row.cost_usd) == recorded
        assert row.ms > 0


def test_the_request_is_the_call_and_litellm_retries_nothing_itself(store: Store) -> None:
    with ModelServer(healthy) as server:
        run = reading(store, server, temperature=0.7, top_p=0.9)
        assert read(store, run).outcome == "answered"
    for request in server.requests:
        assert request.path == "/v1/chat/completions"
        assert (request.body["model"], request.body["temperature"], request.body["top_p"]) == ("test", 0.7, 0.9)
        assert request.body["max_tokens"] in (80, 512, 1000)
        assert [message["role"] for message in request.body["messages"]] == ["user"]
        assert request.headers["x-stainless-retry-count"] == "0"


def test_thirty_two_calls_are_in_flight_at_once(store: Store) -> None:
    with ModelServer(together(32, replying(memwalker_reply), until=32)) as server:
        run = reading(store, server, parts=32)
        assert read(store, run, width=32).outcome == "answered"
        assert max(request.at_once for request in server.requests) == 32


def test_the_window_of_a_model_is_litellms_or_8192_for_an_unknown_model() -> None:
    assert litellm_window("gpt-4o-mini") == 128_000
    assert litellm_window("openai/test") == 8192
    assert litellm_window("nonsense") == 8192


@pytest.mark.parametrize(
    "url",
    [
        "http://anna:secret-word@127.0.0.1/v1",
        "https://anna@host/v1",
        "http://host/v1?api-key=secret-word",
        "secret-word",
        "ftp://h",
    ],
)
def test_an_invalid_base_url_or_one_with_a_secret_is_refused_without_repeating_it(store: Store, url: str) -> None:
    spec = RunSpec(READER.id, READER.version, "Who?", api_base=url)
    with pytest.raises(BadOptions, match="base URL") as caught:
        create_run(store, story(2), READER, spec)
    assert "secret-word" not in str(caught.value)
    assert store.runs.listed() == []
    assert check_api_base("http://localhost:8000/v1") == "http://localhost:8000/v1"


class Nearest(Reader):
    """A reader that finds the segment most similar to the question by embeddings."""

    id, title, version, prompts, Options = "nearest", "Nearest", 1, (), type(READER).Options

    def read(self, document: Document, question: Question, desk: Desk, options: Any) -> Text:
        texts = [Text("zzz"), Text("oil lamp"), Text("eee")]
        scores = desk.score(question.asked, texts, by="embedding/openai/test")
        return texts[scores.index(max(scores))]

    def view(self, trace: object) -> dict[str, Any]:
        return {}

    def names(self, trace: object) -> dict[str, str]:
        return {}


def embedded(store: Store, script: Script) -> tuple[Callable[[], Run], ModelServer]:
    server = ModelServer(script)
    run = create_run(store, story(2), Nearest(), RunSpec("nearest", 1, "lamp oil?", api_base=server.base_url))
    return lambda: execute(store, run.id, Nearest(), Execution(LiteLLM(), api_key=None)), server


def test_texts_are_scored_by_embeddings_and_the_scores_are_on_record(store: Store) -> None:
    go, server = embedded(store, healthy)
    with server:
        done = go()
        assert (done.outcome, done.answer) == ("answered", "oil lamp")
        assert [request.path for request in server.requests] == ["/v1/embeddings"]
        replayed(store, done, Nearest())
        assert len(server.requests) == 1
    (row,) = store.runs.tape(done.id).records()
    assert (row.task, row.tokens_in, row.cost_usd) == ("score", 4, None)


def test_failing_embeddings_are_tried_four_times_and_a_refused_key_fails_at_once(store: Store) -> None:
    go, server = embedded(store, lambda request: Answer(embeddings([letters("one")])))
    with server:
        done = go()
        assert (done.status, len(server.requests)) == ("failed", 4)
        assert "vectors" in str(done.error)
    go, server = embedded(store, lambda request: failure(500))
    with server:
        assert (go().status, len(server.requests)) == ("failed", 4)
    go, server = embedded(store, lambda request: failure(401))
    with server:
        done = go()
        assert (done.status, len(server.requests)) == ("failed", 1)
        assert "OPENAI_API_KEY" in str(done.error)


def test_half_a_character_in_a_reply_is_recorded_as_a_question_mark(store: Store) -> None:
    body = json.dumps(completion("half \ud800 of it")).encode()
    assert b"\\ud800" in body
    with ModelServer(lambda request: healthy(request) if "Reply" in request.content else Answer(body)) as server:
        run = reading(store, server)
        assert read(store, run).outcome == "answered"
    assert store.runs.tape(run.id).records()[0].reply == "half ? of it"


def test_the_tokens_of_a_reply_are_asked_for_only_if_wanted_and_recorded(store: Store) -> None:
    def script(request: Request) -> Answer:
        body = completion(memwalker_reply(request.content))
        if request.body.get("logprobs"):
            body["choices"][0] |= {"logprobs": {"content": [{"token": "a", "logprob": -0.25, "bytes": None, "top_logprobs": []}]}}
        if request.body.get("return_token_ids"):
            body["choices"][0]["token_ids"] = [64]
        return Answer(body)

    with ModelServer(script) as server:
        plain = read(store, reading(store, server))
        run = reading(store, server, reuse=False)
        execute(store, run.id, READER, Execution(LiteLLM(KEY, 20.0, log_probs=True)))
    assert {record.sampled for record in store.runs.tape(plain.id).records()} == {None}
    assert {record.sampled for record in store.runs.tape(run.id).records()} == {Sampled((64,), (-0.25,)).to_json()}
