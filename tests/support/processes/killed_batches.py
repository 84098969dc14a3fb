"""A batch worked on in a process of its own, whose model kills that process at its N-th call. For tests of resuming.

    python -m tests.support.processes.killed_batches BATCH LOG N

Each answered call is a line in LOG: the question, the reader, and the call's number. N is 0 for never.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

from readers import get
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run import batches
from readers.engine.run.execute import Execution
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run


@dataclass
class Logging:
    """The offline model for any number of readings, which notes each answered call, and dies in the `last`-th."""

    log: Path
    last: int = 0
    answered: list[str] = field(default_factory=list)

    def execution(self, run: Run) -> Execution:
        return Execution(Logged(self, f"{run.question}\t{run.reader}"), concurrency=1)


@dataclass(frozen=True)
class Logged:
    """It for one reading."""

    whole: Logging
    about: str

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        if len(self.whole.answered) + 1 == self.whole.last:
            os.kill(os.getpid(), signal.SIGKILL)
        reply = Offline().complete(call)
        line = f"{self.about}\t{call.seq}.{call.attempt}"
        self.whole.answered.append(line)
        with self.whole.log.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        return reply


def work(batch: str, log: Path, last: int = 0) -> None:
    """Go on with the batch to its end, one reading at a time."""
    jobs = Jobs(at_once=1)
    batches.start(jobs, batch, batches.BatchExecution(get, Logging(log, last).execution))
    assert jobs.wait(60)


if __name__ == "__main__":
    work(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
