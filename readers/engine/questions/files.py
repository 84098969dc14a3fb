"""The rows of a question file (JSON lines, CSV, or JSON), each with named fields. Bytes -> `FileRow`s, or BadFile.

The ending of the file name decides the format: `.jsonl` or `.ndjson` (one object per line), `.csv` or `.tsv` (a header, then one
question per row), `.json` (one object with "schema": "palimpsest.questions/1", or a list of objects). A row knows its place in
the file, for error messages; nothing is corrected or guessed. Not here: the meaning of the fields (`import_questions.py`).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from readers.engine.canonical import encodable
from readers.engine.errors import BadFile
from readers.engine.ingest import MAX_BYTES, guard
from readers.engine.text.shorten import shorten_middle

SCHEMA = "palimpsest.questions/1"
OF_SAMPLES = ("schema", "text", "about", "kind", "watched", "first")  # fields of a sample's file that no question has
ENDINGS = ("jsonl", "ndjson", "csv", "tsv", "json")
LIST_SIGN = "|"  # between several values in one cell of a CSV file
LISTS = ("choices", "options", "answer", "answers", "references", "evidence", "counter_evidence")
LONGEST_SHOWN = 60
MOST_VALUES = 3_000_000  # of one JSON text
_STRANGE = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8


@dataclass(frozen=True)
class FileRow:
    """The fields of a question, or of a text with several questions, and their place in the file, such as `line 3`."""

    file: str
    where: str
    fields: dict[str, Any]


class CellParts(list[str]):
    """The contents of a cell, split at |. `whole` is the unsplit cell: only the reader of the field knows whether | is a
    separator in it."""

    def __init__(self, whole: str) -> None:
        super().__init__(one.strip() for one in whole.split(LIST_SIGN) if one.strip())
        self.whole = whole


def is_questions(name: str) -> bool:
    """Whether a file with this name is read as questions rather than as a text."""
    return _ending(name) in ENDINGS


def rows(data: bytes, name: str) -> Iterator[FileRow]:
    """The rows of a file, in order, without blank lines. Raises BadFile, which names the file and the line."""
    shown, ending = shown_name(name), _ending(name)
    if ending not in ENDINGS:
        raise BadFile(f"{shown!r} is not a question file: its name must end in {', '.join('.' + one for one in ENDINGS)}")
    if len(data) > MAX_BYTES:
        raise BadFile(f"{shown!r} is over {MAX_BYTES // 1_000_000} MB, the maximum: split it into several files")
    text = _decoded(data, shown)
    if not text.strip():
        raise BadFile(f"{shown!r} is empty: it has no questions")
    if ending in ("csv", "tsv"):
        return _table(text, shown, "\t" if ending == "tsv" else "")
    return _whole(text, shown) if ending == "json" else _lines(text, shown)


def shown_name(name: str) -> str:
    """The last part of a file's path, as messages show it: one line of at most 60 characters."""
    words = " ".join(encodable(re.split(r"[/\\]", name)[-1]).split()) or "the file"
    return shorten_middle(words, LONGEST_SHOWN)


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower().strip()


def _decoded(data: bytes, shown: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(f"{shown!r}, line {line:,}: it is not in UTF-8; open the file in an editor and save it as UTF-8") from None


# --- JSON -------------------------------------------------------------------------------------------------------------------


def _lines(text: str, shown: str) -> Iterator[FileRow]:
    for number, line in enumerate(text.split("\n"), start=1):  # not at U+2028, which a string may contain
        if line.strip():
            yield _row(parsed_json(line, shown, f"line {number:,}"), shown, f"line {number:,}")


def _whole(text: str, shown: str) -> Iterator[FileRow]:
    """One object with all questions about a text, as in the samples, or a list of such objects or of questions."""
    found = parsed_json(text, shown, "")
    if isinstance(found, list):
        yield from (_row(one, shown, f"question {number:,}") for number, one in enumerate(found, start=1))
        return
    row = _row(found, shown, "the file")
    if row.fields.get("schema") != SCHEMA:
        raise BadFile(f'{shown!r}, field \'schema\': a single object must say "schema": "{SCHEMA}"; or write a list of questions')
    fields = {name: value for name, value in row.fields.items() if name not in OF_SAMPLES}
    yield FileRow(
        shown, "the file", {**fields, "file": row.fields.get("text")}
    )  # here `text` is the name of an accompanying file


def _row(found: Any, shown: str, where: str) -> FileRow:
    if not isinstance(found, dict):
        raise BadFile(f"{shown!r}, {where}: it is {_kind(found)}; a question is an object with named fields, in braces")
    return FileRow(shown, where, found)


def parsed_json(words: str, shown: str, where: str) -> Any:
    """The value of a JSON text at this place of a file. Raises BadFile; a repeated field and NaN are also refused."""
    place = f"{shown!r}, {where}" if where else f"{shown!r}"
    if len(words) > MOST_VALUES and guard.has_over(words.encode(), MOST_VALUES):
        raise BadFile(f"{place}: it has over {MOST_VALUES:,} values and names, more than any questions; split it")
    try:
        return json.loads(words, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        at = f"column {error.colno:,}" if where else f"line {error.lineno:,}, column {error.colno:,}"
        raise BadFile(f"{place}, {at}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise BadFile(f"{place}: it is nested too deep") from None
    except ValueError as error:  # a number with thousands of digits, or a duplicate field
        raise BadFile(f"{place}: it cannot be read ({str(error)[:120]})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {encodable(twice)[:40]!r} occurs twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _kind(value: Any) -> str:
    kinds = {str: "a string", list: "a list", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


# --- CSV --------------------------------------------------------------------------------------------------------------------


def _table(text: str, shown: str, delimiter: str) -> Iterator[FileRow]:
    head = text.lstrip().partition("\n")[0]
    delimiter = delimiter or (";" if ";" in head and "," not in head else ",")

    def header(cells: list[str], where: str) -> list[str]:
        names = [cell.strip().lower() for cell in cells]
        if "question" not in names or len(set(names)) < len(names) or not all(names):
            raise BadFile(f"{shown!r}, {where}: the first line names the fields, each once, and one of them is question")
        return names

    for where, cells in table_rows(io.StringIO(text, newline=""), shown, header=header, delimiter=delimiter):
        given = {name: cell for name, cell in cells.items() if cell.strip()}
        yield FileRow(shown, where, {name: _cell(name, cell, shown, where) for name, cell in given.items()})


def table_rows(
    lines: Iterable[str], shown: str, *, header: Callable[[list[str], str], list[str]], delimiter: str = ","
) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table in CSV, each with its place, by the names that `header` makes of the first one and its place. Raises
    BadFile, also for a row of another length, and for bytes that are not UTF-8 (read as surrogates)."""
    csv.field_size_limit(MAX_BYTES)  # a cell may hold a whole text
    table = csv.reader(lines, delimiter=delimiter, strict=True)
    names: list[str] = []
    line = 1
    try:
        for cells in table:
            where, line = f"line {line:,}", table.line_num + 1
            if _STRANGE.search("".join(cells)):
                raise BadFile(f"{shown!r}, {where}: it is not in UTF-8; download the file again, or save it as UTF-8")
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = header(cells, where)
            elif len(cells) != len(names):
                raise BadFile(f"{shown!r}, {where}: it has {len(cells)} cells, and the header has {len(names)}")
            else:
                yield where, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise BadFile(f"{shown!r}, line {line:,}: this is not CSV ({error})") from None


def _listed(words: str, shown: str, where: str) -> list[Any] | None:
    """A cell that is a JSON list; None if it only begins like one, such as "[sic] he said"."""
    try:
        found = parsed_json(words, shown, where) if words.startswith("[") else None
    except BadFile:
        return None
    return found if isinstance(found, list) else None


def _cell(name: str, cell: str, shown: str, where: str) -> Any:
    """The value of a cell: a list is JSON or separated by |; the number of a choice and true or false become JSON values."""
    words = cell.strip()
    if name in LISTS:
        listed = _listed(words, shown, where)
        return CellParts(words) if listed is None else listed
    if name == "gold" and words.isascii() and words.isdecimal() and len(words) < 4 and words == str(int(words)):
        return int(words)
    if name in ("answerable", "all_required"):
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(words.lower(), words)
    return cell if name == "text" else words
