"""A server that never stops sending is left: whatever litellm uses to read it, compressed or not, fast or by the byte."""

from __future__ import annotations

import gzip
import json
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from readers import get
from readers.engine.errors import ModelFailed
from readers.engine.models import model as models
from readers.engine.models import reply_limit
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.model import LiteLLM, Retry, Transient
from readers.engine.models.reply_limit import TooMuch
from readers.engine.models.similarity import EMBEDDING, SCORE, WithScores
from readers.engine.models.timeouts import TimedOut
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Text
from tests.support.servers.model_server import completion

pytestmark = pytest.mark.slow  # loads litellm

ANY = Prompt(id="test.any", task="answer", template="Say something about $what.")
MOST = 2_000_000
IN_BETWEEN = 40_000_000  # what the buffers of both ends and of the parsers may hold besides
BEGINNING = b'{"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "'
EVERY = ("openai/x", "ollama_chat/x", "lm_studio/x", "anthropic/x", "mistral/x", "gemini/x", "hosted_vllm/x")


@dataclass
class Endless:
    """What the server sent, and how often it was asked."""

    base_url: str
    sent: int = 0
    requests: int = 0


@contextmanager
def sending(begin: Callable[[BaseHTTPRequestHandler], None], pieces: Callable[[], Iterator[bytes]]) -> Iterator[Endless]:
    """A server that answers every request by these headers and pieces, until nobody listens."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.requests += 1
            self.close_connection = True
            with suppress(OSError):
                begin(self)
                self.end_headers()
                for piece in pieces():
                    if over.is_set():
                        return
                    self.wfile.write(piece)
                    self.wfile.flush()
                    seen.sent += len(piece)

        do_GET = do_POST

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen = Endless(f"http://127.0.0.1:{server.server_address[1]}/v1")
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield seen
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def headers(status: int = 200, **more: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def begin(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **more}.items():
            handler.send_header(name.replace("_", "-"), value)

    return begin


def for_ever() -> Iterator[bytes]:
    yield BEGINNING
    while True:
        yield b"x" * 60_000


def in_chunks() -> Iterator[bytes]:
    for piece in for_ever():
        yield b"%x\r\n%s\r\n" % (len(piece), piece)


def bomb() -> Iterator[bytes]:
    """A gigabyte in one megabyte, again and again."""
    packer = zlib.compressobj(9, wbits=31)
    yield packer.compress(BEGINNING)
    while True:
        yield packer.compress(b"x" * 10_000_000)


def by_the_byte() -> Iterator[bytes]:
    yield BEGINNING
    while True:
        time.sleep(0.02)
        yield b"x"


SENT = {
    "without a length": (headers(), for_ever),
    "of a length": (headers(Content_Length="400000000000"), for_ever),
    "in chunks": (headers(Transfer_Encoding="chunked"), in_chunks),
    "compressed": (headers(Content_Encoding="gzip"), bomb),
    "compressed as it was not asked to": (headers(Content_Encoding="br"), bomb),
    "an error": (headers(500), for_ever),
    "a refusal": (headers(400), for_ever),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_limit, "MOST_BYTES", MOST)
    monkeypatch.setattr(models, "FIRST_WAIT", 0.0)
    monkeypatch.setenv("GEMINI_API_KEY", "none")
    models.load_litellm()


def call(server: Endless, model: str = "openai/x") -> Call:
    return Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings(model, server.base_url))


def failure(server: Endless, model: str = "openai/x", *, timeout: float = 20.0) -> ModelFailed:
    tracemalloc.start()
    try:
        with pytest.raises(ModelFailed) as failed:
            Retry(LiteLLM("key", timeout)).complete(call(server, model))
        assert tracemalloc.get_traced_memory()[1] < IN_BETWEEN
    finally:
        tracemalloc.stop()
    return failed.value


@pytest.mark.parametrize("how", SENT)
def test_a_server_that_never_stops_is_left_and_is_not_asked_again(how: str) -> None:
    with sending(*SENT[how]) as server:
        error = failure(server)
        assert type(error) is TooMuch
        assert "the server" in str(error)
        assert "not asked again" in str(error)
        assert "key" not in str(error)
        assert server.requests == 1
        assert server.sent < MOST + IN_BETWEEN
        assert error.__context__ is None  # whose frames could hold a key


@pytest.mark.parametrize("model", EVERY)
def test_whatever_litellm_reads_with_the_limit_holds(model: str) -> None:
    with sending(headers(), for_ever) as server:
        assert type(failure(server, model)) is TooMuch
        assert server.requests == 1


def test_so_do_embeddings() -> None:
    with sending(headers(), for_ever) as server:
        parts = (Part("query", (Text("lamps"),)), Part("texts", (Text("a"), Text("b"))))
        asked = Call(0, 0, SCORE, parts, ModelSettings(f"{EMBEDDING}openai/x", server.base_url))
        with pytest.raises(TooMuch, match="embedding model 'openai/x' gave no vectors: the server sent more than 2 MB"):
            WithScores(LiteLLM("key", 20.0), "key").complete(asked)


def test_a_reply_that_comes_by_the_byte_is_late_even_if_no_byte_is() -> None:
    with sending(headers(), by_the_byte) as server:
        began = time.monotonic()
        error = failure(server, timeout=1.0)
        assert type(error) is TimedOut
        assert time.monotonic() - began < 10
        assert server.requests == 1


def test_compressed_replies_and_those_just_below_the_limit_arrive_whole() -> None:
    for size in (10, 1_000_000):
        whole = json.dumps(completion("y" * size)).encode()
        for sent, packed in ((headers(), whole), (headers(Content_Encoding="gzip"), gzip.compress(whole))):
            with sending(sent, lambda packed=packed: iter([packed[:7], packed[7:]])) as server:  # type: ignore[misc]
                assert LiteLLM("key", 20.0).complete(call(server)).text == "y" * size


def test_damaged_compression_is_worth_another_try() -> None:
    with sending(headers(Content_Encoding="gzip"), lambda: iter([b"not compressed"])) as server:
        assert type(failure(server)) is Transient
        assert server.requests == models.MAX_TRIES


def test_other_requests_of_the_process_are_not_held_to_it() -> None:
    reply_limit.install()
    with sending(headers(Content_Length=str(MOST * 2)), lambda: iter([b"x" * MOST] * 2)) as server:
        assert len(httpx.get(server.base_url).content) == MOST * 2


def test_the_reading_ends_with_the_call_on_record_as_failed_and_its_reason(store: Store) -> None:
    reader = get("whole")
    with sending(headers(), for_ever) as server:
        spec = RunSpec("whole", reader.version, "Who?", model="openai/x", api_base=server.base_url)
        run = create_run(store, Document.of("Anna lit the lamp."), reader, spec)
        done = execute(store, run.id, reader, Execution(LiteLLM("key", 20.0), api_key="key"))
    assert done.status == "failed"
    assert "the server sent more than 2 MB for one reply" in (done.error or "")
    [record] = store.runs.tape(run.id).records()
    assert record.reply is None
    assert "2 MB" in (record.error or "")
