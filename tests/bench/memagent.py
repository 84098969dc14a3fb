"""MemAgent over 3.5 million tokens with the offline model: whether a chunk costs the same at the end as at the beginning.

The reading is a whole one, with its record in a database; what is timed is from the end of one chunk's call to the end of the
next, by the processor's time of the reading's own thread. The memory's size is checked, too: it does not grow.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text import tokens
from readers.engine.text.document import Document
from readers.memagent import MemAgent
from tests.bench.cutting import SAMPLES

READER = MemAgent()
TOKENS = 3_500_000
QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"


class Timed:
    """The offline model, and when each of its replies was given."""

    def __init__(self) -> None:
        self.at: list[float] = []

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        reply = Offline().complete(call)
        if call.prompt.task == "update_memory":
            self.at.append(time.thread_time())
        return reply


def chunks() -> tuple[str, str, float, float]:
    document = Document.of(_long(TOKENS), title="Bench")
    timed = Timed()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        run = execute(
            store, create_run(store, document, READER, RunSpec(READER.id, READER.version, QUESTION)).id, READER, Execution(timed)
        )
        assert run.outcome == "answered", run.error
        snapshots = READER.view(open_reading(store, run.id).trace)["snapshots"]
    count, sizes = len(snapshots), [snapshot["tokens"] for snapshot in snapshots]
    assert max(sizes) <= 1024
    assert max(sizes[-count // 10 :]) <= 1.1 * max(sizes[count // 10 : count // 2]), "the memory grows"
    took = [after - before for before, after in zip(timed.at, timed.at[1:], strict=False)]
    tenth = len(took) // 10
    ratio = statistics.median(took[-tenth:]) / statistics.median(took[:tenth])
    return (
        f"MemAgent over {TOKENS / 1e6:g} million tokens: a chunk of its last tenth",
        "one of its first tenth, in the median",
        ratio,
        1.1,
    )


def _long(size: int) -> str:
    """The samples again and again, each time with the number of the round, up to so many tokens."""
    samples = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.txt"))]
    a_round = sum(map(tokens.count, samples))
    return "\n\n".join(f"Round {number}.\n\n{text}" for number in range(1 + size // a_round) for text in samples)
