"""How a chain of agents is described: by its workers and its manager; the rest is the same for every reader with a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from readers.engine.analysis.memory_snapshots import CHUNK, MemoryNarrative
from readers.engine.record.narrative import StepRecord


class ChainNarrative(MemoryNarrative):
    phases: ClassVar[Mapping[str, str]] = {CHUNK: "Workers", "answer": "Manager"}
    carried = "message"

    def who(self, record: StepRecord) -> str:
        """The worker of a step: they are counted in the order in which they read."""
        return f"Worker {worker(record)}"

    def sentences(self, record: StepRecord) -> Iterator[str]:
        yield from super().sentences(record)
        if record.step.phase == "answer" and record.asked:
            yield "The manager was asked for an answer, with the last message and no part of the text before it."


def worker(record: StepRecord) -> int:
    """The number of the worker whose step this is, or of the last one before it."""
    steps = record.trace.steps[: record.step.number + 1]
    return sum(step.phase.startswith(f"{CHUNK} ") for step in steps)
