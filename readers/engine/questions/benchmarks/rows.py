"""The rows of a benchmark's file one at a time, each with its place: objects of JSON, or lines of a table in CSV.

JSON may be one list, lines, or a single object, laid out over lines or not. It needs the memory of one object and one piece of
the file, however long the file is. An object is measured (its bytes, its values) before anything is built of it, so that deep or
huge JSON is refused. BadFile names the file and the line, or the row of a list. Not here: what the rows mean.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from readers.engine.errors import BadFile
from readers.engine.ingest import guard
from readers.engine.questions.files import parsed_json, table_rows

MOST_BYTES, MOST_VALUES = 100_000_000, 1_000_000  # of one object
MOST_COLUMNS = 200
_PIECE = 1 << 20
# A whole string, a bracket, or a quotation mark whose string goes on in the next piece.
_MARK = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}"]', re.DOTALL)
_BLANK = re.compile(rb"[ \t\r\n]*+")
_BOM = b"\xef\xbb\xbf"


Row = tuple[str, dict[str, Any]]  # its place, `line 3` or `row 3` of a list, and its fields


def json_rows(stream: BinaryIO, shown: str) -> Iterator[Row]:
    """The objects of a file. `shown` is its name in messages."""
    reader = _JsonReader(stream, shown)
    listed = reader.begins_a_list()
    number = 0
    while reader.next_is_object(number, listed=listed):
        number += 1
        where = f"row {number:,}" if listed else f"line {reader.line:,}"
        raw = reader.value(where)
        yield where, _object(raw, shown, where)


def _object(raw: bytes, shown: str, where: str) -> dict[str, Any]:
    if guard.has_over(raw, MOST_VALUES):
        raise BadFile(f"{shown!r}, {where}: it has over {MOST_VALUES:,} values, more than any question; split it")
    try:
        words = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BadFile(f"{shown!r}, {where}: it is not in UTF-8; download the file again, or save it as UTF-8") from None
    fields = parsed_json(words, shown, where)
    assert isinstance(fields, dict), "it begins with a brace"
    return fields


class _JsonReader:
    """The bytes of the file from the next value on, and the line on which they begin."""

    def __init__(self, stream: BinaryIO, shown: str) -> None:
        self.line = 1
        self._stream, self._shown = stream, shown
        self._data, self._at, self._ended = b"", 0, False
        while len(self._data) < len(_BOM) and self._more():
            pass
        if self._data.startswith(_BOM):
            self._at = len(_BOM)

    def begins_a_list(self) -> bool:
        self._skip_blanks()
        if self._data[self._at : self._at + 2] in (b"\xff\xfe", b"\xfe\xff"):
            raise BadFile(f"{self._shown!r}, line 1: it is not in UTF-8; save it as UTF-8")
        listed = self._data[self._at : self._at + 1] == b"["
        self._at += listed
        return listed

    def next_is_object(self, number: int, *, listed: bool) -> bool:
        """Go to the next object; False at the end of the file. `number` counts the objects before it."""
        self._skip_blanks()
        mark = self._mark()
        if listed and number and mark == b",":
            self._at += 1
            self._skip_blanks()
            mark = self._mark()
        elif listed and mark == b"]":
            self._at += 1
            self._skip_blanks()
            if self._mark():
                raise BadFile(f"{self._shown!r}, line {self.line:,}: something follows the end of its list")
            return False
        elif listed and number and mark:
            raise BadFile(f"{self._shown!r}, line {self.line:,}, after row {number:,}: this is not JSON (a comma is missing)")
        if not mark and not listed:
            return False
        if mark != b"{":
            where = f"row {number + 1:,}" if listed else f"line {self.line:,}"
            raise self._cut_short(where) if not mark else BadFile(f"{self._shown!r}, {where}: it is not an object in braces")
        return True

    def value(self, where: str) -> bytes:
        """The bytes of the object that begins here, and go past it. `where` is its place in messages."""
        seen, depth = self._at, 0
        while True:
            for found in _MARK.finditer(self._data, seen):
                mark = self._data[found.start() : found.start() + 1]
                if mark == b'"' and found.end() - found.start() == 1:
                    seen = found.start()
                    break
                seen = found.end()
                depth += (mark in b"[{") - (mark in b"]}")
                if depth == 0:
                    return self._taken(seen)
            else:
                seen = max(seen, len(self._data))
            if len(self._data) - self._at > MOST_BYTES:
                raise BadFile(f"{self._shown!r}, {where}: it has over {MOST_BYTES // 1_000_000} MB; split it")
            seen -= self._at
            if not self._more():
                raise self._cut_short(where)
            seen += self._at

    def _taken(self, end: int) -> bytes:
        raw = self._data[self._at : end]
        self.line += raw.count(b"\n")
        self._at = end
        return raw

    def _mark(self) -> bytes:
        return self._data[self._at : self._at + 1]

    def _skip_blanks(self) -> None:
        while True:
            found = _BLANK.match(self._data, self._at)
            assert found is not None
            self.line += found[0].count(b"\n")
            self._at = found.end()
            if self._at < len(self._data) or not self._more():
                return

    def _more(self) -> bool:
        """Read as much again as is unread, at least one piece; False at the end of the file."""
        left = self._data[self._at :]
        piece = self._stream.read(max(_PIECE, len(left))) if not self._ended else b""
        self._ended = self._ended or not piece
        self._data, self._at = left + piece, 0
        return bool(piece)

    def _cut_short(self, where: str) -> BadFile:
        return BadFile(f"{self._shown!r}, {where}: the file ends in the middle of it; it is incomplete: download it again")


def csv_rows(stream: BinaryIO, shown: str) -> Iterator[Row]:
    """The lines of a table, each a string by the column that the first line names."""
    with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as words:
        yield from table_rows(words, shown, header=lambda cells, _: cells[:MOST_COLUMNS])
