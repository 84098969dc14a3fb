"""The algorithms of the three baselines, line by line, and which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from readers.engine.record.events import Asked, Chose, Cut
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode, PseudoCode, Ran
from readers.engine.text.phrases import counted

WHOLE, RETRIEVAL, RECURRENCE = "readers.baselines.whole:", "readers.baselines.retrieval:", "readers.baselines.recurrence:"
MEMWALKER = "Chen et al., 2023, arXiv 2310.05029"
BASELINES = "section 4.3"


class WholeCode(PseudoCode):
    paper = MEMWALKER
    lines: ClassVar[tuple[Line, ...]] = (
        Line("room", "room ← window_tokens", BASELINES, f"{WHOLE}Whole.read"),
        Line("fits", "if the text fits into it: shown ← the text", BASELINES, f"{WHOLE}Whole._kept"),
        Line("cut", "else: shown ← its beginning, its end, or half of each", BASELINES, f"{WHOLE}_fitted"),
        Line("answer", "answer ← model(question, shown)", BASELINES, f"{WHOLE}Whole.read"),
        Line("less", "if that is over the model’s window: less room; cut again", OURS, f"{WHOLE}Whole.read"),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        for event in record.events:
            if isinstance(event, Cut) and record.step.phase == "fit":
                yield Ran("room")
            elif isinstance(event, Chose) and record.step.phase == "answer":
                yield Ran("less", f"{event.because}: cut again")
            elif isinstance(event, Chose) and event.action == "fit":
                yield Ran("fits", "the text fits into it: shown ← the text")
            elif isinstance(event, Chose) and event.action == "leave_out":
                yield Ran("cut", f"shown ← the text without {record.name(event.picked)}")
            elif isinstance(event, Asked):
                yield Ran(
                    "answer",
                    f"answer ← model(question, {(record.opened_last and record.name(record.opened_last.ref)) or 'shown'})",
                )


class RetrievalCode(PseudoCode):
    paper = MEMWALKER
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "pieces ← cut(text)", BASELINES, f"{RETRIEVAL}Retrieval._search"),
        Line("score", "for each piece: score ← likeness(question, piece)", BASELINES, f"{RETRIEVAL}Retrieval._search"),
        Line("take", "taken ← the best top_k, or as many as fill the window", BASELINES, f"{RETRIEVAL}_filled"),
        Line("show", "for each taken piece: show it, in the order of the text", BASELINES, f"{RETRIEVAL}Retrieval.read"),
        Line("answer", "answer ← model(question, taken)", BASELINES, f"{RETRIEVAL}Retrieval.read"),
        Line("less", "if that is over the model’s window: leave out the last in rank", OURS, f"{RETRIEVAL}Retrieval.read"),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        name = record.step.names[-1]
        if name == "scores":
            yield from self._searched(record)
        elif record.opened is not None and name != "answer":
            yield Ran("show", f"show {record.place_name('a piece')}: {record.opened.why}")
        for event in record.decisions_of("put_back"):
            yield Ran("less", f"over the model’s window: leave out {record.name(event.picked)}")
        if record.asked and name == "answer":
            yield Ran("answer", f"answer ← model(question, {_shown(record)})")

    def _searched(self, record: StepRecord) -> Iterator[Ran]:
        for event in record.events:
            if isinstance(event, Cut):
                yield Ran("cut", f"{counted(len(event.spans), 'piece')} ← cut(text)")
        for event in record.decisions_of("score"):
            yield Ran("score", f"for each of {counted(len(event.among), 'piece')}: score ← {event.picked}(question, piece)")
        if taken := record.decisions_of("take"):
            yield Ran("take", f"taken ← {taken[0].because}: {counted(len(taken), 'piece')}")


class RecurrenceCode(MemoryCode):
    paper = MEMWALKER
    letter = "s"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", BASELINES, f"{RECURRENCE}Recurrence.read"),
        Line("empty", "s₀ ← nothing yet", BASELINES, f"{RECURRENCE}Recurrence.read"),
        Line("each", "for t = 1 … n:", BASELINES, f"{RECURRENCE}Recurrence.read"),
        Line("update", "sₜ ← model(question, chunk t, sₜ₋₁)", BASELINES, UPDATES_MEMORY, 1),
        Line("stays", "if there is no summary in the reply: sₜ ← sₜ₋₁", OURS, UPDATES_MEMORY, 1),
        Line("shorten", "if sₜ is over summary_tokens: cut it at a sentence end", OURS, CUTS_MEMORY, 1),
        Line("answer", "answer ← model(question, sₙ)", BASELINES, f"{RECURRENCE}Recurrence.read"),
    )


def _shown(record: StepRecord) -> str:
    """What stood before the model when it answered."""
    return record.name(record.opened_last.ref) if record.opened_last else "what is shown"
