"""The recording proxy: what a program sends goes on byte for byte, what comes back comes at once, and both are on record; nothing
that goes wrong looks otherwise to the program than without us."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from readers.cli.watch import proxy
from readers.cli.watch.proxy import WatchServer
from readers.cli.watch.recorder import Recorder
from readers.cli.watch.recording import WatchedReading
from readers.cli.watch.watching import Led, recording
from readers.engine.record.journal import recorded_messages
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support.servers.model_server import Answer, ModelServer, completion, failure

TEXT = "The lamp stood on the point.\n\nThen Amos Garbutt climbed the stairs and lit the lamp.\n"
DOCUMENT = Document.of(TEXT, title="The lamp")
QUESTION = "Who lit the lamp?"
BODY = {"model": "small", "messages": [{"role": "user", "content": f"{TEXT}\n{QUESTION}"}], "odd  field": [1, 2.50]}
SECRET = "sk-secret-key-of-somebody"


@contextmanager
def watched(to: str) -> Iterator[tuple[WatchServer, Recorder]]:
    led = Led(to)
    spec = led.spec(QUESTION)
    with recording(led.target(QUESTION), lambda store, name: WatchedReading(store, DOCUMENT, spec), 0) as both:
        yield both


def ended(watcher: WatchServer, recorder: Recorder, name: str = proxy.DEFAULT) -> Run:
    watcher.wait_until_idle(20)
    return recorder.finish(name, lambda calls: calls[-1].reply or "no reply")


def records(run: Run) -> list[tuple[str, str | None, str | None]]:
    """The prompts, replies and errors on record."""
    with Store() as store:
        tape, document = store.runs.tape(run.id), store.documents.get(run.document)
        prompts = tape.prompts()
        return [
            (recorded_messages(one, prompts[one.prompt], document)[0]["content"], one.reply, one.error) for one in tape.records()
        ]


def test_a_request_goes_on_byte_for_byte_and_no_key_is_written() -> None:
    with ModelServer(lambda request: Answer(completion("Amos Garbutt"), headers={"X-Odd": "1"})) as server:
        with watched(server.base_url) as (watcher, recorder):
            data = json.dumps(BODY, indent=3).encode()
            headers = {"Authorization": f"Bearer {SECRET}", "X-Api-Key": SECRET, "Content-Type": "application/json", "X-Own": "a"}
            got = httpx.post(f"{watcher.url}/v1/chat/completions?key={SECRET}&a=%20", content=data, headers=headers)
            run = ended(watcher, recorder)
        sent = server.requests[0]
    assert (got.status_code, got.json(), got.headers["x-odd"]) == (200, completion("Amos Garbutt"), "1")
    assert (sent.path, sent.body) == (f"/v1/chat/completions?key={SECRET}&a=%20", BODY)
    assert (sent.headers["authorization"], sent.headers["x-own"]) == (f"Bearer {SECRET}", "a")
    assert sent.headers["content-length"] == str(len(data))
    assert records(run) == [(f"{TEXT}\n{QUESTION}", "Amos Garbutt", None)]
    assert (run.answer, run.spec["model"], run.spec["api_base"]) == ("Amos Garbutt", "openai/small", server.base_url)
    with Store() as store:
        assert SECRET.encode() not in store.path.read_bytes()


def test_a_stream_comes_as_it_is_sent(raw_server: RawServer) -> None:
    first = b'data: {"choices": [{"index": 0, "delta": {"content": "Amos "}}]}\n\n'
    second = b'data: {"choices": [{"index": 0, "delta": {"content": "Garbutt"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    came = threading.Event()

    def answer(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + first)
        assert came.wait(20), "the first part was held back"
        connection.sendall(second)

    raw_server.answer = answer
    with watched(raw_server.url) as (watcher, recorder):
        with httpx.stream("POST", f"{watcher.url}/v1/chat/completions", json=BODY) as got:
            parts = got.iter_raw()
            assert next(parts) == first
            came.set()
            assert b"".join(parts) == second
        assert records(ended(watcher, recorder))[0][1] == "Amos Garbutt"


def test_a_compressed_reply_goes_on_as_it_is_and_is_read() -> None:
    body = gzip.compress(json.dumps(completion("Amos Garbutt")).encode())
    with ModelServer(lambda request: Answer(body, headers={"Content-Encoding": "gzip"})) as server:
        with watched(server.base_url) as (watcher, recorder):
            with httpx.stream(
                "POST", f"{watcher.url}/v1/chat/completions", json=BODY, headers={"Accept-Encoding": "br, gzip"}
            ) as got:
                assert b"".join(got.iter_raw()) == body
            assert records(ended(watcher, recorder))[0][1] == "Amos Garbutt"
        assert server.requests[0].headers["accept-encoding"] == "gzip"


def test_an_error_of_the_server_is_the_programs_own_and_is_recorded() -> None:
    with ModelServer(lambda request: failure(429, "slow down", Retry_After="7")) as server:
        with watched(server.base_url) as (watcher, recorder):
            got = httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY)
            run = ended(watcher, recorder)
    assert (got.status_code, got.headers["retry-after"], got.json()["error"]["message"]) == (429, "7", "slow down")
    assert records(run) == [(f"{TEXT}\n{QUESTION}", None, "the server replied 429: slow down")]


def test_a_key_that_the_server_repeats_is_left_out_of_the_record() -> None:
    with ModelServer(lambda request: failure(401, f"Incorrect API key provided: {SECRET}.")) as server:
        with watched(server.base_url) as (watcher, recorder):
            got = httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY, headers={"Authorization": f"Bearer {SECRET}"})
            run = ended(watcher, recorder)
    assert SECRET in got.text
    assert records(run)[0][2] == "the server replied 401: Incorrect API key provided: [key]."
    with Store() as store:
        assert SECRET.encode() not in store.path.read_bytes()


def test_a_server_that_is_down_breaks_the_connection_as_it_would_without_us() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with watched(f"http://127.0.0.1:{port}/v1") as (watcher, recorder):
        with pytest.raises(httpx.TransportError):
            httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY)
        run = ended(watcher, recorder)
    [(asked, reply, error)] = records(run)
    assert (asked, reply) == (f"{TEXT}\n{QUESTION}", None)
    assert error is not None
    assert error.startswith("127.0.0.1 could not be reached")


def test_a_reply_that_breaks_off_breaks_off_here_too() -> None:
    with ModelServer(lambda request: Answer(completion("Amos Garbutt"), then="cut")) as server:
        with watched(server.base_url) as (watcher, recorder):
            with pytest.raises(httpx.TransportError):
                httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY)
            [(_, reply, error)] = records(ended(watcher, recorder))
    assert reply is None
    assert error is not None
    assert error.startswith("the reply broke off")


def test_garbage_is_passed_on_and_said_to_be_unreadable(raw_server: RawServer) -> None:
    raw_server.answer = lambda connection: connection.sendall(
        b"HTTP/1.1 400 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
    )
    with watched(raw_server.url) as (watcher, recorder):
        got = httpx.post(f"{watcher.url}/v1/chat/completions", content=b"\xff{")
        assert (got.status_code, got.content) == (400, b"no")
        run = ended(watcher, recorder)
    assert raw_server.got.endswith(b"\xff{")
    assert [error for _, _, error in records(run)] == [
        "what the program sent has no messages that can be read; it was passed on as it came"
    ]


def test_a_body_that_is_longer_than_the_record_takes_goes_on_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MOST_RECORDED", 100_000)
    big = {"model": "small", "messages": [{"role": "user", "content": "x" * 300_000}]}
    with ModelServer(lambda request: Answer(completion("y" * 200_000 if request.number else "Amos"))) as server:
        with watched(server.base_url) as (watcher, recorder):
            assert httpx.post(f"{watcher.url}/v1/chat/completions", json=big).json() == completion("Amos")
            assert len(httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY).content) > 200_000
            run = ended(watcher, recorder)
        assert server.requests[0].body == big
    too_long = "it was longer than the record takes, and was only passed on"
    assert [error for _, _, error in records(run)] == [
        f"what the program sent is not shown: {too_long}", f"what the server replied is not shown: {too_long}",
    ]  # fmt: skip


def test_several_readings_at_once_by_header_or_path() -> None:
    with ModelServer(lambda request: Answer(completion(f"answer {request.number}"))) as server:
        with watched(server.base_url) as (watcher, recorder):
            httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY, headers={"X-Palimpsest-Reading": "one"})
            httpx.post(f"{watcher.url}/readings/two/v1/chat/completions", json=BODY)
            httpx.post(f"{watcher.url}/readings/one/v1/chat/completions", json=BODY)
            one, two = ended(watcher, recorder, "one"), ended(watcher, recorder, "two")
        assert [request.path for request in server.requests] == ["/v1/chat/completions"] * 3
        assert not any("x-palimpsest-reading" in request.headers for request in server.requests)
    assert (one.answer, two.answer, len(records(one)), len(records(two))) == ("answer 2", "answer 1", 2, 1)


def test_a_call_that_ends_after_its_reading_begins_no_other() -> None:
    with ModelServer(lambda request: Answer(completion("Amos"))) as server:
        with watched(server.base_url) as (watcher, recorder):
            httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY)
            ended(watcher, recorder)
            httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY)
            watcher.wait_until_idle(20)
    with Store() as store:
        assert len(store.runs.listed()) == 1


def test_embeddings_are_told_before_the_next_call() -> None:
    def script(request: object) -> Answer:
        return Answer({"data": []} if "embeddings" in request.path else completion("Amos"))  # type: ignore[attr-defined]

    with ModelServer(script) as server:
        with watched(server.base_url) as (watcher, recorder):
            httpx.post(f"{watcher.url}/v1/embeddings", json={"model": "e", "input": ["one", "two"]})
            httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY)
            run = ended(watcher, recorder)
    with Store() as store:
        assert any("had 2 texts of 6 characters compared by e" in told for told in store.runs.tape(run.id).events())


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://example.com"}, {"Host": "example.com"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_no_web_page_gets_through(headers: dict[str, str]) -> None:
    with ModelServer(lambda request: Answer(completion("Amos"))) as server:
        with watched(server.base_url) as (watcher, _):
            assert httpx.post(f"{watcher.url}/v1/chat/completions", json=BODY, headers=headers).status_code == 403
        assert not server.requests


def test_it_listens_on_no_other_address_of_this_machine() -> None:
    with watched("http://127.0.0.1:9/v1") as (watcher, _):
        assert watcher._socket.getsockname()[0] == "127.0.0.1"


class RawServer:
    """A server that keeps what it got, and sends what it is told, one connection at a time."""

    def __init__(self) -> None:
        self.got = b""
        self.answer = lambda connection: None
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                head, _, body = self._head(connection)
                length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
                while len(body) < length:
                    body += connection.recv(65536)
                self.got = head + b"\r\n\r\n" + body
                self.answer(connection)

    def _head(self, connection: socket.socket) -> tuple[bytes, bytes, bytes]:
        given = b""
        while b"\r\n\r\n" not in given:
            given += connection.recv(65536)
        return given.partition(b"\r\n\r\n")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def raw_server() -> Iterator[RawServer]:
    server = RawServer()
    yield server
    server.close()
