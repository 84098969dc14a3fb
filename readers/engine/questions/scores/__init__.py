"""Scores as published and over everything asked: `SCORES["f1"].of(answer, known)`.

A score says how far an answer agrees with the known answer, by the rule of one benchmark or paper. Pure. Not here: grading, which
suggests right or wrong to a person (`grading/`); ratings by a model (`rated.py` has what they amount to); tables and intervals
(`analysis/evaluate/`).

A benchmark's file says for each question how it is scored (the fields `benchmark` and `scores`). The same name can mean another
rule elsewhere: HotpotQA's F1 is not SQuAD's. The user's own question has accuracy if it has choices, else the scores of short
answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores.benchmarks import BENCHMARKS
from readers.engine.questions.scores.choices import BABILONG, CHOICES
from readers.engine.questions.scores.rated import RATED, RatedScore
from readers.engine.questions.scores.rouge import ROUGE
from readers.engine.questions.scores.score import NOT_APPLICABLE, Score, Scored
from readers.engine.questions.scores.short_answers import SHORT_ANSWERS

SCORES: Mapping[str, Score] = {one.name: one for one in (*CHOICES, *SHORT_ANSWERS, *ROUGE, BABILONG, *BENCHMARKS)}
OF_CHOICES, OF_WORDS = ("accuracy",), ("exact_match", "f1", "substring")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "rouge": ("rouge_1", "rouge_2", "rouge_l"),
    "lr": ("lr_1", "lr_2"),
    "substring_match": ("substring",),
    "string_match_all": ("ruler_all",),
    "string_match_part": ("ruler_part",),
    "f1_zh": ("infinitebench_chinese_f1",),
    "rouge_l_zh": ("rouge_l",),
    "longbench_classification": ("longbench_class",),
    "longbench_retrieval": ("longbench_paragraph",),
    "infinitebench": ("infinitebench_number", "infinitebench_key", "infinitebench_name"),
}
# The rules that a benchmark's own scorer has under a common name.
OF_BENCHMARK: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("HotpotQA", "f1"): ("hotpotqa_f1",),
    ("2WikiMultiHopQA", "f1"): ("hotpotqa_f1",),
    ("RULER-HQA", "f1"): ("hotpotqa_f1",),
    ("RULER-HQA", "substring_match"): ("sub_em", "sub_em_boxed"),
    ("LongBench", "f1"): ("longbench_qa_f1",),
    ("LongBench", "rouge_l"): ("longbench_rouge",),
    ("LongBench v2", "accuracy"): ("accuracy", "longbench_v2"),
    ("InfiniteBench", "f1"): ("longbench_qa_f1",),
    ("InfiniteBench", "accuracy"): ("accuracy", "infinitebench_choice"),
}
NOT_HERE: Mapping[str, str] = {
    "bleu_1": "BLEU is not computed here; the papers whose methods are here report ROUGE-L and LR of NarrativeQA",
    "bleu_4": "BLEU is not computed here; the papers whose methods are here report ROUGE-L and LR of NarrativeQA",
    "meteor": "METEOR needs WordNet, which is not had here",
    "edit_similarity": "the likeness of two lines of code is not a score of reading",
    "judge": "LongMemEval's judge has a prompt for each kind of question; LR-1 and HELMET's judge are the nearest here",
}

__all__ = [
    "GROUPS", "NOT_APPLICABLE", "NOT_HERE", "OF_BENCHMARK", "RATED", "SCORES", "RatedScore", "Score", "Scored", "names_of",
    "scores_named", "scores_of", "spelled",
]  # fmt: skip


def names_of(known: KnownAnswer) -> tuple[str, ...]:
    """The names of the scores of a question, including rated scores, each once. Names without a score here are kept unchanged:
    `NOT_HERE` may say why."""
    given = [one for one in known.field("scores").replace(",", " ").split() if one]
    return spelled(given or (OF_CHOICES if known.choices else OF_WORDS), benchmark=known.field("benchmark"))


def spelled(names: Iterable[str], *, benchmark: str = "") -> tuple[str, ...]:
    """Names with groups spelled out, each once."""
    found = (one for name in names for one in OF_BENCHMARK.get((benchmark, name), GROUPS.get(name, (name,))))
    return tuple(dict.fromkeys(found))


def scores_named(names: Iterable[str]) -> tuple[Score, ...]:
    """The scores of these names, groups spelled out, each once. Names of no score are left out, and those that a model rates:
    they are in `RATED`."""
    return tuple(SCORES[name] for name in spelled(names) if name in SCORES)


def scores_of(known: KnownAnswer) -> tuple[Score, ...]:
    """The scores that a question is published with, or that suit it."""
    return scores_named(names_of(known))
