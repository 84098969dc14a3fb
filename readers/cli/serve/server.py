"""The HTTP server: OpenAI's chat completions on loopback, a reading for each request, a thread for each connection.

It listens on this machine alone, answers only who has its key, and no web page (`doorkeeper.py`). A reading runs in the thread of
its connection and asks, before every call and while it waits, whether its client is still there: when the client is gone, the
reading is cancelled. What is recorded stays in the store, and `resume` resumes it. At most `at_once` readings run; further
requests wait, up to `MAX_CONNECTIONS`. Who has not shown the key yet takes none of these places (`connection.Heads`). Not here:
what a request asks (`requests.py`, `layouts.py`), and reading (`answer.py`).
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from readers.cli.output import one_line
from readers.cli.serve import connection, shapes
from readers.cli.serve.answer import Begun, Terms, begin, read, reader_and_model
from readers.cli.serve.connection import BodyTooLong, Client, Heads, body_of, pass_over
from readers.cli.serve.doorkeeper import has_key, refused_origin
from readers.cli.serve.requests import BadRequest, read_request
from readers.cli.serve.shapes import Completed
from readers.engine.errors import BadInput, Cancelled, ModelFailed, NotFound, ReadingError
from readers.engine.store import Store
from readers.engine.text.phrases import counted

READING_HEADER = "X-Palimpsest-Reading"
MAX_CONNECTIONS = 64
_ALWAYS = {"Connection": "close", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
SECONDS_TO_SEND = 30.0  # that a client may pause while it sends its request


@dataclass
class Service:
    """What the threads of a server share."""

    terms: Terms
    key: str = field(repr=False)
    at_once: int = 1
    store: Path | None = None
    closing: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.places = threading.BoundedSemaphore(self.at_once)
        self.connections = threading.BoundedSemaphore(MAX_CONNECTIONS)


class Server(ThreadingHTTPServer):
    """The server of a `Service`, on a port of this machine; port 0 takes a free one."""

    daemon_threads = False  # `server_close` waits until the readings are settled
    request_queue_size = 128

    def __init__(self, service: Service, port: int) -> None:
        self.service = service
        self.heads = Heads()
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread for the connection."""
        self.heads.enter(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.heads.leave(request)

    def service_actions(self) -> None:
        """Between two looks for connections: close those whose head takes too long."""
        self.heads.close(older_than=connection.HEAD_SECONDS)

    def server_close(self) -> None:
        """Stop the readings, and wait until they are settled."""
        self.service.closing.set()
        self.heads.close()
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no news; anything else is printed."""
        if not isinstance(sys.exception(), OSError):
            traceback.print_exc()


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "Palimpsest", ""
    protocol_version = "HTTP/1.1"
    timeout = SECONDS_TO_SEND

    @property
    def service(self) -> Service:
        return cast(Server, self.server).service

    def do_GET(self) -> None:
        self._answer(self._models)

    def do_POST(self) -> None:
        self._answer(self._chat)

    def do_OPTIONS(self) -> None:
        self._answer(self._unknown)

    do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS

    def _answer(self, act: Any) -> None:
        """Refuse whom the server does not answer; others take a place."""
        self.close_connection = True
        headers = cast(Mapping[str, str], self.headers)
        if why := refused_origin(headers):
            self._refuse(403, why, code="origin_not_allowed")
        elif not has_key(headers, self.service.key):
            why = (
                "the key is missing or wrong: send `Authorization: Bearer KEY`, with the key that the server printed or was given"
            )
            self._refuse(401, why, code="invalid_api_key")
        else:
            cast(Server, self.server).heads.leave(self.connection)
            if self.service.connections.acquire(blocking=False):
                try:
                    self._act(act)
                finally:
                    self.service.connections.release()
            else:
                self._refuse(503, f"{counted(MAX_CONNECTIONS, 'request')} are waiting already: ask again later", code="busy")

    def _act(self, act: Any) -> None:
        """Do what is asked, and put every error into words."""
        try:
            act(urlsplit(self.path).path.rstrip("/"))
        except ReadingError as error:
            self._refuse_for(error)
            if isinstance(error, BodyTooLong):
                pass_over(self.rfile, error.length)
        except OSError:  # the client is gone
            raise
        except Exception:
            traceback.print_exc()
            self._refuse(500, "the server broke down; its terminal says where")

    def _unknown(self, path: str) -> None:
        self._refuse(404, f"there is nothing at {path[:200]!r}: this server has GET /v1/models and POST /v1/chat/completions")

    def _models(self, path: str) -> None:
        terms = self.service.terms
        if path == "/v1/models":
            self.send(200, shapes.model_list(shapes.model_ids(list(terms.readers), terms.models)))
        elif path.startswith("/v1/models/"):
            name = unquote(path.removeprefix("/v1/models/"))
            reader_and_model(terms, name)
            self.send(200, shapes.model(name))
        else:
            self._unknown(path)

    def _chat(self, path: str) -> None:
        if path != "/v1/chat/completions":
            self._unknown(path)
            return
        request = read_request(body_of(self.headers, self.rfile))
        client = Client(self.connection, self.wfile, self.service.closing)
        if not client.wait_for(self.service.places):
            return
        try:
            with Store(self.service.store) as store:
                begun = begin(store, self.service.terms, request)
                reply = _StreamedReply(self, client, request.usage_wanted) if request.stream else _WholeReply(self, client)
                _read(store, begun, reply)
        finally:
            self.service.places.release()

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the status line and the headers."""
        self.send_response(status)
        for name, value in {**_ALWAYS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def send(self, status: int, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None) -> None:
        """Send a whole reply."""
        data = shapes.as_json(body)
        self.begin(status, {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(data)

    def _refuse_for(self, error: ReadingError) -> None:
        """Send an error of ours: what was wrong with the request, or with this machine."""
        if isinstance(error, NotFound):
            self._refuse(404, str(error), code="model_not_found", field="model")
        elif isinstance(error, BodyTooLong):
            self._refuse(413, str(error), code="request_too_large")
        elif isinstance(error, BadInput):
            field = error.field if isinstance(error, BadRequest) else None
            self._refuse(400, str(error), code="invalid_request", field=field)
        else:
            self._refuse(500, str(error))

    def _refuse(self, status: int, message: str, *, code: str | None = None, field: str | None = None) -> None:
        own = {401: "authentication_error", 403: "permission_error"}
        kind = own.get(status, "invalid_request_error" if status < 500 else "server_error")
        self.send(status, shapes.failure(message, kind, code=code, field=field))

    def log_message(self, format: str, *words: Any) -> None:  # noqa: A002  (its base class calls it so)
        """Nothing: a line is printed for each reading."""


class _WholeReply:
    """A reply that is sent when the reading has ended."""

    def __init__(self, handler: _Handler, client: Client) -> None:
        self.client = client
        self._handler = handler

    def begin(self, named: Mapping[str, str]) -> None:
        self._named = named

    def complete(self, done: Completed) -> None:
        self._handler.send(200, shapes.completion(done), headers=self._named)

    def fail(self, body: Mapping[str, Any]) -> None:
        """Send that the reading failed. It has tried again already, and a client that asks anew would pay for another reading."""
        self._handler.send(502, body, headers={**self._named, "x-should-retry": "false"})


class _StreamedReply:
    """A reply that begins at once, and is kept alive until the reading has ended."""

    def __init__(self, handler: _Handler, client: Client, usage: bool) -> None:
        self.client = client
        self._handler = handler
        self._usage = usage

    def begin(self, named: Mapping[str, str]) -> None:
        self._handler.begin(200, {"Content-Type": "text/event-stream", **named})
        self.client.keep_alive = shapes.KEEP_ALIVE

    def complete(self, done: Completed) -> None:
        for chunk in shapes.chunks(done, with_usage=self._usage):
            self.client.send(chunk)

    def fail(self, body: Mapping[str, Any]) -> None:
        self.client.send(shapes.event(body))


def _read(store: Store, begun: Begun, reply: _WholeReply | _StreamedReply) -> None:
    """Read, send what came of it, and print a line about it."""
    began, told = time.monotonic(), "stopped, its client is gone"
    try:
        reply.begin({READING_HEADER: begun.run.id})
        done = read(store, begun, stopped=reply.client.is_gone)
        reply.complete(done)
        told = done.metadata["outcome"]
    except ModelFailed as error:
        told = f"failed: {error}"
        reply.fail({**shapes.failure(str(error), "server_error", code="reading_failed"), "metadata": begun.metadata})
    except (Cancelled, OSError):
        pass  # nobody is there to tell; the line says it
    finally:
        line = f"{begun.name}  reading {begun.run.id}  {told}"  # both may hold line feeds of a client or a model's server
        print(f"{one_line(line)}  {time.monotonic() - began:.1f} s", file=sys.stderr)
