"""Connections that would use up what a server has of them: half-sent requests are closed, and a page too many is refused."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from components.server.guard import limit_heads, timely
from components.session import capacity

SECONDS = 0.5
REQUEST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"


async def behind(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    body = b""
    receive = timely(receive, SECONDS)
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            await asyncio.sleep(2 * SECONDS)  # an answer may take its time
            break
    else:
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def served() -> Iterator[int]:
    """The port of uvicorn with these limits."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(behind, log_level="critical", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    for name in ("connection_made", "data_received", "connection_lost"):
        monkeypatch.setattr(H11Protocol, name, getattr(H11Protocol, name))  # put back afterwards
    limit_heads(SECONDS)
    with served() as port:
        yield port


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n", REQUEST + b"ab"])
def test_a_request_that_stops_half_way_is_closed(limited: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", limited)) as connection:
        connection.settimeout(10 * SECONDS)
        connection.sendall(sent)
        while connection.recv(1000):  # a refusal may be said before the end
            pass


@pytest.mark.slow
def test_a_head_that_comes_a_byte_at_a_time_is_closed_too(limited: int) -> None:
    with socket.create_connection(("127.0.0.1", limited)) as connection:
        closed_after = 0.0
        with suppress(OSError):
            for byte in REQUEST * 20:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)
                closed_after += 0.05
        assert closed_after < 10 * SECONDS


@pytest.mark.slow
def test_a_whole_request_is_answered_however_long_the_answer_takes_and_so_is_the_next(limited: int) -> None:
    with socket.create_connection(("127.0.0.1", limited)) as connection:
        connection.settimeout(20 * SECONDS)
        for body in (b"abcd", b"efgh"):
            connection.sendall(REQUEST + body)
            answer = b""
            while not answer.endswith(body):
                piece = connection.recv(1000)
                assert piece
                answer += piece


def test_a_process_asks_for_the_descriptors_it_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits = [256, 4_096]

    def refusing(_kind: int, new: tuple[int, int]) -> None:
        if new[0] > 2_000:
            raise ValueError
        limits[:] = new

    monkeypatch.setattr(resource, "getrlimit", lambda _kind: tuple(limits))
    monkeypatch.setattr(capacity, "WANTED", (3_000, 2_000))
    monkeypatch.setattr(resource, "setrlimit", refusing)
    assert capacity.most_pages() == (256 - capacity.RESERVED) // 4
    capacity.raise_limit()
    assert limits == [2_000, 4_096]
    capacity.raise_limit()
    assert limits == [2_000, 4_096]
    assert capacity.most_pages() == (2_000 - capacity.RESERVED) // 4
