"""Readings and batches in processes that are killed (SIGKILL) at random moments and resumed, until all of them have ended.

    python -m tests.hostile.kills KILLS SEED WHAT...

WHAT is a reader's id, `batch` or `server`. A line of JSON for each: kills, requests and seconds; or `wrong`, what was broken.
The promise: nothing that is on record is requested again; of what the model had answered, at most what was in flight is missing
from the record; the database is whole; and the resumed reading ends with the events and the record of an undisturbed one.

The processes are forks of this one, which has no thread and no connection. Moments are drawn from a seed; where in its work a
process then is depends on the machine, and the promise holds everywhere.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from readers import READERS
from readers.engine.record.journal import Record
from readers.engine.store import Run, Store
from readers.engine.text import tokens
from tests.hostile.killed_work import Broken, Key, OnPages, Requests, Work, must, new_batch, new_reading

EVERY = (*(reader.id for reader in READERS), "batch", "server")
MOST_LIVES = 12  # for each kill wanted: those that ended by themselves are not counted


@dataclass
class Tally:
    what: str
    kills: int = 0
    finished: int = 0
    requests: int = 0
    again: int = 0
    seconds: float = 0.0
    wrong: str = ""


def life(work: Work, requests: Path, seconds: float | None) -> int:
    """One process that does the work, killed after so many seconds; its exit code, -9 if it was killed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work.do(requests)
            code = 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        finally:
            os._exit(code)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def recorded(store: Store, work: Work) -> dict[Key, Record]:
    """The model's replies that are on record, without those that were taken from there."""
    rows = [(work.name(run), row) for run in work.runs(store) for row in store.runs.tape(run.id).records()]
    own = [(run, row) for run, row in rows if row.reply is not None and row.origin == "live" and row.task != "score"]
    return {(run, row.seq, row.attempt): row for run, row in own}


@dataclass(frozen=True)
class Shape:
    """All of a reading that does not depend on time."""

    end: tuple[Any, ...]
    events: list[str]
    calls: list[Record]


def shape(store: Store, run: Run) -> Shape:
    tape = store.runs.tape(run.id)
    end = (run.reader, run.question, run.outcome, run.answer, run.evidence)
    return Shape(end, tape.events(), [replace(row, ms=0) for row in tape.records()])


class Trial:
    """One piece of work after the other, each killed and resumed until it has ended."""

    def __init__(self, what: str, folder: Path, *, kills: int, seed: int) -> None:
        self.tally = Tally(what)
        self._folder = folder
        self._wanted = kills
        self._moment = random.Random(f"{what} {seed}")
        self._requests = Requests(folder / "requests")
        Store(folder / "empty.db").close()

    def run(self, begin: Callable[[Store], Work]) -> Tally:
        began = time.monotonic()
        try:
            self._run(begin)
        except Broken as error:
            self.tally.wrong = str(error)
        self.tally.seconds = round(time.monotonic() - began, 1)
        return self.tally

    def _run(self, begin: Callable[[Store], Work]) -> None:
        work = self._begin(begin, 0)
        began = time.monotonic()
        must(life(work, self._requests.file, None) == 0, "the undisturbed work broke down")
        seconds = time.monotonic() - began
        self._requests.new()
        with Store() as store:
            must(work.done(store), "the undisturbed work did not end")
            whole = [shape(store, run) for run in work.runs(store)]
        number = 0
        while self.tally.kills < self._wanted:
            number += 1
            must(number < MOST_LIVES * self._wanted, "no moment fell into the work")
            self._to_its_end(self._begin(begin, number), seconds, whole)

    def _begin(self, begin: Callable[[Store], Work], number: int) -> Work:
        """The same work once more, in a database of its own."""
        home = self._folder / str(number)
        home.mkdir()
        shutil.copyfile(self._folder / "empty.db", home / "palimpsest.db")
        os.environ["PALIMPSEST_HOME"] = str(home)
        with Store() as store:
            return begin(store)

    def _to_its_end(self, work: Work, seconds: float, whole: list[Shape]) -> None:
        first = len(self._requests.lines)
        while not self._lived(work, seconds):
            pass
        with Store() as store:
            compare([shape(store, run) for run in work.runs(store)], whole)
        asked = Counter(line.key for line in self._requests.lines[first:] if line.kind == "?")
        self.tally.finished += 1
        self.tally.requests += asked.total()
        self.tally.again += asked.total() - len(asked)

    def _lived(self, work: Work, seconds: float) -> bool:
        """One life of the work: killed at a moment, or, once there were kills enough, let go on. Returns whether it has ended."""
        with Store() as store:
            before = recorded(store, work)
        moment = self._moment.uniform(0, seconds) if self.tally.kills < self._wanted else None
        code = life(work, self._requests.file, moment)
        must(code in (0, -signal.SIGKILL), f"a process ended by itself with {code}")
        self.tally.kills += code == -signal.SIGKILL
        with Store() as store:
            self._check(store, work, before)
            return work.done(store)

    def _check(self, store: Store, work: Work, before: dict[Key, Record]) -> None:
        must(store.check() == "ok", f"the database is damaged: {store.check()}")
        runs, lines = work.runs(store), self._requests.new()
        after = recorded(store, work)
        asked, answered = ({line.key for line in lines if line.kind == kind} for kind in "?=")
        must(before.items() <= after.items(), "what was on record has changed or is gone")
        sent = Counter(line.key for line in lines if line.kind == "?")
        must(
            sent.total() == len(asked),
            f"asked twice in one life: {[key for key, count in sent.items() if count > 1]}",
        )
        must(not asked & before.keys(), f"on record, and asked again: {sorted(asked & before.keys())}")
        known = {row.identity for row in before.values() if row.shared}
        twice = [line.key for line in lines if line.kind == "?" and line.shared and line.identity in known]
        must(not twice, f"shared, on record, and asked again: {twice}")
        lost = answered - after.keys()
        must(
            len(lost) <= work.in_flight,
            f"{len(lost)} answers are lost, and at most {work.in_flight} were in flight: {sorted(lost)}",
        )
        must(after.keys() <= before.keys() | answered, "a reply is on record that nobody gave")
        live = [run.id for run in runs if run.status in ("queued", "running", "waiting")]
        must(not live, f"{live} look as if somebody worked on them")


def compare(found: list[Shape], whole: list[Shape]) -> None:
    must(len(found) == len(whole), f"{len(found)} readings, and undisturbed {len(whole)}")
    for got, expected in zip(found, whole, strict=True):
        must(got.end == expected.end, f"it ended with {got.end}, and undisturbed with {expected.end}")
        must(got.events == expected.events, "its events are not those of an undisturbed one")
        must(got.calls == expected.calls, "its calls are not those of an undisturbed one")


def trial(what: str, folder: Path, *, kills: int, seed: int) -> Tally:
    one = Trial(what, folder, kills=kills, seed=seed)
    begin: dict[str, Callable[[Store], Work]] = {"batch": new_batch, "server": lambda store: OnPages()}
    return one.run(begin.get(what, lambda store: new_reading(store, what)))


def main(words: list[str]) -> int:
    kills, seed, *every = words
    tokens.encoding()  # loaded once, for all the children
    wrong = False
    for what in every or EVERY:
        with tempfile.TemporaryDirectory() as folder:
            found = trial(what, Path(folder), kills=int(kills), seed=int(seed))
        wrong = wrong or bool(found.wrong)
        print(json.dumps(asdict(found)), flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
