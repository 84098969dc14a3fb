"""What stands between a browser and Streamlit: which names the app answers to, which pages may connect, what every response says.

The browser that runs this app also opens pages of strangers. Such a page may map its own name to this machine (DNS rebinding),
connect from its own origin, or show the app in a frame of its own: none of these is let through. Nor are the messages by which
one visitor acts on all (`messages.py`). Not here: passwords and TLS, which are a proxy's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server import half_sent, messages

# Streamlit's own scripts and styles are inline or compiled in the page, and a component's come as blobs. Nothing comes from
# elsewhere, and nothing goes there.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; frame-src 'self' data: blob:; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)
_OURS = frozenset(name for name, _ in HEADERS)
THIS_MACHINE = "localhost"
METRICS = "/_stcore/metrics"  # how many sessions there are, and what they hold: nothing for a visitor
MISDIRECTED, UNAVAILABLE, NOT_FOUND, TIMEOUT = 421, 503, 404, 408  # of HTTP
POLICY_VIOLATION, TRY_LATER = 1008, 1013  # of WebSocket


class Guard:
    """Middleware: refuses what `known_host` and `known_origin` do not know, messages that are not `messages.allowed`, and pages
    beyond the `most` that can be connected, and adds the headers to every response. `disconnected` is called after each
    connection of a page has ended."""

    def __init__(self, app: ASGIApp, *, most: Callable[[], int], disconnected: Callable[[], None]) -> None:
        self._app, self._most, self._disconnected = app, most, disconnected
        self._connections = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = _headers(scope)
        host = asked.get("host", "")
        known = known_host(host, st.get_option("server.allowedHosts"))
        if scope["type"] == "http":
            send = _with_headers(send)
            try:
                await self._answer(scope, asked, known)(scope, half_sent.timely(receive), send)
            except ClientDisconnect:
                await say(send, TIMEOUT, "The rest of this request did not come.\n")
        elif scope["type"] == "websocket":
            own = known and known_origin(asked.get("origin"), host, st.get_option("server.corsAllowedOrigins"))
            if own and not self._is_full():
                await self._connect(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": TRY_LATER if own else POLICY_VIOLATION})
        else:
            await self._app(scope, receive, send)

    def _answer(self, scope: Scope, headers: Mapping[str, str], known: bool) -> ASGIApp:
        if not known:
            return _misdirected
        if scope.get("path", "").rstrip("/").endswith(METRICS):
            return _not_found
        return _full if self._is_full() and _is_page(scope, headers) else self._app

    def _is_full(self) -> bool:
        return self._connections >= self._most()

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._connections += 1
        try:
            await self._app(scope, _only_allowed(receive), send)
        finally:
            self._connections -= 1
            self._disconnected()


def known_host(host: str, allowed: Collection[str]) -> bool:
    """Whether the app answers to this name, as the header `Host` gives it, with or without a port.

    These are the names that are `allowed` (`*.example.com` for all below a name, `*` for any), as Streamlit itself takes them for
    its connections. If none are, it is `localhost` and every address in figures: no name server stands between such an address
    and the machine, so nobody can make it lead here from elsewhere.
    """
    name = _name(host)
    if allowed:
        return bool(name) and any(_fits(name, pattern.strip().lower()) for pattern in allowed)
    return name == THIS_MACHINE or _is_address(name)


def known_origin(origin: str | None, host: str, allowed: Collection[str]) -> bool:
    """Whether a page of this origin may connect: the app's own pages, and those of `allowed` origins. A browser always names the
    origin of a page; what names none is no browser, and could name any."""
    if origin is None or origin in allowed:
        return True
    return urlsplit(origin).netloc.lower() == host.lower()


def _name(host: str) -> str:
    """The name without its port, in small letters; empty if this is no header of a browser."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises ValueError unless it is a number
    except ValueError:
        return ""
    return "" if "@" in host else (parts.hostname or "").rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _fits(name: str, pattern: str) -> bool:
    return pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:]))


def _headers(scope: Scope) -> Mapping[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [header for header in message.get("headers", ()) if header[0].lower() not in _OURS]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return sent


def _only_allowed(receive: Receive) -> Receive:
    async def received() -> Message:
        while True:
            message = await receive()
            data = message.get("bytes") if message["type"] == "websocket.receive" else None
            if data is None or messages.allowed(data):
                return message

    return received


async def _misdirected(scope: Scope, _receive: Receive, send: Send) -> None:
    name = ascii(_name(_headers(scope).get("host", ""))[:100])
    words = (
        f"Palimpsest was asked for by the name {name}, which it does not know. On its own machine open it as localhost; to let "
        "it answer to other names, start it with --server.allowedHosts NAME, once for each.\n"
    )
    await say(send, MISDIRECTED, words)


def _is_page(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a browser asks for a page, and not for what belongs to one that is open."""
    return scope.get("method") == "GET" and "text/html" in headers.get("accept", "") and "/_stcore/" not in scope.get("path", "")


async def _not_found(_scope: Scope, _receive: Receive, send: Send) -> None:
    await say(send, NOT_FOUND, "There is nothing here.\n")


async def _full(_scope: Scope, _receive: Receive, send: Send) -> None:
    await say(send, UNAVAILABLE, "Palimpsest has as many visitors as this machine can take. Please try again in a minute.\n")


async def say(send: Send, status: int, words: str) -> None:
    """Answer a request in words alone."""
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": words.encode()})
