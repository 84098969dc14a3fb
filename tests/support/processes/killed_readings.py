"""Readings, each in a process of its own, whose model kills that process at its N-th answered call. For tests of resuming.

    python -m tests.support.processes.killed_readings RUN LOG N [RUN LOG N ...]

One after the other; N is 0 for never; each answered call is a line in LOG. Prints how each process ended, -9 for a killed one.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from readers import get
from readers.engine.models.call import Call, Reply
from readers.engine.run.execute import Execution, execute
from readers.engine.store import Store
from readers.engine.text import tokens
from tests.support.models.scripted_models import BACK, COMMIT

WALK = {9: 0, 10: 0, 11: BACK, 12: 1, 13: COMMIT}
CALLS = 16  # 9 summaries and 5 decisions, one of each asked twice
PARTS, OPTIONS = 6, {"segment_tokens": 64, "max_children": 3, "summary_limit_tokens": 32}


class Mortal:
    """Answers by the call's number alone, so that any process gives the same replies; calls of a batch end in an odd order."""

    def __init__(self, log: str, last: int) -> None:
        self._log = log
        self._last = last
        self._answered = 0
        self._lock = threading.Lock()

    def complete(self, call: Call) -> Reply:
        time.sleep(0.002 * ((call.seq * 7) % 5))
        with self._lock:
            self._answered += 1
            if self._answered == self._last:
                os.kill(os.getpid(), signal.SIGKILL)
        return Reply(answer(call), 10, 5, 0.0)


class Killed(BaseException):
    """What breaks a reading off within this process, as far from any error that is expected as can be."""


class Dying:
    """Answers like `answer`, and breaks off at its `last` answered call; the calls that were answered are in `calls`."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._lock = threading.Lock()
        self.calls: list[tuple[int, int]] = []

    def complete(self, call: Call) -> Reply:
        with self._lock:
            if len(self.calls) + 1 >= self._last:
                raise Killed
            self.calls.append((call.seq, call.attempt))
        return Reply(answer(call), 10, 5, 0.0)


class Logging:
    """Notes every call that goes out to the model."""

    def __init__(self, log: str, last: int) -> None:
        self._model = Mortal(log, last)
        self._log = log

    def complete(self, call: Call) -> Reply:
        reply = self._model.complete(call)
        with open(self._log, "a", encoding="utf-8") as file:
            file.write(f"{call.seq}.{call.attempt}\n")
        return reply


def answer(call: Call) -> str:
    """Two replies are misread: one in the first batch, one on the walk."""
    if call.attempt == 0 and call.seq == 3:
        return " "
    if call.prompt.task == "update_memory":
        return f"After call {call.seq}: the lamp was lit by five."
    if call.prompt.task == "answer":
        return "\\boxed{at five}"
    if call.prompt.task == "summarise":
        return f"Summary {call.seq}: the boats of part {call.seq} were in by four, and the lamp was lit by five that day."
    if call.attempt == 0 and call.seq == 10:
        return "I cannot say."
    action = WALK[call.seq]
    values: dict[str, str | int] = {"reasoning": f"at {call.seq}", "action": action}
    return call.prompt.reply.render({**values, "answer": "at five"} if action == COMMIT else values)


def read(run: str, log: str, last: int) -> int:
    """Do the reading in a child of this process, which has no thread and no connection yet, and say how the child ended."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        with Store() as store:
            execute(store, run, get(store.runs.get(run).reader), Execution(Logging(log, last), concurrency=4))
        os._exit(0)
    finally:
        os._exit(1)


if __name__ == "__main__":
    tokens.encoding()  # loaded once, for all the children
    words = iter(sys.argv[1:])
    for run, log, last in zip(words, words, words, strict=True):
        print(read(run, log, int(last)), flush=True)
