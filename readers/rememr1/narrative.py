"""ReMemR1's own actions, and how looking back is described; the rest is the same for every reader with a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from readers.engine.analysis.memory_snapshots import MemoryNarrative, excerpt
from readers.engine.record.events import Chose
from readers.engine.record.narrative import ActionDisplay, StepRecord

NOTHING_EARLIER = "nothing"  # what is picked where there is no earlier memory; the memory with which it began has no name
Action = Literal["format_error", "recall"]


class ReMemR1Narrative(MemoryNarrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "format_error": ActionDisplay(note="Malformed", reasoned=False),
        "recall": ActionDisplay(reasoned=False),  # what it gives is what it looks for
    }

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        match decision.action:
            case "format_error":
                yield f"The reply was not in the form that was asked for: {decision.because}."
            case "recall" if decision.picked in record.names:
                yield f"It asked for “{excerpt(decision.because)}” and looked back at the {record.names[decision.picked]}."
            case "recall" if decision.picked == NOTHING_EARLIER:
                yield f"It asked for “{excerpt(decision.because)}”, and there was no earlier memory to look back at."
            case "recall":
                began = "looked back at the memory with which it began, which is empty"
                yield f"It asked for “{excerpt(decision.because)}” and {began}."
            case _:
                yield from super().sentence(decision, record)
