"""The home of a cluster over HTTP: a small service in the process that owns the store, for workers that have its token.

It listens on loopback unless an address is given. Every request is a POST of JSON to `/RUN/VERB`, with the token and the
worker's lease in its headers. The token is compared in constant time before a body is read, bodies are bounded, and a connection
that is silent is closed. It is plain HTTP: beyond one machine it belongs in a private network. Not here: what is done with a
request (`home_answers.py`).
"""

from __future__ import annotations

import logging
import secrets
import threading
from dataclasses import dataclass, field
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from readers.engine.canonical import canonical
from readers.engine.errors import BadInput, BadOptions, Busy, Diverged, NotFound, ReadingError
from readers.engine.run.cluster.home_answers import Home
from readers.engine.run.cluster.posted import MOST_BYTES
from readers.engine.store import Store

LOOPBACK = "127.0.0.1"
LEASE = "Palimpsest-Lease"
SILENT_SECONDS = 300.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class HomeAddress:
    """Where workers find the home, and the token that lets them in."""

    host: str
    port: int
    token: str = field(repr=False)


class HomeService:
    """The service, running from `with` to the end of its block. It has a token of its own, which is stored nowhere."""

    def __init__(self, home: Home, *, path: Path | None = None, host: str = LOOPBACK, port: int = 0) -> None:
        """Raises BadOptions if it cannot listen there. Port 0 is any free one."""
        self.home = home
        self.token = secrets.token_urlsafe(32)
        try:
            self._server = _HomeServer((host, port), home, token=self.token, path=path)
        except (OSError, OverflowError) as error:
            raise BadOptions(
                f"this machine cannot listen at {host}:{port}: {error}; give one of its own addresses, and a free port"
            ) from None
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.address = HomeAddress(host, self._server.server_address[1], self.token)

    def __enter__(self) -> HomeService:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _HomeServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], home: Home, *, token: str, path: Path | None) -> None:
        self.home, self.path = home, path
        self.expected = f"Bearer {token}".encode()
        super().__init__(address, _HomeHandler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A worker that was killed closes its connection: no news."""


class _Refused(Exception):
    """A request that is refused before its body is read; the connection is closed."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _HomeHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Palimpsest", ""
    timeout = SILENT_SECONDS
    disable_nagle_algorithm = True
    wbufsize = -1
    store: Store | None = None
    server: _HomeServer

    def do_POST(self) -> None:
        try:
            body = self._body()
        except _Refused as refusal:
            self.close_connection = True
            self._send(refusal.status, {"error": str(refusal)})
            return
        self._send(*self._answer(body))

    def _body(self) -> bytes:
        if not compare_digest(self.headers.get("Authorization", "").encode("utf-8", "replace"), self.server.expected):
            raise _Refused(401, "the token is missing or wrong")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            raise _Refused(411, "a post needs its length")
        if len(length) > 12 or int(length) > MOST_BYTES:
            raise _Refused(413, f"a post may have {MOST_BYTES:,} bytes")
        return self.rfile.read(int(length))

    def _answer(self, body: bytes) -> tuple[int, dict[str, Any]]:
        _, _, words = self.path.partition("/")
        run, _, verb = words.partition("/")
        if verb not in self.server.home.verbs:
            return 404, {"error": "there is nothing here; workers and home must be of one version"}
        try:
            self.store = self.store or Store(self.server.path)
            return 200, self.server.home.answer(self.store, run, verb=verb, lease=self.headers.get(LEASE, ""), body=body)
        except ReadingError as error:
            return _status(error), {"error": str(error)}
        except Exception:
            logger.exception("a worker's post could not be recorded")
            return 500, {"error": "the home broke down on this post; its log says why"}

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        data = canonical(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def finish(self) -> None:
        if self.store:
            self.store.close()
        super().finish()

    def log_message(self, *_: Any) -> None:
        """Nothing: progress stands in the database."""


def _status(error: ReadingError) -> int:
    """The HTTP status of an error; 503 is worth another try."""
    if isinstance(error, (BadInput, Diverged)):
        return 400
    return 404 if isinstance(error, NotFound) else 409 if isinstance(error, Busy) else 503
