"""The home of a cluster over HTTP: a small service in the process that owns the store, for workers that have its token.

It listens on loopback unless an address is given. Every request is a POST of JSON to `/RUN/VERB`, with the token and the
worker's lease in its headers. The token is compared in constant time before a body is read, bodies are bounded, and a connection
that is silent is closed. It is plain HTTP: beyond one machine it belongs in a private network. Not here: what is done with a
request (`home_answers.py`).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import threading
from hmac import compare_digest
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from readers.engine.canonical import canonical
from readers.engine.errors import BadInput, BadOptions, Busy, Diverged, NotFound, ReadingError
from readers.engine.run.cluster.home_answers import Home
from readers.engine.run.cluster.home_client import LEASE, HomeAddress
from readers.engine.run.cluster.posted import MOST_BYTES
from readers.engine.store import Store

LOOPBACK = "127.0.0.1"
SILENT_SECONDS = 300

logger = logging.getLogger(__name__)


class HomeService:
    """The service, running from `with` to the end of its block. It has its own token, which is not stored."""

    def __init__(self, home: Home, *, path: Path | None = None, host: str = LOOPBACK, port: int = 0) -> None:
        """Raises BadOptions if it cannot listen there. Port 0 is any free one."""
        self.home = home
        self.token = secrets.token_urlsafe(32)
        self._path = path
        self._of_thread = threading.local()  # whose `store` it has opened
        try:
            self._socket = socket.create_server((host, port), backlog=128)
        except (OSError, OverflowError) as error:
            raise BadOptions(
                f"this machine cannot listen at {host}:{port}: {error}; give one of its own addresses, and a free port"
            ) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)  # else an answer's head waits for its body
        self.address = HomeAddress(host, self._socket.getsockname()[1], self.token)
        config = uvicorn.Config(
            self._serve, http=_HomeConnection, ws="none", interface="asgi3", lifespan="off", log_config=None, log_level="error",
            access_log=False, server_header=False, proxy_headers=False, timeout_keep_alive=SILENT_SECONDS,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> HomeService:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()
        self._socket.close()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An app of its own: two workers post so often that the layers of a framework would take a seventh of the home's time."""
        answer = await self._post(Request(scope, receive))
        await answer(scope, receive, send)

    async def _post(self, request: Request) -> Response:
        if request.method != "POST":
            return _refusal(405, "workers only post")
        shown = request.headers.get("Authorization", "").encode("utf-8", "replace")
        if not compare_digest(shown, f"Bearer {self.token}".encode()):
            return _refusal(401, "the token is missing or wrong")
        length = request.headers.get("Content-Length")
        if length is None or "Transfer-Encoding" in request.headers:
            return _refusal(411, "a post needs its length")
        if int(length) > MOST_BYTES:
            return _refusal(413, f"a post may have {MOST_BYTES:,} bytes")
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                body = await request.body()
        except (TimeoutError, ClientDisconnect):
            return _refusal(408, "the rest of this post did not come")
        path, lease = request.scope["path"].removeprefix("/"), request.headers.get(LEASE, "")
        return _reply(*await asyncio.to_thread(self._answer, path, lease, body))

    def _answer(self, path: str, lease: str, body: bytes) -> tuple[int, dict[str, Any]]:
        run, _, verb = path.partition("/")
        if verb not in self.home.verbs:
            return 404, {"error": "there is nothing here; workers and home must be of one version"}
        try:
            if not hasattr(self._of_thread, "store"):
                self._of_thread.store = Store(self._path)
            return 200, self.home.answer(self._of_thread.store, run, verb=verb, lease=lease, body=body)
        except ReadingError as error:
            return _status(error), {"error": str(error)}
        except Exception:
            logger.exception("a worker's post could not be recorded")
            return 500, {"error": "the home broke down on this post; its log says why"}


class _HomeConnection(H11Protocol):
    """A connection that is closed when nothing comes before the head of a request is whole; uvicorn closes those that are silent
    between two requests."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()

    def _await_head(self) -> None:
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)


def _reply(status: int, answer: dict[str, Any], **headers: str) -> Response:
    return Response(canonical(answer), status, headers=headers, media_type="application/json")


def _refusal(status: int, message: str) -> Response:
    """Refuse a request whose body was not read; the connection is closed."""
    return _reply(status, {"error": message}, Connection="close")


def _status(error: ReadingError) -> int:
    """The HTTP status of an error; 503 is worth another try."""
    if isinstance(error, (BadInput, Diverged)):
        return 400
    return 404 if isinstance(error, NotFound) else 409 if isinstance(error, Busy) else 503
