"""InfiniteBench: twelve tasks on texts of 100,000 tokens and more, a file a task.

Shape: the dataset xinrongzhang2022/InfiniteBench on Hugging Face (features in its README: `id`, `context`, `input`, `answer`,
`options`; JSON lines such as `longbook_choice_eng.jsonl`); the tasks and their scores from the README and
`src/compute_scores.py` at github.com/OpenBMB/InfiniteBench. The name of the file says the task. A task whose `input` is empty is
asked in this program's own words.
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

NO_QUESTION = "its input is empty, and the name of the file is not that of a task"
_ABOUT_ALL = {
    "longbook_sum_eng": "Summarise this book.",
    "longdialogue_qa_eng": "Which name does $$MASK$$ stand for?",
    "code_debug": "Which function of this code contains a deliberate error?",
    "math_calc": "Compute this, and list the result after each step.",
}
_SCORES = {
    "longbook_qa_eng": "f1",
    "longbook_qa_chn": "f1_zh",
    "longbook_sum_eng": "rouge_lsum",
    **dict.fromkeys(("longbook_choice_eng", "code_debug"), "accuracy"),
    **dict.fromkeys(("passkey", "number_string", "math_find"), "infinitebench_number"),
    **dict.fromkeys(("code_run", "math_calc"), "exact_match"),
    "kv_retrieval": "infinitebench_key",
    "longdialogue_qa_eng": "infinitebench_name",
}
_USED = ("id", "context", "input", "answer", "options", "text", "title", "note", "question")


def _fits(row: Fields) -> bool:
    return has(row, context=str, input=str, options=list) and "answer" in row and "id" in row


def _questions(row: Fields, place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    task = place.file
    asked = row["input"].strip() or _ABOUT_ALL.get(task, "")
    if not asked:
        yield SkippedQuestion(NO_QUESTION)
        return
    choices = strings(row["options"])
    answers = _answers(row["answer"], task)
    if choices:
        answers = [one for one in answers if one in choices][:1]
        if not answers:
            yield SkippedQuestion(NO_GOLD)
            return
    fields: dict[str, Any] = {
        "id": f"{task}, {row['id']}", "title": f"{task}, {place.where}", "text": row["context"], "question": asked,
        "choices": choices or None, "answers": answers or None, "task": task, "scores": _SCORES.get(task, "infinitebench"),
        **plain(row, *_USED),
    }  # fmt: skip
    yield Asked(fields)


def _answers(given: Any, task: str) -> list[str]:
    values = given if isinstance(given, list) else [given]
    words = [str(one) for one in values if isinstance(one, str | int | float) and not isinstance(one, bool) and str(one).strip()]
    return [", ".join(words)] if task == "math_calc" and words else words


INFINITEBENCH = Benchmark("InfiniteBench", ("infinitebench",), _fits, _questions)
