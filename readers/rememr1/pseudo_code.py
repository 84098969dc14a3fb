"""ReMemR1's algorithm (section 3), line by line, and which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode, Ran, below, number_in, quoted
from readers.rememr1.narrative import NOTHING_EARLIER

READ = "readers.rememr1.reader:ReMemR1.read"
CHUNKS = "readers.rememr1.reader:_chunks"
BACK = "readers.rememr1.reader:LookingBack._recall"
AFTER = "readers.rememr1.reader:LookingBack.after"
STATE = "section 3"


class ReMemR1Code(MemoryCode):
    paper = "Shi et al., 2025, arXiv 2509.23040"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", STATE, CHUNKS),
        Line("empty", "m₀ ← nothing yet; r₀ ← nothing recalled", STATE, READ),
        Line("each", "for t = 1 … n:", STATE, READ),
        Line("update", "(mₜ, query) ← model(question, chunk t, mₜ₋₁, rₜ₋₁)", STATE, UPDATES_MEMORY, 1),
        Line("stays", "if there is no memory in the reply: mₜ ← mₜ₋₁", OURS, UPDATES_MEMORY, 1),
        Line("shorten", "if mₜ is over memory_tokens: cut it at a sentence end", OURS, CUTS_MEMORY, 1),
        Line("recall", "if there is a query: rₜ ← the earlier memory most like it", STATE, BACK, 1),
        Line("nothing", "if there is none, or no query: rₜ ← nothing recalled", STATE, AFTER, 1),
        Line("stop", "if mₜ has not changed for so many chunks: stop reading", OURS, READ, 1),
        Line("answer", "answer ← model(question, mₙ, rₙ)", STATE, READ),
    )

    def after_update(self, record: StepRecord, chunk: int) -> Iterator[Ran]:
        if record.asked:
            yield self._back(record, chunk)
        yield from super().after_update(record, chunk)

    def _back(self, record: StepRecord, chunk: int) -> Ran:
        recall = next(iter(record.decisions_of("recall")), None)
        if recall is None:
            return Ran("nothing", f"no query: r{below(chunk)} ← nothing recalled")
        if recall.picked == NOTHING_EARLIER:
            return Ran("nothing", f"no earlier memory: r{below(chunk)} ← nothing recalled")
        earlier = f"m{below(number_in(record.name(recall.picked)))}"
        return Ran("recall", f"r{below(chunk)} ← {earlier}, the most like {quoted(recall.because)}")

    def updating(self, chunk: int) -> str:
        return f"(m{below(chunk)}, query) ← model(question, chunk {chunk}, m{below(chunk - 1)}, r{below(chunk - 1)})"

    def answering(self, chunk: int) -> str:
        return f"answer ← model(question, m{below(chunk)}, r{below(chunk)})"
