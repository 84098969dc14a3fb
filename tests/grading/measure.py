"""The labelled answers with what the rules make of them, and shares of them with intervals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.questions.grading import Outcome, grade
from readers.engine.questions.known_answer import KnownAnswer
from tests.facts.measure import Share

FILE = Path(__file__).with_name("answers.jsonl")
_LABEL: dict[Outcome, str] = {
    "correct": "right", "partly": "partly", "wrong": "wrong", "abstained_right": "right", "abstained_wrong": "wrong",
    "not_judgeable": "open",
}  # fmt: skip


class Asked(NamedTuple):
    """An answer, and what is known of its question."""

    answer: str
    known: KnownAnswer


class LabelledAnswer(NamedTuple):
    """An answer, what the rules say of it and how surely, and its labels."""

    question: str
    answer: str
    kept: bool
    said: str
    certain: bool
    reason: str
    labels: tuple[str, ...]

    @property
    def label(self) -> str:
        """The first label."""
        return self.labels[0]


@cache
def answers() -> tuple[LabelledAnswer, ...]:
    """Every labelled answer, graded."""
    found = []
    for row, (answer, known) in zip(_rows(), asked(), strict=True):
        graded = grade("answered", answer, (), known)
        assert graded is not None
        about = (_LABEL[graded.outcome], graded.certainty == "certain", graded.reason)
        found.append(LabelledAnswer(known.question, answer, row.get("kept", False), *about, tuple(row["labels"])))
    return tuple(found)


@cache
def asked() -> tuple[Asked, ...]:
    """Every labelled answer, and what is known of its question."""
    return tuple(Asked(row["answer"], _known(row)) for row in _rows())


def _known(row: Mapping[str, Any]) -> KnownAnswer:
    return KnownAnswer(row["question"], answers=tuple(row["known"]), all_required=row.get("all_required", False))


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def halves() -> tuple[Sequence[LabelledAnswer], Sequence[LabelledAnswer]]:
    """The answers that the rules were made on, and those kept for the figure."""
    return [one for one in answers() if not one.kept], [one for one in answers() if one.kept]


def decided(these: Sequence[LabelledAnswer]) -> list[LabelledAnswer]:
    """Those that the rules call right or wrong."""
    return [one for one in these if one.said in ("right", "wrong")]


def agreement(these: Sequence[LabelledAnswer]) -> Share:
    """Of the answers called right or wrong, those whose label says so."""
    said = decided(these)
    return Share(sum(one.said == one.label for one in said), len(said))


def left_open(these: Sequence[LabelledAnswer]) -> Share:
    return Share(sum(one.said == "open" for one in these), len(these))


def between_labels() -> tuple[int, int, float]:
    """How many answers with two labels have the same one twice, of how many, and Cohen's kappa (1960)."""
    twice = [one.labels for one in answers() if len(one.labels) == 2]
    same, n = sum(first == second for first, second in twice), len(twice)
    if not n:
        return 0, 0, 0.0
    firsts, seconds = (Counter(labels[number] for labels in twice) for number in (0, 1))
    chance = sum(firsts[label] * seconds[label] for label in firsts) / n**2
    return same, n, (same / n - chance) / (1 - chance)
