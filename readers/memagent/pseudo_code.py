"""MemAgent's algorithm (section 3.2), line by line, and which lines a step ran."""

from __future__ import annotations

from typing import ClassVar

from readers.engine.record.pseudo_code import Line, MemoryCode

READ = "readers.memagent.reader:MemAgent.read"
CHUNKS = "readers.memagent.reader:_chunks"
UPDATE = "readers.engine.run.bounded_memory:FreeMemory.update"
CUT = "readers.engine.run.bounded_memory:BoundedMemory._cut_new"
WORKFLOW = "section 3.2"


class MemAgentCode(MemoryCode):
    paper = "Yu et al., 2025, arXiv 2507.02259"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", WORKFLOW, CHUNKS),
        Line("empty", "m₀ ← nothing yet", WORKFLOW, READ),
        Line("each", "for t = 1 … n:", WORKFLOW, READ),
        Line("update", "mₜ ← model(question, chunk t, mₜ₋₁)", WORKFLOW, UPDATE, 1),
        Line("stays", "if there is no memory in the reply: mₜ ← mₜ₋₁", "not in the paper", UPDATE, 1),
        Line("shorten", "if mₜ is over memory_tokens: cut it at a sentence end", "not in the paper", CUT, 1),
        Line("stop", "if mₜ has not changed for so many chunks: stop reading", "not in the paper", READ, 1),
        Line("answer", "answer ← model(question, mₙ)", WORKFLOW, READ),
    )
