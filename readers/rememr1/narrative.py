"""ReMemR1's own actions, how looking back is described, and its algorithm (section 3): which lines a step ran.

The rest is the same for every reader with a memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from readers.engine.analysis.memory_snapshots import MemoryNarrative
from readers.engine.record.events import Chose
from readers.engine.record.narrative import ActionDisplay, StepRecord, in_plain_words
from readers.engine.record.pseudo_code import (
    CUTS_CHUNKS,
    CUTS_MEMORY,
    OURS,
    UPDATES_MEMORY,
    Line,
    MemoryCode,
    Ran,
    below,
    number_in,
    quoted,
)
from readers.engine.record.trace import Trace

NOTHING_EARLIER = "nothing"  # what is picked where there is no earlier memory; the memory with which it began has no name
Action = Literal["format_error", "recall"]
READ = "readers.rememr1.reader:ReMemR1.read"
BACK, AFTER = "readers.rememr1.reader:LookingBack._recall", "readers.rememr1.reader:LookingBack.after"
STATE = "section 3"


class ReMemR1Narrative(MemoryNarrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "format_error": ActionDisplay(note="Malformed", reasoned=False),
        "recall": ActionDisplay(reasoned=False),  # what it gives is what it looks for
    }

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        match decision.action:
            case "format_error":
                yield f"The reply was not in the form that was asked for: {in_plain_words(decision.because)}."
            case "recall":
                yield _looked_back(decision, record)
            case _:
                yield from super().sentence(decision, record)


def by_the_model(query: str, trace: Trace) -> bool:
    """Whether a query is the model's own, not the question, which a reader may use instead at every chunk."""
    return query.strip() != trace.question.strip()


def _looked_back(decision: Chose, record: StepRecord) -> str:
    """The query in full, whose it is, and what it found."""
    query = " ".join(decision.because.split())
    learned = by_the_model(query, record.trace)
    if decision.picked == NOTHING_EARLIER:
        query_was = f"It asked for “{query}”" if learned else "The question was its query"
        return f"{query_was}, and there was no earlier memory to look back at."
    earlier = record.names.get(decision.picked, "memory with which it began, which is empty")
    return f"{f'It asked for “{query}” and' if learned else 'With the question as its query, it'} looked back at the {earlier}."


class ReMemR1Code(MemoryCode):
    paper = "Shi et al., 2025, arXiv 2509.23040"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", STATE, CUTS_CHUNKS),
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
