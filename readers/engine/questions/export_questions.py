"""A question set as a file that `import_questions.py` reads: a JSON object a line, with each text once, by its first question.

What is read back is the same set, under the same id. An id that several questions share is written for none but the first, and
a field that a question file gives another meaning is left out; then the id of the set is another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from readers.engine.questions.question_importer import KNOWN
from readers.engine.questions.question_set import SetQuestion
from readers.engine.text.document import Document, Span


def written(questions: Sequence[SetQuestion], text_of: Callable[[str], Document]) -> bytes:
    """The questions, in order; `text_of` is asked once for each text."""
    texts: set[str] = set()
    keys: set[str] = set()
    lines = []
    for one in questions:
        of_text = {"document": one.document} if one.document in texts else _text(text_of(one.document))
        key = {} if one.key in keys else {"id": one.key}
        lines.append(json.dumps({**key, **_asked(one), **of_text}, ensure_ascii=False) + "\n")
        texts.add(one.document)
        keys.add(one.key)
    return "".join(lines).encode()


def _text(document: Document) -> dict[str, str]:
    return {"title": document.title, "text": document.text}


def _asked(one: SetQuestion) -> dict[str, Any]:
    found = {
        "question": one.question, "choices": [*one.choices], "answers": [*one.answers], "answerable": one.answerable,
        "all_required": one.all_required or None, "evidence": _places(one.evidence), "counter_evidence": _places(one.distractors),
        "note": one.note,
        **{field.name: field.value for field in one.fields if field.name not in KNOWN},
    }  # fmt: skip
    return {
        name: value for name, value in found.items() if value not in ([], "", None) and (name, value) != ("all_required", False)
    }


def _places(spans: Sequence[Span]) -> list[dict[str, int]]:
    return [{"start": span.start, "end": span.end} for span in spans]
