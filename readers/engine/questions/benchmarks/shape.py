"""What a recogniser is: how it recognises a published benchmark's rows, and how each row becomes questions in this program's
fields.

The questions then go through the same checks as those of any question file (`question_importer.py`). Not here: any one
benchmark, and the reading of files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from readers.engine.ingest import Ingested
from readers.engine.ingest.clean import canonical_text
from readers.engine.questions.question_fields import MOST_EVIDENCE
from readers.engine.text.document import Document

Fields = Mapping[str, Any]
NO_GOLD = "gold is not among the choices"
# Fields of a row that are what a question consists of, or that mean something else in a question file.
_TAKEN = frozenset({
    "id", "_id", "text", "title", "note", "question", "questions", "document", "context", "input", "options", "answer", "answers",
})  # fmt: skip


class RowQuestion(NamedTuple):
    """A question in the fields of a question file. `where` is its place in its row; `lacks` is what is missing but not needed to
    ask it, in words that follow a number of questions: `have no task`; `skipped` is why it cannot be asked."""

    fields: dict[str, Any]
    where: str = ""
    lacks: tuple[str, ...] = ()
    skipped: str = ""


Questions = Iterator[RowQuestion]


def skipped(why: str, where: str = "") -> RowQuestion:
    """A question that cannot be asked."""
    return RowQuestion({}, where, skipped=why)


@dataclass(frozen=True)
class Place:
    """Where a row is: `line 3` or `row 3`, in which file (without its ending), in which folder if that is known."""

    where: str
    file: str
    folder: str = ""

    @property
    def title(self) -> str:
        """The title of a text that has none."""
        return f"{self.file}, {self.where}"


@dataclass(frozen=True)
class Context:
    """What accompanies a file: `beside` returns a text file by its name; `tables` the rows of companion tables by id;
    `paragraphs` the paragraphs of a companion collection, in the order in which a benchmark counts them. `cache` holds what a
    recogniser computed from a text and needs again in the next row."""

    beside: Callable[[str], Ingested | None] = lambda name: None
    tables: Mapping[str, Mapping[str, Fields]] = field(default_factory=dict)
    paragraphs: Sequence[str] = ()
    cache: dict[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: its name, the scores it is published with, whether a row has its shape, and the questions of a row."""

    name: str
    scores: tuple[str, ...]
    fits: Callable[[Fields], bool]
    questions: Callable[[Fields, Place, Context], Questions]


def has(row: Fields, **kinds: type | tuple[type, ...]) -> bool:
    """Whether a row has these fields, each of its kind."""
    return all(isinstance(row.get(name), kind) for name, kind in kinds.items())


def has_first(listed: Any, **kinds: type) -> bool:
    """Whether the first object of a list has these fields, each of its kind."""
    return any(has(first, **kinds) for first in objects(listed)[:1])


def strings(value: Any) -> list[str]:
    """The strings in a list, or one string as a list; other values are left out."""
    given = value if isinstance(value, list) else [value]
    return [one for one in given if isinstance(one, str) and one.strip()]


def objects(value: Any) -> list[Fields]:
    """The objects in a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def tidy(text: str) -> str:
    """A text as it will be stored, so that places in it stay what they are."""
    return Document.of(canonical_text(text)[0]).text


def places(spans: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    """Evidence at these characters of a tidy text, without empty places. If there are too many, one more than a question may have
    is kept, so that the check of its fields reports it."""
    return [{"start": start, "end": end} for start, end in islice(spans, MOST_EVIDENCE + 1) if start < end]


def plain(row: Fields, *left_out: str) -> dict[str, Any]:
    """The other fields of a row: single values, to filter and count by."""
    known = _TAKEN.union(left_out)
    return {name: value for name, value in row.items() if name not in known and isinstance(value, str | int | float | bool)}
