"""RULER-HQA, MemAgent's and ReMemR1's length sweeps of HotpotQA (`eval_50.json`, `eval_hotpotqa_6400.json` and the like).

Shape: github.com/BytedTsinghua-SIA/MemAgent, `taskutils/memory_data/convert_to_eval.py` and `processing.py`, and
github.com/syr-cn/ReMemR1, `taskutils/data_synthesis/process_test.py`: a list of objects with `context` ("Document 1:\\n" and a
title and text each), `input` (the question), `answers`, `num_docs`, `index`; ReMemR1's also `evidence_idx`, `level`, `type` and
`id`. From 12,800 documents on, `context` holds numbers into the sorted paragraphs of HotpotQA's own file
(`taskutils/memory_eval/ruler_hqa_over1m.py`), which is then given along with it.

MemAgent's files do not mark the evidence: it is unknown.
"""

from __future__ import annotations

import re
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
    places,
    plain,
    strings,
    tidy,
)

NO_COLLECTION = "its paragraphs are numbers into hotpot_dev_distractor_v1.json: give that file as well"
OUTSIDE = "a number of its paragraphs is outside the given HotpotQA file"
_BEGINS = re.compile(r"^Document (\d{1,9}):\n", re.MULTILINE)
_USED = ("context", "input", "answers", "id", "title", "text", "note", "_id", "evidence_idx")


def _fits(row: Fields) -> bool:
    return has(row, context=(str, list), input=str, answers=list, num_docs=int)


def _questions(row: Fields, place: Place, context: Context) -> Iterator[Asked | SkippedQuestion]:
    text = row["context"]
    if isinstance(text, list):
        if not context.paragraphs:
            yield SkippedQuestion(NO_COLLECTION)
            return
        if not all(isinstance(one, int) and 0 <= one < len(context.paragraphs) for one in text):
            yield SkippedQuestion(OUTSIDE)
            return
        text = "\n\n".join(f"Document {number}:\n{context.paragraphs[one]}" for number, one in enumerate(text, start=1))
    text = tidy(text)
    fields: dict[str, Any] = {
        "id": row.get("id") or str(row.get("index", place.where)), "question": row["input"], "text": text,
        "title": f"{place.file}, {place.where}", "answers": strings(row["answers"]) or None, "evidence": _evidence(row, text),
        **plain(row, *_USED),
    }  # fmt: skip
    yield Asked(fields)


def _evidence(row: Fields, text: str) -> list[dict[str, int]]:
    """The documents that `evidence_idx` counts, from 0, in the order of the text."""
    marked = row.get("evidence_idx")
    numbers = {one for one in marked if isinstance(one, int)} if isinstance(marked, list) else set()
    if not numbers:
        return []
    begins = [(int(found[1]) - 1, found.end(), found.start()) for found in _BEGINS.finditer(text)]
    ends = [start for _, _, start in begins[1:]] + [len(text)][: len(begins)]
    spans = zip(begins, ends, strict=True)
    return places((start, start + len(text[start:end].rstrip())) for (number, start, _), end in spans if number in numbers)


RULER_HQA = Benchmark("RULER-HQA", ("substring_match", "exact_match", "f1"), _fits, _questions)
