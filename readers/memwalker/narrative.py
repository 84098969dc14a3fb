"""MemWalker's own actions, and how a walk down a tree is described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from readers.engine.record.events import Chose
from readers.engine.record.narrative import ActionDisplay, Narrative, StepRecord

Action = Literal["enter", "refuse", "revert"]
UP, ANSWER = "back up", "answer"


class MemWalkerNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "enter": ActionDisplay(),
        "refuse": ActionDisplay(note="Refused", reasoned=False, mark="warn"),
        "revert": ActionDisplay(mark="back"),
    }
    phases: ClassVar[Mapping[str, str]] = {"walk": "Looking for the answer"}
    steps: ClassVar[Mapping[str, str]] = {
        "segments": "cutting it into parts",
        "level 1": "a summary of each part",
        "level": "summaries",  # of any level, where steps are counted by their kind
        "root": "the whole text",
    }
    own_numbers: ClassVar[str] = "Summary"
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {
        UP: ("↩", "go back up"),
        ANSWER: ("◆", "answer from what is shown here"),
    }

    def step(self, name: str) -> str:
        """Levels of the tree are numbered from its leaves."""
        return self.steps.get(name, name.replace("level", "summaries put together, level"))

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        picked, place = record.name(decision.picked), record.place_name("this part")
        below = sum(option in record.names for option in decision.among)
        at_a_leaf = record.opened is not None and bool(record.opened.spans)
        match decision.action:
            case "enter":
                yield f"It compared {below} parts and opened {picked}." if below > 1 else f"It opened {picked}."
            case "revert" if at_a_leaf:
                yield f"Nothing in {place} answered the question, so it went back up."
            case "revert":
                yield _went_back(record, below, place)
            case "refuse":
                yield f"It chose {picked}, which was refused because {decision.because}, and was asked again."
            case _:
                yield from super().sentence(decision, record)


def _went_back(record: StepRecord, below: int, place: str) -> str:
    """Why it went back up from an inner node with so many parts: by a rule where all had been left, or by the model's choice."""
    parts = "The one part" if below == 1 else "Both parts" if below == 2 else f"All {below} parts"
    if not record.asked:
        return f"{parts} of {place} had been opened and left, so it went back up."
    before = sum(len(texts) for name, texts in record.asked[-1].parts if name == "opened")
    if before == below:
        return f"{parts} of {place} had been opened before, and it went back up."
    if before:
        return f"Of the {below} parts of {place}, it had opened {before} before; no other looked right, so it went back up."
    return f"None of the {below} parts of {place} looked right, so it went back up."
