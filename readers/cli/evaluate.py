"""`evaluate`: what readers score on questions, with intervals; for a finished batch, or for one that is read first.

With `--rate KIND --rater MODEL`, models rate the answers, priced first; each rating is an experiment on record. Ctrl+C stops
them; the same command rates the rest. Exit status as for `batch`. Not here: what raters are asked (`engine/forks/rater.py`), the
scores (`engine/questions/scores/`), and what is computed from them (`engine/analysis/evaluate/`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from readers import get
from readers.cli import workers
from readers.cli.batches import add_batch, fates_of, work
from readers.cli.output import DONE, form_of, takes
from readers.cli.progress import watch_runs
from readers.cli.question_sets import import_files
from readers.engine.analysis.evaluate import post_mortem, report
from readers.engine.analysis.evaluate.evaluated import RATING_KINDS, Evaluation, applying, evaluate, figures_table, with_ratings
from readers.engine.analysis.evaluate.post_mortem import Examined
from readers.engine.analysis.evaluate.scores import Comparison, compare_all, scores_of
from readers.engine.analysis.facts import evidence
from readers.engine.errors import BadOptions, ModelFailed, NotFound
from readers.engine.forks import rater
from readers.engine.forks.rater import RatingPlan, check_rater
from readers.engine.models import catalogue
from readers.engine.questions.recipes import Recipe, recipe, recipes, recipes_for, scores_of_recipe
from readers.engine.questions.scores import GROUPS, SCORES
from readers.engine.report import files
from readers.engine.report.values import Report, Table
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.run.execute import Execution
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.store import AT_WORK, Store
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import counted

RATES: Sequence[str] = RATING_KINDS  # what --rate takes
NAMED = (*SCORES, *(group for group, names in GROUPS.items() if {*names} <= {*SCORES}))  # what --score takes


def evaluate_command(arguments: argparse.Namespace) -> int:
    forms = [(path, form_of(path)) for path in arguments.save]
    _check_rating(arguments)
    if unknown := [name for name in arguments.score if name not in NAMED]:
        raise BadOptions(f"--score {unknown[0]!r} is not a score; there are {', '.join(NAMED)}")
    chosen = recipe(arguments.recipe) if arguments.recipe else None
    if chosen:
        _follow(chosen, arguments)
    workers.check(arguments)
    with Store() as store:
        batch = _batch(store, arguments.what)
        status = DONE
        if batch is None:
            batch = add_batch(store, _set_name(store, arguments.what), arguments)
            if batch is None:
                return DONE
            status = work(store, [batch], arguments)
        plan = BatchPlan.of(batch.plan)
        names = batches.variant_names(plan, lambda reader: get(reader).title)
        results = batches.results(store, batch)
        if arguments.rate:
            _rate(store, results, arguments)
            if arguments.price:
                return DONE
        reported = chosen.scores if chosen else scores_of_recipe(plan.recipe)
        scores = arguments.score or applying(reported, (one.question for one in results))
        found = evaluate(store, results, names=names, scores=scores)
        ratings = rater.said_of(store, [one.run for one in found.readings])
        found = with_ratings(found, ratings)
        fates = fates_of(store, evidence.wanted(results)) if arguments.figures or arguments.post_mortem else {}
        measured = figures_table(store, found.readings, get, fates=fates) if arguments.figures else None
    examined = post_mortem.examine(found.readings, fates) if arguments.post_mortem else []
    scored = scores_of(found.readings)
    papers = [chosen] if chosen else recipes_for(found.benchmarks)
    compared = {score: compare_all(found.readings, score) for score in scored.scores}
    more = post_mortem.tables(examined)
    said = report.file_of(
        batch.name, report.facts(found, plan), scored, papers=papers, measured=measured,
        more=[*report.all_pairs(compared), *more], plan=plan, names=names,
    )  # fmt: skip
    _print_scores(found, said, compared)
    for sentence, agreement in report.raters(ratings):
        print("", sentence, *(files.row_lines(agreement, agreement.rows[0]) if agreement else ()), sep="\n")
    if measured:
        print("\nThe methods' own figures: means over the readings that have them")
        print(*files.lines(report.own_figures(measured)), sep="\n")
    if arguments.post_mortem:
        _print_post_mortem(examined, more)
    missing = dict.fromkeys(note for one in (scored, measured) if one for note in report.no_intervals(one))
    print("", *(f"note: {note}" for note in (*said.notes[1:], *missing)), sep="\n")
    for one in papers:
        _print_recipe(one, found.benchmarks)
    for path, form in forms:
        path.write_text(files.written(said, form), encoding="utf-8")
        print(f"Saved: {path}", file=sys.stderr)
    return status


def list_recipes(arguments: argparse.Namespace) -> int:
    for one in recipes():
        print(f"{one.name}\n  {one.title}; on {', '.join(one.benchmarks)}")
        for way in one.ways:
            print(f"    {way.name}: {way.in_words}")
        print(f"  Not made by it: {one.elsewhere}\n")
    print("python -m readers evaluate FILES --recipe NAME --model ID reads and scores by one.")
    return DONE


def _follow(chosen: Recipe, arguments: argparse.Namespace) -> None:
    """Take the recipe's ways of reading and choices, overridden by the given ones."""
    arguments.reader = arguments.reader or [*chosen.readers]
    arguments.ways = chosen.ways
    arguments.no_choices = arguments.no_choices or not chosen.choices


def _print_recipe(one: Recipe, data: Sequence[str]) -> None:
    """The figures of a paper, to compare with."""
    print(f"\nIn the paper ({one.paper}): {', '.join(one.heads)}")
    for name, figures in one.rows:
        print(f"  {name}: {', '.join('–' if figure is None else f'{figure:g}' for figure in figures)}")
    for note in filter(None, (one.other_data(data), one.differs, one.elsewhere)):
        print(f"note: {note}", file=sys.stderr)


def _batch(store: Store, what: str) -> Batch | None:
    """The batch of this id; None if there is none."""
    try:
        return store.batches.get(what)
    except NotFound:
        return None


def _set_name(store: Store, what: str) -> str:
    """The question set that is meant: files are imported first."""
    path = Path(what)
    return import_files(store, [path]).id if path.exists() else what


def _print_scores(found: Evaluation, said: Report, pairs: Mapping[str, Sequence[Comparison]]) -> None:
    """Each score with its readers, and who is ahead of whom, beyond chance."""
    print(f"{', '.join(said.facts)}; percent over everything asked")
    table = said.tables[0].transposed
    for compared, row in zip(pairs.values(), table.rows, strict=True):
        print("", *files.row_lines(table, row), sep="\n")
        ahead = [one.sentence for one in compared if one.sentence]
        if compared and not ahead:
            ahead = ["no reader is ahead of another beyond chance"]
        for sentence in ahead:
            print(f"  {sentence}")


def _print_post_mortem(examined: Sequence[Examined], tables: Sequence[Table]) -> None:
    """Whether readers found the evidence and answered rightly, and at what price."""
    if not examined:
        print("\nNo post-mortem: the evidence of none of these questions is known.")
    for table in tables:
        print(f"\n{table.title}", *files.lines(table), *(f"  {note}" for note in table.notes), sep="\n")
    for sentence in post_mortem.sentences(post_mortem.compared(examined)):
        print(f"  {sentence}")


# Ratings


def _check_rating(arguments: argparse.Namespace) -> None:
    """Raise BadOptions where a kind of rating is given without a model that can rate, or the other way round."""
    if bool(arguments.rate) != bool(arguments.rater):
        raise BadOptions("--rate says what is rated (lr or helmet), and --rater which model does it: give both")
    for model in arguments.rater:
        check_rater(model)


def _rate(store: Store, results: Sequence[CellResult], arguments: argparse.Namespace) -> None:
    """Print what the ratings take; then, unless only the price is asked for, have them done. Raises ModelFailed."""
    for model in arguments.rater:
        for kind in arguments.rate:
            planned = rater.plan_ratings(store, rater.answers_to_rate(results, kind), kind, model)
            _print_rating_price(planned)
            if not arguments.price and planned.work.resumable:
                _execute_ratings(store, planned, arguments)


def _print_rating_price(planned: RatingPlan) -> None:
    told = f"{counted(len(planned.new), 'answer')} to rate, {takes(planned.price)}"
    more = [f"{planned.done:,} rated before"] if planned.done else []
    more += [f"{len(planned.stopped):,} to be resumed"] if planned.stopped else []
    print(f"{planned.kind} by {planned.model}: {', '.join([told, *more])}", file=sys.stderr)


def _execute_ratings(store: Store, planned: RatingPlan, arguments: argparse.Namespace) -> None:
    """Do the ratings that are left, several at once. Raises ModelFailed if one failed."""
    terms = {
        "model": planned.model, "api_base": arguments.api_base, "temperature": arguments.temperature or 0.0,
        "window": catalogue.window_for(planned.model), "room_factor": catalogue.room_factor_for(planned.model),
    }  # fmt: skip
    model = catalogue.open_model(planned.model, timeout=arguments.timeout)
    jobs = Jobs(store.path, at_once=arguments.at_once or configured_at_once())
    runs = rater.ask_all(store, planned, terms)
    for run in runs:
        how = Execution(model, concurrency=arguments.concurrency)
        if run.status in AT_WORK:
            jobs.start(run.id, get(run.reader), how)
        else:
            jobs.resume(store, run.id, get(run.reader), how)
    watch_runs(jobs, store, [run.id for run in runs], done="answers rated")
    left = [run for run in store.run_list.runs([one.id for one in runs]) if run.status != "finished"]
    if left:
        why = next((f": {run.error}" for run in left if run.error), "")
        raise ModelFailed(f"{len(left):,} of {len(runs):,} answers were not rated{why}; the same command rates the rest")
