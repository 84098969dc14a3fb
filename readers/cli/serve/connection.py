"""One connection of the server: how long the head of its request may take, its body, within bounds, and whether its client is
still there."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from io import BufferedIOBase
from typing import Protocol

from readers.cli.serve.requests import BadRequest
from readers.engine.ingest import MAX_BYTES

MAX_BODY = MAX_BYTES + 2_000_000  # the largest text, and what is around it
MAX_HEADS = 256  # connections that have not shown the key yet
HEAD_SECONDS = 20.0  # for a whole head, however it comes
KEEP_ALIVE_SECONDS = 5.0
_POLL_SECONDS = 0.1
_PIECE = 1 << 16


class Writable(Protocol):
    """Where the bytes for the client go."""

    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> None: ...


class BodyTooLong(BadRequest):
    """The body of a request is longer than any text that can be read."""

    def __init__(self, message: str, length: int) -> None:
        super().__init__(message)
        self.length = length


class Heads:
    """Connections that have not shown the key yet. They take no place of those that have: one too many closes the oldest, and
    none has more than `HEAD_SECONDS`."""

    def __init__(self) -> None:
        self._began: dict[socket.socket, float] = {}  # oldest first
        self._lock = threading.Lock()

    def enter(self, connection: socket.socket) -> None:
        """Count a connection, and close the oldest of too many."""
        with self._lock:
            if len(self._began) >= MAX_HEADS:
                self._close(next(iter(self._began)))
            self._began[connection] = time.monotonic()

    def leave(self, connection: socket.socket) -> None:
        """Count a connection no longer, if it still was."""
        with self._lock:
            self._began.pop(connection, None)

    def close(self, older_than: float = 0.0) -> None:
        """Close the connections that were counted this many seconds ago."""
        with self._lock:
            due = time.monotonic() - older_than
            for connection in [one for one, began in self._began.items() if began <= due]:
                self._close(connection)

    def _close(self, connection: socket.socket) -> None:
        """End what its thread waits for; the thread closes it."""
        del self._began[connection]
        with suppress(OSError):  # its client has closed it
            connection.shutdown(socket.SHUT_RDWR)


class Headers(Protocol):
    """The headers of a request; their names in any case."""

    def get(self, name: str, failobj: str, /) -> str: ...


def body_of(headers: Headers, sent: BufferedIOBase) -> bytes:
    """The body of a POST. Raises BadRequest, and BodyTooLong before any of it is read."""
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    given = headers.get("Content-Length", "")
    if not (given.isascii() and given.isdecimal()):
        raise BadRequest("the request has no Content-Length in figures: send its body as a whole")
    length = int(given.lstrip("0")[:20] or "0")  # 20 figures are too many bytes; Python refuses to read over 4,300
    if length > MAX_BODY:
        raise BodyTooLong(f"the request has more bytes than the {MAX_BODY:,} it may have: split the text into parts", length)
    data = sent.read(length)
    if kind != "application/json":
        raise BadRequest(f"the body must be `application/json`, not {kind[:100] or 'without a Content-Type'!r}")
    if len(data) < length:
        raise BadRequest("the body of the request is shorter than its Content-Length says")
    return data


def pass_over(sent: BufferedIOBase, length: int) -> None:
    """Read on where a body is too long: many clients read no answer while they are still sending, and lose it if the connection
    is closed under them."""
    left = min(length, 2 * MAX_BODY)
    while left > 0 and (piece := sent.read1(min(left, _PIECE))):
        left -= len(piece)


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
