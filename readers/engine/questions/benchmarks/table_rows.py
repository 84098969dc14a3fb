"""The rows of a table in CSV one at a time, by the names in its first line. BadFile names the file and the line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from readers.engine.errors import BadFile
from readers.engine.ingest import MAX_BYTES
from readers.engine.questions.benchmarks.json_rows import Found

MOST_COLUMNS = 200
_STRANGE = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8


def table_rows(stream: BinaryIO, shown: str) -> Iterator[Found]:
    """The rows, each a string by column. A line of another length than the first is refused."""
    csv.field_size_limit(MAX_BYTES)
    with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as words:
        table = csv.reader(words, strict=True)
        names: list[str] = []
        line = 1
        try:
            for cells in table:
                where, line = f"line {line:,}", table.line_num + 1
                if _STRANGE.search("".join(cells)):
                    raise BadFile(f"{shown!r}, {where}: it is not in UTF-8; download the file again, or save it as UTF-8")
                if not names:
                    names = cells[:MOST_COLUMNS]
                elif cells and len(cells) != len(names):
                    raise BadFile(f"{shown!r}, {where}: it has {len(cells)} cells, and the first line {len(names)}")
                elif cells:
                    yield Found(where, dict(zip(names, cells, strict=True)))
        except csv.Error as error:
            raise BadFile(f"{shown!r}, line {line:,}: this is not CSV ({error})") from None
