"""Labels as files: JSON lines and CSV, with the codebook and the protocol in them, and back from both.

`gathered` takes out of a store what a viewer may see and no more, so an annotator's file holds what their page shows. A file is
`"schema": "palimpsest.labels/1"`: as JSON lines a head (project, settings, protocol in words, every version of the codebook),
then one object a line, its `what` being a reading, label, turn or decision; as CSV a row a label, `target` and `value` as JSON,
with how its turn stands: of turns without a label, of times and of reasons for skipping a table knows nothing. Reading a file
back trusts nothing in it, and changes nothing: `store/taken_labels.py` takes in what was read. Not here: the format of another
tool (`label_studio.py`).
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

import orjson

from readers.engine.canonical import canonical
from readers.engine.errors import BadFile, BadInput
from readers.engine.files.import_labels import Offered
from readers.engine.labels.label import CODES, NOTES, Decision, Label, Turn, checked
from readers.engine.labels.project import Annotator, Project, Viewer, protocol, settings_json
from readers.engine.store import Store
from readers.engine.store.codebooks import CodebookVersion

SCHEMA = "palimpsest.labels/1"
ENDINGS = ("jsonl", "csv")
MAX_BYTES, MOST_LINES = 100_000_000, 500_000
COLUMNS = (
    "schema", "project", "project_name", "protocol", "codebook_now", "run", "document", "title", "question", "reader", "model",
    "answer", "annotator", "turn", "stage", "again", "label", "kind", "step", "field", "on", "number", "start", "end", "code",
    "code_name", "severity", "words", "target", "value", "codebook", "revision", "at",
)  # fmt: skip
_NEEDED = ("schema", "project", "run", "annotator", "label", "kind", "target", "value", "codebook", "at")
_YES = "yes"  # in the column `again`; nothing stands for no
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")  # a cell that begins so is run by spreadsheets, or was guarded


@dataclass(frozen=True)
class Labelled:
    """A reading as a file of labels names it."""

    id: str
    document: str
    title: str
    question: str
    reader: str
    model: str
    answer: str


@dataclass(frozen=True)
class Export:
    """All of a project that one viewer may see."""

    project: Project
    viewer: Viewer
    readings: tuple[Labelled, ...]
    annotators: tuple[Annotator, ...]
    codebooks: tuple[CodebookVersion, ...]
    latest: int
    labels: tuple[Label, ...]
    turns: tuple[Turn, ...]
    decisions: tuple[Decision, ...]

    @property
    def protocol(self) -> str:
        return protocol(self.project.settings, len(self.readings))


def gathered(store: Store, project: str, viewer: Viewer) -> Export:
    """What the viewer may see of a project; who neither leads nor labels gets no labels. Raises NotFound."""
    whole = store.projects.get(project)
    runs = {run.id: run for run in store.run_list.runs(store.projects.readings(project))}
    titles = {shelved.id: shelved.title for shelved in store.documents()}
    readings = tuple(
        Labelled(
            run.id, run.document, titles.get(run.document, ""), run.question, run.reader, str(run.spec.get("model", "")),
            run.answer or "",
        )
        for id in store.projects.readings(project)
        if (run := runs.get(id))
    )  # fmt: skip
    labels, turns = store.labels.in_project(project, viewer), store.turns.in_project(project, viewer)
    named = {label.annotator for label in labels} | {viewer.name}
    return Export(
        whole,
        viewer,
        readings,
        tuple(one for one in store.projects.annotators(project) if viewer.whole or one.name in named),
        tuple(store.codebooks.versions(project, viewer)),
        store.codebooks.latest_number(project),
        tuple(labels),
        tuple(turn for turn in turns if viewer.whole or turn.annotator in named),
        tuple(store.decisions.in_project(project, viewer, history=True)),
    )


# Out


def as_jsonl(export: Export) -> str:
    """JSON lines, as the module's head says."""
    return "".join(f"{canonical(line)}\n" for line in _lines(export))


def as_csv(export: Export) -> str:
    """A row a label, with a header. A cell that a spreadsheet would run begins with an apostrophe; reading back takes it away."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    readings = {reading.id: reading for reading in export.readings}
    turns = {(turn.run, turn.annotator): turn for turn in sorted(export.turns, key=lambda turn: turn.stage)}
    names = code_names(export)
    for label in export.labels:
        row = _row(export, label, readings[label.run])
        if turn := turns.get((label.run, label.annotator)):
            row |= {"turn": turn.standing, "stage": turn.stage, "again": _YES if turn.again else ""}
        row["code_name"] = names.get((label.codebook, label.code or ""), "")
        rows.writerow([_guarded(row[column]) for column in COLUMNS])
    return out.getvalue()


def code_names(export: Export) -> dict[tuple[int, str], str]:
    """What a code was called in a version of the codebook."""
    return {
        (book.version, str(code.get("id"))): str(code.get("name", ""))
        for book in export.codebooks
        for code in (book.codes if isinstance(book.codes, list) else [])
        if isinstance(code, Mapping)
    }


def words_of(label: Label) -> str:
    """What was written in a label, in one string."""
    value = label.value.get("value")
    inner: Mapping[str, Any] = value if isinstance(value, Mapping) else label.value
    if label.target.get("field") == "note":
        return str(value)
    return str(inner.get("words", inner.get("note", "")))


def _lines(export: Export) -> Iterator[dict[str, Any]]:
    project = export.project
    yield {
        "schema": SCHEMA,
        "project": {"id": project.id, "name": project.name, "created": project.created},
        "settings": settings_json(project.settings),
        "protocol": export.protocol,
        "codebook": {"version": export.latest, "versions": [book._asdict() for book in export.codebooks]},
        "annotators": [one._asdict() for one in export.annotators],
        "seen_by": {"name": export.viewer.name, "whole": export.viewer.whole},
    }
    for reading in export.readings:
        yield {"what": "reading", **asdict(reading)}
    for label in export.labels:
        yield {"what": "label", **asdict(label)}
    for turn in export.turns:
        yield {"what": "turn", **turn._asdict()}
    for decision in export.decisions:
        yield {"what": "decision", **decision._asdict()}


def _row(export: Export, label: Label, reading: Labelled) -> dict[str, Any]:
    value = label.value.get("value")
    project = export.project
    about = {name: label.target.get(name, "") for name in ("field", "on", "number", "start", "end")}
    return {
        **about,
        "schema": SCHEMA, "project": project.id, "project_name": project.name, "protocol": export.protocol,
        "codebook_now": export.latest, "run": reading.id, "document": reading.document, "title": reading.title,
        "question": reading.question, "reader": reading.reader, "model": reading.model, "answer": reading.answer,
        "annotator": label.annotator, "turn": "", "stage": "", "again": "", "label": label.id, "kind": label.kind,
        "step": "" if label.step is None else label.step,
        "code": label.code or (value if isinstance(value, str) and about["field"] != "note" else ""), "code_name": "",
        "severity": label.value.get("severity", ""), "words": words_of(label),
        "target": canonical(label.target), "value": canonical(label.value),
        "codebook": label.codebook, "revision": label.revision, "at": label.at,
    }  # fmt: skip


def _guarded(cell: Any) -> str:
    words = str(cell)
    return f"'{words}" if words.startswith(_FORMULA) else words


# Back


def read(name: str, data: bytes) -> Offered:
    """The labels and turns of a file of ours, JSON lines or CSV by the ending of its name, each checked for itself. Raises
    BadFile, naming the line and what is wrong with it; a file is read whole or not at all."""
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
    found = list(_from_jsonl(text, name) if ending == "jsonl" else _from_csv(text, name))
    others = Counter(one for _, one in found if isinstance(one, str))
    labels = tuple(one for _, one in found if isinstance(one, Label))
    seen: dict[tuple[str, ...], int] = {}
    for line, one in found:
        if isinstance(one, str):
            continue
        key = (one.id or f"{one.run} {one.annotator} {one.target}",) if isinstance(one, Label) else _turn_key(one)
        if key in seen:
            raise BadFile(f"{name[:80]!r}, line {line}: the same is in line {seen[key]} already; keep one of them")
        seen[key] = line
    return Offered(labels, tuple(one for _, one in found if isinstance(one, Turn)), others["codebook"], others["decision"])


def _from_jsonl(text: str, name: str) -> Iterator[tuple[int, Label | Turn | str]]:
    """The labels and turns, and by their names the other things that are not taken in, each with its line."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise BadFile(f"{name[:80]!r} has more than {MOST_LINES:,} lines; take it in in parts")
    head = _object(lines[0], f"{name[:80]!r}, line 1")
    if head.get("schema") != SCHEMA:
        raise BadFile(f"{name[:80]!r} is no file of labels: its first line says {head.get('schema')!r:.40}, not {SCHEMA!r}")
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
            yield number, _held(where, _label, data)
        elif what == "turn":
            yield number, _held(where, _turn, data)
        elif what in ("reading", "decision"):
            yield number, what
        else:
            raise BadFile(f"{where}: there is no {what!r:.40}; a line is a reading, label, turn or decision")


def _from_csv(text: str, name: str) -> Iterator[tuple[int, Label | Turn]]:
    turns: dict[tuple[str, ...], tuple[int, Turn]] = {}
    csv.field_size_limit(MAX_BYTES)  # a correction may hold a whole text
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(rows, [])
        if missing := [column for column in _NEEDED if column not in header]:
            raise BadFile(f"{name[:80]!r} is no file of labels: it lacks the column {missing[0]!r}")
        for row in rows:
            where = f"{name[:80]!r}, line {rows.line_num}"
            if len(row) != len(header):
                raise BadFile(f"{where}: there are {len(row)} cells, and the header has {len(header)}")
            if rows.line_num > MOST_LINES * 20:
                raise BadFile(f"{name[:80]!r} has too many lines; take it in in parts")
            cells = {column: _unguarded(cell) for column, cell in zip(header, row, strict=True)}
            label = _held(where, _label_of_row, cells)
            yield rows.line_num, label
            if cells.get("turn") and isinstance(label, Label):
                _gather(turns, rows.line_num, _held(where, _turn_of_row, {**cells, "at": label.at}), where)
        yield from turns.values()
    except csv.Error as error:
        raise BadFile(f"{name[:80]!r}, line {rows.line_num}: this is no CSV: {error}") from None


def _label_of_row(cells: Mapping[str, Any]) -> Label:
    if cells["schema"] != SCHEMA:
        raise BadFile(f"the schema is {cells['schema'][:40]!r}, not {SCHEMA!r}")
    data: dict[str, Any] = {name: cells[name] for name in ("project", "run", "annotator", "kind", "at")}
    if not cells["codebook"].isdecimal():
        raise BadFile(f"the codebook is the number of a version, not {cells['codebook'][:40]!r}")
    data |= {"id": cells["label"], "codebook": int(cells["codebook"][:10])}
    return _label(data | {name: _object(cells[name], name) for name in ("target", "value")})


def _turn_of_row(cells: Mapping[str, Any]) -> Turn:
    """How the turn stands that a label was made in, by what its row says."""
    stage, again = str(cells.get("stage", "")), cells.get("again", "")
    if stage not in ("1", "2", "3"):
        raise BadFile(f"a turn has its stage in the column 'stage', 1 to 3, not {stage[:40]!r}")
    if again not in ("", _YES):
        raise BadFile(f"in the column 'again' stands {_YES!r} or nothing, not {again[:40]!r}")
    data = {name: cells[name] for name in ("project", "run", "annotator")}
    closed = "" if cells["turn"] == "open" else cells["at"]
    more = {"standing": cells["turn"], "reason": "", "opened": cells["at"], "closed": closed, "ms": 0, "again": again == _YES}
    return _turn({**data, "stage": int(stage), **more})


def _gather(turns: dict[tuple[str, ...], tuple[int, Turn]], line: int, turn: Label | Turn, where: str) -> None:
    """One turn of all rows that speak of it, from the first to the last of their moments."""
    if not isinstance(turn, Turn):
        return
    key = (turn.run, turn.annotator)
    first, there = turns.setdefault(key, (line, turn))
    if (there.stage, there.standing, there.again) != (turn.stage, turn.standing, turn.again):
        raise BadFile(f"{where}: another turn stands here than in line {first}, for the same reading and annotator")
    turns[key] = first, there._replace(opened=min(there.opened, turn.opened), closed=max(there.closed, turn.closed))


def _label(data: Mapping[str, Any]) -> Label:
    known = {one.name for one in fields(Label)}
    if missing := known - {"revision", "removed"} - set(data):
        raise BadFile(f"the label lacks {sorted(missing)[0]!r}")
    if data.get("removed"):
        raise BadFile("a removed label is not taken in; leave it out")
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
    """A moment as it is kept. Raises BadFile for what is none."""
    try:
        moment = datetime.fromisoformat(str(given)[:40])
        return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment.tzinfo else _no_time(given)
    except (ValueError, OverflowError):
        return _no_time(given)


def _no_time(given: Any) -> str:
    raise BadFile(f"{str(given)[:40]!r} is no moment with its time zone, as in 2025-01-31T12:00:00+00:00")


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        data = orjson.loads(line)
    except ValueError as error:
        raise BadFile(f"{where}: this is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise BadFile(f"{where}: an object is expected, in braces")
    return data


def _held(where: str, make: Callable[[Mapping[str, Any]], Label | Turn], data: Mapping[str, Any]) -> Label | Turn:
    try:
        return make(data)
    except BadInput as error:
        raise BadFile(f"{where}: {error}") from None


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell
