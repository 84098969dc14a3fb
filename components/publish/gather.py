"""What is published of a store: the readings of a batch, or single readings, with their forks. No Streamlit.

`Known` says what is known of the answer to a reading's question, as far as whoever publishes may see it. Not here: the pages made
of it (`site.py`), and the recordings that come with Palimpsest (`shipped.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from components.html.words import reading_words, wording
from components.html.words.reading_words import title_in_list
from components.publish import evaluation_section
from components.publish.contents import SiteContents, SiteReading
from components.replay.reading import Replayed, replayed
from readers import get
from readers.engine.analysis.evaluate.evaluated import Evaluation, applying, evaluate
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.analysis.facts.follow import evidence_of, follow
from readers.engine.errors import BadOptions
from readers.engine.files.runs.content import content_of
from readers.engine.files.runs.run_file import run_file_of
from readers.engine.models import catalogue
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.recipes import scores_of_recipe
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import counted, listed

Known = Callable[[Run], KnownAnswer | None]
TITLE = "Readings to watch"


def of_batch(store: Store, batch: Batch, known: Known) -> SiteContents:
    """The readings of a batch that have ended, with their scores, and their forks."""
    results = batches.results(store, batch)
    plan = BatchPlan.of(batch.plan)
    names = reading_words.names_of(plan)
    made = {one.run.id: one for one in results if one.run and one.run.status not in AT_WORK}
    hidden = _hidden(results, known)
    found = evaluate(
        store, results, names=names, scores=applying(scores_of_recipe(plan.recipe), (one.question for one in results)),
        hides=lambda asked: (asked.document, asked.question) in hidden,
    )  # fmt: skip
    ways = {run_id: names[one.cell.variant] for run_id, one in made.items()}
    readings = _readings(store, [one.run for one in made.values() if one.run], known, ways=ways, scores=_scores(found))
    fates = {one.run.id: one.fate for one in readings}
    sections = [evaluation_section.section(store, batch, found, names=names, fates=fates)]
    models = listed(dict.fromkeys(catalogue.title(one.model) for one in plan.variants), most=len(plan.variants))
    return SiteContents(batch.name, [*facts_of(readings), f"read by {models}"], readings, [one for one in sections if one])


def of_runs(store: Store, runs: Sequence[Run], known: Known, *, title: str) -> SiteContents:
    """These readings and their forks. Raises BadOptions if one has not ended."""
    if going := next((run for run in runs if run.status in AT_WORK), None):
        raise BadOptions(f"reading {going.id!r} has not ended; wait for it, or cancel it first")
    readings = _readings(store, runs, known)
    return SiteContents(title, facts_of(readings), readings)


def way_of(run: Run) -> str:
    """The reader and the model of a reading that no batch has a name for."""
    return f"{title_in_list(run)} · {wording.models(run.spec)}"


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


def _readings(
    store: Store,
    runs: Sequence[Run],
    known: Known,
    *,
    ways: Mapping[str, str] = {},
    scores: Mapping[str, float] = {},
) -> list[SiteReading]:
    """The readings, each once, then the forks of each that are not among them."""
    listed = {run.id: run for run in runs}
    forks = {one.id: one for run in runs for one in _forks(store, run) if one.id not in listed}
    every = [*listed.values(), *forks.values()]
    answers = {run.id: known(run) for run in every}
    fates = _fates(store, [Wanted(run, answer) for run in every if (answer := answers[run.id])])
    return [
        replace(
            _reading(store, run, answers[run.id]),
            way=ways.get(run.id) or way_of(run), fate=fates.get(run.id), score=scores.get(run.id), fork=run.id in forks,
        )
        for run in every
    ]  # fmt: skip


def _forks(store: Store, run: Run) -> Iterable[Run]:
    """The forks of a reading, and theirs, that have ended and are no samples of an experiment."""
    family = store.runs.family(run.id)
    below = {run.id}
    for one in sorted(family, key=lambda each: each.created):
        if one.parent in below and not one.experiment and one.status not in AT_WORK:
            below.add(one.id)
            yield one


def _fates(store: Store, every: Sequence[Wanted]) -> dict[str, EvidenceFate | None]:
    followed = [one for one in every if one.known.evidence]
    found = evidence.saved_fates(store, followed)
    made = evidence.make_fates(store, [one for one in followed if one.run.id not in found], get)
    return found | {one.run.id: fate for one, fate in made}


def _reading(store: Store, run: Run, known: KnownAnswer | None) -> SiteReading:
    reader = get(run.reader)

    def opened() -> Replayed:
        found = replayed(store, run.id, known=known)
        facts = evidence_of(known, found.reading.document) if known else []
        return replace(found, followed=follow(found.reading, reader, facts, known=known))

    def file(found: Replayed) -> dict[str, Any]:
        return run_file_of(store, found.reading, reader, known=known, followed=found.followed or ())

    return SiteReading(run, content_of(store, run), way_of(run), opened, file, known)


def facts_of(readings: Sequence[SiteReading]) -> list[str]:
    """How many readings, questions and texts there are."""
    shown = [one for one in readings if not one.fork]
    forks = len(readings) - len(shown)
    return [
        counted(len(shown), "reading"),
        counted(len({one.asked for one in shown}), "question"),
        counted(len({one.run.document for one in shown}), "text"),
        *([counted(forks, "fork")] if forks else []),
    ]
