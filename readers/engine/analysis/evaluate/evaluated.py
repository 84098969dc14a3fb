"""The readings of a batch with their scores, and everything they are plotted and sliced by.

A reading that failed gave no answer, and counts so over everything asked; one that has not come to an end yet, or was stopped
midway, is left out and counted. Which scores: those that the questions' benchmark is published with, else those that fit the
questions. Not here: figures and intervals (`table.py`, `compare.py`), and grading, which suggests right or wrong
(`questions/grading/`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from readers.engine.analysis.evaluate.rows import ScoredReading, scored_row
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import BENCHMARK, SetQuestion
from readers.engine.questions.question_set import SCORES as PUBLISHED_WITH
from readers.engine.questions.recipes import names_of_data
from readers.engine.questions.scores import Score, scores_named
from readers.engine.questions.scores.names import spelled
from readers.engine.report.slices import MOST_PARTS, Slice, by_length
from readers.engine.run.batches import CellResult
from readers.engine.store import ListedDocument, Status, Store
from readers.engine.store.run_list import Figures
from readers.engine.text.phrases import counted

CHOICE_SCORES, FREE_SCORES = ("accuracy",), ("exact_match", "f1", "substring", "rouge")
LENGTH = "length"  # the slice by the length of the text, besides the fields of the questions
_ENDED: tuple[Status, ...] = ("finished", "failed")


@dataclass(frozen=True)
class Evaluated:
    """A reading of a batch, or a question that was asked and failed. `variant` and `number` (of the question) are from 0;
    `tokens` is the length of the text; `depth` is where the known evidence begins in it, from 0 to 1, None if nobody knows.
    `used` and `seconds` are None without a reading. `answered`: whether it gave an answer that is not empty."""

    row: ScoredReading
    variant: int
    number: int
    question: SetQuestion
    tokens: int
    depth: float | None
    used: Figures | None
    seconds: float | None
    answered: bool = True


@dataclass(frozen=True)
class Evaluation:
    """The evaluated readings of a batch, the scores in their order, and how many readings are not in it and why."""

    readings: tuple[Evaluated, ...]
    scores: tuple[Score, ...]
    unfinished: int = 0
    hidden: int = 0
    unknown: int = 0
    fields: tuple[str, ...] = field(default=())

    def not_counted(self) -> list[str]:
        """How many readings are not in it, for each reason."""
        why = {
            "not finished yet": self.unfinished,
            "of questions without a known answer": self.unknown,
            "of questions whose answers are hidden from you until you have labelled them": self.hidden,
        }
        return [f"{counted(number, 'reading')} {reason}" for reason, number in why.items() if number]

    @property
    def benchmarks(self) -> list[str]:
        """The benchmarks that the questions are from, as recipes name them."""
        return names_of_data(one.question for one in self.readings)

    @property
    def rows(self) -> list[ScoredReading]:
        return [one.row for one in self.readings]


def evaluate(
    store: Store,
    results: Sequence[CellResult],
    *,
    names: Sequence[str],
    hides: Callable[[SetQuestion], bool] = lambda asked: False,
    scores: Sequence[str] = (),
) -> Evaluation:
    """The readings of a batch with their scores. `names` are its variants' names, `results` all its cells; questions that the
    viewer must not see the answers to yet (`hides`) are left out. `scores` are the names of the wanted ones; without any, those
    of `scores_for`."""
    shown = [one for one in results if not hides(one.question)]
    ended = [one for one in shown if _has_ended(one)]
    known = [one for one in ended if KnownAnswer.of(one.question)]
    wanted = scores_for((one.question for one in known), names=scores)
    runs = [one.run.id for one in known if one.run]
    used = store.run_list.figures(runs)
    replies = store.run_list.last_replies(runs) if any(one.taking for one in wanted) else {}
    sizes = {one.id: one for one in store.documents.listed()}
    kept = _Kept(sizes, used, replies)
    made = partial(_evaluated, names=names, scores=wanted, kept=kept)
    return Evaluation(
        tuple(made(one) for one in known), wanted, len(shown) - len(ended), len(results) - len(shown), len(ended) - len(known),
        fields_of([one.question for one in known]),
    )  # fmt: skip


def scores_for(questions: Iterable[SetQuestion], *, names: Sequence[str] = ()) -> tuple[Score, ...]:
    """The scores of these names, by the rules of the questions' benchmarks. Without names, those that the benchmarks are
    published with; without any, accuracy for questions with choices, else exact match, F1, substring match and ROUGE."""
    published: dict[str, None] = {}
    usual: dict[str, None] = {}
    for one in questions:
        fields = dict(one.fields)
        named = names or (fields.get(PUBLISHED_WITH, "").split(", ") if fields.get(PUBLISHED_WITH) else ())
        published |= dict.fromkeys(spelled(named, benchmark=fields.get(BENCHMARK, "")))
        usual |= dict.fromkeys(CHOICE_SCORES if one.choices else FREE_SCORES)
    return scores_named([*published]) or scores_named([*usual])


def applying(names: Iterable[str], questions: Iterable[SetQuestion]) -> list[str]:
    """The names, of these, of scores that apply to any of the questions. Names of ratings and figures are left out."""
    known = [one for one in map(KnownAnswer.of, questions) if one]
    found = {name: scores_named([name]) for name in names}
    return [name for name, scores in found.items() if any(one.of("", of).value is not None for one in scores for of in known)]


def fields_of(questions: Sequence[SetQuestion]) -> tuple[str, ...]:
    """The fields by which the questions can be sliced: those with two values at least, and not too many."""
    values: dict[str, set[str]] = {}
    for one in questions:
        for name, value in one.fields:
            if name != PUBLISHED_WITH:
                values.setdefault(name, set()).add(value)
    return tuple(name for name, found in values.items() if 1 < len(found) <= MOST_PARTS)


def sliced(readings: Iterable[Evaluated], by: str) -> dict[str, list[Evaluated]]:
    """The readings by the value of a field, or by the length of the text (`LENGTH`); those without are left out."""
    by_field = Slice[Evaluated](by, lambda one: dict(one.question.fields).get(by))
    return (by_length(lambda one: one.tokens) if by == LENGTH else by_field).parts(readings)


def _has_ended(result: CellResult) -> bool:
    return result.run.status in _ENDED if result.run else bool(result.cell.error)


class _Kept(NamedTuple):
    """What the store has: the texts, and what each reading took and was replied last."""

    texts: Mapping[str, ListedDocument]
    used: Mapping[str, Figures]
    replies: Mapping[str, str]


def _evaluated(result: CellResult, *, names: Sequence[str], scores: Sequence[Score], kept: _Kept) -> Evaluated:
    cell, asked, run, _ = result
    row = ScoredReading(names[cell.variant], asked.document, str(cell.number), sample=cell.sample, run=run.id if run else "")
    answer = run.answer if run and run.status == "finished" else None
    size = kept.texts.get(asked.document)
    first = min((span.start for span in asked.evidence), default=None)
    depth = first / size.chars if first is not None and size and size.chars else None
    scored = scored_row(row, answer, KnownAnswer.of(asked), scores, reply=kept.replies.get(row.run))
    return Evaluated(
        scored, cell.variant, cell.number, asked, size.tokens if size else 0, depth,
        kept.used.get(run.id) if run else None, run.seconds if run else None, bool((answer or "").strip()),
    )  # fmt: skip
