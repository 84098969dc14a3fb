"""How a chain of agents is described, by its workers and its manager, and its algorithm (algorithms 1 and 2): which lines a step
ran. The rest is the same for every reader with a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from readers.engine.analysis.memory_snapshots import CHUNK, MemoryNarrative
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode, below, number_in

READ = "readers.chain_of_agents.reader:ChainOfAgents.read"
ROOM = "readers.chain_of_agents.reader:_room"
ORDER = "readers.chain_of_agents.reader:_in_order"
CHAIN, CHUNKS = "algorithm 1", "algorithm 2"


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
    """The number of the worker whose step this is, or of the last worker before it."""
    steps = record.trace.steps[: record.step.number + 1]
    return sum(step.phase.startswith(f"{CHUNK} ") for step in steps)


class ChainCode(MemoryCode):
    paper = "Zhang et al., 2024, arXiv 2406.02818"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text, what a window leaves)", CHUNKS, ROOM),
        Line("empty", "m₀ ← empty", CHAIN, READ),
        Line("each", "for worker i = 1 … n, with the next chunk:", CHAIN, ORDER),
        Line("update", "mᵢ ← worker(question, mᵢ₋₁, chunk)", CHAIN, UPDATES_MEMORY, 1),
        Line("stays", "if there is no message in the reply: mᵢ ← mᵢ₋₁", OURS, UPDATES_MEMORY, 1),
        Line("shorten", "if mᵢ is over message_tokens: cut it at a sentence end", OURS, CUTS_MEMORY, 1),
        Line("answer", "answer ← manager(question, mₙ)", CHAIN, READ),
    )

    def turn(self, record: StepRecord) -> int:
        return worker(record)

    def beginning(self, record: StepRecord) -> str:
        chunk = number_in(record.step.names[0])
        return f"for worker i = {self.turn(record)} (of {len(record.trace.first_cut):,}), with chunk {chunk}:"

    def cutting(self, parts: int) -> str:
        return super().cutting(parts).replace("cut(text)", "cut(text, what a window leaves)")

    def updating(self, turn: int) -> str:
        return f"m{below(turn)} ← worker(question, m{below(turn - 1)}, chunk)"

    def answering(self, turn: int) -> str:
        return f"answer ← manager(question, m{below(turn)})"
