"""Servers of other programs on this machine: found quickly where they run, and whatever answers there does no harm."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from readers.engine.models.local import other_servers
from readers.engine.models.local.other_servers import OtherServer, find_offered


@contextmanager
def answering(body: bytes, *, status: int = 200, delay: float = 0.0) -> Iterator[OtherServer]:
    """A server that gives one answer to every request for its models."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            over.wait(delay)
            self.send_response(status if self.path == "/v1/models" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield OtherServer("Some", server.server_address[1], "ollama_chat")
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def listed(*names: object) -> bytes:
    return json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in names]}).encode()


def test_the_models_of_a_running_server_are_offered_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(listed("qwen2.5:7b", "llama3.1:latest", "nomic-embed-text:latest")) as one, answering(listed("a/b")) as other:
        found = find_offered([one, other])
        assert [model.id for model in found] == ["ollama_chat/llama3.1:latest", "ollama_chat/qwen2.5:7b", "ollama_chat/a/b"]
        assert [model.server for model in found] == [one, one, other]
        assert {model.window for model in found} == {4096}
        monkeypatch.setenv("OLLAMA_CONTEXT_LENGTH", "16384")
        assert find_offered([one])[0].window == 16_384
    assert (other_servers.OLLAMA.api_base, other_servers.LM_STUDIO.api_base) == (
        "http://127.0.0.1:11434",
        "http://127.0.0.1:1234/v1",
    )


def test_where_nothing_runs_nothing_is_offered() -> None:
    assert find_offered([OtherServer("Some", 9, "ollama_chat")]) == []


WRONG = {
    "no JSON": b"<html>",
    "another JSON": b"[1, 2]",
    "no list": b'{"data": {"id": "x"}}',
    "no names": listed(1, None, {"id": "x"}, ""),
    "names that cannot be ids": listed("a b", "a\nb", "\u202ex", "x" * 1000),
    "too deep": b'{"data": ' + b"[" * 100_000,
    "too long": b'{"data": [{"id": "x"}], "rest": "' + b"x" * other_servers.MAX_BYTES + b'"}',
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_an_answer_that_makes_no_sense_offers_nothing(body: bytes) -> None:
    with answering(body) as server:
        assert find_offered([server]) == []


def test_a_server_that_refuses_or_hangs_offers_nothing_and_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(listed("x"), status=500) as server:
        assert find_offered([server]) == []
    monkeypatch.setattr(other_servers, "SECONDS", 0.05)
    with answering(listed("x"), delay=5) as server:
        began = time.monotonic()
        assert find_offered([server]) == []
        assert time.monotonic() - began < 3


def test_a_long_list_is_cut() -> None:
    with answering(listed(*[f"model-{n}" for n in range(500)])) as server:
        assert len(find_offered([server])) == other_servers.MAX_MODELS


def test_a_server_that_never_stops_or_sends_by_the_byte_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_servers, "SECONDS", 0.2)
    sent = []

    def serve(connection: socket.socket, piece: bytes, pause: float) -> None:
        with connection, suppress(OSError):
            while len(sent) < 100_000:
                connection.sendall(piece)
                sent.append(len(piece))
                time.sleep(pause)

    for piece, pause in ((b"x" * 100_000, 0.0), (b"x", 0.02), (b"HTTP/1.1 200 OK\r\nA: b\r\n", 0.0)):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            threading.Thread(target=lambda p=piece, w=pause: serve(listening.accept()[0], p, w), daemon=True).start()  # type: ignore[misc]
            began = time.monotonic()
            assert find_offered([OtherServer("Some", listening.getsockname()[1], "ollama_chat")]) == []
            assert time.monotonic() - began < 3
    assert sum(sent) < 50_000_000
