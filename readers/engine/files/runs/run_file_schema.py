"""The schema of the run file: the form of every field, for import and for display.

`read_strictly` is for import: bytes -> `RunFile`, or BadRunFile that says where and why. It checks sizes and the number of values
before anything is built, JSON without duplicate names or invalid numbers, encodable text, and every field. Fields that are not
named here are ignored, except in the spec, which decides how the run is replayed. `parsed_for_display` is for `show FILE.json`:
the same form, but only of the fields that are shown, so that files of other versions can be displayed. Not here: whether the run
in a file is genuine (`import_run.py`).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, model_validator

from readers.engine.errors import BadRunFile
from readers.engine.ingest import guard
from readers.engine.models.as_sent import LONGEST_FINISH
from readers.engine.models.call import Origin, ReplyForm
from readers.engine.store import Status
from readers.engine.teaching.stops import MOST_STOPS
from readers.engine.text.document import LONGEST_LABEL, PrintedPage

SCHEMA = "palimpsest.run/1"
MAX_FILE_BYTES = 200_000_000
MOST_VALUES = 3_000_000  # in total, including names; a trace of 3,000 steps has a tenth of this
MOST_CALLS = 200_000
MOST_EVENTS = 2_000_000
MOST_ATTEMPTS = 100
DEEPEST = 40
LONGEST_WORDS = 100_000  # characters of a question, choice, title or error
LARGEST = 2**53  # the largest integer that every JSON parser reads exactly
LONGEST_MS = 7 * 86_400_000

Count = Annotated[int, Field(ge=0, le=LARGEST)]
Amount = Annotated[float, Field(ge=0, le=LARGEST)]
Words = Annotated[str, Field(max_length=LONGEST_WORDS)]
Name = Annotated[str, Field(max_length=300)]
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_FINISH)]

_FOR_DISPLAY = object()  # the validation context of `parsed_for_display`


class _RunFilePart(BaseModel):
    """A part of a run file. For display, only the fields of `shown` are read, and those of `display_defaults` may be missing."""

    model_config = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)
    shown: ClassVar[frozenset[str]] = frozenset()
    display_defaults: ClassVar[Mapping[str, Any]] = {}

    @model_validator(mode="before")
    @classmethod
    def _for_display(cls, given: Any, info: ValidationInfo) -> Any:
        if info.context is not _FOR_DISPLAY or not isinstance(given, dict):
            return given
        return {**cls.display_defaults, **{name: value for name, value in given.items() if name in cls.shown}}


class SpecCaps(_RunFilePart):
    model_config = ConfigDict(extra="forbid")

    max_calls: Count | None = None
    max_tokens: Count | None = None
    max_cost: Amount | None = None
    max_minutes: Amount | None = None
    calls_per_minute: Amount | None = None


class Spec(_RunFilePart):
    """A `RunSpec` in a file. An unknown field is an error in an import: without it, the replay would differ from the run."""

    model_config = ConfigDict(extra="forbid")
    shown = frozenset({"reader", "version", "question", "choices", "model"})

    reader: Name
    version: int = Field(ge=0, le=LARGEST)
    question: Words
    choices: list[Words] = Field(default=[], max_length=26)
    options: dict[Name, bool | int | float | str | None] = {}
    model: Name
    api_base: Words | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: Count | None = None
    sample_base: Count = 0
    caps: SpecCaps = SpecCaps()
    prompts: dict[Name, str] = {}
    reuse: bool = True
    edits: list[dict[str, Any]] = Field(default=[], max_length=1_000)
    reply_tokens: Count | None = None
    room_factor: Count | None = None
    blank_end: bool = True
    reply_form: ReplyForm = "words"
    price: list[Amount] | None = Field(default=None, min_length=2, max_length=2)
    profile: Name = ""
    reply_rules: int = Field(default=1, ge=1, le=LARGEST)


class EvidencePlace(_RunFilePart):
    shown = frozenset({"start", "end"})

    start: Count
    end: Count


class Head(_RunFilePart):
    """`run`: what was run, and how it ended."""

    shown = frozenset({"id", "status", "outcome", "answer", "answer_evidence", "error", "created", "spec"})

    id: Name
    content_id: Name | None = None
    parent: Name | None = None
    fork_at: Count | None = None
    edit: dict[str, Any] | None = None
    status: Status
    outcome: Name | None = None
    answer: str | None = None
    answer_evidence: list[EvidencePlace] = []
    error: Words | None = None
    created: Name = ""
    spec: Spec


class PagePart(_RunFilePart):
    shown = frozenset({"start", "label"})

    start: Count
    label: Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL)]


class DocumentPart(_RunFilePart):
    shown = frozenset({"title", "text", "pages"})
    display_defaults = {"id": "", "chars": 0, "tokens": 0}

    id: Name
    title: Words
    chars: Count
    tokens: Count
    text: str
    pages: list[PagePart] = []


def pages_in(part: DocumentPart) -> tuple[PrintedPage, ...]:
    """The pages of a document. Raises BadRunFile for those that it cannot have."""
    pages = tuple(PrintedPage(page.start, page.label) for page in part.pages)
    if any(one.start >= other.start for one, other in pairwise(pages)) or (pages and pages[-1].start >= len(part.text)):
        raise BadRunFile("at document.pages: they do not follow each other in the text")
    if any(one.label.strip() != one.label or not one.label.isprintable() for one in pages):
        raise BadRunFile("at document.pages: what is printed on a page has characters that cannot be")
    return pages


class CallPart(_RunFilePart):
    shown = frozenset(
        {
            "seq",
            "attempt",
            "prompt",
            "task",
            "origin",
            "model",
            "reply",
            "tokens_in",
            "tokens_out",
            "cost_usd",
            "ms",
            "error",
            "thoughts",
            "finish",
            "refused",
        }
    )
    display_defaults = {
        "messages": [], "reply": None, "parsed": None, "tokens_in": None, "tokens_out": None, "cost_usd": None, "ms": 0,
        "error": None,
    }  # fmt: skip

    seq: int = Field(ge=0, lt=MOST_CALLS)
    attempt: int = Field(ge=0, lt=MOST_ATTEMPTS)
    prompt: Name
    task: Name
    origin: Origin
    model: Name
    messages: list[dict[str, str]]
    reply: str | None
    parsed: Any
    tokens_in: Count | None
    tokens_out: Count | None
    cost_usd: Amount | None
    ms: int = Field(ge=0, le=LONGEST_MS)
    error: Words | None
    thoughts: str | None = None
    finish: Reason | None = None
    refused: Words | None = None


class Measures(_RunFilePart):
    """The only measure that cannot be computed again."""

    seconds: Amount | None = None


class StopPart(_RunFilePart):
    """A note, a pause or a prediction at a step (`teaching/stops.py`)."""

    at: Count
    note: Words = ""
    pauses: bool = False
    predicts: bool = False


class RunFile(_RunFilePart):
    shown = frozenset({"schema", "run", "document", "calls", "events"})
    display_defaults = {"calls": []}

    schema_: Literal["palimpsest.run/1"] = Field(alias="schema")
    run: Head
    document: DocumentPart
    calls: list[CallPart] = Field(max_length=MOST_CALLS)
    events: list[dict[str, Any]] = Field(max_length=MOST_EVENTS)
    measures: Measures = Measures()
    stops: list[StopPart] = Field(default=[], max_length=MOST_STOPS)


def read_strictly(data: bytes | Path) -> RunFile:
    """Parse the bytes of a run file, or the file at a path, for import. Raises BadRunFile."""
    found = _json(read_bounded(data))
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        named = f"; it says {str(found['schema'])[:40]!r}" if isinstance(found, dict) and "schema" in found else ""
        raise BadRunFile(f'it is not a run file: it does not begin with "schema": "{SCHEMA}"{named}')
    _check_strings(found)
    try:
        file = RunFile.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in first["loc"])[:160]
        message = re.sub(r" or instance of \w+$", "", first["msg"]).replace("a valid dictionary", "an object")
        raise BadRunFile(f"at {where}: {message[:200]}") from None
    _check_calls(file)
    return file


def parsed_for_display(data: bytes) -> RunFile:
    """Parse the bytes of a run file for display. Raises pydantic's ValidationError."""
    return RunFile.model_validate_json(data, context=_FOR_DISPLAY)


def read_bounded(data: bytes | Path) -> bytes:
    """The bytes of a run file, if it is not over the maximum. Raises BadRunFile."""
    most = f"it is over {MAX_FILE_BYTES // 1_000_000} MB, the maximum"
    if isinstance(data, bytes):
        if len(data) > MAX_FILE_BYTES:
            raise BadRunFile(most)
        return data
    try:
        if data.is_dir():
            raise BadRunFile("it is a folder, and not that of a published site, which has a site.json")
        if not data.is_file():
            raise BadRunFile("there is no such file")
        with data.open("rb") as stream:
            read = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadRunFile(f"it cannot be read: {getattr(error, 'strerror', None) or 'no file can have this name'}") from None
    if len(read) > MAX_FILE_BYTES:
        raise BadRunFile(most)
    return read


def _json(data: bytes) -> Any:
    if not data.strip():
        raise BadRunFile("it is empty")
    if data.startswith(b"PK\x03\x04"):
        raise BadRunFile("it is a zip archive; unpack it, and import the run files in it")
    check_values(data)
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except UnicodeDecodeError as error:
        raise BadRunFile(f"it is not UTF-8 text (byte {error.start}); a run file is JSON") from None
    except json.JSONDecodeError as error:
        if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            raise BadRunFile("it is not a run file, which is JSON; to read a text, use `read`, or Read in the app") from None
        raise BadRunFile(f"it is not complete JSON: {error.msg} at character {error.pos} of {len(data):,} bytes") from None
    except RecursionError:
        raise BadRunFile(f"it is nested more than {DEEPEST} deep") from None


def check_values(data: bytes) -> None:
    """Raises BadRunFile for JSON with more values than a reading has, before it is built."""
    if guard.has_over(data, MOST_VALUES):
        raise BadRunFile(f"it has over {MOST_VALUES:,} values and names, the maximum; no reading has as many")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise BadRunFile(f"an object in it has the name {twice[:60]!r} twice")
    return found


def _constant(word: str) -> Any:
    raise BadRunFile(f"{word} is not a number in JSON")


def _float(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise BadRunFile(f"the number {word[:40]} is too large")
    return number


def _int(word: str) -> int:
    if len(word) > 19 or abs(int(word)) >= 2**63:
        raise BadRunFile(f"the number {word[:40]} is too large")
    return int(word)


def _check_strings(found: dict[str, Any]) -> None:
    """Refuse strings that cannot be encoded, and deep nesting."""
    todo: list[tuple[Any, int, str]] = [(found, 0, "")]
    while todo:
        value, depth, top = todo.pop()
        if isinstance(value, str):
            _check_words(value, top)
        elif isinstance(value, (dict, list)):
            if depth == DEEPEST:
                raise BadRunFile(f"at {top}: it is nested more than {DEEPEST} deep")
            todo += [(inside, depth + 1, top or str(name)[:60]) for name, inside in _inside(value)]


def _inside(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        yield from (("", inside) for inside in value if not isinstance(inside, (int, float)))
        return
    for name, inside in value.items():
        _check_words(name, "a name")
        yield name, inside


def _check_words(words: str, where: str) -> None:
    if words.isascii():
        return
    try:
        words.encode("utf-8")
    except UnicodeEncodeError:
        raise BadRunFile(f"at {where}: it has half of a character, which no text can contain") from None


def _check_calls(file: RunFile) -> None:
    ((seq, attempt), count), *_ = Counter((call.seq, call.attempt) for call in file.calls).most_common(1) or [((0, 0), 0)]
    if count > 1:
        raise BadRunFile(f"at calls: seq {seq}, attempt {attempt} occurs {count} times")
    for call in file.calls:
        if (call.reply is None) != (call.error is not None):
            raise BadRunFile(f"at calls: seq {call.seq}, attempt {call.attempt} has neither reply nor error, or both")
