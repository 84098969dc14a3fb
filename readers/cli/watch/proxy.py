"""The server that a watched program talks to: it passes every request on byte for byte, streams the reply back as it comes, and
hands both over for the record.

It listens only on this machine and answers no web pages. What the program sends in headers, its keys among it, goes on and is
kept nowhere. If the real server cannot be reached, or breaks off, the program's connection breaks in the same way. A body that is
longer than the record takes goes on all the same. Not here: what was said (`protocols.py`), and the record (`recorder.py`).
"""

from __future__ import annotations

import asyncio
import socket
import time
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, cast

import httpx
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from readers.cli.serve import shapes
from readers.cli.serve.server import READING_HEADER, refused_origin
from readers.cli.watch import protocols
from readers.engine.ingest import MAX_BYTES

DEFAULT = "main"  # the reading of requests that name none
MOST_RECORDED = MAX_BYTES  # bytes of a request or a reply; what is longer is passed on, and not read
LONGEST_NAME = 100
SECONDS_TO_SEND = 5.0  # that a program has for the rest of a request that cannot go on
SHORTEST_KEY = 16  # a shorter one is no secret, and may be a word of the text
_KEYS = ("authorization", "x-api-key", "api-key")
_READINGS = "/readings/"
# What holds for one connection alone, and not for the next.
_HOP = ("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host")
_DECODED = ("gzip", "deflate", "identity")  # the encodings of replies that the record can read


@dataclass
class Exchange:
    """A request and the reply to it, as they were passed on. A body is None if it was longer than the record takes; `error` says
    what broke."""

    reading: str
    path: str
    asked: float
    request: bytes | None = b""
    reply: bytes | None = b""
    answered: float = 0.0
    status: int = 0
    kind: str = ""
    encoding: str = ""
    error: str = ""
    keys: tuple[str, ...] = field(default=(), repr=False)
    """What the record must not hold, though the server may send it back."""


class _Copy:
    """What was passed on so far, unless it is too long."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size <= MOST_RECORDED:
            self.parts.append(part)
        else:
            self.parts.clear()

    @property
    def whole(self) -> bytes | None:
        return b"".join(self.parts) if self.size <= MOST_RECORDED else None


class Target(Protocol):
    """Where requests go: a server, or a model of ours (`own_model.py`)."""

    async def send(self, path: str, request: Request, body: AsyncIterator[bytes]) -> PassedOn:
        """Raises NoServer."""
        ...

    async def close(self) -> None: ...


class NoServer(Exception):
    """There is no reply: the connection could not be made, or broke off."""


@dataclass(frozen=True)
class PassedOn:
    """A reply as it comes: `parts` are its bytes, which raise NoServer if they break off."""

    status: int
    headers: list[tuple[bytes, bytes]]
    parts: AsyncIterator[bytes]


class RealServer:
    """The server at a base URL such as `https://api.example.com/v1`."""

    def __init__(self, base_url: str) -> None:
        self._base = base_url.rstrip("/")
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.AsyncClient(timeout=None, limits=limits, follow_redirects=False)

    async def send(self, path: str, request: Request, body: AsyncIterator[bytes]) -> PassedOn:
        beyond = path.removeprefix("/v1") if self._base.endswith("/v1") else path
        query = f"?{request.url.query}" if request.url.query else ""
        has_body = "content-length" in request.headers or "transfer-encoding" in request.headers
        asked = httpx.Request(
            request.method, f"{self._base}{beyond}{query}", headers=_onward(request), content=body if has_body else None
        )
        try:
            reply = await self._client.send(asked, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NoServer(f"{asked.url.host} could not be reached: {str(error) or type(error).__name__}") from None
        kept = [(name, value) for name, value in reply.headers.raw if name.decode("latin-1").lower() not in _HOP]
        return PassedOn(reply.status_code, kept, _parts(reply))

    async def close(self) -> None:
        await self._client.aclose()


async def _parts(reply: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for part in reply.aiter_raw():
            yield part
    except httpx.HTTPError as error:
        raise NoServer(f"the reply broke off: {str(error) or type(error).__name__}") from None
    finally:
        await reply.aclose()


def _onward(request: Request) -> list[tuple[bytes, bytes]]:
    """The headers of a request as they go on: all but those of this connection. Replies come in an encoding that can be read."""
    named = [name.strip().lower() for name in request.headers.get("connection", "").split(",")]
    left = {*_HOP, *named, READING_HEADER.lower(), "accept-encoding"}
    kept = [(name, value) for name, value in request.headers.raw if name.decode("latin-1").lower() not in left]
    accepted = [one.strip() for one in request.headers.get("accept-encoding", "").split(",")]
    readable = [one for one in accepted if one.partition(";")[0].strip().lower() in _DECODED]
    return [*kept, (b"accept-encoding", ", ".join(readable or ["identity"]).encode("latin-1"))]


class WatchServer(uvicorn.Server):
    """The server on a port of this machine; port 0 takes a free one. `run` serves until `should_exit` is set. `note` is called
    with each exchange with a model, when it is over. Raises OSError if it cannot have the port."""

    def __init__(self, target: Target, note: Callable[[Exchange], None], *, port: int = 0) -> None:
        self._target, self.note = target, note
        self._connections: dict[tuple[str, int], _Breakable] = {}
        self.under_way = 0  # requests
        self._socket = socket.create_server(("127.0.0.1", port), backlog=128)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        connection = cast(Any, partial(_Breakable, self._connections))
        how: dict[str, Any] = {
            "ws": "none",
            "lifespan": "off",
            "log_config": None,
            "access_log": False,
            "interface": "asgi3",
            "proxy_headers": False,
        }
        super().__init__(uvicorn.Config(self._app, http=connection, server_header=False, date_header=False, **how))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        super().run(sockets or [self._socket])

    def wait_until_idle(self, seconds: float) -> None:
        """Wait until no request is under way, at most for this time."""
        until = time.monotonic() + seconds
        while self.under_way and time.monotonic() < until:
            time.sleep(0.01)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for connection in list(self._connections.values()):
            connection.transport.abort()
        await super().shutdown(sockets)
        await self._target.close()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.under_way += 1
        try:
            await self._answer(Request(scope, receive), scope, receive, send)
        finally:
            self.under_way -= 1

    async def _answer(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        if why := refused_origin(request.headers):
            await _refusal(403, why)(scope, receive, send)
            return
        reading, path = _named(request)
        if not reading or len(reading) > LONGEST_NAME or not reading.isprintable():
            await _refusal(404, f"the name of a reading has 1 to {LONGEST_NAME} letters")(scope, receive, send)
            return
        exchange, copy = Exchange(reading, path, time.monotonic(), keys=_keys(request)), _Copy()
        body = _copied(request, copy)
        try:
            answer = await self._target.send(path, request, body)
        except (NoServer, ClientDisconnect) as error:
            with suppress(TimeoutError, ClientDisconnect):  # what nobody took is for the record
                async with asyncio.timeout(SECONDS_TO_SEND):
                    async for _ in body:
                        pass
            self._end(exchange, copy, error=str(error) or "the program broke the connection off")
            await self._break(request, receive)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers}
        exchange.status, exchange.kind = answer.status, headers.get("content-type", "")
        exchange.encoding = headers.get("content-encoding", "")
        response = StreamingResponse(self._streamed(exchange, copy, answer, request), answer.status)
        response.raw_headers = answer.headers
        await response(scope, receive, send)

    async def _streamed(self, exchange: Exchange, asked: _Copy, answer: PassedOn, request: Request) -> AsyncIterator[bytes]:
        copy, error = _Copy(), "the program broke the connection off"
        try:
            async for part in answer.parts:
                copy.add(part)
                yield part
            error = ""
        except NoServer as broken:
            error = str(broken)
            self._abort(request)
        finally:
            exchange.reply = copy.whole
            self._end(exchange, asked, error=error)

    def _end(self, exchange: Exchange, asked: _Copy, *, error: str) -> None:
        exchange.request, exchange.error, exchange.answered = asked.whole, error, time.monotonic()
        if protocols.is_known(exchange.path):
            self.note(exchange)

    async def _break(self, request: Request, receive: Receive) -> None:
        """End the program's connection as if the real one had ended, without a reply."""
        self._abort(request)
        while (await receive())["type"] != "http.disconnect":
            pass

    def _abort(self, request: Request) -> None:
        if connection := self._connections.get(cast(Any, request.scope["client"])):
            connection.transport.abort()


class _Breakable(H11Protocol):
    """A connection that can be found by its address, to be broken off."""

    def __init__(self, connections: dict[tuple[str, int], _Breakable], **how: Any) -> None:
        super().__init__(**how)
        self._connections = connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client:
            self._connections[self.client] = self

    def connection_lost(self, exc: Exception | None) -> None:
        if self.client:
            self._connections.pop(self.client, None)
        super().connection_lost(exc)


async def _copied(request: Request, copy: _Copy) -> AsyncIterator[bytes]:
    """The body of a request as it arrives."""
    async for part in request.stream():
        copy.add(part)
        yield part


def _named(request: Request) -> tuple[str, str]:
    """The reading that a request belongs to, and its path without that."""
    path = request.url.path
    if path.startswith(_READINGS):
        name, slash, beyond = path.removeprefix(_READINGS).partition("/")
        return name, slash + beyond
    return request.headers.get(READING_HEADER, DEFAULT), path


def _keys(request: Request) -> tuple[str, ...]:
    """The keys in the headers of a request."""
    words = [word for name in _KEYS for word in request.headers.get(name, "").split()]
    return tuple(word for word in words if len(word) >= SHORTEST_KEY)


def _refusal(status: int, message: str) -> Response:
    body = shapes.as_json(shapes.failure(message, "invalid_request_error"))
    return Response(body, status, media_type="application/json")


def decoded(body: bytes, encoding: str) -> bytes | None:
    """A body without its encoding; None if it is another one, or its text is longer than the record takes."""
    named = [one.strip().lower() for one in encoding.split(",") if one.strip().lower() not in ("", "identity")]
    for one in reversed(named):
        if one not in _DECODED:
            return None
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            body = unpack.decompress(body, MOST_RECORDED + 1)
        except zlib.error:
            return None
    return body if len(body) <= MOST_RECORDED else None
