"""QuALITY: a row holds one article and the questions of one writer about it, each with four options.

Shape: the README at github.com/nyu-mll/quality ("Data README"), files `QuALITY.v1.0.1.htmlstripped.{train,dev,test}`: JSON lines.
`gold_label` counts from 1; the test file has none. `difficult` marks the hard subset. What the validators said is not imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from readers.engine.questions.benchmarks.shape import (
    Asked,
    Benchmark,
    Context,
    Fields,
    Place,
    SkippedQuestion,
    has,
    objects,
    plain,
)

TAGS = "are asked of a text with HTML tags; the file with htmlstripped in its name has none"
NO_GOLD = "gold is not among the choices"
_USED = ("article", "questions", "title", "text", "note", "id", "url", "license")
_OF_A_QUESTION = ("question", "options", "gold_label", "question_unique_id", "id", "text", "note", "title")


def _fits(row: Fields) -> bool:
    first = objects(row.get("questions"))[:1]
    return has(row, article=str) and bool(first) and has(first[0], question=str, options=list)


def _questions(row: Fields, _place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    article: dict[str, Any] = {"text": row["article"], "title": row.get("title"), **plain(row, *_USED)}
    lacks = (TAGS,) if any(tag in row["article"][:20_000].lower() for tag in ("<html", "<p>", "</p>")) else ()
    for number, asked in enumerate(objects(row["questions"]), start=1):
        where = f"question {number:,}"
        gold, options = asked.get("gold_label"), asked.get("options")
        gold = int(gold) if isinstance(gold, str) and gold.isascii() and gold.isdecimal() and len(gold) < 4 else gold
        if gold is not None and not (isinstance(gold, int) and isinstance(options, list) and 1 <= gold <= len(options)):
            yield SkippedQuestion(NO_GOLD, where)
            continue
        key = asked.get("question_unique_id") or f"{row.get('set_unique_id') or row.get('article_id')}, {number}"
        fields = {
            **article, **plain(asked, *_OF_A_QUESTION), "id": key, "question": asked.get("question"), "options": options,
            "gold": gold - 1 if isinstance(gold, int) else None,
        }  # fmt: skip
        yield Asked(fields, where, lacks)


QUALITY = Benchmark("QuALITY", ("accuracy",), _fits, _questions)
