"""LongBench's and InfiniteBench's own scores: F1, numbers of paragraphs, numbers, keys, names. Pure.

Not here: their choices (`choices.py`), their ROUGE (`rouge.py`), Chinese cut into words (LongBench's F1 for Chinese), and the
scores of tasks that are not reading: completing, running and mending code, and sums.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import score
from readers.engine.questions.scores.score import (
    NOT_APPLICABLE,
    Score,
    Scored,
    best,
    counted_lines,
    has_words,
    normalised,
    normalised_chinese,
    overlap_f1,
    same,
    scored,
)

_NUMBER, _FIGURES = re.compile(r"\d+"), re.compile(r"[0-9]+")
_PARAGRAPH = re.compile(r"(?:Paragraph |段落)(\d+)")
_FIRST_LINES = ("triviaqa",)  # LongBench's task of which only the first line of a reply counts
_BLANKED = str.maketrans(dict.fromkeys("\n:\"'.,?!{}", " "))


def longbench_qa_f1(answer: str, known: KnownAnswer) -> Scored:
    """The best F1 of normalised words; two texts without words have 0, unlike in SQuAD 2.0."""
    answer = counted_lines(answer, known, _FIRST_LINES)
    return same(best(answer, known, lambda one, other: overlap_f1(normalised(one).split(), normalised(other).split())))


def infinitebench_chinese_f1(answer: str, known: KnownAnswer) -> Scored:
    """The best F1 of characters, without blanks and punctuation."""
    return same(best(answer, known, lambda one, other: overlap_f1(normalised_chinese(one), normalised_chinese(other))))


def longbench_count(answer: str, known: KnownAnswer) -> Scored:
    """The share of the numbers in the answer that are the known number, figure by figure; 0 without numbers."""
    return same(best(answer, known, _share_of_numbers)) if known.answerable else NOT_APPLICABLE


def longbench_paragraph(answer: str, known: KnownAnswer) -> Scored:
    """As `longbench_count`, for the number of the known paragraph ("Paragraph 12", "段落12")."""
    wanted = [found[1] for one in known.answers if (found := _PARAGRAPH.search(one))]
    return same(max(_share_of_numbers(answer, one) for one in wanted)) if known.answerable and wanted else NOT_APPLICABLE


def _share_of_numbers(answer: str, wanted: str) -> float:
    numbers = _NUMBER.findall(answer)
    return numbers.count(wanted) / len(numbers) if numbers else 0.0


def infinitebench_number(answer: str, known: KnownAnswer) -> Scored:
    """1 if the answer has the known number; as published, if its first run of figures is that of the first known answer."""
    if not _is_task(known, "passkey", "number_string"):
        return NOT_APPLICABLE
    numbers = _FIGURES.findall(answer)
    value = any(one.strip() in numbers for one in known.answers)
    published = (numbers[0] if numbers else "") == known.answers[0]
    return scored(float(value), float(published), score.FIRST_NUMBER)


def infinitebench_key(answer: str, known: KnownAnswer) -> Scored:
    """1 if the answer has the known value; as published, if the first known answer is one of its words, capitals and all."""
    return _one_word(answer, known, answer.translate(_BLANKED).split()) if _is_task(known, "kv_retrieval") else NOT_APPLICABLE


def infinitebench_name(answer: str, known: KnownAnswer) -> Scored:
    """1 if the answer has the known name; as published, if the first known name is one of its words, put in capitals."""
    words = answer.translate(_BLANKED).upper().split()
    return _one_word(answer, known, words) if _is_task(known, "longdialogue_qa_eng") else NOT_APPLICABLE


def _is_task(known: KnownAnswer, *tasks: str) -> bool:
    """Whether a question has an answer and is of one of these tasks; a question of no named task may be of any."""
    return known.answerable and known.field("task") in ("", *tasks)


def _one_word(answer: str, known: KnownAnswer, words: Sequence[str]) -> Scored:
    first, value = known.answers[0], any(has_words(answer, one) for one in known.answers)
    trap = score.FIRST_ONLY if len(known.answers) > 1 else score.ONE_WORD_ONLY if len(first.split()) > 1 else score.CAPITALS
    return scored(float(value), float(first in words), trap)


_LONGBENCH = "Bai et al. 2024, LongBench, metrics.py"
_INFINITE = "Zhang et al. 2024, InfiniteBench, src/compute_scores.py"

BENCHMARKS = (
    Score("longbench_qa_f1", "F1 (LongBench)", f"{_LONGBENCH}, qa_f1_score; InfiniteBench, qa_f1_score", longbench_qa_f1),
    Score("longbench_count", "Count (LongBench)", f"{_LONGBENCH}, count_score", longbench_count),
    Score("longbench_paragraph", "Paragraph (LongBench)", f"{_LONGBENCH}, retrieval_score", longbench_paragraph),
    Score("infinitebench_chinese_f1", "F1, Chinese (InfiniteBench)", f"{_INFINITE}, qa_f1_score_zh", infinitebench_chinese_f1),
    Score(
        "infinitebench_number", "Number (InfiniteBench)", f"{_INFINITE}, get_score_one_passkey, get_score_one_number_string",
        infinitebench_number,
    ),
    Score("infinitebench_key", "Key (InfiniteBench)", f"{_INFINITE}, get_score_one_kv_retrieval", infinitebench_key),
    Score(
        "infinitebench_name", "Name (InfiniteBench)", f"{_INFINITE}, get_score_one_longdialogue_qa_eng",
        infinitebench_name,
    ),
)  # fmt: skip
