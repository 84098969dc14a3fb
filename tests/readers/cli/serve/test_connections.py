"""The endpoint as somebody without the key meets it, or a client that breaks the rules of HTTP."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from readers.cli.serve import server
from readers.cli.serve.server import Server
from readers.engine.errors import ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.store import Store
from tests.readers.cli.serve.test_serve import asking, post
from tests.support.servers.endpoint import KEY, endpoint

SECONDS = 0.5
HALF = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
KEYED = HALF + f"Authorization: Bearer {KEY}\r\nContent-Type: application/json\r\n".encode()


@pytest.fixture
def going(store: Store) -> Iterator[Server]:
    with endpoint("--reader", "whole") as started:
        yield started


def opened(to: Server, sent: bytes) -> socket.socket:
    connected = socket.create_connection(("127.0.0.1", to.port), timeout=20)
    connected.sendall(sent)
    return connected


def all_of(connected: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    got = b""
    with suppress(ConnectionError):
        while piece := connected.recv(1 << 16):
            got += piece
    return got


def test_half_sent_heads_keep_nobody_out_who_has_the_key(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_REQUESTS", 1)
    monkeypatch.setattr(server, "MAX_HEADS", 3)
    with endpoint("--reader", "whole") as going, ExitStack() as kept:
        halves = [kept.enter_context(opened(going, HALF)) for _ in range(8)]
        status, _ = post(going, {**asking(), "model": "reader/whole"})
        assert status == 200
        assert all_of(halves[0]) == b""  # the oldest was closed to make room
        halves[-1].sendall(b"\r\n")
        assert b" 401 " in all_of(halves[-1])


@pytest.mark.slow
def test_a_head_that_comes_a_byte_at_a_time_is_closed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", SECONDS)
    with endpoint("--reader", "whole") as going, opened(going, HALF) as connected:
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() < began + 10 * SECONDS:
                connected.sendall(b"X")
                time.sleep(0.05)
        assert SECONDS / 2 < time.monotonic() - began < 8 * SECONDS


def test_closing_the_server_waits_for_no_half_sent_head(store: Store) -> None:
    with ExitStack() as kept:
        with endpoint("--reader", "whole") as going:
            kept.enter_context(opened(going, HALF))
            post(going, {}, Authorization="")  # which comes after it
            began = time.monotonic()
        assert time.monotonic() - began < server.SECONDS_TO_SEND / 3


def test_who_has_the_key_is_told_when_all_places_are_taken(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_REQUESTS", 1)
    with endpoint("--reader", "whole") as going, opened(going, KEYED + b"Content-Length: 9\r\n\r\n"):
        until = time.monotonic() + 10
        status = 0
        while status != 503 and time.monotonic() < until:  # until the first has its place
            status, refused = post(going, b"{")
    assert (status, refused["error"]["type"]) == (503, "server_error")
    assert "1 request" in refused["error"]["message"]


@pytest.mark.parametrize(
    "length",
    [b"9" * 5_000, b"0" * 5_000 + b"1", b"-5", b"1_0", b"\xb2", b""],
    ids=["5,000 digits", "5,000 zeros", "negative", "underscore", "superscript", "empty"],
)
def test_a_length_that_is_none_is_refused_in_words(going: Server, length: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(going, KEYED + b"Content-Length: " + length + b"\r\n\r\n{") as connected:
        connected.shutdown(socket.SHUT_WR)
        got = all_of(connected)
    assert b" 400 " in got.partition(b"\r\n")[0]
    assert b'"message"' in got
    assert "Traceback" not in capsys.readouterr().err


def test_a_body_that_is_too_long_is_refused_before_it_has_come(going: Server) -> None:
    with opened(going, KEYED + b"Content-Length: %d\r\n\r\n" % 10**12) as connected:
        connected.settimeout(10)
        assert b" 413 " in connected.recv(1000)


@pytest.mark.slow
def test_the_line_of_a_reading_is_one_line(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Failing:
        def complete(self, call: Call) -> Reply:
            raise ModelFailed("no such model\nreader/whole  reading 1  answered  0.1 s\u2028\x85and more")

    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: Failing())
    with endpoint("--reader", "whole") as going:
        status, _ = post(going, {**asking(), "model": "reader/whole+a\nreader/whole  reading 0  answered  0.1 s"})
    said = capsys.readouterr().err
    assert (status, len(said.splitlines())) == (502, 1)
    assert "and more" in said
