"""One connection of the server: the body of its request, within bounds; and whether its client is still there."""

from __future__ import annotations

import socket
import threading
import time
from io import BufferedIOBase
from typing import Protocol

from readers.cli.serve.requests import BadRequest
from readers.engine.ingest import MAX_BYTES

MAX_BODY = MAX_BYTES + 2_000_000  # the largest text, and what is around it
KEEP_ALIVE_SECONDS = 5.0
_POLL_SECONDS = 0.1
_PIECE = 1 << 16


class Writable(Protocol):
    """Where the bytes for the client go."""

    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> None: ...


class BodyTooLong(BadRequest):
    """The body of a request is longer than any text that can be read."""


class Headers(Protocol):
    """The headers of a request; their names in any case."""

    def get(self, name: str, failobj: str, /) -> str: ...


def body_of(headers: Headers, sent: BufferedIOBase) -> bytes:
    """The body of a POST. Raises BadRequest, and BodyTooLong after as much of it was passed over as a client may still send."""
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    length = headers.get("Content-Length", "")
    if not length.isdecimal():
        raise BadRequest("the request has no Content-Length: send its body as a whole")
    if int(length) > MAX_BODY:
        left = min(int(length), 2 * MAX_BODY)  # a client reads no answer while it is still sending
        while left > 0 and (piece := sent.read(min(left, _PIECE))):
            left -= len(piece)
        raise BodyTooLong(f"the request has {int(length):,} bytes, and may have {MAX_BODY:,}: split the text into parts")
    data = sent.read(int(length))
    if kind != "application/json":
        raise BadRequest(f"the body must be `application/json`, not {kind[:100] or 'without a Content-Type'!r}")
    if len(data) < int(length):
        raise BadRequest("the body of the request is shorter than its Content-Length says")
    return data


class Client:
    """The client of a request. Once `keep_alive` is set, these bytes are sent every few seconds while it waits, so that neither
    end takes the other for dead."""

    def __init__(self, connection: socket.socket, out: Writable, closing: threading.Event) -> None:
        self.keep_alive = b""
        self._connection = connection
        self._out = out
        self._closing = closing
        self._sent = time.monotonic()

    def send(self, data: bytes) -> None:
        """Send bytes now. Raises OSError if the client is gone."""
        self._out.write(data)
        self._out.flush()
        self._sent = time.monotonic()

    def is_gone(self) -> bool:
        """Whether the client has closed its end, or the server is closing."""
        if self._closing.is_set() or self._has_closed():
            return True
        if self.keep_alive and time.monotonic() - self._sent > KEEP_ALIVE_SECONDS:
            try:
                self.send(self.keep_alive)
            except OSError:
                return True
        return False

    def wait_for(self, place: threading.Semaphore) -> bool:
        """Wait for a place; whether there is one before the client is gone."""
        while not place.acquire(timeout=_POLL_SECONDS):
            if self.is_gone():
                return False
        if self.is_gone():
            place.release()
            return False
        return True

    def _has_closed(self) -> bool:
        before = self._connection.gettimeout()
        try:
            self._connection.setblocking(False)
            return not self._connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:  # nothing to read, as it should be
            return False
        except OSError:
            return True
        finally:
            self._connection.settimeout(before)
