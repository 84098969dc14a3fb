"""A page says where its server is, so that the browser need not look for it under the page's own name."""

from __future__ import annotations

import asyncio
from typing import Any

from components.server.prepare import SCRIPT, BaseAddress

PAGE = b"<html><head><title>Read</title></head></html>"
A_BROWSER = {"accept": "text/html,*/*", "accept-encoding": "gzip"}


def answer(asked: dict[str, str], *, kind: str = "text/html", status: int = 200) -> tuple[bytes, int]:
    """The body that a browser gets of an app that answers with PAGE, compressed if it may be, and the length in the head."""
    sent: list[dict[str, Any]] = []

    async def behind(scope: Any, _receive: Any, send: Any) -> None:
        body = b"compressed" if (b"accept-encoding", b"gzip") in scope["headers"] else PAGE
        head = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": head})
        await send({"type": "http.response.body", "body": body})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    raw = [(name.encode(), value.encode()) for name, value in asked.items()]
    asyncio.run(BaseAddress(behind)({"type": "http", "method": "GET", "path": "/Read", "headers": raw}, receive, send))
    head, body = sent
    return body["body"], int(dict(head["headers"])[b"content-length"])


def test_a_page_begins_with_the_script_and_says_its_length() -> None:
    body, length = answer(A_BROWSER)
    assert body == PAGE.replace(b"<head>", b"<head>" + SCRIPT)
    assert length == len(body)


def test_what_is_no_page_stays_as_it_is() -> None:
    assert answer(A_BROWSER, kind="text/plain") == (PAGE, len(PAGE))
    assert answer(A_BROWSER, status=404) == (PAGE, len(PAGE))
    assert answer({"accept": "*/*", "accept-encoding": "gzip"}) == (b"compressed", len(b"compressed"))
