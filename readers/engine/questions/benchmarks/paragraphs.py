"""Questions over titled paragraphs: HotpotQA, 2WikiMultiHopQA and MuSiQue, which mark those that support the answer; and
RULER-HQA, the length sweeps of HotpotQA that MemAgent and ReMemR1 are measured with.

Shapes: HotpotQA's README at github.com/hotpotqa/hotpot ("JSON Format"); 2WikiMultiHopQA's at github.com/Alab-NII/2wikimultihop
("Dataset Contents": as HotpotQA, with `evidences`); MuSiQue's files from github.com/StonyBrookNLP/musique (`download_data.sh`):
JSON lines with `paragraphs`, `question_decomposition`, `answer_aliases`. HotpotQA's column form, in which its copies are spread
(`context` and `supporting_facts` as objects of lists), is also read.

RULER-HQA (`eval_50.json`, `eval_hotpotqa_6400.json` and the like): github.com/BytedTsinghua-SIA/MemAgent,
`taskutils/memory_data/convert_to_eval.py` and `processing.py`, and github.com/syr-cn/ReMemR1,
`taskutils/data_synthesis/process_test.py`: a list of objects with `context` ("Document 1:\\n" and a title and text each), `input`
(the question), `answers`, `num_docs`, `index`; ReMemR1's also `evidence_idx`, `level`, `type` and `id`. From 12,800 documents on,
`context` holds numbers into the sorted paragraphs of HotpotQA's own file (`taskutils/memory_eval/ruler_hqa_over1m.py`), which is
then given along with it. MemAgent's files do not mark the evidence: it is unknown.
"""

from __future__ import annotations

import re
from typing import Any

from readers.engine.questions.benchmarks.shape import (
    Benchmark,
    Context,
    Fields,
    Place,
    Questions,
    RowQuestion,
    has,
    objects,
    places,
    plain,
    skipped,
    strings,
    tidy,
)

NO_FACTS = "name supporting facts that are not among their paragraphs"
NO_COLLECTION = "its paragraphs are numbers into hotpot_dev_distractor_v1.json: give that file as well"
OUTSIDE = "a number of its paragraphs is outside the given HotpotQA file"
_BEGINS = re.compile(r"^Document (\d{1,9}):\n", re.MULTILINE)
_MARKED = ("supporting_facts", "evidences", "paragraphs")


# --- with marked paragraphs ----------------------------------------------------------------------------------------------


def _is_hotpot_shaped(row: Fields) -> bool:
    context = row.get("context")
    columns = isinstance(context, dict) and has(context, title=list, sentences=list)
    pairs = isinstance(context, list) and bool(context) and all(_is_pair(one) for one in context[:3])
    return has(row, question=str) and (columns or pairs)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], list)


def _is_two_wiki(row: Fields) -> bool:
    return _is_hotpot_shaped(row) and ("evidences" in row or "entity_ids" in row)


def _is_musique(row: Fields) -> bool:
    paragraphs = objects(row.get("paragraphs"))
    return has(row, question=str, id=str) and bool(paragraphs) and all(has(one, paragraph_text=str) for one in paragraphs[:3])


def paragraphs_of(row: Fields) -> list[tuple[str, list[str]]]:
    """The title and the sentences of each paragraph of a row in HotpotQA's shape."""
    context = row["context"]
    pairs = list(map(list, zip(context["title"], context["sentences"], strict=False))) if isinstance(context, dict) else context
    return [(one[0], [words if isinstance(words, str) else "" for words in one[1]]) for one in pairs if _is_pair(one)]


def joined(sentences: list[str]) -> str:
    """A paragraph. HotpotQA's sentences begin with their own space, 2WikiMultiHopQA's do not."""
    text = ""
    for sentence in filter(None, sentences):
        needs_space = text and not text[-1].isspace() and not sentence[0].isspace()
        text += f" {sentence}" if needs_space else sentence
    return text


def _supporting(row: Fields) -> list[tuple[str, int]]:
    facts = row.get("supporting_facts")
    if isinstance(facts, dict):
        titles, numbers = (found if isinstance(found := facts.get(name), list) else [] for name in ("title", "sent_id"))
        facts = list(map(list, zip(titles, numbers, strict=False)))
    pairs = facts if isinstance(facts, list) else []
    return [(one[0], one[1]) for one in pairs if isinstance(one, list) and [type(part) for part in one] == [str, int]]


def _hotpot_questions(row: Fields, _place: Place, _context: Context) -> Questions:
    facts = _supporting(row)
    found, paragraphs = 0, []
    for title, sentences in paragraphs_of(row):
        numbers = {number for named, number in facts if named == title and 0 <= number < len(sentences)}
        numbers = {number for number in numbers if sentences[number].strip()}
        found += len(numbers)
        paragraphs.append(
            {
                "title": title, "text": joined(sentences), "is_supporting": bool(numbers),
                "supporting_sentences": [sentences[number].strip() for number in sorted(numbers)],
            }
        )  # fmt: skip
    fields = {
        "id": row.get("_id") or row.get("id"), "question": row["question"], "answer": row.get("answer"), "paragraphs": paragraphs,
        **plain(row, *_MARKED),
    }  # fmt: skip
    yield RowQuestion(fields, lacks=(NO_FACTS,) if found < len(set(facts)) else ())


def _musique_questions(row: Fields, _place: Place, _context: Context) -> Questions:
    answerable = row.get("answerable", True) is not False
    answers = list(dict.fromkeys([*strings(row.get("answer")), *strings(row.get("answer_aliases"))]))
    paragraphs = [
        {"title": one.get("title"), "text": one["paragraph_text"], "is_supporting": one.get("is_supporting") is True}
        for one in objects(row["paragraphs"])
        if has(one, paragraph_text=str)
    ]
    hops = row["id"].partition("hop")[0]
    steps = {"hops": int(hops)} if hops.isdecimal() and len(hops) < 3 else {}
    fields = {
        "id": row["id"] if answerable else f"{row['id']} (unanswerable)",  # MuSiQue-Full has each id twice
        "question": row["question"], "paragraphs": paragraphs,
        **plain(row, *_MARKED, "answerable"), **steps,
    }  # fmt: skip
    if answerable:
        yield RowQuestion({**fields, "answers": answers or None})
    else:
        yield RowQuestion({**fields, "answerable": False})


# --- RULER-HQA -----------------------------------------------------------------------------------------------------------


def _ruler_hqa_questions(row: Fields, place: Place, context: Context) -> Questions:
    text = row["context"]
    if isinstance(text, list):
        if not context.paragraphs:
            yield skipped(NO_COLLECTION)
            return
        if not all(isinstance(one, int) and 0 <= one < len(context.paragraphs) for one in text):
            yield skipped(OUTSIDE)
            return
        text = "\n\n".join(f"Document {number}:\n{context.paragraphs[one]}" for number, one in enumerate(text, start=1))
    text = tidy(text)
    fields: dict[str, Any] = {
        "id": row.get("id") or str(row.get("index", place.where)), "question": row["input"], "text": text,
        "title": place.title, "answers": strings(row["answers"]) or None, "evidence": _evidence(row, text),
        **plain(row, "evidence_idx"),
    }  # fmt: skip
    yield RowQuestion(fields)


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


HOTPOTQA = Benchmark(
    "HotpotQA", ("exact_match", "f1"), lambda row: _is_hotpot_shaped(row) and not _is_two_wiki(row), _hotpot_questions
)
TWO_WIKI = Benchmark("2WikiMultiHopQA", ("exact_match", "f1"), _is_two_wiki, _hotpot_questions)
MUSIQUE = Benchmark("MuSiQue", ("exact_match", "f1"), _is_musique, _musique_questions)
RULER_HQA = Benchmark(
    "RULER-HQA",
    ("substring_match", "exact_match", "f1"),
    lambda row: has(row, context=(str, list), input=str, answers=list, num_docs=int),
    _ruler_hqa_questions,
)
