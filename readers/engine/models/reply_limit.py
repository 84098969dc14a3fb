"""How much a server may send for one request, held while it is read: nobody waits for an endless reply.

litellm reads a whole body, however long, and makes a client of httpx for each kind of provider. So the limit is set where all
requests pass, in httpx's ordinary transport, and counts the decoded bytes. Only the requests of a block are held to it, not a
download. This module loads httpx, so it is imported when it is needed. Not here: how long a reply may be that arrived
(`received.py`).
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache

import httpx

from readers.engine.errors import ModelFailed
from readers.engine.models.timeouts import timed_out

MOST_BYTES = 32_000_000  # 128 vectors of 8,192 numbers take 25 MB; the longest replies that a model can write take 2 MB
_PIECE = 1 << 16
_AS_IT_IS = ("", "identity")
_GZIP = 31  # zlib's number for gzip


class TooMuch(ModelFailed):
    """A server sent more than any reply can have. Not worth an automatic retry: it would send as much again."""


class Left(httpx.ReadError):
    """Reading was given up. litellm may replace it by its own error, so the limit object records what is wrong."""


@dataclass
class ReplyLimit:
    """What a server may send for each request of a block: `MOST_BYTES`, each within `seconds` of its first. `problem`: why a
    request was given up; empty if none was."""

    seconds: float
    most: int = field(default_factory=lambda: MOST_BYTES)
    problem: str = ""
    late: bool = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the requests of this block to the limit."""
        install()
        token = _LIMIT.set(self)
        try:
            yield
        finally:
            _LIMIT.reset(token)

    def failure(self, what: str) -> ModelFailed | None:
        """The failure of a call that was given up: `what` happened, and what to do. None if it was not."""
        if self.late:
            return timed_out(what, self.seconds)
        if not self.problem:
            return None
        return TooMuch(
            f"{what}: {self.problem}. It was not asked again, because it would do the same; check that a model's server is at "
            "this address, then resume"
        )

    def leave(self, problem: str) -> Left:
        self.problem = self.problem or problem
        return Left(problem)

    def leave_late(self) -> Left:
        self.late = True
        return Left("it takes too long")


_LIMIT: ContextVar[ReplyLimit | None] = ContextVar("limit of a reply", default=None)


@cache
def install() -> None:
    """Make httpx's ordinary transport obey the limit of the block that it is used in."""
    send = httpx.HTTPTransport.handle_request

    def handle_request(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        limit = _LIMIT.get()
        if limit is None:
            return send(self, request)
        request.headers["accept-encoding"] = "gzip"  # what can be decoded piece by piece
        return _bounded(send(self, request), limit)

    httpx.HTTPTransport.handle_request = handle_request  # type: ignore[method-assign]


def _bounded(answer: httpx.Response, limit: ReplyLimit) -> httpx.Response:
    """The answer with a body that ends in an error where it passes the limit; decoded, if it was compressed."""
    encoding = answer.headers.get("content-encoding", "").strip().lower()
    declared = answer.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > limit.most:
        answer.close()
        raise limit.leave(
            f"the server announced {int(declared) / 1e6:,.0f} MB for one reply, and {limit.most / 1e6:,.0f} are read"
        )
    if encoding not in (*_AS_IT_IS, "gzip"):
        answer.close()
        raise limit.leave(f"the server compressed its reply as {encoding[:20]!r}, which it was not asked for")
    assert isinstance(answer.stream, httpx.SyncByteStream)
    stream = _Stream(answer.stream, limit, compressed=encoding == "gzip")
    headers = httpx.Headers(answer.headers)
    if encoding == "gzip":
        for name in ("content-encoding", "content-length"):
            headers.pop(name, None)
    return httpx.Response(answer.status_code, headers=headers, stream=stream, extensions=answer.extensions)


class _Stream(httpx.SyncByteStream):
    """A body that is counted while it is read."""

    def __init__(self, inner: httpx.SyncByteStream, limit: ReplyLimit, *, compressed: bool) -> None:
        self.inner = inner
        self.limit = limit
        self.decoder = zlib.decompressobj(_GZIP) if compressed else None

    def __iter__(self) -> Iterator[bytes]:
        came, end = 0, time.monotonic() + self.limit.seconds
        for piece in self._pieces():
            came += len(piece)
            self._check(came)
            if time.monotonic() > end:
                raise self.limit.leave_late()
            yield piece

    def _check(self, came: int) -> None:
        if came > self.limit.most:
            raise self.limit.leave(f"the server sent more than {self.limit.most / 1e6:,.0f} MB for one reply")

    def _pieces(self) -> Iterator[bytes]:
        """The body, decoded in pieces; bytes after the end of a compressed body are not read."""
        came = 0
        for raw in self.inner:
            came += len(raw)
            self._check(came)  # for compressed bytes may decode to none
            if self.decoder is None:
                yield raw
            else:
                yield from _decoded(self.decoder, raw)
                if self.decoder.eof:
                    return

    def close(self) -> None:
        self.inner.close()


def _decoded(decoder: zlib._Decompress, raw: bytes) -> Iterator[bytes]:
    piece = bytes(_PIECE)
    try:
        while (raw or len(piece) == _PIECE) and not decoder.eof:
            piece = decoder.decompress(raw, _PIECE)
            raw = decoder.unconsumed_tail
            yield piece
    except zlib.error as error:
        raise httpx.DecodingError(str(error)) from None
