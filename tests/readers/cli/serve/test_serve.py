"""The endpoint as clients meet it: OpenAI's own client, and plain HTTP for what that would not send."""

from __future__ import annotations

import gc
import http.client
import json
import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from readers import get
from readers.cli import main
from readers.cli.serve import server as serving
from readers.cli.serve.server import READING_HEADER, Server
from readers.engine.errors import ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.prompts.options import options_of
from readers.engine.run.part_sizes import TextLength, suited
from readers.engine.store import Store
from tests.readers.cli.serve.test_layouts import ASKED, LONGBENCH_V2, MEMAGENT_BOXED, STORY
from tests.support.servers.endpoint import KEY, client_of, endpoint

MODEL = "reader/memwalker+offline/extractive"


@pytest.fixture
def server(store: Store) -> Iterator[Server]:
    with endpoint("--set", "memwalker.segment_tokens=64") as going:
        yield going


@dataclass
class Held:
    """The offline model, which holds every call back until it may go. `asked` is set when the first call has come."""

    go: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)

    def complete(self, call: Call) -> Reply:
        self.asked.set()
        assert self.go.wait(20)
        return Offline().complete(call)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    model = Held()
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: model)
    yield model
    model.go.set()


def post(server: Server, body: Any, *, path: str = "/v1/chat/completions", **headers: str) -> tuple[int, Any]:
    """The status and the body of the reply to a request; headers with `_` for `-`."""
    connected = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    own = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    given = {**own, **{name.replace("_", "-"): value for name, value in headers.items()}}
    connected.request("POST", path, data, {name: value for name, value in given.items() if value})
    reply = connected.getresponse()
    words = reply.read()
    assert "Access-Control-Allow-Origin" not in reply.headers
    connected.close()
    return reply.status, json.loads(words)


def asking(message: str = MEMAGENT_BOXED, **fields: Any) -> dict[str, Any]:
    return {"model": MODEL, "messages": [{"role": "user", "content": message}], **fields}


@pytest.mark.slow
def test_the_request_shapes_of_published_scripts_are_read_and_answered(server: Server, store: Store) -> None:
    """As LongBench v2's `pred.py` and MemAgent's `boxed.py` ask, with their sampling and limits."""
    client = client_of(server)
    chosen = client.chat.completions.with_raw_response.create(
        model=MODEL, messages=[{"role": "user", "content": LONGBENCH_V2}], temperature=0.1, max_tokens=128
    )
    done = chosen.parse()
    assert done.choices[0].message.content == "My choice is (A)"
    run = store.runs.get(chosen.headers[READING_HEADER])
    assert done.metadata["reading"] == run.id
    assert (done.metadata["rule"], done.metadata["outcome"], done.metadata["answer"]) == ("text_tags", "answered", run.answer)
    assert (run.question, run.spec["temperature"], run.spec["choices"][3]) == (ASKED, 0.1, "Polly")
    assert store.documents.get(run.document).text == STORY
    records = store.runs.tape(run.id).records()
    assert done.usage.prompt_tokens == sum(record.tokens_in or 0 for record in records) > 0
    boxed = client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": MEMAGENT_BOXED}], temperature=0.7, top_p=0.95, max_tokens=10_000
    )
    assert boxed.choices[0].message.content.startswith("\\boxed{")
    assert "Doris" in boxed.choices[0].message.content


@pytest.mark.slow
def test_a_stream_gives_the_same_answer_in_pieces(server: Server, store: Store) -> None:
    client = client_of(server)
    question = {"model": MODEL, "messages": [{"role": "user", "content": MEMAGENT_BOXED}]}
    whole = client.chat.completions.create(**question)
    streamed = list(client.chat.completions.create(**question, stream=True, stream_options={"include_usage": True}))
    *pieces, last = streamed
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == whole.choices[0].message.content
    assert [piece.choices[0].finish_reason for piece in pieces] == [None] * (len(pieces) - 1) + ["stop"]
    assert last.choices == []
    assert last.usage.total_tokens > 0
    assert pieces[0].metadata["reading"] == store.runs.listed()[0].id


@pytest.mark.slow
def test_the_models_are_listed_and_another_is_refused_by_name(server: Server) -> None:
    import openai

    client = client_of(server)
    assert MODEL in [model.id for model in client.models.list()]
    assert client.models.retrieve(MODEL).owned_by == "palimpsest"
    for name in ("gpt-4o", "reader/nobody+offline/extractive"):
        with pytest.raises(openai.NotFoundError, match="reader/memwalker") as refused:
            client.chat.completions.create(model=name, messages=[{"role": "user", "content": MEMAGENT_BOXED}])
        assert refused.value.code == "model_not_found"
    with pytest.raises(openai.AuthenticationError, match="key is missing or wrong"):
        client_of(server, api_key="another key").models.list()


def test_a_document_of_its_own_and_a_template_of_the_server(store: Store, tmp_path: Any) -> None:
    (tmp_path / "layout.txt").write_text("{question}\n---\n{document}\n---", encoding="utf-8")
    with endpoint("--reader", "whole", "--template", str(tmp_path / "layout.txt")) as server:
        status, done = post(server, {**asking(f"{ASKED}\n---\n{STORY}\n---"), "model": "reader/whole"})
        assert (status, done["metadata"]["rule"]) == (200, "template")
        status, done = post(server, {**asking(ASKED, document=f"{STORY} So it is.", title="The ferry"), "model": "reader/whole"})
    assert (status, done["metadata"]["rule"]) == (200, "document_field")
    run = store.runs.get(done["metadata"]["reading"])
    assert (run.question, run.spec["model"], store.documents.of_run(run.id).title) == (ASKED, catalogue.OFFLINE, "The ferry")


@pytest.mark.parametrize(("given", "window"), [((), 3_000), (("--window", "2000"), 2_000)], ids=["its model's", "given"])
def test_a_reading_has_the_window_of_its_model_unless_another_is_given(
    store: Store, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], window: int
) -> None:
    monkeypatch.setattr(catalogue, "window_for", {catalogue.OFFLINE: 3_000}.__getitem__)
    with endpoint("--reader", "whole", *given) as server:
        _, done = post(server, {**asking(), "model": "reader/whole"})
    assert store.runs.get(done["metadata"]["reading"]).spec["window"] == window


@pytest.mark.parametrize("named", ["auto", "memagent=auto"])
def test_auto_suits_each_text_for_the_readers_that_it_is_named_for(store: Store, named: str) -> None:
    with endpoint("--reader", "memagent", "--reader", "recurrence", "--preset", named) as server:
        made = [
            post(server, {**asking(), "model": f"reader/{one}"})[1]["metadata"]["reading"] for one in ("memagent", "recurrence")
        ]
    for run in map(store.runs.get, made):
        reader, text = get(run.reader), store.documents.of_run(run.id)
        sizes = suited(reader, TextLength.of(text)).options
        usual = {name: option.default for name, option in options_of(reader.Options).items() if name in sizes}
        wanted = sizes if named == "auto" or run.reader == "memagent" else usual
        assert {name: run.spec["options"][name] for name in wanted} == wanted != (usual if wanted is sizes else sizes)


def test_no_answer_is_an_empty_one_with_its_reason(server: Server) -> None:
    status, done = post(server, asking("Which zeppelin bombarded Antwerp?", document=STORY))
    message = done["choices"][0]["message"]
    assert (status, message["content"], done["metadata"]["outcome"]) == (200, "", "exhausted")
    assert message["refusal"] == done["metadata"]["reason"] != ""


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        (b"{", None, "not JSON"),
        (b"[" * 50_000, None, "not JSON"),
        (b"[" + b"1," * 200_000 + b"1]", None, "values"),
        ({"model": MODEL}, "messages", "required"),
        ({"model": MODEL, "messages": []}, "messages", "at least 1"),
        (asking(n=2), "n", "one reading"),
        (asking(tools=[{}]), "tools", "calls no tools"),
        (asking(temperature=9), "temperature", "less than or equal to 2"),
        (asking("Hello!"), None, "`document`"),
        ({"model": MODEL, "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, None, "image_url"),
        (asking(ASKED, document=" \n "), None, "text is empty"),
        (asking(ASKED, document=STORY, choices=["one"]), None, "2 to 26 choices"),
        ({**asking(), "model": "reader/memwalker+human/you"}, None, "works only in the app"),
    ],
)
def test_what_cannot_be_read_is_refused_in_the_shape_of_an_error(
    server: Server, store: Store, body: Any, field: str | None, words: str
) -> None:
    status, refused = post(server, body)
    assert (status, refused["error"]["type"], refused["error"]["param"]) == (400, "invalid_request_error", field)
    assert words in refused["error"]["message"]
    assert store.runs.listed() == []


def test_a_text_that_is_too_long_is_refused_before_it_is_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from readers.engine.ingest import clean

    monkeypatch.setattr(serving, "MAX_BODY", 5_000)
    status, refused = post(server, asking(ASKED, document=STORY * 100))
    assert (status, refused["error"]["code"]) == (413, "request_too_large")
    assert "5,000" in refused["error"]["message"]
    monkeypatch.setattr(clean, "MAX_TOKENS", 20)
    status, refused = post(server, asking(ASKED, document=STORY))
    assert (status, "20 tokens" in refused["error"]["message"]) == (400, True)


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"Authorization": ""}, 401, "key is missing"),
        ({"Authorization": f"Basic {KEY}"}, 401, "key is missing"),
        ({"Authorization": f"Bearer {KEY}x"}, 401, "key is missing"),
        ({"Origin": "http://localhost:8501"}, 403, "no web page"),
        ({"Origin": "null"}, 403, "no web page"),
        ({"Sec_Fetch_Site": "cross-site"}, 403, "no web page"),
        ({"Host": "palimpsest.example"}, 403, "answers only to"),
        ({"Content_Type": "text/plain"}, 400, "application/json"),
    ],
)
def test_only_a_program_with_the_key_is_answered(server: Server, headers: dict[str, str], status: int, words: str) -> None:
    got, refused = post(server, asking(), **headers)
    assert got == status
    assert words in refused["error"]["message"]


def test_it_listens_on_no_other_address_of_this_machine(server: Server) -> None:
    assert server._socket.getsockname() == ("127.0.0.1", server.port)


def test_another_path_is_refused_with_those_there_are(server: Server) -> None:
    status, refused = post(server, {}, path="/v1/embeddings")
    assert (status, "/v1/chat/completions" in refused["error"]["message"]) == (404, True)


def test_a_model_that_fails_is_told_with_the_reading_and_not_asked_again(
    server: Server, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing:
        def complete(self, call: Call) -> Reply:
            raise ModelFailed("the model is out of order")

    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: Failing())
    status, failed = post(server, asking())
    (run,) = store.runs.listed()
    assert (status, failed["error"]["code"], failed["metadata"]["reading"]) == (502, "reading_failed", run.id)
    assert "out of order" in failed["error"]["message"]
    assert run.status == "failed"


@pytest.mark.parametrize("stream", [False, True])
def test_a_reading_stops_when_its_client_is_gone(
    server: Server, store: Store, held: Held, stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)  # uvicorn notes each request, if another test has made it talk
    connected = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    connected.request("POST", "/v1/chat/completions", json.dumps(asking(stream=stream)), headers)
    assert held.asked.wait(10)
    connected.close()
    until = time.monotonic() + 10
    while store.runs.listed()[0].status == "running" and time.monotonic() < until:
        time.sleep(0.02)
    assert store.runs.listed()[0].status == "cancelled"
    held.go.set()
    until = time.monotonic() + 10
    while server.service.clients and time.monotonic() < until:
        time.sleep(0.02)
    gc.collect()
    assert not caplog.records  # of asyncio's, on what nobody asked for


def test_a_waiting_stream_is_kept_alive(server: Server, held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "KEEP_ALIVE_SECONDS", 0.0)
    connected = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    connected.request("POST", "/v1/chat/completions", json.dumps(asking(stream=True)), headers)
    reply = connected.getresponse()
    assert (reply.getheader("Content-Type"), reply.readline()) == ("text/event-stream", b": reading\n")
    held.go.set()
    assert reply.read().endswith(b"data: [DONE]\n\n")
    connected.close()


def test_two_are_read_at_once_and_a_third_waits_for_its_place(store: Store, held: Held) -> None:
    done: list[tuple[int, Any]] = []
    with endpoint(at_once=2) as server:
        asks = [threading.Thread(target=lambda: done.append(post(server, asking()))) for _ in range(3)]
        for one in asks:
            one.start()
        until = time.monotonic() + 10
        while len(store.runs.listed()) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.1)
        assert [run.status for run in store.runs.listed()] == ["running", "running"]
        held.go.set()
        for one in asks:
            one.join()
    assert [status for status, _ in done] == [200, 200, 200]
    assert len({body["metadata"]["reading"] for _, body in done}) == 3


def test_closing_the_server_stops_its_readings_and_says_so(store: Store, held: Held) -> None:
    done: list[tuple[int, Any]] = []
    with endpoint() as server:
        ask = threading.Thread(target=lambda: done.append(post(server, asking())))
        ask.start()
        assert held.asked.wait(10)
        threading.Timer(0.1, held.go.set).start()
    ask.join()
    assert [(status, body["error"]["code"]) for status, body in done] == [(503, "closing")]
    assert store.runs.listed()[0].status == "cancelled"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--key", "short"], "8 or more"),
        (["--reader", "nobody"], "no reader 'nobody'"),
        (["--set", "memwalker.nothing=1"], "no option 'nothing'"),
        (["--model", "human/you"], "works only in the app"),
    ],
)
def test_a_wrong_command_line_is_refused_before_anything_is_served(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *words]) == 2
    assert said in capsys.readouterr().err
