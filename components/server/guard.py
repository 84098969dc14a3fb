"""The guard between a browser and Streamlit: which names the app answers to, which pages may connect, which headers it sends.

The browser that runs this app also opens other sites' pages. Such a page may map its own name to this machine (DNS rebinding),
connect from its own origin, or show the app in a frame: all of these are refused. Messages with which one visitor affects all are
dropped: anybody who can open the page can send any of Streamlit's messages; one of them empties the caches of the whole process,
another installs files on the server. Messages that our pages never need are dropped. Every kind of message is decided here, and a
test fails when a version of Streamlit adds another. The last message of a page that was left is dropped, because it would clear
the page that came after it. A sender that stops half way is cut off: each such request holds a file descriptor, and uvicorn would
wait for the rest for ever. Not here: passwords and TLS, which are the task of a proxy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import wraps
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import h11
import streamlit as st
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from uvicorn.protocols.http.h11_impl import H11Protocol

# Streamlit's own scripts and styles are inline or compiled in the page, and a component's come as blobs. Nothing is loaded from
# other sites, and nothing is sent to them.
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
SECONDS = 20.0  # for the head of a request, and for each piece of its body
# All of these act only on the sender's own session.
ALLOWED = frozenset({"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"})
REFUSED = frozenset(
    {
        "clear_cache",  # empties the caches of all visitors
        "set_run_on_save",  # watches the server's files
        "load_git_info",  # runs git, and reveals the server's checkout
        "debug_disconnect_websocket",
        "debug_shutdown_runtime",
    }
)
ALLOWED_OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
_BEGINS = 100_000  # bytes: what says that a page begins is far shorter
REFUSED_OPERATIONS = frozenset({"install_skills", "dismiss_skills_nudge"})  # they write files on the server


class Guard:
    """Middleware: refuses what `known_host` and `known_origin` do not know, messages that are not `allowed`, and pages
    beyond the `most` that can be connected, and adds the headers to every response. `disconnected` is called after each
    connection of a page has ended."""

    def __init__(self, app: ASGIApp, *, most: Callable[[], int], disconnected: Callable[[], None]) -> None:
        self._app, self._most, self._disconnected = app, most, disconnected
        self._connections = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(raw=list(scope.get("headers", ())))
        host = asked.get("host", "")
        known = known_host(host, st.get_option("server.allowedHosts"))
        if scope["type"] == "http":
            send = _with_headers(send)
            try:
                await self._answer(scope, asked, known)(scope, timely(receive), send)
            except ClientDisconnect:
                await in_words(TIMEOUT, "The rest of this request did not come.\n")(scope, receive, send)
        elif scope["type"] == "websocket":
            own = known and known_origin(asked.get("origin"), host, st.get_option("server.corsAllowedOrigins"))
            if own and not self._is_full():
                await self._connect(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": TRY_LATER if own else POLICY_VIOLATION})
        else:
            await self._app(scope, receive, send)

    def _answer(self, scope: Scope, headers: Headers, known: bool) -> ASGIApp:
        if not known:
            name = ascii(_name(headers.get("host", ""))[:100])
            return in_words(
                MISDIRECTED,
                f"Palimpsest was asked for by the name {name}, which it does not know. On its own machine open it as localhost; "
                "to let it answer to other names, start it with --server.allowedHosts NAME, once for each.\n",
            )
        if scope.get("path", "").rstrip("/").endswith(METRICS):
            return in_words(NOT_FOUND, "There is nothing here.\n")
        if self._is_full() and _is_page(scope, headers):
            full = "Palimpsest has as many visitors as this machine can take. Please try again in a minute.\n"
            return in_words(UNAVAILABLE, full)
        return self._app

    def _is_full(self) -> bool:
        return self._connections >= self._most()

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._connections += 1
        try:
            page = PageInView()
            await self._app(scope, _only_allowed(receive, page), _told(send, page))
        finally:
            self._connections -= 1
            self._disconnected()


def known_host(host: str, allowed: Collection[str]) -> bool:
    """Whether the app answers to this name, as the header `Host` gives it, with or without a port.

    These are the names that are `allowed` (`*.example.com` for all below a name, `*` for any), as Streamlit itself takes them for
    its connections. If none are, it is `localhost` and every address in figures: such an address needs no name server, so nobody
    can make a name of their own lead here.
    """
    name = _name(host)
    if allowed:
        return bool(name) and any(_fits(name, pattern.strip().lower()) for pattern in allowed)
    return name == THIS_MACHINE or _is_address(name)


def known_origin(origin: str | None, host: str, allowed: Collection[str]) -> bool:
    """Whether a page of this origin may connect: the app's own pages, and those of `allowed` origins. A browser always names the
    origin of a page; a client that names none is not a browser, and could name any."""
    if origin is None or origin in allowed:
        return True
    return urlsplit(origin).netloc.lower() == host.lower()


def _name(host: str) -> str:
    """The name without its port, in small letters; empty if this is not a browser's header."""
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


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [header for header in message.get("headers", ()) if header[0].lower() not in _OURS]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return sent


def _only_allowed(receive: Receive, page: PageInView) -> Receive:
    async def received() -> Message:
        while True:
            message = await receive()
            data = message.get("bytes") if message["type"] == "websocket.receive" else None
            if data is None:
                return message
            if allowed(data) and (taken := page.taken(data)) is not None:
                return {**message, "bytes": taken}

    return received


def _told(send: Send, page: PageInView) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "websocket.send" and (data := message.get("bytes")):
            page.note_drawn(data)
        await send(message)

    return sent


def _is_page(scope: Scope, headers: Headers) -> bool:
    """Whether a browser asks for a page, and not for what belongs to one that is open."""
    return scope.get("method") == "GET" and "text/html" in headers.get("accept", "") and "/_stcore/" not in scope.get("path", "")


def in_words(status: int, words: str) -> Response:
    """A plain-text answer to a request."""
    return PlainTextResponse(words, status, {"cache-control": "no-store"})


# Messages


def allowed(data: bytes) -> bool:
    """Whether a message may reach Streamlit. Data that is not a message may pass: Streamlit then closes the connection."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in ALLOWED_OPERATIONS
    return kind in ALLOWED


class PageInView:
    """The page that a connection is on, or goes to, by the messages that pass.

    What a part of a page says may be on its way when Back or a link asks for another page, and Streamlit takes it after that. It
    would draw that part again when the new page has been drawn, and the browser would clear the new page.

    A page whose connection came back does not ask for itself if nothing was being drawn. If its server was started again
    meanwhile, the new session has no parts, and Streamlit drops all that a part of the page says, without a word.
    """

    def __init__(self) -> None:
        self._page = ""  # as Streamlit names it; empty while it is not known
        self._goes = False  # it was asked for, and is not drawn yet
        self._asked = False  # a whole page was, on this connection

    def taken(self, data: bytes) -> bytes | None:
        """A message from the browser as it is passed on; None if it is of another page. What a part says first on a connection
        draws its whole page. Data that is not a message is passed on."""
        message = BackMsg()
        try:
            message.ParseFromString(data)
        except DecodeError:
            return data
        if message.WhichOneof("type") != "rerun_script":
            return data
        asked = message.rerun_script
        if asked.fragment_id and self._asked:
            return data if self._page in ("", asked.page_script_hash) else None
        self._page, self._goes, self._asked = asked.page_script_hash, bool(asked.page_script_hash), True
        if not asked.fragment_id:
            return data
        asked.fragment_id, asked.is_auto_rerun = "", False
        return bytes(message.SerializeToString())

    def note_drawn(self, data: bytes) -> None:
        """Note which page is drawn, if this message to the browser says it: the server may go to another one by itself. The page
        before may still be drawn once more when another one was asked for."""
        message = ForwardMsg()
        if len(data) <= _BEGINS:
            message.ParseFromString(data)
        # For a page requested by its address, a session begins under the app's name; the navigation has the page's own name.
        drawn = message.navigation.page_script_hash or message.new_session.page_script_hash
        if drawn and (not self._goes or drawn == self._page):
            self._page, self._goes = drawn, False


# Requests whose sender stops half way


def limit_heads(seconds: float = SECONDS) -> None:
    """Have uvicorn close every connection on which the head of a request takes longer. Call it once, before the first connection.

    uvicorn has no setting for it, so its protocol is given a timer: one runs while a head is awaited.
    """
    made, received, lost = H11Protocol.connection_made, H11Protocol.data_received, H11Protocol.connection_lost

    @wraps(made)
    def connection_made(self: Any, transport: Any) -> None:
        made(self, transport)
        self.head_due = self.loop.call_later(seconds, transport.close)

    @wraps(received)
    def data_received(self: Any, data: bytes) -> None:
        received(self, data)
        if self.conn.their_state is not h11.IDLE:
            self.head_due.cancel()
        elif self.head_due.cancelled():
            self.head_due = self.loop.call_later(seconds, self.transport.close)

    @wraps(lost)
    def connection_lost(self: Any, exc: Exception | None) -> None:
        self.head_due.cancel()
        lost(self, exc)

    H11Protocol.connection_made = connection_made  # type: ignore[method-assign]
    H11Protocol.data_received = data_received  # type: ignore[method-assign]
    H11Protocol.connection_lost = connection_lost  # type: ignore[method-assign]


def timely(receive: Receive, seconds: float = SECONDS) -> Receive:
    """As `receive`, but as if the sender had left when the next piece of the body takes longer."""
    whole = False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), seconds)
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = not message.get("more_body", False)
        return message

    return received
