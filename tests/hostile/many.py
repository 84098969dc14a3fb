"""Many at once on one store: people who read while texts are deleted, in two servers, with the command line beside them.

    python -m tests.hostile.many SERVERS PEOPLE ROUNDS

A server is a process with its `Jobs`; a person is a thread of one, with a text of their own and one that all share. All
servers work on one batch, too. Prints a line of JSON: what was done, requests and seconds; or `wrong`, what was broken.
The promise: no error but a sentence, every reading ends with the events of one that was alone, no reading asks anything
twice, no cell of the batch is read twice, and all is done in time.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from readers import READERS, get
from readers.cli import main as command_line
from readers.engine.errors import Busy, NotFound
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.record.events import to_json
from readers.engine.run import batches
from readers.engine.run.execute import Execution, RunSpec, create_run, rehearse
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.text import tokens
from readers.engine.text.document import Document
from tests.hostile.killed_work import ASKED, OTHER, Broken, Noting, Requests, must, name_of
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL

MOST_SECONDS = 240
POLL = 0.05
TEXT = LAMP.read_text(encoding="utf-8")[13_500:15_000]
SHARED = Document.of(TEXT, title="Everybody's")
BATCH = RunSpec("whole", get("whole").version, "", options=SMALL["whole"])


def spec_of(reader: str) -> RunSpec:
    return RunSpec(reader, get(reader).version, QUESTION, options=SMALL[reader])


@cache
def alone(reader: str, words: str, folder: str) -> tuple[str, ...]:
    """The events of a reading that has the machine to itself."""
    trace = rehearse(Document.of(words), get(reader), spec_of(reader), Noting(Path(folder) / "alone", ""))
    return tuple(map(to_json, trace.events))


@dataclass(frozen=True)
class Server:
    """One process: its people, each a thread, and a batch that it works on with the other servers."""

    folder: Path
    number: int
    jobs: Jobs
    seen: Counter[str]

    def work(self, people: int, rounds: int, batch: str) -> None:
        of_batch = batches.BatchExecution(get, lambda run: self._execution(name_of(run)))
        batches.start(self.jobs, batch, of_batch)
        wrong = at_once([partial(self._person, number, rounds) for number in range(people)])
        must(not wrong, "; ".join(wrong))
        must(self.jobs.wait(MOST_SECONDS), "the readings of a server do not come to their end")

    def _execution(self, name: str) -> Execution:
        return Execution(Noting(self.folder / "requests", name), concurrency=3)

    def _person(self, number: int, rounds: int) -> None:
        """Read a text of one's own and everybody's, with another reader each time, and try to delete both meanwhile and after."""
        moment = random.Random(f"{self.number} {number}")
        own = Document(f"Of {self.number}.{number}", f"Person {self.number}.{number}.\n\n{TEXT}")
        with Store() as store:
            for turn in range(rounds):
                reader = READERS[(number + turn) % len(READERS)].id
                runs = [self._begun(store, text, reader) for text in (own, SHARED)]
                time.sleep(moment.uniform(0, 0.1))
                self._delete(store, own)
                for run, text in zip(runs, (own, SHARED), strict=True):
                    self._until_ended(store, run, text)
                self._delete(store, SHARED)
                self._delete(store, own)

    def _begun(self, store: Store, text: Document, reader: str) -> Run:
        run = create_run(store, text, get(reader), spec_of(reader))
        self.jobs.start(run.id, get(reader), self._execution(run.id))
        return run

    def _delete(self, store: Store, text: Document) -> None:
        """Whoever reads it keeps it, and somebody else may have been faster."""
        try:
            store.documents.delete(text.id)
            self.seen["texts deleted"] += 1
        except (Busy, NotFound) as error:
            self.seen[type(error).__name__] += 1

    def _until_ended(self, store: Store, run: Run, text: Document) -> None:
        """Wait until the reading has ended as it does alone, or was deleted after its end."""
        end = time.monotonic() + MOST_SECONDS
        try:
            while (now := store.runs.get(run.id)).status in ("queued", "running"):
                must(time.monotonic() < end, f"a reading does not come to its end in {MOST_SECONDS} seconds")
                time.sleep(POLL)
            must(now.status == "finished", f"a reading is {now.status}: {now.error}")
            found = tuple(store.runs.tape(run.id).events())
            store.runs.get(run.id)
        except NotFound:
            self.seen["readings deleted"] += 1
            return
        must(found == alone(run.reader, text.text, str(self.folder)), f"a reading by {run.reader} has other events than alone")
        self.seen["readings compared"] += 1


def at_once(tasks: Sequence[Callable[[], None]]) -> list[str]:
    """Do these on threads of their own; what went wrong."""
    wrong: list[str] = []

    def safely(task: Callable[[], None]) -> None:
        try:
            task()
        except Exception as error:
            traceback.print_exc()
            wrong.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=safely, args=(task,), daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MOST_SECONDS)
    return wrong + ["somebody waits for ever" for thread in threads if thread.is_alive()]


def beside(folder: Path, batch: str, rounds: int) -> Counter[str]:
    """The command line, again and again, while the servers work."""
    text = folder / "own.txt"
    text.write_text(TEXT, encoding="utf-8")
    seen: Counter[str] = Counter()
    for turn in range(rounds):
        for words in (
            ["read", str(text), "--question", f"Who strolled about the harbour, {turn}?", "--reader", "retrieval"],
            ["runs"], ["batches"], ["batch-resume", batch], ["doctor"],
        ):  # fmt: skip
            out, err = io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                code = command_line(words)
            must("Traceback" not in err.getvalue(), f"{words[0]}: {err.getvalue()[-400:]}")
            must(code in (0, 3), f"{words[0]} ended with {code}: {err.getvalue()[-200:]}")
            seen["commands"] += 1
    return seen


def put_batch(store: Store) -> str:
    asked = [SetQuestion(f"{n}", OTHER.id, words) for n, words in enumerate(ASKED)]
    made = store.question_sets.add(QuestionSet("For all", tuple(asked), (OTHER,)))
    return batches.add(store, made.id, batches.BatchPlan((BATCH,)), readers=get).id


def child(task: Callable[[], Counter[str]], result: Path) -> int:
    """A process of its own; what it saw, or what was wrong, is in a file."""
    process = os.fork()
    if process:
        return process
    found: dict[str, Any] = {}
    try:
        found = {"seen": task()}
    except BaseException as error:
        traceback.print_exc()
        found = {"wrong": f"{type(error).__name__}: {error}"}
    finally:
        result.write_text(json.dumps(found), encoding="utf-8")
        os._exit(0)


def all_of_them(folder: Path, servers: int, people: int, rounds: int) -> dict[str, Any]:
    with Store() as store:
        batch = put_batch(store)

    def serve(number: int) -> Counter[str]:
        server = Server(folder, number, Jobs(at_once=4), Counter())
        server.work(people, rounds, batch)
        return server.seen

    tasks = [*(partial(serve, number) for number in range(servers)), partial(beside, folder, batch, rounds)]
    began = time.monotonic()
    results = [folder / f"result{n}" for n in range(len(tasks))]
    for process in [child(task, result) for task, result in zip(tasks, results, strict=True)]:
        os.waitpid(process, 0)
    found = [json.loads(result.read_text(encoding="utf-8")) for result in results]
    wrong = [one["wrong"] for one in found if "wrong" in one]
    seen = sum((Counter(one.get("seen", {})) for one in found), Counter[str]())
    requests = Requests(folder / "requests")
    asked = Counter(line.key for line in requests.new() if line.kind == "?")
    try:
        must(not wrong, "; ".join(wrong))
        must(asked.total() == len(asked), f"asked twice: {[key for key, count in asked.items() if count > 1]}")
        _check(batch)
    except Broken as error:
        wrong = [str(error)]
    return {**seen, "requests": asked.total(), "seconds": round(time.monotonic() - began, 1), "wrong": "; ".join(wrong)}


def _check(batch: str) -> None:
    with Store() as store:
        must(store.check() == "ok", f"the database is damaged: {store.check()}")
        stands = batches.progress(store, batch)
        must(stands.done == stands.of == len(ASKED), f"the batch stands at {stands}")
        of_batch = [run for run in store.runs.listed() if run.document == OTHER.id]
        must(len(of_batch) == len(ASKED), f"{len(of_batch)} readings for {len(ASKED)} cells")
        must(all(run.status == "finished" for run in store.runs.listed()), "a reading has not ended")


def main(words: list[str]) -> int:
    servers, people, rounds = map(int, words)
    tokens.encoding()  # loaded once, for all the children
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PALIMPSEST_HOME"] = folder
        found = all_of_them(Path(folder), servers, people, rounds)
    print(json.dumps(found), flush=True)
    return int(bool(found["wrong"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
