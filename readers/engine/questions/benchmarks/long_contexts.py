"""Long contexts: LongBench (v1 and its E variant), LongBench v2, InfiniteBench, and LongMemEval's histories of chats.

Shapes: LongBench, "Data Format" in the README at github.com/THUDM/LongBench (v1, now in its folder `LongBench/`; JSON lines, a
file a dataset), the scores of its datasets from `LongBench/eval.py`; v2, `data.json` of the dataset THUDM/LongBench-v2 on Hugging
Face and the repository's README: a list of objects with `choice_A` to `choice_D` and the letter of the right one. Where v1
continues its context with the `input` (examples, code), the text also does, and the question asks for what comes next.

InfiniteBench, the dataset xinrongzhang2022/InfiniteBench on Hugging Face (features in its README: `id`, `context`, `input`,
`answer`, `options`; JSON lines such as `longbook_choice_eng.jsonl`); the tasks and their scores from the README and
`src/compute_scores.py` at github.com/OpenBMB/InfiniteBench. The name of the file says the task.

LongMemEval, "Dataset Format" in the README at github.com/xiaowu0162/LongMemEval: `longmemeval_s.json`, `_m.json` and
`_oracle.json`, a list of objects; the sessions and the turns with the answer are marked. The text has the sessions in the file's
order, each with its date. The question says when it is asked, because many are about time. A question whose id ends in `_abs` has
no answer in the history; what the file says about it is its note.

A task whose `input` is empty is asked in this program's words.
"""

from __future__ import annotations

from typing import Any

from readers.engine.questions.benchmarks.shape import (
    NO_GOLD,
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

# --- LongBench -----------------------------------------------------------------------------------------------------------

NO_DATASET = "its input is empty, and its dataset is not known"
LETTERS = ("A", "B", "C", "D")
_EXAMPLE = "The text ends in an example without an answer. Complete it as in the examples before."
_CODE = "Write the next line of the code at the end of the text."
_CONTINUED = {"trec": _EXAMPLE, "triviaqa": _EXAMPLE, "samsum": _EXAMPLE, "lsht": _EXAMPLE, "lcc": _CODE, "repobench-p": _CODE}
_ABOUT_ALL_OF_LONGBENCH = {
    "gov_report": "Summarise this report.",
    "multi_news": "Summarise these news articles.",
    "vcsum": "Summarise this meeting, in Chinese.",
    "passage_count": "How many different paragraphs are there, if each is counted once however often it is repeated?",
}
_ASKED_OF = {
    "passage_retrieval_en": "Which paragraph is this the summary of? Give its name, such as Paragraph 1.\n\n",
    "passage_retrieval_zh": "Which paragraph is this the summary of? Give its name, such as 段落1.\n\n",
}
LONGBENCH_SCORES = {
    **dict.fromkeys(("narrativeqa", "qasper", "multifieldqa_en", "hotpotqa", "2wikimqa", "musique", "triviaqa", "nq"), "f1"),
    **dict.fromkeys(("gov_report", "qmsum", "multi_news", "samsum"), "rouge_l"),
    **dict.fromkeys(("dureader", "vcsum"), "rouge_l_zh"),
    **dict.fromkeys(("lcc", "repobench-p"), "edit_similarity"),
    **dict.fromkeys(("trec", "lsht"), "longbench_classification"),
    **dict.fromkeys(("passage_retrieval_en", "passage_retrieval_zh"), "longbench_retrieval"),
    "multifieldqa_zh": "f1_zh",
    "passage_count": "longbench_count",
}


def _v1_questions(row: Fields, place: Place, _context: Context) -> Questions:
    dataset = row["dataset"].removesuffix("_e")
    text, asked = row["context"], row["input"].strip()
    if dataset in _CONTINUED:
        text, asked = f"{text}{row['input']}" if text.endswith("\n") else f"{text}\n{row['input']}", _CONTINUED[dataset]
    asked = f"{_ASKED_OF.get(dataset, '')}{asked}" if asked else _ABOUT_ALL_OF_LONGBENCH.get(dataset, "")
    if not asked:
        yield skipped(NO_DATASET)
        return
    fields: dict[str, Any] = {
        "id": row.get("_id") or place.where, "title": f"{row['dataset']}, {place.where}", "text": text, "question": asked,
        "answers": strings(row["answers"]) or None, **plain(row),
    }  # fmt: skip
    yield RowQuestion({**fields, **({"scores": LONGBENCH_SCORES[dataset]} if dataset in LONGBENCH_SCORES else {})})


def _v2_questions(row: Fields, place: Place, _context: Context) -> Questions:
    choices = [row[f"choice_{one}"] for one in LETTERS]
    gold = row.get("answer")
    if gold is not None and gold not in LETTERS:
        yield skipped(NO_GOLD)
        return
    key = row.get("_id") or place.where
    fields: dict[str, Any] = {
        "id": key, "title": f"LongBench v2, {key}", "text": row["context"], "question": row["question"], "choices": choices,
        "gold": LETTERS.index(gold) if gold else None, **plain(row, *(f"choice_{one}" for one in LETTERS)),
    }  # fmt: skip
    yield RowQuestion(fields)


# --- InfiniteBench -------------------------------------------------------------------------------------------------------

NO_TASK = "its input is empty, and the name of the file is not that of a task"
_ABOUT_ALL_OF_INFINITEBENCH = {
    "longbook_sum_eng": "Summarise this book.",
    "longdialogue_qa_eng": "Which name does $$MASK$$ stand for?",
    "code_debug": "Which function of this code contains a deliberate error?",
    "math_calc": "Compute this, and list the result after each step.",
}
INFINITEBENCH_SCORES = {
    "longbook_qa_eng": "f1",
    "longbook_qa_chn": "f1_zh",
    "longbook_sum_eng": "rouge_lsum",
    **dict.fromkeys(("longbook_choice_eng", "code_debug"), "accuracy"),
    **dict.fromkeys(("passkey", "number_string", "math_find"), "infinitebench_number"),
    **dict.fromkeys(("code_run", "math_calc"), "exact_match"),
    "kv_retrieval": "infinitebench_key",
    "longdialogue_qa_eng": "infinitebench_name",
}


def _infinitebench_questions(row: Fields, place: Place, _context: Context) -> Questions:
    task = place.file
    asked = row["input"].strip() or _ABOUT_ALL_OF_INFINITEBENCH.get(task, "")
    if not asked:
        yield skipped(NO_TASK)
        return
    choices = strings(row["options"])
    answers = _infinitebench_answers(row["answer"], task)
    if choices:
        answers = [one for one in answers if one in choices][:1]
        if not answers:
            yield skipped(NO_GOLD)
            return
    fields: dict[str, Any] = {
        "id": f"{task}, {row['id']}", "title": place.title, "text": row["context"], "question": asked,
        "choices": choices or None, "answers": answers or None, "task": task,
        "scores": INFINITEBENCH_SCORES.get(task, "infinitebench"), **plain(row),
    }  # fmt: skip
    yield RowQuestion(fields)


def _infinitebench_answers(given: Any, task: str) -> list[str]:
    values = given if isinstance(given, list) else [given]
    words = [str(one) for one in values if isinstance(one, str | int | float) and not isinstance(one, bool) and str(one).strip()]
    return [", ".join(words)] if task == "math_calc" and words else words


# --- LongMemEval ---------------------------------------------------------------------------------------------------------

NO_TURNS = "have no turn that is marked as having the answer"


def _longmemeval_questions(row: Fields, _place: Place, _context: Context) -> Questions:
    key, asked = row["question_id"], row["question"]
    text, evidence = _history(row)
    date = row.get("question_date")
    if isinstance(date, str) and date:
        asked = f"{asked} (Asked on {date}.)"
    fields: dict[str, Any] = {
        "id": key, "title": f"Chats for {key}", "text": text, "question": asked, "evidence": evidence,
        **plain(row, "question_id"), "sessions": len(row["haystack_sessions"]),
    }  # fmt: skip
    if key.endswith("_abs"):
        yield RowQuestion({**fields, "answerable": False, "note": str(row.get("answer") or "")[:4_000]})
    else:
        yield RowQuestion({**fields, "answer": row.get("answer")}, lacks=() if evidence else (NO_TURNS,))


def _history(row: Fields) -> tuple[str, list[dict[str, int]]]:
    """The sessions as a text, and where the turns with the answer are."""
    dates = row["haystack_dates"] if isinstance(row.get("haystack_dates"), list) else []
    parts: list[str] = []
    marked: list[tuple[int, int]] = []
    at = 0
    for number, session in enumerate(row["haystack_sessions"]):
        date = f", {dates[number]}" if number < len(dates) else ""
        said = [(f"Session {number + 1}{date}", False)]
        said += [(f"{_speaker(turn)}: {turn.get('content')}", turn.get("has_answer") is True) for turn in objects(session)]
        for words, has_answer in said:
            part = tidy(words)
            if has_answer:
                marked.append((at, at + len(part)))
            parts.append(part)
            at += len(part) + 2
    return "\n\n".join(parts), places(marked)


def _speaker(turn: Fields) -> str:
    role = turn.get("role")
    return role.capitalize() if isinstance(role, str) else "Somebody"


LONGBENCH = Benchmark(
    "LongBench", ("f1",), lambda row: has(row, context=str, input=str, answers=list, dataset=str), _v1_questions
)
LONGBENCH_V2 = Benchmark(
    "LongBench v2",
    ("accuracy",),
    lambda row: has(row, context=str, question=str, choice_A=str, choice_B=str, choice_C=str, choice_D=str),
    _v2_questions,
)
INFINITEBENCH = Benchmark(
    "InfiniteBench",
    ("infinitebench",),
    lambda row: has(row, context=str, input=str, options=list) and "answer" in row and "id" in row,
    _infinitebench_questions,
)
LONGMEMEVAL = Benchmark(
    "LongMemEval", ("judge",), lambda row: has(row, question_id=str, question=str, haystack_sessions=list), _longmemeval_questions
)
