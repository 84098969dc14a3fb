"""Parse untrusted files within bounds: seconds of the processor, depth, values in JSON, and one kind of error.

For any input, a parser returns an `Extracted` or raises BadFile; no file is written and no address is fetched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from readers.engine.errors import BadFile
from readers.engine.text.document import PrintedPage

MAX_SECONDS = 20.0
MAX_DEPTH = 2_000  # nested tags

_CHUNK = 16_384


@dataclass(frozen=True)
class Extracted:
    """The text of a file, its own title if it has one, notes for the user, and where its pages begin, if it has pages."""

    text: str
    title: str = ""
    notes: tuple[str, ...] = ()
    pages: tuple[PrintedPage, ...] = ()


@dataclass(frozen=True)
class Kind:
    """A kind of file: the `endings` of its names, and what extracts its text from its bytes and the name for messages. One
    without a `parser` is read quickly and cannot break the program that reads it."""

    endings: tuple[str, ...]
    extract: Callable[[bytes, str], Extracted]
    parser: bool = True


class OutOfTime(BaseException):
    """A file has used up its time. A BaseException, because parsers swallow any Exception; `guarded` catches it."""


class Clock:
    """Limits the processor's time of a parser, on its thread: `check` raises `OutOfTime` once it is over."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = MAX_SECONDS if seconds is None else seconds
        self._end = time.thread_time() + self._seconds

    def check(self, *_: object) -> None:
        if time.thread_time() > self._end:
            raise OutOfTime(f"takes over {self._seconds:.0f} seconds of processor time to read")


@contextmanager
def guarded(name: str, broken: str) -> Iterator[None]:
    """Run a parser in this context: any exception becomes a BadFile with the message `broken`."""
    try:
        yield
    except OutOfTime as error:
        raise BadFile(f"{name!r} {error}. Split it, or save its text as .txt.") from error
    except (BadFile, MemoryError):  # over the memory, a file need not be damaged
        raise
    except Exception as error:  # Parsers raise any error on damaged files, none of it documented.
        raise BadFile(f"{name!r} {broken}") from error


class Parser(Protocol):
    """A parser that is fed piece by piece, as lxml's are."""

    def feed(self, data: bytes, /) -> None: ...

    def close(self) -> object: ...


def feed(parser: Parser, data: bytes, clock: Clock) -> None:
    """Feed `data` to a parser in chunks, and check the clock before each."""
    for start in range(0, len(data), _CHUNK):
        clock.check()
        parser.feed(data[start : start + _CHUNK])
    parser.close()


# The number of values and names in a JSON text, counted in its bytes before any of them is built: each takes about a hundred
# bytes of memory once built, although three bytes in a file (`[],`) and almost none in a zip are enough to write it.
_PIECE = 1 << 20
_STRUCTURE = (b",", b":", b"[", b"{")


def has_over(data: bytes, most: int) -> bool:
    """Whether a JSON text has more than `most` values and names; a string counts as one, no matter what is in it."""
    if sum(map(data.count, _STRUCTURE)) < most:  # marks in strings are counted as well, so the true number cannot be higher
        return False
    found, start, outside = 1, 0, True
    while start < len(data):
        end = _end_of_piece(data, start)
        # A pair of backslashes is one backslash, and a quotation mark after a single one belongs to its string.
        parts = data[start:end].replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
        marks = b"".join(parts[not outside :: 2])
        found += sum(map(marks.count, _STRUCTURE))
        if found > most:
            return True
        outside ^= len(parts) % 2 == 0
        start = end
    return False


def _end_of_piece(data: bytes, start: int) -> int:
    """The end of the piece that begins here: not between a backslash and the character it escapes."""
    end = min(start + _PIECE, len(data))
    while end < len(data) and data[end - 1] == 0x5C:
        end += 1
    return end
