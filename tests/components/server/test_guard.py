"""Strangers' names, origins and frames are refused before Streamlit sees them; every response carries the headers."""

from __future__ import annotations

import asyncio
import tomllib
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from components.server.guard import HEADERS, Guard, known_host, known_origin
from tests.support.paths import ROOT


def test_the_app_listens_on_this_machine_unless_told_otherwise() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "localhost"


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8501", "LOCALHOST", "localhost.", "127.0.0.1:8501", "[::1]:8501", "10.0.0.7"]
)
def test_this_machine_and_addresses_in_figures_are_known(host: str) -> None:
    assert known_host(host, [])


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8501", "[::1", "a@localhost", "localhost:x"]
)
def test_other_names_are_not(host: str) -> None:
    assert not known_host(host, [])


def test_only_allowed_names_are_known_where_there_are_any() -> None:
    allowed = ["Class.Example.com", "*.school.example"]
    assert known_host("class.example.com:443", allowed)
    assert known_host("a.school.example", allowed)
    assert not known_host("school.example", allowed)
    assert not known_host("localhost", allowed)
    assert known_host("any.example", ["*"])


def test_pages_of_the_app_and_of_allowed_origins_connect() -> None:
    assert known_origin("http://localhost:8501", "localhost:8501", [])
    assert known_origin("https://Class.example.com", "class.example.com", [])
    assert known_origin(None, "localhost:8501", [])
    assert known_origin("https://portal.example", "localhost:8501", ["https://portal.example"])
    for origin in ("https://evil.example", "http://localhost:8502", "null", "http://localhost:8501.evil.example"):
        assert not known_origin(origin, "localhost:8501", [])


def through(kind: str, *, most: int = 9, path: str = "/", **headers: str) -> list[dict[str, Any]]:
    """What the guard sends for a request, with an app behind it that says ok; it is full with `most` pages."""
    sent: list[dict[str, Any]] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"X-Frame-Options", b"ALLOWALL")]})
            await send({"type": "http.response.body", "body": b"ok"})
        else:
            await send({"type": "websocket.accept"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    guard = Guard(behind, most=lambda: most, disconnected=lambda: None)
    asyncio.run(guard({"type": kind, "method": "GET", "path": path, "headers": raw}, receive, send))
    return sent


def test_every_response_carries_the_headers_once() -> None:
    for host, status in (("localhost:8501", 200), ("evil.example", 421)):
        head, _body = through("http", host=host)
        assert head["status"] == status
        assert set(HEADERS) <= set(head["headers"])
        assert len([name for name, _ in head["headers"] if name.lower() == b"x-frame-options"]) == 1


def test_a_stranger_is_told_what_to_do_and_gets_nothing_of_the_app() -> None:
    _head, body = through("http", host="evil.example")
    assert b"'evil.example'" in body["body"]
    assert b"--server.allowedHosts" in body["body"]


def test_a_connection_from_another_page_is_closed_before_it_opens() -> None:
    assert through("websocket", host="localhost:8501", origin="http://localhost:8501") == [{"type": "websocket.accept"}]
    for headers in (
        {"host": "localhost:8501", "origin": "https://evil.example"},
        {"host": "evil.example", "origin": "http://evil.example"},
    ):
        assert through("websocket", **headers) == [{"type": "websocket.close", "code": 1008}]


def test_a_page_too_many_is_refused_in_words_and_those_that_are_open_get_what_they_need() -> None:
    head, body = through("http", most=0, host="localhost", accept="text/html,*/*")
    assert (head["status"], body["body"][:10]) == (503, b"Palimpsest")
    assert through("http", most=0, host="localhost", accept="*/*")[0]["status"] == 200
    assert through("http", most=0, host="localhost", accept="text/html", path="/_stcore/health")[0]["status"] == 200
    assert through("websocket", most=0, host="localhost") == [{"type": "websocket.close", "code": 1013}]


def test_the_servers_own_figures_are_for_nobody() -> None:
    for path in ("/_stcore/metrics", "/base/_stcore/metrics/"):
        assert through("http", host="localhost", path=path)[0]["status"] == 404


def test_a_request_whose_rest_does_not_come_is_answered_in_words_and_fails_nothing() -> None:
    sent: list[dict[str, Any]] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        raise ClientDisconnect

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "PUT", "path": "/", "headers": [(b"host", b"localhost")]}
    asyncio.run(Guard(behind, most=lambda: 9, disconnected=lambda: None)(scope, send, send))  # type: ignore[arg-type]
    assert (sent[0]["status"], sent[1]["body"][:8]) == (408, b"The rest")


def rerun(page: str, fragment: str = "") -> bytes:
    """What the browser sends: to draw a page, or a part of it alone."""
    made = BackMsg()
    made.rerun_script.page_script_hash, made.rerun_script.fragment_id = page, fragment
    return made.SerializeToString()


def drawn(page: str, *, by_address: bool = False) -> bytes:
    """What the server sends when it begins to draw a page, or a part of it; and when it says which page an address names."""
    made = ForwardMsg()
    (made.navigation if by_address else made.new_session).page_script_hash = page
    return made.SerializeToString()


@pytest.mark.parametrize(
    ("passing", "through"),
    [
        (["asks Trace", "draws Trace", "part of Trace", "asks Home", "part of Trace"], False),  # Back, just after a step
        (["asks Trace", "draws Trace", "asks Home", "draws Home", "part of Trace"], False),
        (["asks Trace", "draws Trace", "part of Trace", "asks Home", "draws Trace", "part of Trace"], False),
        (["asks Trace", "draws Trace", "asks Trace", "part of Trace"], True),
        (["asks Read", "draws Read", "draws Trace", "part of Trace"], True),  # the server went there by itself
        (["asks Read", "draws Read", "part of Read", "draws Read", "draws Trace", "part of Trace"], True),
        (["asks ", "part of Trace"], True),  # by its address: which page that is, the server says
        (["asks ", "draws Trace", "part of Trace"], True),
        (["asks ", "draws App", "names Trace", "part of Trace"], True),
        (["asks ", "draws App", "names Trace", "asks Home", "part of Trace"], False),
    ],
)
def test_a_part_of_a_page_that_was_left_is_not_drawn_again(passing: list[str], through: bool) -> None:
    """Streamlit would take it after the page that came, which the browser would then clear."""
    *before, last = passing
    coming, reached = passed([*before, last if through else f"not {last}"])
    assert reached == (coming if through else coming[:-1])


def test_what_a_part_says_first_on_a_connection_draws_its_whole_page() -> None:
    """Streamlit would drop it in a session that has no parts: its server was started again, and the page was not loaded anew."""
    coming, reached = passed(["part of Trace", "part of Trace", "draws Trace", "part of Trace", "not part of Home", "asks Home"])
    assert reached == [rerun("Trace"), coming[1], coming[2], rerun("Home")]


def passed(passing: list[str]) -> tuple[list[bytes], list[bytes | None]]:
    """What a browser sends on a connection, and what of it reaches the app. What is `not` to reach it is not waited for."""
    reached: list[bytes | None] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        for one in passing:
            if one.startswith(("draws", "names")):
                data = drawn(one.removeprefix("draws ").removeprefix("names "), by_address=one.startswith("names"))
                await send({"type": "websocket.send", "bytes": data})
            elif not one.startswith("not"):
                reached.append((await receive())["bytes"])
        assert (await receive())["type"] == "websocket.disconnect"

    coming = [rerun(one.rsplit(" ", 1)[1], "part" * ("part" in one)) for one in passing if not one.startswith(("draws", "names"))]
    arriving = iter([*({"type": "websocket.receive", "bytes": data} for data in coming), {"type": "websocket.disconnect"}])

    async def receive() -> Any:
        return next(arriving)

    async def send(message: Any) -> None:
        assert message["bytes"]

    guard = Guard(behind, most=lambda: 9, disconnected=lambda: None)
    asyncio.run(guard({"type": "websocket", "headers": [(b"host", b"localhost")]}, receive, send))
    return coming, reached
