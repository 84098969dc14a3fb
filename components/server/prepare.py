"""Preparations before the server starts: its limits, what every request passes through, its address, and what it loads beside its
first requests.

The engine is imported only where needed, so that the server does not wait for it: while a browser loads Streamlit's scripts, a
thread imports what the first page needs, in the order in which it is drawn, and later, while nobody asks anything, litellm for
the first reading.

Streamlit's scripts do not know which part of an address is the name of a page. At `/Read` they look for the server under `/Read`,
get 404, wait a tenth of a second, and find it at `/`. The name of a page is one part, so the server's address ends where that
part begins, and the page itself states it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager

import streamlit as st
import streamlit.net_util as net_util
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server import left_pages
from components.server.guard import Guard, limit_heads
from components.server.scripts import Scripts
from components.server.uploads import Most, UploadLimit
from components.session import capacity

IDLE_SECONDS, IDLE_SHARE = 1.0, 0.05
SWITCH_SECONDS = 0.0005  # of one thread in the place of 0.005
_HEAD = b"<head>"
# Also under a proxy's path. Streamlit's scripts still look one part further up if nothing answers there.
SCRIPT = b'<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'


def middleware() -> list[Middleware]:
    """Set the limits of this process, and return the middleware. Call it once."""
    capacity.raise_limit()
    limit_heads()
    net_util.get_external_ip = lambda: None  # Streamlit would ask a server elsewhere, to know the app's own origins
    guard = Middleware(Guard, most=_most_connected, disconnected=_disconnected)
    return [guard, Middleware(Scripts), Middleware(BaseAddress), Middleware(UploadLimit, most=_most_uploaded)]


def loading(first_page: Callable[[], None]) -> Callable[[st.App], AbstractAsyncContextManager[None]]:
    """What the server does from its start on: it prepares its first page, and then, while it is idle, litellm."""

    ended: list[bool] = []

    def load() -> None:
        from readers.engine.models.loading import load_for_calls, without_collecting

        with without_collecting(), _giving_way():
            first_page()
        if not _is_demo() and _is_idle(ended):
            load_for_calls()

    @asynccontextmanager
    async def begun(_app: st.App) -> AsyncIterator[None]:
        from readers.engine import on_first_use

        on_first_use.soon(load)
        try:
            yield
        finally:
            ended.append(True)

    return begun


@contextmanager
def _giving_way() -> Iterator[None]:
    """Within this, a thread that computes lets others go on sooner: the first browser fetches some seventy files meanwhile, and
    would wait for each."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _is_idle(ended: Collection[bool]) -> bool:
    """Wait until this process has worked for hardly any of a second; False if the server ends before."""
    before = -IDLE_SECONDS
    while not ended and (now := time.process_time()) - before > IDLE_SHARE * IDLE_SECONDS:
        before = now
        time.sleep(IDLE_SECONDS)
    return not ended


def _is_demo() -> bool:
    """Whether visitors may use only some models, mostly the offline one, and the memory is better spent on them."""
    from components.session import demos

    return demos.on()


def _disconnected() -> None:
    from components.session import demos

    demos.end_disconnected()
    left_pages.note_left(left_pages.SECONDS_IN_A_DEMO if demos.on() else left_pages.SECONDS)


def _most_connected() -> int:
    return capacity.most_pages() - left_pages.kept()


def _most_uploaded() -> Most:
    from components.session import demos

    return Most(bytes=demos.MOST_FILE_BYTES, bytes_of_all=demos.MOST_UPLOADED) if demos.on() else Most()


class BaseAddress:
    """Middleware: puts `SCRIPT` into the head of the pages that a browser opens."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        plain = [header for header in scope["headers"] if header[0].lower() != b"accept-encoding"]
        await self._app({**scope, "headers": plain}, receive, _with_script(send))


def _with_script(send: Send) -> Send:
    start: Message | None = None  # held until it is known how long the body becomes

    async def sent(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start" and message["status"] == 200:
            start = message
            return
        if start is not None:
            body = message.get("body", b"")
            if _HEAD in body and Headers(raw=start["headers"]).get("content-type", "").startswith("text/html"):
                message = {**message, "body": body.replace(_HEAD, _HEAD + SCRIPT, 1)}
                headers = MutableHeaders(raw=list(start["headers"]))
                if "content-length" in headers:
                    headers["content-length"] = str(int(headers["content-length"]) + len(SCRIPT))
                start = {**start, "headers": headers.raw}
            await send(start)
            start = None
        await send(message)

    return sent
