"""Whatever stands in a field of a benchmark's row, its import says so or skips it: it never raises, and never hangs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from readers.engine.ingest import Ingested
from readers.engine.questions.import_questions import read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.text.document import Document
from tests.engine.questions.benchmarks.reading import lines, read
from tests.engine.questions.benchmarks.test_long_contexts import LONGBENCH, NEEDLE, ruler
from tests.engine.questions.benchmarks.test_paragraphs import HOTPOT, MUSIQUE, TWO_WIKI
from tests.engine.questions.benchmarks.test_stories import ARTICLE
from tests.engine.questions.benchmarks.test_summaries import MEETING

STORY = {
    "metadata": {"passage_id": "6"}, "document": "A lamp.",
    "questions": [{"question_text": "Plot?", "question_number": 1, "responses": [{"response_text": "Lit."}]}],
}  # fmt: skip
CHATS = {
    "question_id": "q1", "question": "Who?", "answer": "Mette", "question_date": "2023", "haystack_dates": ["2022"],
    "haystack_sessions": [[{"role": "user", "content": "It is Mette.", "has_answer": True}]],
}  # fmt: skip
HQA = {
    "context": "Document 1:\nA\nB",
    "input": "Who?",
    "answers": ["B"],
    "num_docs": 1,
    "index": 0,
    "evidence_idx": [0],
    "id": "x",
}
ROWS = {
    "QuALITY": ARTICLE, "HotpotQA": HOTPOT, "2WikiMultiHopQA": TWO_WIKI, "MuSiQue": MUSIQUE, "QMSum": MEETING, "SQuALITY": STORY,
    "LongBench": LONGBENCH, "RULER": ruler(f"{NEEDLE}\nWhat is the special magic number?", "1234567"), "LongMemEval": CHATS,
    "RULER-HQA": HQA, "BABILong": {"input": "A lamp.", "question": "Where?", "target": "here"},
    "SummScreen": {"Transcript": ["A : Hello ."], "Recap": ["Hello ."], "filename": "The_Pier_01x02.json"},
    "GovReport": {"report": [{"section_title": "A", "paragraphs": ["p"]}], "highlight": [{"paragraphs": ["s"]}]},
    "InfiniteBench": {"id": 0, "context": "A book.", "input": "Who?", "answer": ["Mette"], "options": ["Ann", "Mette"]},
    "LongBench v2": {"_id": "1", "question": "Who?", "context": "A.", "answer": "A", **{f"choice_{one}": one for one in "ABCD"}},
    "Needles": {"made": "needles", "text": "A.", "question": "?", "answers": ["A"], "evidence": [{"start": 0, "end": 1}]},
}  # fmt: skip
ODD: tuple[Any, ...] = (None, 7, "x", "9" * 5_000, [7, None], {"a": 1}, [["x", 10**9]], -1.5, "")


def changed(row: Any) -> Iterator[Any]:
    """The row with each of its values replaced by each odd one, and left out."""
    for path in _paths(row):
        for odd in (*ODD, "left out"):
            other = deepcopy(row)
            holder = other
            for step in path[:-1]:
                holder = holder[step]
            if odd == "left out":
                del holder[path[-1]]
            else:
                holder[path[-1]] = odd
            yield other


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (step,)
        yield from ((step, *rest) for rest in _paths(inner))


@pytest.mark.parametrize("name", ROWS)
def test_an_odd_value_in_any_field_is_skipped_or_reported(name: str) -> None:
    rows = [{**row, "license": ""} if name == "QuALITY" else row for row in changed(ROWS[name])]
    found = read(lines(ROWS[name], *rows), "file.json")
    assert [one.name for one in found.recognised] == [name]
    assert not found.problems
    assert len(found.set.questions) > 0
    for asked in found.set.questions:
        text = next(one.text for one in found.set.documents if one.id == asked.document)
        assert all(0 <= span.start < span.end <= len(text) for span in asked.evidence)


@pytest.mark.parametrize(
    "row",
    [
        ruler("\n" * 200_000 + "Who?", "1"),
        ruler(" " * 200_000 + "Question: Who? " + " " * 200_000, "1"),
        {**HQA, "context": "Document " + "1" * 200_000 + ":\nA"},
        {**MEETING, "specific_query_list": [{"query": "?", "answer": "a", "relevant_text_span": [["0", "3"]] * 5_000}]},
        {**LONGBENCH, "context": "\\\"" * 200_000},
    ],
)  # fmt: skip
def test_a_long_row_takes_linear_time(row: dict[str, Any]) -> None:
    start = time.process_time()
    read(lines(row), "file.json")
    assert time.process_time() - start < 5


def test_a_table_names_no_file_outside_its_folder() -> None:
    asked_for: list[str] = []

    def beside(name: str) -> Ingested | None:
        asked_for.append(name)
        return Ingested(Document.of("Secret.", title=name))

    table = b"document_id,set,question,answer1,answer2\n../../secret,test,Who?,a,b\n..,test,Who?,a,b\nok-1,test,Who?,a,b\n"
    found = read_questions([("qaps.csv", table)], TextSources(beside))
    assert asked_for == ["ok-1.content"]
    assert len(found.set.questions) == 1
