"""The readings of a batch with their scores, figures and ratings, and everything they are plotted and sliced by.

A reading that failed counts as without an answer over everything asked; a reading that has not ended, or was stopped midway, is
left out, and their number is given. Which scores: those that the questions' benchmark is published with, else those that fit the
questions. A rating by models is the mean over the raters of an answer, as a share of its highest value: an empty answer is not
rated and counts 0; an answer that no model has rated yet is left out. Not here: means and intervals (`scores.py`), asking models
(`forks/rater.py`), and grading, which suggests right or wrong (`questions/grading/`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from readers.engine.analysis.evaluate.scores import ScoredReading, Scores, scored_row, scores_of, with_figures, with_scores
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.measures import FIGURES, figures, measures_of
from readers.engine.errors import NotFound
from readers.engine.forks.rater import Rated, RatingKind
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import BENCHMARK, SetQuestion
from readers.engine.questions.question_set import SCORES as PUBLISHED_WITH
from readers.engine.questions.recipes import names_of_data
from readers.engine.questions.scores import RATED, Score, Scored, scores_named, spelled
from readers.engine.questions.scores.rated import helmet_score, lr_scores, mean_of_raters
from readers.engine.report.slices import MOST_PARTS, Slice, by_length
from readers.engine.run.batches import CellResult
from readers.engine.run.reader import Reader
from readers.engine.store import Status, Store, open_reading
from readers.engine.store.run_list import Figures

Ratings = Mapping[str, Sequence[Rated]]  # by reading
RATING_KINDS: tuple[RatingKind, ...] = ("lr", "helmet")
CHOICE_SCORES, FREE_SCORES = ("accuracy",), ("exact_match", "f1", "substring", "rouge")
LENGTH = "length"  # the slice by the length of the text, in addition to the fields of the questions
_ENDED: tuple[Status, ...] = ("finished", "failed")


@dataclass(frozen=True, kw_only=True)
class Evaluated(ScoredReading):
    """A reading of a batch, or a question that was asked and failed. `tokens` is the length of the text; `depth` is where the
    known evidence begins in it, from 0 to 1, None if unknown. `used` and `seconds` are None without a reading. `answered`:
    whether it gave an answer that is not empty."""

    asked: SetQuestion
    tokens: int
    depth: float | None = None
    used: Figures | None = None
    seconds: float | None = None
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

    @property
    def benchmarks(self) -> list[str]:
        """The benchmarks that the questions are from, as recipes name them."""
        return names_of_data(one.asked for one in self.readings)

    @property
    def readers(self) -> list[str]:
        return list(dict.fromkeys(one.reader for one in self.readings))


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
    sizes = {one.id: (one.tokens, one.chars) for one in store.documents.listed()}

    def evaluated(result: CellResult) -> Evaluated:
        cell, asked, run, _ = result
        answer = run.answer if run and run.status == "finished" else None
        tokens, chars = sizes.get(asked.document, (0, 0))
        first = min((span.start for span in asked.evidence), default=None)
        row = Evaluated(
            reader=names[cell.variant], text=asked.document, question=str(cell.number), sample=cell.sample,
            run=run.id if run else "", asked=asked, tokens=tokens, depth=first / chars if first is not None and chars else None,
            used=used.get(run.id) if run else None, seconds=run.seconds if run else None, answered=bool((answer or "").strip()),
        )  # fmt: skip
        return scored_row(row, answer, KnownAnswer.of(asked), wanted, reply=replies.get(row.run))

    return Evaluation(
        tuple(map(evaluated, known)), wanted, len(shown) - len(ended), len(results) - len(shown), len(ended) - len(known),
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
    """The fields by which the questions can be sliced: those with at least two values, but not too many."""
    values: dict[str, set[str]] = {}
    for one in questions:
        for name, value in one.fields:
            if name != PUBLISHED_WITH:
                values.setdefault(name, set()).add(value)
    return tuple(name for name, found in values.items() if 1 < len(found) <= MOST_PARTS)


def sliced(readings: Iterable[Evaluated], by: str) -> dict[str, list[Evaluated]]:
    """The readings by the value of a field, or by the length of the text (`LENGTH`); those without are left out."""
    by_field = Slice[Evaluated](by, lambda one: dict(one.asked.fields).get(by))
    return (by_length(lambda one: one.tokens) if by == LENGTH else by_field).parts(readings)


def _has_ended(result: CellResult) -> bool:
    return result.run.status in _ENDED if result.run else bool(result.cell.error)


# Figures and ratings


def figures_table(
    store: Store,
    readings: Iterable[Evaluated],
    readers: Callable[[str], Reader],
    *,
    fates: Mapping[str, EvidenceFate | None],
    measured: Mapping[str, Mapping[str, Any]] = {},
) -> Scores:
    """Readers by the methods' own figures, in the order of `FIGURES`. Each reading that was not `measured` is opened once;
    questions without a reading, and readings that were deleted meanwhile, have no figures. `fates` and `measured` are by run:
    fates that are missing are not computed."""
    rows: list[Evaluated] = []
    for one in readings:
        with suppress(NotFound):
            if one.run:
                measures = measured.get(one.run) or _measures(store, one, readers)
                rows.append(with_figures(replace(one, scores={}), figures(measures, fates.get(one.run))))
    found = scores_of(rows)
    return replace(found, scores=tuple(name for name in FIGURES if name in found.scores))


def _measures(store: Store, one: Evaluated, readers: Callable[[str], Reader]) -> Mapping[str, Any]:
    reading = open_reading(store, one.run)
    return measures_of(reading, readers(reading.run.reader), known=KnownAnswer.of(one.asked))


def with_ratings(found: Evaluation, ratings: Ratings) -> Evaluation:
    """The readings with the ratings of their answers next to their scores."""
    kinds = [kind for kind in RATING_KINDS if any(one.kind == kind for some in ratings.values() for one in some)]
    return replace(
        found,
        readings=tuple(with_scores(one, dict(_rated(one, kinds, ratings.get(one.run, ())))) for one in found.readings),
    )


def _rated(one: Evaluated, kinds: Sequence[RatingKind], given: Sequence[Rated]) -> Iterator[tuple[str, Scored]]:
    """The ratings of an answer, each as a share of its highest value."""
    for kind in kinds:
        scores: Mapping[str, Scored] = {}
        if by_rater := [rating.scores for rating in given if rating.kind == kind]:
            scores = mean_of_raters(by_rater)
        elif not one.answered:
            scores = lr_scores([]) if kind == "lr" else helmet_score(None)
        for name, score in scores.items():
            most = RATED[name].most
            value, published = (None if number is None else number / most for number in (score.value, score.published))
            yield name, Scored(value, published, score.traps)
