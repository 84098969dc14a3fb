"""Read a label file (JSON lines or CSV) that this program exported. Bytes -> `LabelFile`, or BadFile.

Nothing in a file is trusted: each label and turn is checked. The store is not touched. Not here: adding them to a project
(`import_labels.py`).
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any

import orjson

from readers.engine.errors import BadFile, BadInput
from readers.engine.files.labels.export_labels import ENDINGS, SCHEMA, YES
from readers.engine.labels.check_label import checked
from readers.engine.labels.label import CODES, NOTES, Label, Turn
from readers.engine.report.files import unescaped_cell

MAX_BYTES, MOST_LINES = 100_000_000, 500_000
_NEEDED = ("schema", "project", "run", "annotator", "label", "kind", "target", "value", "codebook", "at")


@dataclass(frozen=True)
class LabelFile:
    """The contents of a label file, each part valid on its own but not checked against a project. `contents` are the content ids
    of its readings by their short ids, if it has them. Versions of the codebook and decisions are only counted, because they are
    not imported."""

    labels: tuple[Label, ...] = ()
    turns: tuple[Turn, ...] = ()
    codebooks: int = 0
    decisions: int = 0
    contents: Mapping[str, str] = field(default_factory=dict)


def read_label_file(name: str, data: bytes) -> LabelFile:
    """Read a label file: JSON lines or CSV, by the ending of its name. Raises BadFile, which names the line and the problem; a
    file is read completely or not at all."""
    ending = name.rpartition(".")[2].lower()
    if ending not in ENDINGS:
        raise BadFile(f"labels are read from {' or '.join(f'.{one}' for one in ENDINGS)} files, not from {name[:80]!r}")
    if len(data) > MAX_BYTES:
        raise BadFile(
            f"a file of labels has up to {MAX_BYTES // 1_000_000} MB, and {name[:80]!r} has {len(data) // 1_000_000} MB"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"{name[:80]!r} is not UTF-8 from byte {error.start} on; export it again as UTF-8") from None
    contents: dict[str, str] = {}
    parts = (_from_jsonl if ending == "jsonl" else _from_csv)(text, name, contents)
    found = list(parts)
    others = Counter(one for _, one in found if isinstance(one, str))
    labels = tuple(one for _, one in found if isinstance(one, Label))
    seen: dict[tuple[str, ...], int] = {}
    for line, one in found:
        if isinstance(one, str):
            continue
        key = (one.id or f"{one.run} {one.annotator} {one.target}",) if isinstance(one, Label) else _turn_key(one)
        if key in seen:
            raise BadFile(f"{name[:80]!r}, line {line}: the same label or turn is in line {seen[key]}; keep one of them")
        seen[key] = line
    turns = tuple(one for _, one in found if isinstance(one, Turn))
    return LabelFile(labels, turns, others["codebook"], others["decision"], contents)


def _from_jsonl(text: str, name: str, contents: dict[str, str]) -> Iterator[tuple[int, Label | Turn | str]]:
    """The labels and turns, and the names of other parts, which are not imported, each with its line. Adds content ids to
    `contents`."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise BadFile(f"{name[:80]!r} has more than {MOST_LINES:,} lines; import it in parts")
    head = _object(lines[0], f"{name[:80]!r}, line 1")
    if head.get("schema") != SCHEMA:
        raise BadFile(f"{name[:80]!r} is not a label file: its first line says {head.get('schema')!r:.40}, not {SCHEMA!r}")
    book = head.get("codebook")
    versions = book.get("versions") if isinstance(book, Mapping) else None
    yield from ((1, "codebook") for _ in (versions if isinstance(versions, list) else ()))
    for number, line in enumerate(lines[1:], 2):
        where = f"{name[:80]!r}, line {number}"
        if not line.strip():
            continue
        data = _object(line, where)
        what = data.pop("what", None)
        if what == "label":
            yield number, _parsed(where, _label, data)
        elif what == "turn":
            yield number, _parsed(where, _turn, data)
        elif what in ("reading", "decision"):
            contents |= _content_of(data.get("id"), data.get("content_id")) if what == "reading" else {}
            yield number, what
        else:
            raise BadFile(f"{where}: there is no {what!r:.40}; a line is a reading, label, turn or decision")


def _content_of(run: Any, content: Any) -> dict[str, str]:
    return {run: content} if isinstance(run, str) and isinstance(content, str) and content else {}


def _from_csv(text: str, name: str, contents: dict[str, str]) -> Iterator[tuple[int, Label | Turn]]:
    turns: dict[tuple[str, ...], tuple[int, Turn]] = {}
    csv.field_size_limit(MAX_BYTES)  # a correction may contain a whole text
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(rows, [])
        if missing := [column for column in _NEEDED if column not in header]:
            raise BadFile(f"{name[:80]!r} is not a label file: it lacks the column {missing[0]!r}")
        for row in rows:
            where = f"{name[:80]!r}, line {rows.line_num}"
            if len(row) != len(header):
                raise BadFile(f"{where}: there are {len(row)} cells, and the header has {len(header)}")
            if rows.line_num > MOST_LINES * 20:
                raise BadFile(f"{name[:80]!r} has too many lines; import it in parts")
            cells = {column: unescaped_cell(cell) for column, cell in zip(header, row, strict=True)}
            label = _parsed(where, _label_of_row, cells)
            contents |= _content_of(cells["run"], cells.get("content_id"))
            yield rows.line_num, label
            if cells.get("turn") and isinstance(label, Label):
                _merge_turn(turns, rows.line_num, _parsed(where, _turn_of_row, {**cells, "at": label.at}), where)
        yield from turns.values()
    except csv.Error as error:
        raise BadFile(f"{name[:80]!r}, line {rows.line_num}: this is not CSV: {error}") from None


def _label_of_row(cells: Mapping[str, Any]) -> Label:
    if cells["schema"] != SCHEMA:
        raise BadFile(f"the schema is {cells['schema'][:40]!r}, not {SCHEMA!r}")
    data: dict[str, Any] = {name: cells[name] for name in ("project", "run", "annotator", "kind", "at")}
    if not cells["codebook"].isdecimal():
        raise BadFile(f"the codebook is the number of a version, not {cells['codebook'][:40]!r}")
    data |= {"id": cells["label"], "codebook": int(cells["codebook"][:10])}
    return _label(data | {name: _object(cells[name], name) for name in ("target", "value")})


def _turn_of_row(cells: Mapping[str, Any]) -> Turn:
    """The turn in which a label was made, as its row describes it."""
    stage, again = str(cells.get("stage", "")), cells.get("again", "")
    if stage not in ("1", "2", "3"):
        raise BadFile(f"a turn has its stage in the column 'stage', 1 to 3, not {stage[:40]!r}")
    if again not in ("", YES):
        raise BadFile(f"the column 'again' has {YES!r} or nothing, not {again[:40]!r}")
    data = {name: cells[name] for name in ("project", "run", "annotator")}
    closed = "" if cells["turn"] == "open" else cells["at"]
    more = {"standing": cells["turn"], "reason": "", "opened": cells["at"], "closed": closed, "ms": 0, "again": again == YES}
    return _turn({**data, "stage": int(stage), **more})


def _merge_turn(turns: dict[tuple[str, ...], tuple[int, Turn]], line: int, turn: Label | Turn, where: str) -> None:
    """Merge the rows of a turn into one, from the earliest to the latest time."""
    if not isinstance(turn, Turn):
        return
    key = (turn.run, turn.annotator)
    first, there = turns.setdefault(key, (line, turn))
    if (there.stage, there.standing, there.again) != (turn.stage, turn.standing, turn.again):
        raise BadFile(f"{where}: this turn differs from the one in line {first}, for the same reading and annotator")
    turns[key] = first, there._replace(opened=min(there.opened, turn.opened), closed=max(there.closed, turn.closed))


def _label(data: Mapping[str, Any]) -> Label:
    known = {one.name for one in fields(Label)}
    if missing := known - {"revision", "removed"} - set(data):
        raise BadFile(f"the label lacks {sorted(missing)[0]!r}")
    if data.get("removed"):
        raise BadFile("a removed label is not imported; leave it out")
    for name in ("id", "project", "run", "annotator", "kind", "at"):
        if not isinstance(data[name], str) or len(data[name]) > 200:
            raise BadFile(f"{name!r} of a label is a short text")
    label = Label(**{name: data[name] for name in known & set(data) - {"revision", "removed"}})
    return checked(replace(label, at=_time(label.at)))


def _turn(data: Mapping[str, Any]) -> Turn:
    if missing := set(Turn._fields) - set(data):
        raise BadFile(f"the turn lacks {sorted(missing)[0]!r}")
    turn = Turn(**{name: data[name] for name in Turn._fields})
    texts = (turn.project, turn.run, turn.annotator, turn.reason)
    if not all(isinstance(one, str) and len(one) <= 1_000 for one in texts):
        raise BadFile("project, run, annotator and reason of a turn are short texts")
    if not isinstance(turn.again, bool):
        raise BadFile(f"whether a turn was opened again is true or false, not {str(turn.again)[:40]!r}")
    if turn.standing not in ("open", "done", "skipped"):
        raise BadFile(f"a turn is open, done or skipped, not {str(turn.standing)[:40]!r}")
    for value, least, most in ((turn.stage, NOTES, CODES), (turn.ms, 0, 10**10)):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadFile(f"the stage of a turn is 1 to 3, and its ms are a whole number, not {str(value)[:40]!r}")
    closed = _time(turn.closed) if turn.closed else ""
    return turn._replace(opened=_time(turn.opened), closed=closed)


def _turn_key(turn: Turn) -> tuple[str, ...]:
    return ("turn", turn.run, turn.annotator, str(turn.stage))


def _time(given: Any) -> str:
    """A time as it is stored. Raises BadFile for anything else."""
    try:
        moment = datetime.fromisoformat(str(given)[:40])
        return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment.tzinfo else _no_time(given)
    except (ValueError, OverflowError):
        return _no_time(given)


def _no_time(given: Any) -> str:
    raise BadFile(f"{str(given)[:40]!r} is not a time with its time zone, as in 2025-01-31T12:00:00+00:00")


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        data = orjson.loads(line)
    except ValueError as error:
        raise BadFile(f"{where}: this is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise BadFile(f"{where}: an object is expected, in braces")
    return data


def _parsed(where: str, make: Callable[[Mapping[str, Any]], Label | Turn], data: Mapping[str, Any]) -> Label | Turn:
    try:
        return make(data)
    except BadInput as error:
        raise BadFile(f"{where}: {error}") from None
