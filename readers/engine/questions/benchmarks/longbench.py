"""LongBench (v1 and its E variant) and LongBench v2.

Shapes: "Data Format" in the README at github.com/THUDM/LongBench (v1, now in its folder `LongBench/`; JSON lines, a file a
dataset), the scores of its datasets from `LongBench/eval.py`; v2, `data.json` of the dataset THUDM/LongBench-v2 on Hugging Face
and the repository's README: a list of objects with `choice_A` to `choice_D` and the letter of the right one.

Where v1 continues its context with the `input` (examples, code), the text does, too, and the question asks for what comes next,
in this program's words; so it does where `input` is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from readers.engine.questions.benchmarks.quality import NO_GOLD
from readers.engine.questions.benchmarks.shape import (
    Asked,
    Benchmark,
    Context,
    Fields,
    Place,
    SkippedQuestion,
    has,
    plain,
    strings,
)

NO_QUESTION = "its input is empty, and its dataset is not known"
LETTERS = ("A", "B", "C", "D")
_EXAMPLE = "The text ends in an example without an answer. Complete it as in the examples before."
_CODE = "Write the next line of the code at the end of the text."
_CONTINUED = {"trec": _EXAMPLE, "triviaqa": _EXAMPLE, "samsum": _EXAMPLE, "lsht": _EXAMPLE, "lcc": _CODE, "repobench-p": _CODE}
_ABOUT_ALL = {
    "gov_report": "Summarise this report.",
    "multi_news": "Summarise these news articles.",
    "vcsum": "Summarise this meeting, in Chinese.",
    "passage_count": "How many different paragraphs are there, if each is counted once however often it is repeated?",
}
_ASKED_OF = {
    "passage_retrieval_en": "Which paragraph is this the summary of? Give its name, such as Paragraph 1.\n\n",
    "passage_retrieval_zh": "Which paragraph is this the summary of? Give its name, such as 段落1.\n\n",
}
_SCORES = {
    **dict.fromkeys(("narrativeqa", "qasper", "multifieldqa_en", "hotpotqa", "2wikimqa", "musique", "triviaqa", "nq"), "f1"),
    **dict.fromkeys(("gov_report", "qmsum", "multi_news", "samsum"), "rouge_l"),
    **dict.fromkeys(("dureader", "vcsum"), "rouge_l_zh"),
    **dict.fromkeys(("lcc", "repobench-p"), "edit_similarity"),
    **dict.fromkeys(("trec", "lsht"), "longbench_classification"),
    **dict.fromkeys(("passage_retrieval_en", "passage_retrieval_zh"), "longbench_retrieval"),
    "multifieldqa_zh": "f1_zh",
    "passage_count": "longbench_count",
}
_USED = (
    "_id",
    "id",
    "context",
    "input",
    "answers",
    "answer",
    "question",
    "text",
    "title",
    "note",
    *(f"choice_{one}" for one in LETTERS),
)


def _is_v1(row: Fields) -> bool:
    return has(row, context=str, input=str, answers=list, dataset=str)


def _v1_questions(row: Fields, place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    dataset = row["dataset"].removesuffix("_e")
    text, asked = row["context"], row["input"].strip()
    if dataset in _CONTINUED:
        text, asked = f"{text}{row['input']}" if text.endswith("\n") else f"{text}\n{row['input']}", _CONTINUED[dataset]
    asked = f"{_ASKED_OF.get(dataset, '')}{asked}" if asked else _ABOUT_ALL.get(dataset, "")
    if not asked:
        yield SkippedQuestion(NO_QUESTION)
        return
    fields: dict[str, Any] = {
        "id": row.get("_id") or place.where, "title": f"{row['dataset']}, {place.where}", "text": text, "question": asked,
        "answers": strings(row["answers"]) or None, **plain(row, *_USED),
    }  # fmt: skip
    yield Asked({**fields, **({"scores": _SCORES[dataset]} if dataset in _SCORES else {})})


def _is_v2(row: Fields) -> bool:
    return has(row, context=str, question=str, choice_A=str, choice_B=str, choice_C=str, choice_D=str)


def _v2_questions(row: Fields, place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    choices = [row[f"choice_{one}"] for one in LETTERS]
    gold = row.get("answer")
    if gold is not None and gold not in LETTERS:
        yield SkippedQuestion(NO_GOLD)
        return
    key = row.get("_id") or place.where
    fields: dict[str, Any] = {
        "id": key, "title": f"LongBench v2, {key}", "text": row["context"], "question": row["question"], "choices": choices,
        "gold": LETTERS.index(gold) if gold else None, **plain(row, *_USED),
    }  # fmt: skip
    yield Asked(fields)


LONGBENCH = Benchmark("LongBench", ("f1",), _is_v1, _v1_questions)
LONGBENCH_V2 = Benchmark("LongBench v2", ("accuracy",), _is_v2, _v2_questions)
