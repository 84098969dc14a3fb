"""The line on a terminal that shows how far a reading or a batch is, and how long its oldest call has been waiting for a reply.

Nothing is drawn where standard error is no terminal. Not here: what counts as a long wait (`engine/run/calls_in_flight.py`).
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from readers.cli.output import redraw
from readers.engine.ingest import Ingested, from_path
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.record.journal import Wait
from readers.engine.run.batches import BatchProgress
from readers.engine.store import Store
from readers.engine.text.phrases import call_number, counted

DRAW_SECONDS = 1.0


def on_terminal() -> bool:
    return sys.stderr.isatty()


def draw(line: str) -> None:
    """Put this in the place of the line; empty clears it."""
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


@dataclass
class Follower:
    """Draws the line of a reading from time to time while it waits for replies. A reading asks again and again whether it was
    stopped, on its own thread; this is what it asks, and it never says yes."""

    store: Store
    run: str
    counted: CountedModel
    drawn: float = 0.0

    def __call__(self) -> bool:
        if on_terminal() and time.monotonic() - self.drawn >= DRAW_SECONDS:
            self.drawn = time.monotonic()
            if wait := self.store.tape(self.run).wait():
                draw(self.counted.line(wait))
        return False


def batch_line(progress: BatchProgress, wait: Wait | None) -> str:
    """How far a batch is. `wait` is the oldest call of its readings, if that has been waiting long."""
    failed = progress.failed + progress.refused
    told = f"{progress.done:,} of {progress.total:,} read, {progress.going:,} going, {failed:,} failed"
    return f"{told} · {waited(wait)}" if wait else told


def waited(wait: Wait | None) -> str:
    """How long a call has been waiting, in words; empty for None."""
    if wait is None:
        return ""
    seconds = round(wait.seconds)
    long = f"{seconds} s" if seconds < 90 else counted(round(seconds / 60), "minute")
    return f"{call_number(wait.seq)} has waited {long} for its reply"
