"""Executing a reading or an experiment's run from the command line: with the line that shows how far it is, on a terminal.

Not here: what the line says (`cli/progress.py`), and what is printed afterwards.
"""

from __future__ import annotations

import argparse

from readers import get
from readers.cli.progress import CountedModel, Follower, draw, on_terminal
from readers.engine.models.model import Model
from readers.engine.run.execute import Execution, execute
from readers.engine.store import Run, Store

LINGER = 10.0  # seconds that calls in flight have to be recorded when a reading fails or is stopped


def execute_shown(store: Store, run: Run, model: Model, arguments: argparse.Namespace) -> Run:
    """Execute a run to its end; the run as it is then."""
    counted = CountedModel(model)
    how = Execution(
        counted if on_terminal() else model,
        concurrency=arguments.concurrency,
        linger=LINGER,
        stopped=Follower(store, run.id, counted),
    )
    done = execute(store, run.id, get(run.reader), how)
    draw("")
    return done
