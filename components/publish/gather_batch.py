"""What is published of a batch: its readings with their scores, and the pages on what they score and where facts were lost. No
Streamlit. Not here: how a reading is gathered (`gather.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from components.html.words import reading_words
from components.publish import evaluation_section, lost_section
from components.publish.again import Again
from components.publish.contents import SiteContents
from components.publish.gather import Known, facts_of, gathered
from readers.engine.analysis.evaluate.evaluated import Evaluation, applying, evaluate
from readers.engine.errors import NotFound
from readers.engine.models import catalogue
from readers.engine.questions.export_questions import written
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import SetQuestion
from readers.engine.questions.recipes import scores_of_recipe
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store import AT_WORK, Store
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import listed


def of_batch(store: Store, batch: Batch, known: Known) -> SiteContents:
    """The readings of a batch that have ended, with their scores, and their forks."""
    results = batches.results(store, batch)
    plan = BatchPlan.of(batch.plan)
    names = reading_words.names_of(plan)
    made = {one.run.id: one for one in results if one.run and one.run.status not in AT_WORK}
    hidden = _hidden(results, known)

    def hides(asked: SetQuestion) -> bool:
        return (asked.document, asked.question) in hidden

    scores = applying(scores_of_recipe(plan.recipe), (one.question for one in results))
    found = evaluate(store, results, names=names, scores=scores, hides=hides)
    ways = {run_id: names[one.cell.variant] for run_id, one in made.items()}
    measured: dict[str, Mapping[str, Any]] = {}
    runs = [one.run for one in made.values() if one.run]
    readings = gathered(store, runs, known, ways=ways, scores=_scores(found), measured=measured)
    fates = {one.run.id: one.fate for one in readings}
    followed = [one for one in results if not hides(one.question)]
    sections = [
        evaluation_section.section(store, batch, found, names=names, fates=fates, measured=measured),
        lost_section.section(followed, plan.variants, names, fates),
    ]
    models = listed(dict.fromkeys(catalogue.title(one.model) for one in plan.variants), most=len(plan.variants))
    questions = _set_name(store, batch)
    return SiteContents(
        batch.name, [*facts_of(readings), f"read by {models}"], readings, [one for one in sections if one],
        made=[("Questions", ", ".join(filter(None, [questions, plan.drawn_in_words]))), ("Recipe", plan.recipe),
              ("Readings of each question by each reader", f"{plan.samples:,}"),
              ("Choices", "shown to the reader" if plan.give_choices else "not shown to the reader")],
        again=Again.of(plan, questions, b"" if hidden else _question_file(store, results)),
    )  # fmt: skip


def _question_file(store: Store, results: Sequence[CellResult]) -> bytes:
    """The questions of a batch, in order, with their texts."""
    return written(list(dict.fromkeys(one.question for one in results)), store.documents.get)


def _set_name(store: Store, batch: Batch) -> str:
    """The name of the questions of a batch; that of the batch where they were deleted."""
    try:
        return store.question_sets.get(batch.question_set).name
    except NotFound:
        return batch.name


def _hidden(results: Sequence[CellResult], known: Known) -> set[tuple[str, str]]:
    """The questions whose answers whoever publishes may not see yet."""
    return {
        (one.question.document, one.question.question)
        for one in results
        if one.run and KnownAnswer.of(one.question) and known(one.run) is None
    }


def _scores(found: Evaluation) -> dict[str, float]:
    """The first score of each reading, by run."""
    if not found.scores:
        return {}
    first = found.scores[0].name
    return {one.run: value for one in found.readings if (value := one.value(first)) is not None}
