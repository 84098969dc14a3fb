"""The HTTP server: OpenAI's chat completions on loopback, a reading for each request.

It listens only on this machine, answers only clients that have its key, and never answers web pages: a page of another site could
send requests through a local user's browser. A reading runs on a thread and asks, before every call and while it waits, whether
its client is still there: when the client is gone, the reading is cancelled. The record stays in the store, and `resume` resumes
it. At most `at_once` readings run; further requests wait, up to `MAX_REQUESTS`. A client that has not shown the key yet takes
none of these places. Not here: what a request asks (`shapes.py`, `layouts.py`), and reading (`answer.py`).
"""

from __future__ import annotations

import asyncio
import hmac
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import h11
import uvicorn
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from readers.cli.output import one_line
from readers.cli.serve import shapes
from readers.cli.serve.answer import Begun, Terms, begin, read, reader_and_model
from readers.cli.serve.shapes import BadRequest, ChatRequest, Completed, read_request
from readers.engine.errors import BadInput, Cancelled, ModelFailed, NotFound, ReadingError
from readers.engine.ingest import MAX_BYTES
from readers.engine.store import Store
from readers.engine.text.phrases import counted

READING_HEADER = "X-Palimpsest-Reading"
HERE = ("127.0.0.1", "localhost", "[::1]")
MAX_REQUESTS = 64
MAX_BODY = MAX_BYTES + 2_000_000  # the largest text, and the JSON around it
MAX_HEADS = 256  # connections that have not shown the key yet
HEAD_SECONDS = 20.0  # for a whole head, however it arrives
SECONDS_TO_SEND = 30.0  # that a client may pause while it sends its request
KEEP_ALIVE_SECONDS = 5.0
_ALWAYS = [
    ("Server", "Palimpsest"),
    ("Connection", "close"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
]


class BodyTooLong(BadRequest):
    """The body of a request is longer than any text that can be read."""


@dataclass
class Service:
    """What the requests to a server share."""

    terms: Terms
    key: str = field(repr=False)
    at_once: int = 1
    store: Path | None = None

    def __post_init__(self) -> None:
        self.places = asyncio.Semaphore(self.at_once)
        self.threads = CapacityLimiter(self.at_once)
        self.requests = 0  # of clients with the key, being answered
        self.clients: set[asyncio.Future[None]] = set()  # each is done when its client is gone, or the server closes


class Server(uvicorn.Server):
    """The server of a `Service`, on a port of this machine; port 0 takes a free one. `run` serves until Ctrl+C, or until
    `should_exit` is set, and waits until the readings are settled. Raises OSError if it cannot have the port."""

    def __init__(self, service: Service, port: int) -> None:
        self.service = service
        self.heads: dict[
            tuple[str, int], _KeyedConnection
        ] = {}  # that have not shown the key yet, by their address, oldest first
        self._socket = socket.create_server(("127.0.0.1", port), backlog=128)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)  # else a reply's head waits for its body
        app = Starlette(
            routes=[
                Route("/v1/models", self._models),
                Route("/v1/models/{name:path}", self._model),
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
            ],
            exception_handlers={ReadingError: _refuse_for, HTTPException: _unknown, Exception: _broken},
            middleware=[Middleware(_Doorkeeper, server=self)],
        )
        connection = cast(Any, partial(_KeyedConnection, self.heads))
        config = uvicorn.Config(
            app,
            http=connection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            headers=_ALWAYS,
        )
        super().__init__(config)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        super().run(sockets or [self._socket])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the readings, and wait until they are settled."""
        for head in list(self.heads.values()):
            head.transport.close()
        for client in self.service.clients:
            _leave(client)
        await super().shutdown(sockets)

    async def _models(self, request: Request) -> Response:
        terms = self.service.terms
        return _reply(200, shapes.model_list(shapes.model_ids(list(terms.readers), terms.models)))

    async def _model(self, request: Request) -> Response:
        name = request.path_params["name"]
        reader_and_model(self.service.terms, name)
        return _reply(200, shapes.model(name))

    async def _chat(self, request: Request) -> Response:
        body = await _body_of(request)
        asked = await to_thread.run_sync(read_request, body)
        client = asyncio.get_running_loop().create_future()
        self.service.clients.add(client)
        watching = asyncio.create_task(_watch(request, client))
        began: asyncio.Future[Begun] = asyncio.get_running_loop().create_future()
        work = asyncio.create_task(_work(self.service, asked, client=client, began=began))

        def settled(_: object) -> None:
            watching.cancel()
            self.service.clients.discard(client)
            if not work.cancelled():
                work.exception()  # if a stream's client is gone, nothing else retrieves it, and asyncio would print it

        work.add_done_callback(settled)
        if asked.stream:
            await asyncio.wait([cast(Any, work), began], return_when=asyncio.FIRST_COMPLETED)
            if began.done():
                events = _events(work, with_usage=asked.usage_wanted)
                return StreamingResponse(events, headers={**_named(began.result()), "Content-Type": "text/event-stream"})
        try:
            done = await work
        except Cancelled:
            return _refusal(503, "the server is closing, and the reading was stopped", code="closing")
        if isinstance(done, Completed):
            return _reply(200, shapes.completion(done), headers=_named(began.result()))
        # It has tried again already, and a client that asks again would pay for another reading.
        return _reply(502, done, headers={**_named(began.result()), "x-should-retry": "false"})


class _KeyedConnection(H11Protocol):
    """A connection; its head has `HEAD_SECONDS`, however it arrives. Connections that have not shown the key take no place from
    those that have: one over the limit closes the oldest."""

    def __init__(self, heads: dict[tuple[str, int], _KeyedConnection], **how: Any) -> None:
        super().__init__(**how)
        self._heads = heads

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._due = self.loop.call_later(HEAD_SECONDS, self._close)
        if self.client:
            if len(self._heads) >= MAX_HEADS:
                next(iter(self._heads.values()))._close()
            self._heads[self.client] = self

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._due.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._due.cancel()
        self._forget()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse invalid HTTP, such as a length that is not a number, with an error in the usual shape."""
        why = f"the request breaks a rule of HTTP ({msg.strip('. ')}): send its length in digits, and headers of 64 KB at most"
        body = shapes.as_json(shapes.failure(why, "invalid_request_error", code="invalid_request"))
        head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
        for event in (h11.Response(status_code=400, headers=head), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _close(self) -> None:
        self._forget()
        self.transport.close()

    def _forget(self) -> None:
        if self.client:
            self._heads.pop(self.client, None)


class _Doorkeeper:
    """Refuses whom the server does not answer; others take a place."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        service = self._server.service
        headers = Request(scope).headers
        if why := refused_origin(headers):
            await _refusal(403, why, code="origin_not_allowed")(scope, receive, send)
        elif not has_key(headers, service.key):
            why = (
                "the key is missing or wrong: send `Authorization: Bearer KEY`, with the key that the server printed or was given"
            )
            await _refusal(401, why, code="invalid_api_key")(scope, receive, send)
        elif service.requests >= MAX_REQUESTS:
            why = f"{counted(MAX_REQUESTS, 'request')} are waiting already: ask again later"
            await _refusal(503, why, code="busy")(scope, receive, send)
        else:
            self._server.heads.pop(scope["client"], None)
            service.requests += 1
            try:
                await self._app({**scope, "path": scope["path"].rstrip("/")}, receive, send)
            finally:
                service.requests -= 1


def refused_origin(headers: Mapping[str, str]) -> str | None:
    """Why a request that may come from a web page is refused: it has an `Origin`, or a `Host` that is not this machine (a name
    that was made to lead here). None for any other. No header ever allows a page to read a reply."""
    host = headers.get("Host", "")
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    if name.lower() not in HERE:
        return f"this server answers only to {' and '.join(HERE[:2])}, not to {host[:100]!r}: use the address that it printed"
    if "Origin" in headers or headers.get("Sec-Fetch-Site", "none") != "none":
        return "this server answers no web pages: call it from a program"
    return None


def has_key(headers: Mapping[str, str], key: str) -> bool:
    """Whether a request carries the key, as `Authorization: Bearer KEY`. Takes as long for a wrong key as for the right one."""
    scheme, _, given = headers.get("Authorization", "").partition(" ")
    digests = (sha256(words.encode("utf-8", "replace")).digest() for words in (given.strip(), key))
    return hmac.compare_digest(*digests) and scheme.lower() == "bearer"


async def _body_of(request: Request) -> bytes:
    """The body of a POST. Raises BadRequest, and BodyTooLong before any of it is read."""
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if (given := request.headers.get("Content-Length")) is None:
        raise BadRequest("the request has no Content-Length in digits: send its body as a whole")
    if int(given) > MAX_BODY:
        raise BodyTooLong(f"the request has more bytes than the {MAX_BODY:,} it may have: split the text into parts")
    body = bytearray()
    now = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(SECONDS_TO_SEND) as pause:
            async for piece in request.stream():
                body += piece
                pause.reschedule(now() + SECONDS_TO_SEND)
    except (TimeoutError, ClientDisconnect):
        raise BadRequest("the body of the request is shorter than its Content-Length says") from None
    if kind != "application/json":
        raise BadRequest(f"the body must be `application/json`, not {kind[:100] or 'without a Content-Type'!r}")
    return bytes(body)


async def _watch(request: Request, client: asyncio.Future[None]) -> None:
    """Wait until the client of a request whose body has arrived is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    _leave(client)


def _leave(client: asyncio.Future[None]) -> None:
    if not client.done():
        client.set_result(None)


async def _work(
    service: Service, asked: ChatRequest, *, client: asyncio.Future[None], began: asyncio.Future[Begun]
) -> Completed | dict[str, Any]:
    """Wait for a place and read: returns the result, or an error's body. Raises Cancelled if the client is gone before, and
    BadInput or NotFound for what cannot be read."""
    place = asyncio.create_task(service.places.acquire())
    await asyncio.wait([cast(Any, place), client], return_when=asyncio.FIRST_COMPLETED)
    if not place.done():
        place.cancel()
        raise Cancelled
    gone = threading.Event()
    client.add_done_callback(lambda _: gone.set())
    loop = asyncio.get_running_loop()

    def told(begun: Begun) -> None:
        loop.call_soon_threadsafe(began.set_result, begun)

    try:
        if client.done():
            raise Cancelled
        return await to_thread.run_sync(_read, service, asked, told, gone.is_set, limiter=service.threads)
    finally:
        service.places.release()


def _read(
    service: Service, asked: ChatRequest, told: Callable[[Begun], None], stopped: Callable[[], bool]
) -> Completed | dict[str, Any]:
    """Read, and print a line about it. Raises what `begin` does, and Cancelled."""
    with Store(service.store) as store:
        begun = begin(store, service.terms, asked)
        told(begun)
        started, outcome = time.monotonic(), "stopped, its client is gone"
        try:
            done = read(store, begun, stopped=stopped)
            outcome = done.metadata["outcome"]
            return done
        except ModelFailed as error:
            outcome = f"failed: {error}"
            return {**shapes.failure(str(error), "server_error", code="reading_failed"), "metadata": begun.metadata}
        finally:
            line = f"{begun.name}  reading {begun.run.id}  {outcome}"  # both may hold line feeds of a client or a model's server
            print(f"{one_line(line)}  {time.monotonic() - started:.1f} s", file=sys.stderr)


async def _events(work: asyncio.Task[Completed | dict[str, Any]], *, with_usage: bool) -> AsyncIterator[bytes]:
    """The events of a streamed reply. Until the reading has ended, a comment every few seconds, so that neither end thinks the
    other is dead."""
    while not (await asyncio.wait({work}, timeout=KEEP_ALIVE_SECONDS))[0]:
        yield shapes.KEEP_ALIVE
    with suppress(Cancelled):  # the client is gone
        done = work.result()
        for event in shapes.chunks(done, with_usage=with_usage) if isinstance(done, Completed) else [shapes.event(done)]:
            yield event


def _named(begun: Begun) -> dict[str, str]:
    return {READING_HEADER: begun.run.id}


def _reply(status: int, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None) -> Response:
    return Response(shapes.as_json(body), status, headers, "application/json")


def _refusal(status: int, message: str, *, code: str | None = None, field: str | None = None) -> Response:
    own = {401: "authentication_error", 403: "permission_error"}
    kind = own.get(status, "invalid_request_error" if status < 500 else "server_error")
    return _reply(status, shapes.failure(message, kind, code=code, field=field))


async def _refuse_for(request: Request, error: Exception) -> Response:
    """Our own error: the fault in the request, or on this machine."""
    if isinstance(error, NotFound):
        return _refusal(404, str(error), code="model_not_found", field="model")
    if isinstance(error, BodyTooLong):
        return _WhileSending(_refusal(413, str(error), code="request_too_large"))
    if isinstance(error, BadInput):
        field = error.field if isinstance(error, BadRequest) else None
        return _refusal(400, str(error), code="invalid_request", field=field)
    return _refusal(500, str(error))


async def _unknown(request: Request, error: Exception) -> Response:
    path = request.url.path[:200]
    return _refusal(404, f"there is nothing at {path!r}: this server has GET /v1/models and POST /v1/chat/completions")


async def _broken(request: Request, error: Exception) -> Response:
    return _refusal(500, "the server broke down; its terminal says where")


class _WhileSending(Response):
    """A reply to a client that is still sending a body that is too long. Many clients read no answer before they have sent
    everything, and lose it if the connection is closed meanwhile: so the rest is read and ignored, up to twice the limit."""

    def __init__(self, reply: Response) -> None:
        super().__init__(reply.body, reply.status_code, media_type="application/json")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        left = 2 * MAX_BODY
        while left > 0 and (message := await receive()).get("more_body"):
            left -= len(message["body"])
        await send({"type": "http.response.body", "body": b""})
