"""Readings on the command line while they run: the line on a terminal that shows their progress, and how long the oldest call has
been waiting for a reply.

Nothing is drawn if standard error is not a terminal. Not here: what counts as a long wait (`engine/run/calls_in_flight.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from readers import get
from readers.cli.output import redraw
from readers.engine.ingest import Ingested, from_path
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.record.journal import Wait
from readers.engine.report.values import duration
from readers.engine.run.execute import Execution, check_servers, execute, models_still_needed
from readers.engine.run.jobs import Jobs
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.text.phrases import call_number
from readers.engine.work import Work

DRAW_SECONDS = 1.0
POLL_SECONDS, STOP_SECONDS = 0.2, 10.0


def on_terminal() -> bool:
    return sys.stderr.isatty()


def draw(line: str) -> None:
    """Replace the line with this; an empty text clears it."""
    if on_terminal():
        redraw(line)


def read_file(path: str | Path) -> Ingested:
    """Read a file, with the page that it is at. Raises BadFile."""
    name = Path(path).name
    try:
        return from_path(path, progress=lambda done, of: draw(f"Reading {name}: page {done + 1:,} of {of:,}"))
    finally:
        draw("")


@dataclass
class CountedModel:
    """A model that counts its replies, and knows for which prompt the last one was."""

    model: Model
    replies: int = 0
    latest: str = ""

    def complete(self, call: Call) -> Reply:
        reply = self.model.complete(call)
        self.replies, self.latest = self.replies + 1, call.prompt.id
        draw(self.line(None))
        return reply

    def line(self, wait: Wait | None) -> str:
        """How far the reading is. `wait` is its oldest call, if that has been waiting long."""
        parts = [f"{self.replies} replies", self.latest, waited(wait)]
        return " · ".join(part for part in parts if part)


def follow(store: Store, run_id: str, counted: CountedModel) -> Callable[[], bool]:
    """What a reading asks again and again, on its own thread: whether it was stopped. This never says yes, and draws the line of
    the reading from time to time while it waits for replies."""
    drawn = 0.0

    def look() -> bool:
        nonlocal drawn
        if on_terminal() and time.monotonic() - drawn >= DRAW_SECONDS:
            drawn = time.monotonic()
            if wait := store.runs.tape(run_id).wait():
                draw(counted.line(wait))
        return False

    return look


def watch(jobs: Jobs, look: Callable[[], Work | None], *, cancel: Callable[[], None]) -> None:
    """Draw how far work in the background is, as `look` finds it, until it finds none. Ctrl+C cancels the work, and waits a while
    for the replies in flight."""
    try:
        while work := look():
            draw(line(work))
            jobs.wait(POLL_SECONDS)
    except KeyboardInterrupt:
        cancel()
        jobs.wait(STOP_SECONDS)
    draw("")


def watch_runs(jobs: Jobs, store: Store, runs: Sequence[str], *, done: str) -> None:
    """Watch these runs until all have ended; `done` is the word for the ended ones. Ctrl+C cancels them."""

    def look() -> Work | None:
        going = sum(run.status in AT_WORK for run in store.run_list.runs(runs))
        work = Work(len(runs) - going, len(runs), going=going)
        return replace(work, notes=tuple(work.counts(done))) if going and not jobs.wait(0) else None

    def cancel() -> None:
        for run in runs:
            jobs.cancel(run)

    watch(jobs, look, cancel=cancel)


def line(work: Work) -> str:
    """How far work is, on one line."""
    return " · ".join(filter(None, (work.stage, *work.notes)))


def waited(wait: Wait | None) -> str:
    """How long a call has been waiting, in words; empty for None."""
    if wait is None:
        return ""
    return f"{call_number(wait.seq)} has waited {duration(wait.seconds)} for its reply"


LINGER = 10.0  # seconds that calls in flight have to be recorded when a reading fails or is stopped


def execute_shown(store: Store, run: Run, model: Model, arguments: argparse.Namespace) -> Run:
    """Execute a run to its end; returns the run as it is then."""
    counted = CountedModel(model)
    how = Execution(
        counted if on_terminal() else model,
        concurrency=arguments.concurrency,
        linger=LINGER,
        stopped=follow(store, run.id, counted),
    )
    done = execute(store, run.id, get(run.reader), how)
    draw("")
    return done


def execute_rest(store: Store, run: Run, arguments: argparse.Namespace, *, asked_by: Run | None = None) -> Run:
    """Execute the rest of a stored run with the models that it still needs; returns the run as it is then. Raises BadOptions if
    the file that it, or the run `asked_by` which it is made, is from names a server that the user did not name."""
    models = models_still_needed(store, run)
    check_servers(asked_by or run, models, arguments.api_base)
    return execute_shown(store, run, catalogue.open_models(models, timeout=arguments.timeout), arguments)
