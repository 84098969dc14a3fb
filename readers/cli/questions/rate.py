"""`evaluate --rate KIND --rater MODEL`: models rate the answers of a batch, priced first; each rating is an experiment on record.

Ctrl+C stops them; the same command rates what is left. Not here: what is asked (`engine/forks/rater.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import get_args

from readers import get
from readers.cli.output import takes
from readers.cli.progress import watch_runs
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.rated import Raters
from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.forks import rate_many
from readers.engine.forks.rate_many import RatingPlan
from readers.engine.forks.rater import RatingKind, check_rater
from readers.engine.models import catalogue
from readers.engine.report import text
from readers.engine.run.batches import CellResult
from readers.engine.run.execute import Execution
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.text.phrases import counted

KINDS: tuple[RatingKind, ...] = get_args(RatingKind)


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOptions where a kind of rating is given without a model that can rate, or the other way round."""
    if bool(arguments.rate) != bool(arguments.rater):
        raise BadOptions("--rate says what is rated (lr or helmet), and --rater which model does it: give both")
    for model in arguments.rater:
        check_rater(model)


def rate(store: Store, results: Sequence[CellResult], arguments: argparse.Namespace) -> None:
    """Print what the ratings take; then, unless only the price is asked for, have them done. Raises ModelFailed."""
    for model in arguments.rater:
        for kind in arguments.rate:
            planned = rate_many.plan(store, rate_many.answers(results, kind), kind, model)
            _print_price(planned)
            if not arguments.price and planned.work.resumable:
                _execute(store, planned, arguments)


def _print_price(planned: RatingPlan) -> None:
    told = f"{counted(len(planned.new), 'answer')} to rate, {takes(planned.price)}"
    more = [f"{planned.done:,} rated before"] if planned.done else []
    more += [f"{len(planned.stopped):,} to be resumed"] if planned.stopped else []
    print(f"{planned.kind} by {planned.model}: {', '.join([told, *more])}", file=sys.stderr)


def _execute(store: Store, planned: RatingPlan, arguments: argparse.Namespace) -> None:
    """Do the ratings that are left, several at once. Raises ModelFailed if one failed."""
    terms = {
        "model": planned.model, "api_base": arguments.api_base, "temperature": arguments.temperature or 0.0,
        "window": catalogue.window_for(planned.model), "room_factor": catalogue.room_factor_for(planned.model),
    }  # fmt: skip
    model = catalogue.open_model(planned.model, timeout=arguments.timeout)
    jobs = Jobs(store.path, at_once=arguments.at_once or configured_at_once())
    runs = rate_many.ask(store, planned, terms)
    for run in runs:
        how = Execution(model, concurrency=arguments.concurrency)
        if run.status in AT_WORK:
            jobs.start(run.id, get(run.reader), how)
        else:
            jobs.resume(store, run.id, get(run.reader), how)
    watch_runs(jobs, store, [run.id for run in runs], done="answers rated")
    if left := _unfinished(store, runs):
        why = next((f": {run.error}" for run in left if run.error), "")
        raise ModelFailed(f"{len(left):,} of {len(runs):,} answers were not rated{why}; the same command rates the rest")


def _unfinished(store: Store, runs: Sequence[Run]) -> list[Run]:
    return [run for run in store.run_list.runs([one.id for one in runs]) if run.status != "finished"]


def print_raters(found: Sequence[Raters]) -> None:
    """Print which models rated, and how far they agree."""
    for one in found:
        print("", report.raters(one), sep="\n")
        if one.agreement:
            table = report.agreement(one)
            print(*text.row_lines(table, table.rows[0]), sep="\n")
