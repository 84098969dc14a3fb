"""The algorithm of Chain-of-Agents (algorithms 1 and 2), line by line, and which lines a step ran."""

from __future__ import annotations

from typing import ClassVar

from readers.chain_of_agents.narrative import worker
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode, below, number_in

READ = "readers.chain_of_agents.reader:ChainOfAgents.read"
ROOM = "readers.chain_of_agents.reader:_room"
ORDER = "readers.chain_of_agents.reader:_in_order"
CHAIN, CHUNKS = "algorithm 1", "algorithm 2"


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
        return f"for worker i = {self.turn(record)} (of {self.chunks(record):,}), with chunk {chunk}:"

    def cutting(self, parts: int) -> str:
        return super().cutting(parts).replace("cut(text)", "cut(text, what a window leaves)")

    def updating(self, turn: int) -> str:
        return f"m{below(turn)} ← worker(question, m{below(turn - 1)}, chunk)"

    def answering(self, turn: int) -> str:
        return f"answer ← manager(question, m{below(turn)})"
