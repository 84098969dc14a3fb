"""`batch`, `batches` and `batch-resume`: start a batch, watch it, list batches and resume one, and show what became of its
evidence.

Ctrl+C stops a batch, and `batch-resume` resumes it. Exit status: 0 if all readings ended, 1 if something failed or was stopped, 2
for wrong use or bad input. Not here: how a batch works (`engine/run/batches.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from readers import get
from readers.cli import settings, workers
from readers.cli.output import DONE, FAILED, one_line, print_json, print_price
from readers.cli.profiles import caps
from readers.cli.progress import draw, waited, watch
from readers.cli.settings import preset_of, print_failures, print_wording_note, sampling
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.analysis.facts.fates import EXITS, STATIONS
from readers.engine.analysis.facts.flow import Way, flow, told_apart, ways_by_variant
from readers.engine.files import tables
from readers.engine.models import catalogue
from readers.engine.models.loading import load_for
from readers.engine.questions.grading import WORDS
from readers.engine.questions.question_set import SetQuestion
from readers.engine.questions.recipes import RecipeWay
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan, CellResult
from readers.engine.run.estimate import price_batch
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.run.part_sizes import AUTO, TextLength, in_words
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import counted as number_of
from readers.engine.work import Work


def start_batch(arguments: argparse.Namespace) -> int:
    with Store() as store:
        for name in arguments.sets:
            store.question_sets.get(name)  # so that nothing is recorded if one is not there
        made = [add_batch(store, name, arguments) for name in arguments.sets]
        return work(store, [batch for batch in made if batch], arguments)


def add_batch(store: Store, set_name: str, arguments: argparse.Namespace) -> Batch | None:
    """Plan and price a batch on a question set, and record it; None if only the price was asked for."""
    workers.check(arguments)
    kept = store.question_sets.get(set_name)
    questions = store.question_sets.questions(kept.id)
    numbers: Sequence[int] = range(len(questions))[: arguments.limit]
    drawn = None
    if arguments.sample:
        numbers, drawn = batches.draw(questions, arguments.sample, seed=arguments.seed)
    asked = [questions[number] for number in numbers]
    plan = replace(_plan(arguments), drawn=drawn)
    _print_sizes(store, asked, plan)
    for variant in plan.variants:
        print_wording_note(get(variant.reader), variant)
    print_failures(get(variant.reader) for variant in plan.variants)
    print_price(price_batch(store, asked, plan, readers=get), texts=len({one.document for one in asked}))
    if arguments.price:
        return None
    batch = batches.add(store, kept.id, plan, readers=get, numbers=numbers)
    print(f"Batch {batch.id}: {kept.name}{f', {drawn.words}' if drawn else ''}")
    return batch


def resume_batch(arguments: argparse.Namespace) -> int:
    with Store() as store:
        every = [store.batches.get(batch) for batch in arguments.batches]
        if not (arguments.workers or arguments.cluster):  # which call the models themselves
            load_for(spec.model for batch in every if _is_open(store, batch) for spec in BatchPlan.of(batch.plan).variants)
        return work(store, every, arguments)


def _is_open(store: Store, batch: Batch) -> bool:
    progress = batches.progress(store, batch.id)
    return progress.done != progress.of


def _print_sizes(store: Store, asked: Sequence[SetQuestion], plan: BatchPlan) -> None:
    """Say on standard error which sizes `auto` chooses for the shortest and the longest text."""
    about = {one.document: one for one in asked}
    texts = sorted((one for one in store.documents.listed() if one.id in about), key=lambda one: one.tokens)
    for variant in {plan.variants[number].reader: number for number in plan.auto}.values():
        reader, told = get(plan.variants[variant].reader), []
        for one in dict.fromkeys((*texts[:1], *texts[-1:])):
            text = store.documents.get(one.id)
            spec = plan.spec_for(text, variant, about[one.id], reader=reader)
            told.append(in_words(reader, spec.options, TextLength.of(text)) or f"{reader.title} does not cut a text")
        print(f"{AUTO}: {reader.title}, {' to '.join(dict.fromkeys(told))}", file=sys.stderr)


def _plan(arguments: argparse.Namespace) -> BatchPlan:
    """The plan of a batch: every reader, in every way that a recipe has it read, with every model."""
    readers = settings.named_readers(arguments.reader)
    auto, named = settings.auto_readers(readers, arguments.preset)
    presets = settings.presets(readers, named)
    given = settings.options(presets, arguments.settings)
    prompts = settings.prompt_sets(readers, arguments.prompts)
    usual = "words" if getattr(arguments, "recipe", None) else "auto"
    variants = tuple(
        RunSpec(
            reader.id, reader.version, "", options={**preset.options, **way.options, **given[reader.id]}, model=model,
            api_base=arguments.api_base, window=arguments.window or way.window, **{"reply_form": usual, **preset.terms, **own},
            reply_tokens=arguments.reply_tokens, caps=caps(arguments), prompts=prompts[reader.id], reuse=not arguments.no_cache,
            price=arguments.price, profile=arguments.profile,
        )
        for reader in readers
        for way in _ways(reader.id, arguments)
        for preset in [preset_of(reader, way.preset)]
        for own in [sampling(presets[reader.id], arguments)]
        for model in arguments.model or [catalogue.default_model()]
    )  # fmt: skip
    return BatchPlan(
        variants, not arguments.no_choices, arguments.name, arguments.samples, arguments.log_probs,
        recipe=getattr(arguments, "recipe", None) or "", auto=tuple(n for n, one in enumerate(variants) if one.reader in auto),
    )  # fmt: skip


def _ways(reader: str, arguments: argparse.Namespace) -> Sequence[RecipeWay]:
    """A reader's settings in a recipe; the given ones without a recipe, or if the recipe lacks this reader."""
    return [way for way in getattr(arguments, "ways", ()) if way.reader == reader] or [RecipeWay("", reader)]


def work(store: Store, every: Sequence[Batch], arguments: argparse.Namespace) -> int:
    """Run batches to their ends, one after the other and on the same workers, and show their progress; Ctrl+C stops them."""
    if not every:
        return DONE
    log_probs = arguments.log_probs or any(BatchPlan.of(batch.plan).log_probs for batch in every)
    status = DONE
    with workers.jobs_for(store, arguments, log_probs=log_probs) as jobs:
        for batch in every:
            _follow(store, jobs, batch, arguments, log_probs=log_probs)
            status = max(status, _print_results(store, batch, jobs.trouble(batch.id)))
            if store.batches.get(batch.id).cancelled:
                break
    return status


def _follow(store: Store, jobs: Jobs, batch: Batch, arguments: argparse.Namespace, *, log_probs: bool) -> None:
    def execution(run: Run) -> Execution:
        models = catalogue.open_models(RunSpec.from_json(run.spec).models, timeout=arguments.timeout, log_probs=log_probs)
        return Execution(models, concurrency=arguments.concurrency)

    def look() -> Work | None:
        if not jobs.is_following(batch.id):
            return None
        work = batches.progress(store, batch.id)
        return replace(work, notes=(*work.counts("read"), waited(store.batches.wait(batch.id))))

    batches.start(jobs, batch.id, BatchExecution(get, execution, path=store.path))
    watch(jobs, look, cancel=lambda: batches.cancel(jobs, store, batch.id))


def _print_results(store: Store, batch: Batch, trouble: str) -> int:
    plan, found = BatchPlan.of(batch.plan), batches.results(store, batch)
    progress = batches.progress(store, batch.id)
    for number, variant in enumerate(plan.variants):
        own = [one for one in found if one.cell.variant == number]
        counts = Counter(WORDS[one.grade.outcome] for one in own if one.grade)
        line = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items())) or "nothing graded"
        print(f"{get(variant.reader).title} · {catalogue.title(variant.model)}: {line}")
    print(f"{progress.done:,} of {progress.of:,} readings came to an end.")
    print(f"Each of them: python -m readers batches {batch.id}")
    if trouble:
        print(f"palimpsest: {trouble}", file=sys.stderr)
    unfinished = progress.resumable + progress.going  # those still running were stopped, and their last reply has not arrived yet
    if unfinished or trouble:
        failed = progress.failed + progress.refused
        unread = unfinished - failed
        print(f"palimpsest: {failed:,} failed, {unread:,} were not read to the end", file=sys.stderr)
        print(f"`python -m readers batch-resume {batch.id}` resumes it, and makes no call twice.", file=sys.stderr)
    return FAILED if unfinished or trouble else DONE


def list_batches(arguments: argparse.Namespace) -> int:
    with Store() as store:
        if arguments.batch and arguments.fates:
            _show_fates(store, store.batches.get(arguments.batch), as_json=arguments.json)
            return DONE
        if arguments.batch:
            _show_readings(store, store.batches.get(arguments.batch), arguments)
            return DONE
        rows = [(batch, batches.progress(store, batch.id)) for batch in store.batches.listed()]
        if arguments.json:
            print_json([_row(store, batch, progress) for batch, progress in rows])
            return DONE
    if not rows:
        print("No batches yet. Start one with: python -m readers batch SET --reader ...")
    for batch, progress in rows:
        when = batch.created[:16].replace("T", " ")
        print(f"{batch.id}  {when}  {progress.done:>5,} of {progress.of:,} read, {progress.resumable:,} open  {batch.name}")
    return DONE


def _row(store: Store, batch: Batch, progress: Work) -> dict[str, Any]:
    unanswered = batches.unanswered(store, batch.id)
    outcomes = {"answered": progress.done - unanswered, "unanswered": unanswered}
    about = {"id": batch.id, "name": batch.name, "question_set": batch.question_set, "created": batch.created}
    states = {name: getattr(progress, name) for name in ("done", "failed", "stopped", "refused", "going", "left")}
    return {**about, "cancelled": batch.cancelled, "total": progress.of, **states, **outcomes}


def _show_readings(store: Store, batch: Batch, arguments: argparse.Namespace) -> None:
    found = batches.results(store, batch)
    if not (arguments.json or arguments.csv):
        _list_readings(found)
        return
    rows = list(tables.batch_rows(store, batch, found, readers=get))
    if arguments.json:
        print_json(rows)
    else:
        print(tables.batch_csv(rows), end="")


def _list_readings(found: Sequence[CellResult]) -> None:
    for one in found:
        stands = one.grade.words if one.grade else one.run.status if one.run else "not read"
        reader = one.run.reader if one.run else "-"
        line = f"{one.cell.run or '-':<10}  {reader:<10} {stands:<16} {one_line(one.question.question)[:80]}"
        print(line + (f"\n{'':<12}{one_line(one.problem)}" if one.problem else ""))


# What became of the evidence


def _show_fates(store: Store, batch: Batch, *, as_json: bool) -> None:
    """What became of the evidence, by reader and model; readings without evidence or without an end are not counted."""
    plan = BatchPlan.of(batch.plan)
    results = batches.results(store, batch)
    found = ways_by_variant(results, len(plan.variants), fates_of(store, evidence.wanted(results)))
    if as_json:
        print_json([_fates_row(variant, ways) for variant, ways in zip(plan.variants, found, strict=True)])
        return
    for variant, ways in zip(plan.variants, found, strict=True):
        print(f"{get(variant.reader).title} · {catalogue.title(variant.model)}: {number_of(len(ways), 'reading')} with evidence")
        ends = Counter(way.evidence.exit.id for way in ways)
        right = Counter(way.evidence.exit.id for way in ways if way.is_right)
        for end in EXITS:
            if ends[end]:
                print(f"  {end:<18} {ends[end]:>5,}   {right[end]:,} right")
        if lucky := told_apart(ways)["lucky"]:
            print(f"  {len(lucky):,} of {right.total():,} right answers were given without the evidence in view")


def fates_of(store: Store, every: Sequence[Wanted]) -> dict[str, EvidenceFate | None]:
    """The fates of these readings: those that were saved, and the others, computed and saved now."""
    found = evidence.saved_fates(store, every)
    missing = [one for one in every if one.run.id not in found]
    with closing(evidence.make_fates(store, missing, get)) as made:
        for number, (want, fate) in enumerate(made, 1):
            found[want.run.id] = fate
            draw(f"Following the evidence · {number:,} of {len(missing):,} readings")
    draw("")
    return found


def _fates_row(variant: RunSpec, ways: Sequence[Way]) -> dict[str, Any]:
    found = flow(ways)
    return {
        "reader": variant.reader,
        "model": variant.model,
        "readings": {end: [way.run for way in ways if way.evidence.exit.id == end] for end in EXITS},
        "reached": {place: len(runs) for place, runs in found.places.items() if place in STATIONS},
        "told_apart": told_apart(ways),
    }
