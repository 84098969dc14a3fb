"""What the Questions page says of question sets, prices and batches, without drawing it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from components.html import wording
from components.html.wording import Chip, count
from readers.engine.models import catalogue
from readers.engine.questions.grading import Grade
from readers.engine.questions.import_questions import Problem, describe_problem
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.batches import BatchPlan, BatchPrice, BatchProgress, CellResult
from readers.engine.run.estimate import Range
from readers.engine.store.batches import Batch
from readers.engine.store.question_sets import ListedSet
from readers.engine.text.shorten import shorten_at_word

SHOWN = 240
MOST_PROBLEMS = 20
JUDGED = {
    "correct": Chip("◆", "right", "good"), "partly": Chip("◇", "partly right", "good"), "wrong": Chip("✕", "wrong", "lost"),
    "abstained_right": Chip("∅", "rightly none", "good"), "abstained_wrong": Chip("∅", "none, though given", "lost"),
    "not_judgeable": Chip("?", "not judged", "quiet"),
}  # fmt: skip
FAILED, OPEN = "failed", "open"
ONLY = {
    "": "All", "correct": "Right", "partly": "Partly right", "wrong": "Wrong", "abstained_right": "Rightly no answer",
    "abstained_wrong": "No answer, though the text gives one", "not_judgeable": "Not judged by rule",
    FAILED: "Failed, or could not begin", OPEN: "Not read to the end",
}  # fmt: skip
BY_RULE = (
    "Judged by rule, as a first guess: a choice by its letter or words, a free answer by the words it shares with a known one "
    "(F1 is 1 where they share all, 0 where they share none). People decide when they label."
)


def set_facts(kept: ListedSet, now: datetime) -> list[str]:
    return [
        count(kept.questions, "question"),
        count(kept.documents, "text"),
        f"added {wording.ago(kept.created, now)}",
    ]


def batch_facts(batch: Batch, progress: BatchProgress, *, going: bool, now: datetime) -> list[str]:
    """How a batch stands in a list."""
    ways = len(batch.plan.get("variants", ()))
    told = [
        f"{progress.done:,} of {progress.total:,} read",
        count(ways, "way of reading") if ways == 1 else f"{ways} ways of reading",
    ]
    return [*told, stands(batch, progress, going=going).word, wording.ago(batch.created, now)]


def stands(batch: Batch, progress: BatchProgress, *, going: bool) -> Chip:
    """How a batch stands, in a word."""
    if going:
        return Chip("●", "stopping" if batch.cancelled else "reading", "quiet")
    if not progress.resumable:
        return Chip("◆", "all read", "good")
    if batch.cancelled:
        return Chip("■", "stopped", "quiet")
    if progress.left or progress.stopped:
        return Chip("‖", "interrupted", "warn")
    return Chip("!", f"{progress.failed + progress.refused:,} failed", "warn")


def going_facts(progress: BatchProgress, seconds: float, since: int) -> list[str]:
    """Count, rate and time left; `since` are the readings that came to an end in these seconds."""
    told = [f"{progress.done:,} of {progress.total:,} read", f"{progress.going:,} going"]
    if progress.failed + progress.refused:
        told.append(f"{progress.failed + progress.refused:,} failed")
    if since > 0 and seconds >= 3:
        left = progress.left + progress.going + progress.stopped
        told.append(f"about {wording.duration(left * seconds / since)} left")
    return told


def price(found: BatchPrice, *, free: bool) -> list[tuple[str, str, str]]:
    """Each figure by its name, with what there is to say of it."""
    more = "at least " if found.open_end else ""
    tried = "" if found.tried == found.texts else f"{found.tried} of {found.texts:,} texts tried out"
    rows = [
        ("Readings", f"{found.readings:,}", ""),
        ("Calls to the model", more + wording.numbers(found.calls, rough=True), tried),
        ("Tokens sent", more + wording.numbers(found.tokens_in, rough=True), ""),
        ("Tokens written", more + wording.numbers(found.tokens_out, rough=True), ""),
        (
            "Cost",
            "nothing" if free else (more if found.cost else "") + _money(found.cost),
            "" if found.cost else "no price is known for this model",
        ),
    ]
    if found.seconds is not None:
        rows.append(("Time", f"up to {wording.duration(max(1.0, found.seconds.high))}", "one reading after the other"))
    return rows


def _money(cost: Range | None) -> str:
    if cost is None:
        return "unknown"
    return "under 1 cent" if cost.high < 0.01 else f"${cost.low:,.2f} to ${cost.high:,.2f}"


def problems(found: Sequence[Problem]) -> tuple[list[tuple[str, str, str, str]], int]:
    """The first problems as rows of a table, and how many more there are."""
    rows = [
        (one.file, one.where, one.field, wording.sentence(one.why))
        if one.file
        else ("", "", "", wording.sentence(describe_problem(one)))
        for one in found[:MOST_PROBLEMS]
    ]
    return rows, len(found) - len(rows)


def known(asked: SetQuestion) -> str:
    """What is known of the answer, where the choices do not show it."""
    places = f"; {count(len(asked.evidence), 'known place')} in the text" if asked.evidence else ""
    if asked.answerable is False:
        return "The text does not answer it."
    if asked.choices and asked.answers:
        letters = " and ".join(f"({chr(65 + n)})" for n, choice in enumerate(asked.choices) if choice in asked.answers)
        return f"{letters or 'One of them'} is right{places}"
    if asked.answers:
        more = f" (and {len(asked.answers) - 1} more)" if len(asked.answers) > 1 else ""
        return f"{short(asked.answers[0])}{more}{places}"
    return places.removeprefix("; ")


def unknown(asked: SetQuestion) -> SetQuestion:
    """A question with nothing of what is known of its answer."""
    return replace(asked, answers=(), answerable=None, evidence=(), note="")


def unjudged(result: CellResult) -> CellResult:
    """One reading of a batch for somebody who must not know yet what is right."""
    grade = Grade("not_judgeable", wording.KEPT_BACK) if result.grade else None
    return result._replace(question=unknown(result.question), grade=grade)


def right(asked: SetQuestion) -> str:
    """The right answer, in a list of readings."""
    if asked.answerable is False:
        return "The text does not answer it"
    letters = [f"({chr(65 + n)}) " for n, choice in enumerate(asked.choices) if choice in asked.answers[:1]]
    return f"{letters[0] if letters else ''}{short(asked.answers[0])}" if asked.answers else ""


def choices(asked: SetQuestion) -> list[tuple[str, bool]]:
    return [(short(choice), choice in asked.answers) for choice in asked.choices]


def chip(result: CellResult) -> Chip:
    """How one reading of a batch stands: judged, if it came to an end."""
    if result.grade:
        return JUDGED[result.grade.outcome]._replace(meaning=result.grade.reason)
    if result.run is None:
        return Chip("!", "could not begin", "warn") if result.cell.error else Chip("□", "not read yet", "quiet")
    return wording.state(result.run)


def reason(result: CellResult) -> str:
    """What a rule makes of an answer, or why there is none."""
    return result.grade.reason if result.grade else wording.sentence(result.problem) if result.problem else ""


def belongs(result: CellResult, only: str) -> bool:
    """Whether a reading of a batch is among those that are asked for."""
    if not only:
        return True
    failed = (result.run is None and bool(result.cell.error)) or (result.run is not None and result.run.status == "failed")
    if only in (FAILED, OPEN):
        return failed if only == FAILED else not failed and result.grade is None
    return result.grade is not None and result.grade.outcome == only


def variants(plan: BatchPlan, titles: dict[str, str]) -> list[str]:
    """What each way of reading is called: the reader and its model, and what its options are where two are else alike."""
    names = [f"{titles.get(one.reader, one.reader)} · {catalogue.title(one.model)}" for one in plan.variants]
    alike = Counter(names)
    told = []
    for name, one in zip(names, plan.variants, strict=True):
        options = ", ".join(f"{key} {value}" for key, value in sorted(one.options.items()))
        told.append(f"{name} ({options})" if alike[name] > 1 and options else name)
    return told


def outcomes(results: Sequence[CellResult], names: Sequence[str]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """A table: how many of each way of reading were judged how. Only what occurs has a column."""
    counts = [Counter(one.grade.outcome for one in results if one.grade and one.cell.variant == n) for n in range(len(names))]
    there = [outcome for outcome in JUDGED if any(one[outcome] for one in counts)]  # type: ignore[index]
    heads = ["", *(ONLY[outcome] for outcome in there), "In all"]
    rows = []
    for name, one in zip(names, counts, strict=True):
        total = one.total()
        cells = [f"{one[outcome]:,} ({one[outcome] / total:.0%})" if one[outcome] else "–" for outcome in there]  # type: ignore[index]
        rows.append((name, [*cells, f"{total:,}"]))
    return heads, rows


def short(words: str) -> str:
    return shorten_at_word(words, SHOWN)
