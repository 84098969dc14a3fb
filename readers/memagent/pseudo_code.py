"""MemAgent's algorithm (section 3.2), line by line, and which lines a step ran."""

from __future__ import annotations

from typing import ClassVar

from readers.engine.record.pseudo_code import CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode

READ = "readers.memagent.reader:MemAgent.read"
CHUNKS = "readers.memagent.reader:_chunks"
WORKFLOW = "section 3.2"


class MemAgentCode(MemoryCode):
    paper = "Yu et al., 2025, arXiv 2507.02259"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", WORKFLOW, CHUNKS),
        Line("empty", "m₀ ← nothing yet", WORKFLOW, READ),
        Line("each", "for t = 1 … n:", WORKFLOW, READ),
        Line("update", "mₜ ← model(question, chunk t, mₜ₋₁)", WORKFLOW, UPDATES_MEMORY, 1),
        Line("stays", "if there is no memory in the reply: mₜ ← mₜ₋₁", OURS, UPDATES_MEMORY, 1),
        Line("shorten", "if mₜ is over memory_tokens: cut it at a sentence end", OURS, CUTS_MEMORY, 1),
        Line("stop", "if mₜ has not changed for so many chunks: stop reading", OURS, READ, 1),
        Line("answer", "answer ← model(question, mₙ)", WORKFLOW, READ),
    )
