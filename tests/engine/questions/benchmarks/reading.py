"""Helpers: a benchmark's file, written for a test in its published shape, and what its import says."""

from __future__ import annotations

import json
from typing import Any

from readers.engine.questions.import_questions import Imported, Selection, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.questions.question_set import SetQuestion

SOURCES = TextSources()


def lines(*rows: Any) -> bytes:
    """JSON lines."""
    return "\n".join(json.dumps(row) for row in rows).encode()


def listed(*rows: Any, indent: int | None = None) -> bytes:
    """One JSON list."""
    return json.dumps(list(rows), indent=indent).encode()


def read(data: bytes, name: str, *more: tuple[str, bytes], selection: Selection | None = None) -> Imported:
    return read_questions([(name, data), *more], SOURCES, selection=selection or Selection())


def usable(found: Imported) -> list[SetQuestion]:
    assert not found.problems, found.problems
    return list(found.set.questions)


def quoted(found: Imported, asked: SetQuestion) -> list[str]:
    """The words of a question's evidence."""
    text = next(one.text for one in found.set.documents if one.id == asked.document)
    return [text[span.start : span.end] for span in asked.evidence]


def fields(asked: SetQuestion) -> dict[str, str]:
    return dict(asked.fields)
