"""What is done in a process that is killed: a reading, a batch, or the pages of the app; and the model they ask.

Every request to the model is a line in a file, written before it is answered, and every reply another. Not here: the killing, and
what must hold (`kills.py`).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

from components.session import process_cache
from readers import get
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.models.profiles import DEFAULT_CONCURRENCY
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.app_pages import opened
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL

WIDTH = 3  # calls at a time in one reading
PLACES = 3  # readings at a time in a batch
WORDS = LAMP.read_text(encoding="utf-8")
TEXT = Document.of(WORDS[13_500:15_800], title="Some of the lamp")
OTHER = Document.of(WORDS[15_800:17_000], title="More of the lamp")
IN_BATCH = ("memwalker", "whole")
ASKED = (QUESTION, "Who strolled about the harbour?", "Which post was it?")

Key = tuple[str, int, int]  # a reading by what it reads, and the number and attempt of one of its calls


class Broken(AssertionError):
    """A promise that was not kept."""


def name_of(run: Run) -> str:
    return f"{run.document[:8]} {run.reader} {run.question}"


def must(holds: object, what: str) -> None:
    if not holds:
        raise Broken(what)


# The model, and what it was asked


@dataclass(frozen=True)
class Line:
    """A request (`?`) or a reply (`=`) in the file beside."""

    kind: str
    key: Key
    identity: str
    shared: bool


@dataclass(frozen=True)
class Noting:
    """The offline model behind a file: a little late and out of order, with a reply now and then that cannot be used."""

    file: Path
    run: str
    answer: Callable[[Call], Reply] = Offline().complete

    def complete(self, call: Call) -> Reply:
        self._note("?", call)
        time.sleep(0.0005 * (call.seq * 7 % 5))
        reply = Reply(" ", 1, 1, 0.0) if call.seq % 5 == 3 and not call.attempt else self.answer(call)
        self._note("=", call)
        return reply

    def _note(self, kind: str, call: Call) -> None:
        line = json.dumps([kind, self.run, call.seq, call.attempt, call.identity, call.prompt.shared])
        with self.file.open("ab", buffering=0) as out:
            out.write(f"{line}\n".encode())


@dataclass
class Requests:
    """What the model was asked and has answered, over all lives."""

    file: Path
    lines: list[Line] = field(default_factory=list)

    def new(self) -> list[Line]:
        """The lines since this was last asked."""
        raw = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        fresh = [json.loads(line) for line in raw[len(self.lines) :]]
        found = [Line(kind, (run, seq, attempt), identity, shared) for kind, run, seq, attempt, identity, shared in fresh]
        self.lines += found
        return found


# What is worked on


class Work(Protocol):
    """Something that is done in a process of its own, to its end."""

    @property
    def in_flight(self) -> int:
        """How many calls the model may have answered that are not on record yet."""
        ...

    def do(self, requests: Path) -> None: ...

    def done(self, store: Store) -> bool: ...

    def runs(self, store: Store) -> list[Run]: ...

    def name(self, run: Run) -> str:
        """What requests call the run."""
        ...


@dataclass(frozen=True)
class OneReading:
    run: str
    in_flight: int = WIDTH

    def do(self, requests: Path) -> None:
        with Store() as store:
            run = store.runs.get(self.run)
            execute(store, run.id, get(run.reader), Execution(Noting(requests, name_of(run)), concurrency=WIDTH))

    def done(self, store: Store) -> bool:
        return store.runs.get(self.run).status == "finished"

    def runs(self, store: Store) -> list[Run]:
        return [store.runs.get(self.run)]

    def name(self, run: Run) -> str:
        return name_of(run)


@dataclass(frozen=True)
class OneBatch:
    batch: str
    in_flight: int = WIDTH * PLACES

    def do(self, requests: Path) -> None:
        jobs = Jobs(at_once=PLACES)
        how = batches.BatchExecution(get, lambda run: Execution(Noting(requests, name_of(run)), concurrency=WIDTH))
        batches.start(jobs, self.batch, how)
        must(jobs.wait(120), "the batch does not come to its end")

    def done(self, store: Store) -> bool:
        stands = batches.progress(store, self.batch)
        return stands.done == stands.of

    def runs(self, store: Store) -> list[Run]:
        return store.batches.runs_of(self.batch)

    def name(self, run: Run) -> str:
        return name_of(run)


@dataclass(frozen=True)
class OnPages:
    """A reading that is begun on the page Read, and gone on with on its own page until that shows its end."""

    in_flight: int = DEFAULT_CONCURRENCY

    def do(self, requests: Path) -> None:
        with Store() as store:
            runs = store.runs.listed()
        with noted(requests), opened("3_Trace" if runs else "2_Read") as app:
            if runs:
                app.query_params["run"] = runs[0].id
                app.run()
            else:
                app.run()
                next(one for one in app.text_input if one.label == "Your question, in any words").set_value(QUESTION).run()
            must(not app.exception, f"the page broke: {app.exception}")
            go_on = [one for one in app.button if one.label in ("Start reading", "Resume")]
            must(go_on or runs[0].status == "finished", "the page does not offer to go on")
            for button in go_on:
                button.click().run()
            must(process_cache.jobs().wait(120), "the reading does not come to its end")
            must(not app.exception, f"the page broke: {app.exception}")

    def done(self, store: Store) -> bool:
        return [run.status for run in store.runs.listed()] == ["finished"]

    def runs(self, store: Store) -> list[Run]:
        return store.runs.listed()

    def name(self, run: Run) -> str:
        return "the only one"


@contextmanager
def noted(requests: Path) -> Iterator[None]:
    """The app's offline model notes what a reading asks, and is asked on threads like any other. What a page asks on its own
    thread, to estimate a reading, is on no record and is not noted."""
    answer = Offline.complete

    def complete(self: Offline, call: Call) -> Reply:
        if threading.current_thread().name.startswith("calls-"):
            return Noting(requests, "the only one", partial(answer, self)).complete(call)
        return answer(self, call)

    with patch.object(Offline, "immediate", lambda self, call: False), patch.object(Offline, "complete", complete):
        yield


def new_reading(store: Store, reader: str) -> OneReading:
    spec = RunSpec(reader, get(reader).version, QUESTION, options=SMALL.get(reader, {}))
    run = create_run(store, TEXT, get(reader), spec)
    store.connection.execute("UPDATE runs SET worker = '' WHERE id = ?", (run.id,))  # as if its process had died
    return OneReading(run.id)


def new_batch(store: Store) -> OneBatch:
    """Three questions on each of two texts by two readers."""
    asked = [SetQuestion(f"{text.id[:4]}.{n}", text.id, words) for text in (TEXT, OTHER) for n, words in enumerate(ASKED)]
    made = store.question_sets.add(QuestionSet("A set", tuple(asked), (TEXT, OTHER)))
    variants = tuple(RunSpec(reader, get(reader).version, "", options=SMALL[reader]) for reader in IN_BATCH)
    return OneBatch(batches.add(store, made.id, batches.BatchPlan(variants), readers=get).id)
