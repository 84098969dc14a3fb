"""Try hostile files through the doors that uploads come in by, and hold each against the promise.

The promise: a text, a reading or one sentence, within 30 seconds of the processor and five minutes of the clock, and 1 GB in
every process that took part. Starting the process that reads is not counted, nor is making the hostile file.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

from readers import offered
from readers.engine import own_process
from readers.engine.errors import BadInput
from readers.engine.files.runs import unzip
from readers.engine.files.runs.import_run import check_run_file_apart
from readers.engine.files.runs.run_file_schema import MAX_FILE_BYTES
from readers.engine.ingest import from_bytes
from tests.hostile import crash, crowds, growth, keys, pages, pairs, run_files, texts, zips
from tests.hostile.case import Case, Mishap

CASES = (*texts.CASES, *zips.CASES, *pages.CASES, *run_files.CASES)
MISHAPS = (*crash.MISHAPS, *crowds.MISHAPS, *growth.MISHAPS, *keys.MISHAPS, *pairs.MISHAPS)
MOST_SECONDS = own_process.SECONDS + 3  # of the processor, with what goes to and fro
LONGEST_WAIT = own_process.LONGEST_WAIT + 3
MOST_MEMORY = own_process.MEMORY + 100_000_000  # what a process may take between two looks
LONGEST_SENTENCE = 1_000
LOOK_SECONDS = 0.02
SECRETS = ("root:x:0:0", "root:/root")  # of a file of the server


@dataclass(frozen=True)
class Outcome:
    """What became of it. `wrong` says how it broke the promise; empty if it did not."""

    case: Case | Mishap
    said: str
    seconds: float
    memory: int
    wrong: str = ""


@dataclass
class _Watch:
    """The most memory and processor time of this process, beyond what it had, and of each that it started."""

    base: int = field(default_factory=lambda: psutil.Process().memory_info().rss)
    most: int = 0
    began: dict[int, float] = field(default_factory=dict)
    seconds: float = 0.0
    done: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        own = psutil.Process()
        while not self.done.wait(LOOK_SECONDS):
            with suppress(psutil.Error):
                every = [own, *own.children()]
                held = [one.memory_info().rss for one in every]
                self.most = max(self.most, held[0] - self.base, *held[1:], 0)
                for one in every:
                    used = sum(one.cpu_times()[:2])
                    self.seconds = max(self.seconds, used - self.began.setdefault(one.pid, used))


def try_mishap(mishap: Mishap) -> Outcome:
    began = time.monotonic()
    try:
        said, wrong = mishap.happen(), ""
    except AssertionError as error:
        said, wrong = "", str(error)
    return Outcome(mishap, said, time.monotonic() - began, 0, wrong)


def try_case(case: Case) -> Outcome:
    """One hostile file through its door."""
    data = case.make()
    own_process.run(len, b"")  # one is ready
    watch = _Watch()
    thread = threading.Thread(target=watch.look, daemon=True)
    thread.start()
    began = time.monotonic()
    try:
        said, wrong = _through(case, data), ""
    except BadInput as error:
        said, wrong = str(error), _wrong_sentence(str(error))
    except Exception as error:
        said, wrong = "", f"raised {type(error).__name__}: {str(error)[:200]}"
    waited = time.monotonic() - began
    watch.done.set()
    thread.join()
    if any(secret in said for secret in SECRETS):
        wrong = "read a file of the server"
    if watch.seconds > MOST_SECONDS or waited > LONGEST_WAIT:
        wrong = wrong or f"took {watch.seconds:.0f} s of the processor, {waited:.0f} s in all"
    if watch.most > MOST_MEMORY:
        wrong = wrong or f"took {watch.most / 1e6:,.0f} MB"
    return Outcome(case, said, watch.seconds, watch.most, wrong)


def _through(case: Case, data: bytes) -> str:
    """What came of it: the beginning of a text, or how a reading is. Raises BadInput."""
    if case.door == "text":
        return from_bytes(data, case.name).document.text[:10_000]
    if case.door == "run file":
        return check_run_file_apart(data, case.name, readers=offered).run.status
    room = unzip.Room(files=1_000, each=MAX_FILE_BYTES, bytes=2 * MAX_FILE_BYTES)
    refused: list[str] = []
    for name, unpacked in unzip.run_files(data, case.name, room):
        try:
            refused.append(check_run_file_apart(unpacked(), name, readers=offered).run.status)
        except BadInput as error:
            refused.append(str(error))
    return refused[0]


def _wrong_sentence(said: str) -> str:
    if len(said) > LONGEST_SENTENCE:
        return f"a sentence of {len(said):,} characters"
    if "\n" in said or "Traceback" in said or not said.strip():
        return f"no sentence: {said[:100]!r}"
    return ""


def table(outcomes: Iterable[Outcome]) -> str:
    """Tried and failed by kind, with the longest time and the most memory."""
    every = list(outcomes)
    tried, failed = Counter[str](), Counter(one.case.kind for one in every if one.wrong)
    for one in every:
        tried[one.case.kind] += one.case.times
    lines = [f"{'kind':<18}{'tried':>7}{'failed':>8}{'slowest':>10}{'most memory':>14}"]
    for kind in tried:
        own = [one for one in every if one.case.kind == kind]
        slowest, most = max(one.seconds for one in own), max(one.memory for one in own)
        lines.append(f"{kind:<18}{tried[kind]:>7}{failed[kind]:>8}{slowest:>8.1f} s{most / 1e6:>11,.0f} MB")
    lines.append(f"{'in all':<18}{sum(tried.values()):>7}{sum(failed.values()):>8}")
    return "\n".join(lines)
