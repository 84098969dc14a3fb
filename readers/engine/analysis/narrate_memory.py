"""A memory that is overwritten step by step, in words: shared by every reader that keeps one (`run/bounded_memory.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar

from readers.engine.analysis.memory_snapshots import CHUNK
from readers.engine.record.events import Chose
from readers.engine.record.narrative import Narrative, StepOption, StepRecord
from readers.engine.text.shorten import shorten
from readers.engine.text.split import sentences

LONGEST_EXCERPT = 120


class MemoryNarrative(Narrative):
    """What readers have in common that read chunk by chunk into one memory."""

    phases: ClassVar[Mapping[str, str]] = {CHUNK: "Reading"}

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        if decision.action == "stop":
            yield f"It stopped reading at {decision.picked}, because {decision.because}."
        else:
            yield from super().sentence(decision, record)

    def may_be_kept(self, record: StepRecord) -> Iterator[StepOption]:
        from readers.engine.analysis.may_be_kept import may_be_kept  # needed for predictions alone: no command waits for it

        return may_be_kept(record, self.carried)


def rewritten(before: str | None, after: str, record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """What a step made of the memory; `before` is None where there was none yet."""
    read = f"{narrative.who(record)} read {record.place_name('on')}"
    if before is None:
        yield f"{read} and wrote its first {narrative.carried}."
    elif before.split() == after.split():
        yield f"{read} and left the {narrative.carried} as it was."
    else:
        yield f"{read} and wrote the {narrative.carried} anew: {_overwritten(before, after)}."
    for event in record.decisions_of("truncate"):
        yield f"It was cut at the end of a sentence: {event.because}."


def _overwritten(before: str, after: str) -> str:
    """What became of the sentences of a memory, compared by their words alone; one that is gone is quoted."""
    old, new = (Counter(" ".join(text[start:end].split()) for start, end in sentences(text)) for text in (before, after))
    came, gone = new - old, old - new
    stayed = (old & new).total()
    told = [f"{_sentences(stayed)} stayed as {_it(stayed)} stood" if stayed else "nothing stayed as it stood"]
    if came:
        told.append(f"{came.total()} came in or changed")
    if gone:
        example = f" (“{excerpt(next(iter(gone)))}”)"
        told.append(f"{gone.total()} {'is' if gone.total() == 1 else 'are'} written over{example}")
    return ", ".join(told)


def _sentences(count: int) -> str:
    return "1 sentence" if count == 1 else f"{count} sentences"


def _it(count: int) -> str:
    return "it" if count == 1 else "they"


def excerpt(words: str) -> str:
    """Words on one line, shortened."""
    return shorten(words, LONGEST_EXCERPT)
