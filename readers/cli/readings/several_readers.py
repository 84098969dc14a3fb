"""`read` with several readers: the same question to each, some at a time, with one estimate before and all answers at the end.

Ctrl+C cancels them. Exit status: 0 if all answered, 1 if one failed or was cancelled, 3 if one ended without an answer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from readers import get
from readers.cli.output import ANSWERED, FAILED, UNANSWERED, one_line
from readers.cli.progress import watch_runs
from readers.cli.questions.batches import print_price
from readers.cli.readings.show import print_result
from readers.engine.run.batch_price import price_together
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import Execution, RunSpec, check_spec, create_run
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.store import Run, Store, open_reading
from readers.engine.text.document import Document


def read(store: Store, document: Document, specs: Sequence[RunSpec], execution: Execution) -> int:
    """Read a text with each of these specs, and print each result; the exit status. Raises BadInput, before any has started."""
    for spec in specs:
        check_spec(get(spec.reader), spec)
    found = [estimate(document, get(spec.reader), spec, store=store, concurrency=execution.concurrency) for spec in specs]
    print_price(price_together(found), texts=1)
    for spec, one in zip(specs, found, strict=True):
        for problem in one.problems:
            print(f"note: {get(spec.reader).title}: {problem}", file=sys.stderr)
    ids = [create_run(store, document, get(spec.reader), spec).id for spec in specs]
    _work(store, ids, execution)
    return _print_results(store, [store.runs.get(run_id) for run_id in ids])


def _work(store: Store, ids: Sequence[str], execution: Execution) -> None:
    """Run the readings to their ends and show how far they are; Ctrl+C cancels them."""
    jobs = Jobs(store.path, at_once=configured_at_once())
    for run_id in ids:
        jobs.start(run_id, get(store.runs.get(run_id).reader), execution)
    watch_runs(jobs, store, ids, done="readings ended")


def _print_results(store: Store, runs: Sequence[Run]) -> int:
    for run in runs:
        print(f"\n{get(run.reader).title}")
        if run.status == "finished":
            print_result(open_reading(store, run.id))
        else:
            print(f"{run.status.capitalize()}: {one_line(run.error or 'it was stopped')}")
            print(f"Reading: {run.id}   (`python -m readers resume {run.id}` resumes it)")
    print(f"\nSide by side in the app: /Compare?runs={','.join(run.id for run in runs)}")
    if any(run.status != "finished" for run in runs):
        return FAILED
    return ANSWERED if all(run.outcome == "answered" for run in runs) else UNANSWERED
